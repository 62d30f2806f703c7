/* lsp.h: the language server for .atd pages: Language Server Protocol 3.17 over standard input and output.
   It only starts `atomc`, as a user could in a shell: diagnostics and the meanings of words are from atomc's
   output. */
#ifndef ATOMC_LSP_H
#define ATOMC_LSP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- message.c: documents with a heading of their length --------------------------------------------- */

struct input {
    char *bytes;
    size_t length, capacity;
};
/* Reads available input; returns false at the end of standard input. */
bool input_read(struct input *input);
/* The next complete message; NULL: there is none yet. A message that is not a JSON object is answered with
   an error, and skipped. */
json_t *input_next(struct input *input);
/* Each function takes ownership of the reference. */
void send_message(json_t *message);
void send_result(const json_t *id, json_t *result);
void send_error(const json_t *id, int code, const char *text);
void send_notification(const char *method, json_t *parameters);

/* ---- text.c: open documents, and places in them ------------------------------------------------------ */

struct document {
    struct document *next;
    char *uri, *path; /* path: the path of a file: URI, else the part after its colon */
    char *text;
    size_t length;
    json_int_t version;
    bool to_check;
    json_t *diagnostics; /* diagnostics as last published; NULL: none yet */
    json_t *elsewhere;   /* by path: diagnostics last published for files that it includes; NULL: none yet */
};
extern struct document *documents;
extern bool counts_bytes; /* columns are bytes (utf-8), else units of UTF-16 */

struct document *document_find(const char *uri); /* NULL: it is not open */
struct document *document_of_path(const char *path);
struct document *document_open(const char *uri, const char *text, json_int_t version);
void document_change(struct document *document, const char *text, json_int_t version);
void document_close(struct document *document);
char *path_of_uri(const char *uri);
char *uri_of_path(const char *path);
/* A position beyond the text is the end of the text, or of its line. */
size_t offset_of(const char *text, size_t length, const json_t *position);
json_t *position_of(const char *text, size_t offset);
json_t *range_of(const char *text, size_t begin, size_t end);

/* ---- checker.c: `atomc --check --json --as=PATH -` --------------------------------------------------- */

extern const char *atomc; /* the program */
/* The output of a command, or NULL. */
char *command_output(char *const *words);
/* A document is checked at a time; a newer text ends the check of an older one. */
void checker_want(struct document *document);
int checker_descriptor(void); /* process to wait for; -1: no check is running */
void checker_continue(void);  /* its output can be read */
void checker_forget(const struct document *document);

/* ---- words.c: a page as words, whatever is wrong in it ----------------------------------------------- */

enum word_kind { WORD_NAME, WORD_DYNAMIC, WORD_STRING, WORD_NUMBER, WORD_SIGN };
struct word {
    enum word_kind kind;
    size_t begin, end;
};
struct words {
    const char *text;
    size_t count, capacity;
    struct word *list;
};
void words_read(struct words *words, const char *text, size_t length);
void words_free(struct words *words);
bool word_is(const struct words *words, size_t number, const char *text);
char *word_text(const struct words *words, size_t number);
/* The word at or just before an offset; words->count: none. */
size_t word_at(const struct words *words, size_t offset);

/* The definitions of a page. */
struct definition {
    const char
        *kind; /* set, counter, param, histogram, switch, array, tool, use, a place's variable: "variable" */
    char *name;
    size_t begin, end;       /* of its name */
    size_t statement, block; /* beginning of its statement; end of a variable's scope */
    char *place;             /* sets and variables: the kind of their places; NULL: unknown */
};
struct definitions {
    size_t count, capacity;
    struct definition *list;
};
void definitions_read(struct definitions *definitions, const struct words *words);
void definitions_free(struct definitions *definitions);
/* The innermost definition of that name whose scope contains the offset; NULL: none. */
const struct definition *definition_of(const struct definitions *definitions, const char *name,
                                       size_t offset);

/* ---- language.c: the tables of `atomc info --json` ---------------------------------------------------- */

bool language_read(void);
json_t *language_table(const char *name); /* an array */
/* The row whose `key` has that text; NULL: none. */
json_t *language_row(const char *table, const char *key, const char *text);
json_t *language_attribute(const char *place, const char *word); /* place NULL: of any */
/* inst for `inst` and `insts`; NULL: the word is not a kind of place */
const char *language_place(const char *word);
/* The type of the variable of a loop over `p.blocks`, `b.succs`, `i.reads`: block, block, register. */
const char *language_contained(const char *plural);
bool language_has_attributes(const char *type);

/* ---- answers.c ------------------------------------------------------------------------------------------ */

json_t *answer_completion(const struct document *document, size_t offset);
json_t *answer_hover(const struct document *document, size_t offset);
json_t *answer_definition(const struct document *document, size_t offset);
json_t *answer_symbols(const struct document *document);
json_t *answer_actions(const struct document *document, const json_t *range);

#endif
