/* replace.c: procedures that replace.inst.c replaces; what it prints then is in replaced.expected. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

#define APART __attribute__((noinline, noipa))
APART long plain(long a, long b) { return a - b; }
APART double half(double x, long n) { return n ? x / 2 : x; }
APART long kept(long a, long b, long c, long d, long e, long f, long g, long h) { errno = (int)g; return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h; }
APART double mixed(double x, long n, double y) { return x * n + y; }
APART long recursive(long n) { return n <= 1 ? 1 : n * recursive(n - 1); }
APART long total(int n, ...) {
    va_list list; long sum = 0;
    va_start(list, n);
    while (n--) sum += va_arg(list, long);
    va_end(list);
    return sum;
}
static APART long chosen(long a, long b, long c, long d, long e, long f, long g, long h) { return a + h; }
static void *work(void *n) {
    long sum = 0, i;
    for (i = 0; i < 2000; i++) sum += kept(i, 1, 1, 1, 1, 1, 1, (long)n);
    return (void *)sum;
}
int main(int argc, char **argv) {
    printf("plain %ld\n", plain(50, 8));
    printf("half %g %g\n", half(5, 1), half(5, 0));
    errno = 0;
    printf("kept %ld %d\n", kept(1, 1, 1, 1, 1, 1, 3, 2), errno);
    printf("mixed %g\n", mixed(1.5, 4, 0.25));
    printf("recursive %ld\n", recursive(5));
    printf("total %ld %ld\n", total(3, 1L, 2L, 3L), total(9, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L));
    printf("chosen %ld\n", chosen(1, 2, 3, 4, 5, 6, 7, 8));
    char *text = malloc(10);
    strcpy(text, "allocated");
    printf("%s\n", text);
    free(text);
    if (argc > 1) {
        pthread_t threads[3]; long i; void *sum; long all = 0;
        for (i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, (void *)i);
        for (i = 0; i < 3; i++) { pthread_join(threads[i], &sum); all += (long)sum; }
        printf("threads %ld\n", all);
    }
    return 0;
}
