/* tables.c: data for the runtime and for routines, at layout->tables: bytes, strings, arrays. Equal strings
   share one address. */
#include <string.h>

#include "engine/code/code.h"

/* Its text is the copy in the table: the caller's string may be freed. */
struct table_string {
    uint32_t address; /* 0: free */
};

uint32_t table_array(struct rewrite *rewrite, struct site_array *array) {
    if (array->address)
        return array->address;
    if (array->element == PLAN_C_STRING) {
        struct arena_mark mark = arena_mark(rewrite->program->scratch);
        uint64_t *addresses = arena_allocate(rewrite->program->scratch, array->count * sizeof *addresses);
        for (uint32_t i = 0; i < array->count; i++)
            addresses[i] = table_string(rewrite, array->strings[i]);
        array->address = table_bytes(rewrite, addresses, array->count * sizeof *addresses);
        arena_release(rewrite->program->scratch, mark);
    } else {
        array->address =
            table_bytes(rewrite, array->bytes, array->count * (size_t)(c_type_bits(array->element) / 8));
    }
    return array->address;
}

static uint32_t add_table_bytes(struct code *tables, const void *bytes, size_t size) {
    size_t words = (size + 7) / 8 * 2;
    uint32_t address = code_address(tables);
    for (size_t i = 0; i < words; i++)
        emit(tables, 0);
    if (size > 0)
        memcpy(tables->words + (address - tables->address) / 4, bytes, size);
    return address;
}

uint32_t table_bytes(struct rewrite *rewrite, const void *bytes, size_t size) {
    struct table_space *tables = &rewrite->code->tables;
    return add_table_bytes(tables->writes_far ? &tables->far : &tables->words, bytes, size);
}

static uint32_t hash_string(const char *string) {
    uint32_t hash = 2166136261u;
    for (; *string; string++)
        hash = (hash ^ (uint8_t)*string) * 16777619u;
    return hash;
}

static const char *table_text_at(const struct rewrite *rewrite, uint32_t address) {
    const struct code *tables = &rewrite->code->tables.words;
    return (const char *)(tables->words + (address - tables->address) / 4);
}

static void grow_strings(struct rewrite *rewrite) {
    uint32_t old_size = rewrite->code->tables.string_table_size;
    struct table_string *old = rewrite->code->tables.strings;
    rewrite->code->tables.string_table_size = old_size ? 2 * old_size : 256;
    rewrite->code->tables.strings = arena_allocate(rewrite->arena, rewrite->code->tables.string_table_size *
                                                                       sizeof *rewrite->code->tables.strings);
    for (uint32_t i = 0; i < old_size; i++) {
        if (!old[i].address)
            continue;
        uint32_t at = hash_string(table_text_at(rewrite, old[i].address)) &
                      (rewrite->code->tables.string_table_size - 1);
        while (rewrite->code->tables.strings[at].address)
            at = (at + 1) & (rewrite->code->tables.string_table_size - 1);
        rewrite->code->tables.strings[at] = old[i];
    }
    arena_resize(rewrite->arena, old, old_size * sizeof *old, 0);
}

uint32_t table_string(struct rewrite *rewrite, const char *string) {
    if (2 * rewrite->code->tables.string_count >= rewrite->code->tables.string_table_size)
        grow_strings(rewrite);
    uint32_t at = hash_string(string) & (rewrite->code->tables.string_table_size - 1);
    while (rewrite->code->tables.strings[at].address) {
        if (strcmp(table_text_at(rewrite, rewrite->code->tables.strings[at].address), string) == 0)
            return rewrite->code->tables.strings[at].address;
        at = (at + 1) & (rewrite->code->tables.string_table_size - 1);
    }
    rewrite->code->tables.strings[at].address =
        add_table_bytes(&rewrite->code->tables.words, string, strlen(string) + 1);
    rewrite->code->tables.string_count++;
    return rewrite->code->tables.strings[at].address;
}

uint32_t table_string_at(const struct rewrite *rewrite, uint32_t slot, const char **text) {
    uint32_t address = rewrite->code->tables.strings[slot].address;
    *text = address ? table_text_at(rewrite, address) : NULL;
    return address;
}
