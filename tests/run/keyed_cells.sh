# keyed_cells: a counter with keys has no cell, so the counter declared after it keeps its own, whatever is known of the first:
# that nothing but its own statement reads it.
alpha queens "$top/docs/examples/queens.c" -g
cat >neighbour.atd <<'END'
tool neighbour "keyed counters that no report shows, before counters with a cell"
thread counter began
counter total
thread counter kept
counter sums[int], least, last[int], plain
for p in procs where p.name == "is_safe" { before p began = $a1, sums[1] += $began, kept = $a0, last[1] = $a0, plain += $a1 }
for p in procs where p.name == "place" { before p total++ }
for p in procs where p.name == "is_safe" { for i in p.insts where i.is_load { before i when $addr > 0 least++ } }
report "-" "Total" total, "Loads" least > 894
report "-" for row in sums "Key" row.key, "Sum" row.count == plain
END
for flags in "" --call=direct --without=promotion; do
    instrument instrumented $flags neighbour.atd queens
    prints "sums$flags" qemu instrumented <<END
4 ways
Total	Loads
153	1
Key	Sum
1	1
END
done
# The first cell after those of the counters is that of a count from which others are derived.
cat >first.atd <<'END'
tool first "counts of blocks"
counter executed[blocks]
for b in blocks { before b executed[b]++ }
report "blocks" for b in blocks where executed[b] > 0 "PC" b.pc, "Times" executed[b]
END
instrument instrumented first.atd queens
qemu instrumented >/dev/null
mv blocks expected
instrument instrumented first.atd neighbour.atd queens
qemu instrumented >/dev/null
same derived expected blocks
