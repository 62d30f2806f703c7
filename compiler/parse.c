/* parse.c: runs the parser over one .atd file and builds its tree.
   Requires grammar/; the tree, the source text and the tool live in the caller's arena. */
#include "compiler/internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grammar/atd.tab.h"

/* ---- building the tree ---------------------------------------------------------------------- */

struct source_span parse_span(const struct parse *parse, struct text_range range) {
    return (struct source_span){parse->source, range.begin, range.end};
}

struct name parse_name(struct parse *parse, struct text_range range) {
    const char *text = parse->source->text + range.begin;
    return (struct name){arena_string(parse->arena, text, range.end - range.begin), parse_span(parse, range)};
}

unsigned parse_errors(const struct parse *parse) {
    return diagnostics_errors(parse->diagnostics) - parse->errors_before;
}

struct statement *new_statement(struct parse *parse, enum statement_kind kind, struct text_range range,
                                struct text_range keyword) {
    struct statement *statement = arena_allocate(parse->arena, sizeof *statement);
    statement->kind = kind;
    statement->where = parse_span(parse, range);
    statement->keyword = parse_span(parse, keyword);
    return statement;
}

/* An action whose place is known; its effects are added later. */
struct statement *new_action(struct parse *parse, enum plan_when when, enum on_word on,
                             struct text_range keyword, struct name place) {
    struct statement *statement = new_statement(parse, STATEMENT_ACTION, keyword, keyword);
    statement->when = when;
    statement->on = on;
    statement->place = place;
    return statement;
}

struct expression *new_expression(struct parse *parse, enum expression_kind kind, struct text_range range) {
    struct expression *expression = arena_allocate(parse->arena, sizeof *expression);
    expression->kind = kind;
    expression->where = parse_span(parse, range);
    return expression;
}

/* Later passes recurse over expressions: a tree that is too deep is reported and cut. */
static void deepen_expression(struct parse *parse, struct expression *expression,
                              const struct expression *below) {
    if (below->depth >= expression->depth)
        expression->depth = below->depth + 1;
    if (expression->depth <= EXPRESSION_DEPTH_LIMIT)
        return;
    if (!parse->too_deep)
        diagnose(parse->diagnostics, &expression->where, MESSAGE_NESTED_TOO_DEEPLY);
    parse->too_deep = true;
    expression->depth = 0;
    expression->kind = EXPRESSION_INTEGER;
}

struct expression *with_operand(struct parse *parse, struct expression *expression,
                                struct expression *operand) {
    expression->operand[0] = operand;
    deepen_expression(parse, expression, operand);
    return expression;
}

struct expression *with_arguments(struct parse *parse, struct expression *expression,
                                  struct expression_list arguments) {
    expression->arguments = arguments.first;
    expression->argument_count = arguments.count;
    for (const struct expression *argument = arguments.first; argument; argument = argument->next)
        deepen_expression(parse, expression, argument);
    return expression;
}

struct expression *of_member(struct parse *parse, struct text_range range, struct expression *value,
                             struct expression *membership) {
    membership->where = parse_span(parse, range);
    return with_operand(parse, membership, value);
}

struct expression *new_operator(struct parse *parse, enum plan_operator op, struct text_range range,
                                struct text_range operator_range, struct expression *first,
                                struct expression *second, struct expression *third) {
    struct expression *expression = new_expression(parse, EXPRESSION_OPERATOR, range);
    struct expression *operands[3] = {first, second, third};
    expression->op = op;
    expression->operator_where = parse_span(parse, operator_range);
    for (int i = 0; i < 3; i++)
        if (operands[i]) {
            expression->operand[i] = operands[i];
            deepen_expression(parse, expression, operands[i]);
        }
    return expression;
}

struct effect *new_effect(struct parse *parse, enum effect_kind kind, struct text_range range,
                          struct name name) {
    struct effect *effect = arena_allocate(parse->arena, sizeof *effect);
    *effect = (struct effect){.kind = kind, .where = parse_span(parse, range), .name = name};
    return effect;
}

void mark_per_thread(struct statement *counters) {
    for (; counters; counters = counters->next)
        counters->per_thread = true;
}

/* The counter's name and cell are set later. The operator is stored without blanks: "max=". */
struct effect *new_update(struct parse *parse, struct text_range range, struct text_range operator_range,
                          struct expression *amount) {
    struct effect *effect = new_effect(parse, EFFECT_UPDATE, range, (struct name){0});
    effect->operator= parse_name(parse, operator_range);
    size_t length = strcspn(effect->operator.text, " \t\r\n\f\v#=");
    if (effect->operator.text[length] && length && effect->operator.text[length] != '=')
        effect->operator.text = arena_format(parse->arena, "%.*s=", (int)length, effect->operator.text);
    effect->amount = amount;
    return effect;
}

/* `before b F()`, or `before call F()` */
static void report_bare_calls(struct parse *parse, const struct statement *action) {
    for (const struct effect *effect = action->effects; effect; effect = effect->next) {
        if (effect->kind != EFFECT_BARE_CALL)
            continue;
        static const char *const words[] = {"call", "when"};
        const struct name *other = &effect->operator;
        if (other->text) {
            const char *nearest = nearest_name(other->text, words, 2);
            diagnose(parse->diagnostics, &other->where, MESSAGE_UNEXPECTED_WANTED, other->text, "'call'");
            if (nearest)
                diagnose_hint(parse->diagnostics, "did you mean '%s'?", nearest);
        } else if (action->place.text && strcmp(action->place.text, "call") == 0) {
            diagnose(parse->diagnostics, &action->place.where, MESSAGE_PLACE_MISSING,
                     arena_string(parse->arena, action->keyword.source->text + action->keyword.begin,
                                  action->keyword.end - action->keyword.begin));
            diagnose_hint(parse->diagnostics, "name the program, or the variable of an enclosing loop");
        } else {
            diagnose(parse->diagnostics, &effect->name.where, MESSAGE_CALL_MISSING, effect->name.text);
            if (prints_text(effect->name.text))
                diagnose_hint(parse->diagnostics, "%s", print_hint);
            else
                diagnose_hint(parse->diagnostics, "did you mean: call %s(...)?", effect->name.text);
        }
    }
}

struct statement *with_effects(struct parse *parse, struct statement *action, struct text_range range,
                               struct expression *guard, struct effect *effects) {
    action->where = parse_span(parse, range);
    action->guard = guard;
    action->effects = effects;
    report_bare_calls(parse, action);
    return action;
}

void set_otherwise(struct statement *action, struct statement *otherwise) {
    action->otherwise = otherwise;
    for (; otherwise; otherwise = otherwise->otherwise) {
        otherwise->when = action->when;
        otherwise->on = action->on;
        otherwise->place = action->place;
    }
}

struct report_form *new_report(struct parse *parse, struct expression *path, struct column *columns) {
    struct report_form *report = arena_allocate(parse->arena, sizeof *report);
    report->path = path;
    report->columns = columns;
    return report;
}

struct report_clause *new_clause(struct parse *parse, enum clause_kind kind, struct name word,
                                 struct expression *value) {
    struct report_clause *clause = arena_allocate(parse->arena, sizeof *clause);
    *clause = (struct report_clause){.kind = kind, .word = word.where, .value = value};
    return clause;
}

struct report_form *with_clause(struct parse *parse, struct report_form *report,
                                struct report_clause *clause) {
    static const char *const words[] = {"for", "grouped", "sorted", "top", "total"};
    if (clause->kind == CLAUSE_FOR && report->clauses[CLAUSE_FOR]) {
        struct report_clause *last = report->clauses[CLAUSE_FOR];
        while (last->next)
            last = last->next;
        last->next = clause;
        return report;
    }
    if (report->clauses[clause->kind])
        diagnose(parse->diagnostics, &clause->word, MESSAGE_CLAUSE_TWICE, words[clause->kind]);
    report->clauses[clause->kind] = clause;
    return report;
}

struct report_form *with_display(struct parse *parse, struct report_form *report,
                                 struct display_form *display) {
    if (report->display)
        diagnose(parse->diagnostics, &display->where, MESSAGE_CLAUSE_TWICE, "display");
    report->display = display;
    return report;
}

struct display_form *new_display(struct parse *parse) {
    struct display_form *display = arena_allocate(parse->arena, sizeof *display);
    *display = (struct display_form){0};
    return display;
}

struct display_form *with_title(struct display_form *display, struct name word, struct name title) {
    if (display->count < PLAN_DISPLAY_COLUMNS) {
        display->words[display->count] = word;
        display->titles[display->count] = title;
    }
    display->count++;
    return display;
}

struct display_form *with_kind(struct display_form *display, struct name word, struct name kind) {
    display->where = word.where;
    display->kind = kind;
    return display;
}

struct report_form *join_report(struct parse *parse, struct report_form *head,
                                const struct report_form *tail) {
    for (int i = 0; i < CLAUSE_COUNT; i++)
        if (tail->clauses[i])
            with_clause(parse, head, tail->clauses[i]);
    head->columns = tail->columns;
    head->is_text = tail->is_text;
    head->as = tail->as;
    head->display = tail->display;
    return head;
}

void append_statement(struct statement_list *list, struct statement *statement) {
    if (!statement)
        return;
    if (list->last)
        list->last->next = statement;
    else
        list->first = statement;
    while (statement->next)
        statement = statement->next;
    list->last = statement;
}

void append_expression(struct expression_list *list, struct expression *expression) {
    if (list->last)
        list->last->next = expression;
    else
        list->first = expression;
    list->last = expression;
    list->count++;
}

void note_brace(struct parse *parse, char brace, uint32_t offset) {
    if (brace == '{') {
        VECTOR_RESERVE(parse->open_braces, parse->brace_count, parse->brace_capacity);
        parse->open_braces[parse->brace_count++] = offset;
    } else if (parse->brace_count) {
        parse->brace_count--;
    }
}

/* ---- one file ------------------------------------------------------------------------------- */

static void find_analysis_files(struct tool *tool, struct diagnostics *diagnostics) {
    uint32_t count = 0;
    for (const struct statement *at = tool->statements; at; at = at->next)
        count += at->kind == STATEMENT_ANALYSIS;
    struct analysis_file *files = arena_allocate(tool->arena, count * sizeof *files);
    tool->analysis = files;
    for (const struct statement *at = tool->statements; at; at = at->next) {
        if (at->kind != STATEMENT_ANALYSIS)
            continue;
        const char *path = path_beside(tool->arena, at->where.source->path, at->name.text);
        files[tool->analysis_count++] = (struct analysis_file){path, at->name.where, at};
        if (access(path, R_OK) != 0) {
            diagnose(diagnostics, &at->name.where, MESSAGE_NO_ANALYSIS_FILE, path, strerror(errno));
            diagnose_hint(
                diagnostics,
                "it is looked for in the folder of the page; atomc --stub prints one to start with");
        }
    }
    tool->named = tool->analysis;
    tool->named_count = tool->analysis_count;
}

static uint32_t used_file(struct tool *tool, const char *path, const struct source_span *where) {
    for (uint32_t i = 0; i < tool->use_count; i++)
        if (strcmp(tool->uses[i].path, path) == 0)
            return i;
    tool->uses[tool->use_count] = (struct used_file){.path = path, .where = *where};
    return tool->use_count++;
}

static void find_used_files(struct tool *tool, struct diagnostics *diagnostics) {
    uint32_t count = 0;
    for (const struct statement *at = tool->statements; at; at = at->next)
        count += at->kind == STATEMENT_USE;
    tool->uses = arena_allocate(tool->arena, count * sizeof *tool->uses);
    for (struct statement *at = tool->statements; at; at = at->next) {
        if (at->kind != STATEMENT_USE)
            continue;
        uint32_t known = tool->use_count;
        const char *path = path_beside(tool->arena, at->where.source->path, at->file.text);
        at->use = used_file(tool, path, &at->file.where);
        if (tool->use_count > known && access(path, R_OK) != 0)
            diagnose(diagnostics, &at->file.where, MESSAGE_NO_ANALYSIS_FILE, path, strerror(errno));
    }
}

void tool_use(struct tool *tool, uint32_t file, const struct prototypes *prototypes) {
    tool->uses[file].prototypes = prototypes;
}

/* The kind of a file that is not the text of a tool; NULL if it may be one. */
static const char *other_than_text(const struct source *source) {
    const unsigned char *text = (const unsigned char *)source->text;
    if (source->length >= 4 && memcmp(text, "\177ELF", 4) == 0)
        return "it is an ELF file, a program or a library";
    if (source->length >= 2 && ((text[0] == 0xff && text[1] == 0xfe) || (text[0] == 0xfe && text[1] == 0xff)))
        return "it is UTF-16: save it as UTF-8";
    if (source->length && memchr(text, 0, source->length))
        return "it contains NUL characters";
    return NULL;
}

struct statement *parse_file(const struct source *source, struct arena *arena,
                             struct diagnostics *diagnostics) {
    struct parse parse = {.source = source,
                          .arena = arena,
                          .diagnostics = diagnostics,
                          .errors_before = diagnostics_errors(diagnostics)};
    if (source->length >= INT32_MAX / 2) {
        diagnose(diagnostics, NULL, MESSAGE_FILE_TOO_LARGE, source->path);
        return NULL;
    }
    const char *other = other_than_text(source);
    if (other) {
        diagnose(diagnostics, NULL, MESSAGE_NOT_TEXT, source->path, other);
        return NULL;
    }
    atd_run(&parse);
    free(parse.open_braces);
    free(parse.misused);
    return parse.statements;
}

static struct tool *parse_source(const struct source *source, struct arena *arena, bool alone,
                                 struct diagnostics *diagnostics) {
    unsigned errors_before = diagnostics_errors(diagnostics);
    struct tool *tool = arena_allocate(arena, sizeof *tool);
    *tool = (struct tool){.source = source, .asked = source->path, .arena = arena};
    tool->statements = parse_file(source, arena, diagnostics);
    include_files(tool, diagnostics);
    tool->name = tool->description = "";
    for (const struct statement *at = tool->statements; at; at = at->next)
        if (at->kind == STATEMENT_TOOL) {
            tool->name = at->name.text;
            tool->description = at->description;
            break;
        }
    if (!alone)
        find_analysis_files(tool, diagnostics);
    find_used_files(tool, diagnostics);
    return diagnostics_errors(diagnostics) > errors_before ? NULL : tool;
}

static struct tool *parse_text(const char *path, const char *text, size_t length, bool alone,
                               struct arena *arena, struct diagnostics *diagnostics) {
    struct source *source = arena_allocate(arena, sizeof *source);
    source->path = arena_string(arena, path, strlen(path));
    source->text = arena_string(arena, text, length);
    source->length = length;
    return parse_source(source, arena, alone, diagnostics);
}

struct tool *tool_parse_text(const char *path, const char *text, size_t length, struct arena *arena,
                             struct diagnostics *diagnostics) {
    return parse_text(path, text, length, false, arena, diagnostics);
}

struct tool *tool_parse_page(const char *path, const char *text, size_t length, struct arena *arena,
                             struct diagnostics *diagnostics) {
    struct tool *tool = parse_text(path, text, length, false, arena, diagnostics);
    if (!tool)
        return NULL;
    tool->is_page = true;
    if (!*tool->name)
        tool->name = "page";
    return tool;
}

static struct tool *parse_path(const char *path, bool alone, struct arena *arena,
                               struct diagnostics *diagnostics) {
    size_t length;
    char *text = read_file(path, &length);
    if (!text) {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_READ, path, strerror(errno));
        return NULL;
    }
    struct tool *tool = parse_text(path, text, length, alone, arena, diagnostics);
    free(text);
    return tool;
}

struct tool *tool_parse(const char *path, struct arena *arena, struct diagnostics *diagnostics) {
    return parse_path(path, false, arena, diagnostics);
}

struct tool *tool_parse_alone(const char *path, struct arena *arena, struct diagnostics *diagnostics) {
    return parse_path(path, true, arena, diagnostics);
}

const struct analysis_file *tool_analysis_files(const struct tool *tool, uint32_t *count) {
    *count = tool->analysis_count;
    return tool->analysis;
}
