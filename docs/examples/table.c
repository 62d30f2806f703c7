/* table.c: the first call of each procedure. */
#include <stdio.h>

static const char *const *names;
static const short *lines;
static char called[100];

void Names(const char *const *all_names, const short *all_lines, int count) {
    names = all_names;
    lines = all_lines;
    fprintf(stderr, "%d procedures\n", count);
}

void Enter(int procedure, long argument) {
    if (!called[procedure])
        fprintf(stderr, "%s, line %d: first called with %ld\n", names[procedure], lines[procedure], argument);
    called[procedure] = 1;
}
