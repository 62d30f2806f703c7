/* code.c: questions about an instruction word of the program or of the copies. Compiled without
 * floating-point registers. */
#include "runtime/kernel/kernel.h"

enum { LONGEST_SPRINGBOARD = 8 /* words */ };

/* ---- accesses and traps ---------------------------------------------------------------------------------- */

int atomc_is_access(uint32_t word) {
    return is_access_word(word) || AARCH64_IS(word, LOAD_LITERAL) || aarch64_is_other_access(word);
}

/* Faults have the pc of their instruction. */
int atomc_traps_behind(uint32_t word) {
    (void)word;
    return 0;
}

/* ---- the end of a block ----------------------------------------------------------------------------------- */

int atomc_is_conditional_branch(uint32_t word) {
    return AARCH64_IS(word, B_COND) || AARCH64_IS(word, CB) || AARCH64_IS(word, TB);
}

int atomc_ends_block(uint32_t word) {
    return atomc_is_conditional_branch(word) || is_branch_word(word) || is_jump_word(word) ||
           AARCH64_IS(word, EXCEPTION) || AARCH64_IS(word, UDF);
}

int atomc_is_system_call(const uint32_t *words, unsigned long count, unsigned long at) {
    (void)count;
    return is_system_call_word(words[at]); /* literals are not executed, and no address has this value */
}

/* ---- the values of registers ------------------------------------------------------------------------------ */

static int is_data_word(uint32_t word) {
    return AARCH64_IS(word, ADD_CONSTANT) || AARCH64_IS(word, LOGICAL_CONSTANT) ||
           AARCH64_IS(word, MOVE_WIDE) || AARCH64_IS(word, BITFIELD) || AARCH64_IS(word, EXTRACT) ||
           AARCH64_IS(word, LOGICAL) || AARCH64_IS(word, ADD) || AARCH64_IS(word, ADD_EXTENDED) ||
           AARCH64_IS(word, SELECT) || AARCH64_IS(word, TWO_SOURCES) || AARCH64_IS(word, ONE_SOURCE) ||
           AARCH64_IS(word, THREE_SOURCES) || AARCH64_IS(word, ADR) || AARCH64_IS(word, ADRP);
}

int atomc_sets_register(uint32_t word, unsigned reg) {
    if (is_data_word(word))
        return aarch64_rd(word) == reg;
    if (aarch64_is_vector_access(word) || reg == STACK_REGISTER)
        return 0;
    if (AARCH64_IS(word, PAIR) && aarch64_loads(word))
        return aarch64_rd(word) == reg || aarch64_rt2(word) == reg;
    return (AARCH64_IS(word, LOAD_LITERAL) || (is_access_word(word) && !is_store_word(word))) &&
           aarch64_rd(word) == reg;
}

unsigned atomc_moved_register(uint32_t word, unsigned reg) {
    return aarch64_is_move(word) && aarch64_rd(word) == reg ? register_or_zero(aarch64_rm(word))
                                                            : (unsigned)NO_REGISTER;
}

int atomc_loads_constant(uint32_t word, long *value) {
    unsigned operation = aarch64_bits(word, 29, 2);
    uint64_t constant = aarch64_wide_constant(word);
    *value = (long)(operation == 0 ? ~constant : constant);
    if (!aarch64_is_wide(word))
        *value = (uint32_t)*value;
    return AARCH64_IS(word, MOVE_WIDE) && operation != 3;
}

/* Addresses are made from the pc: no register points into a table. */
int atomc_loads_from_table(uint32_t word, const long *registers, unsigned long *slot) {
    (void)word;
    (void)registers;
    *slot = 0;
    return 0;
}

int atomc_computes_table(uint32_t word) {
    (void)word;
    return 0;
}

/* ---- code of atomc ---------------------------------------------------------------------------------------- */

static int read_program_word(unsigned long address, uint32_t *word) {
    long quad;
    if (address & 3 || !atomc_try_load(address & ~7UL, &quad))
        return 0;
    *word = (uint32_t)((uint64_t)quad >> 8 * (address & 4));
    return 1;
}

/* A branch, or an address in registers and a jump. */
unsigned long atomc_springboard_target(const struct saved_context *context) {
    struct saved_context here = *context;
    struct atomc_stepper stepper = {.context = &here};
    uint32_t word;
    for (unsigned i = 0; i < LONGEST_SPRINGBOARD; i++) {
        if (!read_program_word((unsigned long)here.pc, &word))
            return 0;
        int is_end = AARCH64_IS(word, B) || AARCH64_IS(word, BR);
        int is_part = AARCH64_IS(word, ADRP) || AARCH64_IS(word, MOVE_WIDE) || AARCH64_IS(word, ADD_CONSTANT);
        if ((!is_end && !is_part) || !atomc_step_as(&stepper, word))
            return 0;
        if (is_end)
            return (unsigned long)here.pc;
    }
    return 0;
}

/* x19: the signal, x20: where its handler returns to, x21: the frame, x22: the mask. */
void atomc_complete_entry(struct saved_context *context, long words) {
    if (words < 1)
        context->registers[19] = context->registers[FIRST_ARGUMENT];
    if (words < 2)
        context->registers[20] = context->registers[LINK_REGISTER];
    if (words < 3)
        context->registers[21] = context->registers[STACK_REGISTER];
    context->registers[22] = context->mask;
    context->registers[STACK_REGISTER] = context->registers[21];
}

const uint32_t *atomc_gate_begins(const uint32_t *system_call) {
    enum { FARTHEST = 16, MOST_WORDS = 6 /* before the call of the gate (engine/copy/system_calls.c) */ };
    for (int i = 1; i <= FARTHEST; i++) {
        if (!AARCH64_IS(system_call[-i], BLR) || jump_register(system_call[-i]) != LINK_REGISTER)
            continue;
        for (int words = 1; words <= MOST_WORDS; words++)
            if (stack_change(system_call[-i - words]) < 0)
                return system_call - i - words;
        return 0;
    }
    return 0;
}

/* One load reads the bytes, whatever their alignment is. */
int atomc_finish_memory_read(struct saved_context *context) {
    const uint32_t *code = (const uint32_t *)context->pc;
    if (!is_access_word(code[0]) || is_store_word(code[0]) || code[1] != READ_MARK(1))
        return 0;
    context->registers[access_register(code[0])] = 0;
    context->pc = (long)(code + 2);
    return 1;
}
