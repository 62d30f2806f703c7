/* store.c: see store.h. Files are read once, into a transaction each; texts are kept once. */
#include "results/store.h"

#include <sha2.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "results_schema.h" /* generated: static const char results_schema[] */

/* Texts repeat: procedures, files. By hash; another takes the place. */
enum { KNOWN_TEXTS = 1 << 14, LONGEST_KNOWN = 200 };
struct known_text {
    char *text;
    int64_t number;
};

static bool database_failed(struct store *store) {
    if (!store->failed)
        diagnose(store->diagnostics, NULL, MESSAGE_DATABASE, store->path ? store->path : "the database",
                 sqlite3_errmsg(store->database));
    store->failed = true;
    return false;
}

bool store_execute(struct store *store, const char *sql) {
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK || database_failed(store);
}

sqlite3_stmt *store_prepare(struct store *store, const char *sql) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) != SQLITE_OK)
        database_failed(store);
    return statement;
}

static bool step_once(struct store *store, sqlite3_stmt *statement) {
    bool good = statement && sqlite3_step(statement) == SQLITE_DONE;
    if (!good)
        database_failed(store);
    sqlite3_reset(statement);
    return good;
}

static bool has_version(struct store *store) {
    sqlite3_stmt *ask = store_prepare(store, "PRAGMA application_id");
    int64_t id = ask && sqlite3_step(ask) == SQLITE_ROW ? sqlite3_column_int64(ask, 0) : -1;
    sqlite3_finalize(ask);
    ask = store->failed ? NULL : store_prepare(store, "SELECT count(*) FROM sqlite_schema");
    int64_t tables = ask && sqlite3_step(ask) == SQLITE_ROW ? sqlite3_column_int64(ask, 0) : -1;
    sqlite3_finalize(ask);
    if (store->failed || id == 0x61746d63 || (id == 0 && tables == 0))
        return !store->failed;
    diagnose(store->diagnostics, NULL, MESSAGE_DATABASE, store->path, "it holds other tables");
    store->failed = true;
    return false;
}

bool store_open(struct store *store, const char *path, struct diagnostics *diagnostics) {
    *store = (struct store){.path = path, .diagnostics = diagnostics, .arena = arena_create()};
    store->texts = arena_allocate(store->arena, KNOWN_TEXTS * sizeof *store->texts);
    if (sqlite3_open(path ? path : ":memory:", &store->database) != SQLITE_OK)
        return database_failed(store);
    sqlite3_busy_timeout(store->database, 60000);
    if (!has_version(store) || !store_execute(store, results_schema))
        return false;
    store->insert_text = store_prepare(store, "INSERT INTO text(value) VALUES(?1)");
    store->find_text = store_prepare(store, "SELECT id FROM text WHERE value = ?1");
    return store->insert_text && store->find_text;
}

void store_close(struct store *store) {
    for (uint32_t i = 0; i < store->shape_count; i++)
        json_decref(store->shapes[i].header);
    for (size_t i = 0; store->texts && i < KNOWN_TEXTS; i++)
        free(store->texts[i].text);
    sqlite3_finalize(store->insert_text);
    sqlite3_finalize(store->find_text);
    sqlite3_finalize(store->read_text);
    sqlite3_close(store->database);
    arena_destroy(store->arena);
}

/* ---- texts -------------------------------------------------------------------------------------------- */

static int64_t find_or_add_text(struct store *store, const char *text) {
    int64_t number = 0;
    sqlite3_bind_text(store->find_text, 1, text, -1, SQLITE_STATIC);
    if (sqlite3_step(store->find_text) == SQLITE_ROW)
        number = sqlite3_column_int64(store->find_text, 0);
    sqlite3_reset(store->find_text);
    if (number)
        return number;
    sqlite3_bind_text(store->insert_text, 1, text, -1, SQLITE_STATIC);
    step_once(store, store->insert_text);
    return sqlite3_last_insert_rowid(store->database);
}

static int64_t text_number(struct store *store, const char *text) {
    uint32_t hash = 2166136261u;
    size_t length = 0;
    for (; text[length]; length++)
        hash = (hash ^ (unsigned char)text[length]) * 16777619u;
    struct known_text *known = &store->texts[hash % KNOWN_TEXTS];
    if (known->text && strcmp(known->text, text) == 0)
        return known->number;
    int64_t number = find_or_add_text(store, text);
    if (length <= LONGEST_KNOWN) {
        free(known->text);
        *known = (struct known_text){duplicate_string(text), number};
    }
    return number;
}

/* ---- shapes ------------------------------------------------------------------------------------------- */

/* What must be equal. */
static json_t *shape_header(const struct rows *rows) {
    static const char *const keys[] = {"rows", "tool", "report", "parameters", "columns"};
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
        shape->columns[i].title = arena_format(store->arena, "%s", from->title);
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
        good = step_once(store, insert);
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

/* The shape of the file; it is added if there is none. store->shape_count: an error. */
static uint32_t find_shape(struct store *store, const struct rows *rows) {
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
        good = step_once(store, insert);
        shape->id = sqlite3_last_insert_rowid(store->database);
        sqlite3_finalize(insert);
        good = good && add_columns(store, shape) && make_data_table(store, shape);
    }
    free(text);
    if (!good) {
        json_decref(header);
        return store->shape_count;
    }
    return store->shape_count++;
}

/* ---- rows --------------------------------------------------------------------------------------------- */

static sqlite3_stmt *row_insert(struct store *store, const struct shape *shape) {
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    fprintf(stream, "INSERT INTO data_%lld VALUES(?1, ?2", (long long)shape->id);
    for (uint32_t i = 0; i < shape->column_count; i++)
        fprintf(stream, ", ?%u", i + 3);
    fputc(')', stream);
    fclose(stream);
    sqlite3_stmt *insert = store_prepare(store, sql);
    free(sql);
    return insert;
}

static bool add_rows(struct store *store, struct rows *rows, const struct shape *shape, int64_t report) {
    sqlite3_stmt *insert = row_insert(store, shape);
    const union row_value *values;
    bool good = insert != NULL;
    while (good && (values = rows_next(rows))) {
        sqlite3_bind_int64(insert, 1, report);
        sqlite3_bind_int64(insert, 2, (int64_t)rows->row_count);
        for (uint32_t i = 0; i < rows->column_count; i++) {
            if (rows->missing[i])
                sqlite3_bind_null(insert, (int)i + 3);
            else if (rows->columns[i].type == ROW_TEXT)
                sqlite3_bind_int64(insert, (int)i + 3, text_number(store, values[i].text));
            else if (rows->columns[i].type == ROW_REAL)
                sqlite3_bind_double(insert, (int)i + 3, values[i].real);
            else
                sqlite3_bind_int64(insert, (int)i + 3, values[i].integer);
        }
        good = step_once(store, insert) && !store->failed;
    }
    sqlite3_finalize(insert);
    return good && rows_are_whole(rows);
}

static int64_t add_report(struct store *store, const struct rows *rows, const struct shape *shape,
                          int64_t run) {
    sqlite3_stmt *insert =
        store_prepare(store, "INSERT INTO report(run, process, parent, program, program_digest, "
                             "shape, rows) VALUES(?1, ?2, ?3, ?4, ?5, ?6, 0)");
    if (!insert)
        return 0;
    sqlite3_bind_int64(insert, 1, run);
    sqlite3_bind_int64(insert, 2, rows->process);
    sqlite3_bind_int64(insert, 3, rows->parent);
    sqlite3_bind_text(insert, 4, rows->program, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 5, rows->program_digest, -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 6, shape->id);
    bool good = step_once(store, insert);
    sqlite3_finalize(insert);
    return good ? sqlite3_last_insert_rowid(store->database) : 0;
}

static bool set_row_count(struct store *store, int64_t report, uint64_t rows) {
    sqlite3_stmt *update = store_prepare(store, "UPDATE report SET rows = ?2 WHERE id = ?1");
    if (!update)
        return false;
    sqlite3_bind_int64(update, 1, report);
    sqlite3_bind_int64(update, 2, (int64_t)rows);
    bool good = step_once(store, update);
    sqlite3_finalize(update);
    return good;
}

bool store_add(struct store *store, const char *path, int64_t run, int64_t *report, uint32_t *shape) {
    struct rows rows;
    bool good = rows_open(&rows, path, store->diagnostics) && store_execute(store, "SAVEPOINT file");
    uint32_t shapes = store->shape_count;
    if (good) {
        *shape = find_shape(store, &rows);
        good = *shape < store->shape_count;
        *report = good ? add_report(store, &rows, &store->shapes[*shape], run) : 0;
        good = *report && add_rows(store, &rows, &store->shapes[*shape], *report) &&
               set_row_count(store, *report, rows.row_count);
        if (!good) {
            sqlite3_exec(store->database, "ROLLBACK TO file", NULL, NULL, NULL);
            for (size_t i = 0; i < KNOWN_TEXTS; i++) {
                free(store->texts[i].text);
                store->texts[i].text = NULL;
            }
            while (store->shape_count > shapes)
                json_decref(store->shapes[--store->shape_count].header);
        }
        store_execute(store, "RELEASE file");
    }
    rows_close(&rows);
    return good && !store->failed;
}

int64_t store_run(struct store *store, const char *key, const char *name, bool *is_new) {
    sqlite3_stmt *find = store_prepare(store, "SELECT id FROM run WHERE key = ?1");
    int64_t run = 0;
    if (!find)
        return 0;
    sqlite3_bind_text(find, 1, key, -1, SQLITE_STATIC);
    if (sqlite3_step(find) == SQLITE_ROW)
        run = sqlite3_column_int64(find, 0);
    sqlite3_finalize(find);
    *is_new = run == 0;
    if (run)
        return run;
    sqlite3_stmt *insert = store_prepare(store, "INSERT INTO run(key, name) VALUES(?1, ?2)");
    if (!insert)
        return 0;
    sqlite3_bind_text(insert, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, name, -1, SQLITE_STATIC);
    bool good = step_once(store, insert);
    sqlite3_finalize(insert);
    return good ? sqlite3_last_insert_rowid(store->database) : 0;
}

const char *store_text(struct store *store, int64_t number) {
    if (!store->read_text)
        store->read_text = store_prepare(store, "SELECT value FROM text WHERE id = ?1");
    if (!store->read_text)
        return "";
    sqlite3_reset(store->read_text);
    sqlite3_bind_int64(store->read_text, 1, number);
    return sqlite3_step(store->read_text) == SQLITE_ROW
               ? (const char *)sqlite3_column_text(store->read_text, 0)
               : "";
}

/* ---- views -------------------------------------------------------------------------------------------- */

/* In double quotes, as SQL has it. */
static void put_name(FILE *stream, const char *first, const char *second) {
    fputc('"', stream);
    for (const char *at = first; *at; at++)
        fputs(*at == '"' ? "\"\"" : (const char[]){*at, '\0'}, stream);
    for (const char *at = second; *at; at++)
        fputs(*at == '"' ? "\"\"" : (const char[]){*at, '\0'}, stream);
    fputc('"', stream);
}

/* Is the title that of a column before it, too? Views have each once. */
static bool is_repeated(const struct shape *shape, uint32_t column) {
    for (uint32_t i = 0; i < column; i++)
        if (sqlite3_stricmp(shape->columns[i].title, shape->columns[column].title) == 0)
            return true;
    return false;
}

static bool make_view(struct store *store, const struct shape *shape) {
    char *sql = NULL, *name = format_string("%s %s %lld", shape->tool, shape->report, (long long)shape->id);
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    fputs("DROP VIEW IF EXISTS ", stream);
    put_name(stream, name, "");
    fputs("; CREATE VIEW ", stream);
    put_name(stream, name, "");
    fputs(" AS SELECT report.run AS run, report.process AS process, report.program AS program", stream);
    for (uint32_t i = 0; i < shape->column_count; i++) {
        const struct row_column *column = &shape->columns[i];
        char *number = is_repeated(shape, i) ? format_string(" (%u)", i) : duplicate_string("");
        char *title = format_string("%s%s%s", column->title, column->hidden ? " (hidden)" : "", number);
        if (column->type == ROW_TEXT)
            fprintf(stream, ", (SELECT value FROM text WHERE id = c%u) AS ", i);
        else
            fprintf(stream, ", c%u AS ", i);
        put_name(stream, title, "");
        if (column->type == ROW_ADDRESS) {
            fprintf(stream, ", printf('0x%%x', c%u) AS ", i);
            put_name(stream, title, " hex");
        }
        free(title);
        free(number);
    }
    fprintf(stream, " FROM data_%lld JOIN report ON report.id = report", (long long)shape->id);
    fclose(stream);
    bool good = store_execute(store, sql);
    free(sql);
    free(name);
    return good;
}

bool store_make_views(struct store *store) {
    bool good = true;
    for (uint32_t i = 0; i < store->shape_count && good; i++)
        good = make_view(store, &store->shapes[i]);
    return good;
}
