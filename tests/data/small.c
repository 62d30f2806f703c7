/* small.c: a little of everything: sorting, printing, floating point, calls through a pointer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) {
    return strcmp(a, b);
}
int main(void) {
    static char words[200][8];
    double sum = 0;
    for (int i = 0; i < 200; i++) {
        snprintf(words[i], 8, "%d", i * 7919 % 1000);
        sum += i % 3 ? i / 7.0 : -i;
    }
    qsort(words, 200, 8, compare);
    for (int i = 0; i < 200; i += 50)
        printf("%s %.3f\n", words[i], sum / (i + 1));
    return 0;
}
