# places: edges, loops, call sites and entries against transitions that QEMU observes in the uninstrumented program.

# places.atd's results in the form of expected.awk
counted() { # FOLDER
    awk -F'\t' 'BEGIN { OFS = FS } FNR == 1 { kind = FILENAME; sub(/.*\//, "", kind); sub(/s?\.out$/, "", kind)
            if (kind == "entrie") kind = "entry"; next }
        kind == "loop" && ($2 != $5 || $4 != $6) { print "on and before or after differ", $0 }
        kind == "loop" { print kind, $1, $2, $3, $4; next }
        { print kind, $0 }' "$1"/{edges,loops,callsites,entries}.out | sort
}
# compare TEST: all counts of one run of the program
compare() {
    run plain "$program" -plugin "$BUILD/tests/transitions.so,out=$scratch/transitions" -plugin "$oracle,out=$scratch/counts"
    "$ATOMC" --dump=cfg "$tests/places/places.atd" "$program" -o instrumented >cfg
    instrument instrumented "$tests/places/places.atd" "$program"
    run atom instrumented
    check "$1-behaves" "cmp plain/stdout atom/stdout && cmp plain/status atom/status"
    awk -f "$tests/places/expected.awk" cfg transitions counts | sort >expected
    counted atom/files >found
    same "$1" expected found
}

# Sets of sets: events that can be counted in two ways, numbers, and names against grep.
alpha work "$tests/reports/work.c"
instrument sets "$tests/places/sets.atd" work
qemu sets
prints sets awk \
    'NR == 2 { print ($1 > 0), ($2 > 0), ($4 > 0), $3 == $1 + $2 - $4, $5 == $1 - $4, $6 == $3 - $4, $6 == $7, $8, $9 == $3,
    ($10 > $3) }' counts.out <<<"1 1 1 1 1 1 1 0 1 1"
prints sets-numbers awk -F'\t' \
    'NR > 1 && ($1 != NR - 2 || $2 != $1 || $3 != $1 || $4 <= last || $5 != 1) { print } NR > 1 { last = $4 }
    END { print (NR > 1) }' odd.out <<<1
tail -n +2 procs.out | awk '{ print (/^(mem|str)[a-z]*$/ ? 1 : 0) "\t" $0 }' | grep -v '^0	_' |
    awk '{ print NR - 1 "\t" $0 }' >names
same sets-names names <(tail -n +2 names.out)

alpha flow "$tests/places/flow.S" -nostdlib
program=$scratch/flow name=flow inputs='' standard_input='' arguments=()
compare flow
for each in $(pick byacc-O3-conflicts "byacc-O3-conflicts bzip2-O2-decompress lua-O2-errors sqlite3-O2-queries"); do
    # shellcheck disable=SC2086
    if use ${each//-/ }; then compare "$each"; fi
done
