# tools_accesses: dynmem -D accesses=true against a program that counts the accesses of its blocks itself, in a child of fork,
# too; and lifetimes in instructions against a page without C.
cp "$tests"/tools/{accesses.c,lives.atd} .
for kind in $(pick dynamic "static dynamic"); do
    if [ "$kind" = static ]; then alpha accesses accesses.c -g; else shared accesses accesses.c -g; fi
    instrument instrumented --objects=all -t dynmem -D accesses=true -D callers=2 lives.atd accesses || continue
    rm -f dynmem.out* lives.out*
    qemu -L /usr/alpha-linux-gnu instrumented >printed
    for process in parent child; do
        number=$([ $process = parent ] || echo .[0-9]*)
        grep "^$([ $process = parent ] && echo '[0-9]' || echo child)" printed | sed 's/^child //' | sort >expected
        # shellcheck disable=SC2086
        awk -F '\t' -v OFS='\t' 'sub(/.*accesses\.c:/, "", $2) { print $2, $4, $6, $7, $9 }' dynmem.out.accesses$number |
            sort >found
        same "$kind/$process" expected found
        check "$kind/$process/lines" "[ \$(wc -l <expected) = 3 ] &&
            awk '{ if (\$3 == 0 || \$4 == 0 || \$5 == 0) exit 1 }' expected" expected
    done
    awk 'NR == 1 { now = $1; sum = $2; blocks = $3; next }
        { sum += now - $1 } END { print int(sum / blocks) }' lives.out >expected
    awk -F '\t' '$1 == "all" { print $8 }' dynmem.out.accesses >found
    same "$kind/lifetime" expected found
done
