#!/bin/bash
# delayed.sh: analysis routines that rarely call others cost what their common way costs, and give the same results, whatever is
# saved where and in whichever registers they compute.
# Requires: atomc (ATOMC), build/bench/plugins/count.so, the Alpha cross compiler, qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage
count=$(realpath "$BUILD")/bench/plugins/count.so
routines=tests/delayed/routines

alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax tests/data/small.c -o "$scratch/small"
# Threads that take turns, and a procedure that does the same in each.
cat >"$scratch/threads.c" <<'END'
#include <pthread.h>
#include <stdio.h>
static volatile long values[4096];
__attribute__((noinline)) long steady_work(long from) {
    long sum = 0;
    for (int round = 0; round < 300; round++)
        for (long i = from; i < 4096; i += 7)
            sum += values[i] += i ^ round;
    return sum;
}
static void *run(void *from) {
    return (void *)steady_work((long)from);
}
int main(void) {
    pthread_t thread;
    void *sum;
    long total = steady_work(3);
    for (long i = 0; i < 3; i++)
        total += pthread_create(&thread, 0, run, (void *)i) == 0 && pthread_join(thread, &sum) == 0 ? (long)sum : 0;
    printf("%ld\n", total);
    return 0;
}
END
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax "$scratch/threads.c" -o "$scratch/threads" -pthread

# instrument FLAGS...
instrument() {
    "$ATOMC" -v "$@" $routines.atd "$program" -o "$scratch/instrumented" >"$scratch/log" 2>&1
}

# compare NAME PROGRAM FLAGS FLAGS...: with each of the latter the same as with the first and when everything is saved at each call.
compare() {
    local name=$1 program=$2 flags first="--call=wrapper --no-delay --no-renaming $3"
    shift 3
    for flags in "$first" "$@"; do
        # shellcheck disable=SC2086
        if ! instrument $flags; then
            failed "delayed/$name $flags" "atomc failed" "$scratch/log"
            continue
        fi
        run_program "$scratch/found" program "$scratch/instrumented" "" "" --
        if [ "$flags" = "$first" ]; then
            cp -r "$scratch/found" "$scratch/expected-$name"
            if [ "$(grep -c -e ^bad -e ^kept -e ^errno -e ^doubles -e ^sum -e ^many -e ^loop -e ^recursion -e ^tail -e ^first -e ^second \
                -e ^switch -e ^space -e ^divides -e ^pressure -e ^checked -e ^scaled -e ^nested -e ^even -e ^odd "$scratch/found/files/delayed.out")" -gt "$least" ]; then
                passed "delayed/$name $flags"
            else
                failed "delayed/$name $flags" "the rare ways are not gone" "$scratch/found/files/delayed.out"
            fi
        elif diff -r "$scratch/expected-$name" "$scratch/found" >"$scratch/differences" 2>&1; then
            passed "delayed/$name $flags"
        else
            failed "delayed/$name $flags" "not what it is without (<)" "$scratch/differences"
        fi
    done
}
least=200
compare small "$scratch/small" "" --call=wrapper --call=direct --call=inline "" --poison "--call=direct --poison" --no-delay --no-renaming \
    "--call=direct --no-delay" "--call=direct --no-renaming" "--call=direct --no-liveness" "--call=direct --stack=program" \
    "--call=direct --no-observations --no-borrowing"
least=1
compare threads "$scratch/threads" "-D within=steady_*" "-D within=steady_*" "-D within=steady_* --no-delay" "-D within=steady_* --no-renaming" \
    "-D within=steady_* --poison" "-D within=steady_* --call=direct"

# ---- which are

program=$scratch/small
instrument --call=direct
while read -r routine delayed; do
    if grep -q "^ *calls $routine $delayed" "$scratch/log"; then
        passed "delayed/$routine"
    else
        failed "delayed/$routine" "not '$delayed'" <(grep "calls $routine" "$scratch/log")
    fi
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
Nested with 0 delayed calls: it calls others on every way; changes [12][0-9] registers
END

# What catches exceptions is found by its own return addresses.
cat >"$scratch/exceptions.cpp" <<'END'
#include <cstdio>
#include <stdexcept>
static long n;
static void deep(long a) {
    if (a % 64 == 0)
        throw std::runtime_error("deep");
    n++;
}
extern "C" void Try(long a) {
    try {
        deep(a);
    } catch (const std::exception &) {
        n += 1000;
    }
}
extern "C" void Rare(long a) {
    if (__builtin_expect((a & 0x1f8) == 0x30, 0))
        Try(a);
    n += 3;
}
extern "C" void End(void) {
    printf("caught %ld\n", n);
}
END
cat >"$scratch/exceptions.atd" <<'END'
tool exceptions "routines that catch exceptions"
analysis "exceptions.cpp"
for i in inst where i.reads_memory and i.proc.name == "main" { before i call Try($addr) before i call Rare($addr) }
after program call End()
END
for flags in "--no-delay --no-renaming" --call=direct; do
    # shellcheck disable=SC2086
    "$ATOMC" -v $flags "$scratch/exceptions.atd" "$scratch/small" -o "$scratch/instrumented" >"$scratch/log" 2>&1
    run_program "$scratch/caught$flags" small "$scratch/instrumented" "" "" --
done
if grep -q "calls Try as it is: it catches exceptions" "$scratch/log" &&
    grep -q "^caught [1-9]" "$scratch/caught--call=direct/stdout" && diff -r "$scratch/caught--"*; then
    passed delayed/exceptions
else
    failed delayed/exceptions "not as without copies" "$scratch/log"
fi

# ---- what it costs: instructions executed for each call, of a routine alone

# executed FLAGS...
executed() {
    instrument "$@"
    run_program "$scratch/ran" small "$scratch/instrumented" "" "" -plugin "$count,out=executed" --
    cat "$scratch/ran/files/executed"
}
run_program "$scratch/ran" small "$scratch/small" "" "" -plugin "$count,out=executed" --
plain=$(cat "$scratch/ran/files/executed")

# The routine without its error path, as a yardstick.
mkdir "$scratch/short"
sed '/^void Unaligned/,/^}/ { /if (RARE/,/^    }/d }' $routines.c >"$scratch/short/routines.c"
cp $routines.atd "$scratch/short"
for call in direct wrapper; do
    with=$(executed --call=$call -D only=0)
    without=$(executed --call=$call -D only=0 --no-delay)
    routines=$scratch/short/routines
    short=$(executed --call=$call -D only=0)
    routines=tests/delayed/routines
    # Its test, frame and saved registers are what it has more.
    echo "# $call: plain $plain, error path delayed $with, not delayed $without, no error path $short"
    if [ $((with - plain)) -lt $(((short - plain) * 5 / 2)) ] && [ $((without - plain)) -gt $((3 * (with - plain) / 2)) ]; then
        passed "delayed/cost/$call"
    else
        failed "delayed/cost/$call" "plain $plain, delayed $with, not delayed $without, without an error path $short instructions"
    fi
done
[ "$failures" = 0 ]
