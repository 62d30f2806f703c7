/* events.c: the events of a block, and which of them can be counted in place. Requires blocks, and
   counting.facts. */
#include "engine/count/internal.h"

bool falls_through(const struct program *program, uint32_t block) {
    const struct basic_block *from = &program->blocks[block];
    return (from->end == END_FALLTHROUGH || from->end == END_COND_BRANCH) &&
           block + 1 < program->block_count && program->blocks[block + 1].procedure == from->procedure;
}

uint32_t taken_target(const struct program *program, uint32_t block) {
    return program->blocks[block].end == END_COND_BRANCH
               ? branch_target(program, block_last(&program->blocks[block]))
               : NO_INDEX;
}

/* A block with calls is counted before them. */
bool can_count_executed(const struct counting *counting, uint32_t block) {
    uint16_t facts = counting->facts[block];
    return !(facts & LOCKED) && !(facts & LOCKED_HEAD && facts & CALLS);
}

bool can_count_taken(const struct program *program, const struct counting *counting, uint32_t block) {
    return taken_target(program, block) != NO_INDEX &&
           !(counting->facts[block] & (LOCKED_BRANCH | CALLS_BRANCH));
}

bool can_count_outside(const struct program *program, const struct counting *counting, uint32_t block) {
    (void)program;
    return !(counting->facts[block] & (LOCKED_HEAD | CALLS_ENTRY));
}
