/* helper_results.c: procedures that return a value on some ways and none on others, where it is not used (C11 6.9.1p12): rarely, by
   calls of the library, and often. Each is called by routines that use the value; slow is called by a site as well, which does not. */
#include <stdio.h>

#define APART __attribute__((noipa))
static long last[64], sum, slows;
static double real;
static char buffer[64];

APART int deep(long a, int k) {
    snprintf(buffer, sizeof buffer, "%lx %d", a, k);
    return buffer[3] + (int)a;
}
APART double deep_real(long a, int k) {
    snprintf(buffer, sizeof buffer, "%lx %g", a, k * .5);
    return buffer[3] * .5 + (double)a;
}
APART int odd(long a) {
    if (a & 1)
        return (int)(a * a) * 7 + (int)(a >> 3);
}
APART double odd_real(long a) {
    if (a & 1)
        return (double)a * 0.5;
}
APART __attribute__((optimize("optimize-sibling-calls"))) int tail(long a, int k) {
    if ((k & 63) == 1)
        return deep(a, k);
}
APART __attribute__((optimize("optimize-sibling-calls"))) int whole_tail(long a, int k) {
    return (k & 63) == 1 ? deep(a, k) : k;
}
APART int both(long a, int k) {
    if (k & 1) {
        if ((k & 63) == 1)
            return deep(a, k) * 3;
        return k * 3;
    }
}
APART double both_real(long a, int k) {
    if (k & 1) {
        if ((k & 63) == 1)
            return deep_real(a, k) * 3;
        return k * .3;
    }
}
APART _Complex double both_complex(long a, int k) {
    if ((k & 63) == 1)
        return deep_real(a, k) + 1.0i * k;
}
APART int slow(long a, int k) {
    slows++;
    if (k & 1)
        return both(a, k) + 1;
}

void Mixed(unsigned long a, int k) {
    long line = (long)(a >> 5);
    if (last[line & 63] == line)
        return;
    last[line & 63] = line;
    int once = (k & 63) == 1, r = odd(line), t = tail(line, k), w = whole_tail(line, k), b = both(line, k), s = slow(line, k);
    double f = odd_real(line), d = both_real(line, k);
    _Complex double c = both_complex(line, k);
    sum = sum * 3 + w;
    if (line & 1)
        sum += r, real += f;
    if (once)
        sum += t, real += __real__ c + __imag__ c;
    if (k & 1)
        sum = sum * 5 + b + s, real = real * .5 - d;
}

void Slow(long a, int k) {
    if (last[k & 63] & 1)
        slow(a, k);
}

void Print(void) {
    FILE *file = fopen("results.out", "w");
    fprintf(file, "%ld %.17g %ld\n", sum, real, slows);
    fclose(file);
}
