/* shown_names.c: readable names for the C++ symbols among the strings. Reports keep symbols, by which other
   commands identify procedures; the runtime shows names on terminals. Requires all strings to be in the
   tables. */
#include <stdlib.h>
#include <string.h>

#include "engine/output/internal.h"
#include "engine/places/places.h"
#include "runtime/interface.h"
#include "support/demangle.h"

struct named {
    const char *symbol; /* address in the table */
    uint32_t address;
    char *whole, *brief;
};

static int in_order(const void *left, const void *right) {
    return strcmp(((const struct named *)left)->symbol, ((const struct named *)right)->symbol);
}

/* Their text moves when strings are added, so all are collected first. */
static struct named *collect_names(struct rewrite *rewrite, size_t *count) {
    struct arena *scratch = rewrite->program->scratch;
    struct named *names = NULL;
    size_t capacity = 0;
    const char *text;
    for (uint32_t at = 0, address; at < rewrite->code->tables.string_table_size; at++) {
        if (!(address = table_string_at(rewrite, at, &text)))
            continue;
        char *whole = demangled_name(text);
        if (!whole)
            continue;
        ARENA_RESERVE(scratch, names, *count, capacity);
        names[(*count)++] =
            (struct named){arena_string(scratch, text, strlen(text)), address,
                           arena_string(scratch, whole, strlen(whole)), short_name(scratch, whole)};
        free(whole);
    }
    if (*count > 0)
        qsort(names, *count, sizeof *names, in_order);
    return names;
}

void shown_names_write(struct rewrite *rewrite, struct atomc_image *image) {
    struct arena *scratch = rewrite->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    size_t count = 0;
    if (rewrite->program->keep_symbols)
        return;
    struct named *names = collect_names(rewrite, &count);
    struct atomc_shown_name *written = arena_allocate(scratch, (count + 1) * sizeof *written);
    for (size_t i = 0; i < count; i++) {
        const char *brief = *names[i].brief ? names[i].brief : names[i].whole;
        written[i].symbol = names[i].address;
        written[i].whole = table_bytes(rewrite, names[i].whole, strlen(names[i].whole) + 1);
        written[i].brief = table_bytes(rewrite, brief, strlen(brief) + 1);
    }
    image->names = count ? table_bytes(rewrite, written, count * sizeof *written) : 0;
    image->name_count = count;
    arena_release(scratch, mark);
}

/* ---- what has no source -------------------------------------------------------------------------------- */

struct named_source {
    const char *name;
    bool has_file;
};

static int in_order_of_names(const void *left, const void *right) {
    return strcmp(((const struct named_source *)left)->name, ((const struct named_source *)right)->name);
}

/* The procedures by name, each name one time: it has a file if any procedure of that name has one. */
static struct named_source *collect_sources(struct program *program, size_t *count, bool *any_file) {
    uint32_t all = place_count(program, PLAN_PROCEDURE);
    struct named_source *sources = arena_allocate(program->scratch, (all + 1) * sizeof *sources);
    *any_file = false;
    for (uint32_t i = 0; i < all; i++) {
        const char *file = attribute_value(program, PLAN_ATTRIBUTE_PROC_FILE, i, 0).string;
        sources[i] = (struct named_source){attribute_value(program, PLAN_ATTRIBUTE_PROC_NAME, i, 0).string,
                                           *file != 0};
        *any_file |= sources[i].has_file;
    }
    if (all > 0)
        qsort(sources, all, sizeof *sources, in_order_of_names);
    *count = 0;
    for (uint32_t i = 0; i < all; i++)
        if (*count > 0 && strcmp(sources[*count - 1].name, sources[i].name) == 0)
            sources[*count - 1].has_file |= sources[i].has_file;
        else
            sources[(*count)++] = sources[i];
    return sources;
}

static int addresses_ascending(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static bool shows_procedures(const struct rewrite *rewrite) {
    return rewrite->plan->report_count > 0;
}

void sourceless_names_write(struct rewrite *rewrite, struct atomc_image *image) {
    struct arena *scratch = rewrite->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    bool any_file = false;
    size_t count = 0, found = 0, capacity = 0;
    uint32_t *addresses = NULL;
    const struct named_source *sources =
        shows_procedures(rewrite) ? collect_sources(rewrite->program, &count, &any_file) : NULL;
    const char *text;
    for (uint32_t at = 0, address; any_file && at < rewrite->code->tables.string_table_size; at++) {
        if (!(address = table_string_at(rewrite, at, &text)))
            continue;
        const struct named_source wanted = {text, false};
        const struct named_source *source =
            bsearch(&wanted, sources, count, sizeof *sources, in_order_of_names);
        if (!source || source->has_file)
            continue;
        ARENA_RESERVE(scratch, addresses, found, capacity);
        addresses[found++] = address;
    }
    if (found > 0)
        qsort(addresses, found, sizeof *addresses, addresses_ascending);
    image->sourceless = found ? table_bytes(rewrite, addresses, found * sizeof *addresses) : 0;
    image->sourceless_count = found;
    arena_release(scratch, mark);
}
