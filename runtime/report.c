/* report.c: evaluates the reports from the counters' cells (filter, order, sums) and writes them.
   Requires the tables of interface.h. Memory comes from malloc; without memory there is no report. */
#include <errno.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "plan/operators.h"
#include "report.h"

#define AT(type, address) ((const type *)(uintptr_t)(address))
enum { MOST_ZERO_CELLS = 8, MOST_SELECTED = 64 };

/* ---- cells --------------------------------------------------------------------------------------------- */

/* A cell that was never updated reads as 0. */
static int64_t read_cell(const struct atomc_image *image, uint64_t cell) {
    const struct atomc_cell_range *ranges = AT(struct atomc_cell_range, image->cell_ranges);
    uint64_t low = 0, high = image->cell_range_count;
    if (cell >= image->cell_count)
        return 0;
    int64_t value = AT(int64_t, image->cells)[cell];
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (cell < ranges[middle].first)
            high = middle;
        else if (cell - ranges[middle].first >= ranges[middle].count)
            low = middle + 1;
        else
            return value == (int64_t)ranges[middle].initial ? 0 : value;
    }
    return value;
}

void atomc_prepare_reports(const struct atomc_image *image) {
    const struct atomc_cell_range *ranges = AT(struct atomc_cell_range, image->cell_ranges);
    uint64_t *cells = (uint64_t *)(uintptr_t)image->cells;
    for (uint64_t i = 0; i < image->cell_range_count; i++)
        for (uint64_t k = 0; k < ranges[i].count; k++)
            cells[ranges[i].first + k] = ranges[i].initial;
    atomc_remember_directory();
}

/* ---- expressions --------------------------------------------------------------------------------------- */

static int64_t matches(int64_t text, int64_t pattern) {
    return text && pattern && fnmatch(AT(char, pattern), AT(char, text), 0) == 0;
}

/* The state of evaluating one report. */
struct evaluation {
    const struct atomc_image *image;
    const struct atomc_report *report;
    int64_t *stack;  /* as deep as the report's code needs */
    int64_t *values; /* of a row's columns */
    int64_t *sums;
    struct chosen_row {
        uint64_t row;
        int64_t key;
    } * rows; /* those that the filter keeps */
    uint64_t row_count;
    struct group {
        int reached;
        int64_t key;
    } * groups;            /* NULL: rows are not grouped. Else chosen rows are groups, */
    int64_t *group_values; /* with these values of their columns */
};

static inline uint64_t read_slot(const struct atomc_report_slot *found, uint64_t row) {
    if (found->width == 4) /* the most frequent width */
        return found->base + AT(uint32_t, found->values)[row];
    if (found->width == 2)
        return found->base + AT(uint16_t, found->values)[row];
    if (found->width == 1)
        return found->base + AT(uint8_t, found->values)[row];
    return found->base + (found->width ? AT(uint64_t, found->values)[row] : 0);
}

static uint64_t slot_value(const struct atomc_report *report, uint64_t slot, uint64_t row) {
    return read_slot(AT(struct atomc_report_slot, report->slots) + slot, row);
}

/* Executes one instruction; returns the new top of the stack. */
static int64_t *step(const struct evaluation *evaluation, const struct atomc_report_instruction *instruction,
                     uint64_t row, int64_t *top) {
    switch (instruction->op) {
    case ATOMC_REPORT_CONSTANT:
        *top++ = instruction->operand;
        break;
    case ATOMC_REPORT_SLOT:
        *top++ = slot_value(evaluation->report, instruction->operand, row);
        break;
    case ATOMC_REPORT_CELL:
        *top++ = read_cell(evaluation->image, slot_value(evaluation->report, instruction->operand, row));
        break;
    case ATOMC_REPORT_CELL_AT:
        top[-1] = (uint64_t)top[-1] < instruction->count
                      ? read_cell(evaluation->image, instruction->operand + top[-1])
                      : 0;
        break;
    case ATOMC_REPORT_CONDITIONAL:
        top -= 2;
        top[-1] = top[-1] ? top[0] : top[1];
        break;
    case ATOMC_REPORT_LIKE:
        top--;
        top[-1] = matches(top[-1], top[0]);
        break;
/* Within the switch: a call for each operator of each row would be the most of a report's cost. */
#define OPERATOR(id, word, level, operands, kind, limit, value)                                              \
    case ATOMC_REPORT_OPERATOR + PLAN_OP_##id: {                                                             \
        int64_t *left = top - (operands), a = left[0], b = (operands) == 2 ? left[1] : 0;                    \
        uint64_t x = (uint64_t)a, y = (uint64_t)b;                                                           \
        (void)x, (void)y;                                                                                    \
        left[0] = (int64_t)(value);                                                                          \
        return left + 1;                                                                                     \
    }
#include "plan/operators.def"
#undef OPERATOR
    }
    return top;
}

static int64_t evaluate(const struct evaluation *evaluation, const struct atomc_report_code *code,
                        uint64_t row) {
    const struct atomc_report_instruction *instruction =
        AT(struct atomc_report_instruction, code->instructions);
    int64_t *top = evaluation->stack;
    for (uint64_t i = 0; i < code->count; i++)
        top = step(evaluation, &instruction[i], row, top);
    return top[-1];
}

/* ---- rows whose cells are all 0 ------------------------------------------------------------------------- */

/* Most rows of most reports are like this: the filter depends on cells only, and all of them are 0. Then its
   result is always the same. */
struct zero_rows {
    const struct atomc_report_slot *cells[MOST_ZERO_CELLS];
    uint64_t count; /* 0: there is no filter, or it depends on other values too */
    int are_kept;   /* if all of them are 0 */
};

static void find_zero_rows(struct zero_rows *zero, const struct evaluation *evaluation) {
    const struct atomc_report *report = evaluation->report;
    const struct atomc_report_instruction *code =
        AT(struct atomc_report_instruction, report->filter.instructions);
    int64_t *top = evaluation->stack;
    uint64_t count = 0;
    for (uint64_t i = 0; i < report->filter.count; i++) {
        if (code[i].op == ATOMC_REPORT_SLOT || code[i].op == ATOMC_REPORT_CELL_AT || count == MOST_ZERO_CELLS)
            return;
        if (code[i].op == ATOMC_REPORT_CELL) {
            zero->cells[count++] = AT(struct atomc_report_slot, report->slots) + code[i].operand;
            *top++ = 0;
        } else {
            top = step(evaluation, &code[i], 0, top);
        }
    }
    zero->count = count;
    zero->are_kept = count > 0 && top[-1] != 0;
}

static int is_zero_cell(const struct atomc_image *image, uint64_t cell) {
    if (image->cell_range_count)
        return read_cell(image, cell) == 0;
    return cell >= image->cell_count || AT(int64_t, image->cells)[cell] == 0;
}

/* The next row, from this one on, that has a cell other than 0 or is kept with zeros. */
static uint64_t next_row(const struct zero_rows *zero, const struct evaluation *evaluation, uint64_t row) {
    const struct atomc_image *image = evaluation->image;
    uint64_t count = evaluation->report->row_count;
    if (zero->count == 0 || zero->are_kept)
        return row;
    for (; row < count; row++)
        for (uint64_t i = 0; i < zero->count; i++)
            if (!is_zero_cell(image, read_slot(zero->cells[i], row)))
                return row;
    return row;
}

static void evaluate_columns(struct evaluation *evaluation, uint64_t row) {
    const struct atomc_report_column *columns = AT(struct atomc_report_column, evaluation->report->columns);
    for (uint64_t i = 0; i < evaluation->report->column_count; i++)
        evaluation->values[i] = evaluate(evaluation, &columns[i].value, row);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static int64_t merged(int64_t value, int64_t other, uint64_t merge) {
    if (merge == ATOMC_REPORT_SUM)
        return (uint64_t)value + (uint64_t)other;
    return merge == ATOMC_REPORT_GREATEST && other > value ? other : value;
}

/* For `greatest` columns, the greatest. */
static void add_sums(struct evaluation *evaluation, const int64_t *values) {
    const struct atomc_report_column *columns = AT(struct atomc_report_column, evaluation->report->columns);
    for (uint64_t i = 0; i < evaluation->report->column_count; i++) {
        int greatest = columns[i].merge == ATOMC_REPORT_GREATEST;
        if (evaluation->row_count == 0)
            evaluation->sums[i] = values[i];
        else
            evaluation->sums[i] =
                merged(evaluation->sums[i], values[i], greatest ? ATOMC_REPORT_GREATEST : ATOMC_REPORT_SUM);
    }
}

/* Adds a row, whose columns are in values, to its group. */
static void add_to_group(struct evaluation *evaluation, uint64_t row, int64_t key) {
    const struct atomc_report *report = evaluation->report;
    const struct atomc_report_column *columns = AT(struct atomc_report_column, report->columns);
    uint64_t number = read_slot(&report->group, row);
    struct group *group = &evaluation->groups[number];
    int64_t *values = evaluation->group_values + number * report->column_count;
    for (uint64_t i = 0; i < report->column_count; i++)
        values[i] = group->reached ? merged(values[i], evaluation->values[i], columns[i].merge)
                                   : evaluation->values[i];
    group->key = group->reached ? merged(group->key, key, report->key_merge) : key;
    group->reached = 1;
}

static void choose_groups(struct evaluation *evaluation) {
    const struct atomc_report *report = evaluation->report;
    for (uint64_t i = 0; i < report->group_count; i++)
        if (evaluation->groups[i].reached) {
            add_sums(evaluation, evaluation->group_values + i * report->column_count);
            evaluation->rows[evaluation->row_count++] = (struct chosen_row){i, evaluation->groups[i].key};
        }
}

static int compare_rows(const void *left, const void *right) {
    const struct chosen_row *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static int compare_rows_descending(const void *left, const void *right) {
    const struct chosen_row *a = left, *b = right;
    if (a->key != b->key)
        return a->key > b->key ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static int compare_texts(const void *left, const void *right) {
    const struct chosen_row *a = left, *b = right;
    int order = strcmp(AT(char, a->key), AT(char, b->key));
    return order ? order : a->row < b->row ? -1 : a->row > b->row;
}

static int compare_texts_descending(const void *left, const void *right) {
    const struct chosen_row *a = left, *b = right;
    int order = strcmp(AT(char, b->key), AT(char, a->key));
    return order ? order : a->row < b->row ? -1 : a->row > b->row;
}

typedef int row_order(const void *left, const void *right);

/* If few of many rows are written, only the first ones are sorted. No two rows are equal. */
static void sort_rows(struct evaluation *evaluation, row_order *order) {
    struct chosen_row *rows = evaluation->rows;
    uint64_t count = evaluation->row_count, first = evaluation->report->limit;
    if (first == 0 || first > MOST_SELECTED || first >= count)
        first = count;
    qsort(rows, first, sizeof *rows, order);
    for (uint64_t i = first; i < count; i++) {
        struct chosen_row row = rows[i];
        uint64_t place = first;
        for (; place > 0 && order(&row, &rows[place - 1]) < 0; place--)
            rows[place] = rows[place - 1];
        if (place < first)
            rows[place] = row;
    }
}

/* Whether the values of all rows are needed before the first row is written: for groups and sums. */
static int needs_values(const struct evaluation *evaluation) {
    const struct atomc_report *report = evaluation->report;
    const struct atomc_report_column *columns = AT(struct atomc_report_column, report->columns);
    for (uint64_t i = 0; i < report->column_count; i++)
        if (columns[i].format == ATOMC_REPORT_PERCENT)
            return 1;
    return evaluation->groups || report->flags & ATOMC_REPORT_TOTAL;
}

static void choose_rows(struct evaluation *evaluation) {
    const struct atomc_report *report = evaluation->report;
    int descending = (report->flags & ATOMC_REPORT_DESCENDING) != 0;
    struct zero_rows zero = {.count = 0};
    find_zero_rows(&zero, evaluation);
    int values = needs_values(evaluation);
    for (uint64_t row = 0; row < report->row_count; row++) {
        row = next_row(&zero, evaluation, row);
        if (row == report->row_count)
            break;
        if (report->filter.count && !evaluate(evaluation, &report->filter, row))
            continue;
        if (values)
            evaluate_columns(evaluation, row);
        int64_t key = report->key.count ? evaluate(evaluation, &report->key, row) : 0;
        if (evaluation->groups) {
            add_to_group(evaluation, row, key);
        } else {
            if (values)
                add_sums(evaluation, evaluation->values);
            evaluation->rows[evaluation->row_count++] = (struct chosen_row){row, key};
        }
    }
    if (evaluation->groups)
        choose_groups(evaluation);
    if (report->key.count)
        sort_rows(evaluation, report->flags & ATOMC_REPORT_TEXT_KEY
                                  ? (descending ? compare_texts_descending : compare_texts)
                                  : (descending ? compare_rows_descending : compare_rows));
}

static void write_table(struct evaluation *evaluation, const struct atomc_format *format, const char *name,
                        FILE *stream) {
    const struct atomc_report *report = evaluation->report;
    struct atomc_table table = {.stream = stream, .report = report, .name = name, .sums = evaluation->sums};
    uint64_t count = evaluation->row_count;
    if (report->limit && report->limit < count)
        count = report->limit;
    format->head(&table);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t row = evaluation->rows[i].row;
        if (!evaluation->groups)
            evaluate_columns(evaluation, row);
        format->row(&table, evaluation->groups ? evaluation->group_values + row * report->column_count
                                               : evaluation->values);
        table.rows++;
    }
    if (report->flags & ATOMC_REPORT_TOTAL)
        format->total(&table, evaluation->sums);
    format->end(&table);
}

/* ---- reports ------------------------------------------------------------------------------------------- */

/* False if there is no memory. */
static int start_evaluation(struct evaluation *evaluation) {
    const struct atomc_report *report = evaluation->report;
    evaluation->stack = malloc((report->depth + 1) * sizeof *evaluation->stack);
    evaluation->values = calloc(report->column_count + 1, sizeof *evaluation->values);
    evaluation->sums = calloc(report->column_count + 1, sizeof *evaluation->sums);
    evaluation->rows = malloc((report->row_count + 1) * sizeof *evaluation->rows);
    if (report->group_count) {
        evaluation->groups = calloc(report->group_count, sizeof *evaluation->groups);
        evaluation->group_values =
            calloc(report->group_count * report->column_count, sizeof *evaluation->group_values);
        if (!evaluation->groups || !evaluation->group_values)
            return 0;
    }
    return evaluation->stack && evaluation->values && evaluation->sums && evaluation->rows;
}

static void write_report(const struct atomc_image *image, const struct atomc_report *report,
                         const struct atomc_format *format, const char *name, FILE *stream) {
    struct evaluation evaluation = {.image = image, .report = report};
    if (start_evaluation(&evaluation)) {
        choose_rows(&evaluation);
        write_table(&evaluation, report->flags & ATOMC_REPORT_AS_TEXT ? &atomc_text_rows : format, name,
                    stream);
    } else {
        errno = ENOMEM;
        atomc_cannot_write(name);
    }
    free(evaluation.stack);
    free(evaluation.values);
    free(evaluation.sums);
    free(evaluation.rows);
    free(evaluation.groups);
    free(evaluation.group_values);
}

/* The output stays open for `count` reports: the first, and those that share its file. */
static void write_reports(const struct atomc_image *image, const struct atomc_report *report, uint64_t count,
                          const struct atomc_format *format) {
    struct atomc_output output;
    char *name = atomc_report_name(AT(char, report->path));
    if (!name) {
        errno = ENOMEM;
        atomc_cannot_write(AT(char, report->path));
    } else if (atomc_open_output(&output, name)) {
        for (uint64_t i = 0; i < count; i++)
            write_report(image, &report[i], format, name, output.stream);
        atomc_close_output(&output);
    }
    free(name);
}

/* The program's exit status must not change: a closed pipe or a full disk must not end the process. */
void atomc_write_reports(const struct atomc_image *image) {
    const struct atomc_report *reports = AT(struct atomc_report, image->reports);
    if (image->report_count == 0)
        return;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    const struct atomc_format *format = atomc_chosen_format();
    for (uint64_t i = 0, count; i < image->report_count; i += count) {
        for (count = 1; i + count < image->report_count && reports[i + count].flags & ATOMC_REPORT_JOINS;)
            count++;
        write_reports(image, &reports[i], count, format);
    }
}
