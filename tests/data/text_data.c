/* Data in the text (text_data.s), and code that nothing names but its address. */
#include <stdio.h>
#include <stdlib.h>

double twice(double number);
int entry(long last);
long beside(void);
long numbers(long index);
long (*label(void))(void);
void finish(int status);

static int order(const void *left, const void *right) {
    return entry(*(const int *)left) - entry(*(const int *)right);
}

int main(void) {
    int indices[] = {7, 3, 5, 0, 2, 6, 1, 4};
    printf("%g %d %lx %ld\n", twice(1.5), entry(7), beside(), label()());
    qsort(indices, sizeof indices / sizeof *indices, sizeof *indices, order);
    for (unsigned i = 0; i < sizeof indices / sizeof *indices; i++)
        printf("%d: %d\n", indices[i], entry(indices[i]));
    printf("%ld %ld %ld\n", numbers(0), numbers(1), numbers(2));
    fflush(stdout);
    finish(3);
}
