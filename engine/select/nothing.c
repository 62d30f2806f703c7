/* nothing.c: explains why a statement selects no place: usually it has a name that the program does not have.
   Requires sets and folded values of fold.c. */
#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#include "engine/cfg/cfg.h"
#include "engine/object/object.h"
#include "engine/select/select.h"

bool has_symbols(const struct program *program) {
    for (uint32_t i = 0; i < program->procedure_count; i++)
        if (program->procedures[i].origin == PROCEDURE_SYMBOL)
            return true;
    return false;
}

/* A name that the condition compares with procedure names, but that no procedure has. */
struct wanted_name {
    const char *name, *nearest; /* NULL: none */
};

/* True if the program calls a library procedure of that name. */
static bool is_called_in_library(const struct program *program, const char *name) {
    for (uint32_t i = 0; i < program->relocation_count; i++)
        if (program->relocations[i].symbol && strcmp(program->relocations[i].symbol, name) == 0)
            return true;
    return false;
}

static bool is_without_its_libraries(const struct program *program) {
    return program->interpreter && program->library_count == 0;
}

static bool is_procedure_name(const struct plan_expression *expression) {
    return expression->op == PLAN_OP_ATTRIBUTE && expression->attribute == PLAN_ATTRIBUTE_PROC_NAME;
}

static void look_for(struct selection *selection, const char *name, struct wanted_name *wanted) {
    struct program *program = selection->program;
    uint32_t count = place_count(program, PLAN_PROCEDURE);
    struct arena_mark mark = arena_mark(program->scratch);
    const char **names = arena_allocate(program->scratch, ((size_t)count + 1) * sizeof *names);
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        names[i] = attribute_value(program, PLAN_ATTRIBUTE_PROC_NAME, i, 0).string;
        found |= strcmp(names[i], name) == 0;
    }
    if (!found)
        *wanted = (struct wanted_name){name, nearest_name(name, names, count)};
    arena_release(program->scratch, mark);
}

static void look_in(struct selection *selection, const struct plan_expression *condition,
                    struct wanted_name *wanted) {
    if (!condition || wanted->name)
        return;
    const struct plan_expression *left = condition->operand[0], *right = condition->operand[1];
    if (condition->op == PLAN_OP_EQUAL && is_procedure_name(left) && right->op == PLAN_OP_STRING)
        look_for(selection, right->string, wanted);
    if (condition->op == PLAN_OP_EQUAL && is_procedure_name(right) && left->op == PLAN_OP_STRING)
        look_for(selection, left->string, wanted);
    if (condition->op == PLAN_OP_AND || condition->op == PLAN_OP_OR) {
        look_in(selection, left, wanted);
        look_in(selection, right, wanted);
    }
}

bool asks_for_unknown(struct selection *selection, const struct plan_expression *condition) {
    struct wanted_name wanted = {NULL, NULL};
    look_in(selection, condition, &wanted);
    return wanted.name;
}

static void look_in_loops(struct selection *selection, const struct plan_loop *loops, uint32_t count,
                          struct wanted_name *wanted) {
    for (uint32_t i = 0; i < count; i++) {
        look_in(selection, loops[i].condition, wanted);
        if (loops[i].domain == PLAN_DOMAIN_SET) {
            const struct plan_set *set = &selection->plan->sets[loops[i].set];
            if (set->form == PLAN_SET_SELECTION)
                look_in_loops(selection, set->loops, set->loop_count, wanted);
        }
    }
}

/* ---- source files and patterns ------------------------------------------------------------------------- */

/* A comparison of an attribute with a text, or NULL. With `of_file`, the first comparison of a source file or
   line, else the first `like` whose pattern looks like a regular expression. */
static const struct plan_expression *find_comparison(const struct plan_expression *condition, bool of_file) {
    if (!condition)
        return NULL;
    const struct plan_expression *left = condition->operand[0], *right = condition->operand[1];
    if (condition->op == PLAN_OP_AND || condition->op == PLAN_OP_OR || condition->op == PLAN_OP_NOT) {
        const struct plan_expression *found = find_comparison(left, of_file);
        return found || condition->op == PLAN_OP_NOT ? found : find_comparison(right, of_file);
    }
    if (!left || !right || left->op != PLAN_OP_ATTRIBUTE)
        return NULL;
    const char *word = plan_attributes[left->attribute].word;
    if (of_file)
        return strcmp(word, "file") == 0 || strcmp(word, "line") == 0 ? condition : NULL;
    if (condition->op != PLAN_OP_LIKE || right->op != PLAN_OP_STRING || !*right->string)
        return NULL;
    return right->string[0] == '^' || right->string[strlen(right->string) - 1] == '$' ||
                   strstr(right->string, ".*")
               ? condition
               : NULL;
}

static const struct plan_expression *find_in_loops(const struct selection *selection,
                                                   const struct plan_loop *loops, uint32_t count,
                                                   bool of_file) {
    const struct plan_expression *found = NULL;
    for (uint32_t i = 0; i < count && !found; i++) {
        found = find_comparison(loops[i].condition, of_file);
        if (!found && loops[i].domain == PLAN_DOMAIN_SET) {
            const struct plan_set *set = &selection->plan->sets[loops[i].set];
            if (set->form == PLAN_SET_SELECTION)
                found = find_in_loops(selection, set->loops, set->loop_count, of_file);
        }
    }
    return found;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A condition on source files selects no place: the program has no lines, or its files are paths. */
static bool hint_at_file(struct selection *selection, const struct plan_expression *comparison) {
    struct program *program = selection->program;
    bool any = false, is_told;
    uint32_t count = place_count(program, PLAN_PROCEDURE);
    const struct plan_expression *text = comparison->operand[1];
    const char *pattern = text->op == PLAN_OP_STRING ? text->string : NULL, *path = NULL;
    for (uint32_t i = 0; i < count && !path; i++) {
        const char *file = attribute_value(program, PLAN_ATTRIBUTE_PROC_FILE, i, 0).string;
        any |= *file;
        if (*file && pattern && fnmatch(base_name(pattern), base_name(file), 0) == 0 &&
            strcmp(pattern, file) != 0)
            path = file;
    }
    /* A pattern without a directory matched some file: the cause is another condition. */
    is_told = path && (comparison->op != PLAN_OP_LIKE || (pattern[0] != '*' && strchr(pattern, '/')));
    if (!any)
        diagnose_hint(selection->diagnostics,
                      "the program has no source files and lines: compile it with -g");
    else if (is_told)
        diagnose_hint(selection->diagnostics, "the file is \"%s\": like \"%s\" selects it", path,
                      base_name(pattern));
    return !any || is_told;
}

/* `like "^main$"`. */
static bool hint_at_pattern(struct selection *selection, const struct plan_expression *comparison) {
    const char *name = plan_attributes[comparison->operand[0]->attribute].word;
    diagnose_hint(selection->diagnostics,
                  "a pattern of 'like' is for the whole text, and its signs are * ? [ ]; "
                  "a regular expression is matched by ~: %s ~ \"%s\"",
                  name, comparison->operand[1]->string);
    return true;
}

/* A name that the compiler made from this name: NAME.part.0, NAME.constprop.0; or a C++ name. */
static const char *made_of(struct selection *selection, const char *name) {
    const struct program *program = selection->program;
    size_t length = strlen(name);
    for (uint32_t i = 0; i < program->procedure_count; i++) {
        const char *made = program->procedures[i].name;
        if (strncmp(made, name, length) == 0 && made[length] == '.')
            return made;
        const char *shown =
            strncmp(made, "_Z", 2) == 0 && strstr(made, name) ? shown_name(selection, made) : NULL;
        const char *end = shown ? strchr(shown, '(') : NULL;
        bool same = end && (size_t)(end - shown) >= length && strncmp(end - length, name, length) == 0 &&
                    (end - length == shown || strchr(": ", end[-(ptrdiff_t)length - 1]));
        if (same)
            return made;
    }
    return NULL;
}

/* A place may have several names; the procedure has the first by name_rank. */
static const char *called_otherwise(const struct program *program, const char *name) {
    for (uint32_t i = 0; i < program->symbol_count; i++) {
        const struct text_symbol *symbol = &program->symbols[i];
        if (strcmp(symbol->name, name) == 0)
            return program->procedures[procedure_at(program, symbol->first)].name;
    }
    return NULL;
}

static const char *empty_set(struct selection *selection, const struct plan_loop *loops, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (loops[i].domain == PLAN_DOMAIN_SET && selection_set(selection, loops[i].set)->member_count == 0)
            return selection->plan->sets[loops[i].set].name;
    return NULL;
}

void nothing_selected(struct selection *selection, const struct source_span *where,
                      const struct plan_loop *loops, uint32_t loop_count,
                      const struct plan_expression *guard) {
    const struct program *program = selection->program;
    struct diagnostics *diagnostics = selection->diagnostics;
    diagnose(diagnostics, where, MESSAGE_NOTHING_SELECTED, program->path);
    if (!has_symbols(program)) {
        diagnose_hint(diagnostics, "the program has no symbols: its procedures are called proc_at_0x...");
        return;
    }
    const struct plan_expression *file = find_in_loops(selection, loops, loop_count, true);
    const struct plan_expression *pattern = find_in_loops(selection, loops, loop_count, false);
    if ((pattern && hint_at_pattern(selection, pattern)) || (file && hint_at_file(selection, file)))
        return;
    struct wanted_name wanted = {NULL, NULL};
    look_in_loops(selection, loops, loop_count, &wanted);
    look_in(selection, guard, &wanted);
    const char *set = empty_set(selection, loops, loop_count);
    bool elsewhere = wanted.name && is_without_its_libraries(program);
    const char *made = wanted.name ? made_of(selection, wanted.name) : NULL;
    const char *shown = made ? shown_name(selection, made) : NULL;
    const char *other = wanted.name ? called_otherwise(program, wanted.name) : NULL;
    if (other)
        diagnose_hint(diagnostics, "\"%s\" is another name of \"%s\"", wanted.name, other);
    else if (shown && shown != made)
        diagnose_hint(diagnostics, "names of C++ are those of symbols: %s is \"%s\"", shown, made);
    else if (made)
        diagnose_hint(diagnostics,
                      "no procedure is called \"%s\": the compiler has made \"%s\" of it, and "
                      "p.name like \"%s.*\" selects it",
                      wanted.name, made, wanted.name);
    else if (wanted.nearest && !(elsewhere && is_called_in_library(program, wanted.name)))
        diagnose_hint(diagnostics, "no procedure is called \"%s\": did you mean \"%s\"?", wanted.name,
                      wanted.nearest);
    else if (elsewhere)
        diagnose_hint(diagnostics,
                      "no procedure of the program is called \"%s\": if it is in a library, --objects=all "
                      "instruments libraries too",
                      wanted.name);
    else if (wanted.name)
        diagnose_hint(diagnostics, "no procedure is called \"%s\"", wanted.name);
    else if (is_without_its_libraries(program))
        diagnose_hint(diagnostics, "if it is in a library: --objects=all instruments libraries too");
    else if (set)
        diagnose_hint(diagnostics, "the set '%s' is empty", set);
}

/* ---- tools that come with atomc ------------------------------------------------------------------------ */

void note_stock_statement(struct selection *selection, struct stock_statements *noted, const char *tool,
                          const struct plan_loop *loops, uint32_t loop_count,
                          const struct plan_expression *guard, bool selected) {
    if (noted->tool != tool) {
        tell_of_stock_tool(selection, noted);
        *noted = (struct stock_statements){.tool = tool, .told = noted->told};
    }
    if (!tool || loop_count == 0)
        return;
    struct wanted_name wanted = {NULL, NULL};
    look_in_loops(selection, loops, loop_count, &wanted);
    look_in(selection, guard, &wanted);
    noted->lacks_name |= !selected && wanted.name;
    noted->selected |= selected;
    noted->empty |= !selected;
}

void tell_of_stock_tool(struct selection *selection, struct stock_statements *noted) {
    const struct program *program = selection->program;
    struct diagnostics *diagnostics = selection->diagnostics;
    bool unnamed = !has_symbols(program), elsewhere = is_without_its_libraries(program);
    if (!noted->tool || !noted->empty || (noted->selected && !(noted->lacks_name && (unnamed || elsewhere))))
        return;
    diagnose(diagnostics, NULL, MESSAGE_NOTHING_FOR_TOOL, program->path,
             noted->selected ? "not all" : "nothing", noted->tool);
    if (unnamed)
        diagnose_hint(diagnostics, "the program has no symbols: its procedures are called proc_at_0x...");
    else if (elsewhere)
        diagnose_hint(diagnostics, "it may be in a library: --objects=all instruments libraries too");
    else
        diagnose_hint(diagnostics, "atomc --help %s says what it looks for", noted->tool);
    noted->told = true;
}
