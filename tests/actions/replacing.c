/* replacing.c: what stands in for the procedures of replaced.c. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static long products, given, taken;

long my_product(long a, long b) {
    products++;
    errno = EINVAL; /* the private one */
    return a * b;
}

double my_scale(double x, int n, float y, unsigned char c, double z, long last) {
    return x * n + y + c + z * last;
}

int my_narrow(signed char c, unsigned short s, int i) {
    return c + s + i;
}

void my_notify(void) {
    printf("told\n");
    fflush(stdout);
}

long my_sum(long n) {
    return -n;
}

void *my_malloc(unsigned long size) {
    given++;
    return malloc(size + 16);
}

void my_free(void *memory) {
    taken++;
    free(memory);
}

void Finish(void) {
    printf("%ld products, %s, freed %ld\n", products, given >= taken ? "memory given" : "more freed than given", taken / 5000);
}
