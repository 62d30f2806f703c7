/* entered.c: the ways in which control enters a block, as queries on the marks of its first instruction
   (enum leader): one for each set of marks that some pass needs, with the reason for the set. Requires
   blocks. */
#include "engine/cfg/internal.h"

enum {
    BY_PROCEDURES = LEADER_PROCEDURE_ENTRY | LEADER_ALTERNATE_ENTRY,
    UNSEEN = BY_PROCEDURES | LEADER_ADDRESS_TAKEN | LEADER_LANDING_PAD | LEADER_UNKNOWN_JUMP,
};

bool is_entered_by_procedures(unsigned leaders) {
    return leaders & BY_PROCEDURES;
}

bool has_unseen_predecessor(unsigned leaders) {
    return leaders & UNSEEN;
}

/* Labels are in tables, and the edges of jumps through tables are known. */
bool has_unseen_predecessor_besides_labels(unsigned leaders) {
    return leaders & (UNSEEN & ~LEADER_ADDRESS_TAKEN);
}

/* Exceptions are rare. */
bool has_likely_unseen_predecessor(unsigned leaders) {
    return leaders & (UNSEEN & ~LEADER_LANDING_PAD);
}

/* Only the exception runtime enters landing pads, and an unknown jump may lead to any instruction. */
bool is_entered_by_address(unsigned leaders) {
    return leaders & (BY_PROCEDURES | LEADER_ADDRESS_TAKEN);
}

/* A direct branch goes from copy to copy; other transfers have an address in the original text. */
bool is_entered_by_map(unsigned leaders) {
    return leaders & ~LEADER_BRANCH_TARGET;
}

/* Branches inside the procedure do not pass the code at which control arrives by an address. An unknown
   jump may lead there too, but it marks all instructions of its procedure: then no action after a call
   would remain.
 */
bool is_shared_return_point(unsigned leaders) {
    return leaders & ((UNSEEN & ~LEADER_UNKNOWN_JUMP) | LEADER_TABLE_TARGET);
}

bool is_entered_besides_table(unsigned leaders) {
    return leaders & ~LEADER_TABLE_TARGET;
}

bool is_entered_besides_return(unsigned leaders) {
    return leaders & ~LEADER_RETURN_POINT;
}

/* An unknown jump marks all instructions of its procedure. */
bool is_entered_besides_unknown_jump(unsigned leaders) {
    return leaders & ~LEADER_UNKNOWN_JUMP;
}

bool is_jump_target(unsigned leaders) {
    return leaders & (LEADER_BRANCH_TARGET | LEADER_TABLE_TARGET | LEADER_UNKNOWN_JUMP);
}

/* Data have an address, and are the first words of text without a symbol. */
bool is_entered_as_code(unsigned leaders) {
    return leaders & ~(LEADER_PROCEDURE_ENTRY | LEADER_ADDRESS_TAKEN);
}

/* Words of data may look like branches and calls. */
bool is_entered_as_code_for_sure(unsigned leaders) {
    return leaders & ~(LEADER_PROCEDURE_ENTRY | LEADER_RETURN_POINT | LEADER_BRANCH_TARGET);
}

bool block_is_entry(const struct basic_block *block) {
    return is_entered_by_procedures(block->leaders) && !block->from_part;
}

bool block_is_unreached(const struct basic_block *block) {
    return block->leaders == 0 && block->predecessor_count == 0;
}

bool outside_in_line(const struct program *program, uint32_t block) {
    if (program->procedures[program->blocks[block].procedure].first_block == block)
        return true;
    uint8_t end = program->blocks[block - 1].end;
    return end == END_CALL || end == END_SYSTEM_CALL || end == END_TRAP;
}

bool entered_from_outside(const struct program *program, uint32_t block) {
    return outside_in_line(program, block) || is_entered_by_map(program->blocks[block].leaders);
}
