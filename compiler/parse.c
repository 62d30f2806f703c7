/* parse.c: runs the parser over one .atd file, builds its tree, and words the syntax errors.
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

/* An action whose place is known; what it does comes later. */
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
static void deepen(struct parse *parse, struct expression *expression, const struct expression *below) {
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
    deepen(parse, expression, operand);
    return expression;
}

struct expression *with_arguments(struct parse *parse, struct expression *expression,
                                  struct expression_list arguments) {
    expression->arguments = arguments.first;
    expression->argument_count = arguments.count;
    for (const struct expression *argument = arguments.first; argument; argument = argument->next)
        deepen(parse, expression, argument);
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
            deepen(parse, expression, operands[i]);
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

/* The counter's name and cell come later. The operator is kept without the blanks in it: "max=". */
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
void report_bare_calls(struct parse *parse, const struct statement *action) {
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
        } else if (strcmp(action->place.text, "call") == 0) {
            diagnose(parse->diagnostics, &action->place.where, MESSAGE_PLACE_MISSING,
                     arena_string(parse->arena, action->keyword.source->text + action->keyword.begin,
                                  action->keyword.end - action->keyword.begin));
            diagnose_hint(parse->diagnostics, "name the program, or the variable of an enclosing loop");
        } else {
            diagnose(parse->diagnostics, &effect->name.where, MESSAGE_CALL_MISSING, effect->name.text);
            diagnose_hint(parse->diagnostics, "did you mean: call %s(...)?", effect->name.text);
        }
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

/* ---- wording syntax errors ------------------------------------------------------------------ */

/* The text of a token for a message, shortened if it is long. */
static const char *token_text(struct parse *parse, struct text_range range) {
    enum { SHOWN = 40 };
    uint32_t length = range.end - range.begin;
    if (length <= SHOWN)
        return parse_name(parse, range).text;
    const char *text = parse->source->text + range.begin;
    length = SHOWN - 3;
    while (length && ((unsigned char)text[length] & 0xc0) == 0x80)
        length--;
    return arena_format(parse->arena, "%.*s...", (int)length, text);
}

static bool on_later_line(const struct parse *parse) {
    const char *text = parse->source->text;
    return memchr(text + parse->previous.end, '\n', parse->current.begin - parse->previous.end) != NULL;
}

/* Words that may be names too go without saying where a name can stand. */
static bool is_listed(const struct expected_token *expected, bool any_name) {
    return expected->role == EXPECTED_OTHER || (expected->role == EXPECTED_PLAIN_WORD && !any_name);
}

static bool is_expected(const struct expected_token *expected, size_t count, const char *text) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(expected[i].text, text) == 0)
            return true;
    return false;
}

/* "an expression", "'{' or 'where'", ...; NULL if that would say nothing useful. */
static const char *describe_expected(struct parse *parse, const struct expected_token *expected, size_t count,
                                     bool *statement_start) {
    bool operand = false, any_name = false, any_word = false;
    *statement_start = false;
    for (size_t i = 0; i < count; i++) {
        operand |= expected[i].role == EXPECTED_OPERAND;
        *statement_start |= expected[i].role == EXPECTED_STATEMENT;
        any_name |= strcmp(expected[i].text, "a name") == 0;
        any_word |= strcmp(expected[i].text, "'where'") == 0;
    }
    if (any_name && any_word) { /* every word will do: after a dot, for instance */
        *statement_start = false;
        return "a name";
    }
    if (is_expected(expected, count, "'+='"))
        return "an update";
    if (is_expected(expected, count, "'call'") && is_expected(expected, count, "'turn'")) {
        *statement_start = false; /* `set` is an action too */
        return "an action";
    }
    if (any_name && !operand && is_expected(expected, count, "'('"))
        return "a set";
    if (is_expected(expected, count, "'sorted'") && is_expected(expected, count, "a string"))
        return "a column";
    if (*statement_start)
        return NULL;
    if (operand)
        return "an expression";
    const char *list = NULL;
    size_t listed = 0, total = 0;
    for (size_t i = 0; i < count; i++)
        total += is_listed(&expected[i], any_name) && strcmp(expected[i].text, "'not'") != 0 &&
                 strcmp(expected[i].text, "'in'") != 0;
    bool lone_in = total == 0;
    size_t plain = 0;
    for (size_t i = 0; i < count; i++)
        plain += expected[i].role == EXPECTED_PLAIN_WORD;
    for (size_t i = 0; i < count; i++) {
        bool infix = strcmp(expected[i].text, "'not'") == 0 || strcmp(expected[i].text, "'in'") == 0;
        if (any_word && strcmp(expected[i].text, "'['") == 0)
            continue; /* of a histogram's cell: what is wanted behind the name of a set is more likely */
        bool of_attribute = strcmp(expected[i].text, "'('") == 0 && is_expected(expected, count, "'+'");
        if (!is_listed(&expected[i], any_name) || (infix && !lone_in && count - plain > 4) || of_attribute)
            continue;
        if (++listed > 4)
            return NULL;
        list = list ? arena_format(parse->arena, "%s or %s", list, expected[i].text) : expected[i].text;
    }
    return list;
}

/* The word of the language that the user may have meant by the token at `range`. */
static const char *nearest_expected(struct parse *parse, struct text_range range,
                                    const struct expected_token *expected, size_t count) {
    const char **words = allocate((count + 1) * sizeof *words);
    size_t word_count = 0;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(expected[i].text);
        if (length > 4 && expected[i].text[0] == '\'')
            words[word_count++] = arena_string(parse->arena, expected[i].text + 1, length - 2);
    }
    const char *text = parse_name(parse, range).text, *nearest = nearest_name(text, words, word_count);
    for (size_t i = 0; i < word_count && !nearest && strlen(text) >= 3; i++) /* desc */
        if (strncmp(words[i], text, strlen(text)) == 0)
            nearest = words[i];
    free(words);
    return nearest;
}

static bool is_comparison(const char *text) {
    static const char *const words[] = {"==", "!=", "<", "<=", ">", ">=", "like", "in"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

static bool is_word(const char *text) {
    return isalpha((unsigned char)text[0]) || text[0] == '_';
}

/* Is the token before the name that this word declares, as in `counter n`? */
static bool declares(const struct parse *parse, const char *word) {
    const char *text = parse->source->text;
    size_t end = parse->previous.begin, length = strlen(word);
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\t'))
        end--;
    return end >= length && strncmp(text + end - length, word, length) == 0;
}

static bool is_one_of(const char *text, const char *first, const char *second, const char *third) {
    return strcmp(text, first) == 0 || strcmp(text, second) == 0 || strcmp(text, third) == 0;
}

/* A word with which a page of another tool begins. */
static bool is_of_another_tool(const char *text) {
    static const char *const words[] = {
        "kprobe", "kretprobe",  "uprobe",     "uretprobe",     "tracepoint",  "usdt",    "probe",  "BEGIN",
        "END",    "interval",   "profile",    "global",        "function",    "syscall", "dtrace", "void",
        "VOID",   "static",     "struct",     "class",         "def",         "import",  "fn",     "using",
        "from",   "instrument", "Instrument", "InstrumentAll", "AddCallProto"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

/* Is what begins here a function of C: `int main(`? */
static bool begins_function(const struct parse *parse) {
    const char *at = parse->source->text + parse->current.end;
    at += strspn(at, " \t*");
    size_t name = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    at += name;
    return name && at[strspn(at, " \t")] == '(';
}

/* Whether a report's columns stand before the token: its statement began with that word, and is not over. */
static bool follows_columns(const struct parse *parse) {
    const char *text = parse->source->text, *report = NULL, *set = NULL;
    for (const char *at = text; at < text + parse->current.begin; at++) {
        if (strncmp(at, "report ", 7) == 0)
            report = at;
        if (strncmp(at, "set ", 4) == 0)
            set = at;
    }
    return report && (!set || set < report) && parse->brace_count == 0;
}

/* The hint for a token that can't stand where it stands; reports nothing by itself. */
static void hint_at_token(struct parse *parse, const char *text, const struct expected_token *expected,
                          size_t count, bool statement_start) {
    bool in_expression = is_expected(expected, count, "'+'");
    const char *before = parse_name(parse, parse->previous).text;
    const char *nearest = nearest_expected(parse, parse->current, expected, count);
    if (strcmp(text, "{") == 0 && is_expected(expected, count, "'turn'"))
        diagnose_hint(parse->diagnostics,
                      "actions at one place are separated by commas, without braces: before p n++, m++");
    else if (strcmp(text, "(") == 0 && strcmp(before, "for") == 0)
        diagnose_hint(parse->diagnostics, "without parentheses: for p in procs { ... }");
    else if ((statement_start && is_one_of(text, "foreach", "forall", "while")) ||
             (strcmp(text, ":") == 0 && is_expected(expected, count, "'in'")))
        diagnose_hint(parse->diagnostics, "a loop is over places: for p in procs { ... }");
    else if (strcmp(text, "=") == 0 && declares(parse, "counter"))
        diagnose_hint(parse->diagnostics, "a counter begins at 0; before program n = 3 sets it");
    else if (strcmp(text, "=") == 0 && declares(parse, "param"))
        diagnose_hint(parse->diagnostics, "a parameter has a type and a name: param int size = 3");
    else if (strcmp(text, "where") == 0 && statement_start && follows_columns(parse))
        diagnose_hint(parse->diagnostics, "'where' stands before the columns: report \"-\" for p in procs "
                                          "where p.size > 100 \"Name\" p.name");
    else if (strcmp(text, "where") == 0 && statement_start)
        diagnose_hint(parse->diagnostics, "a member has a name: set s = p in procs where p.size > 100");
    else if (text[0] == '\'')
        diagnose_hint(parse->diagnostics, "a text is in double quotes: \"...\"");
    else if (text[0] == '"' && strcmp(before, "tool") == 0)
        diagnose_hint(parse->diagnostics,
                      "a tool has a name, then its description: tool calls \"how often ...\"");
    else if (text[0] == '"' && is_one_of(before, "before", "after", "on"))
        diagnose_hint(parse->diagnostics, "for p in procs where p.name == %s { %s p ... }", text, before);
    else if (text[0] == '"' && !is_expected(expected, count, "a string"))
        diagnose_hint(parse->diagnostics, "columns are separated by commas");
    else if (strcmp(text, ":") == 0 && before[0] == '"')
        diagnose_hint(parse->diagnostics, "no sign stands between a title and its value: \"Calls\" calls[p]");
    else if (strcmp(text, "for") == 0 && strcmp(before, "report") == 0)
        diagnose_hint(parse->diagnostics,
                      "the file comes first; \"-\" is standard output: report \"-\" for p in procs ...");
    else if (is_word(text) && before[0] == '"' && parse->brace_count && statement_start)
        diagnose_hint(parse->diagnostics, "values are separated by commas, also from the format");
    else if (statement_start && (!in_expression || on_later_line(parse)) &&
             is_one_of(text, "int", "long", "void") && begins_function(parse))
        diagnose_hint(parse->diagnostics,
                      "C is in a file of its own, which the page names: analysis \"file.c\"");
    else if (statement_start && !in_expression && is_one_of(text, "int", "long", "var"))
        diagnose_hint(parse->diagnostics, "variables are counters: counter n");
    else if (strcmp(text, "else") == 0)
        diagnose_hint(parse->diagnostics,
                      "there is no 'else': write another action, with the opposite condition");
    else if (strcmp(text, "when") == 0)
        diagnose_hint(parse->diagnostics, "a condition comes before the action: before v when COND call F()");
    else if (strcmp(text, "=") == 0 && in_expression)
        diagnose_hint(parse->diagnostics, "equality is written '=='");
    else if (in_expression && is_comparison(text))
        diagnose_hint(parse->diagnostics, "comparisons do not chain: write 'a < b and b < c'");
    else if (nearest)
        diagnose_hint(parse->diagnostics, "did you mean '%s'?", nearest);
    else if (is_expected(expected, count, "'|'") && !in_expression && strchr("+*/^", text[0]))
        diagnose_hint(parse->diagnostics, "sets are combined by | (either), & (both) and - (without)");
    else if (is_expected(expected, count, "'+='"))
        diagnose_hint(parse->diagnostics, "a counter is updated by ++ -- += -= max= min= or =");
    else if (statement_start && (!in_expression || on_later_line(parse)) && is_of_another_tool(text))
        diagnose_hint(parse->diagnostics,
                      "a page says where and what: for p in procs where p.name == \"main\" { before p n++ }; "
                      "docs/coming-from.md has the words of other tools");
    else if (strcmp(before, "{") == 0 && statement_start && !in_expression && is_word(text))
        diagnose_hint(parse->diagnostics, "an action says when and where: before p n++");
    else if (statement_start && !in_expression && parse->brace_count && is_word(text))
        diagnose_hint(
            parse->diagnostics,
            "actions at one place are separated by commas; those at another begin with before or after");
    else if (is_expected(expected, count, "'sorted'") && is_expected(expected, count, "a string"))
        diagnose_hint(parse->diagnostics, "a column is a title and a value: \"Calls\" calls[p]");
    else if (statement_start && !in_expression)
        diagnose_hint(parse->diagnostics,
                      "statements begin with tool, analysis, include, use, param, set, "
                      "counter, histogram, switch, array, for, before, after, on, every, replace or report");
}

void note_misuse(struct parse *parse, const char *word) {
    VECTOR_RESERVE(parse->misused, parse->misused_count, parse->misused_capacity);
    parse->misused[parse->misused_count++] = word;
}

static bool is_among(const char *word, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* A word that was used as what it is not is reported once. */
static bool follows_misuse(struct parse *parse) {
    return is_among(parse_name(parse, parse->current).text, parse->misused, parse->misused_count) ||
           is_among(parse_name(parse, parse->previous).text, parse->misused, parse->misused_count);
}

/* `counter set`, where a name is declared; where one is used, or in `for in procs`, it was forgotten. */
static bool is_meant_as_name(struct parse *parse, const char *text) {
    static const char *const uses[] = {"on", "entry", "back", "exit", "replace", "with", "turn", "call"};
    const char *before = parse_name(parse, parse->previous).text;
    return is_word(text) && !is_among(before, uses, sizeof uses / sizeof uses[0]) &&
           !(strcmp(text, "in") == 0 && strcmp(before, "for") == 0);
}

static void report_reserved_word(struct parse *parse, const char *text) {
    struct source_span span = parse_span(parse, parse->current);
    diagnose(parse->diagnostics, &span, MESSAGE_RESERVED_WORD, text);
    diagnose_hint(parse->diagnostics, "a longer name will do, such as 'my_%s'", text);
    note_misuse(parse, text);
}

void report_syntax_error(struct parse *parse, bool at_end, const struct expected_token *expected,
                         size_t count) {
    struct source_span span = parse_span(parse, parse->current);
    if (parse->gave_up || (parse->open_literal && parse->open_literal == parse->previous.end) ||
        follows_misuse(parse))
        return; /* nothing that the user does not know already */
    if (at_end && parse->brace_count) {
        uint32_t brace = parse->open_braces[parse->brace_count - 1];
        span = parse_span(parse, (struct text_range){brace, brace + 1});
        diagnose(parse->diagnostics, &span, MESSAGE_OPEN_BRACE);
        return;
    }
    bool statement_start;
    const char *wanted = describe_expected(parse, expected, count, &statement_start);
    if (wanted && (at_end || on_later_line(parse))) { /* better shown where it is missing */
        struct text_range gap = {parse->previous.end, parse->previous.end};
        span = parse_span(parse, gap);
        diagnose(parse->diagnostics, &span, MESSAGE_EXPECTED_AFTER, wanted,
                 token_text(parse, parse->previous));
        return;
    }
    const char *text = at_end ? "end of file" : token_text(parse, parse->current);
    if (wanted && strcmp(wanted, "a name") == 0 && is_meant_as_name(parse, text)) {
        report_reserved_word(parse, text);
        return;
    }
    if (wanted)
        diagnose(parse->diagnostics, &span, MESSAGE_UNEXPECTED_WANTED, text, wanted);
    else
        diagnose(parse->diagnostics, &span, MESSAGE_UNEXPECTED, text);
    hint_at_token(parse, text, expected, count, statement_start);
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

/* What a file is that is no text of a tool; NULL: it may be one. */
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
