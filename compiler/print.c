/* print.c: the action `print`: its format beside its values. Requires nothing. */
#include "compiler/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- formats -------------------------------------------------------------------------------- */

static uint64_t flag_of(char sign) {
    return sign == '-'   ? COMMAND_FLAG_LEFT
           : sign == '0' ? COMMAND_FLAG_ZERO
           : sign == '+' ? COMMAND_FLAG_PLUS
           : sign == ' ' ? COMMAND_FLAG_BLANK
           : sign == '#' ? COMMAND_FLAG_FORM
                         : 0;
}

/* A number of at most four digits; or '*': sets `flag`. */
static const char *read_width(const char *at, int64_t *width, uint64_t *flags, uint64_t flag) {
    *width = 0;
    if (*at == '*') {
        *flags |= flag;
        return at + 1;
    }
    while (isdigit((unsigned char)*at) && *width <= COMMAND_MOST_WIDTH)
        *width = 10 * *width + *at++ - '0';
    return at;
}

/* Reads the conversion that begins with the '%' at `at`; returns its end, or NULL if it is invalid. C's
   length modifiers are ignored: integers have 64 bits. */
static const char *read_conversion(const char *at, struct command_piece *piece) {
    *piece = (struct command_piece){.precision = -1};
    for (at++; *at && flag_of(*at); at++)
        piece->flags |= flag_of(*at);
    at = read_width(at, &piece->width, &piece->flags, COMMAND_FLAG_WIDTH);
    if (*at == '.')
        at = read_width(at + 1, &piece->precision, &piece->flags, COMMAND_FLAG_PRECISION);
    at += strspn(at, "hljzt");
    if (!*at || !strchr("diuxXocspfFeEgG%", *at) || piece->width > COMMAND_MOST_WIDTH ||
        piece->precision > COMMAND_MOST_WIDTH)
        return NULL;
    if (*at == '%' && piece->flags & (COMMAND_FLAG_WIDTH | COMMAND_FLAG_PRECISION))
        return NULL;
    piece->conversion = (unsigned char)(*at == 'i' ? 'd' : *at);
    return at + 1;
}

uint32_t format_pieces(const char *format, struct command_piece *pieces) {
    uint32_t count = 0;
    struct command_piece none = {0}, *piece = pieces ? pieces : &none;
    for (const char *at = format, *text = at;; count++, piece += pieces != NULL) {
        at += strcspn(at, "%");
        size_t length = (size_t)(at - text);
        if (!*at) {
            *piece = (struct command_piece){.text = (uint64_t)(text - format), .length = length};
            return count + 1;
        }
        const char *next = read_conversion(at, piece);
        if (!next)
            next = at + 1;
        piece->text = (uint64_t)(text - format);
        piece->length = length;
        if (piece->conversion == '%') { /* the sign is the last character of the text */
            piece->conversion = 0;
            if (length > 0 || next == at + 2) {
                piece->length = length + 1;
            }
        }
        text = at = next;
    }
}

/* ---- where a conversion stands in the file ---------------------------------------------------- */

/* The end of the character, or of the escape sequence, at `at`. */
static const char *after_character(const char *at, const char *end) {
    if (*at != '\\' || at + 1 >= end)
        return at + 1;
    at++;
    if (*at == 'x')
        for (at++; at < end && isxdigit((unsigned char)*at);)
            at++;
    else if (*at >= '0' && *at <= '7')
        for (int i = 0; i < 3 && at < end && *at >= '0' && *at <= '7'; i++)
            at++;
    else
        at++;
    return at;
}

/* The span of `length` characters of the literal, from number `first` on. */
static struct source_span part_of_literal(const struct name *literal, size_t first, size_t length) {
    const char *text = literal->where.source->text, *end = text + literal->where.end;
    const char *at = text + literal->where.begin + 1, *begin;
    for (size_t i = 0; i < first && at < end; i++)
        at = after_character(at, end);
    begin = at;
    for (size_t i = 0; i < length && at < end; i++)
        at = after_character(at, end);
    return (struct source_span){literal->where.source, (uint32_t)(begin - text), (uint32_t)(at - text)};
}

/* ---- checking ------------------------------------------------------------------------------- */

static const char *kind_shown(uint64_t conversion) {
    return conversion == 's'                   ? "a string"
           : strchr("fFeEgG", (int)conversion) ? "a floating-point number"
                                               : "an integer";
}

static bool conversion_shows(uint64_t conversion, enum plan_type type) {
    if (conversion == 's')
        return type == PLAN_TYPE_STRING;
    if (strchr("fFeEgG", (int)conversion))
        return type == PLAN_TYPE_DOUBLE;
    return is_number(type) || type == PLAN_TYPE_REGISTER;
}

static void check_printed_value(struct compilation *compilation, const struct source_span *conversion,
                                const struct command_piece *piece, const struct plan_expression *value) {
    if (value->type == PLAN_TYPE_ERROR || conversion_shows(piece->conversion, value->type))
        return;
    const char *spelled = spell_source(compilation, conversion);
    diagnose(compilation->diagnostics, &value->where, MESSAGE_PRINT_TYPE, spelled,
             kind_shown(piece->conversion), type_phrase(value->type));
    if (piece->conversion == 's' && value->dynamic)
        diagnose_hint(compilation->diagnostics, "the text at an address is $string(address)");
    else if (value->type == PLAN_TYPE_STRING)
        diagnose_hint(compilation->diagnostics, "a string is shown by %%s");
    else if (value->type == PLAN_TYPE_DOUBLE)
        diagnose_hint(compilation->diagnostics, "it is shown by %%f, %%e or %%g");
    else if (value->type >= PLAN_TYPE_PROGRAM)
        diagnose_hint(compilation->diagnostics, "show one of its attributes, for instance its pc");
}

/* The value of a `*`. */
static void check_printed_width(struct compilation *compilation, const struct source_span *conversion,
                                const struct plan_expression *value) {
    if (value->type == PLAN_TYPE_ERROR || is_number(value->type))
        return;
    diagnose(compilation->diagnostics, &value->where, MESSAGE_PRINT_WIDTH,
             spell_source(compilation, conversion), type_phrase(value->type));
    diagnose_hint(
        compilation->diagnostics,
        "each * takes a value of its own, before the value that is shown: print \"%%*d\\n\", 8, $a0");
}

/* Each conversion has a value of its kind, and each `*` a value before it. */
static void check_format(struct compilation *compilation, const struct effect *effect,
                         const struct plan_effect *print) {
    const struct name *format = &effect->format;
    uint32_t conversions = 0;
    bool good = true, has_stars = false;
    for (const char *at = format->text; *(at += strcspn(at, "%"));) {
        struct command_piece piece;
        const char *next = read_conversion(at, &piece);
        size_t length = next ? (size_t)(next - at) : strcspn(at + 1, " %\t\n") + 1;
        struct source_span where = part_of_literal(format, (size_t)(at - format->text), length);
        if (!next) {
            diagnose(compilation->diagnostics, &where, MESSAGE_PRINT_CONVERSION,
                     spell_source(compilation, &where));
            diagnose_hint(
                compilation->diagnostics,
                "%%d %%u %%x %%o %%c show integers, %%s strings, %%f %%e %%g floating-point numbers; "
                "%%%% is a percent sign");
            good = false;
        } else if (piece.conversion != '%') {
            static const uint64_t stars[] = {COMMAND_FLAG_WIDTH, COMMAND_FLAG_PRECISION};
            for (int i = 0; i < 2; i++)
                if (piece.flags & stars[i]) {
                    if (conversions < print->value_count)
                        check_printed_width(compilation, &where, print->values[conversions]);
                    conversions++, has_stars = true;
                }
            if (conversions < print->value_count)
                check_printed_value(compilation, &where, &piece, print->values[conversions]);
            conversions++;
        }
        at = next ? next : at + length;
    }
    if (good && conversions != print->value_count)
        diagnose(compilation->diagnostics, &format->where, MESSAGE_PRINT_COUNT, conversions,
                 has_stars          ? "conversions and *"
                 : conversions == 1 ? "conversion"
                                    : "conversions",
                 print->value_count, print->value_count == 1 ? " is" : "s are"),
            diagnose_hint(compilation->diagnostics,
                          "each conversion takes a value, after a comma: print \"%%d %%s\\n\", $a0, p.name");
}

static const char *check_file_name(struct compilation *compilation, const struct expression *expression) {
    struct expression_context saved = compilation->context;
    if (!expression)
        return "!";
    compilation->context.static_role = "the file of a 'print'";
    const struct plan_expression *name = check_expression(compilation, expression);
    compilation->context = saved;
    if (name->op == PLAN_OP_STRING && *name->string)
        return strcmp(name->string, "stderr") == 0 ? "!"
               : strcmp(name->string, "!") == 0    ? "./!"
                                                   : name->string;
    if (name->type != PLAN_TYPE_ERROR) {
        diagnose(compilation->diagnostics, &name->where, MESSAGE_PRINT_FILE,
                 name->op == PLAN_OP_STRING       ? "empty"
                 : name->type == PLAN_TYPE_STRING ? "a string of the program"
                                                  : type_phrase(name->type));
        diagnose_hint(
            compilation->diagnostics,
            "a string in quotes or a parameter; \"-\" is standard output, \"stderr\" standard error");
    }
    return "!";
}

void check_print(struct compilation *compilation, const struct effect *effect, struct plan_effect *print) {
    print->kind = PLAN_EFFECT_PRINT;
    compilation->has_effect = true;
    print->counter = NO_COUNTER;
    print->format = copy_text(compilation, effect->format.text);
    print->file = check_file_name(compilation, effect->cell);
    const struct plan_expression **values =
        arena_allocate(compilation->arena, (effect->argument_count + 1) * sizeof *values);
    for (const struct expression *at = effect->arguments; at; at = at->next)
        values[print->value_count++] = check_expression(compilation, at);
    print->values = values;
    check_format(compilation, effect, print);
    if (effect->amount)
        print->limit = check_limit_number(compilation, effect->amount, INT64_MAX);
    print->per_second = effect->operator.text != NULL;
    if (print->per_second && strcmp(effect->operator.text, "second") != 0)
        diagnose(compilation->diagnostics, &effect->operator.where, MESSAGE_PRINT_PER, effect->operator.text);
}
