/* header_values.c: fills in the data that the tool's C declares by its header atomc.h: sizes of sets,
   addresses of cells. Requires the sets of the program; data that the C does not declare is not in the
   image, and is omitted. */
#include <string.h>

#include "engine/output/internal.h"
#include "engine/select/select.h"
#include "plan/names.h"

static void set_variable(struct rewrite *rewrite, const char *kind, const char *name, uint64_t value) {
    uint64_t *variable = header_variable(rewrite, kind, name);
    if (variable)
        *variable = value; /* little-endian, like the host */
}

void header_values_write(struct rewrite *rewrite, struct selection *selection, const uint64_t *cell_bases) {
    const struct plan *plan = rewrite->plan;
    if (!rewrite->analysis)
        return; /* unit tests of reports have no analysis image */
    for (uint32_t i = 0; i < plan->set_count; i++)
        if (header_variable(rewrite, SYMBOL_OF_COUNT, plan->sets[i].name))
            set_variable(rewrite, SYMBOL_OF_COUNT, plan->sets[i].name,
                         selection_set(selection, i)->member_count);
    for (uint32_t i = 0; i < plan->counter_count; i++)
        if (plan->counters[i].name)
            set_variable(rewrite, SYMBOL_OF_CELLS, plan->counters[i].name,
                         cell_address(rewrite->machine, cell_bases[i]));
}
