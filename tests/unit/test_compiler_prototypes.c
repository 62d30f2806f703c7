/* test_compiler_prototypes.c: prototypes from the DWARF of an Alpha object file and of a linked program.
   Requires cmocka and the Alpha cross compiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/compiler.h"

static const char source_text[] =
    "typedef unsigned long address; struct point { int x; }; enum kind { A, B };\n"
    "void None(void) {}\n"
    "void Old() {}\n"
    "static int hidden(int x) { return x; }\n"
    "int Integers(char c, unsigned char u, short s, unsigned w, address a, enum kind k, _Bool b) {\n"
    "    return hidden(c + u + s + w + a + k + b); }\n"
    "void Pointers(const char *s, void *v, char **l, struct point *p, int (*f)(int), char *const c,\n"
    "              int n[]) { (void)s, (void)v, (void)l, (void)p, (void)f, (void)c, (void)n; }\n"
    "double Others(double d, float f, struct point p) { return d + f + p.x; }\n"
    "int Print(const char *format, ...) { return format != 0; }\n"
    "extern int declared_only(int);\n"
    "int main(void) { None(); Old(); return hidden(3); }\n";

static void check_parameter(const struct plan_routine *routine, uint32_t number, enum plan_c_type type,
                            bool is_unsigned, const char *spelled) {
    assert_true(number < routine->parameter_count);
    assert_int_equal(routine->parameters[number].type, type);
    assert_int_equal(routine->parameters[number].is_unsigned, is_unsigned);
    assert_string_equal(routine->parameters[number].spelled, spelled);
}

static void check_prototypes(const struct prototypes *prototypes) {
    const struct plan_routine *routine = prototypes_find(prototypes, "None");
    assert_non_null(routine);
    assert_true(routine->prototyped);
    assert_int_equal(routine->parameter_count, 0);
    assert_int_equal(routine->result, PLAN_C_VOID);
    assert_int_equal(routine->line, 2);
    assert_string_equal(strrchr(routine->file, '/') ? strrchr(routine->file, '/') + 1 : routine->file, "p.c");
    assert_false(prototypes_find(prototypes, "Old")->prototyped);

    routine = prototypes_find(prototypes, "Integers");
    assert_int_equal(routine->parameter_count, 7);
    assert_int_equal(routine->result, PLAN_C_INT);
    assert_string_equal(routine->parameters[0].name, "c");
    check_parameter(routine, 0, PLAN_C_CHAR, false, "char");
    check_parameter(routine, 1, PLAN_C_CHAR, true, "unsigned char");
    check_parameter(routine, 2, PLAN_C_SHORT, false, "short");
    check_parameter(routine, 3, PLAN_C_INT, true, "unsigned");
    check_parameter(routine, 4, PLAN_C_LONG, true, "address");
    check_parameter(routine, 5, PLAN_C_INT, true, "enum kind");
    check_parameter(routine, 6, PLAN_C_CHAR, true, "_Bool");

    routine = prototypes_find(prototypes, "Pointers");
    check_parameter(routine, 0, PLAN_C_STRING, false, "const char *");
    check_parameter(routine, 1, PLAN_C_POINTER, false, "void *");
    check_parameter(routine, 2, PLAN_C_POINTER, false, "char **");
    check_parameter(routine, 3, PLAN_C_POINTER, false, "struct point *");
    check_parameter(routine, 4, PLAN_C_POINTER, false, "int (*)()");
    check_parameter(routine, 5, PLAN_C_STRING, false, "char *const");
    check_parameter(routine, 6, PLAN_C_POINTER, false, "int *");

    routine = prototypes_find(prototypes, "Others");
    assert_int_equal(routine->result, PLAN_C_DOUBLE);
    check_parameter(routine, 0, PLAN_C_DOUBLE, false, "double");
    check_parameter(routine, 1, PLAN_C_FLOAT, false, "float");
    check_parameter(routine, 2, PLAN_C_OTHER, false, "struct point");

    routine = prototypes_find(prototypes, "Print");
    assert_true(routine->variadic);
    assert_int_equal(routine->parameter_count, 1);
    assert_null(prototypes_find(prototypes, "hidden"));
    assert_non_null(prototypes_find_static(prototypes, "hidden"));
    assert_null(prototypes_find(prototypes, "declared_only"));
    assert_null(prototypes_find(prototypes, "nothing"));
    size_t count = 0;
    const char *const *names = prototypes_names(prototypes, &count);
    assert_int_equal(count, 6); /* without main, which belongs to the runtime */
    for (size_t i = 1; i < count; i++)
        assert_true(strcmp(names[i - 1], names[i]) < 0);
}

/* Compiles source_text with these options and reads the result; NULL if there is no cross compiler. */
static struct prototypes *compile_and_read(const char *options) {
    const char *directory = temporary_directory();
    assert_non_null(directory);
    char *path = format_string("%s/p.c", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(source_text, file);
    fclose(file);
    char *script =
        format_string("cd %s && alpha-linux-gnu-gcc -std=gnu11 -g %s p.c -o image", directory, options);
    char *output;
    int status = run_command((char *[]){"sh", "-c", script, NULL}, &output);
    free(output);
    free(script);
    free(path);
    if (status != 0)
        return NULL;
    struct diagnostics *diagnostics = diagnostics_create();
    char *image = format_string("%s/image", directory);
    struct prototypes *prototypes = prototypes_read(image, diagnostics);
    free(image);
    assert_non_null(prototypes);
    assert_int_equal(diagnostics_errors(diagnostics), 0);
    diagnostics_destroy(diagnostics);
    return prototypes;
}

static void check_options(const char *options) {
    struct prototypes *prototypes = compile_and_read(options);
    if (!prototypes)
        skip();
    check_prototypes(prototypes);
    prototypes_destroy(prototypes);
}

static void of_an_object_file(void **state) {
    (void)state;
    check_options("-c");
}

static void of_an_optimised_object_file(void **state) {
    (void)state;
    check_options("-c -O2");
}

static void of_a_linked_program(void **state) {
    (void)state;
    check_options("-static -Wl,--no-relax");
}

static void of_older_dwarf(void **state) {
    (void)state;
    check_options("-c -gdwarf-4");
}

static void of_no_debug_information(void **state) {
    (void)state;
    struct prototypes *prototypes = compile_and_read("-c -g0");
    if (!prototypes)
        skip();
    size_t count = 1;
    prototypes_names(prototypes, &count);
    assert_int_equal(count, 0);
    prototypes_destroy(prototypes);
}

static void of_what_is_no_program(void **state) {
    (void)state;
    struct diagnostics *diagnostics = diagnostics_create();
    assert_null(prototypes_read("/nonexistent", diagnostics));
    assert_null(prototypes_read("/dev/null", diagnostics));
    assert_int_equal(diagnostics_errors(diagnostics), 2);
    diagnostics_destroy(diagnostics);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_an_object_file),           cmocka_unit_test(of_a_linked_program),
        cmocka_unit_test(of_an_optimised_object_file), cmocka_unit_test(of_older_dwarf),
        cmocka_unit_test(of_no_debug_information),     cmocka_unit_test(of_what_is_no_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
