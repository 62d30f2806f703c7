/* syntax_errors.c: the text of syntax errors: the expected words, and a hint about the probable meaning.
   Requires the tokens that the parser expected at its current token (grammar/atd.y). */
#include "compiler/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_among(const char *word, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

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

/* Words that begin a statement. */
static const char *const statement_words[] = {"'tool'",
                                              "'analysis'",
                                              "'set'",
                                              "'before'",
                                              "'after'",
                                              "'on'",
                                              "'counter'",
                                              "'thread counter'",
                                              "'thread histogram'",
                                              "'report'",
                                              "'param'",
                                              "'include'",
                                              "'switch'",
                                              "'use'",
                                              "'histogram'",
                                              "'array'",
                                              "'replace'"};
/* Keywords that can also be names. */
static const char *const plain_words[] = {
    "'entry'",   "'back'",  "'exit'",  "'delete'", "'clear'", "'unwind'",  "'detach'", "'top'",
    "'total'",   "'check'", "'from'",  "'every'",  "'log2'",  "'with'",    "'linear'", "'weight'",
    "'changes'", "'to'",    "'limit'", "'per'",    "'unit'",  "'display'", "'against'"};
static const char *const other_signs[] = {"'..'", "'++'", "'+='", "'-='"};
static const char *const operator_texts[] = {
#define OPERATOR(id, word, level, operands, kind, limit, value) "'" word "'",
#include "plan/operators.def"
#undef OPERATOR
};
#define IS_AMONG(text, words) is_among(text, words, sizeof(words) / sizeof((words)[0]))

struct expected_token new_expected_token(const char *text) {
    bool is_sign = text[0] == '\'' && ispunct((unsigned char)text[1]) && !strchr("(),:;=[]{}", text[1]);
    struct expected_token token = {.text = text, .role = EXPECTED_OTHER};
    if (IS_AMONG(text, statement_words))
        token.role = EXPECTED_STATEMENT;
    else if (IS_AMONG(text, plain_words))
        token.role = EXPECTED_PLAIN_WORD;
    else if (strcmp(text, "a number") == 0) /* tokens that can only begin an operand */
        token.role = EXPECTED_OPERAND;
    else if (IS_AMONG(text, operator_texts) || (is_sign && !IS_AMONG(text, other_signs)))
        token.role = EXPECTED_OPERATOR;
    return token;
}

/* Keywords that can also be names are not listed where a name is possible. */
static bool is_expected_word(const struct expected_token *expected, bool any_name) {
    return expected->role == EXPECTED_OTHER || (expected->role == EXPECTED_PLAIN_WORD && !any_name);
}

static bool is_expected(const struct expected_token *expected, size_t count, const char *text) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(expected[i].text, text) == 0)
            return true;
    return false;
}

/* "an expression", "'{' or 'where'", ...; NULL if the list would not help. */
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
    if (is_expected(expected, count, "'+='") && any_name && !is_expected(expected, count, "'('"))
        return "a counter";                   /* after delete, clear */
    if (is_expected(expected, count, "'+='")) /* a counter may be called exit */
        return is_expected(expected, count, "a number") ? "a status" : "an update";
    if (is_expected(expected, count, "'call'") && is_expected(expected, count, "'turn'")) {
        *statement_start = false; /* `set` is also an action */
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
        total += is_expected_word(&expected[i], any_name) && strcmp(expected[i].text, "'not'") != 0 &&
                 strcmp(expected[i].text, "'in'") != 0;
    bool lone_in = total == 0;
    size_t plain = 0;
    for (size_t i = 0; i < count; i++)
        plain += expected[i].role == EXPECTED_PLAIN_WORD;
    for (size_t i = 0; i < count; i++) {
        bool infix = strcmp(expected[i].text, "'not'") == 0 || strcmp(expected[i].text, "'in'") == 0;
        if (any_word && strcmp(expected[i].text, "'['") == 0)
            /* cell of a histogram: the word after the name of a set was probably expected */
            continue;
        bool of_attribute = (strcmp(expected[i].text, "'('") == 0 || strcmp(expected[i].text, "'['") == 0) &&
                            is_expected(expected, count, "'+'");
        if (!is_expected_word(&expected[i], any_name) || (infix && !lone_in && count - plain > 4) ||
            of_attribute)
            continue;
        if (++listed > 4)
            return NULL;
        list = list ? arena_format(parse->arena, "%s or %s", list, expected[i].text) : expected[i].text;
    }
    return list;
}

/* The word of the language that the token at `range` may be a misspelling of. */
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
    return is_among(text, words, sizeof words / sizeof words[0]);
}

static bool is_keyword(const char *text) {
    return isalpha((unsigned char)text[0]) || text[0] == '_';
}

static size_t before_blanks(const struct parse *parse, size_t end) {
    const char *text = parse->source->text;
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\t'))
        end--;
    return end;
}

static bool ends_with_word(const struct parse *parse, size_t end, const char *word) {
    size_t length = strlen(word);
    end = before_blanks(parse, end);
    return end >= length && strncmp(parse->source->text + end - length, word, length) == 0;
}

/* True if this word declares the name in the token before, as in `counter n`. */
static bool is_declared_by(const struct parse *parse, const char *word) {
    return ends_with_word(parse, parse->previous.begin, word);
}

/* `switch s on`: the next statement could begin with `on`. */
static bool follows_switch_on(const struct parse *parse) {
    const char *text = parse->source->text;
    size_t end = before_blanks(parse, parse->previous.begin);
    while (end > 0 && (isalnum((unsigned char)text[end - 1]) || text[end - 1] == '_'))
        end--;
    return parse->previous.end - parse->previous.begin == 2 &&
           strncmp(text + parse->previous.begin, "on", 2) == 0 && ends_with_word(parse, end, "switch");
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
    return is_among(text, words, sizeof words / sizeof words[0]);
}

/* True if a C function begins here: `int main(`. */
static bool begins_function(const struct parse *parse) {
    const char *at = parse->source->text + parse->current.end;
    at += strspn(at, " \t*");
    size_t name = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    at += name;
    return name && at[strspn(at, " \t")] == '(';
}

/* True if a report's columns precede the token: its statement began with that word, and has not ended. */
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

/* The hint for an unexpected token; reports nothing itself. */
static void hint_at_token(struct parse *parse, const char *text, const struct expected_token *expected,
                          size_t count, bool statement_start) {
    bool in_expression = is_expected(expected, count, "'+'");
    const char *before = parse_name(parse, parse->previous).text;
    const char *nearest = nearest_expected(parse, parse->current, expected, count);
    bool operand = false;
    for (size_t i = 0; i < count; i++)
        operand |= expected[i].role == EXPECTED_OPERAND;
    if (strcmp(text, "report") == 0 && is_declared_by(parse, "every"))
        diagnose_hint(parse->diagnostics, "every 1 s report ..., every 1000 of COUNTER report ...");
    else if (is_expected(expected, count, "'{'") && is_expected(expected, count, "'where'") &&
             is_one_of(text, "before", "after", "on"))
        diagnose_hint(parse->diagnostics, "what a loop does is in braces: for p in procs { before p n++ }");
    else if (is_expected(expected, count, "'{'") && is_expected(expected, count, "'where'") &&
             is_one_of(text, "when", "if", "with"))
        diagnose_hint(parse->diagnostics,
                      "the condition of a loop is 'where': for p in procs where not p.is_leaf");
    else if (strcmp(text, "=") == 0 && parse->source->text[parse->current.end] == '~')
        diagnose_hint(parse->diagnostics,
                      "a regular expression is matched by ~, a pattern with * and ? by like: "
                      "p.name ~ \"^ma\", p.name like \"ma*\"");
    else if (is_one_of(text, "++", "--", "+=") && is_expected(expected, count, "'turn'"))
        diagnose_hint(parse->diagnostics, "%s is written after the counter: n%s%s%s", text,
                      text[1] == '=' ? " " : "", text, text[1] == '=' ? " 1" : "");
    else if (strcmp(text, "*") == 0 && (operand || is_expected(expected, count, "'turn'")))
        diagnose_hint(parse->diagnostics,
                      "what is at an address is $memory(address, size), as $memory($arg(0), 8), "
                      "or $string(address)");
    else if (strcmp(text, "limit") == 0 && is_expected(expected, count, "'sorted'"))
        diagnose_hint(parse->diagnostics, "the first rows, in the order of the report: top 5");
    else if (strcmp(text, "(") == 0 && strcmp(before, "print") == 0)
        diagnose_hint(parse->diagnostics, "without parentheses: print \"%%d\\n\", n");
    else if (statement_start && !parse->brace_count && (!in_expression || on_later_line(parse)) &&
             is_one_of(text, "print", "printf", "echo"))
        diagnose_hint(parse->diagnostics, "a page prints at a place, as after program print \"%%d\\n\", $n; "
                                          "a table at the end is a report: report \"-\" \"Calls\" n");
    else if (is_declared_by(parse, "signal") && (is_keyword(before) || before[0] == '"'))
        diagnose_hint(parse->diagnostics, "on a signal, reports are written: on signal \"USR1\" report ...");
    else if (strcmp(text, "{") == 0 && is_expected(expected, count, "'turn'"))
        diagnose_hint(parse->diagnostics,
                      "actions at one place are separated by commas, without braces: before p n++, m++");
    else if (strcmp(text, "(") == 0 && strcmp(before, "for") == 0)
        diagnose_hint(parse->diagnostics, "without parentheses: for p in procs { ... }");
    else if ((statement_start && is_one_of(text, "foreach", "forall", "while")) ||
             (strcmp(text, ":") == 0 && is_expected(expected, count, "'in'")))
        diagnose_hint(parse->diagnostics, "a loop is over places: for p in procs { ... }");
    else if (strcmp(text, "end of file") == 0 && is_one_of(before, "s", "ms", "of"))
        diagnose_hint(parse->diagnostics, "'every' stands before the report: every 1 s report ...");
    else if (strcmp(text, "[") == 0 && strcmp(before, "log2") == 0)
        diagnose_hint(parse->diagnostics, "the cells come first: histogram h[procs] %s", before);
    else if (strcmp(text, "off") == 0 && is_declared_by(parse, "switch"))
        diagnose_hint(parse->diagnostics, "a switch is off at first");
    else if (statement_start && is_one_of(text, "entry", "back", "exit"))
        diagnose_hint(parse->diagnostics, "at a procedure or a loop: on %s p n++", text);
    else if (text[0] == '"' && strcmp(before, "with") == 0)
        diagnose_hint(parse->diagnostics, "a routine's name stands without quotes");
    else if (strcmp(text, "to") == 0 && before[0] == '"')
        diagnose_hint(parse->diagnostics, "the file comes first: print to \"file\" \"format\", values");
    else if (strcmp(text, "=") == 0 && is_declared_by(parse, "counter"))
        diagnose_hint(parse->diagnostics, "a counter begins at 0; before program n += 3 adds to it");
    else if (strcmp(text, "=") == 0 && is_declared_by(parse, "param"))
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
    else if (is_keyword(text) && before[0] == '"' && parse->brace_count && statement_start &&
             strcmp(text, "when") != 0)
        diagnose_hint(parse->diagnostics, "values are separated by commas, also from the format");
    else if (statement_start && (!in_expression || on_later_line(parse)) &&
             is_one_of(text, "int", "long", "void") && begins_function(parse))
        diagnose_hint(parse->diagnostics,
                      "C is in a file of its own, which the page names: analysis \"file.c\"");
    else if (statement_start && !in_expression && is_one_of(text, "int", "long", "var"))
        diagnose_hint(parse->diagnostics, "variables are counters: counter n");
    else if (strcmp(text, "else") == 0)
        diagnose_hint(parse->diagnostics,
                      "it stands after the actions of a 'when': before b when $taken n++ else m++");
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
    else if (strcmp(before, "{") == 0 && statement_start && !in_expression && is_keyword(text))
        diagnose_hint(parse->diagnostics, "an action says when and where: before p n++");
    else if (statement_start && !in_expression && parse->brace_count && is_keyword(text))
        diagnose_hint(
            parse->diagnostics,
            "actions at one place are separated by commas; those at another begin with before or after");
    else if (is_expected(expected, count, "'sorted'") && is_expected(expected, count, "a string"))
        diagnose_hint(parse->diagnostics, "a column is a title and a value: \"Calls\" calls[p]");
    else if (statement_start && !in_expression)
        diagnose_hint(
            parse->diagnostics,
            "statements begin with tool, analysis, include, use, param, set, "
            "counter, histogram, switch, array, for, before, after, on, every, replace, report or needs");
}

void note_misuse(struct parse *parse, const char *word) {
    VECTOR_RESERVE(parse->misused, parse->misused_count, parse->misused_capacity);
    parse->misused[parse->misused_count++] = word;
}

/* Each misused word is reported once. */
static bool follows_misuse(struct parse *parse) {
    return is_among(parse_name(parse, parse->current).text, parse->misused, parse->misused_count) ||
           is_among(parse_name(parse, parse->previous).text, parse->misused, parse->misused_count);
}

/* `counter set` declares a name that is a keyword; where a name is used, or in `for in procs`, it was
   forgotten. */
static bool is_meant_as_name(struct parse *parse, const char *text) {
    static const char *const uses[] = {"on", "entry", "back", "exit", "replace", "with", "turn"};
    const char *before = parse_name(parse, parse->previous).text;
    if (strcmp(before, "call") == 0)
        return is_keyword(text) && parse->source->text[parse->current.end] == '(';
    return is_keyword(text) && !is_among(before, uses, sizeof uses / sizeof uses[0]) &&
           !(strcmp(text, "in") == 0 && strcmp(before, "for") == 0) &&
           !(strcmp(text, "report") == 0 && is_declared_by(parse, "every"));
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
        return; /* the message would repeat an earlier one */
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
        if (follows_switch_on(parse))
            diagnose_hint(parse->diagnostics, "a switch is off at first, or on: switch s = on");
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

/* For `turn on s`; the checker reports the same for `turn off s`, where `off` is a name. */
void diagnose_turn_order(struct parse *parse, struct name state, struct name name) {
    diagnose(parse->diagnostics, &state.where, MESSAGE_UNEXPECTED_WANTED, state.text, "a switch's name");
    diagnose_hint(parse->diagnostics, "the state comes last: turn %s %s", name.text, state.text);
}

const char print_hint[] = "a page prints with: before p print \"%s\\n\", p.name";

bool prints_text(const char *name) {
    static const char *const words[] = {"printf", "fprintf", "puts", "print", "write", "cout"};
    return is_among(name, words, sizeof words / sizeof words[0]);
}
