#!/bin/bash
# hostile.sh: no segment of an output is writable and executable; out of disk or interrupted, atomc leaves no part of an
# output and keeps the old one; mutated object files as analysis code are refused, or used, without a crash.
# Requires: atomc (ATOMC; ATOMC_CHECKED, with sanitizers, for the mutated objects if it is there), the Alpha cross
# compiler; run from the repository's root. RUNS: how many interruptions and mutations of each kind.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
runs=${RUNS:-20}
scratch=$(mktemp -d)
trap 'umount "$scratch/small" 2>/dev/null || true; rm -rf "$scratch"' EXIT
mkdir "$scratch/temporary" "$scratch/folder" "$scratch/small"
export TMPDIR=$scratch/temporary
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax tests/data/signals.c -o "$scratch/program"
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax -pthread tests/data/threads_spin.c -o "$scratch/threads"
cd "$scratch"

# ---- segments -------------------------------------------------------------------------------------------------------
for program in program threads; do
    for variant in empty prof cache audit branch third "malloc --copy=sparse" "read --copy=all" "cache --call=wrapper"; do
        test=hostile/segments/$program/${variant// /}
        # shellcheck disable=SC2086
        if ! "$ATOMC" -t $variant $program -o out >log 2>&1; then
            failed "$test" "atomc fails" log
            continue
        fi
        alpha-linux-gnu-readelf -lW out | awk '$1 == "LOAD"' >loads
        # An executable one is there, or the columns are not what they were.
        if ! grep -q ' R E ' loads || grep -E ' (RWE| WE) ' loads >log; then
            failed "$test" "a segment that is writable and executable" log
        else
            passed "$test"
        fi
    done
done
rm out

# ---- section headers that mean nothing to the kernel --------------------------------------------------------------------
# header NUMBER OFFSET SIZE [VALUE]: a member of a section header of `program`, read, or written in `odd`
table=$(alpha-linux-gnu-readelf -hW program | awk '/Start of section headers/ { print $5 }')
field() { od -A n -t "u$3" -j $((table + 64 * $1 + $2)) -N "$3" program | tr -d ' '; }
change() {
    local bytes= value=$4
    for ((i = 0; i < $3; i++, value >>= 8)); do bytes+=$(printf '\\x%02x' $((value & 255))); done
    printf '%b' "$bytes" | dd of=odd bs=1 seek=$((table + 64 * $1 + $2)) conv=notrunc status=none
}
number() { alpha-linux-gnu-readelf -SW program | sed -n "s/^ *\[ *\([0-9]*\)\] $1 .*/\1/p" | head -n 1; }
"$QEMU" ./program raise 0 >plain.out 2>&1 || true
# odd_header NAME SECTION OFFSET SIZE VALUE refused|runs
odd_header() {
    local test=hostile/headers/$1 status=0 number
    number=$(number "$2")
    cp program odd
    change "$number" "$3" "$4" "$5"
    for tool in prof audit; do
        "$ATOMC" -t $tool odd -o out >log 2>&1 || status=$?
        if [ "$6" = refused ]; then
            if [ $status = 1 ] && grep -q '^atomc: error: odd: inconsistent headers: ' log && [ ! -e out ]; then continue; fi
            failed "$test" "not refused: status $status" log
            return
        fi
        rm -f program.out
        { "$QEMU" ./out raise 0 >program.out 2>&1 || true; } 2>/dev/null
        if [ $status = 0 ] && cmp -s plain.out program.out; then continue; fi
        failed "$test" "status $status, or not the program's output" program.out
        return
    done
    rm -f out
    passed "$test"
}
odd_header alignment .comment 48 8 3 refused
odd_header entries .comment 4 4 4 refused
odd_header symbols .symtab 32 8 "$(($(field "$(number .symtab)" 32 8) - 7))" runs
odd_header group .comment 4 4 17 refused
odd_header null-text .text 4 4 0 runs
odd_header null-data .data 4 4 0 runs
odd_header null-odd .comment 4 4 0 runs
odd_header type .rodata 4 4 77 runs
# The tables that are made anew are none that the program needs.
odd_header strings-in-data .symtab 40 4 "$(number .data)" runs
odd_header strings-are-data .strtab 8 8 2 runs
odd_header names-of-strings .shstrtab 56 8 1099511627776 runs
odd_header symbols-in-data .data 4 4 2 refused

# ---- no room ---------------------------------------------------------------------------------------------------------
"$ATOMC" -t prof program -o whole
echo old >old
whole=$(wc -c <whole)

# no_part TEST STATUS FOLDER: the old output, or all of the new, and nothing else; nothing temporary
no_part() {
    if [ "$2" = 0 ] && cmp -s "$3/out" whole; then
        :
    elif [ "$2" -gt 128 ] && cmp -s "$3/out" whole; then
        : # too late
    elif [ "$2" = 0 ] || ! cmp -s "$3/out" old; then
        failed "$1" "status $2, and not the output that was there" log
        return 1
    elif [ "$2" -ge 128 ] && [ "$2" -lt 256 ] && [ "$2" != 130 ] && [ "$2" != 143 ] && [ "$2" != 129 ]; then
        failed "$1" "ended by signal $(($2 - 128))" log
        return 1
    fi
    if [ "$(ls -A "$3")" != out ] || [ -n "$(ls -A temporary)" ]; then
        ls -A "$3" temporary >left
        failed "$1" "files are left" left
        return 1
    fi
}

for kilobytes in 1 20 100 300 $((whole / 2048)) $((whole / 1024 - 1)); do
    echo old >folder/out
    status=0
    (trap '' XFSZ && ulimit -f "$kilobytes" && exec "$ATOMC" -t prof program -o folder/out) >log 2>&1 || status=$?
    if [ $status = 0 ] || ! grep -q -E 'error: ' log; then
        failed "hostile/no-room/$kilobytes-KB" "status $status, or no message" log
    elif no_part "hostile/no-room/$kilobytes-KB" $status folder; then
        passed "hostile/no-room/$kilobytes-KB"
    fi
done
if mount -t tmpfs -o size=$((whole / 2)) none small 2>/dev/null; then
    echo old >small/out
    status=0
    "$ATOMC" -t prof program -o small/out >log 2>&1 || status=$?
    if [ $status != 1 ] || ! grep -q 'No space left' log; then
        failed hostile/full-disk "status $status, or no message" log
    elif no_part hostile/full-disk $status small; then
        passed hostile/full-disk
    fi
    umount small
else
    skipped hostile/full-disk "no file system can be mounted"
fi

# ---- interruptions --------------------------------------------------------------------------------------------------
RANDOM=20261121
interrupted=0
begin=$(date +%s%N)
"$ATOMC" -t prof program -o folder/out >log 2>&1
whole=$((($(date +%s%N) - begin) / 1000000))
for signal in INT TERM HUP; do
    good=yes
    for run in $(seq "$runs"); do
        echo old >folder/out
        status=0
        { timeout --preserve-status -s "$signal" "0.$(printf '%03d' $((RANDOM % (whole < 900 ? whole : 900) + 5)))" "$ATOMC" -t prof program -o folder/out >log 2>&1 ||
            status=$?; } 2>/dev/null
        [ $status = 0 ] || interrupted=$((interrupted + 1))
        no_part "hostile/interrupted/$signal-$run" $status folder || { good=no && break; }
    done
    [ $good = no ] || passed "hostile/interrupted/$signal"
done
if [ $interrupted -lt "$runs" ]; then
    failed hostile/interrupted "only $interrupted of $((3 * runs)) were interrupted"
fi

# ---- mutated analysis objects ------------------------------------------------------------------------------------------
cat >routine.c <<'END'
#include <stdio.h>
static long calls[4];
void Enter(int n, const char *name) { calls[n & 3] += name[0]; }
void Finish(void) { printf("%ld\n", calls[0]); }
END
cat >mutated.atd <<'END'
tool mutated "takes an object file"
analysis "mutated.o"
for p in procs { before p call Enter(index(p), p.name) }
after program call Finish()
END
alpha-linux-gnu-gcc -O2 -g -c routine.c -o good.o
size=$(wc -c <good.o)
checked=${ATOMC_CHECKED:-$ATOMC}
used=0 refused=0 good=yes
for run in $(seq $((2 * runs))); do
    cp good.o mutated.o
    if [ $((run % 4)) = 0 ]; then
        truncate -s $((RANDOM % size)) mutated.o
    elif [ "$run" != 1 ]; then
        for _ in 1 2 3 4; do # in the header and the section headers as often as anywhere
            at=$((run % 2 ? RANDOM % size : (RANDOM % 2 ? RANDOM % 64 : size - 1 - RANDOM % 1500)))
            printf '%b' "\\x$(printf '%02x' $((RANDOM % 256)))" | dd of=mutated.o bs=1 seek=$at conv=notrunc status=none
        done
    fi
    echo old >folder/out
    status=0
    timeout -s KILL 60 "$checked" mutated.atd program -o folder/out >log 2>&1 || status=$?
    case $status in
    0) used=$((used + 1)) ;;
    1) refused=$((refused + 1)) && [ "$(cat folder/out)" = old ] && [ -s log ] || status=bad ;;
    esac
    if { [ "$status" != 0 ] && [ "$status" != 1 ]; } || [ "$(ls -A folder)" != out ] || [ -n "$(ls -A temporary)" ]; then
        cp mutated.o "${BUILD:-.}/tests/hostile-$run.o"
        failed "hostile/objects/$run" "status $status, or files are left (kept: tests/hostile-$run.o in the build)" log
        good=no
    fi
done
if [ $used = 0 ] || [ $refused = 0 ]; then
    failed hostile/objects "$used used, $refused refused"
elif [ $good = yes ]; then
    passed "hostile/objects ($used used, $refused refused)"
fi
[ "$failures" = 0 ]
