/* report.c: evaluates the reports from the counters' cells (filter, order, sums) and writes them.
   Requires the tables of interface.h. Memory is allocated by malloc; if it is exhausted, the report is not
   written. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/counts/counts.h"
#include "plan/operators.h"
#include "runtime/counts/nonzero.h"
#include "runtime/report/report.h"
#include "support/search.h"

enum {
    MOST_ZERO_CELLS = 8,
    MOST_SELECTED = 64,
    BATCH = 64,
    LANES = 4,
    SHORTEST_DIGIT = 6,
    LONGEST_DIGIT = 11
};

/* ---- cells --------------------------------------------------------------------------------------------- */

/* True if the cell is in a range, and has its initial value: it was never updated. */
static int was_never_updated(const struct atomc_image *image, uint64_t cell, int64_t value) {
    const struct atomc_cell_range *ranges = AT(struct atomc_cell_range, image->cell_ranges);
    const uint64_t after = FIRST_NOT(0, image->cell_range_count, at, ranges[at].first <= cell);
    const struct atomc_cell_range *here = ranges + after - 1;
    return after > 0 && cell - here->first < here->count && value == (int64_t)here->initial;
}

static inline int64_t read_cell(const struct atomc_image *image, uint64_t cell) {
    if (cell >= image->cell_count)
        return 0;
    int64_t value = AT(int64_t, image->cells)[cell];
    return image->cell_range_count && was_never_updated(image, cell, value) ? 0 : value;
}

/* ---- expressions --------------------------------------------------------------------------------------- */

static int64_t text_matches_pattern(int64_t text, int64_t pattern) {
    return text && pattern && fnmatch(AT(char, pattern), AT(char, text), 0) == 0;
}

static int64_t same_text(int64_t text, int64_t other) {
    return text == other || (text && other && strcmp(AT(char, text), AT(char, other)) == 0);
}

/* The state of evaluating one report. Expressions are evaluated for a batch of rows at a time: each value has
   BATCH elements, one for each row. */
struct evaluation {
    const struct atomc_image *image;
    const struct atomc_report *report;
    uint64_t column_count;    /* columns to write: files of rows include hidden ones */
    int64_t *slots;           /* the values of each slot, or of the slot's cells, in a batch */
    uint64_t *slots_read;     /* the batch for which the slot was read: twice its number, +1 for cells */
    const int64_t **operands; /* the stack: the values of each operand */
    int64_t *results;         /* values of computed operands */
    uint64_t value_count;     /* values of a row: one for each column, followed by each column's divisor */
    int64_t *values;          /* values of computed columns, one column after another */
    const int64_t **columns;  /* each column's values in the batch */
    int64_t *row_values;      /* values of one row's columns */
    int64_t *shown;           /* the same, with quotients */
    int64_t *sums;
    struct chosen_row {
        uint64_t row;
        int64_t key;
    } * rows;                    /* rows that the filter keeps */
    uint64_t row_count, batches; /* batches that have been evaluated so far */
    uint64_t row_capacity;
    struct keyed_rows keys; /* for a report of keys: all rows of the report are repeated for each */
    struct group {
        uint64_t reached;  /* the position of this group in the order of first rows; 0: the group has no
                              position yet */
        int64_t key;       /* of the group in this position, like the following members */
    } * groups;            /* NULL: rows are not grouped. Otherwise the chosen rows are groups, */
    int64_t *group_values; /* with these values in their columns */
    uint64_t reached_count;
};
/* Rows that are evaluated together. */
struct batch {
    uint64_t number;          /* number of the report's batches, from 1 */
    uint64_t rows[BATCH + 1]; /* the array has room for one more */
    /* for a report of keys: the number of its rows, which are repeated for each key; else 0 */
    uint64_t repeat;
    uint64_t repeated[BATCH]; /* for a report of keys: the numbers of these rows in the slots */
    const uint64_t *slots;    /* .rows or .repeated */
    unsigned count;
    unsigned lanes; /* .count rounded up to a multiple of LANES; the excess repeats the first row */
};

static const int64_t zeros[BATCH];

/* Sets the number of rows in the batch. */
static void set_batch(struct batch *batch, unsigned count) {
    batch->number++;
    batch->count = count;
    for (; count % LANES; count++)
        batch->rows[count] = batch->rows[0];
    batch->lanes = count;
    batch->slots = batch->repeat ? batch->repeated : batch->rows;
    for (unsigned k = 0; batch->repeat && k < count; k++)
        batch->repeated[k] = batch->rows[k] % batch->repeat;
}

/* The rows of all keys together, in a report of keys. */
static uint64_t count_report_rows(const struct evaluation *evaluation) {
    uint64_t count = evaluation->report->row_count;
    return evaluation->report->keyed ? evaluation->keys.count * count : count;
}

/* With k for all rows of `lanes`. */
#define EACH_ROW(lanes)                                                                                      \
    for (uint64_t first_lane = 0; first_lane < (lanes); first_lane += LANES)                                 \
    _Pragma("GCC unroll 4") for (uint64_t k = first_lane; k < first_lane + LANES; k++)

static inline uint64_t read_slot(const struct atomc_report_slot *found, uint64_t row) {
    if (found->width == 4) /* the most frequent width */
        return found->base + AT(uint32_t, found->values)[row];
    if (found->width == 2)
        return found->base + AT(uint16_t, found->values)[row];
    if (found->width == 1)
        return found->base + AT(uint8_t, found->values)[row];
    return found->base + (found->width ? AT(uint64_t, found->values)[row] : found->step * row);
}

#define READ(value)                                                                                          \
    EACH_ROW(lanes)                                                                                          \
    values[k] = (int64_t)(base + (value))
static void read_slots(const struct atomc_report_slot *found, const struct batch *batch, int64_t *values) {
    const uint64_t base = found->base, step = found->step, *rows = batch->slots;
    const uintptr_t packed = (uintptr_t)found->values;
    const uint64_t lanes = batch->lanes;
    switch (found->width) {
    case 0:
        if (step == 1)
            READ(rows[k]);
        else
            READ(step * rows[k]);
        break;
    case 1:
        READ(((const uint8_t *)packed)[rows[k]]);
        break;
    case 2:
        READ(((const uint16_t *)packed)[rows[k]]);
        break;
    case 4:
        READ(((const uint32_t *)packed)[rows[k]]);
        break;
    default:
        READ(((const uint64_t *)packed)[rows[k]]);
    }
}
#undef READ

static void read_image_cells(const struct atomc_image *image, uint64_t lanes, int64_t *values) {
    const int64_t *cells = AT(int64_t, image->cells);
    const uint64_t count = image->cell_count;
    if (image->cell_range_count)
        EACH_ROW(lanes) values[k] = read_cell(image, (uint64_t)values[k]);
    else
        EACH_ROW(lanes) values[k] = (uint64_t)values[k] < count ? cells[values[k]] : 0;
}

/* The cells in the slot, one for each row, if all rows have a cell and the cells are consecutive; else
   NULL. */
static const uint64_t *cells_in_order(const struct evaluation *evaluation,
                                      const struct atomc_report_slot *slot) {
    const struct atomc_image *image = evaluation->image;
    if (slot->width != 0 || slot->step != 1 || image->cell_range_count || slot->base > image->cell_count ||
        evaluation->report->row_count > image->cell_count - slot->base)
        return NULL;
    return AT(uint64_t, image->cells) + slot->base;
}

/* The slot's values in the batch's rows, or the values of its cells. */
static const int64_t *slot_values(const struct evaluation *evaluation, const struct batch *batch,
                                  uint64_t number, unsigned of_cells) {
    const struct atomc_report_slot *slot = AT(struct atomc_report_slot, evaluation->report->slots) + number;
    const uint64_t lanes = batch->lanes;
    int64_t *values = evaluation->slots + number * BATCH;
    if (evaluation->slots_read[number] == 2 * batch->number + of_cells)
        return values;
    evaluation->slots_read[number] = 2 * batch->number + of_cells;
    const uint64_t *cells = of_cells ? cells_in_order(evaluation, slot) : NULL, *rows = batch->slots;
    if (cells) {
        EACH_ROW(lanes) values[k] = (int64_t)cells[rows[k]];
    } else {
        read_slots(slot, batch, values);
        if (of_cells)
            read_image_cells(evaluation->image, lanes, values);
    }
    return values;
}

/* For keys beyond the limit, texts are replaced by a mark; numbers are 0, and are written as 0. */
static void read_keys(const struct evaluation *evaluation, const struct batch *batch, uint64_t key,
                      int64_t *values) {
    const struct keyed_rows *keys = &evaluation->keys;
    int text = keys->table->keys[key] == COMMAND_KEY_TEXT;
    for (unsigned k = 0; k < batch->lanes; k++) {
        uint64_t entry = batch->rows[k] / batch->repeat;
        values[k] = !atomc_is_other(keys, entry) ? keys->entries[entry][key]
                    : text                       ? (intptr_t)ATOMC_OTHER_KEYS
                                                 : 0;
    }
}

/* Of a counter that holds texts: "" if none was set, and the mark for keys beyond the limit. */
static int64_t keyed_value(const struct evaluation *evaluation, uint64_t entry,
                           const struct keyed_table *table, int64_t bucket) {
    const int64_t value = atomc_row_value(&evaluation->keys, entry, table, bucket);
    if (!table->texts)
        return value;
    return atomc_is_other(&evaluation->keys, entry) ? (intptr_t)ATOMC_OTHER_KEYS
           : value                                  ? value
                                                    : (intptr_t) "";
}

/* Executes one instruction. Its operands are the last operands before `top`. Returns the new top, below which
   its values are. Values that had to be computed are in `results`, in place of the first operand. */
static const int64_t **execute_report_instruction(const struct evaluation *evaluation,
                                                  const struct atomc_report_instruction *instruction,
                                                  const struct batch *batch, const int64_t **top,
                                                  int64_t *results) {
    const uint64_t lanes = batch->lanes;
    const int64_t **place;
    int64_t *values;
#define RESULT(count)                                                                                        \
    place = top - (count);                                                                                   \
    values = results + (place - evaluation->operands) * BATCH
    switch (instruction->op) {
    case ATOMC_REPORT_CONSTANT: {
        const int64_t constant = (int64_t)instruction->operand;
        RESULT(0);
        EACH_ROW(lanes) values[k] = constant;
        break;
    }
    case ATOMC_REPORT_SLOT:
        *top = slot_values(evaluation, batch, instruction->operand, 0);
        return top + 1;
    case ATOMC_REPORT_CELL:
        *top = slot_values(evaluation, batch, instruction->operand, 1);
        return top + 1;
    case ATOMC_REPORT_CELL_AT:
        RESULT(1);
        for (uint64_t k = 0; k < lanes; k++) {
            uint64_t cell = (uint64_t)place[0][k];
            values[k] =
                cell < instruction->count ? read_cell(evaluation->image, instruction->operand + cell) : 0;
        }
        break;
    case ATOMC_REPORT_KEY:
        RESULT(0);
        read_keys(evaluation, batch, instruction->operand, values);
        break;
    case ATOMC_REPORT_KEYED:
        RESULT(1);
        for (uint64_t k = 0; k < lanes; k++)
            values[k] = keyed_value(evaluation, batch->rows[k] / batch->repeat,
                                    AT(struct keyed_table, instruction->operand),
                                    instruction->count ? place[0][k] : KEYED_ALL_BUCKETS);
        break;
    case ATOMC_REPORT_CONDITIONAL: {
        RESULT(3);
        const int64_t *condition = place[0], *one = place[1], *other = place[2];
        EACH_ROW(lanes) values[k] = condition[k] ? one[k] : other[k];
        break;
    }
    case ATOMC_REPORT_LIKE: {
        RESULT(2);
        const int64_t *text = place[0], *pattern = place[1];
        for (uint64_t k = 0; k < lanes; k++)
            values[k] = text_matches_pattern(text[k], pattern[k]);
        break;
    }
    case ATOMC_REPORT_EQUAL: {
        RESULT(2);
        const int64_t *text = place[0], *other = place[1];
        for (uint64_t k = 0; k < lanes; k++)
            values[k] = same_text(text[k], other[k]) != (int64_t)instruction->operand;
        break;
    }
    case ATOMC_REPORT_ADDRESS_NAME:
        RESULT(1);
        for (uint64_t k = 0; k < lanes; k++)
            values[k] =
                instruction->count && atomc_is_other(&evaluation->keys, batch->rows[k] / batch->repeat)
                    ? (intptr_t)ATOMC_OTHER_KEYS
                    : (intptr_t)atomc_address_name(instruction->operand, place[0][k]);
        break;
#define OPERATOR(id, word, level, operands, kind, limit, value)                                              \
    case ATOMC_REPORT_OPERATOR + PLAN_OP_##id: {                                                             \
        RESULT(operands);                                                                                    \
        const int64_t *left = place[0], *right = place[(operands)-1];                                        \
        EACH_ROW(lanes) {                                                                                    \
            int64_t a = left[k], b = right[k];                                                               \
            uint64_t x = (uint64_t)a, y = (uint64_t)b;                                                       \
            (void)b, (void)x, (void)y;                                                                       \
            values[k] = (int64_t)(value);                                                                    \
        }                                                                                                    \
        break;                                                                                               \
    }
#include "plan/operators.def"
#undef OPERATOR
    default:
        return top;
    }
#undef RESULT
    *place = values;
    return place + 1;
}

/* The expression's values in the batch's rows, valid until `results`, which has room for the report's
   depth, or the batch is used again. */
static const int64_t *expression_values(const struct evaluation *evaluation,
                                        const struct atomc_report_code *code, const struct batch *batch,
                                        int64_t *results) {
    const struct atomc_report_instruction *instruction =
        AT(struct atomc_report_instruction, code->instructions);
    const int64_t **top = evaluation->operands;
    for (uint64_t i = 0; i < code->count; i++)
        top = execute_report_instruction(evaluation, &instruction[i], batch, top, results);
    return top[-1];
}

/* ---- rows whose cells are all 0 ------------------------------------------------------------------------- */

/* The common case of a row: the filter depends only on cells, and all of these cells are 0. Then the filter's
   result is always the same. */
struct zero_rows {
    struct zero_cells {
        const struct atomc_report_slot *slot;
        const uint64_t *cells;   /* the cells of the rows, if they are consecutive; else NULL */
        const uint64_t *touched; /* in this case: atomc_touched, if all other cells are 0; else NULL */
        uint64_t end;            /* in this case: the end of the rows to evaluate in the last touched group */
        uint64_t next;           /* the first row, from the last one evaluated, whose cell is not 0 */
    } cells[MOST_ZERO_CELLS];
    uint64_t count; /* 0: there is no filter, or it depends on other values too, or rows of zeros are kept */
};

static int is_zero_cell(const struct atomc_image *image, uint64_t cell) {
    if (image->cell_range_count)
        return read_cell(image, cell) == 0;
    return cell >= image->cell_count || AT(int64_t, image->cells)[cell] == 0;
}

/* The first cell from this one on that is not 0, or `end`. */
static uint64_t next_cell(const struct atomc_image *image, uint64_t cell, uint64_t end) {
    enum { AT_ONCE = 16 };
    const int64_t *cells = AT(int64_t, image->cells);
    if (end > image->cell_count)
        end = image->cell_count;
    for (; cell + AT_ONCE <= end && !image->cell_range_count; cell += AT_ONCE) {
        int64_t any = 0;
#pragma GCC unroll 16
        for (int i = 0; i < AT_ONCE; i++)
            any |= cells[cell + i];
        if (any)
            break;
    }
    while (cell < end && is_zero_cell(image, cell))
        cell++;
    return cell;
}

/* The first row, from this one on, whose cell, of an ascending slot, is not less. */
static uint64_t row_of_cell(const struct atomc_report_slot *slot, uint64_t row, uint64_t count,
                            uint64_t cell) {
    if (slot->width == 0 && slot->step == 1)
        return cell - slot->base > row ? cell - slot->base : row;
    uint64_t low = row, width = 1; /* the row is often near */
    for (; low + width < count && read_slot(slot, low + width) < cell; width *= 2)
        low += width;
    return FIRST_NOT(low, low + width < count ? low + width : count, at, read_slot(slot, at) < cell);
}

static uint64_t next_row_of(const struct atomc_image *image, const struct atomc_report_slot *slot,
                            uint64_t row, uint64_t count) {
    if (!slot->ascends) {
        while (row < count && is_zero_cell(image, read_slot(slot, row)))
            row++;
        return row;
    }
    uint64_t end = count > 0 ? read_slot(slot, count - 1) + 1 : 0;
    while (row < count) {
        uint64_t cell = next_cell(image, read_slot(slot, row), end);
        if (cell >= end || cell >= image->cell_count)
            return count;
        row = row_of_cell(slot, row, count, cell);
        if (row < count && read_slot(slot, row) == cell)
            return row;
    }
    return row;
}

/* The next row whose cell may not be 0. This row and the rows up to .end have to be evaluated. */
static uint64_t next_touched(struct zero_cells *cells, uint64_t row, uint64_t count) {
    const uint64_t base = cells->slot->base;
    cells->end = count;
    if (!cells->touched || row >= count)
        return row < count ? row : count;
    uint64_t groups = (base + count - 1) / ATOMC_TOUCHED_CELLS + 1;
    uint64_t group = atomc_next_nonzero(cells->touched, (base + row) / ATOMC_TOUCHED_CELLS, groups);
    if (group >= groups)
        return count;
    uint64_t first = group * ATOMC_TOUCHED_CELLS;
    while (group < groups && cells->touched[group])
        group++;
    if (group < groups)
        cells->end = group * ATOMC_TOUCHED_CELLS - base;
    return first > base + row ? first - base : row;
}

static inline uint64_t next_of(const struct evaluation *evaluation, struct zero_cells *cells, uint64_t row) {
    uint64_t count = evaluation->report->row_count;
    if (!cells->cells)
        return next_row_of(evaluation->image, cells->slot, row, count);
    for (;;) {
        if (row < cells->end && (row = atomc_next_nonzero(cells->cells, row, cells->end)) < cells->end)
            return row;
        if (cells->end == count)
            return count;
        row = next_touched(cells, row, count);
    }
}

/* True if the cells of the rows change only by settling. Then cells that settling has not touched are 0. */
static const uint64_t *touched_cells(const struct evaluation *evaluation, const struct zero_cells *cells) {
    const struct atomc_cells *settled = AT(struct atomc_cells, evaluation->image->settled);
    uint64_t first = cells->slot->base, count = evaluation->report->row_count;
    for (uint64_t i = 0; cells->cells && i < evaluation->image->settled_count; i++)
        if (first >= settled[i].first && first + count <= settled[i].first + settled[i].count)
            return atomc_touched;
    return NULL;
}

/* Then one search finds many rows. */
static inline int is_one_column(const struct zero_rows *zero) {
    return zero->count == 1 && zero->cells[0].cells;
}

static void find_zero_rows(struct zero_rows *zero, const struct evaluation *evaluation) {
    const struct atomc_report *report = evaluation->report;
    const struct atomc_report_instruction *code =
        AT(struct atomc_report_instruction, report->filter.instructions);
    struct batch one;
    const int64_t **top = evaluation->operands;
    uint64_t count = 0;
    if (report->keyed)
        return;
    one.lanes = LANES;
    one.repeat = 0;
    for (uint64_t i = 0; i < report->filter.count; i++) {
        if (code[i].op == ATOMC_REPORT_SLOT || code[i].op == ATOMC_REPORT_CELL_AT || count == MOST_ZERO_CELLS)
            return;
        if (code[i].op == ATOMC_REPORT_CELL) {
            const struct atomc_report_slot *slot =
                AT(struct atomc_report_slot, report->slots) + code[i].operand;
            zero->cells[count++] =
                (struct zero_cells){.slot = slot, .cells = cells_in_order(evaluation, slot)};
            zero->cells[count - 1].touched = touched_cells(evaluation, &zero->cells[count - 1]);
            *top++ = zeros;
        } else {
            top = execute_report_instruction(evaluation, &code[i], &one, top, evaluation->results);
        }
    }
    if (count == 0 || top[-1][0] != 0)
        return;
    zero->count = count;
    for (uint64_t i = 0; i < count && !is_one_column(zero); i++)
        zero->cells[i].next = next_of(evaluation, &zero->cells[i], 0);
}

/* The next row, from this one on, that has a cell other than 0 or is kept with zeros. */
static inline uint64_t next_row(struct zero_rows *zero, const struct evaluation *evaluation, uint64_t row) {
    uint64_t next = evaluation->report->row_count;
    if (zero->count == 0)
        return row;
    for (uint64_t i = 0; i < zero->count; i++) {
        struct zero_cells *cells = &zero->cells[i];
        if (cells->next < row)
            cells->next = next_of(evaluation, cells, row);
        if (cells->next < next)
            next = cells->next;
    }
    return next;
}

/* For a value of a row: divisors follow the columns' values. */
static inline uint64_t column_of_value(const struct evaluation *evaluation, uint64_t value) {
    return value < evaluation->column_count ? value : value - evaluation->column_count;
}

static inline uint64_t merge_of_value(const struct evaluation *evaluation, uint64_t value) {
    const struct atomc_report_column *column =
        &AT(struct atomc_report_column, evaluation->report->columns)[column_of_value(evaluation, value)];
    return value < evaluation->column_count ? column->merge : column->divisor_merge;
}

/* True if the column's sum is written, or its values are shares of it. */
static int has_sum(const struct atomc_report *report, const struct atomc_report_column *column) {
    return column->format == ATOMC_REPORT_PERCENT ||
           (report->flags & ATOMC_REPORT_TOTAL && atomc_is_summed(column));
}

/* The columns' values in the batch's rows, or only of columns with sums. */
static void evaluate_columns(struct evaluation *evaluation, const struct batch *batch, int only_sums) {
    const struct atomc_report *report = evaluation->report;
    const struct atomc_report_column *columns = AT(struct atomc_report_column, report->columns);
    for (uint64_t i = 0; i < evaluation->value_count; i++) {
        const struct atomc_report_column *column = &columns[column_of_value(evaluation, i)];
        const struct atomc_report_code *code =
            i < evaluation->column_count ? &column->value : &column->divisor;
        if (!only_sums || has_sum(report, column))
            evaluation->columns[i] =
                code->count ? expression_values(evaluation, code, batch, evaluation->values + i * BATCH)
                            : zeros;
    }
}

/* One of the batch's rows. */
static const int64_t *row_values(struct evaluation *evaluation, unsigned k) {
    const int64_t **columns = evaluation->columns;
    int64_t *values = evaluation->row_values;
    const uint64_t count = evaluation->value_count, row = k;
#pragma GCC unroll 4
    for (uint64_t i = 0; i < count; i++)
        values[i] = columns[i][row];
    return values;
}

/* Division by zero gives the result that the operator defines. */
static int64_t divided_value(int64_t value, int64_t divisor) {
    return divisor == 0 ? 0 : divisor == -1 ? (int64_t)(0 - (uint64_t)value) : value / divisor;
}

/* A row, or the sums, in output form: quotients where columns have divisors. */
static const int64_t *with_quotients(struct evaluation *evaluation, const int64_t *values) {
    const struct atomc_report *report = evaluation->report;
    const struct atomc_report_column *columns = AT(struct atomc_report_column, report->columns);
    if (evaluation->value_count == evaluation->column_count)
        return values;
    for (uint64_t i = 0; i < evaluation->column_count; i++) {
        int64_t divisor = values[evaluation->column_count + i];
        double quotient = divisor ? (double)values[i] / (double)divisor : 0.0;
        evaluation->shown[i] = values[i];
        if (columns[i].divisor.count == 0)
            continue;
        if (columns[i].format == ATOMC_REPORT_REAL)
            memcpy(&evaluation->shown[i], &quotient, sizeof quotient);
        else
            evaluation->shown[i] = divided_value(values[i], divisor);
    }
    return evaluation->shown;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static int64_t merged_value(int64_t value, int64_t other, uint64_t merge) {
    if (merge == ATOMC_REPORT_SUM)
        return (uint64_t)value + (uint64_t)other;
    return merge == ATOMC_REPORT_GREATEST && other > value ? other : value;
}

/* Adds the values of `count` rows to their sum; for a `greatest` column, keeps the maximum. `first`: these
   are the first rows. */
static void add_sum(int64_t *total, uint64_t merge, const int64_t *values, uint64_t count, int first) {
    int64_t sum = first ? values[0] : *total;
    uint64_t k = first ? 1 : 0;
    if (merge == ATOMC_REPORT_GREATEST) {
        for (; k < count; k++)
            sum = merged_value(sum, values[k], ATOMC_REPORT_GREATEST);
    } else {
        for (; k < count && k % LANES; k++)
            sum = merged_value(sum, values[k], ATOMC_REPORT_SUM);
        for (; k + LANES <= count; k += LANES)
#pragma GCC unroll 4
            for (uint64_t lane = k; lane < k + LANES; lane++)
                sum = merged_value(sum, values[lane], ATOMC_REPORT_SUM);
        for (; k < count; k++)
            sum = merged_value(sum, values[k], ATOMC_REPORT_SUM);
    }
    *total = sum;
}

static void add_row_sums(struct evaluation *evaluation, unsigned count) {
    const struct atomc_report *report = evaluation->report;
    const struct atomc_report_column *columns = AT(struct atomc_report_column, report->columns);
    for (uint64_t i = 0; i < evaluation->value_count; i++) {
        const struct atomc_report_column *column = &columns[column_of_value(evaluation, i)];
        if (!has_sum(report, column))
            continue;
        if (i >= evaluation->column_count && column->divisor_merge == ATOMC_REPORT_FIRST)
            evaluation->sums[i] = evaluation->columns[i][0];
        else
            add_sum(&evaluation->sums[i], merge_of_value(evaluation, i), evaluation->columns[i], count,
                    evaluation->row_count == 0);
    }
}

/* Adds a row to its group. */
static void add_to_group(struct evaluation *evaluation, uint64_t row, const int64_t *row_values,
                         int64_t key) {
    const struct atomc_report *report = evaluation->report;
    uint64_t *reached = &evaluation->groups[read_slot(&report->group, row)].reached;
    const int is_first = *reached == 0;
    if (is_first)
        *reached = ++evaluation->reached_count;
    int64_t *group_key = &evaluation->groups[*reached - 1].key;
    int64_t *values = evaluation->group_values + (*reached - 1) * evaluation->value_count;
    for (uint64_t i = 0; i < evaluation->value_count; i++)
        values[i] =
            is_first ? row_values[i] : merged_value(values[i], row_values[i], merge_of_value(evaluation, i));
    *group_key = is_first ? key : merged_value(*group_key, key, report->key_merge);
}

static void choose_groups(struct evaluation *evaluation) {
    for (uint64_t i = 0; i < evaluation->reached_count; i++) {
        for (uint64_t k = 0; k < evaluation->value_count; k++)
            evaluation->columns[k] = evaluation->group_values + i * evaluation->value_count + k;
        add_row_sums(evaluation, 1);
        evaluation->rows[evaluation->row_count++] = (struct chosen_row){i, evaluation->groups[i].key};
    }
}

static int compare_sorted_rows(const void *left, const void *right) {
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

/* The number of bits of the keys for one pass of sorting: for few rows, the digits' loops would
   dominate. */
static unsigned choose_digit(uint64_t count, uint64_t differ) {
    unsigned bits = SHORTEST_DIGIT, width = 0;
    while (bits < LONGEST_DIGIT && UINT64_C(1) << bits <= count)
        bits++;
    while (width < 64 && differ >> width)
        width++;
    unsigned looks = (width + bits - 1) / bits;
    return looks > 0 ? (width + looks - 1) / looks : bits;
}

/* Radix sort from the lowest bits: it is stable, so rows with equal keys keep their order. Returns false if
   memory is exhausted. */
static int sort_by_digits(struct chosen_row *rows, uint64_t count, int descending) {
    static uint64_t begin[1 << LONGEST_DIGIT];
    struct chosen_row *from = rows, *to = malloc(count * sizeof *to), *spare = to;
    uint64_t differ = 0, change = (uint64_t)INT64_MIN ^ (descending ? UINT64_MAX : 0);
    if (!to)
        return 0;
    for (uint64_t i = 1; i < count; i++)
        differ |= (uint64_t)(rows[i].key ^ rows[0].key);
    const unsigned bits = choose_digit(count, differ);
    const uint64_t digits = UINT64_C(1) << bits, mask = digits - 1;
    for (unsigned shift = 0; shift < 64; shift += bits) {
        uint64_t at = 0;
        if (!(differ >> shift & mask))
            continue;
        memset(begin, 0, digits * sizeof *begin);
        for (uint64_t i = 0; i < count; i++)
            begin[((uint64_t)from[i].key ^ change) >> shift & mask]++;
        for (uint64_t i = 0; i < digits; i++) {
            uint64_t here = begin[i];
            begin[i] = at;
            at += here;
        }
        for (uint64_t i = 0; i < count; i++)
            to[begin[((uint64_t)from[i].key ^ change) >> shift & mask]++] = from[i];
        struct chosen_row *other = from;
        from = to;
        to = other;
    }
    if (from != rows)
        memcpy(rows, from, count * sizeof *rows);
    free(spare);
    return 1;
}

typedef int row_order(const void *left, const void *right);

/* If few of many rows are written, only the first ones are sorted. No two rows are equal. */
static void sort_rows(struct evaluation *evaluation, row_order *order, int by_text) {
    struct chosen_row *rows = evaluation->rows;
    uint64_t count = evaluation->row_count, first = evaluation->report->limit;
    if (first == 0 || first > MOST_SELECTED || first >= count)
        first = count;
    enum { FEW = 32 };
    int descending = (evaluation->report->flags & ATOMC_REPORT_DESCENDING) != 0;
    if (by_text || first <= FEW || !sort_by_digits(rows, first, descending))
        qsort(rows, first, sizeof *rows, order);
    for (uint64_t i = first; i < count; i++) {
        struct chosen_row row = rows[i];
        if (!by_text && (descending ? row.key <= rows[first - 1].key : row.key >= rows[first - 1].key))
            continue; /* equal ones are in order */
        uint64_t place = first;
        for (; place > 0 && order(&row, &rows[place - 1]) < 0; place--)
            rows[place] = rows[place - 1];
        if (place < first)
            rows[place] = row;
    }
}

/* True if values of all rows are needed before the first row is written: for groups and sums. */
static int needs_values(const struct evaluation *evaluation) {
    const struct atomc_report *report = evaluation->report;
    const struct atomc_report_column *columns = AT(struct atomc_report_column, report->columns);
    for (uint64_t i = 0; i < evaluation->column_count; i++)
        if (has_sum(report, &columns[i]))
            return 1;
    return evaluation->groups != NULL;
}

/* The next rows, from `*row` on, that may be kept. */
static void fill_batch(struct zero_rows *zero, const struct evaluation *evaluation, struct batch *batch,
                       uint64_t *row) {
    uint64_t count = count_report_rows(evaluation);
    unsigned found = 0;
    if (is_one_column(zero)) {
        struct zero_cells *cells = &zero->cells[0];
        while (found + ATOMC_AT_ONCE <= BATCH && *row < count)
            if (*row < cells->end)
                found +=
                    atomc_find_nonzero(cells->cells, row, cells->end, batch->rows + found, BATCH - found);
            else
                *row = next_touched(cells, *row, count);
        set_batch(batch, found);
        return;
    }
    for (; found < BATCH; ++*row) {
        *row = next_row(zero, evaluation, *row);
        if (*row >= count)
            break;
        batch->rows[found++] = *row;
    }
    set_batch(batch, found);
}

/* Removes from the batch the rows that the filter rejects. */
static void filter_batch(const struct evaluation *evaluation, struct batch *batch) {
    if (evaluation->report->filter.count == 0)
        return;
    const int64_t *kept =
        expression_values(evaluation, &evaluation->report->filter, batch, evaluation->results);
    uint64_t *rows = batch->rows;
    uint64_t count = 0, all = batch->count;
    for (uint64_t k = 0; k < all; k++) {
        rows[count] = rows[k];
        count += kept[k] != 0;
    }
    if (count < all)
        set_batch(batch, (unsigned)count);
}

/* With keys, the filter may keep few of very many rows. */
static void need_rows(struct evaluation *evaluation, uint64_t count) {
    if (evaluation->row_count + count <= evaluation->row_capacity)
        return;
    evaluation->row_capacity = 2 * evaluation->row_capacity + count;
    evaluation->rows = realloc(evaluation->rows, evaluation->row_capacity * sizeof *evaluation->rows);
    if (!evaluation->rows)
        abort();
}

static void choose_batch(struct evaluation *evaluation, const struct batch *batch, int values) {
    const struct atomc_report *report = evaluation->report;
    if (values)
        evaluate_columns(evaluation, batch, !evaluation->groups);
    const int64_t *keys =
        report->key.count ? expression_values(evaluation, &report->key, batch, evaluation->results) : NULL;
    if (evaluation->groups) {
        for (unsigned k = 0; k < batch->count; k++)
            add_to_group(evaluation, batch->rows[k], row_values(evaluation, k), keys ? keys[k] : 0);
        return;
    }
    if (values)
        add_row_sums(evaluation, batch->count);
    need_rows(evaluation, batch->count);
    struct chosen_row *chosen = evaluation->rows + evaluation->row_count;
    uint64_t count = batch->count;
    for (uint64_t k = 0; k < count; k++)
        chosen[k] = (struct chosen_row){batch->rows[k], keys ? keys[k] : 0};
    evaluation->row_count += count;
}

static void choose_rows(struct evaluation *evaluation) {
    const struct atomc_report *report = evaluation->report;
    int descending = (report->flags & ATOMC_REPORT_DESCENDING) != 0, values = needs_values(evaluation);
    int by_text = (report->flags & ATOMC_REPORT_TEXT_KEY) != 0;
    struct zero_rows zero = {.count = 0};
    find_zero_rows(&zero, evaluation);
    struct batch batch;
    batch.number = 0;
    batch.repeat = report->keyed ? report->row_count : 0;
    for (uint64_t row = 0; row < count_report_rows(evaluation);) {
        fill_batch(&zero, evaluation, &batch, &row);
        filter_batch(evaluation, &batch);
        if (batch.count > 0)
            choose_batch(evaluation, &batch, values);
    }
    evaluation->batches = batch.number;
    if (evaluation->groups)
        choose_groups(evaluation);
    if (report->key.count)
        sort_rows(evaluation,
                  by_text ? (descending ? compare_texts_descending : compare_texts)
                          : (descending ? compare_rows_descending : compare_sorted_rows),
                  by_text);
}

/* True if the column shows a cell of max= or min= that was never updated in this row. In a merge, the value
   of a run that has updated the cell must replace the 0. */
static int shows_nothing(const struct evaluation *evaluation, const struct atomc_report_column *column,
                         uint64_t row) {
    const struct atomc_image *image = evaluation->image;
    const struct atomc_report_instruction *code =
        AT(struct atomc_report_instruction, column->value.instructions);
    const struct atomc_report_slot *slots = AT(struct atomc_report_slot, evaluation->report->slots);
    if (column->value.count != 1 || code->op != ATOMC_REPORT_CELL)
        return 0;
    const uint64_t cell = read_slot(&slots[code->operand], row);
    return cell < image->cell_count && was_never_updated(image, cell, AT(int64_t, image->cells)[cell]);
}

static void find_nothing(const struct evaluation *evaluation, struct atomc_table *table, uint64_t row) {
    const struct atomc_report_column *columns = AT(struct atomc_report_column, evaluation->report->columns);
    for (uint64_t i = 0; i < evaluation->column_count; i++)
        table->has_nothing[i] = (char)shows_nothing(evaluation, &columns[i], row);
}

static void write_table(struct evaluation *evaluation, const struct atomc_format *format, const char *name,
                        FILE *stream, struct atomc_part *part) {
    const struct atomc_report *report = evaluation->report;
    struct atomc_table table = {.stream = stream,
                                .report = report,
                                .name = name,
                                .sums = evaluation->sums,
                                .number = atomc_table_number()};
    if (format->is_rows && evaluation->image->cell_range_count && !evaluation->groups)
        table.has_nothing = calloc(evaluation->column_count + 1, 1);
    const int by_columns =
        format->rows && !evaluation->groups && evaluation->value_count == evaluation->column_count;
    uint64_t count = evaluation->row_count;
    if (report->limit && report->limit < count)
        count = report->limit;
    table.rows = part->rows;
    atomc_write_pending();
    if (!part->has_begun)
        format->head(&table);
    struct batch batch;
    batch.number = evaluation->batches;
    batch.repeat = report->keyed ? report->row_count : 0;
    for (uint64_t i = 0; i < count; i += batch.count) {
        unsigned here = count - i < BATCH ? (unsigned)(count - i) : BATCH;
        for (unsigned k = 0; k < here; k++)
            batch.rows[k] = evaluation->rows[i + k].row;
        set_batch(&batch, here);
        if (!evaluation->groups)
            evaluate_columns(evaluation, &batch, 0);
        if (by_columns && !batch.repeat) {
            format->rows(&table, evaluation->columns, batch.count);
            table.rows += batch.count;
            continue;
        }
        for (unsigned k = 0; k < batch.count; k++, table.rows++) {
            table.is_other = batch.repeat && atomc_is_other(&evaluation->keys, batch.rows[k] / batch.repeat);
            if (table.has_nothing)
                find_nothing(evaluation, &table, batch.slots[k]);
            format->row(&table, with_quotients(evaluation, evaluation->groups
                                                               ? evaluation->group_values +
                                                                     batch.rows[k] * evaluation->value_count
                                                               : row_values(evaluation, k)));
        }
    }
    free(table.has_nothing);
    table.has_nothing = NULL;
    part->has_begun = 1;
    part->rows = table.rows;
    if (!part->ends) {
        atomc_text_rows.end(&table);
        return;
    }
    if (report->flags & ATOMC_REPORT_TOTAL)
        format->total(&table, with_quotients(evaluation, evaluation->sums));
    format->end(&table);
}

/* ---- reports ------------------------------------------------------------------------------------------- */

/* Returns false if memory is exhausted. */
static int start_evaluation(struct evaluation *evaluation) {
    const struct atomc_report *report = evaluation->report;
    const struct atomc_report_column *columns = AT(struct atomc_report_column, report->columns);
    uint64_t count = evaluation->column_count;
    for (uint64_t i = 0; i < evaluation->column_count; i++)
        if (columns[i].divisor.count > 0)
            count = 2 * evaluation->column_count;
    evaluation->value_count = count;
    uint64_t values = count + 1, depth = report->depth + 1, slots = report->slot_count + 1;
    evaluation->slots = malloc((slots + 2 * depth + values) * BATCH * sizeof *evaluation->slots);
    evaluation->operands = malloc((depth + values) * sizeof *evaluation->operands);
    evaluation->sums = calloc(3 * values + slots, sizeof *evaluation->sums);
    evaluation->row_capacity = report->row_count + 1;
    evaluation->rows = malloc(evaluation->row_capacity * sizeof *evaluation->rows);
    evaluation->results = evaluation->slots + slots * BATCH;
    evaluation->values = evaluation->results + depth * BATCH;
    evaluation->columns = evaluation->operands + depth;
    evaluation->row_values = evaluation->sums + values;
    evaluation->shown = evaluation->row_values + values;
    evaluation->slots_read = (uint64_t *)(evaluation->shown + values);
    if (report->group_count) {
        evaluation->groups = calloc(report->group_count, sizeof *evaluation->groups);
        evaluation->group_values = calloc(report->group_count * count, sizeof *evaluation->group_values);
        if (!evaluation->groups || !evaluation->group_values)
            return 0;
    }
    if (report->keyed && !atomc_sort_keys(AT(struct keyed_table, report->keyed), &evaluation->keys))
        return 0;
    return evaluation->slots && evaluation->operands && evaluation->sums && evaluation->rows;
}

/* For readers, if the tool specifies no order: the greatest counts are first. */
static void sort_for_people(struct atomc_report *report) {
    const struct atomc_report_column *columns = AT(struct atomc_report_column, report->columns);
    if (report->key.count || report->flags & (ATOMC_REPORT_AS_TEXT | ATOMC_REPORT_IN_ORDER))
        return;
    for (uint64_t i = 0; i < report->column_count; i++)
        if (columns[i].merge != ATOMC_REPORT_FIRST && columns[i].divisor.count == 0 &&
            (columns[i].format == ATOMC_REPORT_DECIMAL || columns[i].format == ATOMC_REPORT_PERCENT)) {
            report->key = columns[i].value;
            report->key_merge = columns[i].merge;
            report->flags |= ATOMC_REPORT_DESCENDING;
            return;
        }
}

void atomc_write_part(const struct atomc_image *image, const struct atomc_report *report,
                      const struct atomc_format *format, const char *name, FILE *stream,
                      struct atomc_part *part) {
    struct atomc_report sorted = *report;
    if (format == &atomc_table_format)
        sort_for_people(&sorted);
    struct evaluation evaluation = {.image = image, .report = &sorted, .column_count = report->column_count};
    if (format->is_rows)
        evaluation.column_count += report->hidden_count;
    if (format->is_rows && !(report->flags & ATOMC_REPORT_AS_TEXT))
        sorted.limit = 0; /* all rows are written, each one time, including rows beyond the limit */
    if (start_evaluation(&evaluation)) {
        choose_rows(&evaluation);
        write_table(&evaluation, report->flags & ATOMC_REPORT_AS_TEXT ? &atomc_text_rows : format, name,
                    stream, part);
    } else {
        errno = ENOMEM;
        atomc_cannot_write(name);
    }
    free(evaluation.slots);
    free(evaluation.operands);
    free(evaluation.sums);
    free(evaluation.rows);
    free(evaluation.keys.entries);
    free(evaluation.groups);
    free(evaluation.group_values);
}
