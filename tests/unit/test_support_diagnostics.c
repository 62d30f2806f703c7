/* test_support_diagnostics.c: the exact text of messages, and the nearest name.
   Requires cmocka. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/support.h"

/* What is printed for one message at [begin, end) of a text. */
static char *printed(const char *text, uint32_t begin, uint32_t end, const char *hint) {
    struct diagnostics *diagnostics = diagnostics_create();
    struct source source = {"a.atd", text, strlen(text)};
    struct source_span span = {&source, begin, end};
    diagnose(diagnostics, &span, MESSAGE_USAGE, "wrong");
    if (hint)
        diagnose_hint(diagnostics, "%s", hint);
    char *output = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&output, &length);
    diagnostics_print(diagnostics, stream);
    fclose(stream);
    diagnostics_destroy(diagnostics);
    return output;
}

static void check(const char *text, uint32_t begin, uint32_t end, const char *expected) {
    char *output = printed(text, begin, end, NULL);
    assert_string_equal(output, expected);
    free(output);
}

static void carets_under_the_span(void **state) {
    (void)state;
    check("one two\nthree\n", 4, 7, "a.atd:1:5: error: wrong\n  one two\n      ^~~\n");
    check("one two\nthree\n", 8, 9, "a.atd:2:1: error: wrong\n  three\n  ^\n");
    check("one two\nthree", 4, 12, "a.atd:1:5: error: wrong\n  one two\n      ^~~\n"); /* over a line's end */
    check("one", 3, 3, "a.atd:1:4: error: wrong\n  one\n     ^\n");                    /* at the very end */
    check("one", 70, 90, "a.atd:1:4: error: wrong\n  one\n     ^\n");                  /* beyond it */
    check("", 0, 0, "a.atd:1:1: error: wrong\n");
    check("one\r\ntwo\r\n", 5, 8, "a.atd:2:1: error: wrong\n  two\n  ^~~\n");
}

static void tabs_and_wide_characters(void **state) {
    (void)state;
    check("\tx", 1, 2, "a.atd:1:2: error: wrong\n          x\n          ^\n");
    check("ab\tx", 3, 4, "a.atd:1:4: error: wrong\n  ab      x\n          ^\n");
    check("\303\251\303\251 x", 5, 6, "a.atd:1:4: error: wrong\n  \303\251\303\251 x\n     ^\n");
    check("\001\377x", 2, 3, "a.atd:1:3: error: wrong\n  ??x\n    ^\n"); /* nothing that moves a terminal */
}

static void long_lines_are_clipped(void **state) {
    (void)state;
    char text[1001];
    memset(text, 'x', 1000);
    text[1000] = '\0';
    memcpy(text + 500, "HERE", 4);
    char *output = printed(text, 500, 504, NULL);
    assert_non_null(strstr(output, "  ...xxx"));
    assert_non_null(strstr(output, "HERE"));
    assert_non_null(strstr(output, "xxx...\n"));
    char *caret = strstr(output, "^~~~\n"), *quote = strchr(output, '\n') + 1;
    char *caret_line = strchr(quote, '\n') + 1;
    assert_int_equal(caret - caret_line, strstr(quote, "HERE") - quote);
    assert_true(strlen(output) < 300);
    free(output);
}

static void hints_and_messages_without_position(void **state) {
    (void)state;
    char *output = printed("one", 0, 3, "do that");
    assert_string_equal(output, "a.atd:1:1: error: wrong\n  one\n  ^~~\nhint: do that\n");
    free(output);
    struct diagnostics *diagnostics = diagnostics_create();
    diagnose_hint(diagnostics, "there is no message yet");
    diagnose(diagnostics, NULL, MESSAGE_CANNOT_READ, "file", "reason");
    diagnose(diagnostics, NULL, MESSAGE_OUT_OF_MEMORY);
    assert_int_equal(diagnostics_errors(diagnostics), 2);
    assert_int_equal(diagnostics_internal(diagnostics), 1);
    size_t length = 0;
    output = NULL;
    FILE *stream = open_memstream(&output, &length);
    diagnostics_print(diagnostics, stream);
    diagnostics_print(diagnostics, stream); /* prints each message once */
    fclose(stream);
    assert_string_equal(output, "atomc: error: file: cannot read: reason\n"
                                "atomc: internal error: out of memory\n");
    assert_int_equal(diagnostics_errors(diagnostics), 2);
    free(output);
    diagnostics_destroy(diagnostics);
}

static void nearest_names(void **state) {
    (void)state;
    static const char *const names[] = {"branches", "blocks", "procs", "b", "pc"};
    assert_string_equal(nearest_name("branchs", names, 5), "branches");
    assert_string_equal(nearest_name("blcoks", names, 5), "blocks"); /* a swap is one edit */
    assert_string_equal(nearest_name("Procs", names, 5), "procs");
    assert_null(nearest_name("p", names, 5)); /* one letter is near to everything */
    assert_null(nearest_name("elephants", names, 5));
    assert_null(nearest_name("", names, 5));
    assert_null(nearest_name("branchs", names, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carets_under_the_span),  cmocka_unit_test(tabs_and_wide_characters),
        cmocka_unit_test(long_lines_are_clipped), cmocka_unit_test(hints_and_messages_without_position),
        cmocka_unit_test(nearest_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
