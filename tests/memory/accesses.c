/* accesses.c: loads and stores of all sizes, many of them of what is not aligned, and a counter after load-locked and
   store-conditional: accesses N. */
#include <stdio.h>
#include <stdlib.h>

struct pack {
    char a;
    short b;
    int c;
    long d;
    float e;
    double f;
} __attribute__((packed));
static long counted;

__attribute__((noipa)) void count(long *counter) {
    long new;
    __asm__ volatile("1: ldq_l %0, 0(%1)\n\taddq %0, 1, %0\n\tstq_c %0, 0(%1)\n\tbeq %0, 1b" : "=&r"(new) : "r"(counter) : "memory");
}

int main(int argc, char **words) {
    struct pack *p = calloc(50, sizeof *p);
    long sum = 0, times = argc > 1 ? atol(words[1]) : 40;
    for (long k = 0; k < times; k++)
        for (int i = 0; i < 50; i++) {
            p[i].a += i;
            p[i].b = i * k;
            p[i].c -= i;
            p[i].d = sum;
            p[i].e = i * .5f;
            p[i].f = p[i].e * k;
            sum += p[i * 7 % 50].c + p[i].d + (long)p[i].f;
            count(&counted);
        }
    printf("%ld %ld\n", sum, counted);
    return 0;
}
