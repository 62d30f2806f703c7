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

/* The set of all places of a kind. */
static uint32_t all_places(struct compilation *compilation, enum plan_place kind,
                           const struct source_span *where) {
    if (compilation->all_sets[kind] == NO_SET) {
        struct plan_set set = {.name = place_plural(kind), .where = *where};
        set.selection = (struct plan_loop){.name = "v", .kind = kind, .domain = PLAN_DOMAIN_ALL};
        compilation->all_sets[kind] = add_set(compilation, set, false);
    }
    return compilation->all_sets[kind];
}

/* ---- finding sets --------------------------------------------------------------------------- */

static const char *nearest_set_name(struct compilation *compilation, const char *name) {
    const char **words = allocate((compilation->set_count + 2 * PLAN_PLACE_COUNT) * sizeof *words);
    size_t count = 0;
    for (uint32_t i = 0; i < compilation->set_count; i++)
        words[count++] = compilation->sets[i].set.name;
    for (int i = PLAN_PROCEDURE; i < PLAN_PLACE_COUNT; i++) {
        words[count++] = place_plural((enum plan_place)i);
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
        diagnose_hint(diagnostics, "it is a loop's variable: one place, not a set");
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
        diagnose(diagnostics, &name->where, MESSAGE_USED_EARLY, "set", name->text);
        if (strcmp(line, spell_line(compilation, &name->where, &name->where)) == 0)
            diagnose_hint(diagnostics, "a set cannot be defined by itself");
        else
            diagnose_hint(diagnostics, "it is defined in %s: move that up", line);
        return;
    }
    const char *nearest = nearest_set_name(compilation, name->text);
    diagnose(diagnostics, &name->where, MESSAGE_UNKNOWN_SET, name->text);
    if (nearest)
        diagnose_hint(diagnostics, "did you mean '%s'?", nearest);
    else
        diagnose_hint(diagnostics, "the sets that need no definition are insts, blocks, procs and program");
}

uint32_t find_set(struct compilation *compilation, const struct name *name, bool kinds) {
    uint32_t set;
    enum plan_place kind;
    if (name_table_find(compilation->set_names, name->text, &set))
        return compilation->sets[set].broken ? NO_SET : set;
    if (kinds && place_from_word(name->text, &kind))
        return all_places(compilation, kind, &name->where);
    report_no_set(compilation, name);
    return NO_SET;
}

/* ---- domains -------------------------------------------------------------------------------- */

/* `p.blocks`: places inside the place of an outer loop. */
static bool check_container(struct compilation *compilation, const struct selection *selection,
                            struct plan_loop *loop) {
    const struct name *container = &selection->container, *domain = &selection->domain;
    struct diagnostics *diagnostics = compilation->diagnostics;
    uint32_t variable = 0;
    enum plan_place outer = PLAN_PROGRAM;
    if (find_scope(compilation, container->text, &variable)) {
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
            diagnose_hint(diagnostics, "before the dot stands the variable of a loop around this one");
        return false;
    }
    if (!place_from_word(domain->text, &loop->kind) || loop->kind <= outer) {
        diagnose(diagnostics, &domain->where, MESSAGE_NOT_INSIDE,
                 type_phrase((enum plan_type)(PLAN_TYPE_PROGRAM + outer)), domain->text);
        diagnose_hint(diagnostics, outer == PLAN_PROGRAM     ? "the program contains procs, blocks and insts"
                                   : outer == PLAN_PROCEDURE ? "a proc contains blocks and insts"
                                   : outer == PLAN_BLOCK     ? "a block contains insts"
                                                             : "an inst contains nothing to loop over");
        return false;
    }
    loop->domain = outer == PLAN_PROGRAM ? PLAN_DOMAIN_ALL : PLAN_DOMAIN_CONTAINED;
    loop->container = outer == PLAN_PROGRAM ? 0 : variable;
    return true;
}

void check_domain(struct compilation *compilation, const struct selection *selection, struct scope *scope) {
    const char *variable = selection->variable.text;
    *scope = (struct scope){.where = selection->variable.where, .implicit_set = NO_SET};
    struct plan_loop *loop = &scope->loop;
    loop->name = arena_string(compilation->arena, variable, strlen(variable));
    loop->kind = PLAN_INSTRUCTION;
    if (selection->container.text) {
        scope->broken = !check_container(compilation, selection, loop);
        return;
    }
    loop->domain = PLAN_DOMAIN_ALL;
    uint32_t ignored;
    if (!name_table_find(compilation->set_names, selection->domain.text, &ignored) &&
        place_from_word(selection->domain.text, &loop->kind))
        return;
    uint32_t set = find_set(compilation, &selection->domain, false);
    scope->broken = set == NO_SET;
    if (scope->broken)
        return;
    loop->domain = PLAN_DOMAIN_SET;
    loop->set = set;
    loop->kind = compilation->sets[set].set.selection.kind;
}

/* ---- implicit sets -------------------------------------------------------------------------- */

/* What stands for each loop variable in the condition of an implicit set; NULL: it is out of reach. */
struct substitution {
    struct plan_expression **replacement; /* per scope */
    bool failed;
};

static const struct plan_expression *substitute(struct compilation *compilation,
                                                struct substitution *substitution,
                                                const struct plan_expression *expression) {
    if (expression->op == PLAN_OP_VARIABLE) {
        const struct plan_expression *replacement = substitution->replacement[expression->variable];
        substitution->failed |= replacement == NULL;
        return replacement ? replacement : expression;
    }
    struct plan_expression *copy =
        make_expression(compilation, expression->op, expression->type, &expression->where);
    *copy = *expression;
    for (int i = 0; i < 3; i++)
        if (expression->operand[i])
            copy->operand[i] = substitute(compilation, substitution, expression->operand[i]);
    return copy;
}

/* The place of kind `outer` around a place. */
static struct plan_expression *enclosing(struct compilation *compilation, const struct plan_expression *place,
                                         enum plan_place outer) {
    enum plan_attribute attribute = place->type == PLAN_TYPE_BLOCK ? PLAN_ATTRIBUTE_BLOCK_PROC
                                    : outer == PLAN_BLOCK          ? PLAN_ATTRIBUTE_INST_BLOCK
                                                                   : PLAN_ATTRIBUTE_INST_PROC;
    struct plan_expression *result =
        make_expression(compilation, PLAN_OP_ATTRIBUTE, plan_attributes[attribute].type, &place->where);
    result->attribute = attribute;
    result->operand[0] = place;
    return result;
}

/* Builds the set of all places that the loop of scope `variable` reaches, over all turns of the loops that
   contain it: conditions on containers become conditions on the attributes of the candidate. */
static uint32_t make_implicit_set(struct compilation *compilation, uint32_t variable) {
    struct scope *scopes = compilation->scopes;
    struct substitution substitution = {
        .replacement = arena_allocate(compilation->scratch,
                                      compilation->scope_count * sizeof *substitution.replacement)};
    enum plan_place kind = scopes[variable].loop.kind;
    struct plan_expression *place = make_expression(
        compilation, PLAN_OP_VARIABLE, (enum plan_type)(PLAN_TYPE_PROGRAM + kind), &scopes[variable].where);
    struct plan_expression *condition = NULL;
    uint32_t at = variable;
    for (;;) { /* from the loop outwards: the places of its containers */
        substitution.replacement[at] = place;
        if (scopes[at].loop.domain != PLAN_DOMAIN_CONTAINED)
            break;
        at = scopes[at].loop.container;
        place = enclosing(compilation, place, scopes[at].loop.kind);
    }
    for (uint32_t i = at; i <= variable; i++) { /* and inwards: their conditions, outermost first */
        const struct plan_loop *loop = &scopes[i].loop;
        if (!substitution.replacement[i])
            continue;
        if (loop->domain == PLAN_DOMAIN_SET) {
            struct plan_expression *member =
                make_expression(compilation, PLAN_OP_MEMBER, PLAN_TYPE_BOOLEAN, &scopes[i].where);
            member->set = loop->set;
            member->operand[0] = substitution.replacement[i];
            condition = both(compilation, condition, member);
        }
        if (loop->condition)
            condition = both(compilation, condition, substitute(compilation, &substitution, loop->condition));
    }
    if (substitution.failed)
        return NO_SET;
    if (!condition)
        return all_places(compilation, kind, &scopes[variable].where);
    struct plan_set set = {.where = scopes[variable].where};
    set.name =
        arena_format(compilation->arena, "%s#%u", scopes[variable].loop.name, ++compilation->implicit_count);
    set.selection = (struct plan_loop){
        .name = scopes[variable].loop.name, .kind = kind, .domain = PLAN_DOMAIN_ALL, .condition = condition};
    return add_set(compilation, set, false);
}

uint32_t numbering_set(struct compilation *compilation, const struct plan_expression *place) {
    enum plan_place kind = (enum plan_place)(place->type - PLAN_TYPE_PROGRAM);
    if (place->op != PLAN_OP_VARIABLE)
        return all_places(compilation, kind, &place->where);
    uint32_t variable = place->variable, set;
    struct scope *scope = &compilation->scopes[variable];
    if (scope->loop.domain == PLAN_DOMAIN_SET)
        return scope->loop.set;
    if (scope->loop.domain == PLAN_DOMAIN_ALL && (scope->selecting || !scope->loop.condition))
        return all_places(compilation, kind, &place->where);
    if (scope->implicit_set != NO_SET)
        return scope->implicit_set;
    set = scope->selecting ? NO_SET : make_implicit_set(compilation, variable);
    if (set == NO_SET) {
        diagnose(compilation->diagnostics, &place->where, MESSAGE_NO_NUMBERING, scope->loop.name);
        diagnose_hint(compilation->diagnostics, "name the set that numbers it: index(%s, SET)",
                      scope->loop.name);
        return NO_SET;
    }
    compilation->scopes[variable].implicit_set = set;
    return set;
}
