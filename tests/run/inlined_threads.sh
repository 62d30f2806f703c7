# inlined_threads: inlined routines in programs with threads: their counts are exact, whatever signals, cancellation,
# fork and exit do to the threads, and equal to those of wrappers.
alpha plain "$tests/data/inlined_threads.c" -g -pthread

# The sums of all processes agree; if threads are joined, they equal the tool's own counters.
sums_agree() { # MODE STATUS
    awk -v mode="$1" -v expected="$2" '
        /^inlined:/ { n++; calls = $2; entered = $5; wrong = wrong || $2 != $3 || $2 != $4 || $2 < 500 }
        /^[0-9]+\t[0-9]+$/ { touched = $1; came = $2 }
        /^exit status/ { status = $3 }
        END { exit wrong || !n || status != expected || mode == "joined" && (calls != touched + came || entered != came) }' found
}
# By wrappers alone, a handler that comes just where the lock is being taken gives it back too early,
# now and then (docs/limits.md, Limits):
# no exit. One that leaves a routine called by its wrapper by a jump, or a thread that is cancelled there,
# leaves it with the lock.
while read -r how modes options; do
    instrument tool -v -D one_in=$(pick 16 1) $options "$tests/data/touch.atd" plain
    [ $how != default ] || check inlines "[ $(statistic tool.log 'calls inlined') -gt 5000 ]" tool.log
    for mode in ${modes//,/ }; do
        for run in $(seq "$(pick 1 2)"); do
            ending found tool "${mode%:*}"
            check "${mode%:*}-$how-$run" "sums_agree ${mode/:/ }" found
        done
    done
done <<END
default joined:0,fork:0,exit:3
poison $(pick joined:0 joined:0,fork:0,exit:3) --poison
no-branches $(pick fork:0 joined:0,fork:0,exit:3) --without=branches
no-liveness $(pick exit:3 joined:0,fork:0,exit:3) --without=liveness
wrapper joined:0,fork:0 --call=wrapper
alone $(pick jump:0 jump:0,cancel:0) -D wrappers=false --without=branches
alone-poison $(pick cancel:0 jump:0,cancel:0) -D wrappers=false --poison
END
