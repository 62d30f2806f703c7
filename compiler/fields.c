/* fields.c: members of the program's structures: `$arg(0)->next->value`, `$memory(address, "struct
   list").next`. The types are those of a program's debug information: engine/select/fields.c finds them. */
#include <ctype.h>
#include <string.h>

#include "compiler/internal.h"

static bool is_typed_memory(const struct expression *expression) {
    return expression->kind == EXPRESSION_DYNAMIC && expression->argument_count == 2 &&
           strcmp(expression->name.text, plan_values[PLAN_VALUE_MEMORY].word) == 0 &&
           expression->arguments->next->kind == EXPRESSION_STRING &&
           (isalpha((unsigned char)*expression->arguments->next->string) ||
            *expression->arguments->next->string == '_');
}

/* $arg(0) or $a0: a structure can be in argument registers. */
static bool is_argument(const struct expression *expression) {
    if (expression->kind != EXPRESSION_DYNAMIC)
        return false;
    const char *word = expression->name.text;
    return strcmp(word, plan_values[PLAN_VALUE_ARGUMENT].word) == 0 ||
           (strncmp(word, "$a", 2) == 0 && isdigit((unsigned char)word[2]));
}

bool is_typed(const struct expression *expression) {
    const struct expression *base = expression;
    while (base->kind == EXPRESSION_ATTRIBUTE && !base->has_parentheses)
        base = base->operand[0];
    return base->kind == EXPRESSION_FIELD || is_typed_memory(base) ||
           (base != expression && is_argument(base));
}

bool has_members(const struct expression *expression) {
    return is_typed(expression) || is_argument(expression);
}

static bool is_step(const struct expression *expression) {
    return expression->kind == EXPRESSION_FIELD || expression->kind == EXPRESSION_ATTRIBUTE;
}

/* The index as a constant; false after reporting. */
static bool check_element(struct compilation *compilation, const struct expression *expression,
                          int64_t *index) {
    struct expression_context saved = compilation->context;
    compilation->context.static_role = "the number of an element";
    const struct plan_expression *number = check_expression(compilation, expression);
    compilation->context = saved;
    if (number->type == PLAN_TYPE_INTEGER && is_constant(number)) {
        *index = number->integer;
        return true;
    }
    if (number->type != PLAN_TYPE_ERROR)
        diagnose(compilation->diagnostics, &number->where, MESSAGE_FIELD_INDEX);
    return false;
}

/* Adds the steps from the base to the expression; false after reporting. */
static bool add_steps(struct compilation *compilation, const struct expression *expression,
                      struct plan_path *path, struct plan_step *steps) {
    bool good =
        !is_step(expression->operand[0]) || add_steps(compilation, expression->operand[0], path, steps);
    bool points = expression->op == PLAN_OP_MEMORY;
    const char *name = arena_string(compilation->arena, expression->name.text, strlen(expression->name.text));
    steps[path->count++] = (struct plan_step){
        .kind = points ? PLAN_STEP_POINTER : PLAN_STEP_MEMBER, .name = name, .where = expression->name.where};
    path->text = arena_format(compilation->arena, "%s%s%s", path->text, points ? "->" : ".", name);
    for (const struct expression *at = expression->arguments; at && good; at = at->next) {
        struct plan_step *step = &steps[path->count++];
        *step = (struct plan_step){.kind = PLAN_STEP_ELEMENT, .where = at->where};
        good = check_element(compilation, at, &step->index);
        path->text = arena_format(compilation->arena, "%s[%lld]", path->text, (long long)step->index);
    }
    return good;
}

/* The address of $memory(address, "type"). */
static struct plan_expression *check_typed_memory(struct compilation *compilation,
                                                  const struct expression *expression) {
    if (!may_be_dynamic(compilation, expression, expression->name.text))
        return error_expression(compilation, expression);
    struct plan_expression *address = check_expression(compilation, expression->arguments);
    if (address->type == PLAN_TYPE_INTEGER || address->type == PLAN_TYPE_ERROR)
        return address;
    diagnose(compilation->diagnostics, &address->where, MESSAGE_MEMORY_ADDRESS, type_phrase(address->type));
    return error_expression(compilation, expression);
}

/* Types of parameters and results are those of a procedure. */
static bool has_own_type(struct compilation *compilation, const struct plan_expression *value) {
    const struct expression_context *context = &compilation->context;
    if (value->op != PLAN_OP_VALUE ||
        (value->value != PLAN_VALUE_ARGUMENT && value->value != PLAN_VALUE_RETURN)) {
        diagnose(compilation->diagnostics, &value->where, MESSAGE_FIELD_BASE);
        diagnose_hint(compilation->diagnostics,
                      "parameters, as $arg(0), and $ret have one; of another address it is given: "
                      "$memory(address, \"struct list\").next");
        return false;
    }
    if (!context->is_event &&
        (context->place == PLAN_PROCEDURE || context->place == PLAN_ENTRY || context->place == PLAN_CALLSITE))
        return true;
    diagnose(compilation->diagnostics, &value->where, MESSAGE_FIELD_PLACE, plan_values[value->value].word);
    diagnose_hint(
        compilation->diagnostics,
        "it is known at a proc, an entry or a callsite; elsewhere $memory(address, \"struct list\").next");
    return false;
}

struct plan_expression *check_field(struct compilation *compilation, const struct expression *expression) {
    struct plan_path *path = arena_allocate(compilation->arena, sizeof *path);
    const struct expression *base = expression;
    uint32_t count = 0;
    *path = (struct plan_path){.text = ""};
    for (; is_step(base); base = base->operand[0])
        count += 1 + base->argument_count;
    struct plan_step *steps = arena_allocate(compilation->arena, (count + 1) * sizeof *steps);
    bool is_given = is_typed_memory(base);
    struct plan_expression *value =
        is_given ? check_typed_memory(compilation, base) : check_expression(compilation, base);
    if (value->type == PLAN_TYPE_ERROR || (!is_given && !has_own_type(compilation, value)) ||
        (count > 0 && !add_steps(compilation, expression, path, steps)))
        return error_expression(compilation, expression);
    if (is_given) {
        const char *type = base->arguments->next->string;
        path->type = arena_string(compilation->arena, type, strlen(type));
    }
    path->steps = steps;
    struct plan_expression *result =
        make_expression(compilation, PLAN_OP_FIELD, PLAN_TYPE_INTEGER, &expression->where);
    result->operand[0] = value;
    result->path = path;
    result->dynamic = true;
    return result;
}
