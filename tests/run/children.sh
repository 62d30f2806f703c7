# children: what a process counts that has come out of a fork begins there, and its files have its number: as the program itself counts,
# and however counts are made.
alpha plain "$tests/data/children.c"
cat >children.atd <<'END'
# children: calls of work() and its greatest argument, and how long its loop was; what is set goes on, and is not counted.
tool children "what each process does"
counter calls, most, latest
histogram arguments log2
set blocks_of_work = block b where b.proc.name == "work"
counter executed[blocks_of_work]
for p in procs where p.name == "work" {
    before p            calls++, most max= $a0, latest = $a0, arguments << $a0
}
for b in blocks_of_work {
    before b            executed[b]++
}
report "children.out" "Calls" calls, "Most" most
report "by.%p" for b in blocks_of_work where executed[b] > 0 "PC" hex b.pc, "Times" executed[b]
report "children.sums" as calls
report "children.sums" for b in arguments as b.count
END
for switches in "" --without=placement --without=promotion; do
    rm -f children.out* children.sums* by.*
    # shellcheck disable=SC2086
    instrument instrumented children.atd -t prof $switches plain
    qemu instrumented | sort >expected
    for file in children.out*; do
        echo "$file $(tail -n 1 "$file" | tr '\t' ' ')"
    done | sort >found
    same "own$switches" expected found
    # Each child's histogram has as many values as there were calls; whoever is named by %p has no other number.
    for file in children.sums*; do
        awk 'NR == 1 { calls = $1; next } { sum += $1 } END { exit sum != calls }' "$file" || echo "$file"
    done >wrong
    check "sums$switches" "[ ! -s wrong ] && [ \$(ls children.sums* | wc -l) = 6 ] && [ \$(ls by.* | wc -l) = 6 ] && [ ! -e by.*.1 ]" wrong
    for file in prof.out*; do
        sed '/_dl_get_origin/d; /^total/d' "$file" | cut -f1,2 >"${file/prof/counts}$switches"
    done
done
for file in counts.out counts.out.1 counts.out.2 counts.out.2.1 counts.out.3 counts.out.4; do
    check "prof/$file" "[ \$(wc -l <$file) -gt 3 ] && cmp $file $file--without=placement && cmp $file $file--without=promotion"
done
