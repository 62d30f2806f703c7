/* words.c: see lsp.h. The words are those of grammar/atd.l; unlike the parser, this scanner accepts any
   text. */
#include "editors/lsp/lsp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static bool in_word(char letter) {
    return isalnum((unsigned char)letter) || letter == '_' || (unsigned char)letter >= 0x80;
}

static size_t end_of_string(const char *text, size_t length, size_t at) {
    char quote = text[at++];
    while (at < length && text[at] != quote && text[at] != '\n')
        at += text[at] == '\\' && at + 1 < length ? 2 : 1;
    return at < length && text[at] == quote ? at + 1 : at;
}

void words_read(struct words *words, const char *text, size_t length) {
    *words = (struct words){.text = text};
    for (size_t at = 0; at < length;) {
        struct word word = {.begin = at};
        if (isspace((unsigned char)text[at]) || text[at] == '\0') {
            at++;
            continue;
        }
        if (text[at] == '#') {
            while (at < length && text[at] != '\n')
                at++;
            continue;
        }
        if (text[at] == '"' || text[at] == '\'') {
            word.kind = text[at] == '"' ? WORD_STRING : WORD_NUMBER;
            at = end_of_string(text, length, at);
        } else if (text[at] == '$' || in_word(text[at])) {
            word.kind = text[at] == '$'                    ? WORD_DYNAMIC
                        : isdigit((unsigned char)text[at]) ? WORD_NUMBER
                                                           : WORD_NAME;
            for (at++; at < length && in_word(text[at]);)
                at++;
        } else {
            word.kind = WORD_SIGN;
            at++;
        }
        word.end = at < length ? at : length;
        VECTOR_RESERVE(words->list, words->count, words->capacity);
        words->list[words->count++] = word;
    }
}

void words_free(struct words *words) {
    free(words->list);
}

bool word_is(const struct words *words, size_t number, const char *text) {
    if (number >= words->count)
        return false;
    const struct word *word = &words->list[number];
    return strlen(text) == word->end - word->begin &&
           memcmp(words->text + word->begin, text, word->end - word->begin) == 0;
}

char *word_text(const struct words *words, size_t number) {
    const struct word *word = &words->list[number];
    return format_string("%.*s", (int)(word->end - word->begin), words->text + word->begin);
}

size_t word_at(const struct words *words, size_t offset) {
    size_t found = words->count;
    for (size_t i = 0; i < words->count && words->list[i].begin <= offset; i++)
        if (words->list[i].end > offset || (words->list[i].end == offset && words->list[i].kind != WORD_SIGN))
            found = i;
    return found;
}

/* ---- definitions --------------------------------------------------------------------------------------- */

static bool is_name(const struct words *words, size_t number) {
    return number < words->count && words->list[number].kind == WORD_NAME;
}

static struct definition *add_definition_of_word(struct definitions *definitions, const struct words *words,
                                                 const char *kind, size_t statement, size_t name) {
    VECTOR_RESERVE(definitions->list, definitions->count, definitions->capacity);
    struct definition *definition = &definitions->list[definitions->count++];
    *definition = (struct definition){.kind = kind,
                                      .name = word_text(words, name),
                                      .begin = words->list[name].begin,
                                      .end = words->list[name].end,
                                      .statement = words->list[statement].begin,
                                      .block = SIZE_MAX};
    return definition;
}

/* The kind of place of a domain that begins with this word: `procs`, `p.blocks`, a set. */
static const char *place_of_domain(const struct definitions *definitions, const struct words *words,
                                   size_t number) {
    while (word_is(words, number, "("))
        number++;
    if (!is_name(words, number))
        return NULL;
    bool dotted = word_is(words, number + 1, ".") && is_name(words, number + 2);
    char *name = word_text(words, dotted ? number + 2 : number);
    const char *place = dotted ? language_contained(name) : language_place(name);
    if (!place && !dotted) {
        const struct definition *set = definition_of(definitions, name, words->list[number].begin);
        place = set ? set->place : NULL;
        if (set && strcmp(set->kind, "variable") != 0 && strcmp(set->kind, "set") != 0)
            place = "bucket"; /* bucket of a histogram, or a row of a counter with keys */
    }
    free(name);
    return place;
}

/* The end of the next `{` block; without one, the end of the statement is unknown, and the end of the file
   is taken. */
static size_t end_of_block(const struct words *words, size_t number) {
    size_t depth = 0;
    for (; number < words->count; number++) {
        if (word_is(words, number, "{"))
            depth++;
        else if (word_is(words, number, "}") && --depth == 0)
            return words->list[number].end;
        else if (depth == 0 && (word_is(words, number, "report") || word_is(words, number, "set")))
            return words->list[number].begin;
    }
    return SIZE_MAX;
}

static void define_variable(struct definitions *definitions, const struct words *words, size_t statement,
                            size_t name, size_t domain) {
    const char *place = place_of_domain(definitions, words, domain);
    struct definition *definition = add_definition_of_word(definitions, words, "variable", statement, name);
    definition->place = place ? format_string("%s", place) : NULL;
    definition->block = end_of_block(words, domain);
}

/* set NAME = KIND VARIABLE where ..., NAME = VARIABLE in DOMAIN, NAME = SET - SET */
static void define_set(struct definitions *definitions, const struct words *words, size_t at) {
    const char *place = NULL;
    size_t from = at + 3;
    bool new_variable = is_name(words, from) && is_name(words, from + 1);
    if (new_variable && word_is(words, from + 1, "in")) {
        place = place_of_domain(definitions, words, from + 2);
        define_variable(definitions, words, at, from, from + 2);
    } else if (new_variable && !word_is(words, from + 1, "where")) {
        char *kind = word_text(words, from);
        place = language_place(kind);
        free(kind);
        struct definition *variable = add_definition_of_word(definitions, words, "variable", at, from + 1);
        variable->place = place ? format_string("%s", place) : NULL;
        variable->block = end_of_block(words, from + 2);
    } else {
        place = place_of_domain(definitions, words, from);
    }
    struct definition *set = add_definition_of_word(definitions, words, "set", at, at + 1);
    set->place = place ? format_string("%s", place) : NULL;
}

/* NAME [..], NAME, ... */
static void define_list(struct definitions *definitions, const struct words *words, const char *kind,
                        size_t at) {
    for (size_t name = at + 1; is_name(words, name);) {
        add_definition_of_word(definitions, words, kind, at, name);
        size_t next = name + 1;
        for (int depth = 0; next < words->count; next++) {
            depth += word_is(words, next, "[") - word_is(words, next, "]");
            if (depth == 0 && !word_is(words, next, "]"))
                break;
        }
        if (!word_is(words, next, ","))
            return;
        name = next + 1;
    }
}

void definitions_read(struct definitions *definitions, const struct words *words) {
    static const char *const lists[] = {"counter", "histogram", "switch"}, *const singles[] = {"tool",
                                                                                               "array"};
    *definitions = (struct definitions){0};
    for (size_t at = 0; at + 1 < words->count; at++) {
        if (!is_name(words, at) || (at > 0 && word_is(words, at - 1, ".")))
            continue;
        for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
            if (word_is(words, at, lists[k]))
                define_list(definitions, words, lists[k], at);
        for (size_t k = 0; k < sizeof singles / sizeof *singles; k++)
            if (word_is(words, at, singles[k]) && is_name(words, at + 1))
                add_definition_of_word(definitions, words, singles[k], at, at + 1);
        if (word_is(words, at, "param") && is_name(words, at + 2))
            add_definition_of_word(definitions, words, "param", at, at + 2);
        if (word_is(words, at, "set") && is_name(words, at + 1) && word_is(words, at + 2, "="))
            define_set(definitions, words, at);
        if (word_is(words, at, "for") && is_name(words, at + 1) && word_is(words, at + 2, "in"))
            define_variable(definitions, words, at, at + 1, at + 3);
    }
}

void definitions_free(struct definitions *definitions) {
    for (size_t i = 0; i < definitions->count; i++) {
        free(definitions->list[i].name);
        free(definitions->list[i].place);
    }
    free(definitions->list);
}

const struct definition *definition_of(const struct definitions *definitions, const char *name,
                                       size_t offset) {
    const struct definition *found = NULL;
    for (size_t i = 0; i < definitions->count; i++) {
        const struct definition *definition = &definitions->list[i];
        bool variable = strcmp(definition->kind, "variable") == 0;
        if (strcmp(definition->name, name) != 0 ||
            (variable && (offset < definition->statement || offset > definition->block)))
            continue;
        if (!found || definition->statement >= found->statement)
            found = definition;
    }
    return found;
}
