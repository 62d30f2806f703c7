/* passed.c: procedures that print their own arguments, some of which are on the stack. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void show(const char *name, int number, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    printf("%s %d %016lx\n", name, number, (long)bits);
}

__attribute__((noipa)) double doubles(double a, double b, double c, double d, double e, double f, double g, double h, double i) {
    const double all[] = {a, b, c, d, e, f, g, h, i};
    for (int k = 0; k < 9; k++)
        show("doubles", k, all[k]);
    return g + h + i;
}

__attribute__((noipa)) float floats(float a, float b, float c, float d, float e, float f, float g, float h) {
    const float all[] = {a, b, c, d, e, f, g, h};
    for (int k = 0; k < 8; k++)
        show("floats", k, (double)all[k]);
    return g + h;
}

__attribute__((noipa)) double mixed(long a, double b, int c, float d, long e, double f, long g, double h, int i, float j, double k) {
    printf("mixed %ld %d %ld %ld %d\n", a, c, e, g, i);
    show("mixed", 1, b), show("mixed", 3, (double)d), show("mixed", 5, f);
    show("mixed", 7, h), show("mixed", 9, (double)j), show("mixed", 10, k);
    return h + (double)j + k;
}

__attribute__((noipa)) double various(int count, ...) {
    va_list list;
    double sum = 0;
    va_start(list, count);
    for (int k = 1; k <= count; k++) {
        double x = va_arg(list, double);
        show("various", k, x), sum += x;
    }
    va_end(list);
    return sum;
}

int main(void) {
    double sum = 0;
    for (int i = 0; i < 20; i++) {
        double x = i / 7.0 - 1;
        sum += doubles(x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, -x - 7, x * 1e300);
        sum += (double)floats((float)x, 1, 2, 3, 4, (float)x + 5, (float)x / 6, -(float)x * 7);
        sum += mixed(i, x, -i, (float)x, 1L << 40 | i, x / 2, -(1L << 40) - i, x / 3, -i, (float)x / 11, x * 1e-300);
        sum += various(8, x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x / 9);
    }
    printf("sum %.17g\n", sum);
    return 0;
}
