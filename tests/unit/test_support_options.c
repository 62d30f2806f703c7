/* test_support_options.c: how the words of a command line name options and their values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "support/options.h"

/* Reads the words, and compares what they are and their values, in turns; values are NULL where there is
 * none. */
struct expected {
    enum option_id option;
    const char *value;
};

static void reads(enum command_id command, const char *const *words, const struct expected *expected) {
    struct option_reader reader = {.command = command, .words = (char **)(uintptr_t)words};
    while (words[reader.count])
        reader.count++;
    for (;; expected++) {
        enum option_id option = next_option(&reader);
        assert_int_equal(option, expected->option);
        if (option == OPTION_END || option == OPTION_WRONG)
            return;
        const char *value = option == OPTION_WORD ? reader.word : reader.value;
        if (expected->value)
            assert_string_equal(value, expected->value);
        else
            assert_null(value);
    }
}

static void test_values(void **state) {
    (void)state;
    reads(COMMAND_ATOMC,
          (const char *[]){"-tprof", "-t", "prof", "--tool=prof", "--tool", "prof", "-oFILE", "prog", NULL},
          (struct expected[]){{OPTION_TOOL, "prof"},
                              {OPTION_TOOL, "prof"},
                              {OPTION_TOOL, "prof"},
                              {OPTION_TOOL, "prof"},
                              {OPTION_OUTPUT, "FILE"},
                              {OPTION_WORD, "prog"},
                              {OPTION_END, NULL}});
    reads(COMMAND_ATOMC, (const char *[]){"--root", NULL},
          (struct expected[]){{OPTION_ROOT, ""}, {OPTION_END, NULL}});
    reads(COMMAND_ATOMC, (const char *[]){"-o", NULL}, (struct expected[]){{OPTION_WRONG, NULL}});
    reads(COMMAND_ATOMC, (const char *[]){"-e", NULL}, (struct expected[]){{OPTION_WRONG, NULL}});
    reads(COMMAND_ATOMC, (const char *[]){"-e", "", NULL},
          (struct expected[]){{OPTION_PAGE, ""}, {OPTION_END, NULL}});
    reads(COMMAND_ATOMC, (const char *[]){"--check=1", NULL}, (struct expected[]){{OPTION_WRONG, NULL}});
}

/* Names that begin with those of others. */
static void test_names(void **state) {
    (void)state;
    reads(COMMAND_ATOMC,
          (const char *[]){"-tool", "x", "-tool=x", "-toolargs=y", "-env", "z", "--help=all", "--help", NULL},
          (struct expected[]){{OPTION_ATOM_TOOL, "x"},
                              {OPTION_ATOM_TOOL, "x"},
                              {OPTION_ATOM_TOOL_WORDS, "y"},
                              {OPTION_ATOM_ENVIRONMENT, "z"},
                              {OPTION_HELP_ALL, NULL},
                              {OPTION_HELP, NULL},
                              {OPTION_END, NULL}});
    reads(COMMAND_ATOMC, (const char *[]){"-debug", "-Dx=1", "-Wca,-a,-b", "-Idir", NULL},
          (struct expected[]){{OPTION_ATOM_NO_EFFECT, NULL},
                              {OPTION_DEFINE, "x=1"},
                              {OPTION_ATOM_TO_ANALYSIS, "-a,-b"},
                              {OPTION_ATOM_HEADERS, "dir"},
                              {OPTION_END, NULL}});
    reads(COMMAND_ATOMC, (const char *[]){"-Wca=x", NULL}, (struct expected[]){{OPTION_WRONG, NULL}});
    reads(COMMAND_ATOMC, (const char *[]){"--tools", NULL}, (struct expected[]){{OPTION_WRONG, NULL}});
}

static void test_commands(void **state) {
    (void)state;
    reads(COMMAND_RUN, (const char *[]){"-o", "r", "--for=qemu", NULL},
          (struct expected[]){{OPTION_REPORT, "r"}, {OPTION_FOR, "qemu"}, {OPTION_END, NULL}});
    reads(COMMAND_MERGE, (const char *[]){"-", "--", "--by", NULL},
          (struct expected[]){{OPTION_WORD, "-"}, {OPTION_WORD, "--by"}, {OPTION_END, NULL}});
    reads(COMMAND_MERGE, (const char *[]){"--top=1", NULL}, (struct expected[]){{OPTION_WRONG, NULL}});
}

static double number_of(const char *word, enum command_id command) {
    struct option_reader reader = {
        .command = command, .words = (char *[]){(char *)(uintptr_t)word}, .count = 1};
    return next_option(&reader) == OPTION_WRONG ? -1 : reader.number;
}

static void test_numbers(void **state) {
    (void)state;
    assert_true(number_of("--top=10000", COMMAND_CHART) == 10000);
    assert_true(number_of("--top=10001", COMMAND_CHART) == -1);
    assert_true(number_of("--top=0", COMMAND_CHART) == -1);
    assert_true(number_of("--top=1.5", COMMAND_CHART) == -1);
    assert_true(number_of("--top=0x10", COMMAND_CHART) == -1);
    assert_true(number_of("--top=", COMMAND_CHART) == -1);
    assert_true(number_of("--threshold=0.5", COMMAND_DIFF) == 0.5);
    assert_true(number_of("--threshold=nan", COMMAND_DIFF) == -1);
    assert_true(number_of("--progress=0", COMMAND_ATOMC) == 0);
    assert_true(number_of("--progress=99", COMMAND_ATOMC) == -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
