/* tree.c: builds the tree of a page: the grammar's actions call these functions. The tree lives in the arena
   of the parse; later passes check it. */
#include "compiler/internal.h"

#include <string.h>

/* ---- statements ----------------------------------------------------------------------------- */

struct statement *new_statement(struct parse *parse, struct text_range range, struct text_range keyword,
                                struct statement content) {
    struct statement *statement = arena_allocate(parse->arena, sizeof *statement);
    *statement = content;
    statement->where = parse_span(parse, range);
    statement->keyword = parse_span(parse, keyword);
    return statement;
}

struct statement *new_action(struct parse *parse, enum plan_when when, enum on_word on,
                             struct text_range keyword, struct name place) {
    return new_statement(
        parse, keyword, keyword,
        (struct statement){.kind = STATEMENT_ACTION, .when = when, .on = on, .place = place});
}

static void append_statement(struct statement_list *list, struct statement *statement) {
    if (!statement)
        return;
    if (list->last)
        list->last->next = statement;
    else
        list->first = statement;
    while (statement->next)
        statement = statement->next;
    list->last = statement;
}

struct statement_list one_statement(struct statement *statement) {
    return statements_with((struct statement_list){0}, statement);
}

struct statement_list statements_with(struct statement_list list, struct statement *statement) {
    append_statement(&list, statement);
    return list;
}

void mark_per_thread(struct statement *counters) {
    for (; counters; counters = counters->next)
        counters->per_thread = true;
}

void set_guards(struct statement *statements, struct expression *guard) {
    for (; statements; statements = statements->next)
        statements->guard = guard;
}

void set_files(struct statement *statements, struct name file) {
    for (; statements; statements = statements->next)
        statements->file = file;
}

/* ---- expressions ---------------------------------------------------------------------------- */

struct expression *new_expression(struct parse *parse, enum expression_kind kind, struct text_range range) {
    struct expression *expression = arena_allocate(parse->arena, sizeof *expression);
    expression->kind = kind;
    expression->where = parse_span(parse, range);
    return expression;
}

/* Later passes recurse over expressions: a tree that is too deep is reported and cut. */
static void deepen_expression(struct parse *parse, struct expression *expression,
                              const struct expression *below) {
    if (below->depth >= expression->depth)
        expression->depth = below->depth + 1;
    if (expression->depth <= EXPRESSION_DEPTH_LIMIT)
        return;
    if (!parse->too_deep)
        diagnose(parse->diagnostics, &expression->where, MESSAGE_NESTED_TOO_DEEPLY);
    parse->too_deep = true;
    expression->depth = 0;
    expression->kind = EXPRESSION_INTEGER;
}

struct expression *with_operand(struct parse *parse, struct expression *expression,
                                struct expression *operand) {
    expression->operand[0] = operand;
    deepen_expression(parse, expression, operand);
    return expression;
}

struct expression *with_arguments(struct parse *parse, struct expression *expression,
                                  struct expression_list arguments) {
    expression->arguments = arguments.first;
    expression->argument_count = arguments.count;
    for (const struct expression *argument = arguments.first; argument; argument = argument->next)
        deepen_expression(parse, expression, argument);
    return expression;
}

struct expression *of_member(struct parse *parse, struct text_range range, struct expression *value,
                             struct expression *membership) {
    membership->where = parse_span(parse, range);
    return with_operand(parse, membership, value);
}

struct expression *new_operator(struct parse *parse, enum plan_operator op, struct text_range range,
                                struct text_range operator_range, struct expression *first,
                                struct expression *second, struct expression *third) {
    struct expression *expression = new_expression(parse, EXPRESSION_OPERATOR, range);
    struct expression *operands[3] = {first, second, third};
    expression->op = op;
    expression->operator_where = parse_span(parse, operator_range);
    for (int i = 0; i < 3; i++)
        if (operands[i]) {
            expression->operand[i] = operands[i];
            deepen_expression(parse, expression, operands[i]);
        }
    return expression;
}

struct expression *new_name(struct parse *parse, enum expression_kind kind, struct text_range range,
                            struct name name) {
    struct expression *expression = new_expression(parse, kind, range);
    expression->name = name;
    return expression;
}

struct expression *new_integer(struct parse *parse, enum expression_kind kind, struct text_range range,
                               int64_t value) {
    struct expression *expression = new_expression(parse, kind, range);
    expression->integer = value;
    return expression;
}

struct expression *new_string(struct parse *parse, struct text_range range, const char *text) {
    struct expression *expression = new_expression(parse, EXPRESSION_STRING, range);
    expression->string = text;
    return expression;
}

struct expression *new_binary(struct parse *parse, enum plan_operator op, struct text_range range,
                              struct text_range operator_range, struct expression *left,
                              struct expression *right) {
    return new_operator(parse, op, range, operator_range, left, right, NULL);
}

struct expression *new_unary(struct parse *parse, enum plan_operator op, struct text_range range,
                             struct text_range operator_range, struct expression *operand) {
    return new_operator(parse, op, range, operator_range, operand, NULL, NULL);
}

struct expression *new_attribute(struct parse *parse, struct text_range range, struct expression *of,
                                 struct name name) {
    return with_operand(parse, new_name(parse, EXPRESSION_ATTRIBUTE, range, name), of);
}

struct expression *new_field(struct parse *parse, struct text_range range, struct expression *of,
                             struct name name, struct expression_list elements) {
    return with_arguments(parse, with_operand(parse, new_name(parse, EXPRESSION_FIELD, range, name), of),
                          elements);
}

struct expression *in_parentheses(struct expression *expression) {
    expression->has_parentheses = true;
    return expression;
}

struct expression *through_pointer(struct expression *expression) {
    expression->op = PLAN_OP_MEMORY;
    return expression;
}

static void append_expression(struct expression_list *list, struct expression *expression) {
    if (list->last)
        list->last->next = expression;
    else
        list->first = expression;
    list->last = expression;
    list->count++;
}

struct expression_list one_expression(struct expression *expression) {
    return expressions_with((struct expression_list){0}, expression);
}

struct expression_list expressions_with(struct expression_list list, struct expression *expression) {
    append_expression(&list, expression);
    return list;
}

/* ---- effects -------------------------------------------------------------------------------- */

struct effect *new_effect(struct parse *parse, struct text_range range, struct effect content) {
    struct effect *effect = arena_allocate(parse->arena, sizeof *effect);
    *effect = content;
    effect->where = parse_span(parse, range);
    return effect;
}

struct effect *new_call(struct parse *parse, struct text_range range, struct name routine,
                        struct expression_list arguments) {
    return new_effect(parse, range,
                      (struct effect){.kind = EFFECT_CALL,
                                      .name = routine,
                                      .arguments = arguments.first,
                                      .argument_count = arguments.count});
}

struct effect_list effects_with(struct effect_list list, struct effect *effect) {
    list.last->next = effect;
    list.last = effect;
    return list;
}

/* The operator is stored without blanks: "max=". */
struct effect *new_update(struct parse *parse, struct text_range range, struct text_range operator_range,
                          struct expression *amount) {
    struct name operator= parse_name(parse, operator_range);
    size_t length = strcspn(operator.text, " \t\r\n\f\v#=");
    if (operator.text[length] && length && operator.text[length] != '=')
        operator.text = arena_format(parse->arena, "%.*s=", (int)length, operator.text);
    return new_effect(parse, range,
                      (struct effect){.kind = EFFECT_UPDATE, .operator= operator, .amount = amount});
}

struct effect *put_of(struct effect *update, struct expression *value) {
    update->kind = EFFECT_PUT;
    update->value = value;
    return update;
}

struct effect *update_of(struct parse *parse, struct text_range range, struct name name,
                         struct expression *cell, struct effect *update) {
    update->name = name;
    update->cell = cell;
    update->where = parse_span(parse, range);
    return update;
}

/* `before b F()`, or `before call F()` */
static void report_bare_calls(struct parse *parse, const struct statement *action) {
    for (const struct effect *effect = action->effects; effect; effect = effect->next) {
        if (effect->kind != EFFECT_BARE_CALL)
            continue;
        static const char *const words[] = {"call", "when"};
        const struct name *other = &effect->operator;
        if (other->text) {
            const char *nearest = nearest_name(other->text, words, 2);
            diagnose(parse->diagnostics, &other->where, MESSAGE_UNEXPECTED_WANTED, other->text, "'call'");
            if (nearest)
                diagnose_hint(parse->diagnostics, "did you mean '%s'?", nearest);
        } else if (action->place.text && strcmp(action->place.text, "call") == 0) {
            diagnose(parse->diagnostics, &action->place.where, MESSAGE_PLACE_MISSING,
                     arena_string(parse->arena, action->keyword.source->text + action->keyword.begin,
                                  action->keyword.end - action->keyword.begin));
            diagnose_hint(parse->diagnostics, "name the program, or the variable of an enclosing loop");
        } else {
            diagnose(parse->diagnostics, &effect->name.where, MESSAGE_CALL_MISSING, effect->name.text);
            if (prints_text(effect->name.text))
                diagnose_hint(parse->diagnostics, "%s", print_hint);
            else
                diagnose_hint(parse->diagnostics, "did you mean: call %s(...)?", effect->name.text);
        }
    }
}

struct statement *with_effects(struct parse *parse, struct statement *action, struct text_range range,
                               struct expression *guard, struct effect *effects) {
    action->where = parse_span(parse, range);
    action->guard = guard;
    action->effects = effects;
    report_bare_calls(parse, action);
    return action;
}

void set_otherwise(struct statement *action, struct statement *otherwise) {
    action->otherwise = otherwise;
    for (; otherwise; otherwise = otherwise->otherwise) {
        otherwise->when = action->when;
        otherwise->on = action->on;
        otherwise->place = action->place;
    }
}

/* ---- reports -------------------------------------------------------------------------------- */

struct report_form *new_report(struct parse *parse, struct expression *path, struct column *columns) {
    struct report_form *report = arena_allocate(parse->arena, sizeof *report);
    report->path = path;
    report->columns = columns;
    return report;
}

struct report_form *new_text_report(struct parse *parse, struct name as, struct column *pieces) {
    struct report_form *report = new_report(parse, NULL, pieces);
    report->as = as.where;
    report->is_text = true;
    return report;
}

struct column_list new_column(struct parse *parse, struct column content) {
    struct column *column = arena_allocate(parse->arena, sizeof *column);
    *column = content;
    return (struct column_list){column, column};
}

struct column_list columns_with(struct column_list list, struct column_list more) {
    list.last->next = more.first;
    list.last = more.last;
    return list;
}

struct bucket_form *new_buckets(struct parse *parse, struct bucket_form content) {
    struct bucket_form *buckets = arena_allocate(parse->arena, sizeof *buckets);
    *buckets = content;
    return buckets;
}

struct report_clause *new_clause(struct parse *parse, struct name word, struct report_clause content) {
    struct report_clause *clause = arena_allocate(parse->arena, sizeof *clause);
    *clause = content;
    clause->word = word.where;
    return clause;
}

struct report_form *with_clause(struct parse *parse, struct report_form *report,
                                struct report_clause *clause) {
    static const char *const words[] = {"for", "grouped", "sorted", "top", "total"};
    if (clause->kind == CLAUSE_FOR && report->clauses[CLAUSE_FOR]) {
        struct report_clause *last = report->clauses[CLAUSE_FOR];
        while (last->next)
            last = last->next;
        last->next = clause;
        return report;
    }
    if (report->clauses[clause->kind])
        diagnose(parse->diagnostics, &clause->word, MESSAGE_CLAUSE_TWICE, words[clause->kind]);
    report->clauses[clause->kind] = clause;
    return report;
}

struct report_form *with_display(struct parse *parse, struct report_form *report,
                                 struct display_form *display) {
    if (report->display)
        diagnose(parse->diagnostics, &display->where, MESSAGE_CLAUSE_TWICE, "display");
    report->display = display;
    return report;
}

struct display_form *new_display(struct parse *parse) {
    struct display_form *display = arena_allocate(parse->arena, sizeof *display);
    *display = (struct display_form){0};
    return display;
}

struct display_form *with_title(struct display_form *display, struct name word, struct name title) {
    if (display->count < PLAN_DISPLAY_COLUMNS) {
        display->words[display->count] = word;
        display->titles[display->count] = title;
    }
    display->count++;
    return display;
}

struct display_form *with_kind(struct display_form *display, struct name word, struct name kind) {
    display->where = word.where;
    display->kind = kind;
    return display;
}

struct report_form *join_report(struct parse *parse, struct report_form *head,
                                const struct report_form *tail) {
    for (int i = 0; i < CLAUSE_COUNT; i++)
        if (tail->clauses[i])
            with_clause(parse, head, tail->clauses[i]);
    head->columns = tail->columns;
    head->is_text = tail->is_text;
    head->as = tail->as;
    head->display = tail->display;
    return head;
}
