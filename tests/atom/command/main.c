/* main.c: analysis code in two files. */
#include <stdio.h>
#include <stdlib.h>
#include <cmplrs/atom.anal.h>
static long calls;
extern long twice();
Main(REGV n) { calls += twice(n); }
Words(char *words, long objects) {
    char *heap = malloc(1);
    printf("words %s, main %ld, objects %ld, heap %s\n", words, calls, objects,
           (unsigned long)heap - AnalHeapBase() < 1 << 20 ? "there" : "elsewhere");
    printf("base %lx\n", AnalHeapBase());
}
