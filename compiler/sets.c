/* sets.c: the domains of selections, named sets, and the implicit sets that keep index() dense.
   Requires scopes in force; a set refers only to sets before it, so the engine can fill them in order. */
#include "compiler/internal.h"

#include <stdlib.h>
#include <string.h>

uint32_t add_set(struct compilation *compilation, struct plan_set set, bool broken) {
    VECTOR_RESERVE(compilation->sets, compilation->set_count, compilation->set_capacity);
    compilation->sets[compilation->set_count] = (struct set_entry){set, broken};
    return compilation->set_count++;
}

uint32_t add_selection(struct compilation *compilation, const char *name, const struct source_span *where,
                       const struct plan_loop *loop, bool broken) {
    struct plan_loop *copy = arena_allocate(compilation->arena, sizeof *copy);
    *copy = *loop;
    struct plan_set set = {.name = name, .where = *where, .kind = loop->kind, .loop_count = 1, .loops = copy};
    return add_set(compilation, set, broken);
}

uint32_t all_places(struct compilation *compilation, enum plan_place kind, const struct source_span *where) {
    struct plan_loop all = {.name = "v", .kind = kind, .domain = PLAN_DOMAIN_ALL};
    if (compilation->all_sets[kind] == NO_SET)
        compilation->all_sets[kind] =
            add_selection(compilation, plan_place_plurals[kind], where, &all, false);
    return compilation->all_sets[kind];
}

/* ---- finding sets --------------------------------------------------------------------------- */

/* "entries, loops and insts"; "nothing to loop over" */
static const char *contents_phrase(struct compilation *compilation, enum plan_place outer) {
    const char *list = NULL, *last = NULL;
    for (int i = 0; i < PLAN_PLACE_COUNT; i++) {
        if (!plan_contains(outer, (enum plan_place)i))
            continue;
        if (last)
            list = list ? arena_format(compilation->scratch, "%s, %s", list, last) : last;
        last = plan_place_plurals[i];
    }
    return list   ? arena_format(compilation->scratch, "%s and %s", list, last)
           : last ? last
                  : "nothing to loop over";
}

/* The kind of place for a word of another language; NULL if there is none. */
static const char *kind_meant(const char *word) {
    static const char *const words[][2] = {
        {"functions", "procs"},    {"procedures", "procs"},   {"subroutines", "procs"},
        {"calls", "callsites"},    {"instructions", "insts"}, {"bbs", "blocks"},
        {"basicblocks", "blocks"}, {"libraries", "objects"},  {"images", "objects"},
        {"routines", "procs"},     {"bbls", "blocks"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i][0]) == 0)
            return words[i][1];
    return NULL;
}

static const char *nearest_set_name(struct compilation *compilation, const char *name) {
    const char **words = allocate((compilation->set_count + 2 * PLAN_PLACE_COUNT) * sizeof *words);
    size_t count = 0;
    for (uint32_t i = 0; i < compilation->set_count; i++)
        words[count++] = compilation->sets[i].set.name;
    for (int i = PLAN_OBJECT; i < PLAN_BUCKET; i++) {
        words[count++] = plan_place_plurals[i];
        words[count++] = plan_place_words[i];
    }
    const char *nearest = nearest_name(name, words, count);
    free(words);
    return nearest;
}

static void report_no_set(struct compilation *compilation, const struct name *name) {
    struct diagnostics *diagnostics = compilation->diagnostics;
    uint32_t number;
    if (find_scope(compilation, name->text, &number)) {
        diagnose(diagnostics, &name->where, MESSAGE_NOT_A_SET, name->text);
        diagnose_hint(diagnostics, "it is a loop variable: one place, not a set");
        return;
    }
    const struct declaration *declaration = find_declaration(compilation, name->text);
    if (declaration && declaration->kind != STATEMENT_SET) {
        diagnose(diagnostics, &name->where, MESSAGE_NOT_A_SET, name->text);
        diagnose_hint(diagnostics, "it is %s, defined in %s", declaration_phrase(declaration),
                      spell_line(compilation, &declaration->where, &name->where));
        return;
    }
    if (declaration) {
        const char *line = spell_line(compilation, &declaration->where, &name->where);
        if (strcmp(line, spell_line(compilation, &name->where, &name->where)) != 0) {
            report_used_early(compilation, declaration, "set", name);
            return;
        }
        diagnose(diagnostics, &name->where, MESSAGE_USED_EARLY, "set", name->text);
        diagnose_hint(diagnostics, "a set cannot be defined by itself");
        return;
    }
    const char *nearest = kind_meant(name->text);
    if (!nearest)
        nearest = nearest_set_name(compilation, name->text);
    diagnose(diagnostics, &name->where, MESSAGE_UNKNOWN_SET, name->text);
    if (nearest)
        diagnose_hint(diagnostics, "did you mean '%s'?", nearest);
    else
        diagnose_hint(diagnostics, "the sets that need no definition are %s",
                      contents_phrase(compilation, PLAN_PROGRAM));
}

static uint32_t find_named_set(struct compilation *compilation, const struct name *name) {
    uint32_t set;
    enum plan_place kind;
    if (name_table_find(compilation->set_names, name->text, &set))
        return compilation->sets[set].broken ? NO_SET : set;
    if (place_from_word(name->text, &kind))
        return all_places(compilation, kind, &name->where);
    report_no_set(compilation, name);
    return NO_SET;
}

/* ---- sets made of others ---------------------------------------------------------------------- */

static uint32_t combine_sets(struct compilation *compilation, const struct expression *expression) {
    const char *word = expression->op == PLAN_OP_BIT_OR ? "|" : expression->op == PLAN_OP_BIT_AND ? "&" : "-";
    uint32_t left = check_set(compilation, expression->operand[0]);
    uint32_t right = check_set(compilation, expression->operand[1]);
    if (left == NO_SET || right == NO_SET)
        return NO_SET;
    const struct plan_set *a = &compilation->sets[left].set, *b = &compilation->sets[right].set;
    if (a->kind != b->kind) {
        diagnose(compilation->diagnostics, &expression->where, MESSAGE_SET_KINDS, word,
                 plan_place_plurals[a->kind], plan_place_plurals[b->kind]);
        return NO_SET;
    }
    struct plan_set set = {.where = expression->where, .kind = a->kind, .left = left, .right = right};
    set.form = expression->op == PLAN_OP_BIT_OR    ? PLAN_SET_UNION
               : expression->op == PLAN_OP_BIT_AND ? PLAN_SET_INTERSECTION
                                                   : PLAN_SET_DIFFERENCE;
    set.name = arena_format(compilation->arena, "(%s %s %s)", a->name, word, b->name);
    return add_set(compilation, set, false);
}

uint32_t check_set(struct compilation *compilation, const struct expression *expression) {
    bool operator= expression->kind == EXPRESSION_OPERATOR;
    if (expression->kind == EXPRESSION_NAME)
        return find_named_set(compilation, &expression->name);
    if (operator&&(expression->op == PLAN_OP_BIT_OR || expression->op == PLAN_OP_BIT_AND ||
                   expression->op == PLAN_OP_SUBTRACT))
        return combine_sets(compilation, expression);
    diagnose(compilation->diagnostics, &expression->where, MESSAGE_SET_WANTED);
    if (operator)
        diagnose_hint(compilation->diagnostics, "sets are combined by | (either), & (both) and - (without)");
    else if (expression->kind == EXPRESSION_ATTRIBUTE)
        diagnose_hint(compilation->diagnostics,
                      "the parts of a place are for loops: for v in p.blocks { ... }");
    return NO_SET;
}

/* ---- domains -------------------------------------------------------------------------------- */

/* `p.blocks`: places inside the place of an outer loop. */
static bool check_container(struct compilation *compilation, const struct expression *expression,
                            struct plan_loop *loop) {
    const struct name *container = &expression->operand[0]->name, *domain = &expression->name;
    struct diagnostics *diagnostics = compilation->diagnostics;
    uint32_t variable = 0;
    enum plan_place outer = PLAN_PROGRAM;
    if (find_scope(compilation, container->text, &variable)) {
        compilation->scopes[variable].uses++;
        if (compilation->scopes[variable].broken)
            return false;
        outer = compilation->scopes[variable].loop.kind;
    } else if (strcmp(container->text, plan_place_words[PLAN_PROGRAM]) != 0) {
        diagnose(diagnostics, &container->where, MESSAGE_UNKNOWN_VARIABLE, container->text);
        const struct declaration *declaration = find_declaration(compilation, container->text);
        if (declaration && declaration->kind == STATEMENT_SET)
            diagnose_hint(diagnostics, "'%s' is a set: loop over it first, for v in %s { for w in v.%s ... }",
                          container->text, container->text, domain->text);
        else
            diagnose_hint(diagnostics, "the variable of an enclosing loop comes before the dot");
        return false;
    }
    loop->container = variable;
    for (int i = 0; i < PLAN_RELATED_COUNT; i++) {
        const struct plan_related *related = &plan_related[i];
        if (related->outer != outer || strcmp(domain->text, related->word) != 0)
            continue;
        loop->kind = related->type == PLAN_TYPE_REGISTER ? PLAN_BUCKET /* no place */
                                                         : plan_type_place(related->type);
        loop->domain = related->domain;
        return true;
    }
    if (!place_from_word(domain->text, &loop->kind) || !plan_contains(outer, loop->kind)) {
        diagnose(diagnostics, &domain->where, MESSAGE_NOT_INSIDE, type_phrase(plan_place_type(outer)),
                 domain->text);
        diagnose_hint(diagnostics, "%s contains %s%s", type_phrase(plan_place_type(outer)),
                      contents_phrase(compilation, outer),
                      outer == PLAN_BLOCK         ? ", and has succs and preds"
                      : outer == PLAN_INSTRUCTION ? " but the registers that it reads and writes"
                                                  : "");
        return false;
    }
    loop->domain = outer == PLAN_PROGRAM ? PLAN_DOMAIN_ALL : PLAN_DOMAIN_CONTAINED;
    return true;
}

void check_domain(struct compilation *compilation, const struct selection *selection, struct scope *scope) {
    const char *variable = selection->variable.text;
    *scope = (struct scope){.where = selection->variable.where, .implicit_set = NO_SET};
    struct plan_loop *loop = &scope->loop;
    loop->name = arena_string(compilation->arena, variable, strlen(variable));
    loop->kind = PLAN_INSTRUCTION;
    const struct expression *domain = selection->domain;
    if (domain->kind == EXPRESSION_ATTRIBUTE) {
        scope->broken = !check_container(compilation, domain, loop);
        return;
    }
    if (check_buckets(compilation, selection, scope))
        return;
    loop->domain = PLAN_DOMAIN_ALL;
    uint32_t set;
    if (domain->kind == EXPRESSION_NAME &&
        !name_table_find(compilation->set_names, domain->name.text, &set) &&
        place_from_word(domain->name.text, &loop->kind))
        return;
    set = check_set(compilation, domain);
    scope->broken = set == NO_SET;
    if (scope->broken)
        return;
    loop->domain = PLAN_DOMAIN_SET;
    loop->set = set;
    loop->kind = compilation->sets[set].set.kind;
}

/* ---- implicit sets -------------------------------------------------------------------------- */

/* The loops that determine the places that are reached, in a set of their own. */
struct loop_chain {
    bool *needed;     /* per scope */
    uint32_t *number; /* per scope: its place among the loops of the set */
};

static void need_variables(const struct plan_expression *expression, bool *needed) {
    if (expression->op == PLAN_OP_VARIABLE)
        needed[expression->variable] = true;
    for (int i = 0; i < 3; i++)
        if (expression->operand[i])
            need_variables(expression->operand[i], needed);
}

/* The expression with the variables' new numbers. */
static const struct plan_expression *renumber_variables(struct compilation *compilation,
                                                        const uint32_t *number,
                                                        const struct plan_expression *expression) {
    struct plan_expression *copy =
        make_expression(compilation, expression->op, expression->type, &expression->where);
    *copy = *expression;
    if (copy->op == PLAN_OP_VARIABLE)
        copy->variable = number[expression->variable];
    for (int i = 0; i < 3; i++)
        if (expression->operand[i])
            copy->operand[i] = renumber_variables(compilation, number, expression->operand[i]);
    return copy;
}

/* The set of all places that the loop of scope `variable` reaches, over all turns of the loops around it that
   it depends on. */
static uint32_t make_implicit_set(struct compilation *compilation, uint32_t variable) {
    struct scope *scopes = compilation->scopes;
    struct arena *scratch = compilation->scratch;
    struct loop_chain chain = {
        .needed = arena_allocate(scratch, compilation->scope_count * sizeof *chain.needed),
        .number = arena_allocate(scratch, compilation->scope_count * sizeof *chain.number)};
    uint32_t count = 0;
    memset(chain.needed, 0, compilation->scope_count * sizeof *chain.needed);
    chain.needed[variable] = true;
    for (uint32_t i = variable + 1; i-- > 0;) {
        const struct plan_loop *loop = &scopes[i].loop;
        if (!chain.needed[i])
            continue;
        if (loop->domain >= PLAN_DOMAIN_CONTAINED)
            chain.needed[loop->container] = true;
        if (loop->condition)
            need_variables(loop->condition, chain.needed);
    }
    struct plan_loop *loops = arena_allocate(compilation->arena, (variable + 1) * sizeof *loops);
    for (uint32_t i = 0; i <= variable; i++) {
        if (!chain.needed[i])
            continue;
        chain.number[i] = count;
        loops[count] = scopes[i].loop;
        if (loops[count].domain >= PLAN_DOMAIN_CONTAINED)
            loops[count].container = chain.number[loops[count].container];
        if (loops[count].condition)
            loops[count].condition = renumber_variables(compilation, chain.number, loops[count].condition);
        count++;
    }
    if (count == 1 && loops[0].domain == PLAN_DOMAIN_ALL && !loops[0].condition)
        return all_places(compilation, loops[0].kind, &scopes[variable].where);
    struct plan_set set = {.where = scopes[variable].where,
                           .kind = scopes[variable].loop.kind,
                           .loop_count = count,
                           .loops = loops};
    set.name =
        arena_format(compilation->arena, "%s#%u", scopes[variable].loop.name, ++compilation->implicit_count);
    return add_set(compilation, set, false);
}

uint32_t numbering_set(struct compilation *compilation, const struct plan_expression *place) {
    enum plan_place kind = plan_type_place(place->type);
    if (place->op != PLAN_OP_VARIABLE)
        return all_places(compilation, kind, &place->where);
    uint32_t variable = place->variable;
    struct scope *scope = &compilation->scopes[variable];
    if (scope->loop.domain == PLAN_DOMAIN_SET)
        return scope->loop.set;
    if (scope->loop.domain == PLAN_DOMAIN_ALL && (scope->selecting || !scope->loop.condition))
        return all_places(compilation, kind, &place->where);
    if (scope->implicit_set != NO_SET)
        return scope->implicit_set;
    if (scope->selecting) {
        diagnose(compilation->diagnostics, &place->where, MESSAGE_NO_NUMBERING, scope->loop.name);
        diagnose_hint(compilation->diagnostics, "name the set that numbers it: index(%s, SET)",
                      scope->loop.name);
        return NO_SET;
    }
    scope->implicit_set = make_implicit_set(compilation, variable);
    return scope->implicit_set;
}
