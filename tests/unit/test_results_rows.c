/* Files of rows: right ones are read; each truncation is refused, and no damage ends the reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runs/results/rows.h"

static const char whole[] =
    "{\"rows\":1,\"tool\":\"prof\",\"report\":\"prof.out\",\"process\":7,\"parent\":1,\"columns\":["
    "{\"title\":\"PC\",\"type\":\"address\",\"role\":\"key\",\"merge\":\"same\"},"
    "{\"title\":\"N\",\"type\":\"integer\",\"role\":\"measure\",\"merge\":\"sum\"},"
    "{\"title\":\"%\",\"type\":\"real\",\"role\":\"measure\",\"merge\":\"share\",\"of\":[1]},"
    "{\"title\":\"Name\",\"type\":\"text\",\"role\":\"label\",\"merge\":\"same\"}]}\n"
    "[\"0x120000460\",9223372036854775807,62.5,\"main\"]\n"
    "[\"0xffffffffffffffff\",-1,0,\"a \\\"name\\\"\"]\n"
    "{\"end\":true,\"rows\":2}\n";

static const char tree[] =
    "{\"rows\":1,\"columns\":["
    "{\"title\":\"Node\",\"type\":\"integer\",\"role\":\"node\",\"merge\":\"same\"},"
    "{\"title\":\"Parent\",\"type\":\"integer\",\"role\":\"parent\",\"merge\":\"same\"},"
    "{\"title\":\"Name\",\"type\":\"text\",\"role\":\"label\",\"merge\":\"same\"}]}\n"
    "[1,0,\"a\"]\n[2,1,\"b\"]\n[3,1,\"c\"]\n{\"end\":true,\"rows\":3}\n";

static char path[] = "/tmp/rows-XXXXXX";

static void write_file(const char *bytes, size_t length) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

/* Are they read to the end? As many as there are. */
static bool read_all(uint64_t *count) {
    struct diagnostics *diagnostics = diagnostics_create();
    struct rows rows;
    bool good = rows_open(&rows, path, diagnostics);
    while (good && rows_next(&rows))
        ;
    good = good && rows_are_whole(&rows) && diagnostics_errors(diagnostics) == 0;
    assert_int_equal(good, diagnostics_errors(diagnostics) == 0);
    *count = rows.row_count;
    rows_close(&rows);
    diagnostics_destroy(diagnostics);
    return good;
}

static void values(void **state) {
    (void)state;
    struct diagnostics *diagnostics = diagnostics_create();
    struct rows rows;
    write_file(whole, sizeof whole - 1);
    assert_true(rows_open(&rows, path, diagnostics));
    assert_string_equal(rows.tool, "prof");
    assert_int_equal(rows.process, 7);
    assert_int_equal(rows.column_count, 4);
    assert_int_equal(rows.columns[2].merge, ROW_SHARE);
    assert_int_equal(rows.columns[2].of[0], 1);
    const union row_value *row = rows_next(&rows);
    assert_non_null(row);
    assert_int_equal(row[0].integer, 0x120000460);
    assert_true(row[1].integer == INT64_MAX);
    assert_true(row[2].real == 62.5);
    assert_string_equal(row[3].text, "main");
    row = rows_next(&rows);
    assert_non_null(row);
    assert_true(row[0].integer == -1);
    assert_true(row[1].integer == -1);
    assert_string_equal(row[3].text, "a \"name\"");
    assert_null(rows_next(&rows));
    assert_true(rows_are_whole(&rows));
    rows_close(&rows);
    diagnostics_destroy(diagnostics);
}

/* A key that a row has none of: of all that did not fit, for instance. */
static void missing(void **state) {
    (void)state;
    const char *at = strstr(whole, "\"0x120000460\"");
    char *text = format_string("%.*snull%s", (int)(at - whole), whole, at + strlen("\"0x120000460\""));
    struct diagnostics *diagnostics = diagnostics_create();
    struct rows rows;
    write_file(text, strlen(text));
    free(text);
    assert_true(rows_open(&rows, path, diagnostics));
    assert_non_null(rows_next(&rows));
    assert_true(rows.missing[0]);
    assert_false(rows.missing[1]);
    assert_non_null(rows_next(&rows));
    assert_false(rows.missing[0]);
    rows_close(&rows);
    diagnostics_destroy(diagnostics);
}

static void truncations(void **state) {
    (void)state;
    uint64_t count;
    for (size_t length = 0; length < sizeof whole - 1; length++) {
        write_file(whole, length);
        assert_false(read_all(&count));
    }
    write_file(whole, sizeof whole - 1);
    assert_true(read_all(&count));
    assert_int_equal(count, 2);
}

/* A byte that is another: an error, or another value, but the reader goes on. */
static void damage(void **state) {
    (void)state;
    static const char bytes[] = {'"', '9', '[', '}', '\n', '\0', (char)0xff};
    uint64_t count, refused = 0, tried = 0;
    for (size_t at = 0; at < sizeof whole - 1; at++)
        for (size_t k = 0; k < sizeof bytes; k++, tried++) {
            char text[sizeof whole];
            memcpy(text, whole, sizeof whole);
            text[at] = bytes[k];
            write_file(text, sizeof whole - 1);
            refused += !read_all(&count);
        }
    assert_true(refused > tried / 2);
}

struct change {
    const char *what, *with;
};

static void refuse(const char *whole, const struct change *changes, size_t change_count) {
    uint64_t count;
    write_file(whole, strlen(whole));
    assert_true(read_all(&count));
    for (size_t i = 0; i < change_count; i++) {
        const char *at = strstr(whole, changes[i].what);
        assert_non_null(at);
        char *text = format_string("%.*s%s%s", (int)(at - whole), whole, changes[i].with,
                                   at + strlen(changes[i].what));
        write_file(text, strlen(text));
        if (read_all(&count))
            fail_msg("%s is read", changes[i].with);
        free(text);
    }
}

static void refused(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"\"rows\":1,", "\"rows\":2,"},
        {"\"rows\":2}", "\"rows\":3}"},
        {"\"integer\"", "\"number\""},
        {"\"of\":[1]", "\"of\":[4]"},
        {"\"of\":[1]", "\"of\":[0]"},
        {"\"of\":[1]", "\"of\":[]"},
        {"\"sum\"", "\"mean\""},
        {",\"main\"]", "]"},
        {",\"main\"]", ",1]"},
        {"62.5", "\"62.5\""},
        {"9223372036854775807", "1.5"},
        {"0x120000460", "120000460"},
        {"-1,0,", "null,0,"},
        {"\"rows\":2}\n", "\"rows\":2}\n[]"},
        {"9223372036854775807", "9223372036854775808"},
        {"0xffffffffffffffff", "0x1ffffffffffffffff"},
    };
    refuse(whole, changes, sizeof changes / sizeof changes[0]);
}

static void refused_trees(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"\"node\"", "\"label\""},  {"\"parent\"", "\"label\""},
        {"\"parent\"", "\"node\""}, {"\"label\"", "\"node\""},
        {"[1,0,", "[1,1,"},         {"[1,0,", "[2,0,"},
        {"[3,1,", "[3,4,"},         {"[3,1,", "[3,-1,"},
        {"[3,1,", "[null,1,"},      {"[3,1,", "[3,null,"},
        {"[2,1,", "[1,0,"},         {"\"integer\",\"role\":\"parent\"", "\"real\",\"role\":\"parent\""},
    };
    refuse(tree, changes, sizeof changes / sizeof changes[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values), cmocka_unit_test(missing), cmocka_unit_test(truncations),
        cmocka_unit_test(damage), cmocka_unit_test(refused), cmocka_unit_test(refused_trees),
    };
    int descriptor = mkstemp(path);
    if (descriptor < 0)
        return 1;
    close(descriptor);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
