/* test_engine_select.c: plans made by hand are expanded to the right sites, in the right order, with folded
   arguments. Requires cmocka and the Alpha cross compiler. */
#include "tests/unit/test_engine_common.h"

static const char text[] = "int values[4]; __attribute__((noinline)) int pick(int x) {\n"
                           "  for (; x > 3; x--) values[x & 3] += x; return values[2] * x; }\n"
                           "void _start(void) { values[0] = pick(values[2]); for (;;) ; }\n";

/* Expressions over variable 0 of the given type. */
static struct plan_expression variable(enum plan_type type) {
    return (struct plan_expression){.op = PLAN_OP_VARIABLE, .type = type};
}
static struct plan_expression attribute(enum plan_attribute which, const struct plan_expression *place) {
    return (struct plan_expression){
        .op = PLAN_OP_ATTRIBUTE, .type = plan_attributes[which].type, .attribute = which, .operand = {place}};
}

static const struct plan_parameter parameters[] = {
    {.type = PLAN_C_LONG}, {.type = PLAN_C_CHAR}, {.type = PLAN_C_INT}};
static const struct plan_routine routine = {
    .name = "routine", .prototyped = true, .parameter_count = 3, .parameters = parameters};

static struct program *program;

/* Selects with one set (the conditional branches) and one action. */
static struct sites *select_with(const struct plan_action *action, const struct plan_set *sets,
                                 struct diagnostics *diagnostics) {
    struct plan plan = {.name = "test",
                        .set_count = sets ? 1 : 0,
                        .sets = sets,
                        .routine_count = 1,
                        .routines = &routine,
                        .action_count = 1,
                        .actions = action};
    return sites_select(&plan, program, diagnostics);
}

static const struct plan_expression instruction = {.op = PLAN_OP_VARIABLE, .type = PLAN_TYPE_INSTRUCTION};
static const struct plan_expression branch_class = {
    .op = PLAN_OP_INTEGER, .type = PLAN_TYPE_CLASS, .integer = CLASS_COND_BRANCH};

static void numbers_and_arguments(void **state) {
    (void)state;
    struct diagnostics *diagnostics = diagnostics_create();
    struct plan_expression class = attribute(PLAN_ATTRIBUTE_INST_CLASS, &instruction);
    struct plan_expression condition = {
        .op = PLAN_OP_EQUAL, .type = PLAN_TYPE_BOOLEAN, .operand = {&class, &branch_class}};
    struct plan_loop members = {.kind = PLAN_INSTRUCTION, .condition = &condition};
    struct plan_set set = {.name = "branches", .kind = PLAN_INSTRUCTION, .loop_count = 1, .loops = &members};
    struct plan_loop loop = {.kind = PLAN_INSTRUCTION, .domain = PLAN_DOMAIN_SET, .set = 0};
    struct plan_expression index = {
        .op = PLAN_OP_INDEX, .type = PLAN_TYPE_INTEGER, .set = 0, .operand = {&instruction}};
    struct plan_expression wide = {.op = PLAN_OP_INTEGER, .type = PLAN_TYPE_INTEGER, .integer = 0x1ff};
    struct plan_expression taken = {
        .op = PLAN_OP_VALUE, .type = PLAN_TYPE_BOOLEAN, .dynamic = true, .value = PLAN_VALUE_TAKEN};
    const struct plan_expression *arguments[] = {&index, &wide, &taken};
    struct plan_action action = {.loop_count = 1,
                                 .loops = &loop,
                                 .place = PLAN_INSTRUCTION,
                                 .when = PLAN_BEFORE,
                                 .argument_count = 3,
                                 .arguments = arguments};
    struct sites *sites = select_with(&action, &set, diagnostics);
    assert_non_null(sites);
    assert_true(sites->count > 0);
    assert_int_equal(sites->places_matched, sites->count);
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct site *site = &sites->sites[i];
        assert_true(alpha_decode(program->text[site->instruction])->flags & ALPHA_COND_BRANCH);
        assert_int_equal(site->point, SITE_BEFORE);
        assert_int_equal(site->arguments[0].constant, i);
        assert_int_equal(site->arguments[1].constant, -1); /* 0x1ff as signed char */
        assert_int_equal(site->arguments[2].kind, SITE_VALUE);
        assert_int_equal(site->arguments[2].value, PLAN_VALUE_TAKEN);
    }
    sites_destroy(sites);
    action.when = PLAN_AFTER; /* too late to ask for the outcome */
    assert_null(select_with(&action, &set, diagnostics));
    assert_int_equal(diagnostics_errors(diagnostics), 1);
    diagnostics_destroy(diagnostics);
}

static void entries_and_exits(void **state) {
    (void)state;
    struct diagnostics *diagnostics = diagnostics_create();
    struct plan_expression procedure = variable(PLAN_TYPE_PROCEDURE),
                           name = attribute(PLAN_ATTRIBUTE_PROC_NAME, &procedure);
    struct plan_expression wanted = {.op = PLAN_OP_STRING, .type = PLAN_TYPE_STRING, .string = "pic*"};
    struct plan_expression condition = {
        .op = PLAN_OP_LIKE, .type = PLAN_TYPE_BOOLEAN, .operand = {&name, &wanted}};
    struct plan_loop loops[] = {{.kind = PLAN_PROCEDURE, .condition = &condition},
                                {.kind = PLAN_BLOCK, .domain = PLAN_DOMAIN_CONTAINED, .container = 0}};
    struct plan_action action = {
        .loop_count = 1, .loops = loops, .place = PLAN_PROCEDURE, .when = PLAN_BEFORE};
    const struct procedure *pick = &program->procedures[procedure_named(program, "pick")];
    struct sites *sites = select_with(&action, NULL, diagnostics);
    assert_int_equal(sites->places_matched, 1);
    assert_int_equal(sites->count, pick->sets_data_base ? 2 : 1);
    assert_int_equal(sites->sites[0].instruction, pick->first);
    assert_int_equal(sites->sites[0].point, SITE_ENTRY);
    sites_destroy(sites);
    action.when = PLAN_AFTER;
    sites = select_with(&action, NULL, diagnostics);
    assert_true(sites->count >= 1);
    for (uint32_t i = 0; i < sites->count; i++) {
        assert_int_equal(sites->sites[i].point, SITE_AFTER);
        assert_int_equal(sites->sites[i].scope, PLAN_PROCEDURE);
        assert_int_equal(program->blocks[block_at(program, sites->sites[i].instruction)].end, END_RETURN);
    }
    sites_destroy(sites);
    action.loop_count = 2;
    action.place = PLAN_BLOCK;
    action.place_variable = 1;
    sites = select_with(&action, NULL, diagnostics);
    assert_int_equal(sites->count, pick->block_count);
    sites_destroy(sites);
    wanted.string = "nobody";
    sites = select_with(&action, NULL, diagnostics);
    assert_int_equal(sites->count, 0); /* with a warning */
    sites_destroy(sites);
    assert_int_equal(diagnostics_errors(diagnostics), 0);
    diagnostics_destroy(diagnostics);
}

static void errors_have_no_sites(void **state) {
    (void)state;
    struct diagnostics *diagnostics = diagnostics_create();
    struct plan_loop loop = {.kind = PLAN_INSTRUCTION};
    struct plan_expression address = {
        .op = PLAN_OP_VALUE, .type = PLAN_TYPE_INTEGER, .dynamic = true, .value = PLAN_VALUE_ADDRESS};
    struct plan_expression zero = {.op = PLAN_OP_INTEGER, .type = PLAN_TYPE_INTEGER};
    struct plan_expression quotient = {
        .op = PLAN_OP_DIVIDE, .type = PLAN_TYPE_INTEGER, .operand = {&zero, &zero}};
    const struct plan_expression *arguments[] = {&address};
    struct plan_action action = {.loop_count = 1,
                                 .loops = &loop,
                                 .place = PLAN_INSTRUCTION,
                                 .argument_count = 1,
                                 .arguments = arguments};
    assert_null(select_with(&action, NULL, diagnostics));
    assert_int_equal(diagnostics_errors(diagnostics), 1);
    arguments[0] = &quotient;
    assert_null(select_with(&action, NULL, diagnostics));
    assert_int_equal(diagnostics_errors(diagnostics), 2);
    diagnostics_destroy(diagnostics);
}

static void equal_bytes_are_kept_once(void **state) {
    (void)state;
    struct sites sites = {.arena = arena_create()};
    uint64_t number = 1;
    const uint64_t *first = sites_share(&sites, &number, sizeof number);
    number = 2;
    const uint64_t *second = sites_share(&sites, &number, sizeof number);
    assert_int_equal(*first, 1);
    assert_int_equal(*second, 2);
    assert_ptr_equal(sites_share(&sites, &number, sizeof number), second);
    number = 1;
    assert_ptr_equal(sites_share(&sites, &number, sizeof number), first);
    assert_ptr_not_equal(sites_share(&sites, &number, sizeof number / 2), first);
    static const uint64_t *shared[100000];
    for (number = 0; number < 100000; number++) {
        shared[number] = sites_share(&sites, &number, sizeof number);
        assert_int_equal(*shared[number], number);
    }
    for (number = 0; number < 100000; number++) /* none is forgotten: the output would depend on addresses */
        assert_ptr_equal(sites_share(&sites, &number, sizeof number), shared[number]);
    assert_int_equal(sizeof(struct site), 32);
    arena_destroy(sites.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_bytes_are_kept_once),
        cmocka_unit_test(numbers_and_arguments),
        cmocka_unit_test(entries_and_exits),
        cmocka_unit_test(errors_have_no_sites),
    };
    char *path = build_program("select.c", text, "-O2", false);
    program = analyse(path);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    program_close(program);
    free(path);
    return failed;
}
