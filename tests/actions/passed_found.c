/* passed_found.c: prints what the calls of passed.atd pass. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void show(const char *name, int number, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    fprintf(stderr, "%s %d %016lx\n", name, number, (long)bits);
}

void Doubles(double a, double b, double c, double d, double e, double f, double g, double h, double i) {
    const double all[] = {a, b, c, d, e, f, g, h, i};
    for (int k = 0; k < 9; k++)
        show("doubles", k, all[k]);
}

void Floats(float h, float g, float f, float e, float d, float c, float b, float a) {
    const float all[] = {a, b, c, d, e, f, g, h};
    for (int k = 0; k < 8; k++)
        show("floats", k, (double)all[k]);
}

void Mixed(long a, double b, int c, float d, long e, double f, long g, double h, int i, float j, double k) {
    fprintf(stderr, "mixed %ld %d %ld %ld %d\n", a, c, e, g, i);
    show("mixed", 1, b), show("mixed", 3, (double)d), show("mixed", 5, f);
    show("mixed", 7, h), show("mixed", 9, (double)j), show("mixed", 10, k);
}

void Various(int count, double h, double g, double f, double e, double d, double c, double b, double a) {
    const double all[] = {a, b, c, d, e, f, g, h};
    for (int k = 0; k < count; k++)
        show("various", k + 1, all[k]);
}

static double values[40];

void Clobber(int thread) {
    double sum = thread > 0;
#pragma GCC unroll 40
    for (int k = 0; k < 40; k++)
        values[k] = values[k] * 1.5 + values[39 - k] / 3 + sum, sum -= values[k];
}
