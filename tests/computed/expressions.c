/* expressions.c: what expressions.atd computed, again. */
#include <stdio.h>

static long a, s, size, checks, wrong, evens_expected, evens;

static void check(long found, long expected) {
    checks++;
    wrong += found != expected;
}

void Values(long address, long stack, int bytes) {
    a = address;
    s = stack;
    size = bytes;
    evens_expected += a % 2 == 0 && size > 1;
}

void Arithmetic(long sum, long difference, long scaled, long negated, long complement, long product) {
    check(sum, a + s);
    check(difference, a - s);
    check(scaled, a * 5 + 1);
    check(negated, -a);
    check(complement, ~a);
    check(product, (long)((unsigned long)a * s));
}

void Divisions(long eighth, long within, long slots, long rest, long seventh, long dynamic) {
    check(eighth, a / 8);
    check(within, a % size);
    check(slots, (a - s) / 16);
    check(rest, (a - s) % 64);
    check(seventh, a / 7);
    check(dynamic, s % 1000 ? (a - s) % (s % 1000) : 0);
}

void Bits(long low, long either, long mixed, long left, long right, long aligned) {
    check(low, a & 0xff);
    check(either, a | s);
    check(mixed, a ^ 0x123456789abcdef);
    check(left, a << 3);
    check(right, (a - s) >> 5);
    check(aligned, a & ~7L);
}

void Comparisons(int less, int at_most, int greater, int at_least, int same, int other) {
    check(less, a < s);
    check(at_most, a <= s);
    check(greater, a > s);
    check(at_least, a >= s);
    check(same, a == s);
    check(other, a != s);
}

void Logic(int no, int both, int either, long chosen, long static_choice) {
    check(no, !a);
    check(both, a - s > 0 && size == 8);
    check(either, (a & 1) || (a & 2));
    check(chosen, a > s ? a : -a);
    check(static_choice, size > 4 ? a : 7);
}

void Narrow(int word, unsigned char byte, short half, unsigned unsigned_word) {
    check(word, (int)(a * 3));
    check(byte, (unsigned char)(a * 3));
    check(half, (short)(a * 3));
    check(unsigned_word, (unsigned)(a * 3));
}

void Even(long address) {
    evens++;
    check(address, a);
}

void Branch(long taken, long chosen, int untaken, long scaled) {
    check(taken == 0 || taken == 1, 1);
    check(chosen, taken ? 10 : 20);
    check(untaken, !taken);
    check(scaled, 3 * taken + 1);
}

void Print(void) {
    check(evens, evens_expected);
    fprintf(stderr, "%s, %ld wrong\n", checks > 100000 ? "many checks" : "few checks", wrong);
}
