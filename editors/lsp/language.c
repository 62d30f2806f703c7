/* language.c: see lsp.h. All facts about the language are from the output of `atomc info --json`. */
#include "editors/lsp/lsp.h"

#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static json_t *tables;

bool language_read(void) {
    char *const words[] = {"atomc", "info", "--json", NULL};
    char *text = command_output(words);
    tables = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return json_is_array(json_object_get(tables, "attributes")) &&
           json_is_array(json_object_get(tables, "places")) &&
           json_is_array(json_object_get(tables, "values"));
}

json_t *language_table(const char *name) {
    return json_object_get(tables, name);
}

static bool has(const json_t *row, const char *key, const char *text) {
    const char *value = json_string_value(json_object_get(row, key));
    return value && strcmp(value, text) == 0;
}

json_t *language_row(const char *table, const char *key, const char *text) {
    json_t *row;
    size_t i;
    json_array_foreach(language_table(table), i, row) if (has(row, key, text)) return row;
    return NULL;
}

json_t *language_attribute(const char *place, const char *word) {
    json_t *row;
    size_t i;
    json_array_foreach(language_table("attributes"), i,
                       row) if (has(row, "attribute", word) &&
                                (!place || has(row, "place", place))) return row;
    return NULL;
}

const char *language_contained(const char *plural) {
    const json_t *place, *related = language_row("places", "loop", plural);
    size_t i, k;
    if (related)
        return json_string_value(json_object_get(related, "place"));
    json_array_foreach(language_table("places"), i, place) json_array_foreach(
        json_object_get(place, "related"), k,
        related) if (has(related, "loop", plural)) return json_string_value(json_object_get(related, "type"));
    return NULL;
}

bool language_has_attributes(const char *type) {
    return language_row("attributes", "place", type) != NULL;
}

const char *language_place(const char *word) {
    const json_t *row = language_row("places", "place", word);
    return row ? json_string_value(json_object_get(row, "place")) : language_contained(word);
}
