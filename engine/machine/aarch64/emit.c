/* emit.c: the verbs of machine.h in AArch64's instructions, of the base architecture only. They change no
   flags. Verbs that only code for static addresses and threads' own values needs are not there yet: refused.c
   of engine/select refuses tools and programs that would need them. Requires addresses below 4 GB. */
#include "engine/machine/aarch64/internal.h"
#include "runtime/machine/aarch64/layout.h"
#include "runtime/machine/aarch64/marks.h"
#include "runtime/machine/aarch64/offsets.h"
#include "runtime/interface.h"

_Static_assert(8 * (uint64_t)PLAN_MOST_CELLS < AARCH64_SCRATCH - AARCH64_CELLS, "cells must have room");

/* What adrp counts in. */
enum { PAGE_BYTES = 4096 };

/* Registers of the runtime's primitives that inserted code calls (primitives.S). */
enum { HELPER_VALUE = 16, HELPER_SIZE = 17 };

/* A number that one instruction puts into the stack pointer: consecutive ones. */
enum { STACK_ONES_FROM = 21, STACK_ONES = 9, STACK_NEAR = ((1 << STACK_ONES) - 1) << STACK_ONES_FROM };

/* ---- values ---------------------------------------------------------------------------------------------------- */

static void put_move(struct code *code, unsigned from, unsigned to) {
    if (is_vector_register(from))
        emit(code, with_registers(ENCODED_ORR_VECTOR, to, from, from));
    else if (from == AARCH64_STACK || to == AARCH64_STACK)
        emit(code, word_of_addition(to, from, 0));
    else
        emit(code, with_registers((uint32_t)ENCODED_ORR, to, NO_REGISTER, from));
}

static void put_clear(struct code *code, unsigned to) {
    if (is_vector_register(to))
        emit(code, with_two_registers((uint32_t)ENCODED_FMOV_INTEGER, to, NO_REGISTER));
    else
        emit(code, word_of_part(ENCODED_MOVZ, to, 0, 0));
}

static uint16_t part_of(uint64_t value, unsigned part) {
    return (uint16_t)(value >> 16 * part);
}

/* The parts of 16 bits that are not `other`. */
static unsigned different_parts(uint64_t value, uint16_t other) {
    unsigned count = 0;
    for (unsigned part = 0; part < 4; part++)
        count += part_of(value, part) != other;
    return count;
}

static bool put_constant(struct code *code, int64_t value, unsigned to) {
    const uint64_t bits = (uint64_t)value;
    if (value >> 31 == 0 && bits % PAGE_BYTES == 0 && different_parts(bits, 0) > 1) {
        emit(code, word_of_page(to, code_address(code), (uint32_t)value)); /* adrp: all pages are near */
        return true;
    }
    bool inverted = different_parts(bits, UINT16_MAX) < different_parts(bits, 0), first = true;
    const uint16_t other = inverted ? UINT16_MAX : 0;
    if (different_parts(bits, other) > 2)
        return false;
    for (unsigned part = 0; part < 4; part++) {
        bool is_last = first && part == 3;
        if (part_of(bits, part) == other && !is_last)
            continue;
        if (!first)
            emit(code, word_of_part(ENCODED_MOVK, to, part, part_of(bits, part)));
        else if (inverted)
            emit(code, word_of_part(ENCODED_MOVN, to, part, (uint16_t)~part_of(bits, part)));
        else
            emit(code, word_of_part(ENCODED_MOVZ, to, part, part_of(bits, part)));
        first = false;
    }
    return true;
}

static int put_address_base(struct code *code, uint32_t address, unsigned to) {
    emit(code, word_of_page(to, code_address(code), address));
    return (int)(address % PAGE_BYTES);
}

static void put_address_fixed(struct code *code, uint32_t address, unsigned to) {
    emit(code, word_of_part(ENCODED_MOVZ, to, 0, (uint16_t)address));
    emit(code, word_of_part(ENCODED_MOVK, to, 1, (uint16_t)(address >> 16)));
}

static void put_add_constant(struct code *code, unsigned from, int64_t amount, unsigned to) {
    int64_t size = amount < 0 ? -amount : amount, low = size % 4096;
    if (fits_addition(amount)) {
        emit(code, word_of_addition(to, from, amount));
        return;
    }
    assert(size < 1 << 24);
    emit(code, word_of_addition(to, from, amount < 0 ? low - size : size - low));
    emit(code, word_of_addition(to, to, amount < 0 ? -low : low));
}

/* In the stack pointer only SITE_FRAME. */
static void put_address(struct code *code, uint32_t address, unsigned to) {
    if (to != AARCH64_STACK) {
        put_constant(code, address, to);
        return;
    }
    assert(address == SITE_FRAME);
    emit(code, word_of_ones(AARCH64_STACK, STACK_ONES_FROM, STACK_ONES));
    put_add_constant(code, AARCH64_STACK, (int64_t)SITE_FRAME - STACK_NEAR, AARCH64_STACK);
}

/* A register outside of the set is saved on the stack while it has a constant, the flags, or the outcome of a
   store. */
static unsigned put_borrow_other(struct code *code, register_set used) {
    unsigned reg = 17;
    while (used & REGISTER_BIT(reg))
        reg--;
    emit(code, with_two_registers((uint32_t)ENCODED_PUSH, reg, AARCH64_STACK));
    return reg;
}

static register_set bit_of(unsigned reg) {
    return reg == NO_REGISTER ? 0 : REGISTER_BIT(reg);
}

static unsigned put_borrow(struct code *code, unsigned a, unsigned b, unsigned c) {
    return put_borrow_other(code, bit_of(a) | bit_of(b) | bit_of(c));
}

static void put_give_back(struct code *code, unsigned reg) {
    emit(code, with_two_registers((uint32_t)ENCODED_POP, reg, AARCH64_STACK));
}

/* to = 1 if the register is 0, else 0. */
static void put_is_zero(struct code *code, unsigned reg, unsigned to) {
    emit(code, with_two_registers((uint32_t)ENCODED_CLZ, to, reg));
    emit(code, word_of_field(to, to, 6, 58, false));
}

/* The flags are those of before. */
static void put_comparison(struct code *code, unsigned condition, unsigned a, unsigned b, unsigned to) {
    unsigned flags = put_borrow(code, a, b, to);
    emit(code, (uint32_t)ENCODED_READ_FLAGS | flags);
    emit(code, with_registers((uint32_t)ENCODED_COMPARE, NO_REGISTER, a, b));
    emit(code, word_of_condition(to, condition));
    emit(code, (uint32_t)ENCODED_SET_FLAGS | flags);
    put_give_back(code, flags);
}

static void put_operate(struct code *code, enum integer_operator operation, unsigned a, unsigned b,
                        unsigned to) {
    const uint32_t word = encoded_operator(operation);
    bool is_index = operation == OPERATOR_INDEX_4 || operation == OPERATOR_INDEX_8;
    if (word) {
        emit(code, with_registers(word, to, is_index ? b : a, is_index ? a : b));
    } else if (operation == OPERATOR_EQUAL) {
        emit(code, with_registers(encoded_operator(OPERATOR_XOR), to, a, b));
        put_is_zero(code, to, to);
    } else {
        put_comparison(code, encoded_comparison(operation), a, b, to);
    }
}

static void put_operate_constant(struct code *code, enum integer_operator operation, unsigned a,
                                 unsigned number, unsigned to) {
    const unsigned shift = number & 63;
    bool has_register = a != NO_REGISTER;
    if (operation == OPERATOR_ADD && has_register) {
        put_add_constant(code, a, number, to);
    } else if (operation == OPERATOR_SUBTRACT && has_register) {
        put_add_constant(code, a, -(int64_t)number, to);
    } else if (operation == OPERATOR_SHIFT_LEFT) {
        emit(code, word_of_left_shift(to, a, shift));
    } else if (operation == OPERATOR_SHIFT_RIGHT || operation == OPERATOR_SHIFT_RIGHT_SIGNED) {
        emit(code, word_of_field(to, a, shift, 64 - shift, operation == OPERATOR_SHIFT_RIGHT_SIGNED));
    } else if (operation == OPERATOR_EQUAL && number == 0) {
        put_is_zero(code, a, to);
    } else if (operation == OPERATOR_ADD_INT && number == 0) {
        emit(code, word_of_field(to, a, 0, 32, true));
    } else {
        unsigned constant = put_borrow(code, a, to, NO_REGISTER);
        put_constant(code, number, constant);
        put_operate(code, operation, a, constant, to);
        put_give_back(code, constant);
    }
}

static void put_divide(struct code *code, bool remainder, unsigned a, unsigned b, unsigned to) {
    if (!remainder) {
        emit(code, with_registers((uint32_t)ENCODED_DIVIDE, to, a, b)); /* by 0: 0 */
        return;
    }
    unsigned rest = put_borrow(code, a, b, to);
    emit(code, with_registers((uint32_t)ENCODED_DIVIDE, rest, a, b));
    emit(code, word_of_multiplied_difference(rest, a, rest, b));
    machine_branch_if(code, CONDITION_NONZERO, b, 1);
    emit(code, word_of_part(ENCODED_MOVZ, rest, 0, 0));
    put_move(code, rest, to);
    put_give_back(code, rest);
}

static void put_exchange(struct code *code, unsigned a, unsigned b) {
    put_operate(code, OPERATOR_XOR, a, b, a);
    put_operate(code, OPERATOR_XOR, a, b, b);
    put_operate(code, OPERATOR_XOR, a, b, a);
}

static void put_extend(struct code *code, unsigned size, unsigned to) {
    if (size < 8)
        emit(code, word_of_field(to, to, 0, 8 * size, size == 4));
}

/* ---- memory ---------------------------------------------------------------------------------------------------- */

static void put_load(struct code *code, unsigned size, unsigned to, unsigned base, int displacement) {
    enum access kind = size == 4 && !is_vector_register(to) ? ACCESS_LOAD_SIGNED : ACCESS_LOAD;
    emit(code, word_of_access(kind, size, to, base, displacement));
}

static void put_store(struct code *code, unsigned size, unsigned from, unsigned base, int displacement) {
    emit(code, word_of_access(ACCESS_STORE, size, from, base, displacement));
}

static void put_load_anywhere(struct code *code, unsigned size, unsigned to, unsigned low, unsigned high) {
    (void)low;
    (void)high;
    emit(code, word_of_access(ACCESS_LOAD, size, to, to, 0));
    emit(code, READ_MARK(1));
}

/* In order of their numbers; the base is the last. */
static void put_accesses(struct code *code, register_set set, unsigned base, uint32_t offset,
                         enum access access) {
    uint32_t last = NO_INDEX;
    for (; set; set &= set - 1, offset += 8) {
        unsigned reg = (unsigned)__builtin_ctzll(set);
        if (reg == base)
            last = offset;
        else
            emit(code, word_of_access(access, 8, reg, base, (int)offset));
    }
    if (last != NO_INDEX)
        emit(code, word_of_access(access, 8, base, base, (int)last));
}

static void put_save(struct code *code, register_set set, unsigned base, uint32_t offset) {
    put_accesses(code, set, base, offset, ACCESS_STORE);
}

static void put_restore(struct code *code, register_set set, unsigned base, uint32_t offset) {
    put_accesses(code, set, base, offset, ACCESS_LOAD);
}

/* ---- cells ----------------------------------------------------------------------------------------------------- */

static void put_sum(struct code *code, struct cell_amount amount, unsigned value) {
    if (amount.reg == NO_REGISTER)
        put_add_constant(code, value, amount.constant, value);
    else
        put_operate(code, OPERATOR_ADD, value, amount.reg, value);
}

/* to = from if the register is not 0; NO_REGISTER is 0. */
static void put_choice(struct code *code, unsigned tested, unsigned from, unsigned to) {
    machine_branch_if(code, CONDITION_ZERO, tested, 1);
    emit(code, with_registers(encoded_operator(OPERATOR_OR), to, NO_REGISTER, from));
}

/* An access to a cell that other threads may update, too: a loop from `load` on, until the store succeeds.
   Its instructions have no displacement. No other access to memory is in the loop: a processor may then let
   each store fail. */
struct locked_access {
    unsigned outcome; /* a borrowed register: 0 after a store that succeeded */
    uint32_t load;    /* position */
};

static register_set used_by(const struct cell_update *update) {
    return bit_of(update->value) | bit_of(update->base) | bit_of(update->amount.reg);
}

/* `others`: registers that the caller uses from here to the store. */
static struct locked_access put_load_of_cell(struct code *code, const struct cell_update *update, bool atomic,
                                             register_set others) {
    struct locked_access access = {.outcome = NO_REGISTER};
    if (!atomic) {
        put_load(code, 8, update->value, update->base, update->displacement);
        return access;
    }
    access.outcome = put_borrow_other(code, used_by(update) | others);
    if (update->displacement != 0)
        put_add_constant(code, update->base, update->displacement, update->base);
    access.load = code_position(code);
    emit(code, with_two_registers((uint32_t)ENCODED_LOAD_LOCKED, update->value, update->base));
    return access;
}

static void put_store_of_cell(struct code *code, const struct cell_update *update,
                              struct locked_access access) {
    if (access.outcome == NO_REGISTER) {
        put_store(code, 8, update->value, update->base, update->displacement);
        return;
    }
    emit(code, with_registers((uint32_t)ENCODED_STORE_LOCKED, update->value, update->base, access.outcome));
    machine_branch_if_to(code, CONDITION_NONZERO, access.outcome, access.load);
    if (update->displacement != 0)
        put_add_constant(code, update->base, -(int64_t)update->displacement, update->base);
    put_give_back(code, access.outcome);
}

/* value = the amount if that is larger, or smaller. The comparison changes the flags. */
static void put_extreme(struct code *code, const struct cell_update *update) {
    const unsigned value = update->value, amount = update->amount.reg;
    bool is_maximum = update->kind == PLAN_UPDATE_MAXIMUM;
    emit(code, with_registers((uint32_t)ENCODED_COMPARE, NO_REGISTER, is_maximum ? value : amount,
                              is_maximum ? amount : value));
    emit(code, word_of_condition(update->test, encoded_comparison(OPERATOR_LESS)));
    put_choice(code, update->test, amount, value);
}

static void put_update_cell(struct code *code, const struct cell_update *update, bool atomic) {
    if (update->kind == PLAN_UPDATE_SET) {
        put_store(code, 8, update->amount.reg, update->base, update->displacement);
        return;
    }
    if (update->kind == PLAN_UPDATE_ADD) {
        struct locked_access access = put_load_of_cell(code, update, atomic, 0);
        put_sum(code, update->amount, update->value);
        put_store_of_cell(code, update, access);
        return;
    }
    const register_set test = REGISTER_BIT(update->test);
    unsigned flags = put_borrow_other(code, used_by(update) | test);
    emit(code, (uint32_t)ENCODED_READ_FLAGS | flags);
    struct locked_access access = put_load_of_cell(code, update, atomic, test | REGISTER_BIT(flags));
    put_extreme(code, update);
    put_store_of_cell(code, update, access);
    emit(code, (uint32_t)ENCODED_SET_FLAGS | flags);
    put_give_back(code, flags);
}

static void put_count_cell_to(struct code *code, const struct cell_update *update, bool atomic,
                              struct cell_amount limit, unsigned to) {
    const unsigned value = update->value;
    struct locked_access access =
        put_load_of_cell(code, update, atomic, bit_of(limit.reg) | REGISTER_BIT(to));
    put_sum(code, update->amount, value);
    if (limit.reg == NO_REGISTER) {
        put_add_constant(code, value, -(int64_t)limit.constant, to);
        put_is_zero(code, to, to);
    } else {
        put_operate(code, OPERATOR_EQUAL, value, limit.reg, to);
    }
    put_choice(code, to, NO_REGISTER, value);
    put_store_of_cell(code, update, access);
}

static uint32_t put_after_update(const struct code *code, uint32_t begin) {
    uint32_t end = code_position(code);
    for (; !is_store_of_8(code->words[end - 1]) && !is_locked_store_of_8(code->words[end - 1]); end--)
        assert(end > begin + 1);
    bool may_fail = is_locked_store_of_8(code->words[end - 1]); /* its branch back is part of it */
    return code->address + 4 * (end + may_fail);
}

/* The second is add base, base, base, lsr #shift; below the layout's half is the low half of the sum. */
static int put_thread_record(struct code *code, int distance, unsigned scale, unsigned base,
                             unsigned helper) {
    const uint32_t shifted_right = 1 << 22 | ATOMC_RECORDS_SHIFT << 10;
    const int near = distance % 4096, far = distance - near;
    emit(code, (uint32_t)ENCODED_READ_THREAD | encoded_register(base));
    emit(code, with_registers((uint32_t)ENCODED_ADD | shifted_right, base, base, base));
    emit(code, word_of_field(base, base, 0, 32, false));
    if (scale) {
        emit(code, word_of_left_shift(base, base, scale));
        emit(code, word_of_part(ENCODED_MOVZ, helper, 2, (uint16_t)(ATOMC_RECORDS >> 32)));
        put_operate(code, OPERATOR_ADD, base, helper, base);
    } else {
        emit(code, word_of_part(ENCODED_MOVK, base, 2, (uint16_t)(ATOMC_RECORDS >> 32)));
    }
    if (far)
        put_add_constant(code, base, far, base);
    return near;
}
_Static_assert((uint32_t)ATOMC_RECORDS == 0, "its low half is the thread's");

/* ---- words ----------------------------------------------------------------------------------------------------- */

static bool word_aim(uint32_t *word, int64_t words) {
    struct branch_field field = branch_field_of(*word);
    if (!fits_field(field, words + 1))
        return false;
    *word = with_field(*word, field, words + 1);
    return true;
}

static uint32_t word_reach(uint32_t word) {
    return UINT32_C(1) << (branch_field_of(word).width - 1);
}

static bool branch_reaches(int64_t words) {
    return fits_field(branch_field_of(ENCODED_B), words + 1);
}

static uint32_t word_of_branch(int64_t words) {
    return with_field(ENCODED_B, branch_field_of(ENCODED_B), words + 1);
}

static uint32_t word_invert(uint32_t branch) {
    return opposite_branch(branch);
}

static bool word_is_conditional(uint32_t word, int64_t words) {
    bool is_conditional = is_test_of_bit(word) || is_test_of_zero(word) || is_by_flags(word);
    return is_conditional && with_field(word, branch_field_of(word), words + 1) == word;
}

static uint32_t word_of_call(unsigned link, int64_t words) {
    assert(link == AARCH64_LINK);
    return with_field((uint32_t)ENCODED_BL, branch_field_of((uint32_t)ENCODED_BL), words + 1);
}

/* Of movz, movk: emit.c's put_address_fixed(). */
static void word_aim_address(uint32_t *words, uint32_t address) {
    unsigned to = words[0] & 31;
    words[0] = word_of_part(ENCODED_MOVZ, to, 0, (uint16_t)address);
    words[1] = word_of_part(ENCODED_MOVK, to, 1, (uint16_t)(address >> 16));
}

static int64_t words_between(uint64_t branch, uint64_t target) {
    return ((int64_t)target - (int64_t)branch - 4) / 4;
}

/* str x30, [sp, #-16]!; bl gate; ldr x30, [sp], #16; b back. The link is on the stack, 16 bytes. */
static void word_gate_stub(uint32_t words[GATE_STUB_WORDS], uint64_t address, uint64_t gate, uint64_t back) {
    words[0] = with_two_registers((uint32_t)ENCODED_PUSH, AARCH64_LINK, AARCH64_STACK);
    words[1] = word_of_call(AARCH64_LINK, words_between(address + 4, gate));
    words[2] = with_two_registers((uint32_t)ENCODED_POP, AARCH64_LINK, AARCH64_STACK);
    words[3] = word_of_branch(words_between(address + 12, back));
}

static bool word_is_spill(uint32_t word) {
    (void)word;
    return false; /* spills are near the stack pointer */
}

/* ---- control --------------------------------------------------------------------------------------------------- */

static void put_branch(struct code *code, int64_t words) {
    emit(code, word_of_branch(words));
}

static void put_branch_if(struct code *code, enum branch_condition condition, unsigned reg, int64_t words) {
    uint32_t word = 0;
    switch (condition) {
    case CONDITION_ZERO:
        word = (uint32_t)ENCODED_CBZ | encoded_register(reg);
        break;
    case CONDITION_NONZERO:
        word = (uint32_t)ENCODED_CBNZ | encoded_register(reg);
        break;
    case CONDITION_NEGATIVE:
        word = word_of_bit_test(ENCODED_TBNZ, reg, 63);
        break;
    case CONDITION_NOT_NEGATIVE:
        word = word_of_bit_test(ENCODED_TBZ, reg, 63);
        break;
    case CONDITION_ODD:
        word = word_of_bit_test(ENCODED_TBNZ, reg, 0);
        break;
    case CONDITION_EVEN:
        word = word_of_bit_test(ENCODED_TBZ, reg, 0);
        break;
    default:
        assert(!"a condition of one instruction");
    }
    bool reaches = word_aim(&word, words);
    assert(reaches);
    (void)reaches;
    emit(code, word);
}

/* Branches over the move if the condition does not hold. */
static void put_select(struct code *code, enum branch_condition condition, unsigned tested, unsigned from,
                       unsigned to) {
    put_branch_if(code, opposite_condition(condition), tested, 1);
    emit(code, with_registers(encoded_operator(OPERATOR_OR), to, NO_REGISTER, from));
}

static void put_select_constant(struct code *code, enum branch_condition condition, unsigned tested,
                                unsigned number, unsigned to) {
    put_branch_if(code, opposite_condition(condition), tested, 1);
    emit(code, word_of_part(ENCODED_MOVZ, to, 0, (uint16_t)number));
}

/* 65 minus the number of leading zeros; 0 for negative values. No table is read. */
static void put_bit_length(struct code *code, unsigned value, unsigned to, unsigned helper, unsigned table,
                           uint32_t lengths) {
    (void)lengths;
    emit(code, with_two_registers((uint32_t)ENCODED_CLZ, helper, value));
    emit(code, word_of_part(ENCODED_MOVZ, table, 0, 65));
    put_operate(code, OPERATOR_SUBTRACT, table, helper, helper);
    put_select_constant(code, CONDITION_NEGATIVE, value, 0, helper);
    put_move(code, helper, to);
}

static void put_condition_value(struct code *code, uint32_t branch, unsigned to, unsigned helper) {
    const bool is_wide = aarch64_bits(branch, 31, 1), is_nonzero = aarch64_bits(branch, 24, 1);
    const unsigned condition = aarch64_bits(branch, 0, 4);
    (void)helper;
    if (is_by_flags(branch)) {
        emit(code, condition < 14 ? word_of_condition(to, condition) : word_of_part(ENCODED_MOVZ, to, 0, 1));
        return;
    }
    if (is_test_of_bit(branch)) {
        unsigned bit = (unsigned)is_wide << 5 | aarch64_bits(branch, 19, 5);
        emit(code, word_of_field(to, to, bit, 1, false));
    } else {
        emit(code, with_two_registers((uint32_t)(is_wide ? ENCODED_CLZ : ENCODED_CLZ_32), to, to));
        emit(code, word_of_field(to, to, is_wide ? 6 : 5, 58, false));
    }
    bool inverts = is_test_of_bit(branch) ? !is_nonzero : is_nonzero;
    if (inverts)
        emit(code, word_of_flip(to, to, 0, 1));
}

static unsigned word_condition_temporaries(uint32_t branch) {
    (void)branch;
    return 0;
}

static void put_jump(struct code *code, unsigned target) {
    emit(code, with_two_registers((uint32_t)ENCODED_BR, 0, target));
}

static void put_return_to(struct code *code, unsigned target) {
    emit(code, with_two_registers((uint32_t)ENCODED_RET, 0, target));
}

static void put_call(struct code *code, unsigned link, unsigned target) {
    assert(link == AARCH64_LINK);
    emit(code, with_two_registers((uint32_t)ENCODED_BLR, 0, target));
}

/* bl, or blr through x30 itself. */
static void put_near_call(struct code *code, uint32_t to) {
    int64_t words = ((int64_t)to - (int64_t)code_address(code) - 4) / 4;
    if (branch_reaches(words)) {
        emit(code, word_of_call(AARCH64_LINK, words));
    } else {
        put_address(code, to, AARCH64_LINK);
        put_call(code, AARCH64_LINK, AARCH64_LINK);
    }
}

/* Room for x16, x17 and x30, which the runtime's code restores. */
static void put_wrap(struct code *code, uint32_t routine, uint32_t caller, uint32_t words) {
    put_add_constant(code, AARCH64_STACK, -ROUTINE_LINKAGE, AARCH64_STACK);
    put_store(code, 8, 16, AARCH64_STACK, 0);
    put_store(code, 8, 17, AARCH64_STACK, 8);
    put_store(code, 8, AARCH64_LINK, AARCH64_STACK, 16);
    put_address(code, routine, 16);
    put_address(code, words, AARCH64_LINK);
    put_address(code, caller, 17);
    put_jump(code, 17);
}

static void put_no_operation(struct code *code) {
    emit(code, (uint32_t)ENCODED_NOP);
}

/* ---- the system ------------------------------------------------------------------------------------------------ */

static void put_system_call(struct code *code) {
    emit(code, aarch64_architecture.system_call);
}

static void put_thread_pointer(struct code *code, unsigned to) {
    emit(code, (uint32_t)ENCODED_READ_THREAD | encoded_register(to));
}

static void put_set_thread_pointer(struct code *code) {
    emit(code, (uint32_t)ENCODED_SET_THREAD);
}

static void put_cycles(struct code *code, unsigned to) {
    emit(code, (uint32_t)ENCODED_READ_CYCLES | encoded_register(to));
}

/* ---- the machine ----------------------------------------------------------------------------------------------- */

static const struct word_verbs word_verbs = {
    .aim = word_aim,
    .aim_address = word_aim_address,
    .reaches = branch_reaches,
    .reach = word_reach,
    .branch = word_of_branch,
    .invert = word_invert,
    .is_conditional = word_is_conditional,
    .call = word_of_call,
    .load_literal = word_of_literal_load,
    .condition_temporaries = word_condition_temporaries,
    .is_spill = word_is_spill,
    .gate_stub = word_gate_stub,
};

static void put_set_flags(struct code *code, unsigned from) {
    emit(code, (uint32_t)ENCODED_SET_FLAGS | encoded_register(from));
}

static const struct emit_verbs emit_verbs = {
    .move = put_move,
    .clear = put_clear,
    .constant = put_constant,
    .address = put_address,
    .address_base = put_address_base,
    .address_fixed = put_address_fixed,
    .add_constant = put_add_constant,
    .operate = put_operate,
    .operate_constant = put_operate_constant,
    .select = put_select,
    .select_constant = put_select_constant,
    .exchange = put_exchange,
    .extend = put_extend,
    .bit_length = put_bit_length,
    .condition_value = put_condition_value,
    .divide = put_divide,
    .load = put_load,
    .store = put_store,
    .save = put_save,
    .restore = put_restore,
    .load_anywhere = put_load_anywhere,
    .update_cell = put_update_cell,
    .count_cell_to = put_count_cell_to,
    .after_update = put_after_update,
    .thread_record = put_thread_record,
    .branch = put_branch,
    .branch_if = put_branch_if,
    .jump = put_jump,
    .return_to = put_return_to,
    .call = put_call,
    .near_call = put_near_call,
    .call_helper = put_near_call,
    .wrap = put_wrap,
    .no_operation = put_no_operation,
    .system_call = put_system_call,
    .thread_pointer = put_thread_pointer,
    .set_thread_pointer = put_set_thread_pointer,
    .cycles = put_cycles,
    .set_flags = put_set_flags,
};

const struct machine aarch64_machine = {
    .architecture = &aarch64_architecture,
    .registers = &aarch64_architecture.registers,
    .layout = &aarch64_layout,
    .farthest_branch = 1040000,
    .programs_end = AARCH64_TEXT_END,
    .only_counts = true,
    .promotion_cost = 12,
    .unresolved_trap = ATOMC_TRAP,
    .stack_marks = {STACK_MARK(0), STACK_MARK(1)},
    .helper_left = HELPER_VALUE,
    .helper_right = HELPER_SIZE,
    .helper_result = HELPER_VALUE,
    .helper_encoded = HELPER_SIZE,
    .helper_changes = REGISTERS(HELPER_VALUE, HELPER_SIZE) | REGISTER_BIT(AARCH64_LINK),
    .emit = &emit_verbs,
    .words = &word_verbs,
    .transfers = &aarch64_transfers,
};
