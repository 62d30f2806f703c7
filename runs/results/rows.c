/* rows.c: reads files of rows, a line at a time. Rejects files that are incomplete or contradict their
   header. */
#include "runs/results/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_VERSION = 1 };
const char *const row_type_words[] = {"text", "integer", "real", "address"};
const char *const row_role_words[] = {"key", "label", "measure", "node", "parent"};
const char *const row_merge_words[] = {"same", "sum", "least", "greatest", "share", "ratio", "none"};

static bool report_wrong_rows(struct rows *rows, const char *what) {
    diagnose(rows->diagnostics, NULL, MESSAGE_ROWS_WRONG, rows->path, rows->row_count + 1, what);
    return false;
}

/* The number of the word; `count` if it is unknown. */
static unsigned member_word(json_t *object, const char *key, const char *const *words, unsigned count) {
    const char *word = json_string_value(json_object_get(object, key));
    unsigned i = 0;
    while (i < count && (!word || strcmp(word, words[i]) != 0))
        i++;
    return i;
}

static const char *member_text(json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool read_column(json_t *object, struct row_column *column, uint32_t count) {
    json_t *of = json_object_get(object, "of");
    unsigned type = member_word(object, "type", row_type_words, ROW_TYPES);
    unsigned role = member_word(object, "role", row_role_words, ROW_ROLES);
    unsigned merge = member_word(object, "merge", row_merge_words, ROW_MERGES);
    column->title = member_text(object, "title");
    column->unit = member_text(object, "unit");
    column->attribute = member_text(object, "attribute");
    column->type = (enum row_type)type;
    column->role = (enum row_role)role;
    column->merge = (enum row_merge)merge;
    column->hidden = json_is_true(json_object_get(object, "hidden"));
    size_t parts = merge == ROW_SHARE ? 1 : merge == ROW_RATIO ? 2 : 0;
    if (type == ROW_TYPES || role == ROW_ROLES || merge == ROW_MERGES || json_array_size(of) != parts)
        return false;
    for (size_t i = 0; i < parts; i++) {
        json_int_t part = json_integer_value(json_array_get(of, i));
        if (!json_is_integer(json_array_get(of, i)) || part < 0 || part >= count)
            return false;
        column->of[i] = (uint32_t)part;
    }
    return (type != ROW_TEXT && type != ROW_ADDRESS) || merge == ROW_SAME || merge == ROW_NONE;
}

bool row_tree(const struct row_column *columns, uint32_t count, uint32_t *node, uint32_t *parent) {
    *node = *parent = count;
    for (uint32_t i = count; i-- > 0;) {
        if (columns[i].role == ROW_NODE)
            *node = i;
        if (columns[i].role == ROW_PARENT)
            *parent = i;
    }
    return *node < count && *parent < count;
}

/* A tree has one column of nodes and one of parents; other tables have neither. */
static bool find_tree(struct rows *rows) {
    uint32_t of_trees = 0;
    for (uint32_t i = 0; i < rows->column_count; i++)
        if (rows->columns[i].role == ROW_NODE || rows->columns[i].role == ROW_PARENT)
            of_trees += rows->columns[i].type == ROW_INTEGER ? 1 : 3;
    rows->is_tree = row_tree(rows->columns, rows->column_count, &rows->node, &rows->above);
    return of_trees == (rows->is_tree ? 2 : 0);
}

/* True if the row has valid numbers for a tree. */
static bool is_in_tree(const struct rows *rows) {
    int64_t node = rows->values[rows->node].integer, parent = rows->values[rows->above].integer;
    return !rows->missing[rows->node] && !rows->missing[rows->above] && node == (int64_t)rows->row_count &&
           parent >= 0 && parent < node;
}

/* The parts of shares and ratios add up. */
static bool parts_add_up(const struct rows *rows) {
    for (uint32_t i = 0; i < rows->column_count; i++) {
        const struct row_column *column = &rows->columns[i];
        unsigned parts = column->merge == ROW_SHARE ? 1 : column->merge == ROW_RATIO ? 2 : 0;
        for (unsigned k = 0; k < parts; k++)
            if (rows->columns[column->of[k]].merge != ROW_SUM)
                return false;
    }
    return true;
}

static bool read_header(struct rows *rows) {
    json_t *columns = json_object_get(rows->header, "columns"), *column;
    size_t i;
    if (json_integer_value(json_object_get(rows->header, "rows")) != ROWS_VERSION)
        return report_wrong_rows(rows, "the first line is not the header of rows, version 1");
    if (!json_is_array(columns) || json_array_size(columns) == 0 || json_array_size(columns) > 1000)
        return report_wrong_rows(rows, "the header has no columns");
    rows->tool = member_text(rows->header, "tool");
    rows->report = member_text(rows->header, "report");
    rows->program = member_text(rows->header, "program");
    rows->program_digest = member_text(rows->header, "program_digest");
    rows->process = json_integer_value(json_object_get(rows->header, "process"));
    rows->parent = json_integer_value(json_object_get(rows->header, "parent"));
    rows->column_count = (uint32_t)json_array_size(columns);
    rows->columns = arena_allocate(rows->arena, rows->column_count * sizeof *rows->columns);
    rows->values = arena_allocate(rows->arena, rows->column_count * sizeof *rows->values);
    rows->missing = arena_allocate(rows->arena, rows->column_count * sizeof *rows->missing);
    json_array_foreach(columns, i, column) {
        if (!read_column(column, &rows->columns[i], rows->column_count))
            return report_wrong_rows(rows, "a column of the header has no type, role or merge that there is");
    }
    if (!find_tree(rows))
        return report_wrong_rows(rows,
                                 "a tree has one column of nodes and one of parents, which are integers");
    return parts_add_up(rows) ||
           report_wrong_rows(rows, "a share or a ratio is of columns that are not added");
}

/* NULL: there is no complete line, or the line is not JSON. */
static json_t *read_json_line(struct rows *rows) {
    ssize_t length = getline(&rows->line, &rows->line_size, rows->stream);
    if (length <= 0 || rows->line[length - 1] != '\n')
        return NULL;
    return json_loadb(rows->line, (size_t)length, JSON_REJECT_DUPLICATES, NULL);
}

/* True if the last line of a complete file is there. */
static bool has_end(FILE *stream) {
    static const char begin[] = "\n{\"end\":true,";
    char tail[80];
    size_t length = fseeko(stream, 1 - (off_t)sizeof tail, SEEK_END) == 0 || fseeko(stream, 0, SEEK_SET) == 0
                        ? fread(tail, 1, sizeof tail - 1, stream)
                        : 0;
    tail[length] = '\0';
    return length > 0 && tail[length - 1] == '\n' && strstr(tail, begin);
}

/* A process that was killed has written all rows of a time if there is a row of a later time. */
static void find_cut(struct rows *rows) {
    off_t begin = ftello(rows->stream);
    ssize_t length;
    if (strcmp(rows->columns[0].attribute, "$every") != 0 || rows->columns[0].type != ROW_INTEGER ||
        begin < 0)
        return;
    bool is_complete = has_end(rows->stream);
    fseeko(rows->stream, begin, SEEK_SET);
    if (is_complete)
        return;
    while ((length = getline(&rows->line, &rows->line_size, rows->stream)) > 0)
        if (rows->line[0] == '[' && rows->line[length - 1] == '\n') {
            rows->cut = strtoll(rows->line + 1, NULL, 10);
            rows->is_cut = true;
        }
    clearerr(rows->stream);
    fseeko(rows->stream, begin, SEEK_SET);
}

bool rows_open(struct rows *rows, const char *path, struct diagnostics *diagnostics) {
    *rows = (struct rows){.path = path, .diagnostics = diagnostics, .arena = arena_create()};
    rows->stream = fopen(path, "r");
    if (!rows->stream) {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_READ, path, strerror(errno));
        return false;
    }
    rows->header = read_json_line(rows);
    if (!json_is_object(rows->header))
        return report_wrong_rows(rows, "the first line is not the header of rows, version 1");
    if (!read_header(rows))
        return false;
    find_cut(rows);
    return true;
}

static bool read_address(json_t *value, int64_t *address) {
    const char *text = json_string_value(value);
    char *end;
    if (!text || strncmp(text, "0x", 2) != 0 || !text[2] || strlen(text) > 18)
        return false;
    *address = (int64_t)strtoull(text, &end, 16);
    return *end == '\0';
}

static bool read_row_value(json_t *json, enum row_type type, union row_value *value) {
    switch (type) {
    case ROW_TEXT:
        value->text = json_string_value(json);
        return value->text != NULL;
    case ROW_INTEGER:
        value->integer = json_integer_value(json);
        return json_is_integer(json);
    case ROW_REAL:
        value->real = json_number_value(json);
        return json_is_number(json);
    default:
        return read_address(json, &value->integer);
    }
}

/* True for the last line: it has the number of rows, and nothing follows it. */
static bool is_end(struct rows *rows) {
    json_t *count = json_object_get(rows->row, "rows");
    bool right = json_is_true(json_object_get(rows->row, "end")) && json_is_integer(count) &&
                 (uint64_t)json_integer_value(count) == rows->row_count;
    if (!right)
        return report_wrong_rows(rows, "neither a row nor the last line with the number of rows");
    return getc(rows->stream) == EOF || report_wrong_rows(rows, "text follows the last line");
}

/* Keys may be missing, and so may the least or greatest of no values. */
static bool may_be_missing(const struct row_column *column) {
    return column->role != ROW_MEASURE || column->merge == ROW_LEAST || column->merge == ROW_GREATEST;
}

const union row_value *rows_next(struct rows *rows) {
    json_decref(rows->row);
    rows->row = read_json_line(rows);
    if (!rows->row) {
        if (feof(rows->stream))
            diagnose(rows->diagnostics, NULL, MESSAGE_ROWS_CUT, rows->path);
        else
            report_wrong_rows(rows, "not JSON");
        return NULL;
    }
    if (json_is_object(rows->row)) {
        if (is_end(rows)) {
            fclose(rows->stream);
            rows->stream = NULL;
        }
        return NULL;
    }
    if (json_array_size(rows->row) != rows->column_count) {
        report_wrong_rows(rows, "a row has another number of values than there are columns");
        return NULL;
    }
    for (uint32_t i = 0; i < rows->column_count; i++) {
        json_t *value = json_array_get(rows->row, i);
        rows->missing[i] = json_is_null(value) && may_be_missing(&rows->columns[i]);
        if (!rows->missing[i] && !read_row_value(value, rows->columns[i].type, &rows->values[i])) {
            report_wrong_rows(rows, "a value is not of the type of its column");
            return NULL;
        }
    }
    if (rows->is_cut && rows->values[0].integer == rows->cut) {
        diagnose(rows->diagnostics, NULL, MESSAGE_ROWS_CUT_SERIES, rows->path, rows->columns[0].title,
                 (long long)rows->cut);
        fclose(rows->stream);
        rows->stream = NULL;
        return NULL;
    }
    rows->row_count++;
    if (rows->is_tree && !is_in_tree(rows)) {
        report_wrong_rows(rows, "nodes of a tree are numbered as their rows are, each after its parent");
        return NULL;
    }
    return rows->values;
}

bool rows_are_whole(const struct rows *rows) {
    return rows->stream == NULL && rows->header != NULL;
}

void rows_close(struct rows *rows) {
    if (rows->stream)
        fclose(rows->stream);
    json_decref(rows->row);
    json_decref(rows->header);
    free(rows->line);
    arena_destroy(rows->arena);
}
