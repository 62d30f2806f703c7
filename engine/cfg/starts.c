/* starts.c: the procedure and the block that contain an instruction. Programs have millions of them, and
   nearly every instruction is looked up. So there is a bit for each instruction that begins one, and the
   result is the number of such bits before, counted from the nearest multiple of 64. */

#include "engine/cfg/internal.h"

enum { GRAIN = 64 };

/* For an array whose items have a size of `stride` bytes, and contain the number of their first
   instruction.
 */
static struct starts *make_starts(struct arena *arena, const uint32_t *first, size_t stride, uint32_t count,
                                  uint32_t instruction_count) {
    size_t words = (size_t)instruction_count / GRAIN + 1;
    struct starts *starts = arena_allocate(arena, words * sizeof *starts);
    const char *at = (const char *)first;
    for (uint32_t item = 0; item < count; item++, at += stride) {
        uint32_t start = *(const uint32_t *)(const void *)at;
        starts[start / GRAIN].bits |= UINT64_C(1) << start % GRAIN;
    }
    for (size_t word = 1; word < words; word++)
        starts[word].before = starts[word - 1].before + (uint32_t)__builtin_popcountll(starts[word - 1].bits);
    return starts;
}

/* The last item that starts at the instruction or before it; the first one starts with the text. */
static uint32_t last_start_before(const struct starts *starts, uint32_t instruction) {
    const struct starts *word = &starts[instruction / GRAIN];
    uint64_t upto = word->bits << (GRAIN - 1 - instruction % GRAIN);
    return word->before + (uint32_t)__builtin_popcountll(upto) - 1;
}

void procedure_starts_make(struct program *program) {
    program->procedure_starts =
        make_starts(program->arena, &program->procedures->first, sizeof *program->procedures,
                    program->procedure_count, program->instruction_count);
}

void block_starts_make(struct program *program) {
    program->block_starts = make_starts(program->flow, &program->blocks->first, sizeof *program->blocks,
                                        program->block_count, program->instruction_count);
}

uint32_t procedure_at(const struct program *program, uint32_t instruction) {
    return last_start_before(program->procedure_starts, instruction);
}

uint32_t block_at(const struct program *program, uint32_t instruction) {
    return last_start_before(program->block_starts, instruction);
}
