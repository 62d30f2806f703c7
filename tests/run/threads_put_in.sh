#!/bin/bash
# threads_put_in.sh: routines that are put in at their sites, in programs with threads: what they count is exact, whatever signals,
# cancellation, fork and exit do to the threads, and the same as by wrappers.
# Requires: atomc (ATOMC), the Alpha cross compiler, qemu-alpha; run from the repository's root.
# RUNS: how often each is tried.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
runs=${RUNS:-2}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
ulimit -c 0
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax -pthread tests/data/threads_put_in.c -o "$scratch/plain"

# Touch is put in; Enter and, now and then, Touch are called by wrappers, and change the same variables.
cat >"$scratch/touch.c" <<'END_C'
#include <stdio.h>
#include <unistd.h>

enum { LINES = 64 };
static unsigned long lines[LINES];
static long calls, hits, misses, by_bits[16], entered;
volatile long slowly;

static __attribute__((noinline)) void count_slowly(unsigned long line) {
    for (int i = 0; i < 4; i++)
        slowly += i;
    by_bits[line % 16]++;
    hits++;
    calls++;
}

void Touch(unsigned long address) {
    unsigned long line = address / 32;
    if (line % 61 == 0) {
        count_slowly(line);
        return;
    }
    calls++;
    by_bits[line % 16]++;
    if (lines[line % LINES] == line) {
        hits++;
    } else {
        lines[line % LINES] = line;
        misses++;
    }
}

void Step(long n) {
    entered += n;
}

void Enter(void) {
    for (int i = 0; i < 3; i++)
        slowly += i;
    entered++;
    by_bits[0]++;
    misses++;
    calls++;
}

void Print(long process) {
    long sum = 0;
    for (int i = 0; i < 16; i++)
        sum += by_bits[i];
    fprintf(stderr, "put_in: %ld %ld %ld %ld\n", calls, sum, hits + misses, entered);
}
END_C
sed -i 's/Print(long process)/Print(void)/; /unistd/d' "$scratch/touch.c"
cat >"$scratch/touch.atd" <<'END_ATD'
tool touch "loads and stores, counted twice"
analysis "touch.c"
counter touched, came
for i in insts where i.reads_memory or i.writes_memory {
    before i        call Touch($addr)
    before i when $addr % 16 == 0 call Step(2)
    before i when $addr % 16 == 0 call Step(-2)
    before i        touched++
}
for p in procs { before p call Enter() before p came++ }
after program       call Print()
report "-" "Touched" touched, "Entered" came
END_ATD
# A handler that leaves a routine called by its wrapper, or a thread that is cancelled there, leaves it with the lock: here all are put in.
sed '/% 61/,/^    }/d; /^void Enter/,/^}/d' "$scratch/touch.c" >"$scratch/jump.c"
sed 's/touch\.c/jump.c/; /call Enter/d; s/, came//; s/, "Entered" came//' "$scratch/touch.atd" >"$scratch/jump.atd"
for how in default poison no-branches no-liveness wrapper; do
    options=--$how
    case $how in default) options=-v ;; wrapper) options=--call=wrapper ;; esac
    "$ATOMC" -v "$options" "$scratch/touch.atd" "$scratch/plain" -o "$scratch/$how" >"$scratch/$how.statistics"
done
put_in=$(sed -n 's/^ *calls put in  *\([0-9]*\).*/\1/p' "$scratch/default.statistics")
if [ "$put_in" -gt 10000 ]; then
    passed threads_put_in/puts-in
else
    failed threads_put_in/puts-in "nothing is put in" "$scratch/default.statistics"
fi

# check HOW MODE STATUS: all processes' sums agree; where threads are joined, they are those of the tool's own counters.
check() {
    local how=$1 mode=$2 expected=$3 run status wrong=
    for ((run = 0; run < runs; run++)); do
        status=0
        { timeout -s KILL 60 "$QEMU" "$scratch/$how" "$mode" >"$scratch/out" 2>"$scratch/err" || status=$?; } 2>/dev/null
        [ "$status" = "$expected" ] || wrong="exit status $status"
        grep -q '^put_in:' "$scratch/err" || wrong="no sums"
        awk '/^put_in:/ && ($2 != $3 || $2 != $4 || $2 < 500) { exit 1 }' "$scratch/err" || wrong="sums differ"
        if [ "$mode" = joined ]; then
            awk -F '\t' 'FILENAME ~ /out$/ { n = $1 + $2; e = $2; next }
                { split($0, word, " "); if (word[1] == "put_in:" && (word[2] != n || word[5] != e)) exit 1 }' \
                "$scratch/out" "$scratch/err" || wrong="not the tool's counts"
        fi
    done
    if [ -z "$wrong" ]; then
        passed "threads_put_in/$mode-$how"
    else
        cat "$scratch/out" >>"$scratch/err"
        failed "threads_put_in/$mode-$how" "$wrong" "$scratch/err"
    fi
}
for how in default poison no-branches no-liveness wrapper; do
    check $how joined 0
    check $how fork 0
    # By wrappers alone, a handler that comes just where the lock is being taken gives it back too early, now and then (README, Limits).
    [ $how = wrapper ] || check $how exit 3
done
for how in default poison; do
    options=--poison
    [ $how = poison ] || options=--no-branches
    "$ATOMC" "$options" "$scratch/jump.atd" "$scratch/plain" -o "$scratch/jump-$how"
    check jump-$how jump 0
    check jump-$how cancel 0
done
exit "$failures"
