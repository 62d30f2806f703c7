/* test_engine_liveness.c: registers live in hand-written code: private conventions, $at, tail calls, tables,
   no return. Requires cmocka and the Alpha cross compiler. */
#include "tests/unit/test_engine_common.h"

#define BIT(register) (UINT64_C(1) << (register))

/* before("label") is live before the instruction at the label, a procedure of its own. */
static const char text[] =
    ".set noat\n.set noreorder\n.text\n"
    ".globl _start\n.ent _start\n_start: ldgp $29,0($27)\n"
    "  lda $1,1\n  lda $5,5\n  lda $24,9\n  lda $25,3\n"
    "call_millicode: bsr $23,millicode\n"
    "  addq $1,$5,$2\n  addq $27,$2,$16\n"
    "call_standard: bsr $26,standard\n"
    "  mov $0,$16\n  lda $0,1\n  callsys\n"
    "call_abort: bsr $26,give_up\n"
    "  addq $7,$8,$9\n  ret\n" /* never reached */
    ".end _start\n"
    ".ent millicode\nmillicode: stq $1,-8($30)\n  addq $24,$25,$1\n  mov $1,$27\n  ldq $1,-8($30)\n"
    "millicode_return: ret $31,($23),1\n.end millicode\n"
    ".ent standard\nstandard: cmpeq $16,1,$28\n"
    "at_is_live: bne $28,1f\n  lda $3,1\n  br 2f\n1: lda $3,2\n2: addq $3,$16,$0\n"
    "standard_return: ret\n.end standard\n"
    ".ent give_up\ngive_up: call_pal 0\n  br give_up\n.end give_up\n";

static alpha_register_set live(const struct program *program, const char *label, bool after) {
    uint32_t at = program->procedures[procedure_named(program, label)].first;
    uint32_t block = block_at(program, at);
    alpha_register_set *before = allocate((program->blocks[block].count + 1) * sizeof *before);
    liveness_of_block(program, block, before);
    alpha_register_set set = before[at - program->blocks[block].first + after];
    free(before);
    return set;
}

/* Symbols inside of procedures would be alternate entries: found by address instead. */
static uint64_t label_address(const char *path, const char *label) {
    char *command = format_string("alpha-linux-gnu-nm %s", path), line[256], name[128], kind;
    FILE *stream = popen(command, "r");
    unsigned long long address, found = 0;
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream))
        if (sscanf(line, "%llx %c %127s", &address, &kind, name) == 3 && strcmp(name, label) == 0)
            found = address;
    pclose(stream);
    free(command);
    assert_true(found != 0);
    return found;
}

static alpha_register_set live_at(const struct program *program, const char *path, const char *label,
                                  bool after) {
    uint32_t at = instruction_at(program, label_address(path, label)), block = block_at(program, at);
    alpha_register_set *before = allocate((program->blocks[block].count + 1) * sizeof *before);
    liveness_of_block(program, block, before);
    alpha_register_set set = before[at - program->blocks[block].first + after];
    free(before);
    return set;
}

static void private_conventions(void **state) {
    (void)state;
    char *path = build_program("liveness.S", text, "-O0", false);
    struct program *program = analyse(path);
    alpha_register_set millicode = live_at(program, path, "millicode_return", false);
    /* callers keep $5 in a temporary, and get $1 back; the result is in $27 */
    assert_true((millicode & (BIT(1) | BIT(5) | BIT(27) | BIT(23))) == (BIT(1) | BIT(5) | BIT(27) | BIT(23)));
    assert_false(millicode & BIT(28));
    assert_false(millicode & BIT(2));
    alpha_register_set call = live_at(program, path, "call_millicode", false);
    assert_true((call & (BIT(1) | BIT(5) | BIT(24) | BIT(25))) == (BIT(1) | BIT(5) | BIT(24) | BIT(25)));
    assert_false(call & (BIT(23) | BIT(27) | BIT(28) | BIT(2)));
    program_close(program);
    free(path);
}

static void standard_calls(void **state) {
    (void)state;
    char *path = build_program("standard.S", text, "-O0", false);
    struct program *program = analyse(path);
    alpha_register_set branch = live_at(program, path, "at_is_live", false);
    assert_true(branch & BIT(28)); /* $at is a register like any other */
    assert_false(branch & BIT(3));
    alpha_register_set call = live_at(program, path, "call_standard", false);
    assert_true(call & BIT(16));
    assert_false(call & (BIT(28) | BIT(3) | BIT(26)));
    alpha_register_set back = live_at(program, path, "standard_return", false);
    assert_true((back & (BIT(0) | BIT(26) | BIT(30) | BIT(9))) == (BIT(0) | BIT(26) | BIT(30) | BIT(9)));
    assert_false(back & (BIT(1) | BIT(28) | BIT(3)));
    /* nothing comes back from give_up: what follows the call needs nothing */
    assert_false(live_at(program, path, "call_abort", false) & (BIT(7) | BIT(8)));
    assert_true(live(program, "standard", false) & BIT(16));
    program_close(program);
    free(path);
}

/* In a real program, every indirect transfer leaves the rewriter a register. */
static void transfers_have_a_dead_register(void **state) {
    (void)state;
    static const char program_text[] =
        "#include <stdio.h>\n#include <stdlib.h>\n"
        "int main(int c, char **v) { printf(\"%ld\\n\", atol(v[0]) / c); return 0; }\n";
    char *path = build_program("transfers.c", program_text, "-O2", true);
    struct program *program = analyse(path);
    unsigned without = 0, transfers = 0;
    for (uint32_t i = 0; i < program->block_count; i++) {
        const struct basic_block *block = &program->blocks[i];
        uint32_t word = program->text[block->first + block->count - 1];
        if (!(alpha_decode(word)->flags & ALPHA_INDIRECT))
            continue;
        alpha_register_set used = block->live_out;
        if (block->end == END_CALL)
            used |= BIT(alpha_ra(word)) | BIT(alpha_rb(word));
        transfers++;
        without += (~used & 0x7fffffff) == 0;
    }
    print_message("%u indirect transfers, %u without a dead register\n", transfers, without);
    assert_true(transfers > 3000);
    assert_int_equal(without, 0);
    program_close(program);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(private_conventions),
        cmocka_unit_test(standard_calls),
        cmocka_unit_test(transfers_have_a_dead_register),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
