#!/bin/bash
# placement.sh: counts that are derived are those that would have been made, wherever signals interrupt the program.
# Requires: atomc (ATOMC), the Alpha cross compiler, qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# ---- each count in two ways in the same run ----

alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax tests/data/interrupts.c -o "$scratch/plain"
"$ATOMC" -v tests/data/twice.atd "$scratch/plain" -o "$scratch/twice" >"$scratch/statistics"
derived=$(sed -n 's/^  counter updates derived *//p' "$scratch/statistics")
counted=$(sed -n 's/^    for derived counts *//p' "$scratch/statistics")
if [ "${derived:-0}" -gt 50000 ] && [ "$counted" -lt $((derived / 3)) ]; then
    passed placement/derives
else
    failed placement/derives "derived ${derived:-nothing} from ${counted:-nothing}" "$scratch/statistics"
fi

# check_twice TEST: the reports in $scratch/printed have no line of a count that differs.
check_twice() {
    if [ "$(grep -c '^Blocks compared' "$scratch/printed")" = 1 ] && ! grep -q '^0x' "$scratch/printed" &&
        ! grep -q '	.*[0-9]	[0-9]*$' "$scratch/printed" && [ "$(tail -n 1 "$scratch/printed")" -gt 1000 ]; then
        passed "$1"
    else
        failed "$1" "counts made and counts derived are not the same" "$scratch/printed"
    fi
}

# Handlers that jump away or come back at random moments; faults in the middle of blocks, left by a jump or stepped
# over; ends by a fault.
for way in jump nest fault skip crash; do
    { timeout -s KILL 60 "$QEMU" "$scratch/twice" "$way" 2 >"$scratch/printed" 2>/dev/null || true; } 2>/dev/null
    check_twice "placement/$way"
    [ "$way" = crash ] || grep -qx interrupted "$scratch/printed" || failed "placement/$way-interrupted" "it was not"
done
# Killed at random moments.
for run in 1 2 3 4 5 6; do
    { timeout -s TERM "0.$((30 + 9 * run))" "$QEMU" "$scratch/twice" spin >"$scratch/printed" 2>/dev/null || true; } 2>/dev/null
    check_twice "placement/killed-$run"
done

# ---- entries that follow from callers' counts ----

alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax tests/data/sharing.c -o "$scratch/plain"
for way in sharing no-sharing no-placement; do
    switch=--$way
    [ $way != sharing ] || switch=
    # shellcheck disable=SC2086
    "$ATOMC" -v $switch tests/data/sharing.atd "$scratch/plain" -o "$scratch/shared" >"$scratch/statistics.$way"
    # Calls by themselves, each other, pointers and jumps, left by longjmp; by fork, abort and exit; by faults before a call.
    for run in calls exit fault; do
        { timeout 60 "$QEMU" "$scratch/shared" $run >"$scratch/$way.$run" 2>/dev/null || true; } 2>/dev/null
    done
    mv "$scratch/shared" "$scratch/$way"
done
shared=$(sed -n 's/^ *calls counted by callers *//p' "$scratch/statistics.sharing")
counted=$(sed -n 's/^ *calls counted by callers *//p' "$scratch/statistics.no-sharing")
if [ "${shared:-0}" -gt 3000 ] && [ "${counted:-none}" = 0 ]; then
    passed placement/shares
else
    failed placement/shares "${shared:-no} calls" "$scratch/statistics.sharing"
fi
for run in calls exit fault; do
    if cmp -s "$scratch/sharing.$run" "$scratch/no-placement.$run" && cmp -s "$scratch/sharing.$run" "$scratch/no-sharing.$run" &&
        grep -qx 'leaf	[0-9][0-9]*' "$scratch/sharing.$run" && ! grep -q '^0x' "$scratch/sharing.$run"; then
        passed "placement/shared-$run"
    else
        diff "$scratch/no-placement.$run" "$scratch/sharing.$run" >"$scratch/difference" || true
        failed "placement/shared-$run" "not the counts made where they stand" "$scratch/difference"
    fi
done
# In libraries, too: faults there.
alpha-linux-gnu-gcc -O2 -Wl,--no-relax tests/data/sharing.c -o "$scratch/dynamic"
for way in sharing no-placement; do
    switch=--$way
    [ $way != sharing ] || switch=
    # shellcheck disable=SC2086
    "$ATOMC" -v $switch --objects=all tests/data/sharing.atd "$scratch/dynamic" -o "$scratch/shared" >"$scratch/statistics"
    [ $way != sharing ] || shared=$(sed -n 's/^ *calls counted by callers *//p' "$scratch/statistics")
    timeout 60 "$QEMU" -L "${LIBRARIES:-/usr/alpha-linux-gnu}" "$scratch/shared" fault >"$scratch/$way.libraries" 2>/dev/null || true
done
if [ "${shared:-0}" -gt 3000 ] && cmp -s "$scratch/sharing.libraries" "$scratch/no-placement.libraries" &&
    grep -q '^leaf	[0-9]' "$scratch/sharing.libraries"; then
    passed placement/shared-libraries
else
    diff "$scratch/no-placement.libraries" "$scratch/sharing.libraries" >"$scratch/difference" || true
    failed placement/shared-libraries "not the counts made where they stand" "$scratch/difference"
fi
check_shared() { # TEST: no block's count differs in $scratch/printed
    if grep -q '^leaf	' "$scratch/printed" && ! grep -q '^0x' "$scratch/printed" && [ "$(tail -n 1 "$scratch/printed")" -gt 1000 ]; then
        passed "$1"
    else
        failed "$1" "counts made and counts derived are not the same" "$scratch/printed"
    fi
}
for way in jump nest; do
    timeout -s KILL 60 "$QEMU" "$scratch/sharing" "$way" 1 >"$scratch/printed" 2>/dev/null || true
    check_shared "placement/shared-$way"
    grep -qx interrupted "$scratch/printed" || failed "placement/shared-$way-interrupted" "it was not"
done
for run in 1 2 3 4; do
    { timeout -s TERM "0.$((30 + 9 * run))" "$QEMU" "$scratch/sharing" spin >"$scratch/printed" 2>/dev/null || true; } 2>/dev/null
    check_shared "placement/shared-killed-$run"
done

# ---- beside what is not derived: histograms, a procedure that is replaced ----

cat >"$scratch/twice.c" <<'C'
#include <stdio.h>
__attribute__((noinline)) long twice(long x) {
    long sum = 0;
    for (long i = 0; i < x; i++)
        __asm__("addq %0, 2, %0" : "+r"(sum));
    return sum;
}
long (*volatile pointer)(long) = twice;
int main(void) {
    long sum = 0;
    for (long i = 0; i < 100; i++)
        sum += twice(i) + pointer(i);
    printf("%ld\n", sum);
    return 0;
}
C
echo 'long double_it(long x) { return 2 * x; }' >"$scratch/double.c"
cat >"$scratch/beside.atd" <<'ATD'
tool beside "blocks, edges and loops, derived or not, with a histogram and a procedure replaced"
analysis "double.c"
counter executed[blocks], crossed[edges], came[loops], went[loops]
counter entered[procs]
histogram arguments log2
for p in procs where p.name == "twice" { replace p with double_it }
for p in procs {
    before p entered[p]++, arguments << $a0
    for b in p.blocks { before b executed[b]++ }
}
for e in edges { on e crossed[e]++ }
for l in loops {
    on entry l came[l]++
    on back l went[l]++
}
report "-" for p in procs where entered[p] > 0 "Name" p.name, "Entered" entered[p]
report "-" for b in arguments "Low" b.low, "Count" b.count
report "-" for b in blocks where executed[b] > 0 "PC" hex b.pc, "Executed" executed[b]
report "-" for e in edges where crossed[e] > 0 "From" hex e.from.pc, "To" hex e.to.pc, "Crossed" crossed[e]
report "-" for l in loops where came[l] > 0 or went[l] > 0 "PC" hex l.pc, "Came" came[l], "Went" went[l]
ATD
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax "$scratch/twice.c" -o "$scratch/plain"
"$ATOMC" --no-placement "$scratch/beside.atd" "$scratch/plain" -o "$scratch/beside" >"$scratch/log" 2>&1
timeout 60 "$QEMU" "$scratch/beside" >"$scratch/expected" 2>&1 || true
"$ATOMC" -v "$scratch/beside.atd" "$scratch/plain" -o "$scratch/beside" >"$scratch/statistics" 2>&1
timeout 60 "$QEMU" "$scratch/beside" >"$scratch/found" 2>&1 || true
derived=$(sed -n 's/^  counter updates derived *//p' "$scratch/statistics")
if [ "${derived:-0}" -gt 50000 ] && [ "$(wc -l <"$scratch/expected")" -gt 1000 ] &&
    [ "$(head -n 1 "$scratch/expected")" = 19800 ] && cmp -s "$scratch/expected" "$scratch/found"; then
    passed placement/beside
else
    diff "$scratch/expected" "$scratch/found" >"$scratch/difference" || true
    failed placement/beside "derived ${derived:-nothing}, or other counts" "$scratch/difference"
fi
