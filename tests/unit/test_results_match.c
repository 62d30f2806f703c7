/* Lines of two texts: what is matched is equal and in order, and as many as the longest common subsequence
 * has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runs/results/match.h"

enum { MOST = 12 };

static unsigned longest(const char *a, const char *b) { /* of single characters, each a line */
    unsigned table[MOST + 1][MOST + 1] = {{0}};
    size_t n = strlen(a), m = strlen(b);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++)
            table[i + 1][k + 1] = a[i] == b[k]                        ? table[i][k] + 1
                                  : table[i][k + 1] > table[i + 1][k] ? table[i][k + 1]
                                                                      : table[i + 1][k];
    return table[n][m];
}

static void as_lines(const char *characters, char *text) {
    for (; *characters; characters++) {
        *text++ = *characters;
        *text++ = '\n';
    }
    *text = '\0';
}

static void compare(const char *a, const char *b) {
    char first[2 * MOST + 1], second[2 * MOST + 1];
    as_lines(a, first);
    as_lines(b, second);
    uint32_t *matched = match_lines(first, second), last = 0, count = 0;
    assert_int_equal(matched[0], strlen(b));
    for (uint32_t i = 1; i <= matched[0]; i++) {
        if (!matched[i])
            continue;
        assert_true(matched[i] > last && matched[i] <= strlen(a));
        assert_int_equal(a[matched[i] - 1], b[i - 1]);
        last = matched[i];
        count++;
    }
    if (count != longest(a, b))
        fail_msg("%s and %s: %u lines are matched", a, b, count);
    free(matched);
}

static void some(void **state) {
    (void)state;
    compare("", "");
    compare("abc", "abc");
    compare("abc", "");
    compare("", "abc");
    compare("abcabba", "cbabac");
    compare("abcdef", "xabcyef");
    uint32_t *matched = match_lines("a\nb\nno end", "b\nno end");
    assert_int_equal(matched[1], 2);
    assert_int_equal(matched[2], 3);
    free(matched);
}

static void many(void **state) {
    (void)state;
    uint32_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        char texts[2][MOST + 1];
        for (int k = 0; k < 2; k++) {
            seed = seed * 1664525 + 1013904223;
            size_t length = (seed >> 16) % (MOST + 1);
            for (size_t at = 0; at < length; at++) {
                seed = seed * 1664525 + 1013904223;
                texts[k][at] = (char)('a' + (seed >> 24) % 4);
            }
            texts[k][length] = '\0';
        }
        compare(texts[0], texts[1]);
    }
}

static void names(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"step", "step"},
        {"step.part.0", "step"},
        {"step.constprop.0.isra.12", "step"},
        {"step.constprop.0.cold", "step"},
        {"step.lto_priv.3", "step"},
        {"step.cold.1", "step"},
        {"step.partial", "step.partial"},
        {"step.part.0x", "step.part.0x"},
        {"a.part.0.b", "a.part.0.b"},
        {".part.0", ".part.0"},
        {"", ""},
        {"_Z4stepi.part.0", "_Z4stepi"},
        {"step(int) [clone .part.0] [clone .cold]", "step(int)"},
        {"step(int) [clone .other]", "step(int) [clone .other]"},
        {"operator[]", "operator[]"},
        {"]", "]"},
        {"main;step.part.0;step.cold", "main;step;step"},
        {"main;;step.isra.0;", "main;;step;"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char *name = name_of_clones(pairs[i][0]);
        assert_string_equal(name, pairs[i][1]);
        free(name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(some), cmocka_unit_test(many),
                                       cmocka_unit_test(names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
