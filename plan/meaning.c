/* meaning.c: see meaning.h. */
#include "plan/meaning.h"

#include <string.h>

const char *const plan_merge_words[PLAN_MERGE_COUNT] = {"same",  "sum",   "least", "greatest",
                                                        "share", "ratio", "none"};
const char *const plan_role_words[PLAN_ROLE_COUNT] = {"key", "label", "measure"};

static bool reads_cells(const struct plan_expression *expression) {
    if (!expression)
        return false;
    if (expression->op == PLAN_OP_CELL || expression->op == PLAN_OP_ROW_CELL)
        return true;
    for (int i = 0; i < 3; i++)
        if (reads_cells(expression->operand[i]))
            return true;
    return false;
}

static enum plan_merge merge_of_cell(const struct plan *plan, const struct plan_expression *expression) {
    if (reads_cells(expression->operand[0])) /* the run determines which cell it is */
        return PLAN_MERGE_NONE;
    switch (plan->counters[expression->counter].update) {
    case PLAN_UPDATE_ADD:
        return PLAN_MERGE_SUM;
    case PLAN_UPDATE_MAXIMUM:
        return PLAN_MERGE_GREATEST;
    case PLAN_UPDATE_MINIMUM:
        return PLAN_MERGE_LEAST;
    default:
        return PLAN_MERGE_NONE;
    }
}

/* For values with cells: true if f(a + b) = f(a) + f(b). */
static enum plan_merge merge_of_expression(const struct plan *plan,
                                           const struct plan_expression *expression) {
    const struct plan_expression *const *operand = expression->operand;
    bool left, right;
    switch (expression->op) {
    case PLAN_OP_CELL:
    case PLAN_OP_ROW_CELL:
        return merge_of_cell(plan, expression);
    case PLAN_OP_NEGATE:
        return merge_of_expression(plan, operand[0]) == PLAN_MERGE_SUM ? PLAN_MERGE_SUM : PLAN_MERGE_NONE;
    case PLAN_OP_ADD:
    case PLAN_OP_SUBTRACT:
        left = reads_cells(operand[0]) && merge_of_expression(plan, operand[0]) == PLAN_MERGE_SUM;
        right = reads_cells(operand[1]) && merge_of_expression(plan, operand[1]) == PLAN_MERGE_SUM;
        return left && right ? PLAN_MERGE_SUM : PLAN_MERGE_NONE;
    case PLAN_OP_MULTIPLY:
        left = reads_cells(operand[0]);
        right = reads_cells(operand[1]);
        if (left && right)
            return PLAN_MERGE_NONE;
        return merge_of_expression(plan, operand[left ? 0 : 1]) == PLAN_MERGE_SUM ? PLAN_MERGE_SUM
                                                                                  : PLAN_MERGE_NONE;
    case PLAN_OP_CONDITIONAL: /* a static condition has the same result in all runs */
        if (reads_cells(operand[0]) || !reads_cells(operand[1]) || !reads_cells(operand[2]))
            return PLAN_MERGE_NONE;
        return merge_of_expression(plan, operand[1]) == merge_of_expression(plan, operand[2])
                   ? merge_of_expression(plan, operand[1])
                   : PLAN_MERGE_NONE;
    default:
        return PLAN_MERGE_NONE;
    }
}

static bool adds_up(const struct plan *plan, const struct plan_expression *expression) {
    return reads_cells(expression) && merge_of_expression(plan, expression) == PLAN_MERGE_SUM;
}

/* ---- rows put together -------------------------------------------------------------------------------- */

/* True if it is the same for all rows. */
static bool is_same_for_all_rows(const struct plan_expression *expression) {
    if (!expression)
        return true;
    if (expression->op == PLAN_OP_ATTRIBUTE || expression->op == PLAN_OP_VARIABLE || reads_cells(expression))
        return false;
    return is_same_for_all_rows(expression->operand[0]) && is_same_for_all_rows(expression->operand[1]) &&
           is_same_for_all_rows(expression->operand[2]);
}

/* True if the value of a whole is the sum of the values of its parts. False for averages, greatest values
   and last values. */
static bool is_amount(const struct plan *plan, const struct plan_expression *expression) {
    const struct plan_expression *const *operand = expression->operand;
    if (!reads_cells(expression))
        return true;
    switch (expression->op) {
    case PLAN_OP_CELL:
    case PLAN_OP_ROW_CELL:
        return plan->counters[expression->counter].update == PLAN_UPDATE_ADD;
    case PLAN_OP_MULTIPLY:
        if (reads_cells(operand[0]) && reads_cells(operand[1]))
            return false;
        break;
    case PLAN_OP_DIVIDE:
    case PLAN_OP_QUOTIENT:
        return is_amount(plan, operand[0]) && is_same_for_all_rows(operand[1]);
    case PLAN_OP_REMAINDER:
        return false;
    default:
        break;
    }
    for (int i = 0; i < 3 && operand[i]; i++)
        if (!is_amount(plan, operand[i]))
            return false;
    return true;
}

enum plan_together plan_rows_together(const struct plan *plan, enum plan_column_format format,
                                      const struct plan_expression *value) {
    if (value->op == PLAN_OP_PERCENT) /* a share of the sum */
        return is_amount(plan, value->operand[0]) ? PLAN_TOGETHER_SUM : PLAN_TOGETHER_NONE;
    if (format == PLAN_COLUMN_GREATEST)
        return PLAN_TOGETHER_GREATEST;
    if (!reads_cells(value))
        return PLAN_TOGETHER_FIRST;
    if (is_amount(plan, value))
        return PLAN_TOGETHER_SUM;
    if (value->op == PLAN_OP_DIVIDE || value->op == PLAN_OP_QUOTIENT)
        return is_amount(plan, value->operand[0]) && is_amount(plan, value->operand[1])
                   ? PLAN_TOGETHER_QUOTIENT
                   : PLAN_TOGETHER_NONE;
    return merge_of_expression(plan, value) == PLAN_MERGE_GREATEST ? PLAN_TOGETHER_GREATEST
                                                                   : PLAN_TOGETHER_NONE;
}

/* The attribute that identifies a place of that kind: its address, or its number; PLAN_ATTRIBUTE_COUNT:
   there is only one such place, or its rows have keys of their own. A kind that is missing here does not
   compile. */
static enum plan_attribute key_attribute(enum plan_place kind) {
    switch (kind) {
    case PLAN_OBJECT:
        return PLAN_ATTRIBUTE_OBJECT_ID;
    case PLAN_PROCEDURE:
        return PLAN_ATTRIBUTE_PROC_PC;
    case PLAN_ENTRY:
        return PLAN_ATTRIBUTE_ENTRY_PC;
    case PLAN_LOOP:
        return PLAN_ATTRIBUTE_LOOP_PC;
    case PLAN_BLOCK:
        return PLAN_ATTRIBUTE_BLOCK_PC;
    case PLAN_EDGE:
        return PLAN_ATTRIBUTE_EDGE_ID;
    case PLAN_CALLSITE:
        return PLAN_ATTRIBUTE_CALLSITE_PC;
    case PLAN_SYSTEM_CALL:
        return PLAN_ATTRIBUTE_SYSTEM_CALL_PC;
    case PLAN_INSTRUCTION:
        return PLAN_ATTRIBUTE_INST_PC;
    case PLAN_DATA: /* its address is not in the code, by which builds are compared */
        return PLAN_ATTRIBUTE_DATA_ID;
    case PLAN_POSITION: /* several lines are at one address */
        return PLAN_ATTRIBUTE_POSITION_ID;
    case PLAN_PROGRAM:
    case PLAN_BUCKET:
    case PLAN_PLACE_COUNT:
        break;
    }
    return PLAN_ATTRIBUTE_COUNT;
}

/* The loop whose place the value identifies; report->loop_count if there is none. A bucket is identified by
   its number or its bounds. */
static uint32_t told_loop(const struct plan_report *report, const struct plan_expression *value) {
    const struct plan_expression *variable = value->op == PLAN_OP_VARIABLE ? value : value->operand[0];
    if (!variable || variable->op != PLAN_OP_VARIABLE || variable->variable >= report->loop_count)
        return report->loop_count;
    enum plan_place kind = report->loops[variable->variable].kind;
    bool tells = value->op == PLAN_OP_ATTRIBUTE ? value->attribute == key_attribute(kind)
                 : kind == PLAN_BUCKET          ? value == variable || value->op == PLAN_OP_BUCKET_LOW ||
                                             value->op == PLAN_OP_BUCKET_HIGH
                                       : false;
    return tells ? variable->variable : report->loop_count;
}

/* True if it is an attribute of the place that rows are grouped by. */
static bool is_of_group(const struct plan_expression *group, const struct plan_expression *value) {
    return value->op == PLAN_OP_ATTRIBUTE && value->operand[0] &&
           plan_same_expression(group, value->operand[0]);
}

static bool is_group_address(const struct plan_expression *group, const struct plan_expression *value) {
    return is_of_group(group, value) &&
           value->attribute == key_attribute(plan_attributes[value->attribute].place);
}

/* Grouped rows are identified by the values that they are grouped by: a place by its key. Several places
   may have one name. */
static bool is_group_key(const struct plan_expression *group, const struct plan_expression *value) {
    return plan_same_expression(group, value) || is_group_address(group, value);
}

static enum plan_role static_role(const struct plan_report *report, const struct plan_expression *value) {
    if (value->op == PLAN_OP_ROW_KEY)
        return PLAN_ROLE_KEY;
    for (uint32_t i = 0; i < report->group_count; i++)
        if (is_group_key(report->groups[i], value))
            return PLAN_ROLE_KEY;
    return report->group_count == 0 && told_loop(report, value) < report->loop_count ? PLAN_ROLE_KEY
                                                                                     : PLAN_ROLE_LABEL;
}

/* True for a key that is `$stack` in all updates. */
static bool is_stack(const struct plan *plan, const struct plan_report *report,
                     const struct plan_expression *value) {
    if (value->op != PLAN_OP_ROW_KEY || value->integer < 0)
        return false;
    const struct plan_counter *counter = &plan->counters[report->loops[0].histogram];
    return counter->stacks[value->integer] && !counter->others[value->integer];
}

struct plan_meaning plan_meaning_of(const struct plan *plan, const struct plan_report *report,
                                    const struct plan_column *column) {
    const struct plan_expression *value = column->value;
    struct plan_meaning meaning = {.merge = PLAN_MERGE_NONE, .attribute = PLAN_ATTRIBUTE_COUNT};
    if (value->op == PLAN_OP_ATTRIBUTE) {
        meaning.attribute = value->attribute;
        meaning.is_address = plan_attribute_is_address(value->attribute);
    }
    meaning.is_stack = is_stack(plan, report, value);
    if (!reads_cells(value)) {
        meaning.merge = value->op == PLAN_OP_PERCENT ? PLAN_MERGE_NONE : PLAN_MERGE_SAME;
        meaning.role = static_role(report, value);
        return meaning;
    }
    meaning.role = plan_type_is_text(value->type) ? PLAN_ROLE_LABEL : PLAN_ROLE_MEASURE;
    if (value->op == PLAN_OP_PERCENT) {
        if (adds_up(plan, value->operand[0])) {
            meaning.merge = PLAN_MERGE_SHARE;
            meaning.parts[0] = value->operand[0];
        }
    } else if (value->op == PLAN_OP_DIVIDE || value->op == PLAN_OP_QUOTIENT) {
        if (adds_up(plan, value->operand[0]) && adds_up(plan, value->operand[1])) {
            meaning.merge = PLAN_MERGE_RATIO;
            meaning.parts[0] = value->operand[0];
            meaning.parts[1] = value->operand[1];
        }
    } else {
        meaning.merge = merge_of_expression(plan, value);
        /* For the greatest value of a group, a value that was never counted is 0: the value of several runs
           cannot be computed from the values of the runs. */
        bool is_extreme = meaning.merge == PLAN_MERGE_LEAST || meaning.merge == PLAN_MERGE_GREATEST;
        if (column->format == PLAN_COLUMN_GREATEST || (is_extreme && report->group_count > 0))
            meaning.merge = PLAN_MERGE_NONE;
    }
    return meaning;
}

/* ---- columns of rows ---------------------------------------------------------------------------------- */

static const struct plan_expression *key_of_place(const struct plan_report *report,
                                                  const struct plan_expression *place, struct arena *arena) {
    struct plan_expression *key = arena_allocate(arena, sizeof *key);
    *key = (struct plan_expression){.op = PLAN_OP_ATTRIBUTE,
                                    .type = PLAN_TYPE_INTEGER,
                                    .where = report->where,
                                    .attribute = key_attribute(plan_type_place(place->type)),
                                    .operand = {place}};
    return key;
}

/* NULL: there is only one such place. */
static const struct plan_expression *loop_key(const struct plan_report *report, uint32_t loop,
                                              struct arena *arena) {
    enum plan_place kind = report->loops[loop].kind;
    if (kind != PLAN_BUCKET && key_attribute(kind) == PLAN_ATTRIBUTE_COUNT)
        return NULL;
    struct plan_expression *variable = arena_allocate(arena, sizeof *variable);
    *variable =
        (struct plan_expression){.op = PLAN_OP_VARIABLE,
                                 .type = kind == PLAN_BUCKET ? PLAN_TYPE_INTEGER : plan_place_type(kind),
                                 .where = report->where,
                                 .variable = loop};
    return kind == PLAN_BUCKET ? variable : key_of_place(report, variable, arena);
}

/* The key of a group: a value is its own key; NULL: there is only one such place. */
static const struct plan_expression *group_key(const struct plan_report *report,
                                               const struct plan_expression *group, struct arena *arena) {
    if (group->type < PLAN_TYPE_PROGRAM)
        return group;
    return key_attribute(plan_type_place(group->type)) == PLAN_ATTRIBUTE_COUNT
               ? NULL
               : key_of_place(report, group, arena);
}

/* The variable, or the word of the attribute. */
static const char *group_title(const struct plan_report *report, const struct plan_expression *group) {
    return group->op == PLAN_OP_VARIABLE    ? report->loops[group->variable].name
           : group->op == PLAN_OP_ATTRIBUTE ? plan_attributes[group->attribute].word
                                            : "group";
}

/* The column with that value; it is added if there is none. */
static uint32_t find_or_add_column(struct plan_row_column *columns, uint32_t *count, const struct plan *plan,
                                   const struct plan_report *report, const char *title,
                                   const struct plan_expression *value) {
    for (uint32_t i = 0; i < *count; i++)
        if (columns[i].format != PLAN_COLUMN_GREATEST && plan_same_expression(columns[i].value, value))
            return i;
    const struct plan_column column = {.title = title,
                                       .format = plan_type_is_text(value->type) ? PLAN_COLUMN_TEXT
                                                                                : PLAN_COLUMN_DECIMAL,
                                       .value = value};
    columns[*count] = (struct plan_row_column){.title = title,
                                               .format = column.format,
                                               .value = value,
                                               .meaning = plan_meaning_of(plan, report, &column),
                                               .hidden = true};
    return (*count)++;
}

static void find_key_column(struct plan_row_column *columns, uint32_t *count, const struct plan *plan,
                            const struct plan_report *report, const char *title,
                            const struct plan_expression *key) {
    if (key)
        find_or_add_column(columns, count, plan, report, title, key);
}

/* All keys of a counter's row. */
static void find_key_columns(struct plan_row_column *columns, uint32_t *count, const struct plan *plan,
                             const struct plan_report *report, struct arena *arena) {
    const struct plan_counter *counter = &plan->counters[report->loops[0].histogram];
    for (int64_t i = counter->per_thread ? -1 : 0; i < (int64_t)counter->key_count; i++) {
        struct plan_expression *key = arena_allocate(arena, sizeof *key);
        *key = (struct plan_expression){.op = PLAN_OP_ROW_KEY,
                                        .type = i < 0 ? PLAN_TYPE_INTEGER : counter->keys[i],
                                        .where = report->where,
                                        .integer = i};
        find_or_add_column(columns, count, plan, report,
                           i < 0 ? "thread" : arena_format(arena, "key(%d)", (int)i), key);
    }
}

const struct plan_row_column *plan_row_columns(const struct plan *plan, const struct plan_report *report,
                                               struct arena *arena, uint32_t *count) {
    struct plan_row_column *columns =
        arena_allocate(arena, (3 * (size_t)report->column_count + report->loop_count + report->group_count +
                               COMMAND_MOST_KEYS + 1) *
                                  sizeof *columns);
    uint32_t told = 0; /* loops, as bits: beyond 32 they have no hidden column */
    *count = report->column_count;
    for (uint32_t i = 0; i < report->column_count; i++) {
        const struct plan_column *column = &report->columns[i];
        uint32_t loop = told_loop(report, column->value);
        columns[i] = (struct plan_row_column){.title = column->title,
                                              .unit = column->unit,
                                              .format = column->format,
                                              .value = column->value,
                                              .meaning = plan_meaning_of(plan, report, column)};
        told |= loop < report->loop_count && loop < 32 ? 1u << loop : 0;
    }
    if (report->loop_count > 0 && report->loops[0].domain == PLAN_DOMAIN_KEYS) {
        told |= 1;
        find_key_columns(columns, count, plan, report, arena);
    }
    for (uint32_t i = 0; i < report->loop_count && i < 32 && report->group_count == 0; i++)
        if (!(told >> i & 1))
            find_key_column(columns, count, plan, report, report->loops[i].name, loop_key(report, i, arena));
    for (uint32_t i = 0; i < report->group_count; i++)
        find_key_column(columns, count, plan, report, group_title(report, report->groups[i]),
                        group_key(report, report->groups[i], arena));
    for (uint32_t i = 0; i < report->column_count; i++)
        for (int k = 0; k < 2 && columns[i].meaning.parts[k]; k++)
            columns[i].parts[k] = find_or_add_column(columns, count, plan, report, columns[i].title,
                                                     columns[i].meaning.parts[k]);
    return columns;
}

const char *plan_row_type(const struct plan_row_column *column) {
    if (column->format == PLAN_COLUMN_TEXT)
        return "text";
    if (column->value->op == PLAN_OP_PERCENT || column->value->op == PLAN_OP_QUOTIENT)
        return "real";
    return column->meaning.is_address ? "address" : "integer";
}
