/* test_engine_renaming.c: adapted copies of analysis routines: the registers that they change, with values
   renamed and without; what is delayed. Requires the Alpha cross compiler. */
#include "tests/unit/test_engine_common.h"

#include "engine/image/internal.h"
#include "engine/routine/internal.h"

/* Hand-written, so that the numbers are the same with any compiler. */
static const char text[] =
    ".set noat\n.set nomacro\n.text\n.globl __start\n.ent __start\n__start:\n call_pal 0x81\n.end __start\n"
    /* Three values, one after the other, in three registers: one will do, and arguments are two more. */
    ".globl chain\n.ent chain\nchain:\n"
    " addq $16,1,$1\n addq $1,$17,$2\n s8addq $2,$1,$3\n stq $3,0($17)\n ret\n.end chain\n"
    /* Five values at once. */
    ".globl four\n.ent four\nfour:\n"
    " ldq $1,0($16)\n ldq $2,8($16)\n ldq $3,16($16)\n ldq $4,24($16)\n addq $1,$2,$5\n addq $5,$3,$6\n"
    " addq $6,$4,$7\n addq $1,$7,$7\n addq $2,$7,$7\n addq $3,$7,$7\n stq $7,0($16)\n ret\n.end four\n"
    /* A value that is chosen, round a loop. */
    ".globl loop\n.ent loop\nloop:\n"
    " mov $31,$1\n mov 9,$2\n1: s4addq $1,$17,$3\n cmovlt $3,$2,$1\n addq $1,$3,$4\n mov $4,$1\n"
    " subq $2,1,$2\n bne $2,1b\n stq $1,0($16)\n ret\n.end loop\n"
    /* Floating point; what is stored is read late. */
    ".globl floating\n.ent floating\nfloating:\n"
    " ldt $f10,0($16)\n ldt $f11,8($16)\n addt $f10,$f11,$f12\n mult $f12,$f10,$f13\n subt $f13,$f12,$f14\n"
    " stt $f14,0($16)\n ret\n.end floating\n"
    /* A call on a rare way, whose callee changes four registers; the result is used. */
    ".globl callee\n.ent callee\ncallee:\n"
    " lda $1,1($31)\n lda $2,2($1)\n lda $3,2($2)\n lda $4,2($3)\n addq $16,$4,$0\n ret\n.end callee\n"
    ".globl rare\n.ent rare\nrare:\n"
    " lda $30,-16($30)\n stq $26,0($30)\n stq $16,8($30)\n blt $16,2f\n1: ldq $16,8($30)\n ldq $1,0($17)\n "
    "addq $1,$16,$1\n"
    " stq $1,0($17)\n ldq $26,0($30)\n lda $30,16($30)\n ret\n"
    "2: bsr $26,callee\n stq $0,8($30)\n br 1b\n.end rare\n"
    /* The same on every way. */
    ".globl always\n.ent always\nalways:\n"
    " lda $30,-16($30)\n stq $26,0($30)\n bsr $26,callee\n ldq $26,0($30)\n lda $30,16($30)\n ret\n.end "
    "always\n";

#define BIT(r) (UINT64_C(1) << (r))

static struct analysis_image analysis;
static alpha_register_set callee_changes;

/* What a summary of the image would say: of the one procedure that is called here. */
static struct routine_copy copy_of(const char *name, uint32_t arguments, bool delays, bool renames) {
    const struct procedure *procedure =
        &analysis.program->procedures[procedure_named(analysis.program, name)];
    struct routine_copy copy = {.analysis = &analysis,
                                .machine = machine_for(analysis.program->architecture),
                                .arena = analysis.program->arena,
                                .arguments = arguments};
    copy.entry = instruction_address(analysis.program, procedure->first);
    for (uint32_t i = 0; i < arguments; i++)
        copy.arguments_set |= BIT(ALPHA_A0 + i);
    routine_copy_make(&copy, delays, renames);
    return copy;
}

static void check(const char *name, uint32_t arguments, bool delays, bool renames,
                  alpha_register_set wanted) {
    struct routine_copy copy = copy_of(name, arguments, delays, renames);
    if (copy.reason != COPY_NONE)
        fail_msg("%s %s", name, copy_reasons[copy.reason]);
    if (copy.summary.written != wanted)
        fail_msg("%s changes %llx, not %llx", name, (unsigned long long)copy.summary.written,
                 (unsigned long long)wanted);
}

static void count(const char *name, uint32_t arguments, int before, int after) {
    struct routine_copy plain = copy_of(name, arguments, false, false);
    struct routine_copy renamed = copy_of(name, arguments, false, true);
    alpha_register_set free = BIT(ALPHA_RA) | renamed.arguments_set;
    assert_int_equal(plain.reason, COPY_NONE);
    assert_int_equal(renamed.reason, COPY_NONE);
    assert_int_equal(__builtin_popcountll(plain.summary.written & ~free), before);
    assert_int_equal(__builtin_popcountll(renamed.summary.written & ~free), after);
    assert_int_equal(renamed.renamed, before - after);
}

static void values_get_fewer_registers(void **state) {
    (void)state;
    count("chain", 2, 3, 1); /* $16 is free after its use */
    count("four", 1, 7, 5);  /* the sum besides its four addends */
    count("loop", 2, 4, 3);
    count("floating", 1, 5, 2);
}

static void calls_on_rare_ways_are_delayed(void **state) {
    (void)state;
    struct routine_copy copy = copy_of("rare", 2, true, false);
    assert_int_equal(copy.reason, COPY_NONE);
    assert_int_equal(copy.delayed, 1);
    assert_true(copy.room >= 32 && copy.room % 16 == 0);
    /* $16 and $1 are its own, $0 is the result. */
    assert_true(copy.summary.written == (BIT(0) | BIT(1) | BIT(16) | BIT(ALPHA_RA)));
    check("rare", 2, true, true, BIT(0) | BIT(16) | BIT(ALPHA_RA));
    check("rare", 2, false, false,
          BIT(0) | BIT(1) | BIT(16) | BIT(ALPHA_RA) | BIT(ALPHA_PV) | BIT(ALPHA_GP) | callee_changes);
    copy = copy_of("always", 1, true, true);
    assert_int_equal(copy.delayed, 0);
    assert_int_equal(copy.delay_reason, COPY_ALWAYS);
    assert_true((copy.summary.written & callee_changes) == callee_changes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_get_fewer_registers),
        cmocka_unit_test(calls_on_rare_ways_are_delayed),
    };
    char *path = build_program("renaming.s", text, "-O1", false);
    analysis.program = analyse(path);
    analysis_summarise(&analysis);
    uint32_t callee = analysis.program->procedures[procedure_named(analysis.program, "callee")].first;
    callee_changes = analysis_summary(&analysis, instruction_address(analysis.program, callee)).written;
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    program_close(analysis.program);
    free(path);
    return failures;
}
