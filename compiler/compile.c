/* compile.c: checks the statements of a tool and lowers them to a plan. Requires a tool without syntax
   errors; every statement is checked, even after errors in earlier ones. */
#include "compiler/internal.h"

#include <stdlib.h>
#include <string.h>

const char *copy_text(struct compilation *compilation, const char *text) {
    return arena_string(compilation->arena, text, strlen(text));
}

/* ---- names that statements define ----------------------------------------------------------- */

/* Words that cannot be redefined; true if `name` is free. */
static bool check_free_word(struct compilation *compilation, const struct name *name, bool parameter) {
    enum plan_place place;
    int64_t class;
    if (place_from_word(name->text, &place) && !(parameter && place == PLAN_DATA))
        diagnose(compilation->diagnostics, &name->where, MESSAGE_RESERVED_NAME, name->text,
                 "a kind of place");
    else if (class_from_word(name->text, &class))
        diagnose(compilation->diagnostics, &name->where, MESSAGE_RESERVED_NAME, name->text,
                 "an instruction class");
    else
        return true;
    return false;
}

bool check_new_name(struct compilation *compilation, enum statement_kind kind, const struct name *name) {
    struct diagnostics *diagnostics = compilation->diagnostics;
    struct declaration *first = find_declaration(compilation, name->text);
    first->refused = !check_free_word(compilation, name, kind == STATEMENT_PARAMETER);
    if (first->refused)
        return false;
    if (!first->reached) {
        first->reached = true;
        return true;
    }
    if (first->kind == kind)
        diagnose(diagnostics, &name->where, MESSAGE_DUPLICATE_SET, strchr(declaration_phrase(first), ' ') + 1,
                 name->text);
    else
        diagnose(diagnostics, &name->where, MESSAGE_NAME_TAKEN, name->text, declaration_phrase(first));
    diagnose_hint(diagnostics, "it is defined in %s already",
                  spell_line(compilation, &first->where, &name->where));
    return false;
}

void report_used_early(struct compilation *compilation, const struct declaration *declaration,
                       const char *kind, const struct name *name) {
    if (declaration->refused)
        return;
    diagnose(compilation->diagnostics, &name->where, MESSAGE_USED_EARLY, kind, name->text);
    diagnose_hint(compilation->diagnostics, "it is defined in %s: move that up",
                  spell_line(compilation, &declaration->where, &name->where));
}

static void check_variable_name(struct compilation *compilation, const struct name *name) {
    uint32_t other;
    if (!check_free_word(compilation, name, false))
        return;
    if (find_scope(compilation, name->text, &other)) {
        diagnose(compilation->diagnostics, &name->where, MESSAGE_DUPLICATE_VARIABLE, name->text);
        diagnose_hint(compilation->diagnostics, "an enclosing loop, in %s, has this variable",
                      spell_line(compilation, &compilation->scopes[other].where, &name->where));
        return;
    }
    const struct declaration *declaration = find_declaration(compilation, name->text);
    if (declaration) {
        diagnose(compilation->diagnostics, &name->where, MESSAGE_VARIABLE_IS_SET, name->text,
                 declaration_phrase(declaration));
        diagnose_hint(compilation->diagnostics, "the %s is defined in %s",
                      strchr(declaration_phrase(declaration), ' ') + 1,
                      spell_line(compilation, &declaration->where, &name->where));
    }
}

/* ---- selections ----------------------------------------------------------------------------- */

struct scope *open_scope(struct compilation *compilation, const struct selection *selection) {
    struct scope scope;
    check_variable_name(compilation, &selection->variable);
    name_table_add(compilation->variables, selection->variable.text, 0);
    check_domain(compilation, selection, &scope);
    VECTOR_RESERVE(compilation->scopes, compilation->scope_count, compilation->scope_capacity);
    compilation->scopes[compilation->scope_count] = scope;
    return &compilation->scopes[compilation->scope_count++];
}

static void push_scope(struct compilation *compilation, const struct selection *selection, const char *role) {
    compilation->choosing++;
    struct scope *scope = open_scope(compilation, selection);
    if (selection->condition) {
        scope->selecting = true;
        scope->loop.condition = check_condition(compilation, selection->condition, role);
        scope->selecting = false;
    }
    compilation->choosing--;
}

/* The set selected by a statement with its own loop. */
static uint32_t select_set(struct compilation *compilation, const struct statement *statement,
                           const char *name) {
    push_scope(compilation, &statement->selection, "a set's condition");
    struct scope scope = compilation->scopes[--compilation->scope_count];
    return add_selection(compilation, name, &statement->name.where, &scope.loop, scope.broken);
}

/* A set combined from other sets; if it is only another name for a set, returns that set. */
static uint32_t combine_set(struct compilation *compilation, const struct statement *statement,
                            const char *name) {
    uint32_t set = check_set(compilation, statement->selection.domain);
    if (set == NO_SET)
        return add_set(compilation, (struct plan_set){.name = name, .where = statement->name.where}, true);
    if (statement->selection.domain->kind == EXPRESSION_OPERATOR) {
        compilation->sets[set].set.name = name;
        compilation->sets[set].set.where = statement->name.where;
    }
    return set;
}

static void check_set_statement(struct compilation *compilation, const struct statement *statement) {
    bool new = check_new_name(compilation, statement->kind, &statement->name);
    if (new) /* not defined yet, because a set cannot be defined by itself */
        find_declaration(compilation, statement->name.text)->reached = false;
    const char *name = copy_text(compilation, statement->name.text);
    uint32_t index = statement->selection.variable.text ? select_set(compilation, statement, name)
                                                        : combine_set(compilation, statement, name);
    name_table_add(compilation->set_names, name, index);
    if (new)
        find_declaration(compilation, statement->name.text)->reached = true;
}

/* ---- statements ----------------------------------------------------------------------------- */

static uint32_t uses_so_far(const struct compilation *compilation, uint32_t scopes) {
    uint32_t uses = 0;
    for (uint32_t i = 0; i < scopes; i++)
        uses += compilation->scopes[i].uses;
    return uses;
}

static uint32_t choices_so_far(const struct compilation *compilation, uint32_t scopes) {
    uint32_t choices = 0;
    for (uint32_t i = 0; i < scopes; i++)
        choices += compilation->scopes[i].choices;
    return choices;
}

/* The innermost loop around `depth` over places that contain places of this kind; NULL: none. */
static const struct scope *containing_loop(const struct compilation *compilation, uint32_t depth,
                                           enum plan_place kind) {
    while (depth-- > 0)
        if (plan_contains(compilation->scopes[depth].loop.kind, kind))
            return &compilation->scopes[depth];
    return NULL;
}

/* A loop over all places of a kind inside of a loop over what contains them, whose variable chooses none of
   them: each place is counted for all of the others. */
static void check_whole_loop(struct compilation *compilation, const struct selection *selection,
                             enum plan_place kind, const struct scope *outer) {
    const struct expression *domain = selection->domain;
    enum plan_place named;
    const char *name = outer->loop.name;
    diagnose(compilation->diagnostics, &domain->where, MESSAGE_WHOLE_LOOP, plan_place_plurals[kind], name);
    if (place_from_word(domain->name.text, &named))
        diagnose_hint(compilation->diagnostics, "for places in '%s': %s.%s", name, name, domain->name.text);
    else if (outer->loop.kind == PLAN_PROCEDURE)
        diagnose_hint(compilation->diagnostics, "for places in '%s': where %s.proc == %s", name,
                      selection->variable.text, name);
    else
        diagnose_hint(compilation->diagnostics, "its condition does not use '%s'", name);
}

/* A loop that is inside of other loops, but does not use their variables, acts on each place many times. */
static void check_nested_loop(struct compilation *compilation, const struct statement *statement) {
    uint32_t depth = compilation->scope_count, uses = uses_so_far(compilation, depth);
    unsigned errors = diagnostics_errors(compilation->diagnostics);
    uint32_t choices = choices_so_far(compilation, depth);
    push_scope(compilation, &statement->selection, "a loop's condition");
    check_statements(compilation, statement->body);
    const struct expression *domain = statement->selection.domain;
    enum plan_place loop_kind = compilation->scopes[--compilation->scope_count].loop.kind;
    if (!depth || !statement->body || diagnostics_errors(compilation->diagnostics) > errors)
        return;
    if (uses_so_far(compilation, depth) != uses) {
        const struct scope *around = containing_loop(compilation, depth, loop_kind);
        if (around && domain->kind == EXPRESSION_NAME && choices_so_far(compilation, depth) == choices)
            check_whole_loop(compilation, &statement->selection, loop_kind, around);
        return;
    }
    const char *outer = compilation->scopes[depth - 1].loop.name;
    diagnose(compilation->diagnostics, &domain->where, MESSAGE_UNRELATED_LOOP, outer);
    enum plan_place kind;
    if (domain->kind == EXPRESSION_NAME && place_from_word(domain->name.text, &kind))
        diagnose_hint(compilation->diagnostics, "for places in '%s': %s.%s", outer, outer, domain->name.text);
    else
        diagnose_hint(compilation->diagnostics, "it can stand outside of that loop");
}

/* Reports a statement that cannot be in the block of a loop. */
static void report_inside_loop(struct compilation *compilation, const struct statement *statement) {
    static const char *const words[] = {
        [STATEMENT_TOOL] = "the tool's name",
        [STATEMENT_ANALYSIS] = "an analysis file",
        [STATEMENT_NEEDS] = "what a tool needs",
        [STATEMENT_INCLUDE] = "an included file",
        [STATEMENT_SET] = "a set",
        [STATEMENT_COUNTER] = "a counter",
        [STATEMENT_REPORT] = "a report",
        [STATEMENT_PARAMETER] = "a parameter",
        [STATEMENT_SWITCH] = "a switch",
        [STATEMENT_USE] = "a function",
        [STATEMENT_HISTOGRAM] = "a histogram",
        [STATEMENT_ARRAY] = "an array",
    };
    diagnose(compilation->diagnostics, &statement->keyword, MESSAGE_INSIDE_LOOP, words[statement->kind]);
    diagnose_hint(compilation->diagnostics,
                  statement->kind == STATEMENT_REPORT ? "move it after the loop" : "move it above the loop");
}

static void check_statement(struct compilation *compilation, const struct statement *statement) {
    bool outside = compilation->scope_count == 0;
    if (!outside && statement->kind != STATEMENT_FOR && statement->kind != STATEMENT_ACTION &&
        statement->kind != STATEMENT_REPLACE) {
        report_inside_loop(compilation, statement);
        return;
    }
    switch (statement->kind) {
    case STATEMENT_TOOL:    /* check_tool_statements() */
    case STATEMENT_NEEDS:   /* check_needs() */
    case STATEMENT_INCLUDE: /* include_files() */
        break;
    case STATEMENT_ANALYSIS:
        is_wanted(compilation, statement);
        break;
    case STATEMENT_PARAMETER:
        check_parameter(compilation, statement);
        break;
    case STATEMENT_COUNTER:
        check_counter_statement(compilation, statement);
        break;
    case STATEMENT_ARRAY:
        check_array_statement(compilation, statement);
        break;
    case STATEMENT_HISTOGRAM:
        check_histogram_statement(compilation, statement);
        break;
    case STATEMENT_SWITCH:
        check_switch_statement(compilation, statement);
        break;
    case STATEMENT_USE:
        check_use_statement(compilation, statement);
        break;
    case STATEMENT_REPORT:
        check_report(compilation, statement);
        break;
    case STATEMENT_SET:
        check_set_statement(compilation, statement);
        break;
    case STATEMENT_FOR:
        check_nested_loop(compilation, statement);
        break;
    case STATEMENT_REPLACE:
        check_replace(compilation, statement);
        break;
    case STATEMENT_ACTION:
        check_action(compilation, statement);
        break;
    }
}

void check_statements(struct compilation *compilation, const struct statement *statement) {
    for (; statement && !compilation->gave_up; statement = statement->next) {
        check_statement(compilation, statement);
        unsigned errors = diagnostics_errors(compilation->diagnostics) - compilation->errors_before;
        if (errors < ERROR_LIMIT || compilation->gave_up)
            continue;
        compilation->gave_up = true;
        diagnose(compilation->diagnostics, NULL, MESSAGE_TOO_MANY_ERRORS, compilation->tool->source->path);
    }
}

/* A tool has exactly one tool statement. */
static void check_tool_statements(struct compilation *compilation) {
    const struct statement *first = NULL;
    for (const struct statement *at = compilation->tool->statements; at; at = at->next) {
        if (at->kind != STATEMENT_TOOL)
            continue;
        if (first) {
            diagnose(compilation->diagnostics, &at->keyword, MESSAGE_TOOL_TWICE);
            diagnose_hint(compilation->diagnostics, "it is called '%s' in %s", first->name.text,
                          spell_line(compilation, &first->where, &at->where));
        } else {
            first = at;
        }
    }
    if (!first && !compilation->tool->is_page) {
        struct source_span start = {compilation->tool->source, 0, 0};
        diagnose(compilation->diagnostics, &start, MESSAGE_TOOL_MISSING);
        diagnose_hint(compilation->diagnostics, "begin with: tool NAME \"what it is for\"");
    }
}

bool defines_name(enum statement_kind kind) {
    return kind == STATEMENT_SET || kind == STATEMENT_COUNTER || kind == STATEMENT_PARAMETER ||
           kind == STATEMENT_SWITCH || kind == STATEMENT_HISTOGRAM || kind == STATEMENT_ARRAY ||
           kind == STATEMENT_USE;
}

/* Notes the names of later statements, so that messages can mention them. */
static void note_declarations(struct compilation *compilation) {
    for (const struct statement *at = compilation->tool->statements; at; at = at->next) {
        if (!defines_name(at->kind))
            continue;
        if (!name_table_add(compilation->declared, at->name.text, compilation->declaration_count))
            continue;
        VECTOR_RESERVE(compilation->declarations, compilation->declaration_count,
                       compilation->declaration_capacity);
        compilation->declarations[compilation->declaration_count++] =
            (struct declaration){.kind = at->kind, .where = at->name.where};
    }
}

struct declaration *find_declaration(const struct compilation *compilation, const char *name) {
    uint32_t index;
    if (!name_table_find(compilation->declared, name, &index))
        return NULL;
    return &compilation->declarations[index];
}

const char *declaration_phrase(const struct declaration *declaration) {
    return declaration->kind == STATEMENT_SET         ? "a set"
           : declaration->kind == STATEMENT_COUNTER   ? "a counter"
           : declaration->kind == STATEMENT_SWITCH    ? "a switch"
           : declaration->kind == STATEMENT_HISTOGRAM ? "a histogram"
           : declaration->kind == STATEMENT_ARRAY     ? "an array"
           : declaration->kind == STATEMENT_USE       ? "a function"
                                                      : "a parameter";
}

/* ---- the plan ------------------------------------------------------------------------------- */

/* A copy of the list, in the arena of the plan. */
static void *copied(struct compilation *compilation, const void *list, uint32_t count, size_t size) {
    void *copy = arena_allocate(compilation->arena, count * size);
    if (count)
        memcpy(copy, list, count * size);
    return copy;
}
#define COPIED(list, count)                                                                                  \
    copied(compilation, compilation->list, compilation->count, sizeof *compilation->list)

static void build_sets(struct compilation *compilation, struct plan *plan) {
    struct plan_set *sets = arena_allocate(compilation->arena, compilation->set_count * sizeof *sets);
    for (uint32_t i = 0; i < compilation->set_count; i++)
        sets[i] = compilation->sets[i].set;
    plan->sets = sets;
    plan->set_count = compilation->set_count;
}

static void build_routines(struct compilation *compilation, struct plan *plan) {
    struct plan_routine *routines =
        arena_allocate(compilation->arena, compilation->routine_count * sizeof *routines);
    for (uint32_t i = 0; i < compilation->routine_count; i++)
        routines[i] = compilation->routines[i].routine;
    plan->routines = routines;
    plan->routine_count = compilation->routine_count;
}

static void build_counters(struct compilation *compilation, struct plan *plan) {
    struct plan_counter *counters =
        arena_allocate(compilation->arena, compilation->counter_count * sizeof *counters);
    for (uint32_t i = 0; i < compilation->counter_count; i++)
        counters[i] = compilation->counters[i].counter, counters[i].forks = begins_at_forks(compilation);
    plan->counters = counters;
    plan->counter_count = compilation->counter_count;
}

/* Actions and reports record which tool they are part of. */
static void build_actions_and_reports(struct compilation *compilation, struct plan *plan) {
    const char *stock = compilation->tool->is_stock ? plan->name : NULL;
    struct plan_action *actions = COPIED(actions, action_count);
    for (uint32_t i = 0; i < compilation->action_count; i++)
        actions[i].stock_tool = stock;
    plan->actions = actions;
    plan->action_count = compilation->action_count;
    struct plan_report *reports = COPIED(reports, report_count);
    for (uint32_t i = 0; i < compilation->report_count; i++)
        reports[i].tool = plan->name, reports[i].stock_tool = stock;
    plan->reports = reports;
    plan->report_count = compilation->report_count;
}

/* The tool's parameters, with their values. */
static void build_constants(struct compilation *compilation, struct plan *plan) {
    struct plan_constant *constants =
        arena_allocate(compilation->arena, compilation->parameter_count * sizeof *constants);
    for (uint32_t i = 0; i < compilation->parameter_count; i++) {
        const struct parameter_entry *entry = &compilation->parameters[i];
        constants[i] =
            (struct plan_constant){.name = copy_text(compilation, entry->statement->name.text),
                                   .help = copy_text(compilation, entry->statement->description),
                                   .type = entry->type,
                                   .integer = entry->integer,
                                   .string = entry->string ? copy_text(compilation, entry->string) : NULL};
    }
    plan->constants = constants;
    plan->constant_count = compilation->parameter_count;
    struct plan_tool *tool = arena_allocate(compilation->arena, sizeof *tool);
    *tool = (struct plan_tool){plan->name, plan->constant_count, constants};
    plan->tools = tool;
    plan->tool_count = 1;
}

static struct plan *build_plan(struct compilation *compilation) {
    struct plan *plan = arena_allocate(compilation->arena, sizeof *plan);
    plan->arena = compilation->arena;
    plan->name = copy_text(compilation, compilation->tool->name);
    plan->description = copy_text(compilation, compilation->tool->description);
    plan->address_names = compilation->address_names;
    plan->attached = while_attached(compilation, NULL);
    plan->prints_events = compilation->prints_events;
    if (compilation->uses_stack)
        plan->follows = unwinds_stacks(compilation) ? PLAN_FOLLOWS_UNWINDING : PLAN_FOLLOWS_CALLS;
    build_constants(compilation, plan);
    build_sets(compilation, plan);
    build_routines(compilation, plan);
    build_counters(compilation, plan);
    build_actions_and_reports(compilation, plan);
    plan->functions = COPIED(functions, function_count);
    plan->function_count = compilation->function_count;
    plan->arrays = COPIED(arrays, array_count);
    plan->array_count = compilation->array_count;
    plan->needs = COPIED(needs, need_count);
    plan->need_count = compilation->need_count;
    fill_tables(compilation);
    plan->buffers = COPIED(buffers, buffer_count);
    plan->buffer_count = compilation->buffer_count;
    return plan;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static struct compilation begin_compilation(const struct tool *tool, const struct prototypes *prototypes,
                                            struct diagnostics *diagnostics) {
    struct compilation compilation = {.tool = tool,
                                      .prototypes = prototypes,
                                      .diagnostics = diagnostics,
                                      .arena = arena_create(),
                                      .scratch = arena_create(),
                                      .variables = name_table_create(),
                                      .set_names = name_table_create(),
                                      .declared = name_table_create(),
                                      .routine_names = name_table_create(),
                                      .errors_before = diagnostics_errors(diagnostics)};
    for (int i = 0; i < PLAN_PLACE_COUNT; i++)
        compilation.all_sets[i] = NO_SET;
    note_declarations(&compilation);
    return compilation;
}

/* Frees all memory except the arena of the plan. */
static void end_compilation(struct compilation *compilation) {
    arena_destroy(compilation->scratch);
    name_table_destroy(compilation->variables);
    name_table_destroy(compilation->set_names);
    name_table_destroy(compilation->declared);
    name_table_destroy(compilation->routine_names);
    free(compilation->sets);
    free(compilation->scopes);
    free(compilation->routines);
    free(compilation->actions);
    free(compilation->constants);
    free(compilation->watches);
    free(compilation->declarations);
    free(compilation->counters);
    free(compilation->arrays);
    free(compilation->needs);
    free(compilation->buffers);
    free(compilation->parameters);
    free(compilation->reports);
    free(compilation->functions);
}

void tool_choose_files(struct tool *tool) {
    struct diagnostics *unseen = diagnostics_create();
    struct compilation compilation = begin_compilation(tool, NULL, unseen);
    struct analysis_file *files = arena_allocate(tool->arena, tool->analysis_count * sizeof *files);
    uint32_t count = 0, next = 0;
    for (const struct statement *at = tool->statements; at; at = at->next) {
        if (at->kind == STATEMENT_PARAMETER)
            check_parameter(&compilation, at);
        if (next < tool->analysis_count && tool->analysis[next].statement == at) {
            if (is_wanted(&compilation, at))
                files[count++] = tool->analysis[next];
            next++;
        }
    }
    for (const struct statement *at = tool->statements; at; at = at->next)
        if (at->kind == STATEMENT_NEEDS && at->objects && is_wanted(&compilation, at))
            tool->objects = at->objects;
    tool->analysis = files;
    tool->analysis_count = count;
    arena_destroy(compilation.arena);
    end_compilation(&compilation);
    diagnostics_destroy(unseen);
}

struct plan *tool_compile(const struct tool *tool, const struct prototypes *prototypes,
                          struct diagnostics *diagnostics) {
    struct compilation compilation = begin_compilation(tool, prototypes, diagnostics);
    find_detach(&compilation);
    check_definitions(&compilation);
    check_tool_statements(&compilation);
    check_statements(&compilation, tool->statements);
    check_needs(&compilation);
    check_printed_files(&compilation);
    if (diagnostics_errors(diagnostics) == compilation.errors_before)
        settle_constant_keys(&compilation);
    if (compilation.uses_stack)
        follow_stacks(&compilation);
    if (compilation.names_threads)
        note_thread_name(&compilation, &tool->statements->where);
    warn_unused_counters(&compilation);
    struct plan *plan = NULL;
    if (diagnostics_errors(diagnostics) == compilation.errors_before) {
        add_reports_while_running(&compilation);
        plan = build_plan(&compilation);
        if (!check_sums(plan, diagnostics)) {
            plan_destroy(plan);
            plan = NULL;
        }
    } else {
        arena_destroy(compilation.arena);
    }
    end_compilation(&compilation);
    return plan;
}
