/* share.c: equal data of sites are one: an expression, arguments or an action. All equal data are found, not
   only recent ones: later steps compare addresses, and data contain addresses, so a table that forgets by
   hash would make the output depend on addresses in memory. Requires that equal values have equal bytes:
   padding is zero.
 */
#include <string.h>

#include "engine/select/sites.h"

enum { FIRST_SLOTS = 1 << 10 }; /* a power of two, as all later sizes */

struct shared_bytes {
    const void *bytes; /* NULL: the slot is free */
    uint32_t size, hash;
};

struct shared_table {
    struct shared_bytes *slots;
    uint32_t slot_count, used;
};

static uint32_t hash_of_bytes(const void *bytes, size_t size) {
    uint64_t hash = size;
    for (size_t at = 0; at < size; at += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, (const char *)bytes + at, size - at < sizeof word ? size - at : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash ^ hash >> 32);
}

/* The slot of equal bytes, or a free one. */
static struct shared_bytes *find_slot(const struct shared_table *table, const void *bytes, uint32_t size,
                                      uint32_t hash) {
    uint32_t at = hash & (table->slot_count - 1);
    while (table->slots[at].bytes && (table->slots[at].hash != hash || table->slots[at].size != size ||
                                      memcmp(table->slots[at].bytes, bytes, size) != 0))
        at = (at + 1) & (table->slot_count - 1);
    return &table->slots[at];
}

static void free_slots(struct shared_table *table, struct arena *arena) {
    if (table->slots)
        arena_resize(arena, table->slots, table->slot_count * sizeof *table->slots, 0);
}

static void grow_table(struct shared_table *table, struct arena *arena) {
    struct shared_table larger = {.slot_count = table->slot_count ? 2 * table->slot_count : FIRST_SLOTS,
                                  .used = table->used};
    larger.slots = arena_allocate(arena, larger.slot_count * sizeof *larger.slots);
    for (uint32_t i = 0; i < table->slot_count; i++) {
        const struct shared_bytes *known = &table->slots[i];
        if (known->bytes)
            *find_slot(&larger, known->bytes, known->size, known->hash) = *known;
    }
    free_slots(table, arena);
    *table = larger;
}

void sites_end_sharing(struct sites *sites) {
    if (sites->shared)
        free_slots(sites->shared, sites->arena);
    sites->shared = NULL;
}

const void *sites_share(struct sites *sites, const void *bytes, size_t size) {
    if (!sites->shared)
        sites->shared = arena_allocate(sites->arena, sizeof *sites->shared);
    struct shared_table *table = sites->shared;
    if (3 * table->used >= 2 * table->slot_count)
        grow_table(table, sites->arena);
    uint32_t hash = hash_of_bytes(bytes, size);
    struct shared_bytes *known = find_slot(table, bytes, (uint32_t)size, hash);
    if (!known->bytes) {
        void *made = arena_allocate_unset(sites->arena, size);
        memcpy(made, bytes, size);
        *known = (struct shared_bytes){.bytes = made, .size = (uint32_t)size, .hash = hash};
        table->used++;
    }
    return known->bytes;
}
