/* Texts of programs in CSV: what a spreadsheet would compute is marked as text, and numbers stay numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/support.h"

static void marks_formulas(void **state) {
    static const char *const fields[][2] = {
        {"=1+1", "\"'=1+1\""},      {"@SUM(A1)", "\"'@SUM(A1)\""},
        {"-1+1", "\"'-1+1\""},      {"+cmd|x", "\"'+cmd|x\""},
        {"-e-5", "\"'-e-5\""},      {"-1e-5+1", "\"'-1e-5+1\""},
        {"-1e", "\"'-1e\""},        {"-1e-", "\"'-1e-\""},
        {"\t=1", "\"'\t=1\""},      {"-12", "-12"},
        {"+0.5", "+0.5"},           {"-1e-05", "-1e-05"},
        {"-2.5e+300", "-2.5e+300"}, {"1=1", "1=1"},
        {"a,b", "\"a,b\""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        char *written = NULL;
        size_t size;
        FILE *stream = open_memstream(&written, &size);
        assert_non_null(stream);
        put_csv_field(fields[i][0], stream);
        fclose(stream);
        assert_string_equal(written, fields[i][1]);
        free(written);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(marks_formulas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
