/* direct_calls.c: when a call or a jump is direct: its instruction has the target's displacement, or the
   register of the target was loaded from the global offset table before, in the same block, with a known data
   base. Requires blocks. */
#include "engine/cfg/internal.h"

uint32_t got_target(const struct program *program, uint64_t data_base, int32_t displacement) {
    uint64_t value;
    return data_base && program_word64(program, data_base + (int64_t)displacement, &value)
               ? instruction_at(program, value)
               : NO_INDEX;
}

uint32_t indirect_target(const struct program *program, uint64_t data_base, uint32_t first,
                         uint32_t instruction) {
    const unsigned zero = program->architecture->registers.zero;
    unsigned target = facts_of(program, instruction)->target;
    for (uint32_t i = instruction; data_base && target != zero && i-- > first;) {
        const struct facts *facts = facts_of(program, i);
        if (!(facts->written & set_of(target)))
            continue;
        if (loads_address(program, facts))
            return got_target(program, data_base, constants_of(program, i).displacement);
        if (!(facts->flags & FACT_MOVE))
            return NO_INDEX;
        target = source_of_move(facts, zero);
    }
    return NO_INDEX;
}

uint32_t call_target(const struct program *program, uint32_t instruction, uint32_t *entry_offset) {
    const struct facts *facts = facts_of(program, instruction);
    uint32_t target = NO_INDEX;
    uint32_t block = block_at(program, instruction);
    enum transfer transfer = facts->transfer;
    if (!(facts->flags & FACT_INDIRECT)) {
        if (transfer == TRANSFER_CALL || transfer == TRANSFER_BRANCH)
            target = branch_target(program, instruction);
    } else if (transfer == TRANSFER_CALL || transfer == TRANSFER_JUMP) {
        uint64_t data_base = program->procedures[program->blocks[block].procedure].data_base;
        target = indirect_target(program, data_base, program->blocks[block].first, instruction);
    }
    if (target == NO_INDEX)
        return NO_INDEX;
    uint32_t procedure = procedure_at(program, target);
    if (entry_offset)
        *entry_offset = target - program->procedures[procedure].first;
    return procedure;
}
