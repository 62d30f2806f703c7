/* buffers.c: the memory that routines get the address of: strings and arrays of the plan.
   Requires sites; constant buffers go with the strings, others into memory that the routines may change. */
#include <string.h>

#include "engine/counting.h"

#define DATA_ALIGNMENT UINT64_C(0x10000) /* pages of their own: the largest that a host has */

static uint32_t place_writable(struct code *data, const struct plan_buffer *buffer) {
    uint32_t address = code_address(data), words = (buffer->size + 7) / 8 * 2;
    for (uint32_t i = 0; i < words; i++)
        emit(data, 0);
    memcpy(data->words + (address - data->address) / 4, buffer->bytes, buffer->size);
    return address;
}

void buffers_place(struct rewrite *rewrite) {
    const struct plan *plan = rewrite->plan;
    uint64_t end = LAYOUT_CELLS + 8 * rewrite->counting->cells;
    rewrite->data.address = (uint32_t)((end + DATA_ALIGNMENT - 1) / DATA_ALIGNMENT * DATA_ALIGNMENT);
    rewrite->buffer_addresses =
        arena_allocate(rewrite->arena, plan->buffer_count * sizeof *rewrite->buffer_addresses);
    for (uint32_t i = 0; i < plan->buffer_count; i++)
        rewrite->buffer_addresses[i] =
            plan->buffers[i].writable ? place_writable(&rewrite->data, &plan->buffers[i])
                                      : table_bytes(rewrite, plan->buffers[i].bytes, plan->buffers[i].size);
}
