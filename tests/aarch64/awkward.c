/* awkward.c: prints what the functions of awkward.S return; functions that C itself compiles awkwardly; and
   the addresses that a program sees of itself, which atomc's additions must not change. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

long literals(void), distant(long), flags(long, long), full(long), computed(long), exclusive(int *),
    tables(long, long), carried(long *, const long *, long);

/* Labels whose addresses are in a table of the program's own. */
static long labels(const char *program) {
    static const void *const steps[] = {&&add, &&twice, &&square, &&end};
    long value = 3;
    goto *steps[*program++ - '0'];
add:
    value += 7;
    goto *steps[*program++ - '0'];
twice:
    value *= 2;
    goto *steps[*program++ - '0'];
square:
    value *= value;
    goto *steps[*program++ - '0'];
end:
    return value;
}

static int up(const void *left, const void *right) {
    const int *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

int main(int count, char **words) {
    int cell = count;
    printf("%lx %lx %lx %lx\n", literals(), distant(5), flags(9, 4), full(6));
    for (long i = 0; i < 8; i++)
        printf("%lx%c", computed(i), i < 7 ? ' ' : '\n');
    printf("%ld %d\n", exclusive(&cell), cell);
    for (long kind = 0; kind < 5; kind++)
        for (long i = 0; i < 6; i++)
            printf("%ld%c", tables(i, kind), i < 5 ? ' ' : '\n');
    printf("%ld\n", labels("0120213"));
    long sum[4] = {-1, -1, 5, -4}, added[4] = {1, 0, -5, 3};
    for (long words = 1; words <= 4; words++) {
        const long carry = carried(sum, added, words);
        printf("%lx %lx %lx %lx %ld\n", sum[0], sum[1], sum[2], sum[3], carry);
    }
    int *numbers = malloc(300 * sizeof *numbers);
    for (int i = 0; i < 300; i++)
        numbers[i] = i * 7919 % 307;
    qsort(numbers, 300, sizeof *numbers, up);
    printf("%d %d %g\n", numbers[17], numbers[250], strtod("1.25e3", NULL) / 3);
    printf("%p %p %p %p\n", sbrk(0), (void *)numbers, (void *)getauxval(AT_PHDR),
           (void *)getauxval(AT_ENTRY));
    return strlen(words[0]) > 0 ? 5 : 1;
}
