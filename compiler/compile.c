/* compile.c: checks the statements of a tool and lowers them to a plan.
   Requires a tool without syntax errors; every statement is checked, whatever was wrong before it. */
#include "compiler/internal.h"

#include <stdlib.h>
#include <string.h>

static const char *copy_text(struct compilation *compilation, const char *text) {
    return arena_string(compilation->arena, text, strlen(text));
}

/* ---- names that statements define ----------------------------------------------------------- */

/* Words that cannot be redefined; true if `name` is free. */
static bool check_free_word(struct compilation *compilation, const struct name *name) {
    enum plan_place place;
    int64_t class;
    if (place_from_word(name->text, &place))
        diagnose(compilation->diagnostics, &name->where, MESSAGE_RESERVED_NAME, name->text,
                 "a kind of place");
    else if (class_from_word(name->text, &class))
        diagnose(compilation->diagnostics, &name->where, MESSAGE_RESERVED_NAME, name->text,
                 "an instruction class");
    else
        return true;
    return false;
}

static void check_set_name(struct compilation *compilation, const struct name *name) {
    uint32_t earlier;
    if (check_free_word(compilation, name) && name_table_find(compilation->set_names, name->text, &earlier)) {
        diagnose(compilation->diagnostics, &name->where, MESSAGE_DUPLICATE_SET, name->text);
        diagnose_hint(compilation->diagnostics, "it is defined in line %u already",
                      line_of(&compilation->sets[earlier].set.where));
    }
}

static void check_variable_name(struct compilation *compilation, const struct name *name) {
    uint32_t other;
    if (!check_free_word(compilation, name))
        return;
    if (find_scope(compilation, name->text, &other)) {
        diagnose(compilation->diagnostics, &name->where, MESSAGE_DUPLICATE_VARIABLE, name->text);
        diagnose_hint(compilation->diagnostics, "a loop around this one, in line %u, has that variable",
                      line_of(&compilation->scopes[other].where));
    } else if (name_table_find(compilation->later_sets, name->text, &other)) {
        diagnose(compilation->diagnostics, &name->where, MESSAGE_VARIABLE_IS_SET, name->text);
        diagnose_hint(compilation->diagnostics, "the set is defined in line %u", other);
    }
}

/* ---- selections ----------------------------------------------------------------------------- */

static void push_scope(struct compilation *compilation, const struct selection *selection, const char *role) {
    struct scope scope;
    check_variable_name(compilation, &selection->variable);
    check_domain(compilation, selection, &scope);
    VECTOR_RESERVE(compilation->scopes, compilation->scope_count, compilation->scope_capacity);
    uint32_t variable = compilation->scope_count++;
    scope.selecting = true;
    compilation->scopes[variable] = scope;
    const struct plan_expression *condition = NULL;
    if (selection->condition)
        condition = check_condition(compilation, selection->condition, role);
    compilation->scopes[variable].selecting = false;
    compilation->scopes[variable].loop.condition = condition;
}

static void check_set_statement(struct compilation *compilation, const struct statement *statement) {
    check_set_name(compilation, &statement->name);
    push_scope(compilation, &statement->selection, "a set's condition");
    struct scope scope = compilation->scopes[--compilation->scope_count];
    struct plan_set set = {.name = copy_text(compilation, statement->name.text),
                           .where = statement->name.where,
                           .selection = scope.loop};
    uint32_t index = add_set(compilation, set, scope.broken);
    name_table_add(compilation->set_names, compilation->sets[index].set.name, index);
}

/* ---- actions -------------------------------------------------------------------------------- */

static void report_no_target(struct compilation *compilation, const struct name *target) {
    struct diagnostics *diagnostics = compilation->diagnostics;
    uint32_t ignored;
    enum plan_place place;
    bool set = name_table_find(compilation->later_sets, target->text, &ignored);
    if (set || place_from_word(target->text, &place)) {
        diagnose(diagnostics, &target->where, MESSAGE_TARGET_IS_SET, target->text,
                 set ? "a set" : "a kind of place");
        diagnose_hint(diagnostics, "loop over it: for v in %s { before v call ... }",
                      set ? target->text : place_plural(place));
        return;
    }
    const char **words = allocate((compilation->scope_count + 1) * sizeof *words);
    size_t count = 0;
    for (uint32_t i = 0; i < compilation->scope_count; i++)
        words[count++] = compilation->scopes[i].loop.name;
    words[count++] = plan_place_words[PLAN_PROGRAM];
    const char *nearest = nearest_name(target->text, words, count);
    free(words);
    diagnose(diagnostics, &target->where, MESSAGE_UNKNOWN_TARGET, target->text);
    if (nearest)
        diagnose_hint(diagnostics, "did you mean '%s'?", nearest);
    else
        diagnose_hint(diagnostics, "instrument the program, or the variable of a loop around this");
}

/* The loops in force, outermost first. */
static const struct plan_loop *copy_loops(struct compilation *compilation) {
    struct plan_loop *loops = arena_allocate(compilation->arena, compilation->scope_count * sizeof *loops);
    for (uint32_t i = 0; i < compilation->scope_count; i++)
        loops[i] = compilation->scopes[i].loop;
    return loops;
}

static void check_action(struct compilation *compilation, const struct statement *statement) {
    struct plan_action action = {.where = statement->where, .when = statement->when};
    uint32_t variable = 0;
    bool known = true;
    if (find_scope(compilation, statement->place.text, &variable)) {
        action.place = compilation->scopes[variable].loop.kind;
        action.place_variable = variable;
        known = !compilation->scopes[variable].broken;
    } else if (strcmp(statement->place.text, plan_place_words[PLAN_PROGRAM]) == 0) {
        action.place = PLAN_PROGRAM;
    } else {
        known = false;
        report_no_target(compilation, &statement->place);
    }
    /* At an unknown place any value may be meant: say nothing about where it has a meaning. */
    compilation->context =
        (struct expression_context){.when = action.when, .place = known ? action.place : PLAN_PLACE_COUNT};
    action.routine = check_routine(compilation, &statement->routine);
    action.arguments = check_arguments(compilation, statement, action.routine);
    action.argument_count = statement->argument_count;
    action.loop_count = compilation->scope_count;
    action.loops = copy_loops(compilation);
    VECTOR_RESERVE(compilation->actions, compilation->action_count, compilation->action_capacity);
    compilation->actions[compilation->action_count++] = action;
}

/* ---- statements ----------------------------------------------------------------------------- */

static void check_statements(struct compilation *compilation, const struct statement *statement);

static void check_statement(struct compilation *compilation, const struct statement *statement) {
    bool outside = compilation->scope_count == 0;
    if (!outside && statement->kind != STATEMENT_FOR && statement->kind != STATEMENT_ACTION) {
        diagnose(compilation->diagnostics, &statement->keyword, MESSAGE_INSIDE_LOOP,
                 statement->kind == STATEMENT_SET    ? "a set"
                 : statement->kind == STATEMENT_TOOL ? "the tool's name"
                                                     : "an analysis file");
        diagnose_hint(compilation->diagnostics, "move it above the loop");
        return;
    }
    switch (statement->kind) {
    case STATEMENT_TOOL: /* check_tool_statements() */
    case STATEMENT_ANALYSIS:
        break;
    case STATEMENT_SET:
        check_set_statement(compilation, statement);
        break;
    case STATEMENT_FOR:
        push_scope(compilation, &statement->selection, "a loop's condition");
        check_statements(compilation, statement->body);
        compilation->scope_count--;
        break;
    case STATEMENT_ACTION:
        check_action(compilation, statement);
        break;
    }
}

static void check_statements(struct compilation *compilation, const struct statement *statement) {
    for (; statement && !compilation->gave_up; statement = statement->next) {
        check_statement(compilation, statement);
        unsigned errors = diagnostics_errors(compilation->diagnostics) - compilation->errors_before;
        if (errors < ERROR_LIMIT || compilation->gave_up)
            continue;
        compilation->gave_up = true;
        diagnose(compilation->diagnostics, NULL, MESSAGE_TOO_MANY_ERRORS, compilation->tool->source->path);
    }
}

/* Exactly one tool statement. */
static void check_tool_statements(struct compilation *compilation) {
    const struct statement *first = NULL;
    for (const struct statement *at = compilation->tool->statements; at; at = at->next) {
        if (at->kind != STATEMENT_TOOL)
            continue;
        if (first) {
            diagnose(compilation->diagnostics, &at->keyword, MESSAGE_TOOL_TWICE);
            diagnose_hint(compilation->diagnostics, "it is called '%s' in line %u", first->name.text,
                          line_of(&first->where));
        } else {
            first = at;
        }
    }
    if (!first) {
        struct source_span start = {compilation->tool->source, 0, 0};
        diagnose(compilation->diagnostics, &start, MESSAGE_TOOL_MISSING);
        diagnose_hint(compilation->diagnostics, "begin with: tool NAME \"what it is for\"");
    }
}

/* Sets are found by name before their definition is reached, to say so in messages. Lines are counted along.
 */
static void note_sets(struct compilation *compilation) {
    uint32_t line = 1;
    const char *text = compilation->tool->source->text, *at = text;
    for (const struct statement *statement = compilation->tool->statements; statement;
         statement = statement->next) {
        if (statement->kind != STATEMENT_SET)
            continue;
        for (const char *end = text + statement->where.begin; at < end; at++)
            line += *at == '\n';
        name_table_add(compilation->later_sets, statement->name.text, line);
    }
}

/* ---- the plan ------------------------------------------------------------------------------- */

static struct plan *build_plan(struct compilation *compilation) {
    struct plan *plan = arena_allocate(compilation->arena, sizeof *plan);
    plan->arena = compilation->arena;
    plan->name = copy_text(compilation, compilation->tool->name);
    plan->description = copy_text(compilation, compilation->tool->description);
    struct plan_set *sets = arena_allocate(compilation->arena, compilation->set_count * sizeof *sets);
    for (uint32_t i = 0; i < compilation->set_count; i++)
        sets[i] = compilation->sets[i].set;
    struct plan_routine *routines =
        arena_allocate(compilation->arena, compilation->routine_count * sizeof *routines);
    for (uint32_t i = 0; i < compilation->routine_count; i++)
        routines[i] = compilation->routines[i].routine;
    struct plan_action *actions =
        arena_allocate(compilation->arena, compilation->action_count * sizeof *actions);
    for (uint32_t i = 0; i < compilation->action_count; i++)
        actions[i] = compilation->actions[i];
    plan->sets = sets;
    plan->set_count = compilation->set_count;
    plan->routines = routines;
    plan->routine_count = compilation->routine_count;
    plan->actions = actions;
    plan->action_count = compilation->action_count;
    return plan;
}

struct plan *tool_compile(const struct tool *tool, const struct prototypes *prototypes,
                          struct diagnostics *diagnostics) {
    struct compilation compilation = {.tool = tool,
                                      .prototypes = prototypes,
                                      .diagnostics = diagnostics,
                                      .arena = arena_create(),
                                      .scratch = arena_create(),
                                      .set_names = name_table_create(),
                                      .later_sets = name_table_create(),
                                      .routine_names = name_table_create(),
                                      .errors_before = diagnostics_errors(diagnostics)};
    for (int i = 0; i < PLAN_PLACE_COUNT; i++)
        compilation.all_sets[i] = NO_SET;
    note_sets(&compilation);
    check_tool_statements(&compilation);
    check_statements(&compilation, tool->statements);
    struct plan *plan = NULL;
    if (diagnostics_errors(diagnostics) == compilation.errors_before)
        plan = build_plan(&compilation);
    else
        arena_destroy(compilation.arena);
    arena_destroy(compilation.scratch);
    name_table_destroy(compilation.set_names);
    name_table_destroy(compilation.later_sets);
    name_table_destroy(compilation.routine_names);
    free(compilation.sets);
    free(compilation.scopes);
    free(compilation.routines);
    free(compilation.actions);
    return plan;
}
