/* numbers.c: floating-point arguments and results, in registers and on the stack, and loads and stores of all sizes; prints
   the sums that numbers.atd is to find. */
#include <stdio.h>

struct all {
    signed char c;
    unsigned char b;
    short s;
    unsigned short w;
    int i;
    long l;
};
static volatile struct all from, to;
static double sums[10];

__attribute__((noinline)) double mix(long n, double x, float y, long m, double z, long o, long seventh, double eighth,
                                     double ninth) {
    return n * x + y - m * z + o - seventh * eighth + ninth;
}

__attribute__((noinline)) float half(float x) {
    return x / 2;
}

/* Each of the sizes is loaded and stored once. */
__attribute__((noinline)) void move(void) {
    to.b = from.b;
    to.w = from.w;
    to.i = from.i;
    to.l = from.l;
}

int main(void) {
    unsigned long bytes = 0, words = 0, ints = 0, longs = 0;
    double a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7;
    for (int i = 0; i < 1000; i++) {
        double x = i * 0.25 - 40, z = 1.0 / (i + 1), eighth = i * 1e10, result;
        double ninth = i * 0.125;
        float y = i * 0.5f, halved;
        result = mix(i, x, y, -i, z, 3 * i, 7 * i, eighth, ninth);
        halved = half(y);
        a += b * 0.5, b += c * 0.25, c -= d, d += e * x, e -= f * z, f += g, g -= a; /* in registers over the calls */
        sums[0] += x, sums[1] += y, sums[2] += z, sums[3] += eighth, sums[4] += ninth, sums[5] += result, sums[6] += halved;
        sums[7] += i, sums[8] += 7 * i;
        from.b = i * 7, from.w = i * 77, from.i = i * 7777777u, from.l = i * 123456789123456789u;
        bytes += from.b, words += from.w, ints += (long)from.i, longs += from.l;
        move();
    }
    fprintf(stderr, "%.17g\n", a + b + c + d + e + f + g);
    for (int i = 0; i < 9; i++)
        printf("%.17g\n", sums[i]);
    printf("loads %ld %ld %ld %ld\nstores %ld %ld %ld %ld\n", bytes, words, ints, longs, bytes, words, ints, longs);
    return 0;
}
