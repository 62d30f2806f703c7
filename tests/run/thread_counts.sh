# thread_counts: counts of threads in separate cells equal counts in common cells, for all thread pointers.
alpha plain "$tests/data/thread_pointers.c" -pthread
instrument derived -v --for=qemu "$tests/data/each.atd" plain
instrument common -v --for=qemu --without=thread-counts "$tests/data/each.atd" plain
instrument made --for=qemu --without=placement "$tests/data/each.atd" plain
check each-thread \
    "[ $(statistic derived.log 'in cells of each thread') -gt 5000 ] && ! grep -q 'in cells of each thread' common.log" \
    derived.log

# Instructions of code that is executed the same number of times in each run.
own() {
    alpha-linux-gnu-nm -S plain | awk "$hexadecimal"'
        NR == FNR { if ($4 ~ /^(step|compute|compute_all|change|in_threads|main)$/)
            { first[++n] = number($1); behind[n] = first[n] + number($2) } next }
        /^computed / { print }
        /^0x/ { at = number($1); for (k = 1; k <= n; k++) if (at >= first[k] && at < behind[k]) print }' - "$1"
}
for way in own none same near changing fork; do
    qemu made $way >made.printed
    own made.printed >made.own
    for each in derived common; do
        for repetition in $(seq "$(pick 1 10)"); do
            qemu $each $way >printed
            own printed >$each.own
            check $way/$each "[ $(grep -c ^0x made.own) -gt 40 ] && diff made.own $each.own"
        done
    done
done
