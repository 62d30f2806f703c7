/* needs.c: `needs`: the sets that must have members, because otherwise the tool has nothing to examine; and
   the objects to examine. Requires the whole tool: a need is in its head, before the sets that it names. */
#include "compiler/internal.h"

static void check_need_statement(struct compilation *compilation, const struct statement *statement) {
    const struct expression name = {
        .kind = EXPRESSION_NAME, .where = statement->name.where, .name = statement->name};
    bool wanted = is_wanted(compilation, statement);
    uint32_t set = check_set(compilation, &name);
    if (!wanted || set == NO_SET)
        return;
    VECTOR_RESERVE(compilation->needs, compilation->need_count, compilation->need_capacity);
    compilation->needs[compilation->need_count++] =
        (struct plan_need){.tool = copy_text(compilation, compilation->tool->name),
                           .what = copy_text(compilation, statement->description),
                           .where = statement->where,
                           .is_stock = compilation->tool->is_stock,
                           .set = set};
}

void check_needs(struct compilation *compilation) {
    for (const struct statement *at = compilation->tool->statements; at; at = at->next)
        if (at->kind == STATEMENT_NEEDS)
            check_need_statement(compilation, at);
}
