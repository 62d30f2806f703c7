/* answers.c: see lsp.h. */
#include "editors/lsp/lsp.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/support.h"

/* LSP 3.17, CompletionItemKind and SymbolKind. */
enum {
    ITEM_FUNCTION = 3,
    ITEM_VARIABLE = 6,
    ITEM_PROPERTY = 10,
    ITEM_VALUE = 12,
    ITEM_KEYWORD = 14,
    ITEM_MEMBER = 20
};
enum { SYMBOL_MODULE = 2, SYMBOL_VARIABLE = 13, SYMBOL_CONSTANT = 14, SYMBOL_ARRAY = 18 };

/* A page, read one time for each request. */
struct page {
    const struct document *document;
    struct words words;
    struct definitions definitions;
};

static void page_read(struct page *page, const struct document *document) {
    page->document = document;
    words_read(&page->words, document->text, document->length);
    definitions_read(&page->definitions, &page->words);
}

static void page_free(struct page *page) {
    definitions_free(&page->definitions);
    words_free(&page->words);
}

/* Calls the function for the word at the offset. */
static json_t *answer_of_word(const struct document *document, size_t offset,
                              json_t *(*answer_of)(const struct page *page, size_t at, const char *name)) {
    struct page page;
    page_read(&page, document);
    size_t at = word_at(&page.words, offset);
    char *name = at < page.words.count ? word_text(&page.words, at) : NULL;
    json_t *answer = name ? answer_of(&page, at, name) : NULL;
    free(name);
    page_free(&page);
    return answer;
}

static json_t *range_of_word(const struct page *page, size_t number) {
    const struct word *word = &page->words.list[number];
    return range_of(page->document->text, word->begin, word->end);
}

static const char no_attributes[] = ""; /* the type of a value that has none */

/* The opening parenthesis that belongs to the closing one with that number; that number: there is none. */
static size_t opening_of(const struct page *page, size_t closing) {
    size_t depth = 0;
    for (size_t at = closing + 1; at-- > 0;) {
        depth += word_is(&page->words, at, ")");
        if (word_is(&page->words, at, "(") && --depth == 0)
            return at;
    }
    return closing;
}

/* The type of a name that no dot precedes. */
static const char *type_of_name(const struct page *page, size_t at) {
    char *name = word_text(&page->words, at);
    const struct definition *variable = definition_of(&page->definitions, name, page->words.list[at].begin);
    const char *type = variable ? variable->place : strcmp(name, "program") == 0 ? "program" : NULL;
    free(name);
    return type;
}

/* The type of the operand whose last word has that number; *first is its first word. NULL: unknown;
   no_attributes: a value without attributes. */
static const char *type_of_operand(const struct page *page, size_t last, size_t *first) {
    const struct words *words = &page->words;
    size_t name = last, before;
    *first = last;
    if (word_is(words, last, ")")) {
        size_t opening = opening_of(page, last);
        if (opening == last)
            return NULL;
        bool called = opening > 0 && (words->list[opening - 1].kind == WORD_NAME ||
                                      words->list[opening - 1].kind == WORD_DYNAMIC);
        *first = opening;
        if (!called && opening + 1 < last) {
            /* `(i.ra)`, or a choice, whose last operand has its type */
            const char *type = type_of_operand(page, last - 1, &before);
            return before == opening + 1 || word_is(words, before - 1, ":") ? type : NULL;
        }
        if (!called)
            return NULL;
        name = opening - 1;
    }
    *first = name;
    if (words->list[name].kind != WORD_NAME)
        return words->list[name].kind == WORD_SIGN ? NULL : no_attributes;
    if (name < 2 || !word_is(words, name - 1, "."))
        return name == last ? type_of_name(page, name) : NULL;
    const char *outer = type_of_operand(page, name - 2, first);
    if (!outer || outer == no_attributes)
        return outer;
    char *word = word_text(words, name);
    const char *type = json_string_value(json_object_get(language_attribute(outer, word), "type"));
    free(word);
    return !type || language_has_attributes(type) ? type : no_attributes;
}

/* The type of the value before the dot with that number: `i.`, `i.proc.`, `program.`, `i.ra.` */
static const char *type_before(const struct page *page, size_t dot) {
    size_t ignored;
    return dot > 0 ? type_of_operand(page, dot - 1, &ignored) : NULL;
}

/* ---- completion ---------------------------------------------------------------------------------------- */

struct completion {
    json_t *items, *range;
};

static void offer(struct completion *completion, const char *label, int kind, const char *detail,
                  const char *help) {
    if (!label)
        return;
    json_t *item = json_pack("{s: s, s: i, s: {s: O, s: s}}", "label", label, "kind", kind, "textEdit",
                             "range", completion->range, "newText", label);
    if (detail)
        json_object_set_new(item, "detail", json_string(detail));
    if (help)
        json_object_set_new(item, "documentation", json_string(help));
    json_array_append_new(completion->items, item);
}

static const char *text_in(const json_t *row, const char *key) {
    return json_string_value(json_object_get(row, key));
}

static void offer_attributes(struct completion *completion, const char *place) {
    const json_t *row;
    size_t i;
    json_array_foreach(language_table("attributes"), i, row) {
        if (place && strcmp(text_in(row, "place"), place) != 0)
            continue;
        offer(completion, text_in(row, "attribute"), ITEM_PROPERTY, text_in(row, "type"),
              text_in(row, "help"));
    }
    const json_t *word;
    json_array_foreach(json_object_get(language_row("places", "place", place ? place : ""), "contains"), i,
                       word) {
        const json_t *contained = language_row("places", "place", json_string_value(word));
        offer(completion, text_in(contained, "loop"), ITEM_MEMBER, "places", text_in(contained, "help"));
    }
    json_array_foreach(json_object_get(language_row("places", "place", place ? place : ""), "related"), i,
                       word)
        offer(completion, text_in(word, "loop"), ITEM_MEMBER, text_in(word, "type"), NULL);
}

static void offer_table(struct completion *completion, const char *table, const char *key, int kind) {
    const json_t *row;
    size_t i;
    json_array_foreach(language_table(table), i, row)
        offer(completion, text_in(row, key), kind, text_in(row, "type"), text_in(row, "help"));
}

static void offer_names(struct completion *completion, const struct page *page, size_t offset) {
    for (size_t i = 0; i < page->definitions.count; i++) {
        const struct definition *definition = &page->definitions.list[i];
        if (definition_of(&page->definitions, definition->name, offset) == definition)
            offer(completion, definition->name, ITEM_VARIABLE,
                  definition->place ? definition->place : definition->kind, NULL);
    }
}

/* Members of the program's structures: no program is known here. */
static bool is_arrow(const struct words *words, size_t at) {
    return at > 0 && word_is(words, at, ">") && word_is(words, at - 1, "-") &&
           words->list[at - 1].end == words->list[at].begin;
}

json_t *answer_completion(const struct document *document, size_t offset) {
    struct page page;
    page_read(&page, document);
    size_t at = word_at(&page.words, offset > 0 ? offset - 1 : 0);
    bool begun =
        at < page.words.count && page.words.list[at].end >= offset && page.words.list[at].begin < offset;
    enum word_kind kind = begun ? page.words.list[at].kind : WORD_SIGN;
    struct completion completion = {.items = json_array()};
    size_t before; /* the word before the word that is being written */
    if (begun && (kind == WORD_NAME || kind == WORD_DYNAMIC)) {
        completion.range = range_of(document->text, page.words.list[at].begin, offset);
        before = at > 0 ? at - 1 : page.words.count;
    } else {
        completion.range = range_of(document->text, offset, offset);
        for (before = page.words.count; before > 0 && page.words.list[before - 1].begin >= offset;)
            before--;
        before = before > 0 ? before - 1 : page.words.count;
    }
    if ((kind == WORD_STRING && page.words.list[at].end > offset) || is_arrow(&page.words, before)) {
        ; /* a text is the user's */
    } else if (kind == WORD_DYNAMIC) {
        offer_table(&completion, "values", "value", ITEM_VALUE);
    } else if (word_is(&page.words, before, ".")) {
        offer_attributes(&completion, type_before(&page, before));
    } else if (word_is(&page.words, before, "display")) {
        offer_table(&completion, "displays", "display", ITEM_KEYWORD);
    } else {
        offer_names(&completion, &page, offset);
        offer_table(&completion, "words", "word", ITEM_KEYWORD);
        offer_table(&completion, "places", "loop", ITEM_MEMBER);
        offer_table(&completion, "places", "place", ITEM_MEMBER);
        offer_table(&completion, "classes", "class", ITEM_VALUE);
        offer_table(&completion, "values", "value", ITEM_VALUE);
    }
    json_decref(completion.range);
    page_free(&page);
    return json_pack("{s: b, s: o}", "isIncomplete", 0, "items", completion.items);
}

/* ---- hover ------------------------------------------------------------------------------------------------ */

/* The lines of a statement, up to its first `{` or the line's end. */
static char *first_line(const struct document *document, size_t begin) {
    size_t length = strcspn(document->text + begin, "\n");
    return format_string("%.*s", (int)length, document->text + begin);
}

static char *help_of_name(const struct page *page, size_t at, const char *name) {
    if (at > 0 && word_is(&page->words, at - 1, ".")) {
        const char *place = type_before(page, at - 1);
        const json_t *attribute = language_attribute(place, name);
        if (attribute)
            return format_string("**%s.%s** %s\n\n%s", text_in(attribute, "place"), name,
                                 text_in(attribute, "type"), text_in(attribute, "help"));
        const json_t *contained = language_row("places", "loop", name);
        return contained ? format_string("**%s**: %s", name, text_in(contained, "help")) : NULL;
    }
    const struct definition *definition = definition_of(&page->definitions, name, page->words.list[at].begin);
    if (definition) {
        char *line = first_line(page->document, definition->statement);
        char *help = format_string("**%s** %s%s%s\n\n```atd\n%s\n```", name, definition->kind,
                                   definition->place ? " of place " : "",
                                   definition->place ? definition->place : "", line);
        free(line);
        return help;
    }
    static const char *const tables[][2] = {
        {"places", "place"}, {"places", "loop"}, {"classes", "class"}, {"displays", "display"}};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const json_t *row = language_row(tables[i][0], tables[i][1], name);
        if (row)
            return format_string("**%s**: %s", name, text_in(row, "help"));
    }
    return NULL;
}

static char *help_of_word(const struct page *page, size_t at, const char *name) {
    const json_t *value =
        page->words.list[at].kind == WORD_DYNAMIC ? language_row("values", "value", name) : NULL;
    if (value)
        return format_string("**%s** %s\n\n%s", name, text_in(value, "type"), text_in(value, "help"));
    return page->words.list[at].kind == WORD_NAME ? help_of_name(page, at, name) : NULL;
}

static json_t *hover_of(const struct page *page, size_t at, const char *name) {
    char *help = help_of_word(page, at, name);
    json_t *answer = help ? json_pack("{s: {s: s, s: s}, s: o}", "contents", "kind", "markdown", "value",
                                      help, "range", range_of_word(page, at))
                          : NULL;
    free(help);
    return answer;
}

json_t *answer_hover(const struct document *document, size_t offset) {
    return answer_of_word(document, offset, hover_of);
}

/* ---- go to definition ------------------------------------------------------------------------------------- */

static json_t *location(const char *path, json_t *range) {
    char *uri = uri_of_path(path);
    json_t *answer = json_pack("{s: s, s: o}", "uri", uri, "range", range);
    free(uri);
    return answer;
}

static char *path_beside_document(const struct document *document, const char *path) {
    const char *slash = strrchr(document->path, '/');
    return path[0] == '/' || !slash
               ? format_string("%s", path)
               : format_string("%.*s%s", (int)(slash + 1 - document->path), document->path, path);
}

/* The file that a string names. */
static char *named_file(const struct page *page, size_t string) {
    char *quoted = word_text(&page->words, string);
    size_t length = strlen(quoted);
    if (length >= 2 && quoted[length - 1] == '"')
        quoted[length - 1] = '\0';
    char *path = path_beside_document(page->document, quoted + 1);
    free(quoted);
    return path;
}

/* In C: NAME at the beginning of a line or after a type, followed by `(`. */
static bool find_routine(const char *text, const char *name, size_t *begin) {
    size_t length = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        const char *line = at, *after = at + length;
        while (line > text && line[-1] != '\n')
            line--;
        bool whole = (at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')) &&
                     after[strspn(after, " ")] == '(';
        if (whole && (isalpha((unsigned char)*line) || *line == '_') && strncmp(line, "return", 6) != 0) {
            *begin = (size_t)(at - text);
            return true;
        }
    }
    return false;
}

/* Searches the C files that `analysis` names, or those with the page's name. */
static json_t *routine(const struct page *page, const char *name) {
    json_t *answer = NULL;
    for (size_t i = 0; i < page->words.count && !answer; i++) {
        if (page->words.list[i].kind != WORD_STRING)
            continue;
        char *path = named_file(page, i);
        size_t suffix = strlen(path), length, begin;
        char *text = suffix > 2 && strcmp(path + suffix - 2, ".c") == 0 && access(path, R_OK) == 0
                         ? read_file(path, &length)
                         : NULL;
        if (text && find_routine(text, name, &begin))
            answer = location(path, range_of(text, begin, begin + strlen(name)));
        free(text);
        free(path);
    }
    return answer;
}

static json_t *definition_of_file(const struct page *page, size_t string) {
    char *path = named_file(page, string);
    json_t *answer = access(path, R_OK) == 0 ? location(path, range_of("", 0, 0)) : NULL;
    free(path);
    return answer;
}

static json_t *definition_of_word(const struct page *page, size_t at, const char *name) {
    const struct word *word = &page->words.list[at];
    if (word->kind == WORD_STRING)
        return definition_of_file(page, at);
    if (word->kind != WORD_NAME || (at > 0 && word_is(&page->words, at - 1, ".")))
        return NULL;
    const struct definition *definition = definition_of(&page->definitions, name, word->begin);
    return definition ? json_pack("{s: s, s: o}", "uri", page->document->uri, "range",
                                  range_of(page->document->text, definition->begin, definition->end))
                      : routine(page, name);
}

json_t *answer_definition(const struct document *document, size_t offset) {
    return answer_of_word(document, offset, definition_of_word);
}

/* ---- symbols ---------------------------------------------------------------------------------------------- */

json_t *answer_symbols(const struct document *document) {
    struct page page;
    page_read(&page, document);
    json_t *list = json_array();
    for (size_t i = 0; i < page.definitions.count; i++) {
        const struct definition *definition = &page.definitions.list[i];
        if (strcmp(definition->kind, "variable") == 0)
            continue;
        int kind = strcmp(definition->kind, "tool") == 0    ? SYMBOL_MODULE
                   : strcmp(definition->kind, "param") == 0 ? SYMBOL_CONSTANT
                   : strcmp(definition->kind, "set") == 0   ? SYMBOL_ARRAY
                                                            : SYMBOL_VARIABLE;
        size_t end = definition->statement + strcspn(document->text + definition->statement, "\n");
        if (end < definition->end)
            end = definition->end;
        json_array_append_new(list, json_pack("{s: s, s: s, s: i, s: o, s: o}", "name", definition->name,
                                              "detail", definition->kind, "kind", kind, "range",
                                              range_of(document->text, definition->statement, end),
                                              "selectionRange",
                                              range_of(document->text, definition->begin, definition->end)));
    }
    page_free(&page);
    return list;
}

/* ---- quick fixes ------------------------------------------------------------------------------------------- */

static bool overlap(const struct document *document, const json_t *left, const json_t *right) {
    size_t ends[4];
    const json_t *const positions[] = {json_object_get(left, "start"), json_object_get(left, "end"),
                                       json_object_get(right, "start"), json_object_get(right, "end")};
    for (int i = 0; i < 4; i++)
        ends[i] = offset_of(document->text, document->length, positions[i]);
    return ends[0] <= ends[3] && ends[2] <= ends[1];
}

json_t *answer_actions(const struct document *document, const json_t *range) {
    json_t *list = json_array(), *found;
    size_t i;
    json_array_foreach(document->diagnostics, i, found) {
        json_t *where = json_object_get(found, "range");
        const char *name = json_string_value(json_object_get(found, "data"));
        if (name && overlap(document, where, range)) {
            char *title = format_string("Change to %s", name);
            json_array_append_new(list, json_pack("{s: s, s: s, s: b, s: [O], s: {s: {s: [{s: O, s: s}]}}}",
                                                  "title", title, "kind", "quickfix", "isPreferred", 1,
                                                  "diagnostics", found, "edit", "changes", document->uri,
                                                  "range", where, "newText", name));
            free(title);
        }
    }
    return list;
}
