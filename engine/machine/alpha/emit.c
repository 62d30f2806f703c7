/* emit.c: the verbs of machine.h in Alpha's instructions, of the base-line architecture (EV4) only.
   Requires codegen's encoder; addresses below 2 GB. */
#include <assert.h>

#include "engine/machine/alpha/internal.h"
#include "runtime/machine/alpha/layout.h"
#include "runtime/interface.h"
#include "runtime/machine/alpha/marks.h"

/* ---- values ---------------------------------------------------------------------------------------------------- */

static void put_move(struct code *code, unsigned from, unsigned to) {
    if (from < 32)
        emit(code, alpha_operate(ALPHA_BISr, ALPHA_ZERO, from, to));
    else
        emit(code, alpha_operate(ALPHA_CPYS, from & 31, from & 31, to & 31));
}

static void put_clear(struct code *code, unsigned to) {
    if (to < 32)
        emit(code, alpha_operate(ALPHA_BISr, ALPHA_ZERO, ALPHA_ZERO, to));
    else
        emit(code, alpha_operate(ALPHA_CPYS, ALPHA_ZERO, ALPHA_ZERO, to & 31));
}

static bool put_constant(struct code *code, int64_t value, unsigned to) {
    if (value == (int16_t)value) {
        emit(code, alpha_memory(ALPHA_LDA, to, (int)value, ALPHA_ZERO));
        return true;
    }
    int64_t low = (int16_t)value, high = (value >> 16) + (low < 0);
    if (high != (int16_t)high)
        return false;
    emit(code, alpha_memory(ALPHA_LDAH, to, (int)high, ALPHA_ZERO));
    if (low != 0)
        emit(code, alpha_memory(ALPHA_LDA, to, (int)low, to));
    return true;
}

static int put_address_base(struct code *code, uint32_t address, unsigned to) {
    struct halves halves = address_halves(address);
    emit(code, alpha_memory(ALPHA_LDAH, to, halves.high, ALPHA_ZERO));
    return halves.low;
}

static void put_address(struct code *code, uint32_t address, unsigned to) {
    int low = put_address_base(code, address, to);
    if (low != 0)
        emit(code, alpha_memory(ALPHA_LDA, to, low, to));
}

static void put_address_fixed(struct code *code, uint32_t address, unsigned to) {
    int low = put_address_base(code, address, to);
    emit(code, alpha_memory(ALPHA_LDA, to, low, to));
}

static void put_add_constant(struct code *code, unsigned from, int64_t amount, unsigned to) {
    if (amount == (int16_t)amount) {
        emit(code, alpha_memory(ALPHA_LDA, to, (int)amount, from));
        return;
    }
    assert(amount % 65536 == 0);
    emit(code, alpha_memory(ALPHA_LDAH, to, (int)(amount / 65536), from));
}

static const uint16_t opcodes[OPERATOR_COUNT] = {
#define ALPHA_OPERATOR(operation, instruction) [OPERATOR_##operation] = ALPHA_##instruction##r,
#include "codegen/alpha/operators.def"
#undef ALPHA_OPERATOR
};

static unsigned register_or_zero(unsigned reg) {
    return reg == NO_REGISTER ? ALPHA_ZERO : reg;
}

static void put_operate(struct code *code, enum integer_operator operation, unsigned a, unsigned b,
                        unsigned to) {
    emit(code, alpha_operate(opcodes[operation], register_or_zero(a), register_or_zero(b), to));
}

static void put_operate_constant(struct code *code, enum integer_operator operation, unsigned a,
                                 unsigned number, unsigned to) {
    emit(code, alpha_literal(alpha_literal_form(opcodes[operation]), register_or_zero(a), number, to));
}

static const uint16_t moves[CONDITION_COUNT] = {
    [CONDITION_ZERO] = ALPHA_CMOVEQr,     [CONDITION_NONZERO] = ALPHA_CMOVNEr,
    [CONDITION_NEGATIVE] = ALPHA_CMOVLTr, [CONDITION_NOT_NEGATIVE] = ALPHA_CMOVGEr,
    [CONDITION_POSITIVE] = ALPHA_CMOVGTr, [CONDITION_NOT_POSITIVE] = ALPHA_CMOVLEr,
    [CONDITION_ODD] = ALPHA_CMOVLBSr,     [CONDITION_EVEN] = ALPHA_CMOVLBCr,
};

static void put_select(struct code *code, enum branch_condition condition, unsigned tested, unsigned from,
                       unsigned to) {
    emit(code, alpha_operate(moves[condition], tested, register_or_zero(from), to));
}

static void put_select_constant(struct code *code, enum branch_condition condition, unsigned tested,
                                unsigned number, unsigned to) {
    emit(code, alpha_literal(alpha_literal_form(moves[condition]), tested, number, to));
}

static void put_exchange(struct code *code, unsigned a, unsigned b) {
    emit(code, alpha_operate(ALPHA_XORr, a, b, a));
    emit(code, alpha_operate(ALPHA_XORr, a, b, b));
    emit(code, alpha_operate(ALPHA_XORr, a, b, a));
}

static void put_extend(struct code *code, unsigned size, unsigned to) {
    if (size == 1)
        emit(code, alpha_literal(ALPHA_ZAPNOTi, to, 1, to));
    else if (size == 2)
        emit(code, alpha_literal(ALPHA_ZAPNOTi, to, 3, to));
    else if (size == 4)
        emit(code, alpha_literal(ALPHA_ADDLi, to, 0, to));
}

/* cmpbge finds the bytes that are 0. The complement of its result is an index into the table, which gives the
   highest byte that is not 0. This byte is a second index, which gives its bit length. */
static void put_bit_length(struct code *code, unsigned value, unsigned to, unsigned helper, unsigned table,
                           uint32_t lengths) {
    emit(code, alpha_operate(ALPHA_CMPBGEr, ALPHA_ZERO, value, helper));
    emit(code, alpha_literal(ALPHA_XORi, helper, 255, helper));
    put_address(code, lengths, table);
    emit(code, alpha_operate(ALPHA_S8ADDQr, helper, table, helper));
    emit(code, alpha_memory(ALPHA_LDQ, helper, 0, helper)); /* 1 + the number of the highest byte, not 0 */
    emit(code, alpha_memory(ALPHA_LDA, to, -1, helper));
    emit(code, alpha_operate(ALPHA_EXTBLr, value, to, to));
    emit(code, alpha_operate(ALPHA_S8ADDQr, to, table, to));
    emit(code, alpha_memory(ALPHA_LDQ, to, 0, to));
    emit(code, alpha_operate(ALPHA_S8ADDQr, helper, to, to));
    emit(code, alpha_memory(ALPHA_LDA, to, -7, to));
    emit(code, alpha_literal(ALPHA_CMOVEQi, value, 1, to));
    emit(code, alpha_operate(ALPHA_CMOVLTr, value, ALPHA_ZERO, to));
}

/* Floating-point branches test only bits: the sign, and whether all others are zero (Alpha Architecture
   Reference Manual, 4.9.1). */
static void put_condition_value(struct code *code, uint32_t branch, unsigned to, unsigned helper) {
    enum alpha_opcode opcode = alpha_decode(branch)->opcode_id;
    if (opcode == ALPHA_FBEQ || opcode == ALPHA_FBNE)
        emit(code, alpha_operate(ALPHA_ADDQr, to, to, to)); /* the sign is cleared: -0 is 0 */
    switch (opcode) {
    case ALPHA_BEQ:
    case ALPHA_FBEQ:
        emit(code, alpha_literal(ALPHA_CMPEQi, to, 0, to));
        break;
    case ALPHA_BNE:
    case ALPHA_FBNE:
        emit(code, alpha_operate(ALPHA_CMPULTr, ALPHA_ZERO, to, to));
        break;
    case ALPHA_BLT:
        emit(code, alpha_literal(ALPHA_SRLi, to, 63, to));
        break;
    case ALPHA_BGE:
        emit(code, alpha_operate(ALPHA_CMPLEr, ALPHA_ZERO, to, to));
        break;
    case ALPHA_BLE:
    case ALPHA_FBLE: /* as integers, too: -0 is the most negative, NaNs sort by sign */
        emit(code, alpha_literal(ALPHA_CMPLEi, to, 0, to));
        break;
    case ALPHA_BGT:
    case ALPHA_FBGT:
        emit(code, alpha_operate(ALPHA_CMPLTr, ALPHA_ZERO, to, to));
        break;
    case ALPHA_BLBS:
    case ALPHA_BLBC:
        emit(code, alpha_literal(ALPHA_ANDi, to, 1, to));
        break;
    case ALPHA_FBLT:
    case ALPHA_FBGE: /* (v - 1) & v is negative for negative v but -0 */
        emit(code, alpha_literal(ALPHA_SUBQi, to, 1, helper));
        emit(code, alpha_operate(ALPHA_ANDr, to, helper, to));
        emit(code, alpha_literal(ALPHA_SRLi, to, 63, to));
        break;
    default:
        break;
    }
    if (opcode == ALPHA_BLBC || opcode == ALPHA_FBGE)
        emit(code, alpha_literal(ALPHA_XORi, to, 1, to));
}

static unsigned word_condition_temporaries(uint32_t branch) {
    enum alpha_opcode opcode = alpha_decode(branch)->opcode_id;
    return opcode == ALPHA_FBLT || opcode == ALPHA_FBGE ? 1 : 0;
}

/* ---- memory ---------------------------------------------------------------------------------------------------- */

static void put_load(struct code *code, unsigned size, unsigned to, unsigned base, int displacement) {
    static const uint16_t integers[] = {[1] = ALPHA_LDBU, [2] = ALPHA_LDWU, [4] = ALPHA_LDL, [8] = ALPHA_LDQ};
    enum alpha_opcode opcode = to < 32 ? integers[size] : size == 8 ? ALPHA_LDT : ALPHA_LDS;
    emit(code, alpha_memory(opcode, to & 31, displacement, base));
}

static void put_load_rounded(struct code *code, unsigned to, unsigned base, int displacement) {
    emit(code, alpha_memory(ALPHA_LDQ_U, to, displacement, base));
}

static void put_store(struct code *code, unsigned size, unsigned from, unsigned base, int displacement) {
    static const uint16_t integers[] = {[1] = ALPHA_STB, [2] = ALPHA_STW, [4] = ALPHA_STL, [8] = ALPHA_STQ};
    bool integer = from < 32 || from == NO_REGISTER;
    emit(code, alpha_memory(integer ? integers[size] : ALPHA_STT, from & 31, displacement, base));
}

static void put_store_rounded(struct code *code, unsigned from, unsigned base, int displacement) {
    emit(code, alpha_memory(ALPHA_STQ_U, from, displacement, base));
}

static void put_saves(struct code *code, register_set set, unsigned base, uint32_t offset,
                      enum alpha_opcode integer, enum alpha_opcode floating) {
    uint32_t last = NO_INDEX;
    for (; set; set &= set - 1, offset += 8) {
        unsigned reg = (unsigned)__builtin_ctzll(set);
        if (reg == base)
            last = offset;
        else
            emit(code, alpha_memory(reg < 32 ? integer : floating, reg & 31, (int)offset, base));
    }
    if (last != NO_INDEX)
        emit(code, alpha_memory(integer, base, (int)last, base));
}

static void put_save(struct code *code, register_set set, unsigned base, uint32_t offset) {
    put_saves(code, set, base, offset, ALPHA_STQ, ALPHA_STT);
}

static void put_restore(struct code *code, register_set set, unsigned base, uint32_t offset) {
    put_saves(code, set, base, offset, ALPHA_LDQ, ALPHA_LDT);
}

/* Two quadwords contain the bytes at any address, and end with the last of these bytes: no other quadword is
   accessed. */
static void put_load_anywhere(struct code *code, unsigned size, unsigned to, unsigned low, unsigned high) {
    enum alpha_opcode low_part = size == 2 ? ALPHA_EXTWLr : size == 4 ? ALPHA_EXTLLr : ALPHA_EXTQLr;
    enum alpha_opcode high_part = size == 2 ? ALPHA_EXTWHr : size == 4 ? ALPHA_EXTLHr : ALPHA_EXTQHr;
    emit(code, alpha_memory(ALPHA_LDQ_U, low, 0, to));
    if (size == 1) {
        emit(code, READ_MARK(1));
        emit(code, alpha_operate(ALPHA_EXTBLr, low, to, to));
    } else {
        emit(code, alpha_memory(ALPHA_LDQ_U, high, (int)size - 1, to));
        emit(code, READ_MARK(2));
        emit(code, alpha_operate(low_part, low, to, low));
        emit(code, alpha_operate(high_part, high, to, high));
        emit(code, alpha_operate(ALPHA_BISr, low, high, to));
    }
}

/* ---- cells ----------------------------------------------------------------------------------------------------- */

/* Returns its position. */
static uint32_t put_load_of_cell(struct code *code, const struct cell_update *update, bool atomic) {
    uint32_t position = code_position(code);
    emit(code,
         alpha_memory(atomic ? ALPHA_LDQ_L : ALPHA_LDQ, update->value, update->displacement, update->base));
    return position;
}

static void put_store_of_cell(struct code *code, const struct cell_update *update, bool atomic,
                              uint32_t loaded) {
    emit(code,
         alpha_memory(atomic ? ALPHA_STQ_C : ALPHA_STQ, update->value, update->displacement, update->base));
    if (atomic)
        emit(code, alpha_branch(ALPHA_BEQ, update->value, (int64_t)loaded - code_position(code) - 1));
}

static void put_sum(struct code *code, struct cell_amount amount, unsigned value) {
    if (amount.reg == NO_REGISTER)
        emit(code, alpha_memory(ALPHA_LDA, value, amount.constant, value));
    else
        emit(code, alpha_operate(ALPHA_ADDQr, value, amount.reg, value));
}

/* Combines value and amount: value = value OPERATION amount. */
static void put_combination(struct code *code, const struct cell_update *update) {
    unsigned value = update->value, amount = update->amount.reg;
    bool maximum = update->kind == PLAN_UPDATE_MAXIMUM;
    if (update->kind == PLAN_UPDATE_ADD) {
        put_sum(code, update->amount, value);
        return;
    }
    emit(code, alpha_operate(ALPHA_CMPLTr, maximum ? value : amount, maximum ? amount : value, update->test));
    emit(code, alpha_operate(ALPHA_CMOVNEr, update->test, amount, value));
}

static void put_update_cell(struct code *code, const struct cell_update *update, bool atomic) {
    if (update->kind == PLAN_UPDATE_SET) {
        emit(code, alpha_memory(ALPHA_STQ, update->amount.reg, update->displacement, update->base));
        return;
    }
    uint32_t loaded = put_load_of_cell(code, update, atomic);
    put_combination(code, update);
    put_store_of_cell(code, update, atomic, loaded);
}

static void put_count_cell_to(struct code *code, const struct cell_update *update, bool atomic,
                              struct cell_amount limit, unsigned to) {
    uint32_t loaded = put_load_of_cell(code, update, atomic);
    put_sum(code, update->amount, update->value);
    if (limit.reg == NO_REGISTER)
        emit(code, alpha_literal(ALPHA_CMPEQi, update->value, (unsigned)limit.constant, to));
    else
        emit(code, alpha_operate(ALPHA_CMPEQr, update->value, limit.reg, to));
    emit(code, alpha_operate(ALPHA_CMOVNEr, to, ALPHA_ZERO, update->value));
    put_store_of_cell(code, update, atomic, loaded);
}

static uint32_t put_after_update(const struct code *code, uint32_t begin) {
    uint32_t end = code_position(code);
    for (; !(alpha_decode(code->words[end - 1])->flags & ALPHA_STORE); end--)
        assert(end > begin + 1);
    bool may_fail = ALPHA_IS(code->words[end - 1], STQ_C); /* its branch back is part of it */
    return code->address + 4 * (end + may_fail);
}

static uint32_t put_thread_add(struct code *code, int64_t distance, struct cell_amount amount, unsigned value,
                               unsigned keeper) {
    distance -= ATOMC_THREAD_VALUES;
    int near = (int16_t)distance, far = (int)((distance - near) / 65536);
    if (keeper != ALPHA_V0)
        put_move(code, ALPHA_V0, keeper);
    emit(code, alpha_pal(ALPHA_PAL_RDUNIQ));
    emit(code, alpha_literal(ALPHA_SRLi, ALPHA_V0, ATOMC_THREAD_TABLE_SHIFT, ALPHA_V0));
    emit(code, alpha_memory(ALPHA_LDAH, ALPHA_V0, ATOMC_THREAD_TABLE_HIGH, ALPHA_V0));
    emit(code, alpha_memory(ALPHA_LDQ_U, ALPHA_V0, 0, ALPHA_V0));
    if (far)
        emit(code, alpha_memory(ALPHA_LDAH, ALPHA_V0, far, ALPHA_V0));
    emit(code, alpha_memory(ALPHA_LDQ, value, near, ALPHA_V0));
    put_sum(code, amount, value);
    emit(code, alpha_memory(ALPHA_STQ, value, near, ALPHA_V0));
    uint32_t after = code_address(code);
    if (keeper != ALPHA_V0)
        put_move(code, keeper, ALPHA_V0);
    return after;
}

static int put_thread_record(struct code *code, int distance, unsigned scale, unsigned base,
                             unsigned helper) {
    int near = (int16_t)distance;
    emit(code, alpha_pal(ALPHA_PAL_RDUNIQ));
    emit(code, alpha_literal(ALPHA_SRLi, ALPHA_V0, ATOMC_RECORDS_SHIFT, base));
    emit(code, alpha_operate(ALPHA_ADDQr, ALPHA_V0, base, base));
    emit(code, alpha_literal(ALPHA_ZAPNOTi, base, 15, base));
    if (scale)
        emit(code, alpha_literal(ALPHA_SLLi, base, scale, base));
    if (distance != near)
        emit(code, alpha_memory(ALPHA_LDAH, base, (distance - near) / 65536, base));
    emit(code, alpha_memory(ALPHA_LDA, helper, (int)(ATOMC_RECORDS >> 32), ALPHA_ZERO));
    emit(code, alpha_literal(ALPHA_SLLi, helper, 32, helper));
    emit(code, alpha_operate(ALPHA_ADDQr, base, helper, base));
    return near;
}
_Static_assert((uint32_t)ATOMC_RECORDS == 0, "its low half is the thread's");

/* ---- control --------------------------------------------------------------------------------------------------- */

/* ---- the lock ---- */

enum { WORDS_TO_LOCK = 5 }; /* before the branch that is taken if another thread has the lock */

static uint32_t put_lock(struct code *code, uint32_t address, unsigned base, unsigned owner) {
    int low = machine_address_base(code, address, base);
    emit(code, alpha_memory(ALPHA_LDQ_L, owner, low, base));
    emit(code, alpha_branch(ALPHA_BNE, owner, 2));
    emit(code, alpha_memory(ALPHA_STQ_C, base, low, base));
    emit(code, alpha_branch(ALPHA_BNE, base, 1));
    uint32_t refusal = code_position(code);
    emit(code, alpha_branch(ALPHA_BR, ALPHA_ZERO, 0));
    emit(code, alpha_plain(ALPHA_MB));
    return refusal;
}

static void put_lock_again(struct code *code, uint32_t address, uint32_t refusal, unsigned base,
                           unsigned count, unsigned times) {
    const uint32_t begin = refusal - WORDS_TO_LOCK;
    emit(code, alpha_memory(ALPHA_LDA, count, (int)times, ALPHA_ZERO));
    uint32_t again = code_position(code);
    int low = machine_address_base(code, address, base);
    emit(code, alpha_memory(ALPHA_LDQ, base, low, base));
    emit(code, alpha_branch(ALPHA_BEQ, base, (int64_t)begin - code_position(code) - 1));
    emit(code, alpha_literal(ALPHA_SUBQi, count, 1, count));
    emit(code, alpha_branch(ALPHA_BNE, count, (int64_t)again - code_position(code) - 1));
}

static void put_unlock(struct code *code, uint32_t address, unsigned base) {
    emit(code, alpha_plain(ALPHA_MB));
    int low = machine_address_base(code, address, base);
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_ZERO, low, base));
}

/* ---- control ---- */

static void put_branch(struct code *code, int64_t words) {
    emit(code, alpha_branch(ALPHA_BR, ALPHA_ZERO, words));
}

static void put_branch_if(struct code *code, enum branch_condition condition, unsigned reg, int64_t words) {
    static const uint16_t branches[CONDITION_COUNT] = {
        [CONDITION_ZERO] = ALPHA_BEQ,     [CONDITION_NONZERO] = ALPHA_BNE,
        [CONDITION_NEGATIVE] = ALPHA_BLT, [CONDITION_NOT_NEGATIVE] = ALPHA_BGE,
        [CONDITION_POSITIVE] = ALPHA_BGT, [CONDITION_NOT_POSITIVE] = ALPHA_BLE,
        [CONDITION_ODD] = ALPHA_BLBS,     [CONDITION_EVEN] = ALPHA_BLBC,
    };
    emit(code, alpha_branch(branches[condition], reg, words));
}

static void put_jump(struct code *code, unsigned target) {
    emit(code, alpha_jump(ALPHA_JMP, ALPHA_ZERO, target, 0));
}

static void put_return_to(struct code *code, unsigned target) {
    emit(code, alpha_jump(ALPHA_RET, ALPHA_ZERO, target, 1));
}

static void put_call(struct code *code, unsigned link, unsigned target) {
    emit(code, alpha_jump(ALPHA_JSR, link, target, 0));
}

/* bsr, or jsr through $26 itself. */
static void put_near_call(struct code *code, uint32_t to) {
    int64_t distance = ((int64_t)to - (int64_t)code_address(code) - 4) / 4;
    if (alpha_branch_reaches(distance)) {
        emit(code, alpha_branch(ALPHA_BSR, ALPHA_RA, distance));
    } else {
        put_address(code, to, ALPHA_RA);
        put_call(code, ALPHA_RA, ALPHA_RA);
    }
}

/* The convention of libgcc's __divq and __remq, and of the runtime's own routines (entry.S): $24, $25 and $27
   by $23. */
enum { HELPER_LINK = 23, HELPER_LEFT = 24, HELPER_RIGHT = 25 };

static void put_call_helper(struct code *code, uint32_t routine) {
    put_address(code, routine, ALPHA_PV);
    put_call(code, HELPER_LINK, ALPHA_PV);
}

static void put_call_locker(struct code *code, uint32_t flag, uint32_t routine) {
    int low = put_address_base(code, flag, ALPHA_PV);
    emit(code, alpha_memory(ALPHA_LDL, ALPHA_PV, low, ALPHA_PV));
    uint32_t test = machine_branch_if_forward(code, CONDITION_ZERO, ALPHA_PV);
    emit(code, alpha_pal(ALPHA_PAL_RDUNIQ));
    put_address(code, routine, ALPHA_AT);
    put_call(code, ALPHA_AT, ALPHA_AT);
    machine_aim_here(code, test);
}

static void put_no_operation(struct code *code) {
    emit(code, ALPHA_NOP);
}

/* ---- the system ------------------------------------------------------------------------------------------------ */

static void put_system_call(struct code *code) {
    emit(code, alpha_pal(ALPHA_PAL_CALLSYS));
}

static void put_thread_pointer(struct code *code, unsigned to) {
    emit(code, alpha_pal(ALPHA_PAL_RDUNIQ));
    machine_move(code, ALPHA_V0, to);
}

static void put_set_thread_pointer(struct code *code) {
    emit(code, alpha_pal(ALPHA_PAL_WRUNIQ));
}

static void put_cycles(struct code *code, unsigned to) {
    emit(code, alpha_memory_function(ALPHA_RPCC, to, ALPHA_ZERO));
}

static void put_save_float_control(struct code *code, unsigned by, unsigned base, int displacement) {
    by &= 31;
    emit(code, alpha_plain(ALPHA_TRAPB));
    emit(code, alpha_operate(ALPHA_MF_FPCR, by, by, by));
    emit(code, alpha_memory(ALPHA_STT, by, displacement, base));
}

static void put_restore_float_control(struct code *code, unsigned by, unsigned base, int displacement) {
    by &= 31;
    emit(code, alpha_memory(ALPHA_LDT, by, displacement, base));
    emit(code, alpha_plain(ALPHA_TRAPB));
    emit(code, alpha_operate(ALPHA_MT_FPCR, by, by, by));
    emit(code, alpha_plain(ALPHA_TRAPB));
}

/* ---- words ----------------------------------------------------------------------------------------------------- */

static bool word_aim(uint32_t *word, int64_t words) {
    if (!alpha_branch_reaches(words))
        return false;
    *word = alpha_with_branch_displacement(*word, words);
    return true;
}

static void word_aim_address(uint32_t *words, uint32_t address) {
    struct halves halves = address_halves(address);
    words[0] = alpha_memory(ALPHA_LDAH, alpha_ra(words[0]), halves.high, ALPHA_ZERO);
    words[1] = alpha_memory(ALPHA_LDA, alpha_ra(words[1]), halves.low, alpha_ra(words[1]));
}

static uint32_t word_reach(uint32_t branch) {
    (void)branch;
    return UINT32_C(1) << 20;
}

static uint32_t word_of_branch(int64_t words) {
    return alpha_branch(ALPHA_BR, ALPHA_ZERO, words);
}

static uint32_t word_of_call(unsigned link, int64_t words) {
    return alpha_branch(ALPHA_BSR, link, words);
}

static uint32_t word_of_address(unsigned to) {
    return alpha_memory(ALPHA_LDA, to, 0, ALPHA_ZERO);
}

static uint32_t word_of_address_base(uint32_t address, unsigned to) {
    return alpha_memory(ALPHA_LDAH, to, address_halves(address).high, ALPHA_ZERO);
}

static void word_table_jump(uint32_t words[3], unsigned address) {
    words[0] = alpha_memory(ALPHA_LDAH, ALPHA_AT, 0, address);
    words[1] = alpha_memory(ALPHA_LDL, ALPHA_AT, 0, ALPHA_AT);
    words[2] = alpha_jump(ALPHA_JMP, ALPHA_ZERO, ALPHA_AT, 0);
}

static uint32_t word_add_distance(uint32_t word, uint32_t distance) {
    struct halves halves = address_halves(distance);
    int part = ALPHA_IS(word, LDAH) ? halves.high : halves.low;
    return alpha_memory(alpha_decode(word)->opcode_id, alpha_ra(word), part, alpha_rb(word));
}

static bool word_is_conditional(uint32_t word, int64_t words) {
    return alpha_decode(word)->flags & ALPHA_COND_BRANCH && alpha_branch_displacement(word) == words;
}

static uint32_t word_invert(uint32_t word) {
    static const uint16_t pairs[][2] = {
        {ALPHA_BEQ, ALPHA_BNE},   {ALPHA_BLT, ALPHA_BGE},   {ALPHA_BLE, ALPHA_BGT},  {ALPHA_BLBC, ALPHA_BLBS},
        {ALPHA_FBEQ, ALPHA_FBNE}, {ALPHA_FBLT, ALPHA_FBGE}, {ALPHA_FBLE, ALPHA_FBGT}};
    enum alpha_opcode opcode = alpha_decode(word)->opcode_id;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        for (unsigned k = 0; k < 2; k++)
            if (pairs[i][k] == opcode)
                return alpha_branch(pairs[i][1 - k], alpha_ra(word), alpha_branch_displacement(word));
    assert(!"a conditional branch");
    return word;
}

static bool word_is_spill(uint32_t word) {
    int displacement = alpha_memory_displacement(word);
    return ALPHA_IS(word, LDAH) && alpha_rb(word) == ALPHA_SP &&
           (displacement == SPILL_FAR || displacement == -SPILL_FAR);
}

/* ---- the machine ----------------------------------------------------------------------------------------------- */

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
    .load = put_load,
    .load_rounded = put_load_rounded,
    .store = put_store,
    .store_rounded = put_store_rounded,
    .save = put_save,
    .restore = put_restore,
    .load_anywhere = put_load_anywhere,
    .update_cell = put_update_cell,
    .count_cell_to = put_count_cell_to,
    .after_update = put_after_update,
    .thread_add = put_thread_add,
    .thread_record = put_thread_record,
    .lock = put_lock,
    .lock_again = put_lock_again,
    .unlock = put_unlock,
    .branch = put_branch,
    .branch_if = put_branch_if,
    .jump = put_jump,
    .return_to = put_return_to,
    .call = put_call,
    .near_call = put_near_call,
    .call_helper = put_call_helper,
    .call_locker = put_call_locker,
    .no_operation = put_no_operation,
    .system_call = put_system_call,
    .thread_pointer = put_thread_pointer,
    .set_thread_pointer = put_set_thread_pointer,
    .cycles = put_cycles,
    .save_float_control = put_save_float_control,
    .restore_float_control = put_restore_float_control,
};

static const struct word_verbs word_verbs = {
    .aim = word_aim,
    .aim_address = word_aim_address,
    .reaches = alpha_branch_reaches,
    .reach = word_reach,
    .branch = word_of_branch,
    .invert = word_invert,
    .is_conditional = word_is_conditional,
    .call = word_of_call,
    .address = word_of_address,
    .address_base = word_of_address_base,
    .add_distance = word_add_distance,
    .table_jump = word_table_jump,
    .condition_temporaries = word_condition_temporaries,
    .is_spill = word_is_spill,
};

const struct machine alpha_machine = {
    .architecture = &alpha_architecture,
    .registers = &alpha_architecture.registers,
    .layout = &alpha_layout,
    .farthest_branch = 1040000, /* of 2^20 */
    .promotion_cost = 6,
    .spills_far = true,
    .unresolved_trap = ATOMC_TRAP,
    .stack_marks = {STACK_MARK(0), STACK_MARK(1)},
    .helper_left = HELPER_LEFT,
    .helper_right = HELPER_RIGHT,
    .helper_result = ALPHA_PV,
    .helper_encoded = ALPHA_AT,
    .locker_changes = REGISTERS(ALPHA_V0, 1) | REGISTERS(ALPHA_PV, ALPHA_GP),
    .helper_changes = REGISTERS(HELPER_LINK, HELPER_RIGHT) | REGISTERS(ALPHA_PV, ALPHA_AT),
    .constant_registers = REGISTER_BIT(ALPHA_ZERO) | FLOAT_BIT(ALPHA_ZERO),
    .emit = &emit_verbs,
    .words = &word_verbs,
    .transfers = &alpha_transfers,
};
