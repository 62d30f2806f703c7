# calls: analysis routines of common forms, called in every way: the same results. Routines that should be inlined are
# inlined. Routines that rarely call others cost as much as their common path, regardless of saved registers and of the
# registers in which they compute.
count=$BUILD/bench/plugins/count.so
routines=$tests/calls/routines.atd delayed=$tests/delayed/routines.atd
for level in O2 $(pick "" O0); do
    alpha small-$level "$tests/data/small.c" -$level
done
alpha threads "$tests/delayed/threads.c" -pthread
alpha queens "$top/tests/bench/nqueens.c"

# ---- results

# Calls at loads, stores and branches of these procedures of small.c, which are executed most, or of all.
returning=
within=$(pick '^(main|compare|strcmp|memcpy|memset_loop|malloc|sbrk|snprintf|msort|_itoa_word|_IO_default_xsputn|hack_digit)' \
    '.*')
# compare TEST TOOL PROGRAM FLAGS FLAGS...: with all flags the program leaves the same files as with the first flags:
# the folder expected. The output of atomc is in TEST FLAGS.log.
compare() {
    local test=$1 tool=$2 program=$3 flags
    shift 3
    rm -rf expected
    for flags in "$@"; do
        instrument instrumented $flags -v -D "within=$within" $returning "$tool" "$program" || continue
        cp instrumented.log "$test $flags.log"
        run_program found program instrumented "" "" -- $(pick 30 300)
        [ -e expected ] || cp -r found expected
        same_results "$test $flags" expected found
    done
}
for level in O2 $(pick "" O0); do
    compare routines-$level "$routines" small-$level --call=wrapper --call=direct --call=inline --call=automatic \
        "--call=automatic --without=liveness" "--call=inline --stack=program"
    check routines-$level "grep '^pages [1-9a-f]' expected/stdout"
done
compare delayed "$delayed" small-O2 "--call=wrapper --without=delayed-saves --without=renaming" --call=direct --call=inline "" \
    "--call=direct --poison" "--call=direct --without=delayed-saves" "--call=direct --without=renaming" \
    "--call=direct --without=liveness" \
    "--call=direct --stack=program" "--call=direct --without=observations --without=scavenging" \
    $(pick "" "--call=wrapper --poison --without=delayed-saves --without=renaming")
# Each rare way leaves a line; two lines of sums are the last ones.
check delayed "[ \$(wc -l <expected/files/delayed.out) -gt 202 ]" expected/files/delayed.out
within=^steady_ returning="-D returning=^steady_" compare delayed-threads "$delayed" threads \
    "--call=wrapper --without=delayed-saves --without=renaming" "" --poison --call=direct \
    $(pick "" "--without=delayed-saves --without=renaming")
check delayed-threads "[ \$(wc -l <expected/files/delayed.out) -gt 3 ]" expected/files/delayed.out

# Routines that catch exceptions are found by their own return addresses.
for flags in "--without=delayed-saves --without=renaming" --call=direct; do
    instrument instrumented -v $flags "$tests/delayed/exceptions.atd" small-O2
    run_program "found$flags" small instrumented "" "" --
done
same_results exceptions "found--without=delayed-saves --without=renaming" found--call=direct
check exceptions/found "grep 'calls Try as it is: it catches exceptions' instrumented.log"
check exceptions/caught "grep '^caught [1-9]' found--call=direct/stdout"

# ---- what is inlined, and which calls are delayed

log="routines-O2 --call=automatic.log"
for routine in Widths Cache TwoWays Extremes Early Page Buffered Recent Switch Spot Kept Crowded Checked Many Outcome Named \
    TwoBit TwoBitInt Gshare; do
    check put-in/$routine "grep '^ *[1-9][0-9]* of $routine\$' '$log' && ! grep 'not [0-9]* of $routine:' '$log'"
done
for routine in Loop Floating Divides; do
    check called/$routine "grep '^ *not [1-9][0-9]* of $routine: [a-z]' '$log'" "$log"
done
instrument direct -v --call=direct -D only=1 "$routines" small-O2
check direct "[ $(statistic direct.log 'without a wrapper') -gt 1000 ]" direct.log
# If there may be threads, no call is made without the lock. (Inlined code takes it, too: see the case inlined_threads.)
instrument locked -v -D "within=$within" "$routines" threads
check locked "[ $(statistic locked.log 'without a wrapper') = 0 ]" locked.log

# If a slow path only calls a routine, the sites call this routine directly, and not the routine with the slow path.
instrument instrumented -D "within=$within" "$routines" small-O2
alpha-linux-gnu-objdump -d instrumented | grep -o '<atomc.routine.*>$' | sort | uniq -c >calls
check slow-call "[ \$(awk '/move_spot>/ { print \$1 }' calls) -gt 20 ]" calls
check slow-call/not \
    "awk '/move_kept>|move_crowded>/ && \$1 > 2 { exit 1 }' calls && grep -q '\.Kept>' calls && grep -q '\.Crowded>' calls" calls

log="delayed --call=direct.log"
while read -r routine found; do
    check "delayed/$routine" "grep '^ *calls $routine $found' '$log'" "$log"
done <<'END'
Unaligned with 1 delayed calls; changes
Kept with 2 delayed calls; changes
Errno with 3 delayed calls; changes
Allocates with 3 delayed calls; changes
Doubles with 3 delayed calls; changes
Computes with 1 delayed calls; changes
Many with 1 delayed calls; changes
Passes with 1 delayed calls; changes
Loops with 0 delayed calls: it calls others in a loop; changes
Recurs with 0 delayed calls: it may often call others; changes
Tail with 1 delayed calls; changes
Indirect with 1 delayed calls; changes
Switches with 1 delayed calls; changes
Space as it is: it moves its stack pointer by what cannot be told
Divides with 1 delayed calls; changes
Never with 1 delayed calls; changes
Always with 0 delayed calls: it calls others on every way; changes
Pressure with 1 delayed calls; changes
Nested with 0 delayed calls: it calls others on every way; changes [0-9] registers
END

# ---- what it costs, in instructions executed

# executed PROGRAM ARGUMENT...: prints their number; the files of the program are in the folder ran.
executed() {
    run_program ran program "$1" "" "" -plugin "$count,out=executed" -- "${@:2}"
    cat ran/files/executed
}
# Rare work is after a branch; code that reads the direction of a branch is on both paths: a tenth less, and the same
# results.
while read -r switch result tool; do
    instrument default $tool queens
    instrument without $switch $tool queens
    fewer=$(executed default $(pick "8 5" "8 20"))
    mv "ran/files/$result" .
    check "fewer$switch" "[ $((fewer * 11 / 10)) -lt $(executed without $(pick "8 5" "8 20")) ]"
    same "fewer$switch/results" "$result" "ran/files/$result"
done <<END
--without=branches cache8k.out $top/tests/bench/tools/cache8k.atd
--without=splitting branch.out -t branch -D predictor=2bit
END
check misses "[ \$(awk '\$1 == \"misses\" { print \$2 }' cache8k.out) -gt 100 ]" cache8k.out
check branches "[ \$(wc -l <branch.out) -gt 2 ]" branch.out

# Calls of one routine, and for comparison the same routine without its error path. Its test, frame and saved registers
# are the difference.
mkdir short
sed '/^void Unaligned/,/^}/ { /if (RARE/,/^    }/d }' "$tests/delayed/routines.c" >short/routines.c
cp "$delayed" short
plain=$(executed small-O2)
for call in direct wrapper; do
    instrument delayed -D only=0 --call=$call "$delayed" small-O2
    instrument without -D only=0 --call=$call --without=delayed-saves "$delayed" small-O2
    instrument short.program -D only=0 --call=$call short/routines.atd small-O2
    with=$(($(executed delayed) - plain)) without=$(($(executed without) - plain)) short=$(($(executed short.program) - plain))
    check cost/$call "[ $with -lt $((short * 5 / 2)) ] && [ $without -gt $((3 * with / 2)) ]"
done
