# tail_results: $ret and $fret after procedures that continue in others, always or sometimes, in recursion too: compared
# with the program's own output, each result by its number. If they may be called through a pointer, a warning reports
# that results are omitted.
cat >results.atd <<'END'
tool results "results"
set chosen = proc p where p.name in ("outer", "mixed", "down", "chain")
counter calls[chosen], sums[chosen]
for p in chosen { after p calls[p]++, sums[p] += $ret * $calls[p] }
for p in procs where p.name == "outer_float" { after p print to "floats" "%.0f\n", $fret }
report "-" for p in chosen as p.name, " ", sums[p], " ", calls[p], "\n"
END
for level in O2 O1; do
    for kind in alpha shared; do
        $kind plain "$tests/data/tail_results.c" -$level
        qemu -L /usr/alpha-linux-gnu plain | sort >expected
        for flag in "" --without=all; do
            rm -f floats
            instrument instrumented $flag results.atd plain || continue
            qemu -L /usr/alpha-linux-gnu instrumented >said
            { sort said | sed "/^$/d" | uniq -d &&
                awk '{ sum += NR * $1 } END { print "outer_float", sum, NR }' floats; } | sort >found
            check "$kind-$level$flag" "[ \$(wc -l <expected) = 5 ] && diff expected found" said
            check "$kind-$level$flag/warning" \
                "[ $level = O1 ] || grep -q 'after a procedure that goes on in another one, whose result is seen behind calls by name only' instrumented.log"
        done
    done
done

# Tools that use results, too.
alpha plain "$tests/data/tail_results.c"
instrument instrumented -t args -D results=true -D procedures=outer plain && qemu instrumented >said
check args \
    "awk -F'\t' '\$1 == \"outer\" { calls += \$4; if (\$3 > 511) bad = 1 } END { exit calls != 100 || bad }' args.out.results" \
    args.out.results
instrument instrumented -t values -D operand=result -D procedures=outer -D top=1000 -D callers=9 plain && qemu instrumented >said
check values \
    "awk -F'\t' '\$3 == \"outer\" && (\$7 < 3 || \$7 > 400 || !(\$7 % 2)) { bad = 1 } END { exit bad || NR < 50 }' values.out" \
    values.out
check callers "grep -A1 'main' values.out.tree | grep -q outer && [ \$(grep -c ' outer result' values.out.tree) = 1 ]" \
    values.out.tree
