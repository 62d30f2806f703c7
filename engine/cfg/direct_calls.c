/* direct_calls.c: when a call or a jump is direct: its instruction has the target's displacement, or the
   register of the target was loaded from the global offset table before, in the same block, with a known $29.
   Requires blocks. */
#include "engine/cfg/internal.h"

uint32_t got_target(const struct program *program, uint64_t gp, int32_t displacement) {
    uint64_t value;
    return gp && program_word64(program, gp + (int64_t)displacement, &value) ? instruction_at(program, value)
                                                                             : NO_INDEX;
}

uint32_t indirect_target(const struct program *program, uint64_t gp, uint32_t first, uint32_t instruction) {
    unsigned target = alpha_rb(program->text[instruction]);
    if (!gp || target == ALPHA_ZERO)
        return NO_INDEX;
    for (uint32_t i = instruction; i-- > first;) {
        uint32_t word = program->text[i];
        if (alpha_registers_written(word) >> target & 1) {
            const struct alpha_descriptor *descriptor = alpha_decode(word);
            if (descriptor->opcode_id == ALPHA_LDQ && alpha_rb(word) == ALPHA_GP)
                return got_target(program, gp, alpha_memory_displacement(word));
            if (descriptor->opcode_id == ALPHA_BISr && alpha_ra(word) == ALPHA_ZERO &&
                alpha_rb(word) != ALPHA_ZERO)
                target = alpha_rb(word); /* mov */
            else if (descriptor->opcode_id == ALPHA_BISr && alpha_rb(word) == ALPHA_ZERO &&
                     alpha_ra(word) != ALPHA_ZERO)
                target = alpha_ra(word);
            else
                return NO_INDEX;
        }
    }
    return NO_INDEX;
}

uint32_t call_target(const struct program *program, uint32_t instruction, uint32_t *entry_offset) {
    uint32_t word = program->text[instruction], target = NO_INDEX;
    uint32_t block = block_at(program, instruction);
    enum transfer transfer = transfer_of(word);
    if (alpha_decode(word)->format == ALPHA_FORMAT_BRANCH) {
        if (transfer == TRANSFER_CALL || transfer == TRANSFER_BRANCH)
            target = branch_target(program, instruction);
    } else if (transfer == TRANSFER_CALL || transfer == TRANSFER_JUMP) {
        uint64_t gp = program->procedures[program->blocks[block].procedure].gp;
        target = indirect_target(program, gp, program->blocks[block].first, instruction);
    }
    if (target == NO_INDEX)
        return NO_INDEX;
    uint32_t procedure = procedure_at(program, target);
    if (entry_offset)
        *entry_offset = target - program->procedures[procedure].first;
    return procedure;
}
