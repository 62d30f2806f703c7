/* around.c: each calls the procedure that it stands for, and gives something else. */
#include <stdio.h>
#include <string.h>

static long sums, powers, deepest, depth, reserved, signals;

long around_sum(long (*original)(long, long, long, long, long, long, long, long), long a, long b, long c, long d, long e, long f,
                long g, long h) {
    sums++;
    return 10 * original(a, b, c, d, e, f, g, h);
}

double around_scale(double x, double (*original)(double, long, float, double), long n, float y, double z) {
    return original(x, n, y, z) + 1000;
}

float around_half(float (*original)(float), int times, float x) {
    return (float)times * original(x);
}

long around_power(const char *name, long (*original)(long, long), long base, long exponent, long pc) {
    powers += strcmp(name, "power") == 0 && pc > 0;
    if (++depth > deepest)
        deepest = depth;
    long result = original(base, exponent);
    depth--;
    return result;
}

void *around_reserve(void *(*original)(unsigned long), unsigned long size) {
    return ++reserved % 3 == 0 ? NULL : original(size);
}

void around_handle(void (*original)(int), int number) {
    signals++;
    original(number);
    original(number);
}

void Print(void) {
    fprintf(stderr, "%ld sums, %ld powers of depth %ld, %ld reserved, %ld signals\n", sums, powers, deepest, reserved, signals);
}
