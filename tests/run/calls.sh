#!/bin/bash
# calls.sh: analysis routines as people write them, called in every way: the same results, and those that should be put in
# at their sites are.
# Requires: atomc (ATOMC), the test programs, the Alpha cross compiler, qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage
put_in='Widths Cache TwoWays Extremes Early Page Buffered Checked Many Outcome Named TwoBit TwoBitInt Gshare'
called='Loop Floating Divides'


# compare NAME PROGRAM INPUTS ARGUMENTS...: the same under every switch as by wrappers.
compare() {
    local name=$1 program=$2 inputs=$3 flags
    shift 3
    for flags in --call=wrapper --call=direct --call=inline --call=automatic "--call=automatic --no-liveness" \
        "--call=inline --stack=program"; do
        # shellcheck disable=SC2086
        if ! "$ATOMC" -v $flags tests/calls/routines.atd "$program" -o "$scratch/instrumented" >"$scratch/log" 2>&1; then
            failed "calls/$name $flags" "atomc failed" "$scratch/log"
            continue
        fi
        run_program "$scratch/found" program "$scratch/instrumented" "$inputs" "${standard_input:-}" -- "$@"
        if [ "$flags" = --call=wrapper ]; then
            cp -r "$scratch/found" "$scratch/expected-$name"
            if grep -q '^pages [1-9a-f]' "$scratch/found/stdout"; then
                passed "calls/$name $flags"
            else
                failed "calls/$name $flags" "it prints no results" "$scratch/found/stderr"
            fi
        elif diff -r "$scratch/expected-$name" "$scratch/found" >"$scratch/differences" 2>&1; then
            passed "calls/$name $flags"
        else
            failed "calls/$name $flags" "not what wrappers give (<)" "$scratch/differences"
        fi
    done
}

for level in O0 O2; do
    alpha-linux-gnu-gcc -$level -static -Wl,--no-relax tests/data/small.c -o "$scratch/small-$level"
    compare small-$level "$scratch/small-$level" ""
done

# ---- what is put in

"$ATOMC" -v tests/calls/routines.atd "$scratch/small-O2" -o "$scratch/instrumented" >"$scratch/log" 2>&1
for routine in $put_in; do
    if grep -q "^ *[1-9][0-9]* of $routine\$" "$scratch/log" && ! grep -q "not [0-9]* of $routine:" "$scratch/log"; then
        passed "calls/put in $routine"
    else
        failed "calls/put in $routine" "it is called" "$scratch/log"
    fi
done
for routine in $called; do
    if grep -q "^ *not [1-9][0-9]* of $routine: [a-z]" "$scratch/log"; then
        passed "calls/called $routine"
    else
        failed "calls/called $routine" "no reason is given" "$scratch/log"
    fi
done
"$ATOMC" -v --call=direct -D only=1 tests/calls/routines.atd "$scratch/small-O2" -o "$scratch/instrumented" >"$scratch/log" 2>&1
direct=$(sed -n 's/^ *without a wrapper *//p' "$scratch/log")
if [ "$direct" -gt 1000 ]; then
    passed "calls/direct"
else
    failed "calls/direct" "so many calls without a wrapper: $direct" "$scratch/log"
fi

alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax bench/nqueens.c -o "$scratch/queens"
# fewer SWITCH RESULT ARGUMENTS...: what is done by default executes a tenth less than with SWITCH, and has the same RESULT.
fewer() {
    local switch=$1 result=$2 flags
    shift 2
    for flags in "" "$switch"; do
        # shellcheck disable=SC2086
        "$ATOMC" $flags "$@" "$scratch/queens" -o "$scratch/instrumented" >"$scratch/log" 2>&1
        run_program "$scratch/ran$flags" queens "$scratch/instrumented" "" "" -plugin "$(realpath "$BUILD")/bench/plugins/count.so,out=executed" -- 8 20
    done
    executed=$(cat "$scratch/ran/files/executed")
    if [ "$((executed + executed / 10))" -lt "$(cat "$scratch/ran$switch/files/executed")" ] &&
        [ "$(wc -c <"$scratch/ran/files/$result")" -gt 20 ] &&
        cmp -s "$scratch/ran/files/$result" "$scratch/ran$switch/files/$result"; then
        passed "calls/fewer $switch"
    else
        failed "calls/fewer $switch" "so many instructions: $(cat "$scratch/ran/files/executed" "$scratch/ran$switch/files/executed" | tr '\n' ' '), or other results"
    fi
}
# What is done rarely stands behind a branch; what asks which way a branch goes is done on that way.
fewer --no-branches cache8k.out bench/tools/cache8k.atd
if [ "$(awk '$1 == "misses" { print $2 }' "$scratch/ran/files/cache8k.out")" -gt 100 ]; then
    passed calls/misses
else
    failed calls/misses "too few" "$scratch/ran/files/cache8k.out"
fi
fewer --no-splitting btaken.out -t branch -D predictor=2bit

# ---- where threads may be, no call is without a lock (what is put in takes it too: threads.sh)

cat >"$scratch/threads.c" <<'EOF'
#include <pthread.h>
static void *run(void *nothing) {
    return nothing;
}
int main(void) {
    pthread_t thread;
    return pthread_create(&thread, 0, run, 0) || pthread_join(thread, 0);
}
EOF
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax "$scratch/threads.c" -o "$scratch/threads" -pthread
"$ATOMC" -v tests/calls/routines.atd "$scratch/threads" -o "$scratch/instrumented" >"$scratch/log" 2>&1
if grep -q '^ *without a wrapper *0$' "$scratch/log"; then
    passed "calls/threads"
else
    failed "calls/threads" "calls without a lock" "$scratch/log"
fi
[ "$failures" = 0 ]
