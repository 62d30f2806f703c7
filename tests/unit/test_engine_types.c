/* test_engine_types.c: types of a program by its debug information: parameters, members, and types by name.
   Requires cmocka and the Alpha cross compiler. */
#include "tests/unit/test_engine_common.h"

#include "engine/object/object.h"

static const char text[] =
    "struct hidden;\n"
    "typedef const struct list { struct list *next; short value; union { int one; char other[6]; };\n"
    "  unsigned low : 3; int high : 7; double real; struct hidden *hidden; } list;\n"
    "long values[4];\n"
    "__attribute__((noinline)) char *pick(double number, list *all, unsigned char byte, long *many) {\n"
    "  values[byte & 3] = all->value + many[1] + (long)number; return (char *)many; }\n"
    "void _start(void) { list one = {0}; pick(values[0], &one, 3, values); for (;;) ; }\n";

struct opened {
    struct diagnostics *diagnostics;
    struct program *program;
    uint64_t address; /* of pick() */
};

static struct opened open_program(const char *option) {
    struct opened opened = {.diagnostics = diagnostics_create()};
    char *path = build_program("types.c", text, option, false);
    opened.program = program_open(path, opened.diagnostics);
    assert_non_null(opened.program);
    program_analyse(opened.program, opened.diagnostics);
    for (uint32_t i = 0; i < opened.program->procedure_count; i++)
        if (strcmp(opened.program->procedures[i].name, "pick") == 0)
            opened.address = instruction_address(opened.program, opened.program->procedures[i].first);
    assert_int_not_equal(opened.address, 0);
    free(path);
    return opened;
}

static void close_program(struct opened *opened) {
    program_close(opened->program);
    diagnostics_destroy(opened->diagnostics);
}

static void check_name(struct program_type type, const char *name) {
    assert_string_equal(program_type_name(type, type.object->arena), name);
}

static void check_parameters(const char *option, bool is_changed) {
    struct opened opened = open_program(option);
    struct program_type type = program_parameter_type(opened.program, opened.address, 1, is_changed);
    struct type_facts facts = program_type_facts(type);
    assert_int_equal(facts.kind, TYPE_POINTER);
    check_name(type, "list *");
    assert_int_equal(program_type_facts(facts.of).kind, TYPE_STRUCTURE);
    assert_int_equal(program_type_facts(facts.of).size, 40);
    facts = program_type_facts(program_parameter_type(opened.program, opened.address, 2, is_changed));
    assert_int_equal(facts.kind, TYPE_INTEGER);
    assert_int_equal(facts.size, 1);
    assert_false(facts.is_signed);
    if (!is_changed) {
        type = program_parameter_type(opened.program, opened.address, 0, false);
        assert_int_equal(program_type_facts(type).kind, TYPE_REAL);
    }
    assert_true(program_parameter_type(opened.program, opened.address, 4, is_changed).entry == NO_TYPE);
    assert_true(program_parameter_type(opened.program, opened.address, 6, is_changed).entry == NO_TYPE);
    assert_true(program_parameter_type(opened.program, opened.address + 4, 1, is_changed).entry == NO_TYPE);
    check_name(program_result_type(opened.program, opened.address), "char *");
    close_program(&opened);
}

static void of_parameters(void **state) {
    (void)state;
    check_parameters("-O0", false);
    check_parameters("-O2", false);
    check_parameters("-O2", true); /* by their locations */
}

static void of_members(void **state) {
    (void)state;
    struct opened opened = open_program("-O1");
    struct type_member member;
    bool several;
    struct program_type list = program_type_named(opened.program, opened.address, "list", &several);
    assert_int_equal(program_type_facts(list).kind, TYPE_STRUCTURE);
    assert_int_equal(program_type_member(list, "value", &member), MEMBER_FOUND);
    assert_int_equal(member.offset, 8);
    assert_int_equal(member.bit_count, 0);
    assert_true(program_type_facts(member.type).is_signed);
    assert_int_equal(program_type_facts(member.type).size, 2);
    assert_int_equal(program_type_member(list, "other", &member), MEMBER_FOUND);
    assert_int_equal(member.offset, 12);
    assert_int_equal(program_type_facts(member.type).kind, TYPE_ARRAY);
    assert_int_equal(program_type_facts(member.type).count, 6);
    assert_int_equal(program_type_member(list, "high", &member), MEMBER_FOUND);
    assert_int_equal(8 * member.offset + member.first_bit, 8 * 20 + 3);
    assert_int_equal(member.bit_count, 7);
    assert_int_equal(program_type_member(list, "hidden", &member), MEMBER_FOUND);
    member.type = program_type_facts(member.type).of;
    assert_int_equal(program_type_member(member.type, "any", &member), TYPE_INCOMPLETE);
    assert_int_equal(program_type_member(list, "valeu", &member), MEMBER_NONE);
    assert_string_equal(program_nearest_member(list, "valeu"), "value");
    assert_null(program_nearest_member(list, "entirely"));
    close_program(&opened);
}

static void by_name(void **state) {
    (void)state;
    struct opened opened = open_program("-O1");
    bool several;
    check_name(program_type_named(opened.program, opened.address, "struct list", &several), "struct list");
    check_name(program_type_named(opened.program, opened.address, "unsigned char", &several),
               "unsigned char");
    assert_true(program_type_named(opened.program, opened.address, "union list", &several).entry == NO_TYPE);
    assert_true(program_type_named(opened.program, opened.address, "struct hidden", &several).entry ==
                NO_TYPE);
    assert_true(program_type_named(opened.program, opened.address, "", &several).entry == NO_TYPE);
    assert_false(several);
    assert_true(program_has_types(opened.program, opened.address));
    close_program(&opened);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_parameters),
        cmocka_unit_test(of_members),
        cmocka_unit_test(by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
