/* names.c: C++ names as in the source, for the formats of other programs, and for pictures. Tables keep
   symbols, by which runs are compared. */
#include <string.h>

#include "runs/results/export.h"
#include "support/demangle.h"

const char *shown_symbol(const struct request *request, const char *text) {
    return request->names ? demangled_text(request->names, text, false) : text;
}

const char *shown_label(const struct request *request, const char *label, uint32_t room) {
    const char *rest = label + strcspn(label, " ");
    const char *symbol = *rest ? arena_string(request->arena, label, (size_t)(rest - label)) : label;
    const char *whole = shown_symbol(request, symbol);
    if (whole == symbol)
        return label;
    bool brief = strlen(whole) + strlen(rest) > room;
    return arena_format(request->arena, "%s%s", demangled_text(request->names, symbol, brief), rest);
}

void show_tree_names(const struct request *request, struct tree *tree) {
    for (uint32_t i = 1; i < tree->count; i++)
        tree->nodes[i].name = shown_symbol(request, tree->nodes[i].name);
}
