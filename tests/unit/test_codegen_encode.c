/* test_codegen_encode.c: encode.c against MC over all opcodes and random operands, and the ranges that
   both refuse. Requires MC. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/wait.h>

#include "test_codegen_common.h"

enum { TRIALS = 2000 };

/* By the function of alpha.h for the opcode's format; fields that are no operands are passed as 0. */
static uint32_t encode_fast(enum alpha_opcode opcode, const struct mc_operands *operands) {
    unsigned ra = operands->ra, rb = operands->rb, rc = operands->rc;

    switch (alpha_describe(opcode)->format) {
    case ALPHA_FORMAT_PAL:
        return alpha_pal((uint32_t)operands->immediate);
    case ALPHA_FORMAT_MEMORY:
        return alpha_memory(opcode, ra, (int)operands->immediate, rb);
    case ALPHA_FORMAT_MEMORY_FUNCTION:
        if (mc_operands_of(opcode) == 0)
            return alpha_plain(opcode);
        return alpha_memory_function(opcode, mc_operands_of(opcode) & MC_RA ? ra : ALPHA_ZERO, rb);
    case ALPHA_FORMAT_JUMP:
        return alpha_jump(opcode, ra, rb, (unsigned)operands->immediate & 0x3fff);
    case ALPHA_FORMAT_BRANCH:
        return alpha_branch(opcode, ra, operands->immediate);
    case ALPHA_FORMAT_LITERAL:
        return alpha_literal(opcode, ra, (unsigned)operands->immediate, rc);
    default:
        if (opcode == ALPHA_MT_FPCR || opcode == ALPHA_MF_FPCR)
            return alpha_operate(opcode, ra, ra, ra);
        return alpha_operate(opcode, ra, rb, rc);
    }
}

static bool same_operands(const struct mc_operands *a, const struct mc_operands *b) {
    return a->ra == b->ra && a->rb == b->rb && a->rc == b->rc && a->immediate == b->immediate;
}

static void test_every_opcode(void **state) {
    (void)state;
    for (unsigned opcode = 1; opcode < ALPHA_OPCODE_COUNT; opcode++)
        for (unsigned trial = 0; trial < TRIALS; trial++) {
            struct mc_operands operands = random_operands(opcode), decoded;
            uint32_t word = 0, fast = encode_fast(opcode, &operands);

            if (!mc_encode(opcode, &operands, &word) || word != fast)
                fail_msg("%s: MC encodes %08x, alpha.h %08x", alpha_describe(opcode)->mnemonic, word, fast);
            if (mc_decode(word, &decoded) != opcode || alpha_decode(word)->opcode_id != opcode ||
                !same_operands(&decoded, &operands))
                fail_msg("%s: %08x does not decode to what was encoded", alpha_describe(opcode)->mnemonic,
                         word);
        }
}

static void test_known_words(void **state) {
    (void)state;
    assert_int_equal(ALPHA_NOP, alpha_operate(ALPHA_BISr, 31, 31, 31));
    assert_int_equal(0x23deffe0, alpha_memory(ALPHA_LDA, ALPHA_SP, -32, ALPHA_SP));
    assert_int_equal(0x6b5b4000, alpha_jump(ALPHA_JSR, ALPHA_RA, ALPHA_PV, 0));
    assert_int_equal(0x6bfa8001, alpha_jump(ALPHA_RET, ALPHA_ZERO, ALPHA_RA, 1));
    assert_int_equal(0xc3ffffff, alpha_branch(ALPHA_BR, ALPHA_ZERO, -1));
    assert_int_equal(0x40211401, alpha_literal(ALPHA_ADDQi, 1, 8, 1));
    assert_int_equal(0x60004000, alpha_plain(ALPHA_MB));
    assert_int_equal(0x00000083, alpha_pal(ALPHA_PAL_CALLSYS));
    assert_int_equal(0x63e1f800, alpha_memory_function(ALPHA_WH64, 31, 1));
    assert_int_equal(0x5c6304a3, alpha_operate(ALPHA_MF_FPCR, 3, 3, 3));
    assert_true(alpha_branch_reaches(-1048576) && alpha_branch_reaches(1048575));
    assert_false(alpha_branch_reaches(-1048577) || alpha_branch_reaches(1048576));
}

static void test_mc_refuses(void **state) {
    struct mc_operands operands = {0}, none = {0};
    uint32_t word = 0x12345678;

    (void)state;
    assert_false(mc_encode(ALPHA_INVALID, &none, &word));
    assert_false(mc_encode(ALPHA_OPCODE_COUNT, &none, &word));
    assert_false(mc_encode((enum alpha_opcode)60000, &none, &word));
    assert_false(mc_encode((enum alpha_opcode) - 1, &none, &word));
    for (unsigned opcode = 1; opcode < ALPHA_OPCODE_COUNT; opcode++) {
        unsigned present = mc_operands_of(opcode);
        unsigned *const registers[] = {&operands.ra, &operands.rb, &operands.rc};
        int64_t lowest, highest;

        for (unsigned index = 0; index < 3; index++) {
            operands = none;
            *registers[index] = 32;
            assert_int_equal(mc_encode(opcode, &operands, &word), !(present >> index & 1));
            *registers[index] = (unsigned)-1;
            assert_int_equal(mc_encode(opcode, &operands, &word), !(present >> index & 1));
        }
        if (!(present & MC_IMMEDIATE))
            continue;
        mc_immediate_range(opcode, &lowest, &highest);
        operands = none;
        operands.immediate = lowest;
        assert_true(mc_encode(opcode, &operands, &word));
        operands.immediate = highest;
        assert_true(mc_encode(opcode, &operands, &word));
        word = 0x12345678;
        operands.immediate = lowest - 1;
        assert_false(mc_encode(opcode, &operands, &word));
        operands.immediate = highest + 1;
        assert_false(mc_encode(opcode, &operands, &word));
        operands.immediate = INT64_MIN;
        assert_false(mc_encode(opcode, &operands, &word));
        assert_int_equal(word, 0x12345678);
    }
}

/* The ranges themselves, from the widths of the fields. */
static void test_ranges(void **state) {
    static const struct {
        enum alpha_opcode opcode;
        int64_t lowest, highest;
    } ranges[] = {
        {ALPHA_LDQ, -32768, 32767},
        {ALPHA_STT, -32768, 32767},
        {ALPHA_BR, -1048576, 1048575},
        {ALPHA_FBGT, -1048576, 1048575},
        {ALPHA_JMP, -8192, 8191},
        {ALPHA_JSR, -8192, 8191},
        {ALPHA_RET, 0, 16383},
        {ALPHA_JSR_COROUTINE, 0, 16383},
        {ALPHA_ADDQi, 0, 255},
        {ALPHA_SEXTBi, 0, 255},
        {ALPHA_CALL_PAL, 0, 67108863},
        {ALPHA_ADDQr, 0, 0},
        {ALPHA_MB, 0, 0},
        {ALPHA_INVALID, 0, 0},
    };

    (void)state;
    for (size_t index = 0; index < sizeof ranges / sizeof ranges[0]; index++) {
        int64_t lowest, highest;

        mc_immediate_range(ranges[index].opcode, &lowest, &highest);
        assert_true(lowest == ranges[index].lowest && highest == ranges[index].highest);
    }
    assert_int_equal(mc_operands_of(ALPHA_LDQ), MC_RA | MC_RB | MC_IMMEDIATE);
    assert_int_equal(mc_operands_of(ALPHA_ADDQi), MC_RA | MC_RC | MC_IMMEDIATE);
    assert_int_equal(mc_operands_of(ALPHA_SQRTT_su), MC_RB | MC_RC);
    assert_int_equal(mc_operands_of(ALPHA_MB), 0);
    assert_int_equal(mc_operands_of(ALPHA_OPCODE_COUNT), 0);
}

/* What encode.c asserts, each in a process of its own. */
static void bad_memory(void) {
    alpha_memory(ALPHA_LDQ, 1, 32768, 2);
}
static void bad_register(void) {
    alpha_operate(ALPHA_ADDQr, 32, 1, 1);
}
static void bad_literal(void) {
    alpha_literal(ALPHA_ADDQi, 1, 256, 1);
}
static void bad_branch(void) {
    alpha_branch(ALPHA_BR, 31, 1048576);
}
static void bad_hint(void) {
    alpha_jump(ALPHA_JSR, 26, 27, 16384);
}
static void bad_format(void) {
    alpha_operate(ALPHA_LDQ, 1, 2, 3);
}
static void bad_opcode(void) {
    alpha_memory(ALPHA_OPCODE_COUNT, 1, 2, 3);
}
static void bad_function(void) {
    alpha_pal(1 << 26);
}

static void test_encode_asserts(void **state) {
    static void (*const attempts[])(void) = {bad_memory, bad_register, bad_literal, bad_branch,
                                             bad_hint,   bad_format,   bad_opcode,  bad_function};

    (void)state;
    for (size_t index = 0; index < sizeof attempts / sizeof attempts[0]; index++) {
        pid_t child = fork();
        int status;

        assert_true(child >= 0);
        if (child == 0) {
            signal(SIGABRT, SIG_DFL);
            if (freopen("/dev/null", "w", stderr) != NULL)
                attempts[index]();
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_opcode),   cmocka_unit_test(test_known_words),
        cmocka_unit_test(test_mc_refuses),     cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_encode_asserts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
