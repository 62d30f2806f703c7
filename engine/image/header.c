/* header.c: what the tool's C declares by its header atomc.h, in the analysis image.
   Requires the image with its symbols. */
#include <stdlib.h>
#include <string.h>

#include "engine/image/internal.h"
#include "engine/rewrite.h"
#include "plan/names.h"

/* The variable for what is called so in the tool: among several tools both have the tool's prefix. */
uint64_t *header_variable(struct rewrite *rewrite, const char *kind, const char *name) {
    const char *dot = strrchr(name, '.');
    char *symbol = dot ? format_string("%.*s%s%s", (int)(dot + 1 - name), name, kind, dot + 1)
                       : format_string("%s%s", kind, name);
    uint64_t address = analysis_symbol(rewrite->analysis, symbol);
    free(symbol);
    return address ? analysis_bytes(rewrite->analysis, address, sizeof(uint64_t)) : NULL;
}

bool header_declares_cells(struct rewrite *rewrite, uint32_t counter) {
    const char *name = rewrite->plan->counters[counter].name;
    return rewrite->analysis && name && header_variable(rewrite, SYMBOL_OF_CELLS, name);
}
