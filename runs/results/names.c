/* names.c: C++ names as people write them, where they read: in the forms of other programs, and in pictures.
   Tables keep symbols, by which runs are compared. */
#include <stdlib.h>
#include <string.h>

#include "engine/places/places.h"
#include "runs/results/export.h"

/* What was demangled: a hash table by symbols, at most half full. */
struct symbol_names {
    struct symbol_name {
        const char *symbol, *whole, *brief;
    } * slots;
    size_t count, size; /* a power of two */
};

static size_t hash_of(const char *text) {
    size_t value = 14695981039346656037U;
    for (; *text; text++)
        value = (value ^ (unsigned char)*text) * 1099511628211U;
    return value ^ value >> 32;
}

/* The symbol's slot, or the free one for it. */
static struct symbol_name *slot_of(const struct symbol_names *names, const char *symbol) {
    for (size_t at = hash_of(symbol);; at++) {
        struct symbol_name *slot = &names->slots[at & (names->size - 1)];
        if (!slot->symbol || strcmp(slot->symbol, symbol) == 0)
            return slot;
    }
}

static void grow(struct arena *arena, struct symbol_names *names) {
    struct symbol_names old = *names;
    names->size = old.size ? 2 * old.size : 256;
    names->slots = arena_allocate(arena, names->size * sizeof *names->slots);
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i].symbol)
            *slot_of(names, old.slots[i].symbol) = old.slots[i];
}

/* NULL: the text stands for itself. */
static const struct symbol_name *name_for(const struct request *request, const char *text) {
    struct symbol_names *names = request->names;
    struct arena *arena = request->arena;
    if (!names || strncmp(text, "_Z", 2) != 0)
        return NULL;
    if (2 * names->count >= names->size)
        grow(arena, names);
    struct symbol_name *slot = slot_of(names, text);
    if (!slot->symbol) {
        char *whole = demangled_name(text);
        slot->symbol = slot->whole = slot->brief = arena_string(arena, text, strlen(text));
        if (whole) {
            const char *brief = short_name(arena, whole);
            slot->whole = arena_string(arena, whole, strlen(whole));
            slot->brief = *brief ? brief : slot->whole;
        }
        names->count++;
        free(whole);
    }
    return slot;
}

struct symbol_names *names_create(struct arena *arena) {
    return arena_allocate(arena, sizeof(struct symbol_names));
}

const char *shown_symbol(const struct request *request, const char *text) {
    const struct symbol_name *name = name_for(request, text);
    return name ? name->whole : text;
}

const char *shown_label(const struct request *request, const char *label, uint32_t room) {
    const char *rest = label + strcspn(label, " ");
    const char *symbol = *rest ? arena_string(request->arena, label, (size_t)(rest - label)) : label;
    const struct symbol_name *name = name_for(request, symbol);
    if (!name)
        return label;
    return arena_format(request->arena, "%s%s",
                        strlen(name->whole) + strlen(rest) > room ? name->brief : name->whole, rest);
}

void show_tree_names(const struct request *request, struct tree *tree) {
    for (uint32_t i = 1; i < tree->count; i++)
        tree->nodes[i].name = shown_symbol(request, tree->nodes[i].name);
}
