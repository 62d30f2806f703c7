/* skippable.c: instructions that a tool can skip, and registers that it can set. Requires blocks, and which
   calls never return (liveness_analyse()). */
#include "engine/places/places.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "engine/dataflow/dataflow.h"

bool register_is_fixed(const struct program *program, int64_t number) {
    return number >= 0 && number < 64 && program->architecture->registers.fixed >> number & 1;
}

/* Actions in a locked sequence are executed after the sequence, which is too late for a change. */
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

/* True if control would continue with the next instruction of the same procedure if this instruction had no
   effect. */
static bool goes_on_behind(const struct program *program, uint32_t instruction) {
    uint32_t index = block_at(program, instruction);
    const struct basic_block *block = &program->blocks[index];
    return instruction != block_last(block) ||
           (index + 1 < program->block_count && program->blocks[index + 1].procedure == block->procedure &&
            !block->never_returns);
}

const char *skip_obstacle(const struct program *program, uint32_t instruction) {
    const struct facts *facts = facts_of(program, instruction);
    const struct conventions_of_machine *registers = &program->architecture->registers;
    bool call = facts->class == CLASS_CALL;
    if (!call && branches_or_jumps(facts) && facts->transfer != TRANSFER_COND_BRANCH)
        return "control always goes elsewhere, and nothing is known of the code after it";
    if (!goes_on_behind(program, instruction))
        return call ? "the call does not return here" : "the procedure ends with it";
    if (call)
        return facts->link == registers->link ? NULL : "it is no call of the calling standard";
    if (facts->class != CLASS_PAL && facts->written & registers->fixed)
        return "it changes $26 to $30, by which returns, calls, data and the stack are reached";
    return in_locked_sequence(program, instruction) ? "it is part of a locked sequence" : NULL;
}
