/* test_runs_causes.c: calls that differ between runs, in records where lines of several processes are mixed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runs/job/job.h"
#include "support/support.h"

static char *record(const char *name, const char *text) {
    char *path = format_string("%s/%s", temporary_directory(), name);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
    return path;
}

static void finds(const char *text, const char *expected) {
    char *path = record("record", text);
    const char *const records[2] = {path, path};
    json_t *found = find_causes(records, true, 0);
    char *causes = json_dumps(json_object_get(found, "can_be"), JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(causes, expected);
    free(causes);
    json_decref(found);
    free(path);
}

static void calls_of_mixed_lines_are_found(void **state) {
    (void)state;
    const char *time = "[{\"by\":{\"clock_gettime\":1},\"cause\":\"time\"}]";
    finds("100 clock_gettime(CLOCK_MONOTONIC,0x1) = 0\n", time);
    finds("100 wait4(-1,0,0)101 clock_gettime(CLOCK_MONOTONIC,0x1) = 0\n = 0\n", time);
    /* the number of one process, a call of another, and the name */
    finds("100 101 exit_group(0)clock_gettime(CLOCK_MONOTONIC,0x1) = 0\n", time);
    finds("100 101 clock_gettime(CLOCK_MONOTONIC,0x1)exit_group(0)\n = 0\n", time);
    finds("100 write(1,0x1,8) = 8\n", "[]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_of_mixed_lines_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
