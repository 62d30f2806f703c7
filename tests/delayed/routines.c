/* routines.c: analysis routines that rarely call others, for delayed.sh: however they are called, the results are the same. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RARE(x) __builtin_expect(x, 0)

static FILE *out;
static long sums[64], bad, calls;
static double total, greatest;

void Open(void) {
    out = fopen("delayed.out", "w");
}

/* ---- error paths ---- */
void Unaligned(long addr, int size) {
    if (RARE((addr & 0x1ff8) == 0x1238)) {
        bad++;
        fprintf(out, "bad %lx %d\n", addr, size);
    }
    sums[addr >> 3 & 63] += size;
}

/* What is read after the call has been kept. */
void Kept(long addr, int size, long n) {
    long before = addr * 3 + n, result = 0;
    if (RARE((addr & 0xff8) == 0x7f0))
        result = fprintf(out, "kept %ld\n", n) + strtol("17", NULL, 10);
    sums[addr & 63] += before + size + result;
}

void Errno(long addr) {
    if (RARE((addr & 0xfff8) == 0x10)) {
        errno = 0;
        strtol("99999999999999999999999", NULL, 10);
        sums[1] += errno == ERANGE;
        errno = (int)(addr & 127);
        fprintf(out, "errno %d\n", errno);
    }
    sums[2]++;
}

static char *last;
void Allocates(long addr, long n) {
    if (RARE((addr & 0x1fff8) == 0x1230)) {
        char *text = malloc(40);
        snprintf(text, 40, "allocated at %ld", n);
        free(last);
        last = text;
    }
    sums[3] += n;
}

/* ---- floating point ---- */
void Doubles(double x, long n, double y) {
    if (RARE(n % 97 == 0)) {
        char text[64];
        snprintf(text, sizeof text, "%.3f %.3f %ld", x, y, n);
        fprintf(out, "doubles %s\n", text);
        greatest = strtod(text, NULL);
    }
    memcpy(&sums[4], &y, sizeof y);
}
void Computes(long x, long n) {
    total += x * 1.5;
    if (RARE(n % 1009 == 0))
        fprintf(out, "sum %.2f\n", total);
}

/* ---- arguments on the stack, of the routine and of what it calls ---- */
void Many(long a, long b, long c, long d, long e, long f, long g, int h, long i) {
    if (RARE((a & 0x7ff8) == 0x7008))
        fprintf(out, "many %ld %ld %ld %ld %ld %ld %d %ld\n", b, c, d, e, f, g, h, i);
    sums[5] += a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i;
}
static __attribute__((noinline)) long sum_of(int count, ...) {
    va_list list;
    long sum = 0;
    va_start(list, count);
    while (count-- > 0)
        sum += va_arg(list, long);
    va_end(list);
    calls++;
    return sum;
}
void Passes(long a, long b) {
    if (RARE(b % 503 == 0))
        sums[6] += sum_of(9, a, b, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    sums[7] += a;
}

/* ---- where nothing can be delayed, or not so simply ---- */
void Loops(long addr, int size) {
    for (int i = 0; i < size; i++)
        if (RARE((addr & 0x3ff8) == 0x3000))
            fprintf(out, "loop %d\n", i);
        else
            sums[8 + i]++;
}
void Recurs(long n, int depth) {
    if (RARE(n % 401 == 0 && depth < 5)) {
        Recurs(n, depth + 1);
        fprintf(out, "recursion %d\n", depth);
        Recurs(n + 1, depth + 2);
    }
    sums[20] += depth;
}
static __attribute__((noinline)) void report(long a, long b) {
    fprintf(out, "tail %lx %ld\n", a, b);
    calls++;
}
void Tail(long addr, long n) {
    if (RARE(n % 601 == 0)) {
        report(addr & 0xfff, n);
        return;
    }
    sums[21] += addr;
}
static void first(long n) {
    fprintf(out, "first %ld\n", n);
}
static void second(long n) {
    fprintf(out, "second %ld\n", n);
}
static void (*const functions[])(long) = {first, second};
void Indirect(long n) {
    if (RARE(n % 701 == 0))
        functions[n & 1](n);
    sums[22] += n;
}
void Switches(long n, long addr) {
    switch (n % 11) {
    case 0: sums[23] += addr; break;
    case 1: sums[24] ^= addr; break;
    case 2: sums[25] |= addr; break;
    case 3: sums[26] = addr * 7; break;
    case 4: sums[27] -= addr; break;
    case 5: sums[28] = sums[29] + 1; break;
    case 6: if (RARE(n % 407 == 6)) fprintf(out, "switch %ld\n", n); break;
    case 7: sums[29]++; break;
    case 8: sums[30] = addr >> 3; break;
    default: sums[31]++;
    }
}
void Space(long n, long size) {
    char *room = __builtin_alloca(size & 63);
    memset(room, (int)n, size & 63);
    if (RARE(n % 809 == 0))
        fprintf(out, "space %d\n", size & 63 ? room[0] : -1);
    sums[32] += (size & 63) > 0 ? room[(size & 63) - 1] : 0;
}
void Divides(long n, long d) {
    long q = d ? n / d : 0;
    if (RARE(n % 907 == 0))
        fprintf(out, "divides %ld %ld\n", q, n % (d | 1));
    sums[33] += q + n % (d | 3);
}
void Never(long n) {
    if (RARE(n < 0))
        abort();
    sums[34] += n * 3;
}
void Always(long n) {
    sums[35] += sum_of(2, n, 5L);
}
/* Many values at once. */
void Pressure(long a, long b, long c) {
    long v[8];
    for (int i = 0; i < 8; i++)
        v[i] = (a >> i) ^ (b << i);
    if (RARE(c % 1013 == 0))
        fprintf(out, "pressure %ld\n", c);
    long x = v[0] + v[1] * v[2] - (v[3] ^ v[4]), y = v[5] * v[6] + v[7];
    sums[36] += x > y ? x ^ v[2] : y - v[4];
    sums[37] += (a < b) + (b < c ? v[1] : v[6]);
}

/* ---- what is called on every way has rare ways of its own ---- */
static __attribute__((noinline)) long checked(long addr, long n) {
    if (RARE(n % 307 == 0))
        return fprintf(out, "checked %ld\n", n) + (addr & 7);
    return addr ^ n;
}
static __attribute__((noinline)) double scaled(long n) {
    if (RARE(n % 1103 == 0))
        fprintf(out, "scaled %ld\n", n);
    return n * 0.25;
}
static __attribute__((noinline)) long many(long a, long b, long c, long d, long e, long f, long g, long h) {
    if (RARE(a % 311 == 0))
        fprintf(out, "nested %ld %ld %ld %ld %ld %ld %ld %ld\n", a, b, c, d, e, f, g, h);
    return a - b + c - d + e - f + g * h;
}
static __attribute__((noinline)) long odd(long n, long depth);
static __attribute__((noinline)) long even(long n, long depth) {
    if (RARE(n % 211 == 0))
        fprintf(out, "even %ld\n", n);
    return depth == 0 ? n : odd(n + 1, depth - 1) + 1;
}
static __attribute__((noinline)) long odd(long n, long depth) {
    if (RARE(n % 223 == 0))
        fprintf(out, "odd %ld\n", n);
    return depth == 0 ? -n : even(n + 3, depth - 1) - 1;
}
void Nested(long addr, long n) {
    long found = checked(addr, n);
    for (int i = 0; i < 3; i++)
        found += checked(found, n + i);
    sums[38] += found + addr;
    sums[39] += many(n, addr, 3, found, 5, 6, 7, addr & 15);
}
void Mutual(long n) {
    sums[40] += even(n, n & 3) + n;
    total += scaled(n);
}

void Close(void) {
    for (int i = 0; i < 64; i++)
        fprintf(out, "%lx ", (unsigned long)sums[i]);
    fprintf(out, "\n%ld %ld %.3f %.3f %s\n", bad, calls, total, greatest, last ? last : "");
    fclose(out);
}
