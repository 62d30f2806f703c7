/* expressions.c: turns expressions of the syntax tree into typed expressions of the plan: names,
   attributes, functions. Requires the scopes and sets in force; reports each error once and continues with
   PLAN_TYPE_ERROR.
 */
#include "compiler/internal.h"

#include <stdlib.h>
#include <string.h>

#include "codegen/isa.h"
#include "codegen/machines.h"

struct plan_expression *make_expression(struct compilation *compilation, enum plan_operator op,
                                        enum plan_type type, const struct source_span *where) {
    struct plan_expression *expression = arena_allocate(compilation->arena, sizeof *expression);
    expression->op = op;
    expression->type = type;
    expression->where = *where;
    return expression;
}

struct plan_expression *error_expression(struct compilation *compilation,
                                         const struct expression *expression) {
    return make_expression(compilation, PLAN_OP_INTEGER, PLAN_TYPE_ERROR, &expression->where);
}

static struct plan_expression *constant_expression(struct compilation *compilation, enum plan_type type,
                                                   int64_t value, const struct source_span *where) {
    struct plan_expression *expression = make_expression(compilation, PLAN_OP_INTEGER, type, where);
    expression->integer = value;
    return expression;
}

bool find_scope(const struct compilation *compilation, const char *name, uint32_t *variable) {
    for (uint32_t i = compilation->scope_count; i-- > 0;)
        if (strcmp(compilation->scopes[i].loop.name, name) == 0) {
            *variable = i;
            return true;
        }
    return false;
}

const char *spell_line(struct compilation *compilation, const struct source_span *where,
                       const struct source_span *here) {
    uint32_t line = 1;
    const char *text = where->source->text, *end = text + where->begin;
    for (; (text = memchr(text, '\n', (size_t)(end - text))); text++)
        line++;
    if (where->source == here->source)
        return arena_format(compilation->scratch, "line %u", line);
    return arena_format(compilation->scratch, "line %u of %s", line, where->source->path);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Names that can be values here: loop variables, program, sets, parameters and counters. A class is
   suggested only next to a class. */
static const char *nearest_value_name(struct compilation *compilation, const char *name) {
    size_t count = 0;
    const char **words =
        allocate((compilation->scope_count + compilation->set_count + compilation->declaration_count + 1) *
                 sizeof *words);
    for (uint32_t i = 0; i < compilation->scope_count; i++)
        words[count++] = compilation->scopes[i].loop.name;
    words[count++] = plan_place_words[PLAN_PROGRAM];
    for (uint32_t i = 0; i < compilation->set_count; i++)
        words[count++] = compilation->sets[i].set.name;
    for (const struct statement *at = compilation->tool->statements;
         at && count < (size_t)compilation->scope_count + compilation->set_count +
                           compilation->declaration_count + 1;
         at = at->next)
        if (at->kind == STATEMENT_PARAMETER || (at->kind == STATEMENT_COUNTER && compilation->context.report))
            words[count++] = at->name.text;
    const char *nearest = nearest_name(name, words, count);
    free(words);
    return nearest;
}

/* Reports a name that is not a value, and the kind of thing that it names. */
static void report_no_value(struct compilation *compilation, const struct name *name) {
    struct diagnostics *diagnostics = compilation->diagnostics;
    const struct declaration *declaration = find_declaration(compilation, name->text);
    enum plan_place place;
    if (declaration && (declaration->kind == STATEMENT_PARAMETER || declaration->kind == STATEMENT_ARRAY)) {
        report_used_early(compilation, declaration,
                          declaration->kind == STATEMENT_ARRAY ? "array" : "parameter", name);
    } else if (declaration && declaration->kind == STATEMENT_SWITCH) {
        report_cell_value(compilation, declaration, name, &name->where);
    } else if (declaration && declaration->kind == STATEMENT_USE) {
        diagnose(diagnostics, &name->where, MESSAGE_FUNCTION_AS_VALUE, name->text);
    } else if (declaration && declaration->kind == STATEMENT_HISTOGRAM) {
        diagnose(diagnostics, &name->where, MESSAGE_HISTOGRAM_AS_VALUE, name->text);
        diagnose_hint(diagnostics, "in a report: for b in %s, and b.count, b.low, b.high", name->text);
    } else if (declaration) {
        diagnose(diagnostics, &name->where, MESSAGE_SET_AS_VALUE, name->text);
        diagnose_hint(diagnostics, "a set can be used as count(%s), index(v, %s) or v in %s", name->text,
                      name->text, name->text);
    } else if (strcmp(name->text, plan_place_words[PLAN_PROGRAM]) == 0) {
        diagnose(diagnostics, &name->where, MESSAGE_PLACE_AS_VALUE, name->text);
        diagnose_hint(diagnostics, "use one of its attributes, for instance program.name");
    } else if (place_from_word(name->text, &place)) {
        diagnose(diagnostics, &name->where, MESSAGE_PLACE_AS_VALUE, name->text);
        diagnose_hint(diagnostics, "a place is written as its loop variable");
    } else {
        const char *nearest = nearest_value_name(compilation, name->text);
        const char *dynamic = arena_format(compilation->scratch, "$%s", name->text);
        diagnose(diagnostics, &name->where, MESSAGE_UNKNOWN_NAME, name->text);
        uint32_t other;
        const char *instead = instead_of_word(name->text);
        if (instead)
            diagnose_hint(diagnostics, "%s", instead);
        else if (is_dynamic_word(dynamic) && !(nearest && needs_operand(dynamic)))
            diagnose_hint(diagnostics, "did you mean '%s'?", dynamic);
        else if (nearest)
            diagnose_hint(diagnostics, "did you mean '%s'?", nearest);
        else if (compilation->scope_count && name_table_find(compilation->variables, name->text, &other))
            diagnose_hint(diagnostics, "the variable of the loop is '%s'",
                          compilation->scopes[compilation->scope_count - 1].loop.name);
    }
}

static struct plan_expression *check_name(struct compilation *compilation,
                                          const struct expression *expression) {
    const char *name = expression->name.text;
    uint32_t variable;
    int64_t number;
    if (find_scope(compilation, name, &variable)) {
        struct scope *scope = &compilation->scopes[variable];
        scope->uses++;
        scope->choices += compilation->choosing > 0;
        enum plan_type type =
            is_register_loop(&scope->loop) ? PLAN_TYPE_REGISTER : plan_place_type(scope->loop.kind);
        struct plan_expression *place = make_expression(
            compilation, PLAN_OP_VARIABLE, scope->broken ? PLAN_TYPE_ERROR : type, &expression->where);
        place->variable = variable;
        return place;
    }
    if (class_from_word(name, &number))
        return constant_expression(compilation, PLAN_TYPE_CLASS, number, &expression->where);
    const struct declaration *declaration = find_declaration(compilation, name);
    if (declaration && declaration->kind == STATEMENT_COUNTER)
        return check_cell(compilation, expression, NULL);
    if (declaration && declaration->kind == STATEMENT_ARRAY && declaration->reached) {
        struct plan_expression *array =
            make_expression(compilation, PLAN_OP_ARRAY, PLAN_TYPE_ARRAY, &expression->where);
        array->array = declaration->index;
        return array;
    }
    if (declaration && declaration->kind == STATEMENT_PARAMETER && declaration->reached)
        return parameter_value(compilation, &compilation->parameters[declaration->index], &expression->where);
    if (!declaration && register_from_word(name, &number))
        return constant_expression(compilation, PLAN_TYPE_REGISTER, number, &expression->where);
    if (!declaration && is_name_of_register(name)) {
        struct plan_expression *named =
            make_expression(compilation, PLAN_OP_REGISTER, PLAN_TYPE_REGISTER, &expression->where);
        named->string = arena_string(compilation->arena, name, strlen(name));
        return named;
    }
    if (!declaration && edge_kind_from_word(name, &number))
        return constant_expression(compilation, PLAN_TYPE_EDGE_KIND, number, &expression->where);
    report_no_value(compilation, &expression->name);
    return error_expression(compilation, expression);
}

const char *spell_source(struct compilation *compilation, const struct source_span *where) {
    return arena_string(compilation->scratch, where->source->text + where->begin, where->end - where->begin);
}

/* ---- attributes ----------------------------------------------------------------------------- */

/* "insts and blocks": the kinds of place that have an attribute of this name; NULL if none has. */
static const char *kinds_with_attribute(struct compilation *compilation, const char *word) {
    const char *list = NULL, *last = NULL;
    for (int i = 0; i < PLAN_ATTRIBUTE_COUNT; i++) {
        if (strcmp(plan_attributes[i].word, word) != 0)
            continue;
        if (last)
            list = list ? arena_format(compilation->scratch, "%s, %s", list, last) : last;
        last = plan_place_plurals[plan_attributes[i].place];
    }
    return list ? arena_format(compilation->scratch, "%s and %s", list, last) : last;
}

/* The attribute of this kind of place that has another word in other languages; NULL if there is none. */
static const char *attribute_meant(enum plan_place place, const char *word) {
    static const struct {
        const char *word;
        enum plan_place place;
        const char *meant;
    } words[] = {{"caller", PLAN_CALLSITE, "proc.name"},
                 {"address", PLAN_PROCEDURE, "pc"},
                 {"address", PLAN_BLOCK, "pc"},
                 {"address", PLAN_INSTRUCTION, "pc"},
                 {"address", PLAN_CALLSITE, "pc"},
                 {"function", PLAN_INSTRUCTION, "proc.name"},
                 {"function", PLAN_BLOCK, "proc.name"},
                 {"from", PLAN_BUCKET, "low"},
                 {"to", PLAN_BUCKET, "high"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].place == place && strcmp(words[i].word, word) == 0)
            return words[i].meant;
    return NULL;
}

static void report_no_attribute(struct compilation *compilation, enum plan_place place,
                                const struct name *word) {
    const char *words[PLAN_ATTRIBUTE_COUNT];
    size_t count = 0;
    for (int i = 0; i < PLAN_ATTRIBUTE_COUNT; i++)
        if (plan_attributes[i].place == place)
            words[count++] = plan_attributes[i].word;
    const char *meant = attribute_meant(place, word->text);
    const char *nearest = meant ? meant : nearest_name(word->text, words, count);
    const char *kinds = meant ? NULL : kinds_with_attribute(compilation, word->text);
    enum plan_type type = plan_place_type(place);
    diagnose(compilation->diagnostics, &word->where, MESSAGE_NO_ATTRIBUTE, type_phrase(type), word->text);
    if (kinds)
        diagnose_hint(compilation->diagnostics, "'%s' is an attribute of %s", word->text, kinds);
    else if (nearest)
        diagnose_hint(compilation->diagnostics, "did you mean '%s'?", nearest);
    else
        diagnose_hint(compilation->diagnostics, "atomc info attributes %s lists what it has",
                      plan_place_words[place]);
}

/* The register of i.reads(r), where the attribute takes one. */
static struct plan_expression *check_attribute_operand(struct compilation *compilation,
                                                       const struct expression *expression,
                                                       struct plan_expression *result) {
    const struct plan_attribute_info *info = &plan_attributes[result->attribute];
    uint32_t wanted = info->takes_register ? 1 : 0;
    if (expression->argument_count != wanted || expression->has_parentheses != info->takes_register) {
        diagnose(compilation->diagnostics, &expression->where,
                 wanted ? MESSAGE_ATTRIBUTE_NEEDS_REGISTER : MESSAGE_ATTRIBUTE_NO_OPERAND, info->word);
        if (wanted)
            diagnose_hint(compilation->diagnostics, "for instance .%s(sp) or .%s(f2)", info->word,
                          info->word);
        return error_expression(compilation, expression);
    }
    if (!wanted)
        return result;
    result->operand[1] = check_expression(compilation, expression->arguments);
    if (result->operand[1]->type == PLAN_TYPE_REGISTER)
        return result;
    if (result->operand[1]->type != PLAN_TYPE_ERROR)
        diagnose(compilation->diagnostics, &expression->arguments->where, MESSAGE_NO_REGISTER,
                 type_phrase(result->operand[1]->type));
    return error_expression(compilation, expression);
}

static struct plan_expression *check_attribute(struct compilation *compilation,
                                               const struct expression *expression) {
    const struct expression *base = expression->operand[0];
    struct plan_expression *result = error_expression(compilation, expression), *place = NULL;
    uint32_t ignored;
    enum plan_place kind = PLAN_PROGRAM;
    if (!expression->has_parentheses && has_members(base))
        return check_field(compilation, expression);
    bool program = base->kind == EXPRESSION_NAME &&
                   strcmp(base->name.text, plan_place_words[PLAN_PROGRAM]) == 0 &&
                   !find_scope(compilation, base->name.text, &ignored);
    if (!program) {
        place = check_expression(compilation, base);
        if (place->type == PLAN_TYPE_ERROR)
            return result;
        if (place->type == PLAN_TYPE_REGISTER &&
            strcmp(expression->name.text, plan_register_attribute.word) == 0 && !expression->has_parentheses)
            return make_operator(compilation, PLAN_OP_REGISTER_NAME, plan_register_attribute.type,
                                 &expression->where, place, NULL);
        if (place->type == PLAN_TYPE_REGISTER) {
            diagnose(compilation->diagnostics, &expression->name.where, MESSAGE_REGISTER_ATTRIBUTE,
                     expression->name.text);
            diagnose_hint(compilation->diagnostics,
                          "it has a name; a counter with 64 cells has one for each register: n[r]");
            return result;
        }
        if (place->type < PLAN_TYPE_PROGRAM) {
            diagnose(compilation->diagnostics, &expression->name.where, MESSAGE_ATTRIBUTE_OF_VALUE,
                     type_phrase(place->type), expression->name.text);
            if (place->op == PLAN_OP_VALUE &&
                (place->value == PLAN_VALUE_ARGUMENT || place->value == PLAN_VALUE_RETURN))
                diagnose_hint(compilation->diagnostics,
                              "a member of what an address points to is behind '->'");
            return result;
        }
        kind = plan_type_place(place->type);
    }
    for (int i = 0; i < PLAN_ATTRIBUTE_COUNT; i++)
        if (plan_attributes[i].place == kind && strcmp(plan_attributes[i].word, expression->name.text) == 0) {
            if (kind == PLAN_BUCKET && keyed_of_row(compilation, place) != NO_COUNTER)
                return key_row_attribute(compilation, keyed_of_row(compilation, place),
                                         (enum plan_attribute)i, expression);
            if (kind == PLAN_BUCKET)
                return bucket_attribute(compilation, place, (enum plan_attribute)i, &expression->where);
            result->type = plan_attributes[i].type;
            if (i == PLAN_ATTRIBUTE_PROGRAM_MACHINE && compilation->tool->architecture) {
                result->op = PLAN_OP_STRING;
                result->string = machine_called(compilation->tool->architecture->machine)->name;
                return result;
            }
            result->op = PLAN_OP_ATTRIBUTE;
            result->attribute = (enum plan_attribute)i;
            result->operand[0] = kind == PLAN_PROGRAM
                                     ? constant_expression(compilation, PLAN_TYPE_PROGRAM, 0, &base->where)
                                     : place;
            return check_attribute_operand(compilation, expression, result);
        }
    report_no_attribute(compilation, kind, &expression->name);
    return result;
}

/* ---- functions --------------------------------------------------------------- */

bool require_arguments(struct compilation *compilation, const struct expression *expression, uint32_t least,
                       uint32_t most, const char *usage) {
    if (expression->argument_count >= least && expression->argument_count <= most)
        return true;
    diagnose(compilation->diagnostics, &expression->where, MESSAGE_FUNCTION_ARGUMENTS, expression->name.text);
    diagnose_hint(compilation->diagnostics, "%s", usage);
    return false;
}

static struct plan_expression *check_count(struct compilation *compilation,
                                           const struct expression *expression) {
    struct plan_expression *result = error_expression(compilation, expression);
    if (!require_arguments(compilation, expression, 1, 1,
                           expression->argument_count == 0
                               ? "an update by one is n++; count(SET) is the number of members of a set"
                               : "count(SET) is the number of members of a set"))
        return result;
    uint32_t set = check_set(compilation, expression->arguments);
    if (set == NO_SET)
        return result;
    result->op = PLAN_OP_COUNT;
    result->type = PLAN_TYPE_INTEGER;
    result->set = set;
    return result;
}

bool require_member_kind(struct compilation *compilation, const struct plan_expression *place, uint32_t set) {
    const struct plan_set *wanted = &compilation->sets[set].set;
    if (place->type == plan_place_type(wanted->kind))
        return true;
    diagnose(compilation->diagnostics, &place->where, MESSAGE_MEMBER_KIND, wanted->name,
             plan_place_plurals[wanted->kind], type_phrase(place->type));
    return false;
}

static struct plan_expression *check_index(struct compilation *compilation,
                                           const struct expression *expression) {
    struct plan_expression *result = error_expression(compilation, expression);
    if (!require_arguments(
            compilation, expression, 1, 2,
            "index(v) is the number of a loop's place in the set it comes from; index(v, SET) in SET"))
        return result;
    struct plan_expression *place = check_expression(compilation, expression->arguments);
    uint32_t set = NO_SET;
    if (expression->argument_count == 2)
        set = check_set(compilation, expression->arguments->next);
    if (place->type == PLAN_TYPE_ERROR || (set == NO_SET && expression->argument_count == 2))
        return result;
    if (place->type < PLAN_TYPE_PROGRAM || place->type == PLAN_TYPE_BUCKET) {
        diagnose(compilation->diagnostics, &place->where, MESSAGE_INDEX_OF_VALUE, type_phrase(place->type));
        return result;
    }
    if (set == NO_SET)
        set = numbering_set(compilation, place);
    if (set == NO_SET || !require_member_kind(compilation, place, set))
        return result;
    result->op = PLAN_OP_INDEX;
    result->type = PLAN_TYPE_INTEGER;
    result->set = set;
    result->operand[0] = place;
    return result;
}

struct plan_expression *data_value(struct compilation *compilation, enum plan_operator op,
                                   const struct source_span *where, const struct plan_expression *name,
                                   const struct plan_expression *file) {
    struct plan_expression *result = make_expression(compilation, op, PLAN_TYPE_INTEGER, where);
    result->operand[0] = name;
    result->operand[1] = file;
    return result;
}

bool check_data_name(struct compilation *compilation, const struct expression *expression,
                     const struct plan_expression *operand[2]) {
    const struct expression *argument = expression->arguments;
    char usage[100];
    snprintf(usage, sizeof usage, "%s(\"NAME\"), or %s(\"NAME\", \"*.c\") of one in such a file",
             expression->name.text, expression->name.text);
    if (!require_arguments(compilation, expression, 1, 2, usage))
        return false;
    operand[0] = operand[1] = NULL;
    for (int i = 0; argument; i++, argument = argument->next) {
        operand[i] = check_expression(compilation, argument);
        if (operand[i]->type == PLAN_TYPE_ERROR)
            return false;
        if (operand[i]->type == PLAN_TYPE_STRING && !has_cells(operand[i]))
            continue;
        diagnose(compilation->diagnostics, &argument->where, MESSAGE_DATA_NAME,
                 operand[i]->type == PLAN_TYPE_STRING ? "made of counters" : type_phrase(operand[i]->type));
        return false;
    }
    return true;
}

/* address("total"), size("total", "*main.c") */
static struct plan_expression *check_data(struct compilation *compilation,
                                          const struct expression *expression, enum plan_operator op) {
    const struct plan_expression *operand[2];
    if (!check_data_name(compilation, expression, operand))
        return error_expression(compilation, expression);
    return data_value(compilation, op, &expression->where, operand[0], operand[1]);
}

/* syscall("openat") */
static struct plan_expression *check_system_call(struct compilation *compilation,
                                                 const struct expression *expression) {
    struct plan_expression *result = error_expression(compilation, expression);
    if (!require_arguments(compilation, expression, 1, 1,
                           "syscall(\"openat\") is the number of a system call"))
        return result;
    const struct plan_expression *name = check_expression(compilation, expression->arguments);
    if (name->type == PLAN_TYPE_ERROR)
        return result;
    if (name->op != PLAN_OP_STRING) {
        diagnose(compilation->diagnostics, &name->where, MESSAGE_SYSTEM_CALL_NAME, type_phrase(name->type));
        return result;
    }
    if (system_call_from_name(name->string, &result->integer)) {
        result->type = PLAN_TYPE_INTEGER;
        return result;
    }
    const char *nearest = nearest_system_call(name->string);
    diagnose(compilation->diagnostics, &name->where, MESSAGE_UNKNOWN_SYSTEM_CALL, name->string);
    if (nearest)
        diagnose_hint(compilation->diagnostics, "did you mean '%s'?", nearest);
    return result;
}

static struct plan_expression *check_function(struct compilation *compilation,
                                              const struct expression *expression) {
    static const char *const functions[] = {"count", "index", "syscall", "address", "size"};
    const char *name = expression->name.text;
    if (strcmp(name, "count") == 0)
        return check_count(compilation, expression);
    if (strcmp(name, "index") == 0)
        return check_index(compilation, expression);
    if (strcmp(name, "address") == 0 || strcmp(name, "size") == 0)
        return check_data(compilation, expression, *name == 'a' ? PLAN_OP_DATA_ADDRESS : PLAN_OP_DATA_SIZE);
    if (strcmp(name, "syscall") == 0)
        return check_system_call(compilation, expression);
    const struct declaration *declaration = find_declaration(compilation, name);
    if (declaration && declaration->kind == STATEMENT_USE)
        return check_foreign(compilation, expression, declaration);
    const char *nearest = nearest_name(name, functions, sizeof functions / sizeof *functions);
    for (const struct statement *at = compilation->tool->statements; at && !nearest; at = at->next)
        if (at->kind == STATEMENT_USE)
            nearest = nearest_name(name, &at->name.text, 1);
    diagnose(compilation->diagnostics, &expression->name.where, MESSAGE_UNKNOWN_FUNCTION, name);
    if (nearest)
        diagnose_hint(compilation->diagnostics, "did you mean '%s'?", nearest);
    else
        diagnose_hint(
            compilation->diagnostics,
            "the functions are count(SET), index(v, SET), address(NAME), size(NAME) and syscall(NAME)");
    return error_expression(compilation, expression);
}

/* In a comparison with an edge's kind, a word for a kind of edge has that meaning, even if something else has
   the same name. */
static bool is_edge_kind(struct compilation *compilation, const struct expression *expression,
                         const struct plan_expression *beside, struct plan_expression **result) {
    int64_t kind;
    if (beside->type != PLAN_TYPE_EDGE_KIND || expression->kind != EXPRESSION_NAME ||
        !edge_kind_from_word(expression->name.text, &kind))
        return false;
    *result = constant_expression(compilation, PLAN_TYPE_EDGE_KIND, kind, &expression->where);
    return true;
}

/* ---- all expressions ------------------------------------------------------------------------ */

/* `p.name == main`: an undefined name next to a string. */
static void hint_at_quotes(struct compilation *compilation, const struct expression *expression,
                           const struct plan_expression *operand, const struct plan_expression *beside) {
    if (operand->type == PLAN_TYPE_ERROR && beside->type == PLAN_TYPE_STRING &&
        expression->kind == EXPRESSION_NAME && !find_declaration(compilation, expression->name.text) &&
        !nearest_value_name(compilation, expression->name.text))
        diagnose_hint(compilation->diagnostics, "a string has quotes: did you mean \"%s\"?",
                      expression->name.text);
    if (operand->type == PLAN_TYPE_ERROR && beside->type == PLAN_TYPE_CLASS &&
        expression->kind == EXPRESSION_NAME && !find_declaration(compilation, expression->name.text) &&
        !nearest_value_name(compilation, expression->name.text)) {
        const char *nearest = nearest_name(expression->name.text, plan_class_words, CLASS_COUNT);
        if (nearest)
            diagnose_hint(compilation->diagnostics, "did you mean '%s'?", nearest);
        else
            diagnose_hint(compilation->diagnostics,
                          "classes are load, store, condbr, call, ...: atomc info classes lists them");
    }
}

struct plan_expression *check_expression(struct compilation *compilation,
                                         const struct expression *expression) {
    struct plan_expression *operand[3] = {NULL, NULL, NULL}, *result;
    switch (expression->kind) {
    case EXPRESSION_INTEGER:
        return constant_expression(compilation, PLAN_TYPE_INTEGER, expression->integer, &expression->where);
    case EXPRESSION_BOOLEAN:
        return constant_expression(compilation, PLAN_TYPE_BOOLEAN, expression->integer, &expression->where);
    case EXPRESSION_STRING:
        result = make_expression(compilation, PLAN_OP_STRING, PLAN_TYPE_STRING, &expression->where);
        result->string = arena_string(compilation->arena, expression->string, strlen(expression->string));
        return result;
    case EXPRESSION_NAME:
        return check_name(compilation, expression);
    case EXPRESSION_ATTRIBUTE:
        return check_attribute(compilation, expression);
    case EXPRESSION_FUNCTION:
        return check_function(compilation, expression);
    case EXPRESSION_MEMBER:
        return check_member(compilation, expression);
    case EXPRESSION_CELL:
        return check_cell(compilation, expression, expression->operand[0]);
    case EXPRESSION_DYNAMIC:
        return check_dynamic(compilation, expression);
    case EXPRESSION_FIELD:
        return check_field(compilation, expression);
    case EXPRESSION_OPERATOR:
        break;
    }
    for (int i = 0; i < 3 && expression->operand[i]; i++)
        if (i == 0 || !is_edge_kind(compilation, expression->operand[i], operand[0], &operand[i]))
            operand[i] = check_expression(compilation, expression->operand[i]);
    if (operand[1] && !operand[2])
        for (int i = 0; i < 2; i++)
            hint_at_quotes(compilation, expression->operand[i], operand[i], operand[!i]);
    return check_operator(compilation, expression, operand);
}

struct plan_expression *check_condition(struct compilation *compilation, const struct expression *expression,
                                        const char *role) {
    struct expression_context saved = compilation->context;
    compilation->context.static_role = role;
    struct plan_expression *condition = check_expression(compilation, expression);
    compilation->context = saved;
    return to_boolean(compilation, condition, role);
}
