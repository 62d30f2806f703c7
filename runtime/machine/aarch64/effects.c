/* effects.c: the effects of one instruction of the analysis side on the registers, for the walk of
   signals/returns.c. Compiled without floating-point registers. */
#include "runtime/machine/machine.h"

/* Registers that routines keep, by the calling standard: x19 to x29, and the stack pointer. */
static const uint32_t kept_by_calls = (uint32_t)REGISTERS(19, FRAME_REGISTER) | UINT32_C(1) << STACK_REGISTER;

static uint32_t bit_of(unsigned field) {
    return field == AARCH64_FIELD_ALL_ONES ? 0 : UINT32_C(1) << field;
}

static struct atomc_instruction_effect forgets(uint32_t registers) {
    return (struct atomc_instruction_effect){.kind = registers ? EFFECT_FORGETS : EFFECT_NONE,
                                             .forgotten = registers};
}

static struct atomc_instruction_effect sets(unsigned reg, long value) {
    return (struct atomc_instruction_effect){.kind = EFFECT_SETS, .reg = reg, .value = value};
}

static int is_known(unsigned reg, uint32_t known) {
    return known >> reg & 1;
}

/* ---- transfers -------------------------------------------------------------------------------------------- */

static struct atomc_instruction_effect transfer_effect(uint32_t word, long pc, const long *values,
                                                       uint32_t known) {
    if (AARCH64_IS(word, BL) || AARCH64_IS(word, BLR))
        return (struct atomc_instruction_effect){.kind = EFFECT_CALLS, .forgotten = ~kept_by_calls};
    if (is_jump_word(word))
        return (struct atomc_instruction_effect){.kind = EFFECT_JUMPS, .reg = jump_register(word)};
    if (AARCH64_IS(word, B))
        return (struct atomc_instruction_effect){
            .kind = EFFECT_GOES, .reg = NO_REGISTER, .target = pc + 4 * aarch64_branch_distance(word)};
    struct atomc_instruction_effect branch = {.kind = EFFECT_BRANCHES,
                                              .target = pc + 4 * aarch64_condition_distance(word)};
    unsigned reg = aarch64_rd(word), is_nonzero = aarch64_bits(word, 24, 1);
    if (AARCH64_IS(word, B_COND)) /* flags are not followed */
        return branch;
    uint64_t value = reg == AARCH64_FIELD_ALL_ONES ? 0 : (uint64_t)values[reg];
    branch.is_certain = reg == AARCH64_FIELD_ALL_ONES || is_known(reg, known);
    if (AARCH64_IS(word, TB))
        value = value >> (aarch64_bits(word, 31, 1) << 5 | aarch64_bits(word, 19, 5)) & 1;
    else if (!aarch64_is_wide(word))
        value = (uint32_t)value;
    branch.holds = branch.is_certain && (value != 0) == is_nonzero;
    return branch;
}

/* ---- computations ----------------------------------------------------------------------------------------- */

static struct atomc_instruction_effect add_constant_effect(uint32_t word, const long *values,
                                                           uint32_t known) {
    unsigned to = aarch64_rd(word), from = aarch64_rn(word);
    int sets_flags = (int)aarch64_bits(word, 29, 1);
    long amount = aarch64_bits(word, 30, 1) ? -aarch64_add_constant(word) : aarch64_add_constant(word);
    if (sets_flags || !aarch64_is_wide(word))
        return forgets(sets_flags ? bit_of(to) : UINT32_C(1) << to);
    if (amount == 0) /* mov to or from sp */
        return (struct atomc_instruction_effect){.kind = EFFECT_MOVES, .reg = to, .from = from};
    return is_known(from, known) ? sets(to, values[from] + amount) : forgets(UINT32_C(1) << to);
}

static struct atomc_instruction_effect move_wide_effect(uint32_t word, const long *values, uint32_t known) {
    unsigned to = aarch64_rd(word), operation = aarch64_bits(word, 29, 2);
    unsigned left = 16 * aarch64_bits(word, 21, 2);
    uint64_t constant = aarch64_wide_constant(word);
    if (to == AARCH64_FIELD_ALL_ONES)
        return forgets(0);
    if (operation == 3 && !is_known(to, known))
        return forgets(bit_of(to));
    uint64_t value = operation == 0   ? ~constant
                     : operation == 2 ? constant
                                      : ((uint64_t)values[to] & ~(UINT64_C(0xffff) << left)) | constant;
    return sets(to, (long)(aarch64_is_wide(word) ? value : (uint32_t)value));
}

static struct atomc_instruction_effect logical_effect(uint32_t word) {
    unsigned to = aarch64_rd(word), from = aarch64_rm(word);
    if (!aarch64_is_move(word) || to == AARCH64_FIELD_ALL_ONES)
        return forgets(bit_of(to));
    return from == AARCH64_FIELD_ALL_ONES
               ? sets(to, 0)
               : (struct atomc_instruction_effect){.kind = EFFECT_MOVES, .reg = to, .from = from};
}

static struct atomc_instruction_effect address_effect(uint32_t word, long pc) {
    unsigned to = aarch64_rd(word);
    if (to == AARCH64_FIELD_ALL_ONES)
        return forgets(0);
    return sets(to, AARCH64_IS(word, ADR) ? pc + aarch64_address_distance(word)
                                          : (pc & ~0xfffL) + aarch64_address_distance(word) * 4096);
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

/* A load or a store of one register; `kind` as for a single access: 0 stores, 1 loads, 2 and 3 load with the
 * sign. */
static struct atomc_instruction_effect register_effect(unsigned reg, unsigned base, long displacement,
                                                       unsigned scale, unsigned kind, const long *values,
                                                       uint32_t known) {
    int is_followed = is_known(base, known) && reg != AARCH64_FIELD_ALL_ONES;
    struct atomc_instruction_effect access = {.reg = reg, .bytes = 1u << scale};
    if (is_followed)
        access.address = values[base] + displacement;
    if (kind == 0) {
        access.kind = is_followed && scale == 3 ? EFFECT_STORES : EFFECT_NONE;
        return access;
    }
    if (!is_followed || kind == 3)
        return forgets(bit_of(reg));
    access.kind = EFFECT_LOADS;
    access.is_whole = scale == 3;
    access.is_signed = kind == 2;
    return access;
}

static struct atomc_instruction_effect add_effect(unsigned reg, long amount, const long *values,
                                                  uint32_t known) {
    return is_known(reg, known) ? sets(reg, values[reg] + amount) : forgets(UINT32_C(1) << reg);
}

/* What an access does, in order: the base changes, a register is loaded or stored, another one, the base
   changes. */
enum part { CHANGES_BEFORE, FIRST, SECOND, CHANGES_AFTER, NOTHING };

static struct atomc_instruction_effect part_effect(uint32_t word, enum part part, const long *values,
                                                   uint32_t known) {
    unsigned base = aarch64_rn(word), is_pair = AARCH64_IS(word, PAIR), kind = aarch64_bits(word, 22, 2);
    unsigned scale = is_pair ? aarch64_pair_scale(word) : aarch64_access_scale(word);
    long amount =
        is_pair ? aarch64_signed_bits(word, 15, 7) * (1L << scale) : aarch64_signed_bits(word, 12, 9);
    long displacement = part == SECOND ? 1L << scale : 0;
    if (part == CHANGES_BEFORE || part == CHANGES_AFTER)
        return add_effect(base, amount, values, known);
    if (part == NOTHING || aarch64_is_vector_access(word))
        return forgets(0);
    if (is_pair) /* ldpsw is 01 */
        kind = !aarch64_loads(word) ? 0 : aarch64_bits(word, 30, 2) == 1 ? 2 : 1;
    if (is_pair ? aarch64_bits(word, 23, 2) == 2 : aarch64_bits(word, 10, 2) == 0) /* without write-back */
        displacement += amount;
    return register_effect(part == SECOND ? aarch64_rt2(word) : aarch64_rd(word), base, displacement, scale,
                           kind, values, known);
}

static struct atomc_instruction_effect access_effect(uint32_t word, unsigned number, const long *values,
                                                     uint32_t known) {
    static const uint8_t pairs[4][EFFECT_PARTS] = {{FIRST, SECOND, NOTHING},
                                                   {FIRST, SECOND, CHANGES_AFTER},
                                                   {FIRST, SECOND, NOTHING},
                                                   {CHANGES_BEFORE, FIRST, SECOND}};
    static const uint8_t singles[4][EFFECT_PARTS] = {{FIRST, NOTHING, NOTHING},
                                                     {FIRST, CHANGES_AFTER, NOTHING},
                                                     {FIRST, NOTHING, NOTHING},
                                                     {CHANGES_BEFORE, FIRST, NOTHING}};
    if (!AARCH64_IS(word, PAIR))
        return part_effect(word, (enum part)singles[aarch64_bits(word, 10, 2)][number], values, known);
    unsigned part = pairs[aarch64_bits(word, 23, 2)][number];
    if (aarch64_loads(word) && aarch64_rd(word) == aarch64_rn(word) && part != NOTHING)
        part = part == FIRST ? SECOND : FIRST; /* the base is loaded last */
    return part_effect(word, (enum part)part, values, known);
}

struct atomc_instruction_effect atomc_instruction_effect_of(uint32_t word, long pc, const long *values,
                                                            uint32_t known) {
    const unsigned number = (unsigned)pc & 3;
    if (AARCH64_IS(word, PAIR) || AARCH64_IS(word, ACCESS_NEAR))
        return access_effect(word, number, values, known);
    if (number > 0)
        return forgets(0);
    if (atomc_is_conditional_branch(word) || is_branch_word(word) || is_jump_word(word))
        return transfer_effect(word, pc, values, known);
    if (AARCH64_IS(word, ADD_CONSTANT))
        return add_constant_effect(word, values, known);
    if (AARCH64_IS(word, MOVE_WIDE))
        return move_wide_effect(word, values, known);
    if (AARCH64_IS(word, LOGICAL))
        return logical_effect(word);
    if (AARCH64_IS(word, ADR) || AARCH64_IS(word, ADRP))
        return address_effect(word, pc);
    if (AARCH64_IS(word, ACCESS))
        return aarch64_is_vector_access(word)
                   ? forgets(0)
                   : register_effect(aarch64_rd(word), aarch64_rn(word), access_displacement(word),
                                     aarch64_access_scale(word), aarch64_bits(word, 22, 2), values, known);
    if (AARCH64_IS(word, BRK) || AARCH64_IS(word, UDF))
        return (struct atomc_instruction_effect){.kind = EFFECT_ENDS};
    if (AARCH64_IS(word, EXCEPTION))
        return forgets(1);
    if (AARCH64_IS(word, SCALABLE_ACCESS))
        return forgets(0);
    return forgets(is_access_word(word) && is_store_word(word) && !is_conditional_store(word)
                       ? 0
                       : bit_of(aarch64_rd(word)) |
                             (is_conditional_store(word) ? bit_of(aarch64_rm(word)) : 0));
}
