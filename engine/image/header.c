/* header.c: the tool's data that its C declares by including atomc.h, in the analysis image. Requires the
   image with its symbols. */
#include <string.h>

#include "engine/image/internal.h"
#include "engine/rewrite.h"
#include "plan/names.h"

/* The address of the variable for this name of the tool, 0 if there is none; if there are several tools,
   both have the tool's prefix. */
static uint64_t address_of_variable(struct rewrite *rewrite, const char *kind, const char *name) {
    const char *dot = strrchr(name, '.');
    int prefix = dot ? (int)(dot + 1 - name) : 0;
    struct arena_mark mark = arena_mark(rewrite->program->scratch);
    char *symbol = arena_format(rewrite->program->scratch, "%.*s%s%s", prefix, name, kind, name + prefix);
    uint64_t address = analysis_symbol(rewrite->analysis, symbol);
    arena_release(rewrite->program->scratch, mark);
    return address;
}

uint64_t *header_variable(struct rewrite *rewrite, const char *kind, const char *name) {
    uint64_t address = address_of_variable(rewrite, kind, name);
    return address ? analysis_bytes(rewrite->analysis, address, sizeof(uint64_t)) : NULL;
}

bool header_declares_cells(struct rewrite *rewrite, uint32_t counter) {
    const char *name = rewrite->plan->counters[counter].name;
    return rewrite->analysis && name && header_variable(rewrite, SYMBOL_OF_CELLS, name);
}

bool header_cells_are_read(struct rewrite *rewrite, uint32_t counter, const struct references *references) {
    uint64_t variable = address_of_variable(rewrite, SYMBOL_OF_CELLS, rewrite->plan->counters[counter].name);
    for (size_t i = 0; i < references->count; i++)
        if (references->list[i].target >= variable && references->list[i].target < variable + sizeof variable)
            return true;
    return references->unknown || references->data_base == 0;
}
