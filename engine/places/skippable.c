/* skippable.c: instructions that a tool can skip, and registers that it can set. Requires blocks, and which
   calls never return (liveness_analyse()). */
#include "engine/places/places.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "engine/dataflow/dataflow.h"

enum { FIRST_FIXED = ALPHA_RA, LAST_FIXED = ALPHA_SP };

bool register_is_fixed(int64_t number) {
    return number >= FIRST_FIXED && number <= LAST_FIXED;
}

/* Actions in a locked sequence are executed after it: too late for a change. */
bool in_locked_sequence(const struct program *program, uint32_t instruction) {
    const struct basic_block *block = &program->blocks[block_at(program, instruction)];
    uint32_t end = NO_INDEX;
    for (uint32_t i = block->first; i <= instruction; i++) {
        if (end != NO_INDEX && i > end)
            end = NO_INDEX;
        if (end == NO_INDEX)
            end = locked_sequence_end(program, i);
    }
    return end != NO_INDEX;
}

/* True if control would continue with the next instruction of the same procedure if this one did
   nothing. */
static bool goes_on_behind(const struct program *program, uint32_t instruction) {
    uint32_t index = block_at(program, instruction);
    const struct basic_block *block = &program->blocks[index];
    return instruction != block_last(block) ||
           (index + 1 < program->block_count && program->blocks[index + 1].procedure == block->procedure &&
            !block->never_returns);
}

const char *skip_obstacle(const struct program *program, uint32_t instruction) {
    uint32_t word = program->text[instruction];
    unsigned flags = alpha_decode(word)->flags;
    bool call = flags & ALPHA_CALL;
    if (!call && flags & (ALPHA_UNCOND_BRANCH | ALPHA_INDIRECT))
        return "control always goes elsewhere, and nothing is known of what stands behind it";
    if (!goes_on_behind(program, instruction))
        return call ? "the call does not return here" : "the procedure ends with it";
    if (call)
        return alpha_ra(word) == ALPHA_RA ? NULL : "it is no call of the calling standard";
    for (int r = FIRST_FIXED; r <= LAST_FIXED && alpha_decode(word)->format != ALPHA_FORMAT_PAL; r++)
        if (alpha_registers_written(word) & REGISTER_BIT(r))
            return "it changes $26 to $30, by which returns, calls, data and the stack are reached";
    return in_locked_sequence(program, instruction) ? "it is part of a locked sequence" : NULL;
}
