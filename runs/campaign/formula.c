/* formula.c: the formula of a table's values: columns' names, numbers, + - * / and parentheses. A name
   consists of one or several words, optionally followed by %, or of anything in double quotes. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs/campaign/table.h"

enum { DEEPEST = 200 };

struct parser {
    struct formula *formula;
    struct arena *arena;
    struct diagnostics *diagnostics;
    const char *at;
    uint32_t step_capacity, name_capacity, depth;
    bool failed;
};

static void skip_formula_blanks(struct parser *parser) {
    while (isspace((unsigned char)*parser->at))
        parser->at++;
}

static void fail_formula(struct parser *parser, const char *needed) {
    uint32_t at = (uint32_t)(parser->at - parser->formula->text);
    struct source_span where = {&parser->formula->source, at, at + 1};
    if (!parser->failed)
        diagnose(parser->diagnostics, &where, MESSAGE_CAMPAIGN_FORMULA, needed);
    parser->failed = true;
}

static void add_formula_step(struct parser *parser, enum step_kind kind, double number, uint32_t name) {
    struct formula *formula = parser->formula;
    ARENA_RESERVE(parser->arena, formula->steps, formula->step_count, parser->step_capacity);
    formula->steps[formula->step_count++] = (struct step){kind, number, name};
}

static void add_formula_name(struct parser *parser, const char *from, const char *begin, const char *end) {
    struct formula *formula = parser->formula;
    const char *name = arena_string(parser->arena, begin, (size_t)(end - begin));
    uint32_t i = 0;
    while (i < formula->name_count && strcmp(formula->names[i], name) != 0)
        i++;
    if (i == formula->name_count) {
        uint32_t capacity = parser->name_capacity;
        ARENA_RESERVE(parser->arena, formula->names, formula->name_count, capacity);
        ARENA_RESERVE(parser->arena, formula->places, formula->name_count, parser->name_capacity);
        formula->names[i] = name;
        formula->places[i] = (struct source_span){&formula->source, (uint32_t)(from - formula->text),
                                                  (uint32_t)(parser->at - formula->text)};
        formula->name_count++;
    }
    add_formula_step(parser, STEP_NAME, 0, i);
}

static bool is_word_byte(char byte) {
    return isalnum((unsigned char)byte) || byte == '_' || (unsigned char)byte >= 128;
}

static void parse_formula_name(struct parser *parser) {
    const char *begin = parser->at;
    if (*begin == '"') {
        const char *end = strchr(begin + 1, '"');
        if (!end || end == begin + 1) {
            fail_formula(parser, "a name in double quotes is needed here");
            return;
        }
        parser->at = end + 1;
        add_formula_name(parser, begin, begin + 1, end);
        return;
    }
    const char *end = begin;
    for (const char *at = begin; is_word_byte(*at);) { /* words with a blank between them */
        while (is_word_byte(*at))
            at++;
        end = at;
        at += *at == ' ';
        if (*at == '%' && at > end) /* which is no operator: "Misses %" */
            end = at + 1;
    }
    parser->at = end;
    add_formula_name(parser, begin, begin, end);
}

static void parse_sum(struct parser *parser);

static void parse_factor(struct parser *parser) {
    skip_formula_blanks(parser);
    if (++parser->depth > DEEPEST) {
        fail_formula(parser, "this is nested too deeply");
    } else if (*parser->at == '-') {
        parser->at++;
        parse_factor(parser);
        add_formula_step(parser, STEP_NEGATE, 0, 0);
    } else if (*parser->at == '(') {
        parser->at++;
        parse_sum(parser);
        skip_formula_blanks(parser);
        if (*parser->at == ')')
            parser->at++;
        else
            fail_formula(parser, "')' is needed here");
    } else if (isdigit((unsigned char)*parser->at) || *parser->at == '.') {
        char *end;
        double number = strtod(parser->at, &end);
        if (end == parser->at || is_word_byte(*end))
            fail_formula(parser, "a number is needed here");
        parser->at = end;
        add_formula_step(parser, STEP_NUMBER, number, 0);
    } else if (is_word_byte(*parser->at) || *parser->at == '"') {
        parse_formula_name(parser);
    } else {
        fail_formula(parser, "a column, a number or '(' is needed here");
    }
    parser->depth--;
}

static void parse_product(struct parser *parser) {
    parse_factor(parser);
    for (skip_formula_blanks(parser); !parser->failed && (*parser->at == '*' || *parser->at == '/');
         skip_formula_blanks(parser)) {
        enum step_kind kind = *parser->at++ == '*' ? STEP_MULTIPLY : STEP_DIVIDE;
        parse_factor(parser);
        add_formula_step(parser, kind, 0, 0);
    }
}

static void parse_sum(struct parser *parser) {
    parse_product(parser);
    for (skip_formula_blanks(parser); !parser->failed && (*parser->at == '+' || *parser->at == '-');
         skip_formula_blanks(parser)) {
        enum step_kind kind = *parser->at++ == '+' ? STEP_ADD : STEP_SUBTRACT;
        parse_product(parser);
        add_formula_step(parser, kind, 0, 0);
    }
}

bool formula_parse(struct formula *formula, const char *text, struct arena *arena,
                   struct diagnostics *diagnostics) {
    *formula = (struct formula){.text = text, .source = {"--value", text, strlen(text)}};
    struct parser parser = {.formula = formula, .arena = arena, .diagnostics = diagnostics, .at = text};
    parse_sum(&parser);
    skip_formula_blanks(&parser);
    if (*parser.at && !parser.failed)
        fail_formula(&parser, "an operator is needed here: + - * /");
    return !parser.failed;
}

double formula_value(const struct formula *formula, const double *values) {
    double *stack = allocate((formula->step_count + 1) * sizeof *stack);
    uint32_t top = 0;
    for (uint32_t i = 0; i < formula->step_count; i++) {
        const struct step *step = &formula->steps[i];
        if (step->kind == STEP_NUMBER || step->kind == STEP_NAME) {
            stack[top++] = step->kind == STEP_NUMBER ? step->number : values[step->name];
            continue;
        }
        double *left = &stack[top - 2], right = stack[top - 1];
        switch (step->kind) {
        case STEP_NEGATE:
            stack[top - 1] = -right;
            continue;
        case STEP_ADD:
            *left += right;
            break;
        case STEP_SUBTRACT:
            *left -= right;
            break;
        case STEP_MULTIPLY:
            *left *= right;
            break;
        default:
            *left = right != 0 ? *left / right : NAN;
        }
        top--;
    }
    double value = stack[0];
    free(stack);
    return isfinite(value) ? value : NAN;
}
