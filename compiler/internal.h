/* internal.h: what the files of compiler/ and grammar/ share among themselves.
   Requires compiler.h; nothing outside of these two folders includes it. */
#ifndef ATOMC_COMPILER_INTERNAL_H
#define ATOMC_COMPILER_INTERNAL_H

#include "compiler/compiler.h"

/* ---- parse.c: the state of one parse, and building the tree ---------------------------------- */

/* A location as flex and bison see it: bytes [begin, end) of the source. */
struct text_range {
    uint32_t begin, end;
};

struct statement_list {
    struct statement *first, *last;
};

struct expression_list {
    struct expression *first, *last;
    uint32_t count;
};

enum { EXPRESSION_DEPTH_LIMIT = 1000, PARSE_ERROR_LIMIT = 100 };

struct parse {
    const struct source *source;
    struct arena *arena;
    struct diagnostics *diagnostics;
    uint32_t offset;                     /* of the scanner */
    struct text_range previous, current; /* tokens: the one before the lookahead, the lookahead */
    uint32_t *open_braces;               /* offsets of '{' not yet closed */
    size_t brace_count, brace_capacity;
    uint32_t open_literal;  /* end of the last literal without a closing quote, or 0 */
    unsigned errors_before; /* errors reported before this parse began */
    bool gave_up;           /* too many errors: the scanner returns the end of the file */
    bool too_deep;          /* reported */
    struct statement *statements;
};

struct source_span parse_span(const struct parse *parse, struct text_range range);
struct name parse_name(struct parse *parse, struct text_range range);
unsigned parse_errors(const struct parse *parse);
struct statement *new_statement(struct parse *parse, enum statement_kind kind, struct text_range range,
                                struct text_range keyword);
struct expression *new_expression(struct parse *parse, enum expression_kind kind, struct text_range range);
struct expression *new_operator(struct parse *parse, enum plan_operator op, struct text_range range,
                                struct text_range operator_range, struct expression *first,
                                struct expression *second, struct expression *third);
struct expression *with_operand(struct parse *parse, struct expression *expression,
                                struct expression *operand);
struct expression *with_arguments(struct parse *parse, struct expression *expression,
                                  struct expression_list arguments);
void append_statement(struct statement_list *list, struct statement *statement);
void append_expression(struct expression_list *list, struct expression *expression);
void note_brace(struct parse *parse, char brace, uint32_t offset);

/* One expected token of a syntax error. */
struct expected_token {
    const char *text; /* as shown: 'where', a name, ... */
    enum { EXPECTED_OPERATOR, EXPECTED_OPERAND, EXPECTED_STATEMENT, EXPECTED_OTHER } role;
};
void report_syntax_error(struct parse *parse, bool at_end, const struct expected_token *expected,
                         size_t count);

/* ---- literals.c: constants as they are written ----------------------------------------------- */

/* Each reports what is wrong and returns some value, so that parsing goes on. */
int64_t integer_literal(struct parse *parse, struct text_range range);
int64_t character_literal(struct parse *parse, struct text_range range, bool terminated);
const char *string_literal(struct parse *parse, struct text_range range, bool terminated);

#endif
