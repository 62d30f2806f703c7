/* store.c: see store.h. A file is read once, in its own transaction; equal texts are stored once. */
#include "runs/results/store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#include "results_schema.h" /* generated: static const char results_schema[], results_upgrade_1[] ... */

/* A cache, because texts repeat: procedures, files. Indexed by hash; a new text replaces an old one. */
enum { KNOWN_TEXTS = 1 << 14, LONGEST_KNOWN = 200 };
struct known_text {
    char *text;
    int64_t number;
};

bool store_failed(struct store *store) {
    if (!store->failed)
        diagnose(store->diagnostics, NULL, MESSAGE_DATABASE, store->path ? store->path : "the database",
                 sqlite3_errmsg(store->database));
    if (!store->failed && strcmp(sqlite3_errmsg(store->database), "integer overflow") == 0)
        diagnose_hint(store->diagnostics, "a sum of these files' numbers has more than 64 bits");
    store->failed = true;
    return false;
}

bool store_execute(struct store *store, const char *sql) {
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK || store_failed(store);
}

sqlite3_stmt *store_prepare(struct store *store, const char *sql) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) != SQLITE_OK)
        store_failed(store);
    return statement;
}

bool store_step(struct store *store, sqlite3_stmt *statement) {
    bool good = statement && sqlite3_step(statement) == SQLITE_DONE;
    if (!good)
        store_failed(store);
    sqlite3_reset(statement);
    return good;
}

/* -1 after an error. */
static int64_t query_store_number(struct store *store, const char *sql) {
    sqlite3_stmt *ask = store->failed ? NULL : store_prepare(store, sql);
    int64_t number = -1;
    if (ask && sqlite3_step(ask) == SQLITE_ROW)
        number = sqlite3_column_int64(ask, 0);
    else
        store_failed(store);
    sqlite3_finalize(ask);
    return number;
}

static bool refuse_store(struct store *store, const char *why, const char *hint) {
    diagnose(store->diagnostics, NULL, MESSAGE_DATABASE, store->path, why);
    if (hint)
        diagnose_hint(store->diagnostics, "%s", hint);
    store->failed = true;
    return false;
}

/* From version 1 to version 2: the new tables are made beside the old ones, whose rows are copied. */
static bool upgrade_1(struct store *store) {
    return store_execute(store, "PRAGMA legacy_alter_table = ON;"
                                "ALTER TABLE text RENAME TO old_text;"
                                "ALTER TABLE run RENAME TO old_run;"
                                "ALTER TABLE shape RENAME TO old_shape;"
                                "ALTER TABLE shape_column RENAME TO old_shape_column;"
                                "ALTER TABLE report RENAME TO old_report;"
                                "PRAGMA legacy_alter_table = OFF;") &&
           store_execute(store, results_schema) && store_execute(store, results_upgrade_1) &&
           store_note_tools(store, 0) && store_renew_views(store);
}

/* The statement of the schema that begins so, with the semicolon at its end. */
static bool make_from_schema(struct store *store, const char *beginning) {
    const char *begin = strstr(results_schema, beginning), *end = begin ? strstr(begin, ";\n") : NULL;
    return end && store_execute(store, arena_string(store->arena, begin, (size_t)(end - begin) + 1));
}

/* Upgrades from version 2 to version 3: two tables and a view are new; a list of procedures is made again on
   its next use. After an upgrade from version 1, they exist already. */
static bool upgrade_2(struct store *store) {
    if (query_store_number(store, "SELECT count(*) FROM sqlite_schema WHERE name = 'compiled_in'") == 1)
        return true;
    return store_execute(store, results_upgrade_2) && make_from_schema(store, "CREATE TABLE compiled_in(") &&
           make_from_schema(store, "CREATE TABLE instruction(") &&
           make_from_schema(store, "CREATE VIEW place ") && store_execute(store, "PRAGMA user_version = 3");
}

/* From version 3 to version 4: views omit total rows. */
static bool upgrade_3(struct store *store) {
    return store_renew_views(store) && store_execute(store, "PRAGMA user_version = 4");
}

/* All changes are one transaction, because another process may make the same upgrade. */
static bool make_current(struct store *store) {
    static bool (*const upgrades[STORE_VERSION])(struct store *) = {NULL, upgrade_1, upgrade_2, upgrade_3};
    if (!store_execute(store, "BEGIN IMMEDIATE"))
        return false;
    int64_t version = query_store_number(store, "PRAGMA user_version");
    bool good = version > 0 || store_execute(store, results_schema);
    for (; version > 0 && version < STORE_VERSION && good; version++)
        good = upgrades[version](store);
    return store_execute(store, good ? "COMMIT" : "ROLLBACK") && good;
}

static bool has_version(struct store *store, enum store_use use) {
    int64_t id = query_store_number(store, "PRAGMA application_id");
    int64_t tables = query_store_number(store, "SELECT count(*) FROM sqlite_schema");
    int64_t version = query_store_number(store, "PRAGMA user_version");
    if (store->failed)
        return false;
    if (id != STORE_MARK && !(id == 0 && tables == 0 && use == STORE_WRITE))
        return refuse_store(store, tables ? "it holds other tables" : "it is empty", NULL);
    store->is_newer = version > STORE_VERSION;
    if (store->is_newer && use == STORE_WRITE)
        return refuse_store(store, "a newer atomc made it: this one can only read it", NULL);
    if (version < STORE_VERSION && use == STORE_READ)
        return refuse_store(store, "an older atomc made it",
                            "what writes to it, such as atomc collect, renews it");
    return version == STORE_VERSION || store->is_newer || make_current(store);
}

bool store_open(struct store *store, const char *path, enum store_use use, struct diagnostics *diagnostics) {
    store_attach(store, NULL, path, diagnostics);
    store->is_attached = false;
    int flags = use == STORE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (sqlite3_open_v2(path ? path : ":memory:", &store->database, flags, NULL) != SQLITE_OK)
        return store_failed(store);
    sqlite3_busy_timeout(store->database, 60000);
    return has_version(store, use) && store_execute(store, "PRAGMA foreign_keys = ON");
}

void store_attach(struct store *store, sqlite3 *database, const char *path, struct diagnostics *diagnostics) {
    *store = (struct store){.database = database,
                            .path = path,
                            .diagnostics = diagnostics,
                            .arena = arena_create(),
                            .is_attached = true};
}

/* True if processes on the file system share memory. On other file systems, SQLite's write-ahead log would
   corrupt the database. */
static bool is_local(const char *folder) {
    static const uint32_t others[] = {
        0x6969 /* NFS */,        0x517b /* SMB */,        0xff534d42 /* CIFS */, 0xfe534d42 /* SMB 2 */,
        0x0bd00bd0 /* Lustre */, 0x47504653 /* GPFS */,   0x65735546 /* FUSE */, 0x00c36400 /* Ceph */,
        0x5346414f /* AFS */,    0x19830326 /* BeeGFS */, 0x01021997 /* 9P */,   0xaad7aaea /* Panasas */};
    struct statfs status;
    if (statfs(folder, &status) != 0)
        return false;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if ((uint32_t)status.f_type == others[i])
            return false;
    return true;
}

bool store_share(struct store *store, bool *waits) {
    bool local = store->path && is_local(store_folder(store));
    *waits = !local;
    return store_execute(store, local ? "PRAGMA journal_mode = WAL" : "PRAGMA journal_mode = DELETE");
}

const char *store_folder(struct store *store) {
    const char *end = store->path ? strrchr(store->path, '/') : NULL;
    return end == store->path && end ? "/"
           : end                     ? arena_string(store->arena, store->path, (size_t)(end - store->path))
                                     : ".";
}

void store_close(struct store *store) {
    for (uint32_t i = 0; i < store->shape_count; i++)
        json_decref(store->shapes[i].header);
    for (size_t i = 0; store->texts && i < KNOWN_TEXTS; i++)
        free(store->texts[i].text);
    sqlite3_finalize(store->insert_text);
    sqlite3_finalize(store->find_text);
    sqlite3_finalize(store->read_text);
    if (!store->is_attached)
        sqlite3_close(store->database);
    arena_destroy(store->arena);
}

/* ---- texts -------------------------------------------------------------------------------------------- */

static int64_t find_or_add_text(struct store *store, const char *text) {
    int64_t number = 0;
    if (!store->insert_text) {
        store->insert_text = store_prepare(store, "INSERT INTO text(value) VALUES(?1)");
        store->find_text = store_prepare(store, "SELECT id FROM text WHERE value = ?1");
    }
    if (store->failed)
        return 0;
    sqlite3_bind_text(store->find_text, 1, text, -1, SQLITE_STATIC);
    if (sqlite3_step(store->find_text) == SQLITE_ROW)
        number = sqlite3_column_int64(store->find_text, 0);
    sqlite3_reset(store->find_text);
    if (number)
        return number;
    sqlite3_bind_text(store->insert_text, 1, text, -1, SQLITE_STATIC);
    store_step(store, store->insert_text);
    return sqlite3_last_insert_rowid(store->database);
}

int64_t store_text_number(struct store *store, const char *text) {
    uint32_t hash = 2166136261u;
    size_t length = 0;
    for (; text[length]; length++)
        hash = (hash ^ (unsigned char)text[length]) * 16777619u;
    if (!store->texts)
        store->texts = arena_allocate(store->arena, KNOWN_TEXTS * sizeof *store->texts);
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

static bool add_store_rows(struct store *store, struct rows *rows, const struct shape *shape,
                           int64_t report) {
    sqlite3_stmt *insert = row_insert(store, shape);
    const union row_value *values;
    uint32_t name, address;
    bool good = insert != NULL, has_wholes = shape_whole(shape, &name, &address), stands_for_all = false;
    while (good && (values = rows_next(rows))) {
        sqlite3_bind_int64(insert, 1, report);
        sqlite3_bind_int64(insert, 2, (int64_t)rows->row_count);
        for (uint32_t i = 0; i < rows->column_count; i++) {
            if (rows->missing[i])
                sqlite3_bind_null(insert, (int)i + 3);
            else if (rows->columns[i].type == ROW_TEXT)
                sqlite3_bind_int64(insert, (int)i + 3, store_text_number(store, values[i].text));
            else if (rows->columns[i].type == ROW_REAL)
                sqlite3_bind_double(insert, (int)i + 3, values[i].real);
            else
                sqlite3_bind_int64(insert, (int)i + 3, values[i].integer);
        }
        stands_for_all |= has_wholes && !rows->missing[name] && !rows->missing[address] &&
                          is_whole_row(values[name].text, values[address].integer);
        good = store_step(store, insert) && !store->failed;
    }
    sqlite3_finalize(insert);
    return good && rows_are_whole(rows) && (!stands_for_all || store_make_view_of_wholes(store, shape));
}

/* Reads the number in TOOL.NUMBER.rows; for a child, TOOL.NUMBER.rows.1.2. 0: the name has another form. */
static int64_t number_in(const char *path) {
    const char *end = strstr(path, ".rows"), *next;
    while (end && (next = strstr(end + 1, ".rows")))
        end = next;
    const char *at = end;
    while (at && at > path && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return at && at < end && at > path && at[-1] == '.' ? strtol(at, NULL, 10) : 0;
}

/* The run's program, even if the database has it under another name, or else the program that the rows
   name. */
static int64_t program_of_report(struct store *store, const struct rows *rows, int64_t run) {
    sqlite3_stmt *find =
        store_prepare(store, "SELECT program.id FROM run JOIN program ON program.id = run.program "
                             "WHERE run.id = ?1 AND program.digest = ?2");
    int64_t program = 0;
    if (!find)
        return 0;
    sqlite3_bind_int64(find, 1, run);
    sqlite3_bind_text(find, 2, rows->program_digest, -1, SQLITE_STATIC);
    if (sqlite3_step(find) == SQLITE_ROW)
        program = sqlite3_column_int64(find, 0);
    sqlite3_finalize(find);
    return program ? program : store_program(store, rows->program, rows->program_digest);
}

static int64_t add_report(struct store *store, const struct rows *rows, const struct shape *shape,
                          int64_t run) {
    int64_t program = program_of_report(store, rows, run);
    sqlite3_stmt *insert = store_prepare(
        store, "INSERT INTO report(run, process, parent, number, program, parameters, shape, rows) "
               "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, 0)");
    if (!insert || !program)
        return 0;
    json_t *said = json_object_get(rows->header, "parameters");
    char *parameters = json_is_object(said) ? json_dumps(said, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    sqlite3_bind_int64(insert, 1, run);
    sqlite3_bind_int64(insert, 2, rows->process);
    sqlite3_bind_int64(insert, 3, rows->parent);
    sqlite3_bind_int64(insert, 4, number_in(rows->path));
    sqlite3_bind_int64(insert, 5, program);
    sqlite3_bind_text(insert, 6, parameters ? parameters : "{}", -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 7, shape->id);
    bool good = store_step(store, insert);
    sqlite3_finalize(insert);
    free(parameters);
    return good ? sqlite3_last_insert_rowid(store->database) : 0;
}

static bool set_row_count(struct store *store, int64_t report, uint64_t rows) {
    sqlite3_stmt *update = store_prepare(store, "UPDATE report SET rows = ?2 WHERE id = ?1");
    if (!update)
        return false;
    sqlite3_bind_int64(update, 1, report);
    sqlite3_bind_int64(update, 2, (int64_t)rows);
    bool good = store_step(store, update);
    sqlite3_finalize(update);
    return good;
}

void store_forget(struct store *store, uint32_t shapes) {
    for (size_t i = 0; store->texts && i < KNOWN_TEXTS; i++) {
        free(store->texts[i].text);
        store->texts[i].text = NULL;
    }
    while (store->shape_count > shapes)
        json_decref(store->shapes[--store->shape_count].header);
}

bool store_add(struct store *store, const char *path, int64_t run, int64_t *report, uint32_t *shape) {
    struct rows rows;
    bool good = rows_open(&rows, path, store->diagnostics) && store_execute(store, "SAVEPOINT file");
    uint32_t shapes = store->shape_count;
    if (good) {
        *shape = store_find_shape(store, &rows);
        good = *shape < store->shape_count;
        *report = good ? add_report(store, &rows, &store->shapes[*shape], run) : 0;
        good = *report && add_store_rows(store, &rows, &store->shapes[*shape], *report) &&
               set_row_count(store, *report, rows.row_count);
        if (!good) {
            sqlite3_exec(store->database, "ROLLBACK TO file", NULL, NULL, NULL);
            store_forget(store, shapes);
        }
        store_execute(store, "RELEASE file");
    }
    rows_close(&rows);
    return good && !store->failed;
}

/* The number that the query finds for two texts; 0: no row has them. */
static int64_t find_number(struct store *store, const char *sql, const char *first, const char *second) {
    sqlite3_stmt *find = store_prepare(store, sql);
    int64_t number = 0;
    if (!find)
        return 0;
    sqlite3_bind_text(find, 1, first, -1, SQLITE_STATIC);
    if (second)
        sqlite3_bind_text(find, 2, second, -1, SQLITE_STATIC);
    if (sqlite3_step(find) == SQLITE_ROW)
        number = sqlite3_column_int64(find, 0);
    sqlite3_finalize(find);
    return number;
}

int64_t store_program(struct store *store, const char *name, const char *digest) {
    static const char find[] = "SELECT id FROM program WHERE name = ?1 AND digest = ?2";
    static const char add[] = "INSERT INTO program(name, digest) VALUES(?1, ?2) RETURNING id";
    int64_t program = find_number(store, find, name, digest);
    return program || store->failed ? program : find_number(store, add, name, digest);
}

int64_t store_run(struct store *store, const char *key, const char *name, bool *is_new) {
    int64_t run = find_number(store, "SELECT id FROM run WHERE key = ?1", key, NULL);
    *is_new = run == 0;
    if (run || store->failed)
        return run;
    return find_number(store, "INSERT INTO run(key, name) VALUES(?1, ?2) RETURNING id", key, name);
}

bool store_note_tools(struct store *store, int64_t first_run) {
    static const char *const steps[] = {
        "INSERT OR IGNORE INTO tool(name, digest) SELECT DISTINCT shape.tool, '' FROM report JOIN shape ON "
        "shape.id = report.shape WHERE run >= ?1 AND run NOT IN (SELECT run FROM run_tool)",
        "INSERT INTO run_tool(run, number, tool) SELECT run, row_number() OVER (PARTITION BY run ORDER BY "
        "min(report.id)), tool.id FROM report JOIN shape ON shape.id = report.shape JOIN tool ON tool.name = "
        "shape.tool AND tool.digest = '' AND package = '' WHERE run >= ?1 AND run NOT IN (SELECT run FROM "
        "run_tool) GROUP BY run, tool.id",
        "INSERT OR IGNORE INTO run_parameter(run, tool, name, value, given) SELECT run, tool.id, key, CASE "
        "type "
        "WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE value END, NULL FROM report JOIN shape ON "
        "shape.id = report.shape JOIN run_tool USING(run) JOIN tool ON tool.id = run_tool.tool AND tool.name "
        "= "
        "shape.tool, json_each(parameters) WHERE run >= ?1 AND value IS NOT NULL"};
    bool good = true;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && good; i++) {
        sqlite3_stmt *step = store_prepare(store, steps[i]);
        if (step)
            sqlite3_bind_int64(step, 1, first_run);
        good = step && store_step(store, step);
        sqlite3_finalize(step);
    }
    return good;
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

struct cell store_cell(struct store *store, sqlite3_stmt *query, int at, enum row_type type,
                       struct arena *arena) {
    struct cell cell = {.missing = sqlite3_column_type(query, at) == SQLITE_NULL};
    if (cell.missing)
        return cell;
    if (type == ROW_TEXT)
        cell.value.text = arena_format(arena, "%s", store_text(store, sqlite3_column_int64(query, at)));
    else if (type == ROW_REAL)
        cell.value.real = sqlite3_column_double(query, at);
    else
        cell.value.integer = sqlite3_column_int64(query, at);
    return cell;
}
