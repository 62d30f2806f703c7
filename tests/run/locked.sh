# locked: handlers that jump out of locked sequences: actions that are deferred to the end of the sequence, and actions
# made before it for the rest of its last block, are counted for executed instructions only.
libraries=/usr/alpha-linux-gnu
agrees() {
    awk -F'\t' \
        'NR == 1 { wrong = $0 != 1 } /^0x/ { rows += $2 > 0; for (i = 3; i <= NF; i++) wrong += $i != $2 } /^[1-9]/ &&
            NF > 1 { wrong++ }
        END { exit wrong || rows < 3 }'
}
for program in left $(pick "" dynamic); do
    $([ $program = left ] && echo alpha || echo shared) $program "$tests/data/locked_left.c" "$tests/data/locked_left.s"
    for flags in "" --without=placement; do
        instrument instrumented $flags "$tests/data/locked_left.atd" $program
        for times in $(pick 200 "200 1000 5000 5000 5000"); do
            qemu -L $libraries instrumented $times >found
            check "left/$program/$times$flags" "agrees <found" found
        done
    done
done
