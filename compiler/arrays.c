/* arrays.c: arrays, which calls pass to C as pointers. Requires the sets defined so far; the parameter
   determines the elements' C type (calls.c). */
#include "compiler/internal.h"

void check_array_statement(struct compilation *compilation, const struct statement *statement) {
    bool new = check_new_name(compilation, statement->kind, &statement->name);
    struct scope *scope = open_scope(compilation, &statement->selection);
    if (statement->selection.condition) {
        scope->selecting = true;
        const struct plan_expression *condition =
            check_condition(compilation, statement->selection.condition, "an array's condition");
        scope = &compilation->scopes[compilation->scope_count - 1];
        scope->selecting = false;
        scope->loop.condition = condition;
    }
    compilation->context = (struct expression_context){.static_role = "the element of an array"};
    const struct plan_expression *value = check_expression(compilation, statement->value);
    compilation->context = (struct expression_context){0};
    struct plan_array array = {.name = copy_text(compilation, statement->name.text),
                               .where = statement->name.where,
                               .loop = compilation->scopes[--compilation->scope_count].loop,
                               .value = value};
    if (value->type != PLAN_TYPE_ERROR && !is_number(value->type) && value->type != PLAN_TYPE_STRING &&
        value->type != PLAN_TYPE_REGISTER)
        diagnose(compilation->diagnostics, &value->where, MESSAGE_ARRAY_ELEMENT, type_phrase(value->type));
    VECTOR_RESERVE(compilation->arrays, compilation->array_count, compilation->array_capacity);
    if (new)
        find_declaration(compilation, statement->name.text)->index = compilation->array_count;
    compilation->arrays[compilation->array_count++] = array;
}
