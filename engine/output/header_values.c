/* header_values.c: fills in what the tool's C declares by its header atomc.h: counts of sets, addresses of
   cells. Requires the sets of the program; what the C does not declare is not in the image, and left out. */
#include <string.h>

#include "engine/rewrite.h"
#include "engine/select/select.h"
#include "plan/names.h"

/* The variable for what is called so in the tool: among several tools both have the tool's prefix. */
static uint64_t *find_variable(struct rewrite *rewrite, const char *kind, const char *name) {
    const char *dot = strrchr(name, '.');
    const char *symbol =
        dot ? arena_format(rewrite->arena, "%.*s%s%s", (int)(dot + 1 - name), name, kind, dot + 1)
            : arena_format(rewrite->arena, "%s%s", kind, name);
    uint64_t address = analysis_symbol(rewrite->analysis, symbol);
    return address ? analysis_bytes(rewrite->analysis, address, sizeof(uint64_t)) : NULL;
}

static void set_variable(struct rewrite *rewrite, const char *kind, const char *name, uint64_t value) {
    uint64_t *variable = find_variable(rewrite, kind, name);
    if (variable)
        *variable = value; /* little-endian, as is the host */
}

bool header_declares_cells(struct rewrite *rewrite, uint32_t counter) {
    const char *name = rewrite->plan->counters[counter].name;
    return rewrite->analysis && name && find_variable(rewrite, SYMBOL_OF_CELLS, name);
}

void header_values_write(struct rewrite *rewrite, struct selection *selection, const uint64_t *cell_bases) {
    const struct plan *plan = rewrite->plan;
    if (!rewrite->analysis)
        return; /* unit tests of reports have none */
    for (uint32_t i = 0; i < plan->set_count; i++)
        if (find_variable(rewrite, SYMBOL_OF_COUNT, plan->sets[i].name))
            set_variable(rewrite, SYMBOL_OF_COUNT, plan->sets[i].name,
                         selection_set(selection, i)->member_count);
    for (uint32_t i = 0; i < plan->counter_count; i++)
        if (plan->counters[i].name)
            set_variable(rewrite, SYMBOL_OF_CELLS, plan->counters[i].name, LAYOUT_CELLS + 8 * cell_bases[i]);
}
