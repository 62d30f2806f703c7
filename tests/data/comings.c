/* comings.c: the routines of comings.atd. Nothing of an object may be executed but between its coming and its going. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    const char *name;
    long times, where;
} *there[256];

void Say(const char *what) {
    fprintf(stderr, "%s\n", what);
}

/* The object's file header is there, at least: a crash where it is not. */
static int is_mapped(long base) {
    return base == 0 || memcmp((const void *)base, "\177ELF", 4) == 0;
}

void Come(const char *name, long base, int object) {
    if (there[object] || !is_mapped(base))
        fprintf(stderr, "%s comes twice, or not to where it should be\n", name);
    there[object] = calloc(1, sizeof *there[object]);
    there[object]->name = name;
    there[object]->where = base;
    there[object]->times = 0;
    fprintf(stderr, "+ %s %lx\n", name, base);
}

void Enter(int object) {
    if (!there[object])
        fprintf(stderr, "object %d is executed, and is not there\n", object);
    else
        there[object]->times++;
}

void Go(const char *name, long base, int object) {
    if (!there[object] || there[object]->where != base || there[object]->name != name || !is_mapped(base))
        fprintf(stderr, "%s goes, and is not there, or elsewhere\n", name);
    else
        fprintf(stderr, "- %s %lx %.1f calls\n", name, base, (double)there[object]->times);
    free(there[object]);
    there[object] = NULL;
}
