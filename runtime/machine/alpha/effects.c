/* effects.c: the effects of one instruction of the analysis side on the registers, for the walk of
   signals/returns.c. Compiled without floating-point registers. */
#include "runtime/machine/machine.h"

/* The registers that routines keep: by the calling standard; in routines called by $23, which divide; in
   routines called by $28. */
static const uint32_t kept_by_calls = CALLEE_SAVED_INTEGERS | REGISTER_BIT(ALPHA_SP);
static const uint32_t kept_by_division =
    REGISTERS(0, 22) | REGISTER_BIT(ALPHA_RA) | REGISTER_BIT(ALPHA_GP) | REGISTER_BIT(ALPHA_SP);
static const uint32_t kept_by_helpers =
    REGISTERS(9, 18) | REGISTER_BIT(ALPHA_A5) | REGISTER_BIT(ALPHA_RA) | REGISTER_BIT(ALPHA_SP);

static struct atomc_instruction_effect forgets(uint64_t registers) {
    return (struct atomc_instruction_effect){.kind = EFFECT_FORGETS,
                                             .forgotten = (uint32_t)(registers & INTEGER_REGISTERS)};
}

static struct atomc_instruction_effect sets(unsigned reg, long value) {
    return (struct atomc_instruction_effect){.kind = EFFECT_SETS, .reg = reg, .value = value};
}

static struct atomc_instruction_effect call_effect(unsigned link) {
    uint32_t kept = link == ALPHA_RA ? kept_by_calls : link == ALPHA_AT ? kept_by_helpers : kept_by_division;
    return (struct atomc_instruction_effect){
        .kind = EFFECT_CALLS, .forgotten = (~kept | UINT32_C(1) << link) & (uint32_t)INTEGER_REGISTERS};
}

static struct atomc_instruction_effect jump_effect(uint32_t word) {
    if (alpha_ra(word) != ALPHA_ZERO)
        return call_effect(alpha_ra(word));
    return (struct atomc_instruction_effect){.kind = EFFECT_JUMPS, .reg = alpha_rb(word)};
}

static struct atomc_instruction_effect branch_effect(uint32_t word, long pc, const long *values,
                                                     uint32_t known) {
    const struct atomc_kind *kind = atomc_kind_of(word);
    unsigned ra = alpha_ra(word);
    long target = pc + 4 + 4 * (long)alpha_branch_displacement(word);
    bool holds = false;
    if (ALPHA_IS(word, BSR))
        return call_effect(ra);
    if (ALPHA_IS(word, BR))
        return (struct atomc_instruction_effect){
            .kind = EFFECT_GOES, .reg = ra, .value = pc + 4, .target = target};
    if (known >> ra & 1)
        alpha_condition((enum alpha_opcode)kind->opcode, (uint64_t)values[ra], &holds);
    return (struct atomc_instruction_effect){.kind = EFFECT_BRANCHES,
                                             .target = target,
                                             .holds = holds,
                                             .is_certain = known >> ra & 1 && kind->opcode != ALPHA_INVALID};
}

static struct atomc_instruction_effect address_effect(uint32_t word, const long *values, uint32_t known) {
    unsigned ra = alpha_ra(word), rb = alpha_rb(word);
    long displacement = alpha_memory_displacement(word) * (ALPHA_IS(word, LDAH) ? 65536L : 1);
    if (!(known >> rb & 1))
        return forgets(REGISTER_BIT(ra));
    if (displacement == 0 && ra == rb)
        return (struct atomc_instruction_effect){.kind = EFFECT_NONE};
    return sets(ra, values[rb] + displacement);
}

static struct atomc_instruction_effect operate_effect(uint32_t word, const long *values, uint32_t known) {
    const struct atomc_kind *kind = atomc_kind_of(word);
    enum alpha_opcode opcode = (enum alpha_opcode)kind->opcode;
    unsigned ra = alpha_ra(word), rb = alpha_rb(word), rc = alpha_rc(word);
    int literal = kind->format == ALPHA_FORMAT_LITERAL;
    uint64_t a = (uint64_t)values[ra], b = literal ? alpha_literal_field(word) : (uint64_t)values[rb];
    uint64_t result;
    bool holds;
    int is_right_known = literal || known >> rb & 1, both_known = known >> ra & 1 && is_right_known;
    if (opcode == ALPHA_BISr && !literal && (ra == ALPHA_ZERO || ra == rb) && is_right_known)
        return (struct atomc_instruction_effect){.kind = EFFECT_MOVES, .reg = rc, .from = rb};
    if (both_known && alpha_condition(opcode, a, &holds)) /* a move, or none */
        return holds ? sets(rc, (long)b) : (struct atomc_instruction_effect){.kind = EFFECT_NONE};
    if (both_known && kind->format != ALPHA_FORMAT_FLOAT && alpha_evaluate(opcode, a, b, &result))
        return sets(rc, (long)result);
    return forgets(REGISTER_BIT(rc));
}

static struct atomc_instruction_effect palcode_effect(uint32_t word) {
    uint32_t function = alpha_pal_function(word);
    if (function == ALPHA_PAL_GENTRAP || function == ALPHA_PAL_BUGCHK || function == ALPHA_PAL_BPT)
        return (struct atomc_instruction_effect){.kind = EFFECT_ENDS};
    return forgets(REGISTER_BIT(ALPHA_V0) |
                   (function == ALPHA_PAL_CALLSYS ? REGISTER_BIT(ALPHA_A3) | REGISTER_BIT(20) : 0));
}

static struct atomc_instruction_effect memory_effect(uint32_t word, const long *values, uint32_t known) {
    unsigned ra = alpha_ra(word), rb = alpha_rb(word);
    int is_known = known >> rb & 1;
    struct atomc_instruction_effect access = {.reg = ra,
                                              .address = values[rb] + alpha_memory_displacement(word)};
    if (ALPHA_IS(word, STQ)) {
        access.kind = is_known ? EFFECT_STORES : EFFECT_NONE;
        return access;
    }
    if (ALPHA_IS(word, STL) || ALPHA_IS(word, STB) || ALPHA_IS(word, STW) || ALPHA_IS(word, STQ_U))
        return (struct atomc_instruction_effect){.kind = EFFECT_NONE};
    access.is_whole = ALPHA_IS(word, LDQ);
    access.is_signed = ALPHA_IS(word, LDL);
    access.bytes = access.is_whole || ALPHA_IS(word, LDQ_U) ? 8
                   : access.is_signed                       ? 4
                   : ALPHA_IS(word, LDWU)                   ? 2
                   : ALPHA_IS(word, LDBU)                   ? 1
                                                            : 0;
    if (!is_known || ra == ALPHA_ZERO || !access.bytes)
        return forgets(REGISTER_BIT(ra));
    if (ALPHA_IS(word, LDQ_U))
        access.address &= ~7L;
    access.kind = EFFECT_LOADS;
    return access;
}

struct atomc_instruction_effect atomc_instruction_effect_of(uint32_t word, long pc, const long *values,
                                                            uint32_t known) {
    unsigned primary = alpha_primary(word);
    if (ALPHA_IS_LIKE(word, JMP))
        return jump_effect(word);
    if (primary >= alpha_primary(ALPHA_MATCH_BR))
        return branch_effect(word, pc, values, known);
    if (ALPHA_IS(word, LDA) || ALPHA_IS(word, LDAH))
        return address_effect(word, values, known);
    if (primary == 0)
        return palcode_effect(word);
    if ((primary >= 0x10 && primary <= 0x13) || primary == 0x1c)
        return operate_effect(word, values, known);
    if ((primary >= 0x08 && primary <= 0x0f) || primary >= 0x28)
        return memory_effect(word, values, known);
    if (primary == 0x18) /* rpcc */
        return forgets(REGISTER_BIT(alpha_ra(word)));
    return (struct atomc_instruction_effect){.kind = EFFECT_NONE};
}
