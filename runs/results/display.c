/* display.c: see display.h. */
#include "runs/results/display.h"

#include <string.h>

#include "runs/results/tree.h"

const char *const display_words[DISPLAY_KINDS] = {
#define DISPLAY(identifier, word, ...) [DISPLAY_##identifier] = word,
#include "plan/displays.def"
#undef DISPLAY
    [DISPLAY_FACTS] = "facts"};

enum need { NONE, NUMBER, KEY, STACK };
static const enum need needs[DISPLAY_KINDS][DISPLAY_COLUMNS] = {
#define DISPLAY(identifier, word, first, word2, second, word3, third, help)                                  \
    [DISPLAY_##identifier] = {first, second, third},
#include "plan/displays.def"
#undef DISPLAY
};

static uint32_t columns_needed(enum display_kind kind) {
    uint32_t count = 0;
    while (count < DISPLAY_COLUMNS && needs[kind][count] != NONE)
        count++;
    return count;
}

static bool read_given(const struct shape *shape, struct display *display) {
    const json_t *given = json_object_get(shape->header, "display"),
                 *columns = json_object_get(given, "columns");
    const char *word = json_string_value(json_object_get(given, "kind"));
    for (int kind = 0; word && kind < DISPLAY_FACTS; kind++) {
        if (strcmp(word, display_words[kind]) != 0)
            continue;
        uint32_t needed = columns_needed((enum display_kind)kind);
        if (json_array_size(columns) != needed)
            return false;
        display->kind = (enum display_kind)kind;
        for (uint32_t i = 0; i < needed; i++) {
            json_int_t column = json_integer_value(json_array_get(columns, i));
            if (column < 0 || column >= shape->column_count)
                return false;
            display->columns[i] = (uint32_t)column;
        }
        return true;
    }
    return false;
}

/* ---- by the meaning of the columns -------------------------------------------------------------------- */

static bool title_ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

/* The column with the measure: preferably a sum. */
static uint32_t find_measure(const struct shape *shape) {
    uint32_t found = shape->column_count;
    for (uint32_t i = 0; i < shape->column_count; i++) {
        const struct row_column *column = &shape->columns[i];
        if (column->hidden || column->role != ROW_MEASURE || column->type == ROW_TEXT ||
            column->type == ROW_ADDRESS)
            continue;
        if (column->merge == ROW_SUM)
            return i;
        if (found == shape->column_count)
            found = i;
    }
    return found;
}

static uint32_t find_titled(const struct shape *shape, const char *title, enum row_type type) {
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (!shape->columns[i].hidden && shape->columns[i].type == type &&
            strcmp(shape->columns[i].title, title) == 0)
            return i;
    return shape->column_count;
}

/* A procedure's name is preferred to another text. */
static uint32_t find_text_column(const struct shape *shape) {
    uint32_t found = shape->column_count;
    for (uint32_t i = 0; i < shape->column_count; i++) {
        if (shape->columns[i].hidden || shape->columns[i].type != ROW_TEXT)
            continue;
        if (title_ends_with(shape->columns[i].attribute, "proc.name"))
            return i;
        if (found == shape->column_count)
            found = i;
    }
    return found;
}

static bool is_about(const struct shape *shape, const char *const *kinds) {
    const json_t *places = json_object_get(shape->header, "places");
    const char *place = json_string_value(json_array_get(places, json_array_size(places) - 1));
    for (; place && *kinds; kinds++)
        if (strcmp(place, *kinds) == 0)
            return true;
    return false;
}

static bool has_attribute(const struct shape *shape, const char *ending) {
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (title_ends_with(shape->columns[i].attribute, ending))
            return true;
    return false;
}

/* The key of a tree: its nodes, or stacks. */
static uint32_t find_node_column(const struct shape *shape) {
    uint32_t i = 0;
    while (i < shape->column_count && shape->columns[i].role != ROW_NODE &&
           strcmp(shape->columns[i].attribute, "$stack") != 0)
        i++;
    return i;
}

/* The first rule that fits. */
static void choose_by_rules(const struct shape *shape, struct display *display) {
    static const char *const code[] = {"inst", "block", "edge", "callsite", "loop", "entry", NULL};
    uint32_t none = shape->column_count, measure = find_measure(shape), text = find_text_column(shape);
    uint32_t caller = find_titled(shape, "Caller", ROW_TEXT), callee = find_titled(shape, "Callee", ROW_TEXT);
    uint32_t from = find_titled(shape, "From", ROW_INTEGER), to = find_titled(shape, "To", ROW_INTEGER);
    display->columns[0] = measure;
    if (is_tree(shape) && measure < none) {
        display->kind = DISPLAY_FLAME;
        display->columns[1] = find_node_column(shape);
    } else if (caller < none && callee < none && measure < none) {
        display->kind = DISPLAY_GRAPH;
        display->columns[1] = caller;
        display->columns[2] = callee;
    } else if (from < none && to < none && measure < none) {
        display->kind = DISPLAY_HISTOGRAM;
        display->columns[1] = from;
        display->columns[2] = to;
    } else if (measure < none &&
               (is_about(shape, code) || (has_attribute(shape, ".file") && has_attribute(shape, ".line")))) {
        display->kind = DISPLAY_HEAT;
    } else if (measure < none && text < none) {
        display->kind = DISPLAY_BARS;
        display->columns[1] = text;
    } else if (json_array_size(json_object_get(shape->header, "places")) == 0 && text == none) {
        display->kind = DISPLAY_FACTS;
    } else {
        display->kind = DISPLAY_TABLE;
    }
}

/* ---- as a word of the command line says --------------------------------------------------------------- */

/* The next word, or a text in quotation marks; "" at the end. */
static const char *next_word(const char **text, struct arena *arena) {
    const char *at = *text + strspn(*text, " ");
    bool quoted = *at == '"';
    at += quoted;
    size_t length = strcspn(at, quoted ? "\"" : " ");
    *text = at + length + (quoted && at[length] == '"');
    return arena_format(arena, "%.*s", (int)length, at);
}

static uint32_t find_titled_column(const struct shape *shape, const char *title) {
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (!shape->columns[i].hidden && strcmp(shape->columns[i].title, title) == 0)
            return i;
    return shape->column_count;
}

static bool column_fits(const struct shape *shape, uint32_t column, enum need need) {
    enum row_type type = shape->columns[column].type;
    return need != NUMBER || type == ROW_INTEGER || type == ROW_REAL;
}

bool display_parse(const struct shape *shape, const char *text, struct arena *arena, struct display *display,
                   const char **wrong) {
    static const char *const between[DISPLAY_KINDS][DISPLAY_COLUMNS] = {
#define DISPLAY(identifier, word, first, word2, second, word3, third, help)                                  \
    [DISPLAY_##identifier] = {"", word2, word3},
#include "plan/displays.def"
#undef DISPLAY
    };
    const char *word = next_word(&text, arena);
    int kind = 0;
    while (kind < DISPLAY_FACTS && strcmp(word, display_words[kind]) != 0)
        kind++;
    *wrong = word;
    if (kind == DISPLAY_FACTS || kind == DISPLAY_TABLE || (kind == DISPLAY_FLAME) != is_tree(shape))
        return false;
    *display = (struct display){.kind = (enum display_kind)kind,
                                .columns = {shape->column_count, shape->column_count, shape->column_count},
                                .given = true};
    for (uint32_t i = 0; i < columns_needed(display->kind); i++) {
        if (i > 0 && strcmp(*wrong = next_word(&text, arena), between[kind][i]) != 0)
            return false;
        *wrong = next_word(&text, arena);
        uint32_t column = find_titled_column(shape, *wrong);
        if (column == shape->column_count || !column_fits(shape, column, needs[kind][i]))
            return false;
        display->columns[i] = column;
    }
    *wrong = next_word(&text, arena);
    return **wrong == 0;
}

struct display display_of(const struct shape *shape) {
    struct display display = {.columns = {shape->column_count, shape->column_count, shape->column_count}};
    display.given = read_given(shape, &display);
    if (!display.given)
        choose_by_rules(shape, &display);
    return display;
}

json_t *display_json(const struct shape *shape) {
    struct display display = display_of(shape);
    json_t *columns = json_array();
    for (uint32_t i = 0; i < columns_needed(display.kind); i++)
        json_array_append_new(columns, json_integer(display.columns[i]));
    return json_pack("{s: s, s: o, s: b}", "kind", display_words[display.kind], "columns", columns, "given",
                     display.given);
}
