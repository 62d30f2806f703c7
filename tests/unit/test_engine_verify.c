/* test_engine_verify.c: the checks of the sanitized build after passes find each defect.
   Requires cmocka and the Alpha cross compilers. */
#include "engine/code/code.h"
#include "engine/count/counting.h"
#include "tests/unit/test_engine_common.h"
#include "runtime/machine/alpha/layout.h"

static const char assembly[] = "    .globl _start\n"
                               "    .ent _start\n"
                               "_start:\n"
                               "    lda $1, 3($31)\n"
                               "again:\n"
                               "    subq $1, 1, $1\n"
                               "    bne $1, again\n"
                               "    call_pal 0x83\n"
                               "    .end _start\n";

static struct program *program;

static void sites_in_order(void **state) {
    (void)state;
    struct site list[] = {{.instruction = 0, .point = SITE_BEFORE}, {.instruction = 1, .point = SITE_ENTRY}};
    struct sites sites = {.count = 2, .sites = list};
    assert_null(sites_verify(&sites, program));
    list[0].instruction = 1;
    assert_string_equal(sites_verify(&sites, program), "sites are not in order");
    list[1].instruction = program->instruction_count;
    assert_string_equal(sites_verify(&sites, program), "a site is at no instruction");
}

static void updates_have_events(void **state) {
    (void)state;
    struct sites sites = {.cells = 1};
    struct derived_update update = {.block = 0, .instruction = NO_INDEX, .cell = 0, .event = WANT_EXECUTED};
    struct counting counting = {.updates = &update, .update_count = 1};
    struct rewrite rewrite = {.program = program, .sites = &sites, .counting = &counting};
    assert_null(counting_verify(&rewrite));
    update.event = 0;
    assert_string_equal(counting_verify(&rewrite), "a derived update has no event");
    update.event = WANT_TAKEN;
    assert_string_equal(counting_verify(&rewrite), "a derived update is of a branch that there is not");
    update = (struct derived_update){.event = WANT_EXECUTED, .instruction = NO_INDEX, .cell = 1};
    assert_string_equal(counting_verify(&rewrite), "a derived update is of no cell");
}

static void copies_hold_together(void **state) {
    (void)state;
    uint32_t words[4], map[4], inside[4];
    struct fixup fixup = {.position = 2, .target = 1, .kind = FIXUP_INSIDE};
    struct code_space code = {.copies = {.address = alpha_layout.copies, .words = words, .count = 4},
                              .layout = {.map = map, .inside = inside, .fixups = &fixup, .fixup_count = 1}};
    struct rewrite rewrite = {.program = program, .code = &code};
    assert_int_equal(program->instruction_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        words[i] = program->text[i];
        map[i] = alpha_layout.copies + 4 * i;
        inside[i] = i;
    }
    assert_null(code_verify(&rewrite));
    assert_null(fixups_verify(&rewrite));
    fixup.target = 4;
    assert_string_equal(fixups_verify(&rewrite), "a fixup has no target");
    words[1] = 0x04000000; /* an opcode that there is not */
    assert_string_equal(code_verify(&rewrite), "a word of the copies is no instruction");
    map[3] = alpha_layout.copies - 4;
    assert_string_equal(code_verify(&rewrite), "the map leads out of the copies");
}

static int open_program(void **state) {
    (void)state;
    char *path = build_program("verify.s", assembly, "-O0", false);
    program = analyse(path);
    free(path);
    return 0;
}

static int close_program(void **state) {
    (void)state;
    program_close(program);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sites_in_order),
        cmocka_unit_test(updates_have_events),
        cmocka_unit_test(copies_hold_together),
    };
    return cmocka_run_group_tests(tests, open_program, close_program);
}
