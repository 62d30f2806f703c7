/* json_diagnostics.c: diagnostics, and places in sources, as JSON. */
#include "support/json.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* The form FILE:LINE:COLUMN: SEVERITY: TEXT, which C compilers use. */
static void add_compiler_messages(json_t *list, const char *text) {
    regex_t form;
    regmatch_t part[6];
    if (regcomp(&form, "^([^:\n]+):([0-9]+):([0-9]+): (fatal error|error|warning|note): ([^\n]*)$",
                REG_EXTENDED | REG_NEWLINE) != 0)
        return;
    for (; regexec(&form, text, 6, part, 0) == 0; text += part[0].rm_eo) {
        char *words[6];
        for (int i = 1; i < 6; i++)
            words[i] = strndup(text + part[i].rm_so, (size_t)(part[i].rm_eo - part[i].rm_so));
        json_t *message = json_object();
        json_object_set_new(message, "severity", json_string(strstr(words[4], "error") ? "error" : words[4]));
        json_object_set_new(message, "id", json_string("c"));
        json_object_set_new(message, "message", json_text(words[5]));
        json_object_set_new(message, "file", json_text(words[1]));
        json_object_set_new(message, "line", json_integer(strtoll(words[2], NULL, 10)));
        json_object_set_new(message, "column", json_integer(strtoll(words[3], NULL, 10)));
        json_array_append_new(list, message);
        for (int i = 1; i < 6; i++)
            free(words[i]);
    }
    regfree(&form);
}

static void set_place(json_t *object, const struct diagnostic_parts *parts) {
    json_object_set_new(object, "file", json_text(parts->path));
    json_object_set_new(object, "line", json_integer((json_int_t)parts->line));
    json_object_set_new(object, "column", json_integer((json_int_t)parts->column));
    json_object_set_new(object, "end_line", json_integer((json_int_t)parts->end_line));
    json_object_set_new(object, "end_column", json_integer((json_int_t)parts->end_column));
    json_object_set_new(object, "begin", json_integer(parts->begin));
    json_object_set_new(object, "end", json_integer(parts->end));
}

json_t *span_json(const struct source_span *where) {
    struct diagnostic_parts parts = {0};
    json_t *object = json_object();
    span_parts(where, &parts);
    set_place(object, &parts);
    return object;
}

/* The replacement that the hint "did you mean 'NAME'?" suggests; NULL: it is another hint.
 */
static char *replacement_of(const char *hint) {
    static const char words[] = "did you mean ";
    const char *at = hint ? strstr(hint, words) : NULL;
    if (!at)
        return NULL;
    char quote = at[sizeof words - 1];
    const char *name = at + sizeof words, *end = quote == '\'' || quote == '"' ? strchr(name, quote) : NULL;
    if (!end)
        return NULL;
    return quote == '"' ? format_string("\"%.*s\"", (int)(end - name), name)
                        : format_string("%.*s", (int)(end - name), name);
}

static void add_diagnostic(const struct diagnostic_parts *parts, void *context) {
    json_t *list = context, *diagnostic = json_object();
    json_object_set_new(diagnostic, "severity", json_text(parts->severity));
    json_object_set_new(diagnostic, "id", json_text(parts->id));
    json_object_set_new(diagnostic, "message", json_text(parts->message));
    if (parts->hint)
        json_object_set_new(diagnostic, "hint", json_text(parts->hint));
    char *replacement = replacement_of(parts->hint);
    if (replacement)
        json_object_set_new(diagnostic, "replacement", json_text(replacement));
    free(replacement);
    if (parts->path)
        set_place(diagnostic, parts);
    json_array_append_new(list, diagnostic);
    if (strchr(parts->message, '\n'))
        add_compiler_messages(list, parts->message);
}

json_t *diagnostics_json(const struct diagnostics *diagnostics) {
    json_t *list = json_array();
    diagnostics_visit(diagnostics, add_diagnostic, list);
    return list;
}
