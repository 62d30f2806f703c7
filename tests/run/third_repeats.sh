# third_repeats: many occurrences of the same error: all are counted, by callers, and cost little after the first.
cat >repeats.c <<'END2'
#include <stdio.h>
#include <stdlib.h>
static int *block;
static volatile int odd;
static __attribute__((noinline)) void look(int at) { if (block[at] & 1) odd++; }
static __attribute__((noinline)) void pass(int at) { look(at); odd++; }
static __attribute__((noinline)) void left(int at) { pass(at); odd++; }
static __attribute__((noinline)) void right(int at) { pass(at); odd++; }
static __attribute__((noinline)) void deep(int depth, int at) { if (depth) deep(depth - 1, at); else pass(at); odd++; }
int main(int count, char **words) {
    block = SET ? calloc(64, 4) : malloc(256);
    int times = atoi(words[1]);
    for (int i = 0; i < times; i++) {
        left(i & 63);
        if (i % 3 == 0) right(i & 31);
        if (i % 5 == 0) deep(i % 25 ? 2 : 3, i & 15);
        if (i % 7 == 0) look(i & 63);
    }
    return 0;
}
END2
for set in 0 1; do
    alpha set$set -O1 -fno-inline -fno-optimize-sibling-calls -DSET=$set repeats.c -g
    instrument third$set -t third set$set
done
# Of 3,500 iterations: each has a call by left, every third by right, every fifth by deep (of which every fifth is
# deeper), every seventh by main.
qemu third0 3500 >/dev/null 2>&1
awk -F'\t' '/unset/ { gsub(" repeats.c:[0-9]*", "", $7); print $4, $7 }' third.out | sort >found
check counts "diff - found" found <<'END2'
1167 pass < right < main
140 pass < deep < deep < deep < deep < main
3500 pass < left < main
500 main
560 pass < deep < deep < deep < main
END2
# An error in every call costs less than three times the calls.
instructions() { # EXECUTABLE TURNS
    qemu -plugin "$BUILD/bench/plugins/count.so,out=count" "$1" "$2" >/dev/null 2>&1 && cat count
}
with=$(($(instructions third0 20000) - $(instructions third0 1000)))
without=$(($(instructions third1 20000) - $(instructions third1 1000)))
echo "with errors $with, without $without" >costs
check cost "[ $with -lt $((without * 3)) ]" costs
