/* code.c: questions about an instruction word of the program or of the copies. Compiled without
 * floating-point registers. */
#include "codegen/alpha/system_call_words.h"
#include "runtime/kernel/kernel.h"

enum { LONGEST_SPRINGBOARD = 8 /* words */ };

/* ---- accesses and traps ---------------------------------------------------------------------------------- */

int atomc_is_access(uint32_t word) {
    switch (atomc_kind_of(word)->opcode) {
    case ALPHA_LDBU:
    case ALPHA_LDWU:
    case ALPHA_LDL:
    case ALPHA_LDQ:
    case ALPHA_LDQ_U:
    case ALPHA_LDL_L:
    case ALPHA_LDQ_L:
    case ALPHA_LDF:
    case ALPHA_LDG:
    case ALPHA_LDS:
    case ALPHA_LDT:
    case ALPHA_STB:
    case ALPHA_STW:
    case ALPHA_STL:
    case ALPHA_STQ:
    case ALPHA_STQ_U:
    case ALPHA_STL_C:
    case ALPHA_STQ_C:
    case ALPHA_STF:
    case ALPHA_STG:
    case ALPHA_STS:
    case ALPHA_STT:
        return 1;
    default:
        return 0;
    }
}

int atomc_traps_behind(uint32_t word) {
    const struct atomc_kind *kind = atomc_kind_of(word);
    switch (kind->opcode) {
    case ALPHA_ADDLVr:
    case ALPHA_ADDLVi:
    case ALPHA_ADDQVr:
    case ALPHA_ADDQVi:
    case ALPHA_SUBLVr:
    case ALPHA_SUBLVi:
    case ALPHA_SUBQVr:
    case ALPHA_SUBQVi:
    case ALPHA_MULLVr:
    case ALPHA_MULLVi:
    case ALPHA_MULQVr:
    case ALPHA_MULQVi:
        return 1;
    default:
        return word == ALPHA_PAL_BPT || word == ALPHA_PAL_BUGCHK || word == ALPHA_PAL_GENTRAP ||
               kind->format == ALPHA_FORMAT_FLOAT;
    }
}

/* ---- the end of a block ----------------------------------------------------------------------------------- */

int atomc_ends_block(uint32_t word) {
    unsigned format = atomc_kind_of(word)->format;
    return format == ALPHA_FORMAT_INVALID || format == ALPHA_FORMAT_PAL || format == ALPHA_FORMAT_JUMP ||
           format == ALPHA_FORMAT_BRANCH;
}

int atomc_is_conditional_branch(uint32_t word) {
    return atomc_kind_of(word)->format == ALPHA_FORMAT_BRANCH && !is_branch_word(word);
}

int atomc_is_system_call(const uint32_t *words, unsigned long count, unsigned long at) {
    return alpha_is_system_call(words, count, at);
}

/* ---- the values of registers ------------------------------------------------------------------------------ */

int atomc_sets_register(uint32_t word, unsigned reg) {
    const struct atomc_kind *kind = atomc_kind_of(word);
    switch (kind->opcode) {
    case ALPHA_LDA:
    case ALPHA_LDAH:
    case ALPHA_LDQ:
    case ALPHA_LDL:
    case ALPHA_LDQ_U:
    case ALPHA_LDWU:
    case ALPHA_LDBU:
        return alpha_ra(word) == reg;
    default:
        return (kind->format == ALPHA_FORMAT_OPERATE || kind->format == ALPHA_FORMAT_LITERAL) &&
               alpha_rc(word) == reg;
    }
}

unsigned atomc_moved_register(uint32_t word, unsigned reg) {
    if (!ALPHA_IS(word, BISr) || alpha_rc(word) != reg)
        return NO_REGISTER;
    return alpha_ra(word) == ALPHA_ZERO   ? alpha_rb(word)
           : alpha_rb(word) == ALPHA_ZERO ? alpha_ra(word)
                                          : NO_REGISTER;
}

int atomc_loads_constant(uint32_t word, long *value) {
    int is_address = ALPHA_IS(word, LDA) && alpha_rb(word) == ALPHA_ZERO;
    *value = is_address ? alpha_memory_displacement(word) : (long)alpha_literal_field(word);
    return is_address || (ALPHA_IS(word, BISi) && alpha_ra(word) == ALPHA_ZERO);
}

int atomc_loads_from_table(uint32_t word, const long *registers, unsigned long *slot) {
    *slot = (unsigned long)(registers[ALPHA_GP] + alpha_memory_displacement(word));
    return ALPHA_IS(word, LDQ) && alpha_rb(word) == ALPHA_GP;
}

int atomc_computes_table(uint32_t word) {
    return ALPHA_IS(word, LDAH) && alpha_ra(word) == ALPHA_GP && alpha_rb(word) == ALPHA_RA;
}

/* ---- code of atomc ---------------------------------------------------------------------------------------- */

static int read_program_word(unsigned long address, uint32_t *word) {
    long quad;
    if (address & 3 || !atomc_try_load(address & ~7UL, &quad))
        return 0;
    *word = (uint32_t)((uint64_t)quad >> 8 * (address & 4));
    return 1;
}

unsigned long atomc_springboard_target(const struct saved_context *context) {
    long registers[32];
    uint32_t word;
    for (unsigned reg = 0; reg < 32; reg++)
        registers[reg] = reg == ALPHA_ZERO ? 0 : context->registers[reg];
    for (unsigned long pc = (unsigned long)context->pc, i = 0; i < LONGEST_SPRINGBOARD; i++, pc += 4) {
        if (!read_program_word(pc, &word))
            return 0;
        unsigned ra = alpha_ra(word), rb = alpha_rb(word);
        long displacement = alpha_memory_displacement(word);
        if (ALPHA_IS(word, JMP))
            return ra == ALPHA_ZERO ? (unsigned long)registers[rb] : 0;
        if (ra == ALPHA_ZERO)
            return 0;
        if (ALPHA_IS(word, LDA))
            registers[ra] = registers[rb] + displacement;
        else if (ALPHA_IS(word, LDAH))
            registers[ra] = registers[rb] + 65536 * displacement;
        else if (!ALPHA_IS(word, STQ) || ra != ALPHA_AT || rb != ALPHA_SP)
            return 0;
    }
    return 0;
}

/* $9: the signal, $10: its information, $2: the mask. */
void atomc_complete_entry(struct saved_context *context, long words) {
    if (words < 1)
        context->registers[9] = context->registers[FIRST_ARGUMENT];
    if (words < 2)
        context->registers[10] = context->registers[FIRST_ARGUMENT + 1];
    context->registers[2] = context->mask;
}

const uint32_t *atomc_gate_begins(const uint32_t *system_call) {
    enum { FARTHEST = 16, WORDS = 5 /* the pc of the gate's call, before its jsr (engine/copy/gate.c) */ };
    for (int i = 1; i <= FARTHEST; i++)
        if (ALPHA_IS(system_call[-i], JSR) && alpha_ra(system_call[-i]) == ALPHA_RA)
            return stack_change(system_call[-i - WORDS]) ? system_call - i - WORDS : 0;
    return 0;
}

int atomc_finish_memory_read(struct saved_context *context) {
    const uint32_t *code = (const uint32_t *)context->pc;
    int single = code[1] == READ_MARK(1), first = code[1] != READ_MARK(2) && code[2] == READ_MARK(2);
    if (!ALPHA_IS(code[0], LDQ_U) || (!single && !first && code[1] != READ_MARK(2)))
        return 0;
    context->registers[alpha_ra(code[0])] = 0;
    if (!single)
        context->registers[alpha_ra(code[first ? 1 : -1])] = 0;
    context->pc = (long)(code + (first ? 3 : 2));
    return 1;
}
