/* coverage_summary.c: how much was executed, for people. */
#include <stdlib.h>

#include "atomc.h"
#include "table.h"
#include "texts.h"

/* A source line, in one block. */
struct piece {
    const char *file;
    long line;
    int was_executed;
};

static int by_line(const void *left, const void *right) {
    const struct piece *a = left, *b = right;
    int files = compare_texts(a->file, b->file);
    return files ? files : (a->line > b->line) - (a->line < b->line);
}

/* Rounded down: 100.0 % is all of them. */
static void say_share(const char *what, long some, long all) {
    long tenths = all > 0 ? some * 1000 / all : 0;
    if (all > 0)
        atomc_announce("coverage: %s %ld.%ld %% (%ld of %ld)", what, tenths / 10, tenths % 10, some, all);
}

void Summary(const char **files, const long *lines, const int *cells, const long *executed, const long *calls,
             const int *choices, const long *taken) {
    long all = 0, some = 0, called = 0, gone = 0;
    struct piece *pieces = atomc_announces() ? malloc((count_lines + 1) * sizeof *pieces) : NULL;
    if (!pieces)
        return;
    for (long i = 0; i < count_lines; i++)
        pieces[i] = (struct piece){files[i], lines[i], executed[cells[i]] > 0};
    qsort(pieces, count_lines, sizeof *pieces, by_line);
    for (long i = 0, next; i < count_lines; i = next) {
        int was_executed = 0;
        for (next = i; next < count_lines && by_line(&pieces[i], &pieces[next]) == 0; next++)
            was_executed |= pieces[next].was_executed;
        all++;
        some += was_executed;
    }
    free(pieces);
    for (long i = 0; i < count_functions; i++)
        called += calls[i] > 0;
    for (long i = 0; i < count_choices; i++)
        gone += (taken[i] > 0) + (executed[choices[i]] > taken[i]);
    say_share("lines", some, all);
    say_share("procedures", called, count_functions);
    say_share("branches", gone, 2 * count_choices);
}
