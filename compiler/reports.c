/* reports.c: report statements: rows, filters, order, and columns. Requires that the statement is outside
   of loops, so that its own loops have the first variables. */
#include "compiler/internal.h"

#include <string.h>

#include "plan/meaning.h"

/* An integer, a boolean or a register: the types that a table shows as a number. */
static bool is_numeric(enum plan_type type) {
    return is_number(type) || type == PLAN_TYPE_REGISTER;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Splits a condition at its ands: static parts select the rows, parts with cells filter them when the
   report is written. */
static void split_condition(struct compilation *compilation, const struct expression *expression,
                            struct plan_expression **row, struct plan_expression **filter) {
    if (expression->kind == EXPRESSION_OPERATOR && expression->op == PLAN_OP_AND) {
        split_condition(compilation, expression->operand[0], row, filter);
        split_condition(compilation, expression->operand[1], row, filter);
        return;
    }
    struct plan_expression *condition = check_condition(compilation, expression, "a report's condition");
    struct plan_expression **side = has_cells(condition) ? filter : row;
    *side = both(compilation, *side, condition);
}

/* One loop; its part of the filter is added to *filter. */
static void check_report_loop(struct compilation *compilation, const struct selection *selection,
                              struct plan_expression **filter) {
    struct plan_expression *row = NULL;
    open_scope(compilation, selection);
    uint32_t variable = compilation->scope_count - 1;
    compilation->scopes[variable].selecting = true;
    if (selection->condition)
        split_condition(compilation, selection->condition, &row, filter);
    compilation->scopes[variable].selecting = false;
    compilation->scopes[variable].loop.condition = row;
}

static void check_rows(struct compilation *compilation, const struct report_clause *clause,
                       struct plan_report *report) {
    struct plan_expression *filter = NULL;
    for (; clause; clause = clause->next)
        check_report_loop(compilation, &clause->row, &filter);
    report->filter = filter;
    report->loop_count = compilation->scope_count;
    struct plan_loop *loops = arena_allocate(compilation->arena, report->loop_count * sizeof *loops);
    for (uint32_t i = 0; i < report->loop_count; i++)
        loops[i] = compilation->scopes[i].loop;
    report->loops = loops;
}

/* ---- the other clauses ---------------------------------------------------------------------- */

static void check_path(struct compilation *compilation, const struct expression *expression,
                       struct plan_report *report) {
    const struct plan_expression *path = check_expression(compilation, expression);
    report->path = "-";
    if (path->type == PLAN_TYPE_ERROR)
        return;
    if (path->op != PLAN_OP_STRING) {
        diagnose(compilation->diagnostics, &path->where, MESSAGE_REPORT_PATH,
                 path->type == PLAN_TYPE_STRING ? "a string of the program" : type_phrase(path->type));
        diagnose_hint(compilation->diagnostics,
                      "a string in quotes or a parameter; \"-\" is standard output");
    } else if (!*path->string && expression->kind == EXPRESSION_STRING) {
        diagnose(compilation->diagnostics, &path->where, MESSAGE_REPORT_PATH_EMPTY);
        diagnose_hint(compilation->diagnostics, "\"-\" is standard output, \"stderr\" standard error");
    } else if (!*path->string) {
        report->path = ""; /* a parameter excludes it */
    } else {
        report->path = strcmp(path->string, "stderr") == 0 ? "!"
                       : strcmp(path->string, "!") == 0    ? "./!"
                                                           : path->string;
    }
}

static void check_key(struct compilation *compilation, const struct report_clause *clause,
                      struct plan_report *report) {
    report->key = check_expression(compilation, clause->value);
    report->descending = clause->descending;
    enum plan_type type = report->key->type;
    if (type == PLAN_TYPE_ERROR || is_numeric(type) || plan_type_is_text(type))
        return;
    diagnose(compilation->diagnostics, &report->key->where, MESSAGE_REPORT_KEY, type_phrase(type));
    diagnose_hint(compilation->diagnostics, "use one of its attributes, for instance its pc");
}

/* Groups may be places: equal ones are the same place. */
static void check_groups(struct compilation *compilation, const struct report_clause *clause,
                         struct plan_report *report) {
    for (const struct expression *at = clause->value; at; at = at->next)
        report->group_count++;
    const struct plan_expression **groups =
        arena_allocate(compilation->arena, report->group_count * sizeof *groups);
    report->groups = groups;
    for (const struct expression *at = clause->value; at; at = at->next) {
        const struct plan_expression *value = check_expression(compilation, at);
        *groups++ = value;
        if (report->loop_count && report->loops[0].domain == PLAN_DOMAIN_KEYS) {
            diagnose(compilation->diagnostics, &clause->word, MESSAGE_REPORT_GROUP, "a report of keys");
            if (value->op == PLAN_OP_NAMED)
                diagnose_hint(compilation->diagnostics,
                              "count by the name: counter %s[string], and %s[%s(address)]++",
                              compilation->counters[report->loops[0].histogram].counter.name,
                              compilation->counters[report->loops[0].histogram].counter.name,
                              plan_values[value->value].word);
            return;
        }
        if (value->type == PLAN_TYPE_ERROR || (!has_cells(value) && value->type != PLAN_TYPE_BUCKET))
            continue;
        diagnose(compilation->diagnostics, &value->where, MESSAGE_REPORT_GROUP,
                 value->op == PLAN_OP_NAMED ? "a name that the runtime looks up"
                 : has_cells(value)         ? "made of counters"
                                            : type_phrase(value->type));
    }
}

static void check_limit(struct compilation *compilation, const struct report_clause *clause,
                        struct plan_report *report) {
    const struct plan_expression *limit = check_expression(compilation, clause->value);
    if (limit->type == PLAN_TYPE_ERROR)
        return;
    if (is_constant(limit) && limit->type == PLAN_TYPE_INTEGER && limit->integer > 0 &&
        limit->integer <= UINT32_MAX)
        report->limit = (uint32_t)limit->integer;
    else
        diagnose(compilation->diagnostics, &limit->where, MESSAGE_REPORT_LIMIT);
}

static void check_clauses(struct compilation *compilation, const struct report_form *form,
                          struct plan_report *report) {
    static const char *const words[] = {"for", "grouped", "sorted", "top", "total"};
    for (int i = CLAUSE_GROUPED; i < CLAUSE_COUNT && !form->clauses[CLAUSE_FOR]; i++)
        if (form->clauses[i]) {
            diagnose(compilation->diagnostics, &form->clauses[i]->word, MESSAGE_REPORT_OF_ONE_ROW, words[i]);
            diagnose_hint(compilation->diagnostics, "give it rows: report ... for v in SET");
        }
    if (form->clauses[CLAUSE_GROUPED])
        check_groups(compilation, form->clauses[CLAUSE_GROUPED], report);
    if (form->clauses[CLAUSE_SORTED])
        check_key(compilation, form->clauses[CLAUSE_SORTED], report);
    if (form->clauses[CLAUSE_TOP])
        check_limit(compilation, form->clauses[CLAUSE_TOP], report);
    report->total = form->clauses[CLAUSE_TOTAL] != NULL;
    if (report->total && form->is_text)
        diagnose(compilation->diagnostics, &form->clauses[CLAUSE_TOTAL]->word, MESSAGE_REPORT_TEXT_TOTAL);
}

/* ---- columns -------------------------------------------------------------------------------- */

/* `real a / b` */
static struct plan_expression *check_quotient(struct compilation *compilation, const struct column *column,
                                              struct plan_expression *value) {
    const struct expression *written = column->value;
    if (written->kind != EXPRESSION_OPERATOR || written->op != PLAN_OP_DIVIDE) {
        diagnose(compilation->diagnostics, &column->format_where, MESSAGE_REPORT_REAL);
        diagnose_hint(compilation->diagnostics, "for instance: \"Mean\" real sum / number");
        return value;
    }
    return make_operator(compilation, PLAN_OP_QUOTIENT, PLAN_TYPE_INTEGER, &value->where,
                         check_expression(compilation, written->operand[0]),
                         check_expression(compilation, written->operand[1]));
}

static struct plan_column check_column(struct compilation *compilation, const struct column *column,
                                       const struct plan_report *report) {
    struct plan_expression *value = check_expression(compilation, column->value);
    struct plan_column result = {.title = copy_text(compilation, column->title),
                                 .format = column->format,
                                 .value = value,
                                 .unit = column->unit ? copy_text(compilation, column->unit) : NULL};
    enum plan_type type = value->type;
    if (type == PLAN_TYPE_ERROR)
        return result;
    bool number = is_numeric(type);
    if (column->format == PLAN_COLUMN_GREATEST && report->group_count == 0)
        diagnose(compilation->diagnostics, &column->format_where, MESSAGE_REPORT_GREATEST);
    if (!number && !plan_type_is_text(type)) {
        diagnose(compilation->diagnostics, &value->where, MESSAGE_COLUMN_TYPE, type_phrase(type));
        diagnose_hint(compilation->diagnostics, "show one of its attributes, for instance its %s",
                      type == PLAN_TYPE_BUCKET ? "count"
                      : type == PLAN_TYPE_DATA ? "name"
                                               : "pc");
    } else if (!number && column->format != PLAN_COLUMN_DECIMAL) {
        diagnose(compilation->diagnostics, &column->format_where, MESSAGE_COLUMN_FORMAT,
                 column->format == PLAN_COLUMN_PERCENT    ? "percent"
                 : column->format == PLAN_COLUMN_GREATEST ? "greatest"
                 : column->format == PLAN_COLUMN_REAL     ? "real"
                                                          : "hex",
                 type_phrase(type));
    } else if (!number) {
        result.format = PLAN_COLUMN_TEXT;
    } else if (column->format == PLAN_COLUMN_REAL) {
        result.value = check_quotient(compilation, column, value);
    } else if (column->format == PLAN_COLUMN_PERCENT) {
        result.value =
            make_operator(compilation, PLAN_OP_PERCENT, PLAN_TYPE_INTEGER, &value->where, value, NULL);
    }
    return result;
}

static void check_columns(struct compilation *compilation, const struct report_form *form,
                          struct plan_report *report) {
    for (const struct column *at = form->columns; at; at = at->next)
        report->column_count++;
    struct plan_column *columns = arena_allocate(compilation->arena, report->column_count * sizeof *columns);
    report->columns = columns;
    for (const struct column *at = form->columns; at; at = at->next)
        *columns++ = check_column(compilation, at, report);
}

/* A report replaces an existing file, so a file can have one report, or consecutive ones that are
   joined. */
static void check_file(struct compilation *compilation, const struct report_form *form,
                       struct plan_report *report) {
    if (strcmp(report->path, "-") == 0 || strcmp(report->path, "!") == 0)
        return;
    for (uint32_t i = 0; i < compilation->report_count; i++) {
        const struct plan_report *other = &compilation->reports[i];
        if (strcmp(other->path, report->path) != 0)
            continue;
        report->joins = !other->every;
        for (uint32_t j = i + 1; j < compilation->report_count; j++)
            report->joins &= strcmp(compilation->reports[j].path, report->path) == 0;
        if (report->joins)
            return;
        diagnose(compilation->diagnostics, &form->path->where, MESSAGE_REPORT_FILE_TWICE, report->path);
        diagnose_hint(compilation->diagnostics, "only reports that follow each other go to one file");
        return;
    }
}

static void check_not_printed(struct compilation *compilation, const struct plan_report *report) {
    for (uint32_t i = 0; i < compilation->action_count; i++) {
        const struct plan_command *command = compilation->actions[i].command;
        for (uint32_t j = 0; command && j < command->effect_count; j++)
            if (command->effects[j].kind == PLAN_EFFECT_PRINT &&
                strcmp(command->effects[j].file, report->path) == 0) {
                diagnose(compilation->diagnostics, &report->where, MESSAGE_REPORT_FILE_PRINTED, report->path);
                diagnose_hint(compilation->diagnostics,
                              "a report replaces its file: give the report or the print another one");
                return;
            }
    }
}

void check_printed_files(struct compilation *compilation) {
    for (uint32_t i = 0; i < compilation->report_count; i++)
        if (strcmp(compilation->reports[i].path, "-") != 0 && strcmp(compilation->reports[i].path, "!") != 0)
            check_not_printed(compilation, &compilation->reports[i]);
}

/* The value for a group, and for the line `total`. */
static bool check_together(struct diagnostics *diagnostics, const struct plan *plan,
                           const struct plan_report *report, enum plan_column_format format,
                           const struct plan_expression *value) {
    enum plan_together together = plan_rows_together(plan, format, value);
    bool is_share = value->op == PLAN_OP_PERCENT;
    if (together != PLAN_TOGETHER_NONE || (report->group_count == 0 && !is_share))
        return true;
    diagnose(diagnostics, &value->where, MESSAGE_REPORT_TOGETHER,
             is_share ? "'percent' is a share of a sum" : "the rows of a group are put together");
    diagnose_hint(diagnostics,
                  "what can be put together are amounts, the quotient of two, and what is greatest");
    return false;
}

bool check_sums(const struct plan *plan, struct diagnostics *diagnostics) {
    bool good = true;
    for (uint32_t i = 0; i < plan->report_count; i++) {
        const struct plan_report *report = &plan->reports[i];
        if (report->key)
            good &= check_together(diagnostics, plan, report, PLAN_COLUMN_DECIMAL, report->key);
        for (uint32_t k = 0; k < report->column_count; k++)
            good &= check_together(diagnostics, plan, report, report->columns[k].format,
                                   report->columns[k].value);
        if (!report->key || report->group_count == 0 ||
            plan_rows_together(plan, PLAN_COLUMN_DECIMAL, report->key) != PLAN_TOGETHER_QUOTIENT)
            continue;
        diagnose(diagnostics, &report->key->where, MESSAGE_REPORT_TOGETHER,
                 "groups are sorted by a sum, or by what is greatest");
        good = false;
    }
    return good;
}

void check_report(struct compilation *compilation, const struct statement *statement) {
    const struct report_form *form = statement->report;
    struct plan_report report = {.where = statement->where, .is_text = form->is_text};
    compilation->context = (struct expression_context){.static_role = "the file of a report"};
    check_path(compilation, form->path, &report);
    compilation->context = (struct expression_context){.static_role = "what a report shows", .report = true};
    check_rows(compilation, form->clauses[CLAUSE_FOR], &report);
    check_clauses(compilation, form, &report);
    check_columns(compilation, form, &report);
    if (form->display)
        check_display(compilation, form->display, &report);
    check_file(compilation, form, &report);
    if (statement->value)
        check_every(compilation, statement, &report);
    if (statement->signal.text)
        check_on_signal(compilation, statement, &report);
    compilation->scope_count = 0;
    compilation->context = (struct expression_context){0};
    if (!*report.path)
        return;
    VECTOR_RESERVE(compilation->reports, compilation->report_count, compilation->report_capacity);
    compilation->reports[compilation->report_count++] = report;
}
