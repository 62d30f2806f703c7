/* groups.c: numbers the groups of a report's rows: rows with equal values have the same number, in the
   order of first occurrence. Requires that all rows of a report have the same number of values. */
#include <string.h>

#include "engine/output/internal.h"

static uint64_t hash_values(const uint64_t *values, uint32_t width) {
    uint64_t result = 0;
    for (uint32_t i = 0; i < width; i++)
        result = (result ^ values[i]) * UINT64_C(0x9e3779b97f4a7c15) + (result >> 29);
    return result ^ result >> 32;
}

/* The slot of the values in the hash table, or the free slot for them. */
static uint32_t *group_slot(const struct group_numbers *groups, const uint64_t *values, uint32_t width) {
    for (uint64_t at = hash_values(values, width);; at++) {
        uint32_t *slot = &groups->slots[at & (groups->slot_count - 1)];
        if (!*slot ||
            memcmp(groups->values + (size_t)(*slot - 1) * width, values, width * sizeof *values) == 0)
            return slot;
    }
}

static void grow_groups(struct group_numbers *groups, uint32_t width) {
    size_t old = groups->slot_count, count = old ? 2 * old : 256, row = width * sizeof *groups->values;
    groups->slots = arena_resize(groups->arena, groups->slots, old * sizeof *groups->slots,
                                 count * sizeof *groups->slots);
    memset(groups->slots, 0, count * sizeof *groups->slots);
    groups->values = arena_resize(groups->arena, groups->values, old * row, count * row);
    groups->slot_count = (uint32_t)count;
    for (uint32_t i = 0; i < groups->count; i++)
        *group_slot(groups, groups->values + (size_t)i * width, width) = i + 1;
}

void groups_add(struct group_numbers *groups, const uint64_t *values, uint32_t width) {
    if (2 * groups->count >= groups->slot_count)
        grow_groups(groups, width);
    uint32_t *slot = group_slot(groups, values, width);
    if (!*slot) {
        memcpy(groups->values + (size_t)groups->count * width, values, width * sizeof *values);
        *slot = ++groups->count;
    }
    ARENA_RESERVE(groups->arena, groups->rows, groups->row_count, groups->row_capacity);
    groups->rows[groups->row_count++] = *slot - 1;
}
