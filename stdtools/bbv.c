/* bbv.c: analysis routines of bbv.atd. */
#include <stdlib.h>

#include "atomc.h"
#include "nonzero.h"

static FILE *file;
static long left,
    *before; /* instructions up to the end of the interval; what blocks had executed at its beginning */
static int *known, known_count; /* blocks that have been executed, in order */

void Open(void) {
    left = interval;
    before = calloc(count_blocks + 1, sizeof *before);
    known = calloc(count_blocks + 1, sizeof *known);
    file = fopen("bbv.out", "w");
    if (!before || !known || !file) {
        perror("bbv.out");
        exit(1);
    }
}

static void find_known(void) {
    known_count = 0;
    for (int i = 0; (i = next_nonzero(executed, i, count_blocks)) < count_blocks; i++)
        known[known_count++] = i;
}

/* In decimal, with a character in front, to before `end`. */
static char *write_number(char *end, unsigned long number, char front) {
    do
        *--end = '0' + number % 10;
    while (number /= 10);
    *--end = front;
    return end;
}

static void end_interval(void) {
    char text[50], *end = text + sizeof text;
    long sum = 0;
    for (int i = 0; i < known_count; i++)
        sum += executed[known[i]] - before[known[i]];
    if (sum != interval - left) /* others have been executed for the first time */
        find_known();
    left = interval;
    putc('T', file);
    for (int i = 0; i < known_count; i++) {
        int block = known[i];
        long now = executed[block];
        if (now == before[block])
            continue;
        end[-1] = ' ';
        char *begin = write_number(write_number(end - 1, now - before[block], ':'), block + 1, ':');
        fwrite(begin, 1, end - begin, file);
        before[block] = now;
    }
    putc('\n', file);
}

/* Instructions have been executed, and counted. */
void Pass(int instructions) {
    left -= instructions;
    if (left <= 0)
        end_interval();
}

void Close(void) {
    if (left < interval)
        end_interval();
    fclose(file);
}
