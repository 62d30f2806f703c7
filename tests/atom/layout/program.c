/* program.c: what atom_layout instruments: a heap that grows, procedures that run first and last, a library's number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long zeros[1000];
#ifdef NEEDS
extern int number(void);
#else
static int number(void) { return 0; }
#endif
#ifdef FIRST
static void before_all(void) { zeros[0] = 7; }
__attribute__((section(".preinit_array"), used)) static void (*first)(void) = before_all;
#endif
static void __attribute__((constructor)) begins(void) { zeros[1] = 1; }
static void __attribute__((destructor)) ends(void) { puts("ends"); }

int main(void) {
    long sum = 0;
    for (int i = 0; i < 1000; i++) {
        char *much = malloc(1000 + i);
        memset(much, i, 1000 + i);
        sum += much[i] + zeros[i];
    }
    printf("number %d, sum %ld\n", number(), sum);
    return 0;
}
