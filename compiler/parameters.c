/* parameters.c: parameters of the tool: their types, defaults, values given by -D, and checks. Requires
   tool_define() for the values given; uses of a parameter are constants. It also selects the analysis files
   by the parameters. */
#include "compiler/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void tool_define(struct tool *tool, const struct parameter_definition *definitions, uint32_t count) {
    tool->definitions = definitions;
    tool->definition_count = count;
}

/* ---- what checks say ------------------------------------------------------------------------ */

static const char *written_default(struct arena *arena, const struct source_span *where) {
    return arena_string(arena, where->source->text + where->begin, where->end - where->begin);
}

static bool is_operator(const struct expression *expression, enum plan_operator op) {
    return expression->kind == EXPRESSION_OPERATOR && expression->op == op;
}

static bool is_parameter(const struct expression *expression, const char *name) {
    return expression->kind == EXPRESSION_NAME && strcmp(expression->name.text, name) == 0;
}

/* An integer literal, with or without a sign. */
static bool is_integer(const struct expression *expression, int64_t *integer) {
    bool negative = is_operator(expression, PLAN_OP_NEGATE);
    if (negative)
        expression = expression->operand[0];
    *integer = negative ? (int64_t)(0 - (uint64_t)expression->integer) : expression->integer;
    return expression->kind == EXPRESSION_INTEGER;
}

/* A disjunction of `name == "..."`; false: another form. */
static bool find_choices(struct parameter_help *help, const struct expression *check, struct arena *arena) {
    if (is_operator(check, PLAN_OP_OR))
        return find_choices(help, check->operand[0], arena) && find_choices(help, check->operand[1], arena);
    if (!is_operator(check, PLAN_OP_EQUAL) || !is_parameter(check->operand[0], help->name) ||
        check->operand[1]->kind != EXPRESSION_STRING)
        return false;
    const char **more = arena_allocate(arena, (help->choice_count + 1) * sizeof *more);
    if (help->choice_count)
        memcpy(more, help->choices, help->choice_count * sizeof *more);
    more[help->choice_count++] = check->operand[1]->string;
    help->choices = more;
    return true;
}

static void bound_below(struct parameter_help *help, int64_t least) {
    if (!help->has_least || least > help->least)
        help->least = least;
    help->has_least = true;
}

static void bound_above(struct parameter_help *help, int64_t greatest) {
    if (!help->has_greatest || greatest < help->greatest)
        help->greatest = greatest;
    help->has_greatest = true;
}

/* Found in the parts of an `and`; other conditions are only tested by --check. */
static void find_bounds(struct parameter_help *help, const struct expression *check) {
    int64_t bound;
    if (is_operator(check, PLAN_OP_AND)) {
        find_bounds(help, check->operand[0]);
        find_bounds(help, check->operand[1]);
    } else if (check->kind == EXPRESSION_OPERATOR && check->operand[1] &&
               is_parameter(check->operand[0], help->name) && is_integer(check->operand[1], &bound)) {
        if (check->op == PLAN_OP_GREATER_EQUAL || check->op == PLAN_OP_EQUAL)
            bound_below(help, bound);
        else if (check->op == PLAN_OP_GREATER && bound < INT64_MAX)
            bound_below(help, bound + 1);
        if (check->op == PLAN_OP_LESS_EQUAL || check->op == PLAN_OP_EQUAL)
            bound_above(help, bound);
        else if (check->op == PLAN_OP_LESS && bound > INT64_MIN)
            bound_above(help, bound - 1);
    }
}

const struct parameter_help *tool_parameters(const struct tool *tool, uint32_t *count) {
    *count = 0;
    for (const struct statement *at = tool->statements; at; at = at->next)
        *count += at->kind == STATEMENT_PARAMETER;
    struct parameter_help *list = arena_allocate(tool->arena, *count * sizeof *list), *help = list;
    for (const struct statement *at = tool->statements; at; at = at->next) {
        if (at->kind != STATEMENT_PARAMETER)
            continue;
        *help = (struct parameter_help){.type = at->type.text,
                                        .name = at->name.text,
                                        .value = written_default(tool->arena, &at->value->where),
                                        .help = at->description,
                                        .fallback = at->value,
                                        .check_text = at->check_text};
        if (at->check) {
            help->check = written_default(tool->arena, &at->check->where);
            if (!find_choices(help, at->check, tool->arena))
                help->choice_count = 0;
            find_bounds(help, at->check);
        }
        help++;
    }
    return list;
}

/* ---- values --------------------------------------------------------------------------------- */

struct plan_expression *parameter_value(struct compilation *compilation, const struct parameter_entry *entry,
                                        const struct source_span *where) {
    bool string = entry->type == PLAN_TYPE_STRING;
    struct plan_expression *value =
        make_expression(compilation, string ? PLAN_OP_STRING : PLAN_OP_INTEGER, entry->type, where);
    if (string)
        value->string = entry->string;
    else
        value->integer = entry->integer;
    return value;
}

/* The last one counts; NULL if the parameter keeps its default. */
static const struct parameter_definition *find_definition(struct compilation *compilation, const char *name) {
    const struct tool *tool = compilation->tool;
    for (uint32_t i = tool->definition_count; i-- > 0;)
        if (strcmp(tool->definitions[i].name, name) == 0)
            return &tool->definitions[i];
    return NULL;
}

/* "size, line and ways" */
static const char *join_names(struct compilation *compilation, const char *const *names, uint32_t count) {
    const char *text = names[0];
    for (uint32_t i = 1; i < count; i++)
        text = arena_format(compilation->scratch, "%s%s%s", text, i == count - 1 ? " and " : ", ", names[i]);
    return text;
}

void check_definitions(struct compilation *compilation) {
    const struct tool *tool = compilation->tool;
    uint32_t count;
    const struct parameter_help *parameters = tool_parameters(tool, &count);
    const char **names = allocate((count + 1) * sizeof *names);
    for (uint32_t i = 0; i < count; i++)
        names[i] = parameters[i].name;
    for (uint32_t i = 0; i < tool->definition_count; i++) {
        const char *name = tool->definitions[i].name;
        const struct declaration *declaration = find_declaration(compilation, name);
        if (declaration && declaration->kind == STATEMENT_PARAMETER)
            continue;
        const char *nearest = nearest_name(name, names, count);
        diagnose(compilation->diagnostics, NULL, MESSAGE_UNKNOWN_PARAMETER, name, tool->name);
        if (nearest)
            diagnose_hint(compilation->diagnostics, "did you mean '%s'?", nearest);
        else if (count == 0)
            diagnose_hint(compilation->diagnostics, "%s has no parameters", tool->asked);
        else
            diagnose_hint(compilation->diagnostics, "its parameters are %s; atomc --help %s describes them",
                          join_names(compilation, names, count), tool->asked);
    }
    free(names);
}

/* The factor for K, M or G after a number; 1 if there is none. */
static int64_t unit_of(const char *text, size_t length) {
    static const char units[] = "KMGkmg";
    const char *unit = length > 1 ? strchr(units, text[length - 1]) : NULL;
    return unit ? INT64_C(1) << (10 * ((unit - units) % 3 + 1)) : 1;
}

/* The value of -D name=value; false if it is not of the type. */
static bool read_parameter_value(const char *text, struct parameter_entry *entry) {
    bool negative = *text == '-';
    enum number_error error;
    int64_t unit;
    switch (entry->type) {
    case PLAN_TYPE_STRING:
        entry->string = text;
        return true;
    case PLAN_TYPE_BOOLEAN:
        entry->integer = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
        return entry->integer || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
    default:
        text += negative;
        unit = unit_of(text, strlen(text));
        error = read_number(text, text + strlen(text) - (unit > 1), &entry->integer);
        if (negative)
            entry->integer = (int64_t)(0 - (uint64_t)entry->integer);
        return (error == NUMBER_GOOD || (error == NUMBER_IF_NEGATED && negative)) &&
               !__builtin_mul_overflow(entry->integer, unit, &entry->integer);
    }
}

/* ---- statements ----------------------------------------------------------------------------- */

static enum plan_type find_parameter_type(struct compilation *compilation, const struct name *word) {
    static const char *const words[] = {"int", "string", "boolean"};
    static const enum plan_type types[] = {PLAN_TYPE_INTEGER, PLAN_TYPE_STRING, PLAN_TYPE_BOOLEAN};
    for (int i = 0; i < 3; i++)
        if (strcmp(word->text, words[i]) == 0)
            return types[i];
    diagnose(compilation->diagnostics, &word->where, MESSAGE_PARAMETER_TYPE, word->text);
    diagnose_hint(compilation->diagnostics, "the types are int, string and boolean");
    return PLAN_TYPE_ERROR;
}

static bool is_known_value(const struct plan_expression *value) {
    return is_constant(value) || value->op == PLAN_OP_STRING;
}

static void report_not_constant(struct compilation *compilation, const struct plan_expression *value,
                                const char *role) {
    diagnose(compilation->diagnostics, &value->where, MESSAGE_PARAMETER_NOT_CONSTANT, role);
    diagnose_hint(compilation->diagnostics, "the program is not known yet");
}

static void check_default(struct compilation *compilation, const struct statement *statement,
                          struct parameter_entry *entry) {
    const struct plan_expression *value = check_expression(compilation, statement->value);
    if (value->type == PLAN_TYPE_ERROR || entry->type == PLAN_TYPE_ERROR) {
        entry->type = PLAN_TYPE_ERROR;
        return;
    }
    if (value->type != entry->type) {
        diagnose(compilation->diagnostics, &value->where, MESSAGE_PARAMETER_DEFAULT, statement->name.text,
                 statement->type.text, type_phrase(value->type));
        entry->type = PLAN_TYPE_ERROR;
    } else if (!is_known_value(value)) {
        report_not_constant(compilation, value, "the default of a parameter");
        entry->type = PLAN_TYPE_ERROR;
    } else if (entry->type == PLAN_TYPE_STRING) {
        entry->string = value->string;
    } else {
        entry->integer = value->integer;
    }
}

static void define_parameter(struct compilation *compilation, const struct parameter_definition *definition,
                             struct parameter_entry *entry) {
    if (entry->type == PLAN_TYPE_ERROR)
        return;
    if (!read_parameter_value(copy_text(compilation, definition->value), entry)) {
        diagnose(compilation->diagnostics, NULL, MESSAGE_DEFINITION_VALUE, definition->name,
                 definition->value,
                 entry->type == PLAN_TYPE_BOOLEAN ? "true or false" : "an integer of 64 bits");
        if (entry->type != PLAN_TYPE_BOOLEAN)
            diagnose_hint(compilation->diagnostics,
                          "integers are written 8192, 0x2000, -1, or 8K, 2M, 1G of 1024");
        entry->type = PLAN_TYPE_ERROR;
    }
}

/* "512" or "\"text\"", for a message. */
static const char *spell_value(struct compilation *compilation, const struct parameter_entry *entry) {
    if (entry->type == PLAN_TYPE_STRING)
        return arena_format(compilation->scratch, "\"%s\"", entry->string);
    if (entry->type == PLAN_TYPE_BOOLEAN)
        return entry->integer ? "true" : "false";
    return arena_format(compilation->scratch, "%" PRId64, entry->integer);
}

/* True if the parameter that was added last passes its check with this value. */
static bool is_good_value(struct compilation *compilation, const struct statement *statement, int64_t value) {
    struct parameter_entry *entry = &compilation->parameters[compilation->parameter_count - 1];
    int64_t given = entry->integer;
    entry->integer = value;
    const struct plan_expression *condition =
        check_condition(compilation, statement->check, "the check of a parameter");
    entry->integer = given;
    return is_known_value(condition) && condition->integer;
}

/* The nearest values on both sides that pass the check, of the few that are tried. */
static bool find_good_values(struct compilation *compilation, const struct statement *statement,
                             int64_t *below, int64_t *above) {
    enum { TRIED = 64, SMALL = INT32_MAX };
    int64_t given = compilation->parameters[compilation->parameter_count - 1].integer;
    if (given < -SMALL || given > SMALL)
        return false;
    bool lower = false, higher = false;
    for (int64_t k = 1; k <= TRIED && !lower; k++)
        lower = is_good_value(compilation, statement, *below = given - k);
    for (int64_t k = 1; k <= TRIED && !higher; k++)
        higher = is_good_value(compilation, statement, *above = given + k);
    return lower && higher;
}

static void apply_check(struct compilation *compilation, const struct statement *statement,
                        const struct parameter_entry *entry, bool defined) {
    const struct plan_expression *condition =
        check_condition(compilation, statement->check, "the check of a parameter");
    if (condition->type == PLAN_TYPE_ERROR || entry->type == PLAN_TYPE_ERROR)
        return;
    if (!is_known_value(condition))
        report_not_constant(compilation, condition, "the check of a parameter");
    else if (!condition->integer) {
        diagnose(compilation->diagnostics, &condition->where, MESSAGE_PARAMETER_CHECK,
                 defined ? "-D: parameter" : "parameter", statement->name.text,
                 spell_value(compilation, entry), statement->check_text ? ": " : "",
                 statement->check_text ? statement->check_text : "");
        int64_t below, above;
        if (defined && entry->type == PLAN_TYPE_INTEGER &&
            find_good_values(compilation, statement, &below, &above))
            diagnose_hint(compilation->diagnostics, "%" PRId64 " or %" PRId64 " can be", below, above);
        else if (defined)
            diagnose_hint(compilation->diagnostics, "atomc --help %s describes the parameters",
                          compilation->tool->asked);
    }
}

void check_parameter(struct compilation *compilation, const struct statement *statement) {
    struct parameter_entry entry = {.statement = statement,
                                    .type = find_parameter_type(compilation, &statement->type)};
    compilation->context = (struct expression_context){.static_role = "the default of a parameter"};
    check_default(compilation, statement, &entry);
    bool new = check_new_name(compilation, statement->kind, &statement->name);
    const struct parameter_definition *definition = find_definition(compilation, statement->name.text);
    if (new &&definition)
        define_parameter(compilation, definition, &entry);
    VECTOR_RESERVE(compilation->parameters, compilation->parameter_count, compilation->parameter_capacity);
    if (new)
        find_declaration(compilation, statement->name.text)->index = compilation->parameter_count;
    compilation->parameters[compilation->parameter_count++] = entry;
    if (statement->check)
        apply_check(compilation, statement, &entry, definition != NULL);
    compilation->context = (struct expression_context){0};
}

/* ---- analysis files ------------------------------------------------------------------------- */

static bool depends_on_machine(const struct plan_expression *value) {
    const size_t operands = sizeof value->operand / sizeof *value->operand;
    bool depends = value->op == PLAN_OP_ATTRIBUTE && value->attribute == PLAN_ATTRIBUTE_PROGRAM_MACHINE;
    for (size_t i = 0; i < operands && !depends; i++)
        depends = value->operand[i] && depends_on_machine(value->operand[i]);
    return depends;
}

bool is_wanted(struct compilation *compilation, const struct statement *statement) {
    const char *role = statement->kind == STATEMENT_NEEDS ? "the condition of what a tool needs"
                                                          : "the condition of an analysis file";
    if (!statement->guard)
        return true;
    compilation->context = (struct expression_context){.static_role = role};
    const struct plan_expression *condition = check_condition(compilation, statement->guard, role);
    compilation->context = (struct expression_context){0};
    if (condition->type == PLAN_TYPE_ERROR ||
        (!compilation->tool->architecture && depends_on_machine(condition)))
        return true;
    if (!is_known_value(condition))
        report_not_constant(compilation, condition, role);
    return !is_known_value(condition) || condition->integer;
}
