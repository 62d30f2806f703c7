/* test_runtime_report.c: the runtime's reports on the host, from tables made by hand: formats, quoting,
   order, sums, files. Requires cmocka and a writable temporary directory. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "runtime/counts/keyed.c"
#include "runtime/report/report.c"
#include "runtime/report/children.c"
#include "runtime/counts/counting.c"
#include "runtime/report/report_file.c"
#include "runtime/report/formats.c"
#include "runtime/report/names.c"
#include "runtime/report/output.c"
#include "runtime/report/pieces.c"
#include "runtime/report/report_format.c"
#include "runtime/report/report_json.c"
#include "runtime/report/report_table.c"
#include "runtime/report/series.c"
#include "support/support.h"

/* No report here is shown by atomc run. */
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
uint64_t atomc_program_stack(void) {
    return 0;
}
const char *atomc_address_name(uint64_t kind, int64_t address) {
    (void)kind, (void)address;
    return "(unknown)";
}
int atomc_is_readable(long address) {
    return address == 0x120000ff0;
}

#define ADDRESS(object)   ((uint64_t)(uintptr_t)(object))
#define OPERATOR_CODE(id) (ATOMC_REPORT_OPERATOR + PLAN_OP_##id)

/* Rows: address, name, number of their cell. The last has none. */
static const int64_t initial[5] = {7, 3, 7, INT64_MAX, 0};
static int64_t cells[5];
static const char quoted[] = "a \"b\",\tc\n\\", strange[] = "caf\xc3\xa9 \xff\xed\xa0\x80\x01",
                  plain[] = "main";
static uint64_t names[4];
static const uint8_t offsets[] = {0, 4, 8, 12};
static uint16_t cell_numbers[4];
static struct atomc_report_slot slots[3];
static const struct atomc_cell_range ranges[] = {{3, 1, INT64_MAX}};
static struct atomc_report_column columns[] = {
    {.format = ATOMC_REPORT_HEXADECIMAL},
    {.format = ATOMC_REPORT_DECIMAL, .merge = ATOMC_REPORT_SUM},
    {.format = ATOMC_REPORT_PERCENT, .merge = ATOMC_REPORT_SUM},
    {.format = ATOMC_REPORT_TEXT},
};
static const struct atomc_report_instruction address_code[] = {{ATOMC_REPORT_SLOT, 0, 0}};
static const struct atomc_report_instruction name_code[] = {{ATOMC_REPORT_SLOT, 1, 0}};
static const struct atomc_report_instruction cell_code[] = {{ATOMC_REPORT_CELL, 2, 0}};
static const struct atomc_report_instruction filter_code[] = {
    {ATOMC_REPORT_CELL, 2, 0}, {ATOMC_REPORT_CONSTANT, 0, 0}, {OPERATOR_CODE(GREATER), 0, 0}};
static struct atomc_report report;
static struct atomc_image image;

static void make_tables(void) {
    static const char *const texts[] = {quoted, strange, plain, ""};
    for (int i = 0; i < 4; i++) {
        names[i] = ADDRESS(texts[i]);
        cell_numbers[i] = i < 3 ? (uint16_t)i : 1000;
    }
    slots[0] = (struct atomc_report_slot){.values = ADDRESS(offsets), .width = 1, .base = 0x120000000};
    slots[1] = (struct atomc_report_slot){.values = ADDRESS(names), .width = 8, .base = 0};
    slots[2] = (struct atomc_report_slot){.values = ADDRESS(cell_numbers), .width = 2, .base = 0};
    columns[0].title = ADDRESS("PC");
    columns[1].title = ADDRESS("Count");
    columns[2].title = ADDRESS("Percent");
    columns[3].title = ADDRESS("Procedure, \"quoted\"");
    columns[0].value = (struct atomc_report_code){ADDRESS(address_code), 1};
    columns[1].value = columns[2].value = (struct atomc_report_code){ADDRESS(cell_code), 1};
    columns[3].value = (struct atomc_report_code){ADDRESS(name_code), 1};
    report = (struct atomc_report){.tool = ADDRESS("test"),
                                   .path = ADDRESS("test.out"),
                                   .depth = 3,
                                   .columns = ADDRESS(columns),
                                   .column_count = 4,
                                   .slots = ADDRESS(slots),
                                   .slot_count = 3,
                                   .row_count = 4};
    image = (struct atomc_image){.cells = ADDRESS(cells),
                                 .cell_count = 5,
                                 .cell_ranges = ADDRESS(ranges),
                                 .cell_range_count = 1,
                                 .reports = ADDRESS(&report),
                                 .report_count = 1};
}

/* Each test begins with the same tables, in a directory of its own. */
static int set_up(void **state) {
    static int number;
    char *directory = format_string("%s/%d", temporary_directory(), number++);
    assert_int_equal(mkdir(directory, 0777), 0);
    assert_int_equal(chdir(directory), 0);
    unsetenv("ATOMC_FORMAT");
    unsetenv("ATOMC_OUT");
    memcpy(cells, initial, sizeof cells); /* a test that failed may have left others */
    make_tables();
    int64_t first = cells[3];
    atomc_prepare_reports(&image);
    assert_true(cells[3] == first && cells[3] == INT64_MAX);
    *state = directory;
    return 0;
}

static int tear_down(void **state) {
    free(*state);
    free(start_directory);
    start_directory = NULL;
    return 0;
}

static void expect_file(const char *path, const char *expected) {
    size_t length;
    char *found = read_file(path, &length);
    assert_non_null(found);
    assert_string_equal(found, expected);
    free(found);
}

/* Writes the report and compares the file. */
static void expect(const char *path, const char *expected) {
    atomc_write_reports(&image);
    expect_file(path, expected);
}

/* ---- formats ------------------------------------------------------------------------------------------- */

static void text(void **state) {
    (void)state;
    report.flags = ATOMC_REPORT_TOTAL;
    expect("test.out", "PC\tCount\tPercent\tProcedure, \"quoted\"\n"
                       "0x120000000\t7\t41.18\ta \"b\", c \\\n"
                       "0x120000004\t3\t17.65\tcaf\xc3\xa9 \xff\xed\xa0\x80\\x01\n"
                       "0x120000008\t7\t41.18\tmain\n"
                       "0x12000000c\t0\t0.00\t\n"
                       "total\t17\t100.00\n");
}

static void csv(void **state) {
    (void)state;
    report.flags = ATOMC_REPORT_TOTAL;
    setenv("ATOMC_FORMAT", "csv", 1);
    expect("test.out", "PC,Count,Percent,\"Procedure, \"\"quoted\"\"\"\n"
                       "0x120000000,7,41.18,\"a \"\"b\"\",\tc\n\\\"\n"
                       "0x120000004,3,17.65,\"caf\xc3\xa9 \xff\xed\xa0\x80\\x01\"\n"
                       "0x120000008,7,41.18,main\n"
                       "0x12000000c,0,0.00,\n"
                       "total,17,100.00,\n");
}

static void json(void **state) {
    (void)state;
    report.flags = ATOMC_REPORT_TOTAL;
    setenv("ATOMC_FORMAT", "json", 1);
#define NAME ", \"Procedure, \\\"quoted\\\"\": "
    expect("test.out", "{\"tool\": \"test\", \"report\": \"test.out\", \"rows\": [\n"
                       "{\"PC\": \"0x120000000\", \"Count\": 7, \"Percent\": 41.18" NAME
                       "\"a \\\"b\\\",\\u0009c\\u000a\\\\\"},\n"
                       "{\"PC\": \"0x120000004\", \"Count\": 3, \"Percent\": 17.65" NAME
                       "\"caf\xc3\xa9 \\ufffd\\ufffd\\ufffd\\ufffd\\u0001\"},\n"
                       "{\"PC\": \"0x120000008\", \"Count\": 7, \"Percent\": 41.18" NAME "\"main\"},\n"
                       "{\"PC\": \"0x12000000c\", \"Count\": 0, \"Percent\": 0.00" NAME "\"\"}"
                       "], \"total\": {\"Count\": 17, \"Percent\": 100.00}}\n");
    report.flags = 0;
    report.row_count = 0;
    expect("test.out", "{\"tool\": \"test\", \"report\": \"test.out\", \"rows\": []}\n");
}

/* A number that is known before the program runs, and in tables of routines each, is one too. */
static void json_static(void **state) {
    (void)state;
    setenv("ATOMC_FORMAT", "json", 1);
    columns[1].merge = ATOMC_REPORT_FIRST;
    report.column_count = 2;
    report.row_count = 1;
    atomc_write_reports(&image);
    columns[1].merge = ATOMC_REPORT_SUM;
    expect_file("test.out", "{\"tool\": \"test\", \"report\": \"test.out\", \"rows\": [\n"
                            "{\"PC\": \"0x120000000\", \"Count\": 7}]}\n");
}

/* The first and the third row are one, and the second and the last; then the greatest is shown. */
static void groups(void **state) {
    (void)state;
    static const uint8_t numbers[] = {0, 1, 0, 1};
    report.flags = ATOMC_REPORT_TOTAL | ATOMC_REPORT_DESCENDING;
    report.group = (struct atomc_report_slot){.values = ADDRESS(numbers), .width = 1, .base = 0};
    report.group_count = 2;
    columns[1].merge = columns[2].merge = ATOMC_REPORT_SUM;
    expect("test.out", "PC\tCount\tPercent\tProcedure, \"quoted\"\n"
                       "0x120000000\t14\t82.35\ta \"b\", c \\\n"
                       "0x120000004\t3\t17.65\tcaf\xc3\xa9 \xff\xed\xa0\x80\\x01\n"
                       "total\t17\t100.00\n");
    columns[1].merge = ATOMC_REPORT_GREATEST;
    report.filter = (struct atomc_report_code){ADDRESS(filter_code), 3};
    cells[0] = -9; /* the filter leaves out single rows, and groups of which no row is left; a group stands
                    * where its first row stands that is left */
    expect("test.out", "PC\tCount\tPercent\tProcedure, \"quoted\"\n"
                       "0x120000004\t3\t30.00\tcaf\xc3\xa9 \xff\xed\xa0\x80\\x01\n"
                       "0x120000008\t7\t70.00\tmain\n"
                       "total\t7\t100.00\n");
    report.key = (struct atomc_report_code){ADDRESS(cell_code), 1};
    report.filter.count = 0;
    cells[1] = -10;
    expect("test.out", "PC\tCount\tPercent\tProcedure, \"quoted\"\n"
                       "0x120000000\t7\t16.67\ta \"b\", c \\\n"
                       "0x120000004\t0\t83.33\tcaf\xc3\xa9 \xff\xed\xa0\x80\\x01\n"
                       "total\t7\t100.00\n");
    cells[0] = 7, cells[1] = 3;
    columns[1].merge = columns[2].merge = ATOMC_REPORT_SUM;
}

/* A total in the first column, nothing to take a share of, the least integer. */
static void small_totals(void **state) {
    (void)state;
    cells[4] = INT64_MIN;
    cell_numbers[0] = 3; /* never updated: 0 */
    cell_numbers[1] = 4;
    report.flags = ATOMC_REPORT_TOTAL;
    report.row_count = 2;
    report.columns = ADDRESS(&columns[1]);
    report.column_count = 2;
    expect("test.out", "Count\tPercent\n0\t0.00\n-9223372036854775808\t100.00\n"
                       "total -9223372036854775808\t100.00\n");
    cells[4] = 0;
    expect("test.out", "Count\tPercent\n0\t0.00\n0\t0.00\ntotal 0\t0.00\n");
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static void order(void **state) {
    (void)state;
    report.columns = ADDRESS(&columns[1]);
    report.column_count = 1;
    report.key = columns[1].value;
    expect("test.out", "Count\n0\n3\n7\n7\n");
    report.column_count = 4;
    report.columns = ADDRESS(columns);
    columns[3].format = ATOMC_REPORT_HEXADECIMAL; /* which of the equal ones comes first */
    columns[3].title = ADDRESS("Again");
    columns[3].value = columns[0].value;
    report.flags = ATOMC_REPORT_DESCENDING;
    expect("test.out", "PC\tCount\tPercent\tAgain\n"
                       "0x120000000\t7\t41.18\t0x120000000\n"
                       "0x120000008\t7\t41.18\t0x120000008\n"
                       "0x120000004\t3\t17.65\t0x120000004\n"
                       "0x12000000c\t0\t0.00\t0x12000000c\n");
    report.flags |= ATOMC_REPORT_TEXT_KEY;
    report.key = (struct atomc_report_code){ADDRESS(name_code), 1};
    report.column_count = 1;
    expect("test.out", "PC\n0x120000008\n0x120000004\n0x120000000\n0x12000000c\n");
    report.flags = ATOMC_REPORT_TEXT_KEY;
    expect("test.out", "PC\n0x12000000c\n0x120000000\n0x120000004\n0x120000008\n");
}

/* Sums are over what the filter keeps, also over rows beyond the limit. */
static void filter_and_limit(void **state) {
    (void)state;
    report.filter = (struct atomc_report_code){ADDRESS(filter_code), 3};
    report.column_count = 3;
    report.flags = ATOMC_REPORT_TOTAL;
    report.limit = 1;
    expect("test.out", "PC\tCount\tPercent\n0x120000000\t7\t41.18\ntotal\t17\t100.00\n");
    report.limit = 10;
    expect("test.out", "PC\tCount\tPercent\n0x120000000\t7\t41.18\n0x120000004\t3\t17.65\n"
                       "0x120000008\t7\t41.18\ntotal\t17\t100.00\n");
}

/* ---- expressions --------------------------------------------------------------------------------------- */

static int64_t compute(const struct atomc_report_instruction *instructions, uint64_t count) {
    int64_t results[8 * BATCH], read[3 * BATCH];
    uint64_t slots_read[3] = {0};
    const int64_t *operands[8];
    struct evaluation evaluation = {.image = &image,
                                    .report = &report,
                                    .slots = read,
                                    .slots_read = slots_read,
                                    .operands = operands,
                                    .results = results};
    struct atomc_report_code code = {ADDRESS(instructions), count};
    struct batch batch = {.number = 0}; /* of the first row */
    set_batch(&batch, BATCH);
    const int64_t *values = expression_values(&evaluation, &code, &batch, results);
    for (unsigned k = 1; k < BATCH; k++)
        assert_true(values[k] == values[0]);
    return values[0];
}

static int64_t compute_binary(int op, int64_t a, int64_t b) {
    struct atomc_report_instruction code[] = {{ATOMC_REPORT_CONSTANT, (uint64_t)a, 0},
                                              {ATOMC_REPORT_CONSTANT, (uint64_t)b, 0},
                                              {(uint64_t)op, 0, 0}};
    return compute(code, 3);
}

static void operators(void **state) {
    (void)state;
    static const struct {
        int op;
        int64_t a, b, result;
    } cases[] = {
        {OPERATOR_CODE(MULTIPLY), INT64_MAX, 2, -2},
        {OPERATOR_CODE(DIVIDE), -7, 2, -3},
        {OPERATOR_CODE(DIVIDE), 7, 0, 0},
        {OPERATOR_CODE(DIVIDE), INT64_MIN, -1, INT64_MIN},
        {OPERATOR_CODE(REMAINDER), -7, 2, -1},
        {OPERATOR_CODE(REMAINDER), 7, 0, 0},
        {OPERATOR_CODE(REMAINDER), INT64_MIN, -1, 0},
        {OPERATOR_CODE(ADD), INT64_MAX, 1, INT64_MIN},
        {OPERATOR_CODE(SUBTRACT), INT64_MIN, 1, INT64_MAX},
        {OPERATOR_CODE(SHIFT_LEFT), 3, 62, (int64_t)(UINT64_C(3) << 62)},
        {OPERATOR_CODE(SHIFT_RIGHT), -8, 65, -4},
        {OPERATOR_CODE(LESS), -1, 1, 1},
        {OPERATOR_CODE(LESS), 1, 1, 0},
        {OPERATOR_CODE(LESS_EQUAL), 1, 1, 1},
        {OPERATOR_CODE(GREATER), 1, -1, 1},
        {OPERATOR_CODE(GREATER), 1, 1, 0},
        {OPERATOR_CODE(GREATER_EQUAL), 1, 1, 1},
        {OPERATOR_CODE(EQUAL), 5, 5, 1},
        {OPERATOR_CODE(NOT_EQUAL), 5, 5, 0},
        {OPERATOR_CODE(BIT_AND), 12, 10, 8},
        {OPERATOR_CODE(BIT_XOR), 12, 10, 6},
        {OPERATOR_CODE(BIT_OR), 12, 10, 14},
        {OPERATOR_CODE(AND), 12, 0, 0},
        {OPERATOR_CODE(AND), 4, 2, 1},
        {OPERATOR_CODE(OR), 0, 8, 1},
        {OPERATOR_CODE(OR), 0, 0, 0},
        {ATOMC_REPORT_LIKE, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_true(compute_binary(cases[i].op, cases[i].a, cases[i].b) == cases[i].result);
    assert_int_equal(compute_binary(ATOMC_REPORT_LIKE, (int64_t)ADDRESS("main"), (int64_t)ADDRESS("m*n")), 1);
    assert_int_equal(compute_binary(ATOMC_REPORT_LIKE, (int64_t)ADDRESS("main"), (int64_t)ADDRESS("n*")), 0);
}

static void other_instructions(void **state) {
    (void)state;
    struct atomc_report_instruction unary[] = {{ATOMC_REPORT_CONSTANT, 5, 0}, {OPERATOR_CODE(NEGATE), 0, 0}};
    assert_int_equal(compute(unary, 2), -5);
    unary[1].op = OPERATOR_CODE(COMPLEMENT);
    assert_int_equal(compute(unary, 2), ~5);
    unary[1].op = OPERATOR_CODE(NOT);
    assert_int_equal(compute(unary, 2), 0);
    unary[1] = (struct atomc_report_instruction){ATOMC_REPORT_CELL_AT, 0, 6}; /* the image has 5 cells */
    assert_int_equal(compute(unary, 2), 0);
    unary[0].operand = 2;
    assert_int_equal(compute(unary, 2), 7);
    unary[1].count = 2;
    assert_int_equal(compute(unary, 2), 0);
    unary[0].operand = UINT64_MAX;
    assert_int_equal(compute(unary, 2), 0);
    struct atomc_report_instruction choice[] = {{ATOMC_REPORT_CONSTANT, 1, 0},
                                                {ATOMC_REPORT_CONSTANT, 20, 0},
                                                {ATOMC_REPORT_CONSTANT, 30, 0},
                                                {ATOMC_REPORT_CONDITIONAL, 0, 0}};
    assert_int_equal(compute(choice, 4), 20);
    choice[0].operand = 0;
    assert_int_equal(compute(choice, 4), 30);
}

static void slot_widths(void **state) {
    (void)state;
    static const uint32_t words[] = {1, 0xffffffff};
    struct atomc_report_instruction code[] = {{ATOMC_REPORT_SLOT, 0, 0}};
    slots[0] = (struct atomc_report_slot){.values = ADDRESS(words + 1), .width = 4, .base = UINT64_MAX};
    assert_true(compute(code, 1) == 0xfffffffe);
    slots[0] = (struct atomc_report_slot){.values = 0, .width = 0, .base = 42};
    assert_true(compute(code, 1) == 42);
    slots[0].step = (uint64_t)-4;
    assert_true(read_slot(&slots[0], 3) == 30);
}

/* Rows whose cells are not 0 are found by their cells, as by looking at each row. */
static void rows_of_cells(void **state) {
    (void)state;
    enum { CELLS = 300, ROWS = 500 };
    static int64_t some[CELLS];
    static uint16_t numbers[ROWS];
    image = (struct atomc_image){.cells = ADDRESS(some), .cell_count = CELLS};
    for (unsigned round = 0; round < 200; round++) {
        unsigned cell = 0, rarely = 2 + round % 50;
        for (unsigned i = 0; i < CELLS; i++)
            some[i] = rand() % rarely == 0;
        for (unsigned row = 0; row < ROWS; row++) /* in the last rounds, some beyond the last cell */
            numbers[row] = (uint16_t)(cell += rand() % (round < 100 ? 2 : 3) == 0);
        struct atomc_report_slot any = {.values = ADDRESS(numbers), .width = 2}, even = {0, 0, round, 1, 1};
        struct atomc_report_slot ascending = any;
        ascending.ascends = 1;
        for (uint64_t row = 0; row < ROWS; row++) {
            assert_true(next_row_of(&image, &ascending, row, ROWS) == next_row_of(&image, &any, row, ROWS));
            uint64_t found = next_row_of(&image, &even, row, ROWS), expected = row;
            while (expected < ROWS && (expected + round >= CELLS || !some[expected + round]))
                expected++;
            assert_true(found == expected);
        }
        for (uint64_t from = 0, most = ATOMC_AT_ONCE + round % 40, i; from < CELLS;) {
            uint64_t found[ATOMC_AT_ONCE + 40];
            i = from;
            unsigned count = atomc_find_nonzero((const uint64_t *)some, &from, CELLS, found, most);
            assert_true(atomc_next_nonzero((const uint64_t *)some, i, CELLS) == (count ? found[0] : CELLS));
            for (unsigned k = 0; i < from; i++)
                assert_true(some[i] ? k < count && found[k++] == i : k == count || found[k] > i);
            assert_true((count <= most && count + ATOMC_AT_ONCE > most) || from == CELLS);
        }
    }
}

/* Bits are found as by looking at each. */
static void bits(void **state) {
    (void)state;
    enum { BITS = 700 };
    uint64_t words[BITS / 64 + 1];
    for (unsigned round = 0; round < 300; round++) {
        unsigned rarely = 1 + round * round / 50;
        uint64_t end = BITS - round % 130;
        memset(words, 0, sizeof words);
        for (unsigned i = 0; i < BITS; i++)
            words[i / 64] |= (uint64_t)(rand() % rarely == 0) << i % 64;
        for (uint64_t i = end + 1, expected = end; i-- > 0;) {
            if (i < end && words[i / 64] >> i % 64 & 1)
                expected = i;
            assert_true(atomc_next_bit(words, i, end) == expected);
        }
    }
}

/* What has been stored is as printf writes it. */
static void expect_stored(char *stored, const char *format, ...) {
    char expected[500];
    va_list values;
    va_start(values, format);
    vsnprintf(expected, sizeof expected, format, values);
    va_end(values);
    *stored = 0;
    assert_string_equal(atomc_pending, expected);
}

/* Texts that begin anywhere and are stored anywhere; they end with characters of all kinds. */
static void pieces(void **state) {
    (void)state;
    static char text[64] __attribute__((aligned(8)));
    static const char signs[] = "-z.\\,\"\t\x80\x1f(~{";
    for (unsigned from = 0; from < 9; from++)
        for (unsigned length = 0; length < 40; length++)
            for (size_t sign = 0; sign < sizeof signs - 1; sign++) {
                memset(text, 'a', sizeof text);
                text[from + length] = 0;
                if (length > 0)
                    text[from + length - 1] = signs[sign];
                struct piece piece = atomc_look_at(text + from);
                assert_int_equal(piece.length, length);
                /* A lone 0x80 is a control character, too. */
                unsigned more = (unsigned char)signs[sign] == 0x80 ? BREAKS_TEXT | BREAKS_CSV : 0;
                if (is_formula(text + from))
                    more |= BREAKS_CSV;
                assert_int_equal(piece.breaks, length ? breaks_of((unsigned char)signs[sign]) | more : 0);
                memcpy(atomc_pending, "01234567", 8);
                *store_text(atomc_pending + sign % 9, text + from, length) = 0;
                assert_memory_equal(atomc_pending, "01234567", sign % 9);
                assert_string_equal(atomc_pending + sign % 9, text + from);
            }
}

static uint64_t random_number(void) {
    uint64_t value = (uint64_t)rand() << 33 ^ (uint64_t)rand() << 11 ^ (uint64_t)rand();
    return value >> rand() % 64;
}

static void numbers(void **state) {
    (void)state;
    for (int i = 0; i < 100000; i++) {
        uint64_t value = i < 40 ? (uint64_t)(i / 2 * 50000000 - i % 2) : random_number();
        expect_stored(store_decimal(atomc_pending, value), "%" PRIu64, value);
        if (value < IN_WORD / 10) {
            struct characters number = short_decimal(value, '\n');
            expect_stored(store_word(atomc_pending, number.word, (unsigned)number.bits / 8), "%" PRIu64 "\n",
                          value);
        }
        expect_stored(store_hexadecimal(atomc_pending, value), "%" PRIx64, value);
        double part = (double)random_number(), whole = (double)random_number();
        double share = 100.0 * part / (whole + 1), between = (double)i / 4096; /* some are just between two */
        expect_stored(store_two_decimals(atomc_pending, share), "%.2f", share);
        expect_stored(store_two_decimals(atomc_pending, between), "%.2f", between);
    }
    static const double others[] = {0, -0.0, 1e300, -1.005, 1e-300, 4503599627370497.5, 0.005, 0.0049999};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        expect_stored(store_two_decimals(atomc_pending, others[i]), "%.2f", others[i]);
}

/* Rows of all kinds of values, some of which come again: texts of any length, aligned or not, that change in
   place where they may; by rows and by columns. */
static void rows_of_text(void **state) {
    (void)state;
    enum { ROWS = 50, LONGEST = 500 };
    static char room[ROWS][LONGEST + 16] __attribute__((aligned(8)));
    static const char letters[] = "abc.d_e(f)\"\t,";
    int64_t values[4][ROWS], sums[4] = {0, 0, 1000, 0};
    const int64_t *by_column[4] = {values[0], values[1], values[2], values[3]};
    static const struct atomc_report_column kinds[] = {{.format = ATOMC_REPORT_HEXADECIMAL},
                                                       {.format = ATOMC_REPORT_DECIMAL},
                                                       {.format = ATOMC_REPORT_PERCENT},
                                                       {.format = ATOMC_REPORT_TEXT}};
    struct atomc_report described = {.columns = ADDRESS(kinds), .column_count = 4};
    for (int round = 0; round < 400; round++) {
        char *written = NULL, *expected = NULL;
        size_t written_size, expected_size;
        FILE *stream = open_memstream(&written, &written_size);
        FILE *other = open_memstream(&expected, &expected_size);
        struct atomc_table table = {.stream = stream,
                                    .report = &described,
                                    .sums = sums,
                                    .number = atomc_table_number(),
                                    .changes = round % 4 == 0};
        for (int row = 0; row < ROWS; row++) {
            char *text = room[table.changes ? 0 : row] + (round % 3 ? 0 : rand() % 8);
            int length = rand() % (rand() % 20 ? 30 : LONGEST);
            for (int i = 0; i < length; i++)
                text[i] = letters[(size_t)rand() % (rand() % 9 ? 6 : sizeof letters - 1)];
            text[length] = '\0';
            values[0][row] =
                (int64_t)(rand() % 4 ? 0x120000000 + random_number() % 0x100000 : random_number());
            values[1][row] = (int64_t)random_number() * (rand() % 9 ? 1 : -1);
            values[2][row] = rand() % (rand() % 3 ? 3 : 1000);
            values[3][row] = rand() % 10 ? (intptr_t)text : 0;
            fprintf(other, "0x%" PRIx64 "\t%" PRId64 "\t%.2f\t", (uint64_t)values[0][row], values[1][row],
                    (double)values[2][row] / 10);
            for (int i = 0; values[3][row] && i < length; i++)
                putc(text[i] == '\t' ? ' ' : text[i], other);
            putc('\n', other);
            const int64_t one[4] = {values[0][row], values[1][row], values[2][row], values[3][row]};
            if (table.changes || round % 2)
                write_text_row(&table, one);
        }
        if (!table.changes && round % 2 == 0)
            write_text_rows(&table, by_column, ROWS);
        atomc_flush_pending(stream);
        fclose(stream);
        fclose(other);
        assert_string_equal(written, expected);
        free(written);
        free(expected);
    }
}

static void sorting(void **state) {
    (void)state;
    enum { ROWS = 300 };
    struct chosen_row rows[ROWS], expected[ROWS];
    for (int round = 0; round < 100; round++) {
        int count = round % 5 ? ROWS : 100 + round; /* few are sorted by shorter digits */
        for (int i = 0; i < ROWS; i++)
            rows[i] = (struct chosen_row){(uint64_t)i, (int64_t)(random_number() << round % 3 * 20)};
        memcpy(expected, rows, sizeof rows);
        qsort(expected, count, sizeof *rows, round % 2 ? compare_rows_descending : compare_sorted_rows);
        assert_true(sort_by_digits(rows, count, round % 2));
        assert_memory_equal(rows, expected, sizeof rows);
    }
}

static void initial_cells(void **state) {
    (void)state;
    int64_t some[6] = {1, 2, 3, 4, 5, 6};
    static const struct atomc_cell_range two[] = {{1, 2, (uint64_t)INT64_MIN}, {4, 1, INT64_MAX}};
    image = (struct atomc_image){
        .cells = ADDRESS(some), .cell_count = 6, .cell_ranges = ADDRESS(two), .cell_range_count = 2};
    atomc_prepare_reports(&image);
    assert_true(some[0] == 1 && some[1] == INT64_MIN && some[2] == INT64_MIN && some[3] == 4);
    assert_true(some[4] == INT64_MAX && some[5] == 6);
    some[0] = INT64_MIN; /* not a cell that starts there */
    some[2] = -4;
    assert_true(read_cell(&image, 0) == INT64_MIN);
    assert_true(read_cell(&image, 1) == 0 && read_cell(&image, 2) == -4 && read_cell(&image, 3) == 4);
    assert_true(read_cell(&image, 4) == 0 && read_cell(&image, 5) == 6 && read_cell(&image, 6) == 0);
}

/* ---- files --------------------------------------------------------------------------------------------- */

/* Runs atomc_write_reports in a process with standard output and error in files. */
static void write_apart(const char *standard_output, const char *standard_error) {
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int good = freopen(standard_output, "w", stdout) && freopen(standard_error, "w", stderr);
        atomc_write_reports(&image);
        fflush(NULL);
        _exit(good ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void only_count(void) {
    report.columns = ADDRESS(&columns[1]);
    report.column_count = 1;
    report.row_count = 1;
}

static void streams(void **state) {
    (void)state;
    only_count();
    report.path = ADDRESS("-");
    write_apart("out", "err");
    expect_file("out", "Count\n7\n");
    expect_file("err", "");
    report.path = ADDRESS("!");
    write_apart("out", "err");
    expect_file("out", "");
    expect_file("err", "Count\n7\n");
    report.path = ADDRESS("test.out");
    setenv("ATOMC_OUT", "-", 1);
    setenv("ATOMC_FORMAT", "CSV", 1);
    write_apart("out", "err");
    expect_file("out", "Count\n7\n");
    expect_file(
        "err",
        "atomc: ATOMC_FORMAT is 'CSV', not text, table, csv, json or rows: reports are written as text\n");
    assert_int_equal(access("test.out", F_OK), -1);
}

static void directories(void **state) {
    (void)state;
    only_count();
    setenv("ATOMC_OUT", "a/b", 1);
    assert_int_equal(chdir("/"), 0); /* the program may go elsewhere */
    atomc_write_reports(&image);
    assert_int_equal(chdir(*state), 0);
    expect_file("a/b/test.out", "Count\n7\n");
    report.path = ADDRESS("/nowhere/absolute.out");
    expect("a/b/absolute.out", "Count\n7\n");
    report.path = ADDRESS("x%p%.out");
    char *name = format_string("in%ld/x%ld%%.out", (long)getpid(), (long)getpid());
    setenv("ATOMC_OUT", "in%p/", 1);
    expect(name, "Count\n7\n");
    free(name);
}

static void replaced_whole(void **state) {
    (void)state;
    only_count();
    assert_int_equal(symlink("target", "test.out"), 0);
    expect("test.out", "Count\n7\n"); /* through a link to nothing: the link is replaced */
    assert_int_equal(access("target", F_OK), -1);
    assert_int_equal(rename("test.out", "target"), 0);
    assert_int_equal(symlink("target", "test.out"), 0);
    report.row_count = 0;
    expect("target", "Count\n");
    char link[16];
    assert_int_equal(readlink("test.out", link, sizeof link), 6);
}

/* What is no file is written as it stands. A pipe of the test's own: a mistake here must not replace a
 * device. */
static void no_file(void **state) {
    (void)state;
    char text[32] = "";
    struct stat status;
    only_count();
    assert_int_equal(mkfifo("test.out", 0666), 0);
    int pipe = open("test.out", O_RDWR | O_NONBLOCK);
    assert_true(pipe >= 0);
    atomc_write_reports(&image);
    assert_int_equal(read(pipe, text, sizeof text - 1), 8);
    assert_string_equal(text, "Count\n7\n");
    assert_int_equal(stat("test.out", &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    close(pipe);
}

static void cannot_write(void **state) {
    only_count();
    report.path = ADDRESS("missing/test.out");
    write_apart("out", "err");
    char *message =
        format_string("atomc: cannot write %s/missing/test.out: No such file or directory\n", (char *)*state);
    expect_file("err", message);
    free(message);
    setenv("ATOMC_OUT", "-", 1);
    write_apart("/dev/full", "err");
    expect_file("err", "atomc: cannot write standard output: No space left on device\n");
}

/* The file that was there stays, and nothing is left of the new one. */
static void too_large(void **state) {
    int status;
    only_count();
    expect("test.out", "Count\n7\n");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {0, 0};
        int good = setrlimit(RLIMIT_FSIZE, &limit) == 0;
        cells[0] = 8;
        atomc_write_reports(&image);
        char *temporary = format_string("test.out.%ld.new", (long)getpid());
        good = good && access(temporary, F_OK) != 0;
        free(temporary);
        _exit(good ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    char *path = format_string("%s/test.out", (char *)*state);
    expect_file(path, "Count\n7\n");
    free(path);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(text),
        TEST(csv),
        TEST(json),
        TEST(json_static),
        TEST(groups),
        TEST(small_totals),
        TEST(order),
        TEST(operators),
        TEST(initial_cells),
        TEST(streams),
        TEST(replaced_whole),
        TEST(filter_and_limit),
        TEST(cannot_write),
        TEST(directories),
        TEST(other_instructions),
        TEST(slot_widths),
        TEST(rows_of_cells),
        TEST(bits),
        TEST(pieces),
        TEST(numbers),
        TEST(rows_of_text),
        TEST(sorting),
        TEST(no_file),
        TEST(too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
