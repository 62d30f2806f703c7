/* shown_names.c: what people read in place of the C++ symbols among the strings. Reports keep symbols, by
   which other commands know procedures; the runtime shows names on terminals. Requires all strings to be in
   the tables. */
#include <stdlib.h>
#include <string.h>

#include "engine/output/internal.h"
#include "engine/places/places.h"
#include "runtime/interface.h"

struct named {
    const char *symbol; /* in the table */
    uint32_t address;
    char *whole, *brief;
};

static int in_order(const void *left, const void *right) {
    return strcmp(((const struct named *)left)->symbol, ((const struct named *)right)->symbol);
}

/* Their text moves when strings are added: all are collected before. */
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
