#!/bin/bash
# cells.sh: counters with a number of cells, and updates by =: cells.atd holds them against the same in C, however code is
# put in; in programs with threads, whether what is counted is exact and no value torn; and sizes that a program decides.
# Requires: atomc (ATOMC), qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/program.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char text[4000];
int main(void) {
    long sum = 0;
    for (int i = 0; i < 200; i++) {
        char *copy = malloc(i * 7 + 1);
        snprintf(text + i, 100, "%d squared is %ld", i, (long)i * i);
        strcpy(copy, text + i);
        for (char *at = copy; *at; at++)
            sum = sum * 31 + *at;
        if (i % 3)
            free(copy);
    }
    printf("%lx\n", sum);
    return 0;
}
END
cat >"$scratch/threads.c" <<'END'
#include <pthread.h>
#include <stdio.h>
long numbers[4096];
static void *work(void *argument) {
    for (long i = 0; i < 20000; i++)
        numbers[(i * 5 + (long)argument) % 4096] += i;
    return NULL;
}
int main(void) {
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    puts("done");
    return 0;
}
END
alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax "$scratch/program.c" -o "$scratch/program"
alpha-linux-gnu-gcc -O1 -g -static -Wl,--no-relax "$scratch/threads.c" -o "$scratch/threads" -lpthread

cd "$scratch"
"$QEMU" program >plain
for flags in "" --call=wrapper --call=direct --no-liveness --no-placement; do
    name=cells/counted$flags
    # shellcheck disable=SC2086
    if ! "$ATOMC" $flags "$OLDPWD/tests/computed/cells.atd" program -o instrumented >log 2>&1; then
        failed "$name" "atomc failed" log
        continue
    fi
    rm -f cells.out expected.out
    { cat plain; echo "many accesses, 0 wrong"; } >expected
    "$QEMU" instrumented >found 2>&1 || true
    if ! cmp -s expected found; then
        failed "$name" "C computes something else" found
    elif ! [ -s expected.out ] || ! diff cells.out expected.out >difference 2>&1; then
        failed "$name" "the report shows other cells" difference
    else
        passed "$name"
    fi
done

# A cache of counters against the same in C; the program has the same name, and so the same stack.
for tool in cache8k direct8k; do
    "$ATOMC" "$OLDPWD/bench/tools/$tool.atd" program -o instrumented >log 2>&1 || true
    "$QEMU" instrumented >found 2>&1 || true
done
if cmp -s plain found && [ -s cache8k.out ] && diff cache8k.out direct8k.out >difference 2>&1; then
    passed cells/cache
else
    failed cells/cache "not what C counts" difference
fi

# What holds a value only within a statement needs no memory; what others see of it does.
cat >passed.c <<'END'
__attribute__((noinline)) long f(long x) { __asm__ volatile(""); return x + 1; }
int main(void) {
    long sum = 0;
    for (long i = 0; i < 10; i++)
        sum += f(i);
    return sum != 55;
}
END
cat >passed.atd <<'END'
tool passed "values passed from action to action, statement to statement, place to place"
counter within, shown, next, later, guarded, before_set, sum[7]
for p in procs where p.name == "f" {
    before p                    within = $a0 * 2, sum[0] += $within
    before p                    shown = $a0 * 3, sum[1] += $shown
    before p                    next = $a0 * 4
    before p                    sum[2] += $next, later = $a0 * 5
    before p when $guarded < 5  guarded = $a0 + 1, sum[3] += $guarded
    before p                    sum[4] += $before_set, before_set = $a0 * 7
    after p                     sum[5] += $later
    after p when $ret > 5       within = $ret, sum[6] += $within
}
report "-" "Shown" shown
report "-" for s in sum "Sum" s.count
END
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax passed.c -o passed
printf '%s\n' Shown 27 Sum 90 135 180 15 252 225 40 >expected
for flags in "" --call=wrapper --no-liveness; do
    # shellcheck disable=SC2086
    "$ATOMC" $flags passed.atd passed -o instrumented >found 2>&1 || true
    "$QEMU" instrumented >>found 2>&1 || true
    if diff expected found >difference; then passed cells/passed$flags; else failed cells/passed$flags "other values" difference; fi
done

# Each value stored is a pair of equal halves: with four threads none may be torn, and sums are exact.
cat >threads.atd <<'END'
tool pairs "cells that threads update"
set loads = inst i where i.proc.name == "work" and i.is_load and i.size == 8 and i.rb != sp and i.rb != gp
counter cell[16], hits[4], made
for i in loads {
    before i    hits[$addr >> 3 & 3]++, made++
    before i    cell[$addr >> 3 & 15] = ($addr & 0xffff) << 32 | $addr & 0xffff
}
report "-" "Sum" hits[0] + hits[1] + hits[2] + hits[3], "Same" made
report "-" for c in cell where c.count >> 32 != (c.count & 0xffffffff) "Torn" c.number
report "-" for c in cell where c.count == 0 "Empty" c.number
END
"$ATOMC" threads.atd threads -o instrumented >found 2>&1 || true
"$QEMU" instrumented >>found 2>&1 || true
printf 'done\nSum\tSame\n80000\t80000\nTorn\nEmpty\n' >expected
if diff expected found >difference; then passed cells/threads; else failed cells/threads "other counts" difference; fi

# The stock tool branch with a predictor that the threads share: what is taken is exact, and no more is wrong than executed.
for predictor in 2bit gshare; do
    "$ATOMC" -t branch -D predictor=$predictor threads -o instrumented >log 2>&1 || true
    "$QEMU" instrumented >>log 2>&1 || true
    awk -F'\t' '/^0x/ && $5 == "work" { print $2, $3 } /^0x/ && ($4 < 0 || $4 > $2 + $3) { print "wrong", $0 }' btaken.out >found
    echo "79996 4" >expected
    if diff expected found >difference; then
        passed cells/threads-$predictor
    else
        failed cells/threads-$predictor "other counts" difference
    fi
done

# A size that the program decides: at most as large as there is room for, and numbers within it.
cat >sizes.atd <<'END'
tool sizes "numbers of cells"
counter calls[program.nprocs * 2], few[program.nprocs - 100000]
for p in procs { before p calls[p.id * 2 + 1]++, few[0]++ }
END
"$ATOMC" sizes.atd program -o instrumented >found 2>&1 || true
for each in 'calls[p.id + 1]++' 'calls[p.id] += $calls[p.id + 1]'; do
    printf 'tool numbers "numbers of cells"\ncounter calls[program.nprocs]\nfor p in procs { before p %s }\n' "$each" >numbers.atd
    "$ATOMC" numbers.atd program -o instrumented >>found 2>&1 || true
done
if grep -q "^sizes.atd:2:40: error: counter 'few' cannot have -[0-9]* cells: it is 1 to 8388608" found &&
    grep -q "^numbers.atd:3:33: error: counter 'calls' has no cell number [0-9]*" found &&
    grep -q "^numbers.atd:3:49: error: counter 'calls' has no cell number [0-9]*" found; then
    passed cells/sizes
else
    failed cells/sizes "not the errors that are due" found
fi
# More than there is room for, of counters that are each small enough.
echo 'tool large "too many cells"
counter a[8 << 20], b[8 << 20]
for p in procs where p.name == "main" { before p a[$a0 & 1]++, b[(8 << 20) - 1]++ }' >large.atd
if ! "$ATOMC" large.atd program -o instrumented >found 2>&1 && grep -q "too large" found; then
    passed cells/room
else
    failed cells/room "no error" found
fi
sed -i 's/, b.8 << 20.//; s/b\[(8/a[(8/; $a report "-" "First" a[0] + a[1], "Last" a[(8 << 20) - 1]' large.atd
"$ATOMC" large.atd program -o instrumented >found 2>&1 || true
"$QEMU" instrumented >>found 2>&1 || true
{ cat plain; printf 'First\tLast\n1\t1\n'; } >expected
if diff expected found >difference; then passed cells/large; else failed cells/large "other counts" difference; fi
[ "$failures" = 0 ]
