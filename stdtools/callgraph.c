/* callgraph.c: the calls through registers of each caller and callee, from the counts of targets, when the
   program has ended. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomc.h"
#include "calls.h"
#include "targets.h"

static struct atomc_keyed *called; /* hashed by the names of caller and callee */

static void add_calls(int caller, const char *callee, long count) {
    atomc_update_counter(called, count, procedures[caller].name, callee);
}

void Procedures(int count, const long *pcs, const long *sizes, const char *const *names) {
    procedure_count = count;
    procedures = reserved(count, sizeof *procedures);
    for (int i = 0; i < count; i++)
        procedures[i] = (struct procedure){.pc = pcs[i], .size = sizes[i], .name = names[i]};
}

static const int *site_callers;

static struct mapping {
    unsigned long first, end, start; /* start: where its object begins */
    char *object;
    struct mapping *next;
} * mappings;

static void read_mappings(void) {
    char line[4096 + 128];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        struct mapping found = {.next = mappings};
        int path;
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &found.first, &found.end, &path) != 2)
            continue;
        int goes_on = mappings && strcmp(mappings->object, line + path) == 0;
        found.start = goes_on ? mappings->start : found.first;
        found.object = goes_on ? mappings->object : strdup(line + path);
        mappings = allocated(1, sizeof *mappings);
        *mappings = found;
    }
    if (maps)
        fclose(maps);
}

/* Code outside of all procedures: its object and the distance from the object's beginning, which is equal in
   all runs. If the object is no longer loaded, the result is the address. */
static const char *outside_name(unsigned long pc) {
    static char name[4096 + 32];
    const char *slash = NULL;
    const struct mapping *at;
    if (!mappings)
        read_mappings();
    for (at = mappings; at && !(pc >= at->first && pc < at->end); at = at->next)
        ;
    if (at)
        slash = strrchr(at->object, '/');
    if (slash)
        snprintf(name, sizeof name, "%s+0x%lx", slash + 1, pc - at->start);
    else
        snprintf(name, sizeof name, "0x%lx", pc);
    return name;
}

static void add_target(long site, long pc, long count) {
    int callee = procedure_of(pc);
    add_calls(site_callers[site], callee < 0 ? outside_name(pc) : procedures[callee].name, count);
}

void IndirectCalls(int count, const int *callers, struct atomc_keyed *calls) {
    called = calls;
    site_callers = callers;
    each_target(count, add_target);
}
