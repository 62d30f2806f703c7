/* shapes.c: see store.h. Stores the common properties of reports as a shape. Each shape has a table of data
   and a view. */
#include <sha2.h>
#include <stdlib.h>
#include <string.h>

#include "runs/results/store.h"

/* The properties that must be equal. */
static json_t *shape_header(const struct rows *rows) {
    static const char *const keys[] = {"rows",  "tool",   "report",     "places", "columns",
                                       "where", "sorted", "descending", "top",    "display"};
    json_t *header = json_object();
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        json_t *value = json_object_get(rows->header, keys[i]);
        if (value)
            json_object_set(header, keys[i], value);
    }
    return header;
}

static void copy_columns(struct store *store, struct shape *shape, const struct rows *rows) {
    shape->columns = arena_allocate(store->arena, rows->column_count * sizeof *shape->columns);
    shape->column_count = rows->column_count;
    for (uint32_t i = 0; i < rows->column_count; i++) {
        const struct row_column *from = &rows->columns[i];
        shape->columns[i] = *from;
        shape->columns[i].title = arena_format(store->arena, "%s", shown_text(store->arena, from->title));
        shape->columns[i].unit = arena_format(store->arena, "%s", from->unit);
        shape->columns[i].attribute = arena_format(store->arena, "%s", from->attribute);
    }
}

static bool add_columns(struct store *store, const struct shape *shape) {
    sqlite3_stmt *insert =
        store_prepare(store, "INSERT INTO shape_column VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
    bool good = insert != NULL;
    for (uint32_t i = 0; i < shape->column_count && good; i++) {
        const struct row_column *column = &shape->columns[i];
        sqlite3_bind_int64(insert, 1, shape->id);
        sqlite3_bind_int64(insert, 2, i);
        sqlite3_bind_text(insert, 3, column->title, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 4, row_type_words[column->type], -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 5, column->unit, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 6, column->attribute, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 7, row_role_words[column->role], -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 8, row_merge_words[column->merge], -1, SQLITE_STATIC);
        sqlite3_bind_null(insert, 9);
        sqlite3_bind_null(insert, 10);
        if (column->merge == ROW_SHARE || column->merge == ROW_RATIO)
            sqlite3_bind_int64(insert, 9, column->of[0]);
        if (column->merge == ROW_RATIO)
            sqlite3_bind_int64(insert, 10, column->of[1]);
        sqlite3_bind_int(insert, 11, column->hidden);
        good = store_step(store, insert);
    }
    sqlite3_finalize(insert);
    return good;
}

static bool make_data_table(struct store *store, const struct shape *shape) {
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    fprintf(stream, "CREATE TABLE data_%lld(report INTEGER NOT NULL, row INTEGER NOT NULL",
            (long long)shape->id);
    for (uint32_t i = 0; i < shape->column_count; i++)
        fprintf(stream, ", c%u %s", i, shape->columns[i].type == ROW_REAL ? "REAL" : "INTEGER");
    fputs(", PRIMARY KEY(report, row)) STRICT, WITHOUT ROWID", stream);
    fclose(stream);
    bool good = store_execute(store, sql);
    free(sql);
    return good;
}

/* ---- rows that stand for all others ------------------------------------------------------------------- */

static const char whole_name[] = "all";

bool shape_whole(const struct shape *shape, uint32_t *name, uint32_t *address) {
    *name = *address = shape->column_count;
    for (uint32_t i = shape->column_count; i-- > 0;) {
        const struct row_column *column = &shape->columns[i];
        if (column->role == ROW_NODE)
            return false;
        if (column->type == ROW_ADDRESS && !column->hidden)
            *address = i;
        if (column->type == ROW_TEXT && strcmp(column->title, "Procedure") == 0)
            *name = i;
    }
    return *name < shape->column_count && *address < shape->column_count;
}

bool is_whole_row(const char *name, int64_t address) {
    return address == 0 && strcmp(name, whole_name) == 0;
}

void shape_write_parts(const struct shape *shape, FILE *stream) {
    uint32_t name, address;
    if (shape_whole(shape, &name, &address))
        fprintf(stream, "(c%u IS NOT 0 OR ifnull((SELECT value FROM text WHERE id = c%u), '') <> '%s')",
                address, name, whole_name);
    else
        fputc('1', stream);
}

/* ---- what may be added --------------------------------------------------------------------------------- */

bool is_kind(const struct row_column *column) {
    return (column->type == ROW_TEXT || is_time(column)) && strcmp(column->unit, "kind") == 0;
}

bool is_time(const struct row_column *column) {
    return strcmp(column->attribute, "$every") == 0;
}

const struct row_column *shape_time(const struct shape *shape) {
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (is_time(&shape->columns[i]))
            return &shape->columns[i];
    return NULL;
}

bool is_inclusive(const struct row_column *column) {
    return strcmp(column->attribute, "$inclusive") == 0;
}

void shape_write_addable(const struct shape *shape, uint32_t column, FILE *stream) {
    fputs(is_inclusive(&shape->columns[column]) ? "count(*) <= 1" : "1", stream);
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (is_kind(&shape->columns[i]))
            fprintf(stream, " AND count(DISTINCT c%u) <= 1", i);
}

/* ---- views -------------------------------------------------------------------------------------------- */

/* The name in double quotes, as SQL requires. */
static void put_sql_name(FILE *stream, const char *first, const char *second) {
    fputc('"', stream);
    for (const char *at = first; *at; at++)
        fputs(*at == '"' ? "\"\"" : (const char[]){*at, '\0'}, stream);
    for (const char *at = second; *at; at++)
        fputs(*at == '"' ? "\"\"" : (const char[]){*at, '\0'}, stream);
    fputc('"', stream);
}

/* True if an earlier column has the same title. Views have each title once. */
static bool is_repeated(const struct shape *shape, uint32_t column) {
    for (uint32_t i = 0; i < column; i++)
        if (sqlite3_stricmp(shape->columns[i].title, shape->columns[column].title) == 0)
            return true;
    return false;
}

static char *view_name(const struct shape *shape) {
    return format_string("%s %s %lld", shape->tool, shape->report, (long long)shape->id);
}

/* CREATE VIEW for the partial rows, or for total rows, each of which is the sum of the other rows. */
static void write_view(const struct shape *shape, bool wholes, FILE *stream) {
    char *name = view_name(shape);
    fputs(wholes ? "CREATE VIEW IF NOT EXISTS " : "CREATE VIEW ", stream);
    put_sql_name(stream, name, wholes ? " all" : "");
    free(name);
    fputs(" AS SELECT report.run AS run, report.process AS process, program.name AS program", stream);
    for (uint32_t i = 0; i < shape->column_count; i++) {
        const struct row_column *column = &shape->columns[i];
        char *number = is_repeated(shape, i) ? format_string(" (%u)", i) : duplicate_string("");
        char *title = format_string("%s%s%s", column->title, column->hidden ? " (hidden)" : "", number);
        if (column->type == ROW_TEXT)
            fprintf(stream, ", (SELECT value FROM text WHERE id = c%u) AS ", i);
        else
            fprintf(stream, ", c%u AS ", i);
        put_sql_name(stream, title, "");
        if (column->type == ROW_ADDRESS) {
            fprintf(stream, ", printf('0x%%x', c%u) AS ", i);
            put_sql_name(stream, title, " hex");
        }
        free(title);
        free(number);
    }
    fprintf(stream,
            " FROM data_%lld JOIN report ON report.id = report JOIN program ON program.id = report.program "
            "WHERE ",
            (long long)shape->id);
    fputs(wholes ? "NOT " : "", stream);
    shape_write_parts(shape, stream);
    fputc(';', stream);
}

/* Also creates the trigger that removes a report's rows when the report is removed. */
static bool make_view(struct store *store, const struct shape *shape) {
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    write_view(shape, false, stream);
    fprintf(stream,
            "CREATE TRIGGER IF NOT EXISTS delete_%lld AFTER DELETE ON report WHEN old.shape = %lld BEGIN "
            "DELETE FROM data_%lld WHERE report = old.id; END",
            (long long)shape->id, (long long)shape->id, (long long)shape->id);
    fclose(stream);
    bool good = store_execute(store, sql);
    free(sql);
    return good;
}

bool store_make_view_of_wholes(struct store *store, const struct shape *shape) {
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    write_view(shape, true, stream);
    fclose(stream);
    bool good = store_execute(store, sql);
    free(sql);
    return good;
}

/* ---- shapes ---- */

uint32_t store_find_shape(struct store *store, const struct rows *rows) {
    json_t *header = shape_header(rows);
    for (uint32_t i = 0; i < store->shape_count; i++)
        if (json_equal(store->shapes[i].header, header)) {
            json_decref(header);
            return i;
        }
    char *text = json_dumps(header, JSON_COMPACT | JSON_SORT_KEYS), digest[SHA256_DIGEST_STRING_LENGTH];
    SHA256Data((const uint8_t *)text, strlen(text), digest);
    ARENA_RESERVE(store->arena, store->shapes, store->shape_count, store->shape_capacity);
    struct shape *shape = &store->shapes[store->shape_count];
    *shape = (struct shape){.tool = arena_format(store->arena, "%s", rows->tool),
                            .report = arena_format(store->arena, "%s", rows->report),
                            .header = header};
    copy_columns(store, shape, rows);
    sqlite3_stmt *find = store_prepare(store, "SELECT id FROM shape WHERE digest = ?1");
    sqlite3_bind_text(find, 1, digest, -1, SQLITE_STATIC);
    bool there = find && sqlite3_step(find) == SQLITE_ROW;
    shape->id = there ? sqlite3_column_int64(find, 0) : 0;
    sqlite3_finalize(find);
    sqlite3_stmt *insert =
        there
            ? NULL
            : store_prepare(store, "INSERT INTO shape(digest, tool, report, header) VALUES(?1, ?2, ?3, ?4)");
    bool good = there;
    if (insert) {
        sqlite3_bind_text(insert, 1, digest, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 2, shape->tool, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 3, shape->report, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 4, text, -1, SQLITE_STATIC);
        good = store_step(store, insert);
        shape->id = sqlite3_last_insert_rowid(store->database);
        sqlite3_finalize(insert);
        good = good && add_columns(store, shape) && make_data_table(store, shape) && make_view(store, shape);
    }
    free(text);
    if (!good) {
        json_decref(header);
        return store->shape_count;
    }
    return store->shape_count++;
}

static unsigned word_in(const char *word, const char *const *words, unsigned count) {
    unsigned i = 0;
    while (i + 1 < count && strcmp(word, words[i]) != 0)
        i++;
    return i;
}

/* The shape's columns, as add_columns() wrote them. */
static bool read_shape_columns(struct store *store, struct shape *shape) {
    uint32_t capacity = 0;
    sqlite3_stmt *list = store_prepare(store, "SELECT title, type, unit, attribute, role, merge, "
                                              "ifnull(numerator, 0), ifnull(denominator, 0), hidden "
                                              "FROM shape_column WHERE shape = ?1 ORDER BY number");
    if (!list)
        return false;
    sqlite3_bind_int64(list, 1, shape->id);
    while (sqlite3_step(list) == SQLITE_ROW) {
        const char *words[6];
        for (int i = 0; i < 6; i++)
            words[i] = (const char *)sqlite3_column_text(list, i);
        ARENA_RESERVE(store->arena, shape->columns, shape->column_count, capacity);
        shape->columns[shape->column_count++] = (struct row_column){
            .title = arena_format(store->arena, "%s", words[0]),
            .type = (enum row_type)word_in(words[1], row_type_words, ROW_TYPES),
            .unit = arena_format(store->arena, "%s", words[2]),
            .attribute = arena_format(store->arena, "%s", words[3]),
            .role = (enum row_role)word_in(words[4], row_role_words, ROW_ROLES),
            .merge = (enum row_merge)word_in(words[5], row_merge_words, ROW_MERGES),
            .of = {(uint32_t)sqlite3_column_int64(list, 6), (uint32_t)sqlite3_column_int64(list, 7)},
            .hidden = sqlite3_column_int(list, 8) != 0};
    }
    sqlite3_finalize(list);
    return shape->column_count > 0;
}

uint32_t store_shape(struct store *store, int64_t id) {
    for (uint32_t i = 0; i < store->shape_count; i++)
        if (store->shapes[i].id == id)
            return i;
    sqlite3_stmt *find = store_prepare(store, "SELECT tool, report, header FROM shape WHERE id = ?1");
    struct shape shape = {.id = id};
    if (find)
        sqlite3_bind_int64(find, 1, id);
    if (find && sqlite3_step(find) == SQLITE_ROW) {
        shape.tool = arena_format(store->arena, "%s", (const char *)sqlite3_column_text(find, 0));
        shape.report = arena_format(store->arena, "%s", (const char *)sqlite3_column_text(find, 1));
        shape.header = json_loads((const char *)sqlite3_column_text(find, 2), 0, NULL);
    }
    sqlite3_finalize(find);
    if (!shape.header || !read_shape_columns(store, &shape)) {
        json_decref(shape.header);
        return store->shape_count;
    }
    ARENA_RESERVE(store->arena, store->shapes, store->shape_count, store->shape_capacity);
    store->shapes[store->shape_count] = shape;
    return store->shape_count++;
}

/* The numbers of all shapes, in the store's arena. */
static int64_t *all_shapes(struct store *store, uint32_t *count) {
    sqlite3_stmt *list = store_prepare(store, "SELECT id FROM shape");
    int64_t *shapes = NULL;
    uint32_t capacity = 0;
    *count = 0;
    while (list && sqlite3_step(list) == SQLITE_ROW) {
        ARENA_RESERVE(store->arena, shapes, *count, capacity);
        shapes[(*count)++] = sqlite3_column_int64(list, 0);
    }
    sqlite3_finalize(list);
    return shapes;
}

static bool drop_views(struct store *store, const struct shape *shape) {
    char *name = view_name(shape), *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    for (int wholes = 0; wholes < 2; wholes++) {
        fputs("DROP VIEW IF EXISTS ", stream);
        put_sql_name(stream, name, wholes ? " all" : "");
        fputc(';', stream);
    }
    fclose(stream);
    bool good = store_execute(store, sql);
    free(sql);
    free(name);
    return good;
}

/* True if a report of it has a total row. */
static bool has_whole(struct store *store, const struct shape *shape) {
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    fprintf(stream, "SELECT 1 FROM data_%lld WHERE NOT ", (long long)shape->id);
    shape_write_parts(shape, stream);
    fputs(" LIMIT 1", stream);
    fclose(stream);
    sqlite3_stmt *find = store_prepare(store, sql);
    bool has = find && sqlite3_step(find) == SQLITE_ROW;
    sqlite3_finalize(find);
    free(sql);
    return has;
}

bool store_renew_views(struct store *store) {
    uint32_t count;
    int64_t *shapes = all_shapes(store, &count);
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
        uint32_t shape = store_shape(store, shapes[i]);
        good = shape < store->shape_count && drop_views(store, &store->shapes[shape]) &&
               make_view(store, &store->shapes[shape]) &&
               (!has_whole(store, &store->shapes[shape]) ||
                store_make_view_of_wholes(store, &store->shapes[shape]));
    }
    return good;
}
