/* names.c: a hash table from names to numbers, and the language's fixed words: places, classes, registers.
   Requires the tables of plan.h. */
#include "compiler/internal.h"

#include <stdlib.h>
#include <string.h>

#include "codegen/isa.h"

struct name_slot {
    const char *name; /* NULL: free */
    uint32_t value;
};

struct name_table {
    struct name_slot *slots;
    size_t count, capacity; /* capacity: a power of two, at most half full */
};

struct name_table *name_table_create(void) {
    struct name_table *table = allocate_zeroed(1, sizeof *table);
    table->capacity = 64;
    table->slots = allocate_zeroed(table->capacity, sizeof *table->slots);
    return table;
}

void name_table_destroy(struct name_table *table) {
    free(table->slots);
    free(table);
}

/* FNV-1a, 64 bits. */
static size_t hash_name(const char *name) {
    uint64_t hash = 0xcbf29ce484222325;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3;
    return (size_t)(hash ^ hash >> 32);
}

static struct name_slot *find_name_slot(const struct name_table *table, const char *name) {
    size_t at = hash_name(name) & (table->capacity - 1);
    while (table->slots[at].name && strcmp(table->slots[at].name, name) != 0)
        at = (at + 1) & (table->capacity - 1);
    return &table->slots[at];
}

static void grow_name_table(struct name_table *table) {
    struct name_slot *old = table->slots;
    size_t old_capacity = table->capacity;
    table->capacity *= 2;
    table->slots = allocate_zeroed(table->capacity, sizeof *table->slots);
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].name)
            *find_name_slot(table, old[i].name) = old[i];
    free(old);
}

bool name_table_add(struct name_table *table, const char *name, uint32_t value) {
    struct name_slot *slot = find_name_slot(table, name);
    if (slot->name)
        return false;
    *slot = (struct name_slot){name, value};
    if (++table->count * 2 > table->capacity)
        grow_name_table(table);
    return true;
}

bool name_table_find(const struct name_table *table, const char *name, uint32_t *value) {
    const struct name_slot *slot = find_name_slot(table, name);
    if (slot->name)
        *value = slot->value;
    return slot->name != NULL;
}

/* ---- the fixed words ------------------------------------------------------------------------ */

bool place_from_word(const char *word, enum plan_place *place) {
    for (int i = 0; i < PLAN_BUCKET; i++)
        if (strcmp(word, plan_place_words[i]) == 0 || strcmp(word, plan_place_plurals[i]) == 0) {
            *place = (enum plan_place)i;
            return true;
        }
    return false;
}

bool edge_kind_from_word(const char *word, int64_t *kind) {
    for (int i = 0; i < PLAN_EDGE_COUNT; i++)
        if (strcmp(word, plan_edge_words[i]) == 0) {
            *kind = i;
            return true;
        }
    return false;
}

bool class_from_word(const char *word, int64_t *class) {
    for (int i = 0; i < CLASS_COUNT; i++)
        if (strcmp(word, plan_class_words[i]) == 0) {
            *class = i;
            return true;
        }
    return false;
}

/* r0 to r31 and f0 to f31 are the registers with these numbers on each machine. */
bool register_from_word(const char *word, int64_t *number) {
    if (strcmp(word, "none") == 0) {
        *number = -1;
        return true;
    }
    if ((word[0] != 'r' && word[0] != 'f') || word[1] < '0' || word[1] > '9')
        return false;
    int value = word[1] - '0';
    size_t at = 2;
    if (word[at] >= '0' && word[at] <= '9' && value > 0)
        value = value * 10 + word[at++] - '0';
    if (word[at] != '\0' || value > 31)
        return false;
    *number = value + (word[0] == 'f' ? 32 : 0);
    return true;
}

bool is_name_of_register(const char *word) {
    int64_t number;
    const struct architecture *architecture;
    for (unsigned i = 0; (architecture = architecture_number(i)) != NULL; i++)
        if (register_named(architecture, word, &number))
            return true;
    return false;
}

static const struct {
    const char *name;
    int number;
} system_calls[] = {
#define SYSTEM_CALL(number, name, gate, private) {#name, number},
#include "plan/system_calls.def"
#undef SYSTEM_CALL
};
enum { SYSTEM_CALLS = sizeof system_calls / sizeof *system_calls };

bool system_call_from_name(const char *name, int64_t *number) {
    for (size_t i = 0; i < SYSTEM_CALLS; i++)
        if (strcmp(system_calls[i].name, name) == 0) {
            *number = system_calls[i].number;
            return true;
        }
    return false;
}

const char *nearest_system_call(const char *name) {
    const char *names[SYSTEM_CALLS];
    for (size_t i = 0; i < SYSTEM_CALLS; i++)
        names[i] = system_calls[i].name;
    return nearest_name(name, names, SYSTEM_CALLS);
}

const char *type_phrase(enum plan_type type) {
    static const char *const phrases[] = {
        [PLAN_TYPE_ERROR] = "an error",
        [PLAN_TYPE_BOOLEAN] = "a boolean",
        [PLAN_TYPE_INTEGER] = "an integer",
        [PLAN_TYPE_STRING] = "a string",
        [PLAN_TYPE_CLASS] = "a class",
        [PLAN_TYPE_REGISTER] = "a register",
        [PLAN_TYPE_EDGE_KIND] = "a kind of edge",
        [PLAN_TYPE_ARRAY] = "an array",
        [PLAN_TYPE_DOUBLE] = "a floating-point number",
        [PLAN_TYPE_PROGRAM] = "the program",
        [PLAN_TYPE_OBJECT] = "an object",
        [PLAN_TYPE_PROCEDURE] = "a proc",
        [PLAN_TYPE_ENTRY] = "an entry",
        [PLAN_TYPE_LOOP] = "a loop",
        [PLAN_TYPE_BLOCK] = "a block",
        [PLAN_TYPE_EDGE] = "an edge",
        [PLAN_TYPE_CALLSITE] = "a callsite",
        [PLAN_TYPE_SYSTEM_CALL] = "a syscall",
        [PLAN_TYPE_INSTRUCTION] = "an inst",
        [PLAN_TYPE_DATA] = "an object of data",
        [PLAN_TYPE_POSITION] = "a position",
        [PLAN_TYPE_BUCKET] = "a bucket",
    };
    return phrases[type];
}
