/* comings.c: the routines of comings.atd. Nothing of an object may be executed but between its coming and its going. */
#include <stdio.h>
#include <stdlib.h>

static struct {
    const char *name;
    long times, where;
} *there[256];

void Say(const char *what) {
    fprintf(stderr, "%s\n", what);
}

void Come(const char *name, long base, int object) {
    if (there[object])
        fprintf(stderr, "%s comes twice\n", name);
    there[object] = calloc(1, sizeof *there[object]);
    there[object]->name = name;
    there[object]->where = base;
    fprintf(stderr, "+ %s %lx\n", name, base);
}

void Enter(int object) {
    if (!there[object])
        fprintf(stderr, "object %d is executed, and is not there\n", object);
    else
        there[object]->times++;
}

void Go(const char *name, long base, int object) {
    if (!there[object] || there[object]->where != base || there[object]->name != name)
        fprintf(stderr, "%s goes, and is not there, or elsewhere\n", name);
    else
        fprintf(stderr, "- %s %lx %.1f calls\n", name, base, (double)there[object]->times);
    free(there[object]);
    there[object] = NULL;
}
