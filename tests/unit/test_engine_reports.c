/* test_engine_reports.c: reports of plans made by hand, through the tables that the engine writes, as the
   runtime writes them. Requires cmocka, the Alpha cross compiler, and that the host maps memory at
   alpha_layout.tables. */
#define _GNU_SOURCE
#include "tests/unit/test_engine_common.h"

#include <sys/mman.h>

#include "engine/output/internal.h"
#include "runtime/interface.h"
#include "runtime/counts/keyed.c"
#include "runtime/report/report.c"
#include "runtime/report/children.c"
#include "runtime/report/report_file.c"
#include "runtime/report/formats.c"
#include "runtime/report/names.c"
#include "runtime/report/output.c"
#include "runtime/report/pieces.c"
#include "runtime/report/report_format.c"
#include "runtime/report/report_json.c"
#include "runtime/report/report_table.c"
#include "runtime/report/series.c"
#include "runtime/machine/alpha/layout.h"

/* No report here is shown by atomc run. */
uint64_t atomc_program_stack(void) {
    return 0;
}
const char *atomc_address_name(uint64_t kind, int64_t address) {
    (void)kind, (void)address;
    return "(unknown)";
}
int atomc_is_readable(long address) {
    return address == 0;
}
void atomc_watch(void) {
} /* there are no threads */
int atomc_was_moment(void) {
    return 1;
}
int atomc_others_count(void) {
    return 0;
}
int atomc_write_rows_later(void) {
    return 0;
}

/* Nothing here is settled. */
uint64_t *atomc_touched;

/* No report here is of a child. */
uint64_t *atomc_settled_copy(const struct atomc_image *settled) {
    (void)settled;
    fail();
    return NULL;
}

static const char source[] = "__attribute__((noinline)) int one(int x) { return x + 1; }\n"
                             "__attribute__((noinline)) int two(int x) { return one(x) + 2; }\n"
                             "__attribute__((noinline)) int six(int x) { return two(x) + 6; }\n"
                             "void _start(void) { six(1); for (;;) ; }\n";

static struct program *program;

/* ---- expressions --------------------------------------------------------------------------------------- */

#define OPERATION(...)                                                                                       \
    &(const struct plan_expression) {                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define NUMBER(value) OPERATION(.op = PLAN_OP_INTEGER, .type = PLAN_TYPE_INTEGER, .integer = (value))
#define TEXT(value)   OPERATION(.op = PLAN_OP_STRING, .type = PLAN_TYPE_STRING, .string = (value))
#define PLACE         OPERATION(.op = PLAN_OP_VARIABLE, .type = PLAN_TYPE_PROCEDURE)
#define NAME                                                                                                 \
    OPERATION(.op = PLAN_OP_ATTRIBUTE, .type = PLAN_TYPE_STRING, .attribute = PLAN_ATTRIBUTE_PROC_NAME,      \
              .operand = {PLACE})
#define INDEX(number)                                                                                        \
    OPERATION(.op = PLAN_OP_INDEX, .type = PLAN_TYPE_INTEGER, .set = (number), .operand = {PLACE})
#define CELL(number, index)                                                                                  \
    OPERATION(.op = PLAN_OP_CELL, .type = PLAN_TYPE_INTEGER, .counter = (number), .operand = {index})
#define BINARY(code, a, b) OPERATION(.op = PLAN_OP_##code, .type = PLAN_TYPE_INTEGER, .operand = {a, b})

enum { ALL, NOT_TWO };
enum { CALLS, LONGEST, EVER };

/* ---- running ------------------------------------------------------------------------------------------- */

/* Sets: all procedures but _start; those but two. Counters: calls over all, longest (max=) over not two, and
 * ever, a cell. */
static void with_plan(const struct plan_report *report, int64_t *cells, bool good, const char *expected) {
    const struct plan_loop all = {.kind = PLAN_PROCEDURE,
                                  .condition = BINARY(NOT_EQUAL, NAME, TEXT("_start"))};
    const struct plan_loop not_two = {.kind = PLAN_PROCEDURE,
                                      .domain = PLAN_DOMAIN_SET,
                                      .set = ALL,
                                      .condition = BINARY(NOT_EQUAL, NAME, TEXT("two"))};
    const struct plan_set sets[] = {
        {.name = "all", .kind = PLAN_PROCEDURE, .loop_count = 1, .loops = &all},
        {.name = "not_two", .kind = PLAN_PROCEDURE, .loop_count = 1, .loops = &not_two},
    };
    const struct plan_counter counters[] = {
        {.name = "calls", .set = ALL},
        {.name = "longest", .set = NOT_TWO, .update = PLAN_UPDATE_MAXIMUM},
        {.name = "ever", .set = PLAN_SINGLE_CELL},
    };
    const struct plan plan = {.name = "test",
                              .set_count = 2,
                              .sets = sets,
                              .counter_count = 3,
                              .counters = counters,
                              .report_count = 1,
                              .reports = report};
    struct diagnostics *diagnostics = diagnostics_create();
    struct arena *arena = arena_create();
    struct code_space code = {.tables.words = {.arena = arena, .address = alpha_layout.tables}};
    struct sites sites = {0};
    struct rewrite rewrite = {.arena = arena,
                              .program = program,
                              .machine = machine_for(architecture_of(EM_ALPHA)),
                              .plan = &plan,
                              .diagnostics = diagnostics,
                              .sites = &sites,
                              .code = &code};
    struct atomc_image image = {0};
    assert_int_equal(reports_write(&rewrite, &image), good);
    assert_int_equal(diagnostics_errors(diagnostics), good ? 0 : 1);
    if (good) {
        size_t size = 4 * (size_t)code.tables.words.count, length;
        void *tables = mmap((void *)(uintptr_t)alpha_layout.tables, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        assert_ptr_equal(tables, (void *)(uintptr_t)alpha_layout.tables);
        memcpy(tables, code.tables.words.words, size);
        assert_int_equal(image.cell_count, 6);
        image.cells = (uintptr_t)cells;
        atomc_write_reports(&image);
        munmap(tables, size);
        char *found = read_file("test.out", &length);
        assert_non_null(found);
        assert_string_equal(found, expected);
        free(found);
    }
    arena_destroy(arena);
    diagnostics_destroy(diagnostics);
}

static const struct plan_loop all = {
    .name = "p", .kind = PLAN_PROCEDURE, .domain = PLAN_DOMAIN_SET, .set = ALL};

/* ---- tests --------------------------------------------------------------------------------------------- */

static void rows(void **state) {
    (void)state;
    int64_t cells[] = {5, 0, 9, INT64_MIN, 70, 3}; /* one, two, six; one, six; ever */
    const struct plan_column columns[] = {
        {"Procedure", PLAN_COLUMN_TEXT, NAME, NULL},
        {"Calls", PLAN_COLUMN_DECIMAL, CELL(CALLS, INDEX(ALL)), NULL},
        {"Share", PLAN_COLUMN_PERCENT, OPERATION(.op = PLAN_OP_PERCENT, .operand = {CELL(CALLS, INDEX(ALL))}),
         NULL},
        {"Mixed", PLAN_COLUMN_HEXADECIMAL,
         BINARY(ADD, BINARY(MULTIPLY, CELL(EVER, NULL), NUMBER(16)), INDEX(ALL)), NULL},
    };
    struct plan_report report = {.tool = "test",
                                 .path = "test.out",
                                 .loop_count = 1,
                                 .loops = &all,
                                 .column_count = 4,
                                 .columns = columns,
                                 .total = true};
    with_plan(&report, cells, true,
              "Procedure\tCalls\tShare\tMixed\none\t5\t35.71\t0x30\ntwo\t0\t0.00\t0x31\nsix\t9\t64.29\t0x32\n"
              "total\t14\t100.00\t0x93\n");
    report.filter = BINARY(GREATER, CELL(CALLS, INDEX(ALL)), NUMBER(0));
    report.key = CELL(CALLS, INDEX(ALL));
    report.descending = true;
    with_plan(&report, cells, true,
              "Procedure\tCalls\tShare\tMixed\nsix\t9\t64.29\t0x32\none\t5\t35.71\t0x30\ntotal\t14\t100."
              "00\t0x62\n");
    report.key = NAME;
    report.descending = false;
    report.limit = 1;
    with_plan(&report, cells, true,
              "Procedure\tCalls\tShare\tMixed\none\t5\t35.71\t0x30\ntotal\t14\t100.00\t0x62\n");
}

/* What a static condition excludes has no value to fold: two is not in the counter's set. */
static void excluded(void **state) {
    (void)state;
    int64_t cells[] = {5, 4, 9, INT64_MIN, 70, 3};
    const struct plan_expression *is_two = BINARY(EQUAL, NAME, TEXT("two"));
    const struct plan_expression *has_longest =
        OPERATION(.op = PLAN_OP_MEMBER, .type = PLAN_TYPE_BOOLEAN, .set = NOT_TWO, .operand = {PLACE});
    const struct plan_expression *choice[] = {
        OPERATION(.op = PLAN_OP_CONDITIONAL, .operand = {is_two, NUMBER(-1), CELL(LONGEST, INDEX(NOT_TWO))}),
        BINARY(AND, has_longest, BINARY(GREATER, CELL(LONGEST, INDEX(NOT_TWO)), NUMBER(60))),
        BINARY(OR, is_two, CELL(LONGEST, INDEX(NOT_TWO))),
        CELL(LONGEST, INDEX(NOT_TWO)),
        OPERATION(.op = PLAN_OP_CONDITIONAL, .operand = {is_two, NUMBER(0), CELL(CALLS, INDEX(ALL))}),
        CELL(CALLS, INDEX(ALL)),
    };
    const struct plan_column columns[] = {
        {"Procedure", PLAN_COLUMN_TEXT, NAME, NULL},      {"Longest", PLAN_COLUMN_DECIMAL, choice[0], NULL},
        {"Long", PLAN_COLUMN_DECIMAL, choice[1], NULL},   {"Or", PLAN_COLUMN_DECIMAL, choice[2], NULL},
        {"Others", PLAN_COLUMN_DECIMAL, choice[4], NULL}, {"Calls", PLAN_COLUMN_DECIMAL, choice[5], NULL}};
    const struct plan_column plain[] = {{"Longest", PLAN_COLUMN_DECIMAL, choice[3], NULL}};
    struct plan_report report = {.tool = "test",
                                 .path = "test.out",
                                 .loop_count = 1,
                                 .loops = &all,
                                 .column_count = 6,
                                 .columns = columns};
    with_plan(&report, cells, true,
              "Procedure\tLongest\tLong\tOr\tOthers\tCalls\none\t0\t0\t0\t5\t5\ntwo\t-"
              "1\t0\t1\t0\t4\nsix\t70\t1\t1\t9\t9\n");
    report.columns = plain;
    report.column_count = 1;
    with_plan(&report, cells, false, NULL);
    report.filter = has_longest;
    with_plan(&report, cells, true, "Longest\n0\n70\n");
    report.filter = BINARY(AND, BINARY(GREATER, CELL(EVER, NULL), NUMBER(2)), has_longest);
    with_plan(&report, cells, true, "Longest\n0\n70\n");
    report.filter = BINARY(AND, BINARY(GREATER, CELL(EVER, NULL), NUMBER(3)), has_longest);
    with_plan(&report, cells, true, "Longest\n");
    report.filter =
        OPERATION(.op = PLAN_OP_NOT,
                  .operand = {BINARY(OR, is_two, BINARY(EQUAL, CELL(LONGEST, INDEX(NOT_TWO)), NUMBER(70)))});
    with_plan(&report, cells, true, "Longest\n0\n");
}

/* A filter that no row can pass. */
static void nothing(void **state) {
    (void)state;
    int64_t cells[6] = {0};
    const struct plan_column columns[] = {{"Procedure", PLAN_COLUMN_TEXT, NAME, NULL},
                                          {"Calls", PLAN_COLUMN_PERCENT, CELL(CALLS, INDEX(ALL)), NULL}};
    struct plan_report report = {.tool = "test",
                                 .path = "test.out",
                                 .loop_count = 1,
                                 .loops = &all,
                                 .column_count = 2,
                                 .columns = columns,
                                 .total = true};
    report.filter = BINARY(AND, CELL(CALLS, INDEX(ALL)), BINARY(EQUAL, NAME, TEXT("nobody")));
    with_plan(&report, cells, true, "Procedure\tCalls\ntotal\t0.00\n");
}

/* Without rows of places; cells numbered by others; texts and classes by counters. */
static void single(void **state) {
    (void)state;
    int64_t cells[] = {5, 0, 9, INT64_MIN, 1, 2};
    const struct plan_expression *load =
        OPERATION(.op = PLAN_OP_INTEGER, .type = PLAN_TYPE_CLASS, .integer = CLASS_LOAD);
    const struct plan_column columns[] = {
        {"Ever", PLAN_COLUMN_DECIMAL, CELL(EVER, NULL), NULL},
        {"Last", PLAN_COLUMN_DECIMAL, CELL(CALLS, CELL(EVER, NULL)), NULL},
        {"None", PLAN_COLUMN_DECIMAL, CELL(LONGEST, CELL(EVER, NULL)), NULL},
        {"Beyond", PLAN_COLUMN_DECIMAL, CELL(CALLS, NUMBER(3)), NULL},
        {"Said", PLAN_COLUMN_TEXT,
         OPERATION(.op = PLAN_OP_CONDITIONAL, .type = PLAN_TYPE_STRING,
                   .operand = {CELL(EVER, NULL), TEXT("yes"), TEXT("no")}),
         NULL},
        {"Class", PLAN_COLUMN_DECIMAL, load, NULL},
        {"Zero", PLAN_COLUMN_DECIMAL,
         BINARY(DIVIDE, NUMBER(1), BINARY(SUBTRACT, CELL(EVER, NULL), NUMBER(2))), NULL},
    };
    struct plan_report report = {.tool = "test", .path = "test.out", .column_count = 7, .columns = columns};
    char *expected = format_string("Ever\tLast\tNone\tBeyond\tSaid\tClass\tZero\n2\t9\t0\t0\tyes\t%s\t0\n",
                                   plan_class_words[CLASS_LOAD]);
    with_plan(&report, cells, true, expected);
    free(expected);
}

static void errors(void **state) {
    (void)state;
    int64_t cells[6] = {0};
    const struct plan_column columns[] = {
        {"Twice", PLAN_COLUMN_DECIMAL,
         BINARY(MULTIPLY, NUMBER(2), OPERATION(.op = PLAN_OP_PERCENT, .operand = {CELL(EVER, NULL)})), NULL},
    };
    struct plan_report report = {.tool = "test", .path = "test.out", .column_count = 1, .columns = columns};
    with_plan(&report, cells, false, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),   cmocka_unit_test(excluded), cmocka_unit_test(nothing),
        cmocka_unit_test(single), cmocka_unit_test(errors),
    };
    char *path = build_program("reports.c", source, "-O2", false);
    program = analyse(path);
    assert_int_equal(chdir(temporary_directory()), 0);
    unsetenv("ATOMC_FORMAT");
    unsetenv("ATOMC_OUT");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    program_close(program);
    free(path);
    return failed;
}
