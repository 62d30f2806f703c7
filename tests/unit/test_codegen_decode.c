/* test_codegen_decode.c: the generated C decoder against MC's, on every function slot, random words and
   the text of real programs. Requires MC. */
#define _GNU_SOURCE
#include "test_codegen_common.h"

/* The same instruction, and the same operands by the field accessors of alpha.h. */
static bool decoders_agree(uint32_t word) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    struct mc_operands operands;
    enum alpha_opcode opcode = mc_decode(word, &operands);
    unsigned present = mc_operands_of(opcode);

    if (descriptor->opcode_id != opcode || descriptor != alpha_describe(opcode))
        return false;
    if ((present & MC_RA && operands.ra != alpha_ra(word)) ||
        (present & MC_RB && operands.rb != alpha_rb(word)) ||
        (present & MC_RC && operands.rc != alpha_rc(word)))
        return false;
    switch (descriptor->format) {
    case ALPHA_FORMAT_PAL:
        return operands.immediate == alpha_pal_function(word);
    case ALPHA_FORMAT_MEMORY:
        return operands.immediate == alpha_memory_displacement(word);
    case ALPHA_FORMAT_BRANCH:
        return operands.immediate == alpha_branch_displacement(word);
    case ALPHA_FORMAT_JUMP:
        return (operands.immediate & 0x3fff) == (int64_t)(word & 0x3fff);
    case ALPHA_FORMAT_LITERAL:
        return operands.immediate == (int64_t)(word >> 13 & 255);
    default:
        return !(present & MC_IMMEDIATE);
    }
}

static void check(uint32_t word) {
    if (!decoders_agree(word))
        fail_msg("%08x: the decoders disagree (%s)", word, alpha_decode(word)->mnemonic);
}

static void test_every_slot(void **state) {
    static const uint32_t register_fields[] = {0, 31 << 21, 31 << 16, 31 << 21 | 31 << 16, 7 << 21 | 1 << 16};

    (void)state;
    for (uint32_t primary = 0; primary < 64; primary++) {
        bool operates = primary >= 0x10 && primary <= 0x1f;
        for (unsigned index = 0; index < (operates ? 5 : 1); index++)
            for (uint32_t low = 0; low < 65536; low++)
                check(primary << 26 | register_fields[index] | low);
    }
}

static void test_random_words(void **state) {
    (void)state;
    for (unsigned count = 0; count < 3000000; count++)
        check((uint32_t)(random_bits() >> 32));
}

static void test_real_text(void **state) {
    struct text text = real_text();
    size_t undefined = 0;

    (void)state;
    for (size_t index = 0; index < text.count; index++) {
        check(text.words[index]);
        undefined += alpha_decode(text.words[index])->opcode_id == ALPHA_INVALID;
    }
    print_message("%zu words of real text, %zu of them no instructions\n", text.count, undefined);
    assert_true(text.count > 500000);
    assert_true(undefined < text.count / 1000);
    free(text.words);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_slot),
        cmocka_unit_test(test_random_words),
        cmocka_unit_test(test_real_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
