/* replace.anal.c: what stands in; C of 1994 for integers, prototypes where doubles are. */
#include <errno.h>
#include <stdio.h>
#include <cmplrs/atom.anal.h>

static long calls, entered, noted, allocated;
Note(long value) { noted += value; }
long Plain(a, b) long a, b; { calls++; return a * b; }
double Half(double x, long n) { return x + n; }
long Kept(long (*original)(), long a, long b, long c, long d, long e, long f, long g, long h, char *name, int k) {
    long result;
    errno = 1234; /* its own, not the program's */
    result = original(a, b, c, d, e, f, g, h);
    if (errno != 1234 || name[0] != 'k' || k != -4) return -1;
    calls++;
    return result * 10;
}
double Mixed(double x, long n, double y) {
    double (*original)(double, long, double) = (double (*)(double, long, double))RetainedEntryAddr("mixed");
    return original(x, n, y) + 1000;
}
long Recursive(long n) {
    long (*original)(long) = (long (*)(long))RetainedEntryAddr("recursive");
    entered++;
    return original(n);
}
long Total(long n, long *arguments) {
    long sum = 0, i;
    for (i = 1; i <= n; i++) sum += arguments[i];
    return -sum;
}
long Chosen(long b, int *two, long pc, long sp, long zero, int letter) { return b + two[0] + two[1] + (pc & 3) + (sp & 15) + zero + letter; }
void *Malloc(unsigned long size) {
    void *(*original)(unsigned long) = (void *(*)(unsigned long))RetainedEntryAddr("malloc");
    allocated++;
    if (RetainedEntryAddr("free")) return 0;
    return original(size);
}
Print() { printf("%ld calls, %ld entered, %ld noted, %d\n", calls, entered, noted, allocated > 0); }
