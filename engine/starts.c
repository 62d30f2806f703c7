/* starts.c: which procedure, which block an instruction is in. Programs have millions of them, and this is
   asked for nearly every instruction: so one index entry for each GRAIN instructions bounds the search. */
#include <stdlib.h>

#include "engine/cfg.h"

enum { GRAIN = 32 };

/* The `first` fields of an array's items. */
struct starts {
    const uint32_t *first;
    size_t stride; /* bytes */
    uint32_t count;
};

static uint32_t start_of(struct starts starts, uint32_t item) {
    return *(const uint32_t *)(const void *)((const char *)starts.first + item * starts.stride);
}

/* Per GRAIN instructions, and once more: the item that the first of them is in. */
static uint32_t *index_make(struct starts starts, uint32_t instruction_count) {
    uint32_t *index = allocate(((size_t)instruction_count / GRAIN + 2) * sizeof *index), item = 0, at = 0;
    for (uint64_t i = 0; i < instruction_count; i += GRAIN) {
        while (item + 1 < starts.count && start_of(starts, item + 1) <= i)
            item++;
        index[at++] = item;
    }
    index[at] = starts.count ? starts.count - 1 : 0;
    return index;
}

static uint32_t search(struct starts starts, const uint32_t *index, uint32_t instruction) {
    uint32_t low = index[instruction / GRAIN], high = index[instruction / GRAIN + 1] + 1;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (start_of(starts, middle) <= instruction)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static struct starts procedure_starts(const struct program *program) {
    return (struct starts){.first = &program->procedures->first,
                           .stride = sizeof *program->procedures,
                           .count = program->procedure_count};
}

static struct starts block_starts(const struct program *program) {
    return (struct starts){
        .first = &program->blocks->first, .stride = sizeof *program->blocks, .count = program->block_count};
}

void procedure_index_make(struct program *program) {
    program->procedure_index = index_make(procedure_starts(program), program->instruction_count);
}

void block_index_make(struct program *program) {
    program->block_index = index_make(block_starts(program), program->instruction_count);
}

uint32_t procedure_at(const struct program *program, uint32_t instruction) {
    return search(procedure_starts(program), program->procedure_index, instruction);
}

uint32_t block_at(const struct program *program, uint32_t instruction) {
    return search(block_starts(program), program->block_index, instruction);
}
