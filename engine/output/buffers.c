/* buffers.c: memory whose address routines receive: strings and arrays of the plan, and tables of addresses
   in the instrumented program. The tables are filled in when the addresses are known. Requires sites.
   Constant buffers are placed with the strings, others in memory that the routines may change. */
#include <string.h>

#include "engine/output/internal.h"
#include "engine/object/object.h"
#include "engine/count/counting.h"
#include "engine/copy/copy.h"

static uint32_t place_writable(struct code *data, const struct plan_buffer *buffer) {
    uint32_t address = code_address(data), words = (buffer->size + 7) / 8 * 2;
    for (uint32_t i = 0; i < words; i++)
        emit(data, 0);
    memcpy(data->words + (address - data->address) / 4, buffer->bytes, buffer->size);
    return address;
}

static uint32_t place_table(struct rewrite *rewrite, const struct plan_buffer *buffer) {
    size_t size = sizeof(struct atomc_translations) + 8 * (size_t)buffer->translation_count;
    struct arena_mark mark = arena_mark(rewrite->program->scratch);
    void *empty = arena_allocate(rewrite->program->scratch, size);
    uint32_t address = table_bytes(rewrite, empty, size);
    arena_release(rewrite->program->scratch, mark);
    return address;
}

void buffers_place(struct rewrite *rewrite) {
    const struct plan *plan = rewrite->plan;
    uint64_t end = cell_address(rewrite->machine, rewrite->counting->cells);
    rewrite->code->data.address = (uint32_t)align_up(end, largest_page(rewrite));
    rewrite->code->tables.buffer_addresses =
        arena_allocate(rewrite->arena, plan->buffer_count * sizeof *rewrite->code->tables.buffer_addresses);
    for (uint32_t i = 0; i < plan->buffer_count; i++)
        rewrite->code->tables.buffer_addresses[i] =
            plan->buffers[i].translates ? place_table(rewrite, &plan->buffers[i])
            : plan->buffers[i].writable ? place_writable(&rewrite->code->data, &plan->buffers[i])
                                        : table_bytes(rewrite, plan->buffers[i].bytes, plan->buffers[i].size);
}

static uint64_t translated_value(const struct rewrite *rewrite, const struct plan_translation *translation) {
    uint32_t instruction = translation->instruction;
    if (!is_copied(rewrite, instruction))
        return instruction_address(rewrite->program, instruction);
    return translation->entry ? rewrite->code->layout.map[instruction]
                              : rewrite->code->copies.address + 4 * (uint64_t)inside_of(rewrite, instruction);
}

void buffers_translate(struct rewrite *rewrite) {
    const struct plan *plan = rewrite->plan;
    for (uint32_t i = 0; i < plan->buffer_count; i++) {
        const struct plan_buffer *buffer = &plan->buffers[i];
        if (!buffer->translates)
            continue;
        uint32_t *words =
            rewrite->code->tables.words.words +
            (rewrite->code->tables.buffer_addresses[i] - rewrite->code->tables.words.address) / 4;
        const struct atomc_translations head = {.text_address = rewrite->code->copies.address,
                                                .text_size = 4 * (uint64_t)rewrite->code->copies.count,
                                                .count = buffer->translation_count};
        memcpy(words, &head, sizeof head);
        for (uint32_t k = 0; k < buffer->translation_count; k++) {
            uint64_t address = translated_value(rewrite, &buffer->translations[k]);
            memcpy(words + sizeof head / 4 + 2 * (size_t)k, &address, sizeof address);
        }
    }
}

void buffers_print(const struct rewrite *rewrite, FILE *stream) {
    const struct plan *plan = rewrite->plan;
    for (uint32_t i = 0; i < plan->buffer_count; i++)
        fprintf(stream, "0x%x %u %s\n", (unsigned)rewrite->code->tables.buffer_addresses[i],
                (unsigned)plan->buffers[i].size,
                plan->buffers[i].translates ? "addresses"
                : plan->buffers[i].writable ? "writable"
                                            : "constant");
}

const char *buffers_verify(const struct rewrite *rewrite) {
    const struct plan *plan = rewrite->plan;
    for (uint32_t i = 0; i < plan->buffer_count; i++) {
        const struct plan_buffer *buffer = &plan->buffers[i];
        const struct code *space =
            buffer->writable && !buffer->translates ? &rewrite->code->data : &rewrite->code->tables.words;
        uint32_t address = rewrite->code->tables.buffer_addresses[i];
        if (address < space->address || address > code_address(space))
            return "a buffer has no place";
    }
    return NULL;
}
