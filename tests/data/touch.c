/* touch.c: routines that are inlined, and others, called by wrappers; both change the same. */
#include <stdio.h>

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

static inline void touch(unsigned long line) {
    calls++;
    by_bits[line % 16]++;
    if (lines[line % LINES] == line) {
        hits++;
    } else {
        lines[line % LINES] = line;
        misses++;
    }
}

/* It has no rare way, for which a wrapper would be called. */
void Touch(unsigned long address) {
    touch(address / 32);
}

void TouchSometimesSlowly(unsigned long address) {
    if (address / 32 % 61 == 0)
        count_slowly(address / 32);
    else
        touch(address / 32);
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

void Print(void) {
    long sum = 0;
    for (int i = 0; i < 16; i++)
        sum += by_bits[i];
    fprintf(stderr, "inlined: %ld %ld %ld %ld\n", calls, sum, hits + misses, entered);
}
