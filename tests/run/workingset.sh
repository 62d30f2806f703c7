# workingset: the gallery's tool against a trace of all accesses of the same run, with the number of each instruction: pages
# and lines.
page=$top/packages/gallery/working-set/workingset.atd
for name in pages lines; do sed "s/tool workingset/tool $name/; s/workingset.out/$name/" "$page" >$name.atd; done
alpha words "$top/docs/examples/cookbook/words.c" -O1 -g
instrument instrumented "$tests/workingset/trace.atd" pages.atd -D window=1000 lines.atd -D window=150 -D unit=64 words ||
    return 0
qemu instrumented >log
units() { # WINDOW UNIT
    awk -v window="$1" -v unit="$2" '{ w = int($1 / window); u = sprintf("%.0f", $2 - $2 % unit) }
        !((w, u) in seen) { seen[w, u]; n[w]++ }
        END { for (w in n) print w * window "\t" n[w] "\t" n[w] * unit }' trace | sort -n
}
units 1000 8192 >expected
sed 1d pages >found
same pages expected found
units 150 64 >expected
sed 1d lines >found
same lines expected found
check windows "[ \$(wc -l <found) -gt 100 ] && [ \$(cut -f 2 found | sort -u | wc -l) -gt 5 ]" found
