# computed: values that inserted code computes: expressions against C, counters against the oracle, also in threads.
. "$tests/lib/program.sh"

# Every operator, at every load, store and branch.
within=$(pick '^main$|sin$|^_?_?(mem|str|atof)|_fp_l$|mpn' '.*')
for level in $(pick O2 "O0 O2"); do
    alpha floating "$tests/computed/floating.c" -$level -mieee -lm
    { qemu floating && echo "many checks, 0 wrong"; } >plain
    for flags in "" --without=liveness --stack=program; do
        instrument expressions $flags -D "within=$within" "$tests/computed/expressions.atd" floating
        prints expressions-$level$flags qemu expressions <plain
    done
done

# Counters without C, and one tool with C beside them.
while read -r each workload; do
    [ -n "$each" ] || continue
    use "$each" O2 "$workload" || continue
    count_with_oracle counted oracle.txt
    for tool in branch:stdtools/branch branch_c:docs/examples/branch prof:tests/computed/prof; do
        instrument instrumented "$top/${tool#*:}.atd" "$program"
        run "${tool%:*}" instrumented
        check_counts "${tool%:*}" "$each-$workload"
    done
done <<END
bzip2 decompress
$(pick "" "minisat satisfiable")
pbzip2 $(pick decompress compress)
END
