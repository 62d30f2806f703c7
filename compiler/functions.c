/* functions.c: C functions that a `use` statement declares, called in static expressions. Requires
   tool_use() for their prototypes, from the DWARF of the loaded code; without it calls are not checked. */
#include "compiler/internal.h"

#include <stdlib.h>
#include <string.h>

/* A type as a use statement writes it, and C. */
struct type_word {
    const char *word;
    enum plan_type type;
    enum plan_c_type c;
    const char *spelled; /* in C */
};
static const struct type_word type_words[] = {
    {"int", PLAN_TYPE_INTEGER, PLAN_C_INT, "int"},
    {"long", PLAN_TYPE_INTEGER, PLAN_C_LONG, "long"},
    {"boolean", PLAN_TYPE_BOOLEAN, PLAN_C_INT, "int"},
    {"string", PLAN_TYPE_STRING, PLAN_C_STRING, "char *"},
    {"Proc", PLAN_TYPE_PROCEDURE, PLAN_C_POINTER, "Proc *"},
    {"Entry", PLAN_TYPE_ENTRY, PLAN_C_POINTER, "Entry *"},
    {"Block", PLAN_TYPE_BLOCK, PLAN_C_POINTER, "Block *"},
    {"Inst", PLAN_TYPE_INSTRUCTION, PLAN_C_POINTER, "Inst *"},
};
enum { TYPE_WORDS = sizeof type_words / sizeof type_words[0], RESULT_WORDS = 4 };

static const struct type_word *find_c_type(struct compilation *compilation, const struct name *name,
                                           size_t count, const char *role) {
    const char *words[TYPE_WORDS];
    for (size_t i = 0; i < count; i++) {
        words[i] = type_words[i].word;
        if (strcmp(words[i], name->text) == 0)
            return &type_words[i];
    }
    diagnose(compilation->diagnostics, &name->where, MESSAGE_FUNCTION_TYPE, name->text, role);
    const char *nearest = nearest_name(name->text, words, count);
    if (nearest)
        diagnose_hint(compilation->diagnostics, "did you mean '%s'?", nearest);
    else
        diagnose_hint(compilation->diagnostics,
                      count == RESULT_WORDS ? "results are int, long, boolean or string"
                                            : "the types are int, long, boolean, string, Proc, Entry, "
                                              "Block and Inst");
    return NULL;
}

/* ---- declarations ----------------------------------------------------------------------------- */

static const char *spell_result(const struct plan_routine *routine) {
    static const char *const results[] = {
        [PLAN_C_VOID] = "void",       [PLAN_C_CHAR] = "char",
        [PLAN_C_SHORT] = "short",     [PLAN_C_INT] = "int",
        [PLAN_C_LONG] = "long",       [PLAN_C_POINTER] = "a pointer",
        [PLAN_C_STRING] = "char *",   [PLAN_C_FLOAT] = "a float",
        [PLAN_C_DOUBLE] = "a double", [PLAN_C_OTHER] = "something else",
    };
    return results[routine->result];
}

/* A boolean is an int, or C's _Bool, which is one byte. */
static bool fits_c_type(enum plan_c_type type, const struct type_word *wanted) {
    return type == wanted->c || (wanted->type == PLAN_TYPE_BOOLEAN && type == PLAN_C_CHAR);
}

static bool same_c_type(const struct plan_parameter *parameter, const struct type_word *wanted) {
    if (!fits_c_type(parameter->type, wanted))
        return false;
    return wanted->c != PLAN_C_POINTER || strstr(parameter->spelled, wanted->spelled);
}

/* Compares the statement with the C prototype, which determines how the result is returned. */
static void check_prototype(struct compilation *compilation, const struct statement *statement,
                            struct plan_function *function, const struct type_word *result,
                            const struct type_word *const *parameters, uint32_t count) {
    const struct prototypes *prototypes = compilation->tool->uses[statement->use].prototypes;
    if (!prototypes)
        return;
    struct diagnostics *diagnostics = compilation->diagnostics;
    const char *name = statement->name.text;
    const struct plan_routine *routine = prototypes_find(prototypes, name);
    if (!routine) {
        size_t known;
        const char *const *names = prototypes_names(prototypes, &known), *nearest;
        if (prototypes_find_static(prototypes, name)) {
            diagnose(diagnostics, &statement->name.where, MESSAGE_FUNCTION_STATIC, name,
                     statement->file.text);
            diagnose_hint(diagnostics, "remove 'static' there");
            return;
        }
        diagnose(diagnostics, &statement->name.where, MESSAGE_FUNCTION_MISSING, statement->file.text, name);
        if ((nearest = nearest_name(name, names, known)))
            diagnose_hint(diagnostics, "did you mean '%s'?", nearest);
        return;
    }
    if (result && fits_c_type(routine->result, result))
        function->result_c = routine->result;
    else if (result)
        diagnose(diagnostics, &statement->type.where, MESSAGE_FUNCTION_RESULT, name, statement->file.text,
                 routine->line, spell_result(routine), result->word);
    if (!routine->prototyped)
        return;
    if (routine->parameter_count != count) {
        diagnose(diagnostics, &statement->name.where, MESSAGE_FUNCTION_COUNT, name, statement->file.text,
                 routine->line, routine->parameter_count, count);
        return;
    }
    const struct expression *at = statement->parameters;
    for (uint32_t i = 0; i < count; i++, at = at->next)
        if (parameters[i] && !same_c_type(&routine->parameters[i], parameters[i]))
            diagnose(diagnostics, &at->where, MESSAGE_FUNCTION_PARAMETER, i + 1, name, statement->file.text,
                     routine->line, routine->parameters[i].spelled, parameters[i]->spelled);
}

void check_use_statement(struct compilation *compilation, const struct statement *statement) {
    const struct type_word *result = find_c_type(compilation, &statement->type, RESULT_WORDS, "result"),
                           *parameters[PLAN_FUNCTION_PARAMETERS];
    struct plan_function function = {.name = copy_text(compilation, statement->name.text),
                                     .file = statement->use};
    bool new = check_new_name(compilation, statement->kind, &statement->name), good = result != NULL;
    uint32_t count = 0;
    for (const struct expression *at = statement->parameters; at; at = at->next) {
        if (count == PLAN_FUNCTION_PARAMETERS) {
            diagnose(compilation->diagnostics, &at->where, MESSAGE_FUNCTION_PARAMETERS, function.name,
                     PLAN_FUNCTION_PARAMETERS);
            good = false;
            break;
        }
        struct name word = {at->kind == EXPRESSION_NAME ? at->name.text : "this", at->where};
        parameters[count] = find_c_type(compilation, &word, TYPE_WORDS, "parameter");
        function.parameters[count] = parameters[count] ? parameters[count]->type : PLAN_TYPE_ERROR;
        good &= parameters[count] != NULL;
        count++;
    }
    function.parameter_count = count;
    function.result = good ? result->type : PLAN_TYPE_ERROR;
    function.result_c = good ? result->c : PLAN_C_VOID;
    if (good)
        check_prototype(compilation, statement, &function, result, parameters, count);
    VECTOR_RESERVE(compilation->functions, compilation->function_count, compilation->function_capacity);
    if (new)
        find_declaration(compilation, statement->name.text)->index = compilation->function_count;
    compilation->functions[compilation->function_count++] = function;
}

/* ---- calls ------------------------------------------------------------------------------------ */

static bool check_function_argument(struct compilation *compilation, const struct plan_function *function,
                                    uint32_t number, const struct plan_expression *argument) {
    enum plan_type wanted = function->parameters[number];
    bool integer = is_number(argument->type) || argument->type == PLAN_TYPE_REGISTER ||
                   argument->type == PLAN_TYPE_CLASS;
    if (wanted == argument->type || (is_number(wanted) && integer))
        return true;
    diagnose(compilation->diagnostics, &argument->where, MESSAGE_FUNCTION_ARGUMENT, number + 1,
             function->name, type_phrase(wanted), type_phrase(argument->type));
    return false;
}

static struct plan_expression *chain_links(struct compilation *compilation,
                                           const struct plan_function *function, const struct expression *at,
                                           uint32_t number, bool *good) {
    if (!at)
        return NULL;
    struct plan_expression *link =
        make_expression(compilation, PLAN_OP_ARGUMENT, PLAN_TYPE_INTEGER, &at->where);
    link->operand[0] = check_expression(compilation, at);
    if (link->operand[0]->type == PLAN_TYPE_ERROR || function->result == PLAN_TYPE_ERROR)
        *good = false;
    else
        *good &= check_function_argument(compilation, function, number, link->operand[0]);
    link->operand[1] = chain_links(compilation, function, at->next, number + 1, good);
    return link;
}

struct plan_expression *check_foreign(struct compilation *compilation, const struct expression *expression,
                                      const struct declaration *declaration) {
    struct plan_expression *result =
        make_expression(compilation, PLAN_OP_FOREIGN, PLAN_TYPE_ERROR, &expression->where);
    const char *name = expression->name.text;
    if (!declaration->reached) {
        report_used_early(compilation, declaration, "function", &expression->name);
        return result;
    }
    const struct plan_function *function = &compilation->functions[declaration->index];
    if (function->result == PLAN_TYPE_ERROR) /* reported */
        return result;
    if (expression->argument_count != function->parameter_count) {
        diagnose(compilation->diagnostics, &expression->where, MESSAGE_FUNCTION_CALL, name,
                 function->parameter_count, function->parameter_count == 1 ? "" : "s",
                 expression->argument_count, expression->argument_count == 1 ? "is" : "are");
        return result;
    }
    struct expression_context saved = compilation->context;
    compilation->context.static_role = "an argument of a C function called while instrumenting";
    bool good = true;
    result->operand[0] = chain_links(compilation, function, expression->arguments, 0, &good);
    compilation->context = saved;
    result->function = declaration->index;
    result->type = good ? function->result : PLAN_TYPE_ERROR;
    return result;
}
