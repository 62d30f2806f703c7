/* test_codegen_isa.c: the facts of every encoding, with 512 words each, against the descriptors, their
   register sets and predicates, which other tests hold against independent tables. Run from the repository's
   root. */
#define _GNU_SOURCE
#include "test_codegen_common.h"
#include "codegen/alpha/architecture.h"
#include "codegen/machines.h"

enum { WORDS = 512 };

static struct facts decoded(uint32_t word) {
    struct facts facts;
    alpha_architecture.decode(word, &facts);
    return facts;
}

/* As descriptors have it: a role, and the number in the field. */
static unsigned operand(uint8_t role, unsigned number) {
    return role == ALPHA_ROLE_NONE ? REGISTER_NONE : number + (role >= ALPHA_ROLE_FLOAT_READ ? 32 : 0);
}

static bool has(const struct facts *facts, unsigned flag) {
    return facts->flags & flag;
}

static void check_memory(const struct facts *facts, uint32_t word,
                         const struct alpha_descriptor *descriptor) {
    bool load = descriptor->flags & ALPHA_LOAD, store = descriptor->flags & ALPHA_STORE;
    bool locked = descriptor->flags & ALPHA_LOCKED;
    const char *name = descriptor->mnemonic;
    bool whole = !strcmp(name, "ldq") || !strcmp(name, "stq") || !strcmp(name, "ldt") || !strcmp(name, "stt");
    assert_int_equal(has(facts, FACT_LOAD), load);
    assert_int_equal(has(facts, FACT_STORE), store);
    assert_int_equal(has(facts, FACT_EXCLUSIVE_BEGIN), load && locked);
    assert_int_equal(has(facts, FACT_EXCLUSIVE_END), store && locked);
    assert_int_equal(has(facts, FACT_PREFETCH), alpha_is_prefetch(word));
    assert_int_equal(has(facts, FACT_WHOLE_REGISTER), whole);
    assert_int_equal(has(facts, FACT_ROUNDS_DOWN), (descriptor->flags & ALPHA_UNALIGNED) != 0);
    assert_int_equal(facts->memory_count, load || store);
    if (!facts->memory_count)
        return;
    assert_int_equal(facts->memory[0].size, descriptor->memory_size);
    assert_int_equal(facts->memory[0].count, 1);
    assert_int_equal(facts->memory[0].base, alpha_rb(word));
    assert_int_equal(facts->memory[0].index, REGISTER_NONE);
    assert_int_equal(facts->memory[0].data, operand(descriptor->ra_role, alpha_ra(word)));
    assert_int_equal(facts->memory[0].writeback, WRITEBACK_NONE);
}

static void check_transfer(const struct facts *facts, uint32_t word,
                           const struct alpha_descriptor *descriptor) {
    bool indirect = descriptor->flags & ALPHA_INDIRECT, branch = descriptor->format == ALPHA_FORMAT_BRANCH;
    bool conditional = descriptor->flags & ALPHA_COND_BRANCH;
    bool links = (branch || indirect) && !conditional && alpha_ra(word) != 31;
    assert_int_equal(facts->transfer, transfer_of(word));
    assert_int_equal(has(facts, FACT_INDIRECT), indirect);
    assert_int_equal(facts->target, indirect ? alpha_rb(word) : REGISTER_NONE);
    assert_int_equal(facts->link, links ? alpha_ra(word) : REGISTER_NONE);
    assert_int_equal(facts->condition != CONDITION_NONE, conditional);
    assert_int_equal(facts->tested,
                     conditional ? operand(descriptor->ra_role, alpha_ra(word)) : REGISTER_NONE);
    if (branch) {
        assert_int_equal(alpha_architecture.constants(word).value,
                         4 + 4 * (int64_t)alpha_branch_displacement(word));
        assert_true(alpha_architecture.distance(word) == alpha_architecture.constants(word).value);
    }
}

/* A branch goes, for values of each kind, as its condition says. */
static bool holds(unsigned condition, int64_t value) {
    const bool goes[] = {[CONDITION_ZERO] = value == 0,
                         [CONDITION_NONZERO] = value != 0,
                         [CONDITION_NEGATIVE] =
                             value<0, [CONDITION_NOT_NEGATIVE] = value >= 0, [CONDITION_POSITIVE] = value> 0,
                         [CONDITION_NOT_POSITIVE] = value <= 0,
                         [CONDITION_ODD] = value & 1,
                         [CONDITION_EVEN] = !(value & 1)};
    return goes[condition];
}
static void check_condition(const struct facts *facts) {
    static const int64_t values[] = {0, 1, 2, -1, -2, INT64_MIN, INT64_MAX};
    bool goes;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (facts->condition != CONDITION_NONE && alpha_condition(facts->opcode, (uint64_t)values[i], &goes))
            assert_int_equal(holds(facts->condition, values[i]), goes);
}

/* What is computed: a constant, a sum with one, a copy. */
static void check_value(const struct facts *facts, uint32_t word, const struct alpha_descriptor *descriptor) {
    const char *name = descriptor->mnemonic;
    struct constants constants = alpha_architecture.constants(word);
    bool literal = descriptor->format == ALPHA_FORMAT_LITERAL, bis = !strcmp(name, "bis");
    bool address = descriptor->class == CLASS_ADDRESS, from_zero = alpha_rb(word) == 31;
    assert_int_equal(constants.literal, literal ? (int)alpha_literal_field(word) : -1);
    assert_int_equal(has(facts, FACT_CONSTANT),
                     (address && from_zero) || (bis && literal && alpha_ra(word) == 31));
    assert_int_equal(has(facts, FACT_ADDS_CONSTANT), address && !from_zero);
    assert_int_equal(has(facts, FACT_HIGH_PART), !strcmp(name, "ldah"));
    assert_int_equal(adds_constant(facts), address);
    unsigned ra = alpha_ra(word), rb = alpha_rb(word);
    assert_int_equal(has(facts, FACT_MOVE), bis && !literal && (ra == 31 || rb == 31 || ra == rb));
    if (has(facts, FACT_MOVE)) /* its source is what it computes */
        assert_int_equal(source_of_move(facts, 31), ra & rb & (ra | rb) ? (ra == 31 ? rb : ra) : ra & rb);
    if (address)
        assert_int_equal(constants.value,
                         (int64_t)alpha_memory_displacement(word) * (!strcmp(name, "ldah") ? 65536 : 1));
    else if (has(facts, FACT_CONSTANT))
        assert_int_equal(constants.value, alpha_literal_field(word));
}

/* The value that the computation claims for its operands. */
static uint64_t claimed(const struct computation *computation, uint64_t a, uint64_t b) {
    switch (computation->kind) {
    case COMPUTES_SUM:
        return computation->scale * a + b;
    case COMPUTES_DIFFERENCE:
        return a - b;
    case COMPUTES_PRODUCT:
        return computation->scale * a;
    case COMPUTES_OR:
        return a | b;
    case COMPUTES_SUM_32:
        return (uint64_t)(int32_t)(a + b);
    case COMPUTES_LOW_32:
        return (uint32_t)a;
    case COMPUTES_AND:
        return a & b;
    case COMPUTES_BELOW:
        return a < b;
    default:
        assert_int_equal(computation->kind, COMPUTES_BELOW_OR_EQUAL);
        return a <= b;
    }
}

/* What is followed through instructions is what they compute, and their results are below the limit. */
static void check_computation(const struct facts *facts, uint32_t word,
                              const struct alpha_descriptor *descriptor) {
    static const uint64_t values[] = {0,          1,         2,         7,        255,
                                      256,        65535,     65536,     1u << 31, UINT32_MAX,
                                      1ULL << 32, INT64_MAX, INT64_MIN, -1ULL,    0x0123456789abcdef};
    const size_t count = sizeof values / sizeof values[0];
    struct computation computation = alpha_architecture.compute(word);
    bool literal = descriptor->format == ALPHA_FORMAT_LITERAL;
    assert_int_equal(computation.kind == COMPUTES_OFFSET, descriptor->class == CLASS_ADDRESS);
    if (computation.kind == COMPUTES_NOTHING)
        return;
    assert_true(set_of(computation.result) == facts->written || computation.result == 31);
    if (computation.kind == COMPUTES_OFFSET) {
        assert_int_equal(computation.a, alpha_rb(word));
        assert_int_equal(computation.b, REGISTER_NONE);
        assert_true(computation.constant == alpha_architecture.constants(word).value);
        return;
    }
    assert_int_equal(computation.a, alpha_ra(word));
    assert_int_equal(computation.b, literal ? REGISTER_NONE : alpha_rb(word));
    assert_int_equal(computation.constant, literal ? alpha_literal_field(word) : 0);
    for (size_t i = 0; i < count * count; i++) {
        uint64_t a = values[i / count], b = literal ? (uint64_t)computation.constant : values[i % count],
                 result;
        if (!alpha_evaluate(alpha_register_form(descriptor), a, b, &result)) {
            assert_int_equal(computation.kind, COMPUTES_UNKNOWN);
            assert_true(computation.limit == 0);
            return;
        }
        if (computation.kind != COMPUTES_UNKNOWN)
            assert_true(claimed(&computation, a, b) == result);
        if (computation.limit)
            assert_true(result < computation.limit);
    }
}

/* Fields that are read and written make up the sets; PALcode and invalid words have no fields. */
static void check_fields(const struct facts *facts, uint32_t word,
                         const struct alpha_descriptor *descriptor) {
    register_set read = 0, written = 0;
    for (unsigned f = 0; f < FIELD_REGISTERS; f++) {
        bool none = facts->operand[f] == REGISTER_NONE;
        assert_int_equal(none, !((facts->fields_read | facts->fields_written) >> f & 1));
        read |= facts->fields_read >> f & 1 ? set_of(facts->operand[f]) : 0;
        written |= facts->fields_written >> f & 1 ? set_of(facts->operand[f]) : 0;
    }
    const register_set zeros = REGISTER_BIT(31) | FLOAT_BIT(31);
    if (descriptor->format > ALPHA_FORMAT_PAL && word != ALPHA_NOP) {
        assert_true((read & ~zeros & ~facts->read) == 0 && (written & ~zeros) == facts->written);
    } else {
        assert_true(descriptor->format > ALPHA_FORMAT_PAL || (read == 0 && written == 0));
    }
}

static void check_word(uint32_t word) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    struct facts facts = decoded(word);
    bool memory = descriptor->format == ALPHA_FORMAT_MEMORY,
         branch = descriptor->format == ALPHA_FORMAT_BRANCH;
    assert_int_equal(facts.opcode, descriptor->opcode_id);
    assert_int_equal(facts.major, word / 0x4000000);
    assert_int_equal(facts.class, descriptor->class);
    assert_true(facts.read == alpha_registers_read(word));
    assert_true(facts.written == alpha_registers_written(word));
    assert_int_equal(facts.operand[0], operand(descriptor->ra_role, alpha_ra(word)));
    assert_int_equal(facts.operand[1], operand(descriptor->rb_role, alpha_rb(word)));
    assert_int_equal(facts.operand[2], operand(descriptor->rc_role, alpha_rc(word)));
    assert_int_equal(alpha_architecture.constants(word).displacement, memory ? alpha_memory_displacement(word)
                                                                      : branch
                                                                          ? alpha_branch_displacement(word)
                                                                          : 0);
    assert_int_equal(has(&facts, FACT_FLOAT), (descriptor->flags & ALPHA_FLOATING) != 0);
    assert_int_equal(has(&facts, FACT_NOP), alpha_is_nop(word));
    assert_int_equal(has(&facts, FACT_HALTS), word == 0);
    assert_int_equal(has(&facts, FACT_FLOAT_STATUS), (descriptor->flags & ALPHA_WRITES_FPCR) != 0);
    assert_int_equal(has(&facts, FACT_READS_THREAD), word == ALPHA_PAL_RDUNIQ);
    assert_int_equal(has(&facts, FACT_SYNCHRONIZES_TEXT), word == ALPHA_PAL_IMB);
    check_fields(&facts, word, descriptor);
    assert_string_equal(alpha_architecture.mnemonic(facts.opcode), descriptor->mnemonic);
    struct facts without = decoded(word & ~alpha_architecture.constant_bits(word));
    assert_memory_equal(&without, &facts, offsetof(struct facts, operand) + FIELD_REGISTERS);
    assert_memory_equal(without.memory, facts.memory, sizeof facts.memory);
    assert_true(without.read == facts.read && without.written == facts.written);
    check_memory(&facts, word, descriptor);
    check_transfer(&facts, word, descriptor);
    check_condition(&facts);
    check_value(&facts, word, descriptor);
    check_computation(&facts, word, descriptor);
}

static void test_every_encoding(void **state) {
    (void)state;
    for (unsigned opcode = 1; opcode < ALPHA_OPCODE_COUNT; opcode++) {
        const struct alpha_descriptor *descriptor = alpha_describe(opcode);
        for (unsigned trial = 0; trial < WORDS; trial++)
            check_word(descriptor->match | (trial ? (uint32_t)random_bits() & ~descriptor->mask : 0));
    }
}

/* All registers in each field, the zero register among them, of each encoding. */
static void test_every_register(void **state) {
    (void)state;
    for (unsigned opcode = 1; opcode < ALPHA_OPCODE_COUNT; opcode++) {
        const struct alpha_descriptor *descriptor = alpha_describe(opcode);
        for (uint32_t r = 0; r < 32; r++)
            for (unsigned at = 0; at <= 21; at += at == 0 ? 16 : 5)
                for (unsigned other = 0; other < 2; other++)
                    check_word(descriptor->match |
                               ((r << at | (other ? UINT32_C(0x3ff001f) & ~(UINT32_C(31) << at) : 0)) &
                                ~descriptor->mask));
    }
}

static void test_random_words(void **state) {
    (void)state;
    for (unsigned trial = 0; trial < 300000; trial++)
        check_word((uint32_t)(random_bits() >> 32));
    check_word(0);
    for (uint32_t function = 0; function < 0x200; function++) /* call_pal */
        check_word(function);
}

static void test_arithmetic(void **state) {
    static const struct {
        enum alpha_opcode opcode;
        enum arithmetic arithmetic;
    } cases[] = {
        {ALPHA_ADDQr, ARITHMETIC_ADD},        {ALPHA_S8ADDLi, ARITHMETIC_ADD},
        {ALPHA_S4SUBQr, ARITHMETIC_SUBTRACT}, {ALPHA_SUBLi, ARITHMETIC_SUBTRACT},
        {ALPHA_MULQr, ARITHMETIC_MULTIPLY},   {ALPHA_UMULHr, ARITHMETIC_MULTIPLY},
        {ALPHA_BISr, ARITHMETIC_NONE},        {ALPHA_LDQ, ARITHMETIC_NONE},
        {ALPHA_LDA, ARITHMETIC_NONE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(alpha_architecture.arithmetic(cases[i].opcode), cases[i].arithmetic);
}

/* The conventions are of registers that the machine has, and agree with one another. */
static void test_conventions(void **state) {
    const struct conventions_of_machine *r = &alpha_architecture.registers;
    register_set ordered = 0;
    (void)state;
    for (unsigned i = 0; i < r->free_count; i++) {
        assert_false(ordered >> r->free_order[i] & 1);
        ordered |= REGISTER_BIT(r->free_order[i]);
        if (i < r->temporary_count)
            assert_false((r->callee_saved | r->arguments | r->results) >> r->free_order[i] & 1);
    }
    assert_true(ordered == (r->integers & ~REGISTER_BIT(r->stack)));
    assert_true((r->integers & ~r->all) == 0 && (r->callee_saved & ~r->all) == 0);
    assert_true(r->callee_saved >> r->stack & 1 && r->callee_saved >> r->frame & 1);
    assert_true((r->all >> r->zero & 1) == 0 && r->results >> r->result & 1 &&
                r->results >> r->float_result & 1);
    assert_true(r->arguments ==
                REGISTERS(r->first_argument, r->first_argument + r->arguments_in_registers - 1));
    assert_true(r->float_arguments == r->arguments << 32);
    assert_true((r->counting & (r->fixed & ~REGISTERS(27, 29))) == 0);
}

static void test_machines(void **state) {
    (void)state;
    assert_ptr_equal(architecture_of(0x9026), &alpha_architecture);
    assert_int_equal(usual_machine()->number, alpha_architecture.machine);
    assert_int_equal(architecture_of(183)->machine, 183); /* AArch64 */
    assert_null(architecture_of(243)); /* RISC-V: its name is known, its instructions are not */
    assert_string_equal(machine_called(243)->name, "RISC-V");
    assert_string_equal(machine_called(183)->name, "AArch64");
    assert_string_equal(machine_called(183)->emulator, "qemu-aarch64");
    assert_null(machine_called(0xfff0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_encoding), cmocka_unit_test(test_every_register),
        cmocka_unit_test(test_random_words),   cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_conventions),    cmocka_unit_test(test_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
