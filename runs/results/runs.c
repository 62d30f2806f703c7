/* runs.c: see store.h. Adds a folder with the results of a run to the database: run.json (docs/job.md), and
   the tables. */
#include <errno.h>
#include <limits.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runs/results/store.h"

enum { RUN_VERSION = 1 };

struct collection {
    struct store *store;
    struct arena *arena;
    const char *folder;
    char *text; /* text of run.json; NULL: there is none */
    int64_t run;
    const char **files; /* of rows */
    uint32_t file_count;
};

/* ---- the run ------------------------------------------------------------------------------------------- */

/* The folder's path in the database: relative to the database's own folder if it is below that folder, else
   absolute. */
static const char *kept_folder(struct collection *collection) {
    char folder[PATH_MAX], home[PATH_MAX];
    if (!realpath(collection->folder, folder))
        return collection->folder;
    size_t length = realpath(store_folder(collection->store), home) ? strlen(home) : 0;
    bool below = length > 1 && strncmp(folder, home, length) == 0 && folder[length] == '/';
    return arena_format(collection->arena, "%s", below ? folder + length + 1 : folder);
}

/* Executes a statement with the run, the folder and run.json as ?1, ?2 and ?3. */
static bool execute_for_run(struct collection *collection, const char *sql) {
    sqlite3_stmt *statement = store_prepare(collection->store, sql);
    if (!statement)
        return false;
    int count = sqlite3_bind_parameter_count(statement);
    sqlite3_bind_int64(statement, 1, collection->run);
    if (count > 1)
        sqlite3_bind_text(statement, 2, kept_folder(collection), -1, SQLITE_TRANSIENT);
    if (count > 2)
        sqlite3_bind_text(statement, 3, collection->text, -1, SQLITE_STATIC);
    bool good = store_step(collection->store, statement);
    sqlite3_finalize(statement);
    return good;
}

static bool execute_all(struct collection *collection, const char *const *steps, size_t count) {
    size_t i = 0;
    while (i < count && execute_for_run(collection, steps[i]))
        i++;
    return i == count;
}
#define EXECUTE_ALL(collection, steps) execute_all(collection, steps, sizeof(steps) / sizeof(steps)[0])

/* Removes the earlier data of a run that was requested, or failed. */
static const char *const clear_steps[] = {
    "DELETE FROM report WHERE run = ?1", "DELETE FROM artifact WHERE run = ?1",
    "DELETE FROM diagnostic WHERE run = ?1", "DELETE FROM run_tool WHERE run = ?1",
    "DELETE FROM run_parameter WHERE run = ?1"};

static const char *const run_steps[] = {
    "INSERT OR IGNORE INTO program(name, digest) VALUES(?3 ->> '$.program.name', ?3 ->> '$.program.sha256')",
    "UPDATE program SET path = ?3 ->> '$.program.path' WHERE path = '' AND name = ?3 ->> '$.program.name' "
    "AND "
    "digest = ?3 ->> '$.program.sha256'",
    "UPDATE run SET folder = ?2, program = (SELECT id FROM program WHERE name = ?3 ->> '$.program.name' AND "
    "digest = "
    "?3 ->> '$.program.sha256'), request = ?3 -> '$.request', input = ifnull(?3 ->> '$.input.path', ''), "
    "arguments = "
    "?3 -> '$.arguments', objects = ?3 ->> '$.objects', state = ?3 ->> '$.state', reason = ?3 ->> "
    "'$.reason', "
    "exit_status = ?3 ->> '$.exit_status', signal = ?3 ->> '$.signal', started = ?3 ->> '$.started', ended = "
    "?3 ->> '$.ended', instrument_seconds = ?3 ->> '$.instrument_seconds', seconds = ?3 ->> '$.seconds', "
    "cpu_seconds = "
    "?3 ->> '$.cpu_seconds', peak_kb = ?3 ->> '$.peak_kb', host = ?3 ->> '$.host', atomc = ?3 ->> '$.atomc', "
    "emulator "
    "= ?3 ->> '$.emulator', isolation = ?3 ->> '$.isolation', repeatable = ?3 ->> '$.repeatable', statistics "
    "= "
    "?3 -> '$.statistics', about = json_remove(?3, '$.run', '$.request', '$.statistics', '$.diagnostics', "
    "'$.tables', "
    "'$.artifacts', '$.tools') WHERE id = ?1",
    "INSERT OR IGNORE INTO tool(package, name, digest, description) SELECT ifnull(value ->> '$.package', "
    "''), value ->> "
    "'$.name', value ->> '$.digest', ifnull(value ->> '$.description', '') FROM json_each(?3, '$.tools')",
    "INSERT INTO run_tool(run, number, tool) SELECT ?1, key + 1, tool.id FROM json_each(?3, '$.tools') JOIN "
    "tool ON "
    "package = ifnull(value ->> '$.package', '') AND name = value ->> '$.name' AND digest = value ->> "
    "'$.digest'",
    "INSERT OR IGNORE INTO run_parameter(run, tool, name, value, given) SELECT ?1, run_tool.tool, p.value "
    "->> '$.name', "
    "CASE json_type(p.value, '$.value') WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE p.value ->> "
    "'$.value' "
    "END, p.value ->> '$.given' FROM json_each(?3, '$.tools') AS t JOIN run_tool ON run_tool.run = ?1 AND "
    "run_tool.number = t.key + 1, json_each(t.value, '$.parameters') AS p",
    "INSERT OR IGNORE INTO artifact(run, process, name, path, bytes, sha256, format) SELECT ?1, value ->> "
    "'$.process', "
    "value ->> '$.name', value ->> '$.file', value ->> '$.bytes', value ->> '$.sha256', CASE "
    "WHEN value ->> '$.name' LIKE 'callgrind.out%' OR value ->> '$.name' LIKE 'cachegrind.out%' THEN "
    "'callgrind' "
    "WHEN value ->> '$.name' LIKE '%.info' THEN 'lcov' WHEN value ->> '$.name' LIKE '%.folded' THEN 'folded' "
    "WHEN value ->> '$.name' LIKE '%.speedscope.json' THEN 'speedscope' WHEN value ->> '$.name' LIKE "
    "'%.html' THEN "
    "'html' ELSE 'file' END FROM json_each(?3, '$.artifacts')",
    "INSERT INTO artifact(run, process, name, path, bytes, sha256, format) SELECT ?1, 0, key || ' ', value "
    "->> '$.file', "
    "value ->> '$.bytes', '', 'output' FROM json_each(?3) WHERE key IN ('stdout', 'stderr') AND type = "
    "'object'",
    "INSERT INTO diagnostic(run, number, severity, id, message, hint, file, line, \"column\") SELECT ?1, "
    "key, value ->> "
    "'$.severity', value ->> '$.id', value ->> '$.message', value ->> '$.hint', value ->> '$.file', value "
    "->> '$.line', "
    "value ->> '$.column' FROM json_each(?3, '$.diagnostics')"};

static int64_t find_collected_run(struct collection *collection, const char *key, int64_t repeat,
                                  bool *is_whole) {
    sqlite3_stmt *find = store_prepare(
        collection->store,
        "INSERT INTO run(key, repeat, name, state) VALUES(?1, ?2, '', 'collecting') ON CONFLICT DO "
        "UPDATE SET key = key RETURNING id, state IN ('finished', 'stopped')");
    int64_t run = 0;
    if (!find)
        return 0;
    sqlite3_bind_text(find, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_int64(find, 2, repeat);
    if (sqlite3_step(find) == SQLITE_ROW) {
        run = sqlite3_column_int64(find, 0);
        *is_whole = sqlite3_column_int(find, 1);
    } else {
        store_failed(collection->store);
    }
    sqlite3_finalize(find);
    return run;
}

/* ---- a folder with run.json ---------------------------------------------------------------------------- */

static bool is_wrong(struct collection *collection, const char *why) {
    char *path = format_string("%s/run.json", collection->folder);
    diagnose(collection->store->diagnostics, NULL, MESSAGE_DATABASE, path, why);
    free(path);
    return false;
}

struct noted {
    struct collection *collection;
    sqlite3_stmt *insert;
};

static void store_message(const struct diagnostic_parts *parts, void *context) {
    struct noted *noted = context;
    sqlite3_bind_int64(noted->insert, 1, noted->collection->run);
    sqlite3_bind_text(noted->insert, 2, parts->severity, -1, SQLITE_STATIC);
    sqlite3_bind_text(noted->insert, 3, parts->id, -1, SQLITE_STATIC);
    sqlite3_bind_text(noted->insert, 4, parts->message, -1, SQLITE_STATIC);
    store_step(noted->collection->store, noted->insert);
}

/* An incomplete table, of a process that was killed, is omitted; the other tables are added. */
static bool collect_file(struct collection *collection, const char *file) {
    struct store *store = collection->store;
    struct diagnostics *outer = store->diagnostics;
    int64_t report;
    uint32_t shape;
    store->diagnostics = diagnostics_create();
    if (!store_add(store, file, collection->run, &report, &shape) && !store->failed) {
        struct noted noted = {
            collection,
            store_prepare(store, "INSERT INTO diagnostic(run, number, severity, id, message) SELECT ?1, "
                                 "ifnull(max(number), 0) + 1, ?2, ?3, ?4 FROM diagnostic WHERE run = ?1")};
        if (noted.insert)
            diagnostics_visit(store->diagnostics, store_message, &noted);
        sqlite3_finalize(noted.insert);
    }
    diagnostics_destroy(store->diagnostics);
    store->diagnostics = outer;
    return !store->failed;
}

static bool collect_run(struct collection *collection, json_t *document, bool *is_new) {
    json_t *key = json_object_get(document, "key"), *version = json_object_get(document, "run");
    bool is_whole = false;
    if (json_integer_value(version) != RUN_VERSION || !json_is_string(key))
        return is_wrong(collection, "not what is known of a run, version 1");
    collection->run = find_collected_run(collection, json_string_value(key),
                                         json_integer_value(json_object_get(document, "repeat")), &is_whole);
    *is_new = collection->run && !is_whole;
    if (!*is_new)
        return collection->run != 0;
    if (!EXECUTE_ALL(collection, clear_steps) || !EXECUTE_ALL(collection, run_steps))
        return false;
    char *tables = format_string("%s/out", collection->folder);
    bool good =
        access(tables, F_OK) != 0 || find_rows_files(collection->arena, collection->store->diagnostics,
                                                     tables, &collection->files, &collection->file_count);
    for (uint32_t i = 0; i < collection->file_count && good; i++)
        good = collect_file(collection, collection->files[i]);
    free(tables);
    return good;
}

/* ---- a folder with files of rows ------------------------------------------------------------------------ */

static bool hash_file(SHA2_CTX *state, const char *path) {
    static const size_t block = 1 << 16;
    FILE *file = fopen(path, "r");
    uint8_t *bytes = file ? malloc(block) : NULL;
    size_t count;
    while (bytes && (count = fread(bytes, 1, block, file)) > 0)
        SHA256Update(state, bytes, count);
    bool good = bytes && !ferror(file);
    free(bytes);
    if (file)
        fclose(file);
    return good;
}

/* A digest of names and contents of the files. */
static bool key_of(struct collection *collection, char key[SHA256_DIGEST_STRING_LENGTH]) {
    size_t prefix = strlen(collection->folder);
    SHA2_CTX state;
    SHA256Init(&state);
    for (uint32_t i = 0; i < collection->file_count; i++) {
        const char *file = collection->files[i];
        size_t skipped = strncmp(file, collection->folder, prefix) == 0 ? prefix : 0;
        SHA256Update(&state, (const uint8_t *)file + skipped, strlen(file + skipped) + 1);
        if (!hash_file(&state, file)) {
            diagnose(collection->store->diagnostics, NULL, MESSAGE_CANNOT_READ, file, strerror(errno));
            return false;
        }
    }
    SHA256End(&state, key);
    return true;
}

static bool collect_rows(struct collection *collection, bool *is_new) {
    struct store *store = collection->store;
    char key[SHA256_DIGEST_STRING_LENGTH];
    int64_t report;
    uint32_t shape;
    if (!find_rows_files(collection->arena, store->diagnostics, collection->folder, &collection->files,
                         &collection->file_count) ||
        !has_rows(store->diagnostics, collection->folder, collection->file_count) || !key_of(collection, key))
        return false;
    collection->run = store_run(store, key, collection->folder, is_new);
    bool good = collection->run != 0;
    for (uint32_t i = 0; i < collection->file_count && good && *is_new; i++)
        good = store_add(store, collection->files[i], collection->run, &report, &shape);
    return good &&
           (!*is_new ||
            (execute_for_run(collection,
                             "UPDATE run SET folder = ?2, program = (SELECT program FROM report WHERE "
                             "run = ?1 ORDER BY id LIMIT 1) WHERE id = ?1") &&
             store_note_tools(store, collection->run)));
}

/* ---- either -------------------------------------------------------------------------------------------- */

static bool collect_folder(struct collection *collection, bool *is_new) {
    char *path = format_string("%s/run.json", collection->folder);
    json_error_t error;
    json_t *document = access(path, F_OK) == 0 ? json_load_file(path, JSON_REJECT_DUPLICATES, &error) : NULL;
    bool good;
    if (document) {
        collection->text = json_dumps(document, JSON_COMPACT);
        good = collect_run(collection, document, is_new);
    } else if (access(path, F_OK) == 0) {
        good = is_wrong(collection, error.text);
    } else {
        good = collect_rows(collection, is_new);
    }
    json_decref(document);
    free(collection->text);
    free(path);
    return good;
}

bool store_collect(struct store *store, const char *folder, int64_t *run, bool *is_new) {
    struct collection collection = {.store = store, .arena = arena_create(), .folder = folder};
    uint32_t shapes = store->shape_count;
    bool outermost = sqlite3_get_autocommit(store->database);
    *is_new = false;
    bool good = store_execute(store, outermost ? "BEGIN IMMEDIATE" : "SAVEPOINT folder");
    if (good) {
        good = collect_folder(&collection, is_new) && !store->failed;
        if (!good)
            store_forget(store, shapes);
        const char *end = outermost ? good ? "COMMIT" : "ROLLBACK"
                          : good    ? "RELEASE folder"
                                    : "ROLLBACK TO folder; RELEASE folder";
        bool ended = sqlite3_exec(store->database, end, NULL, NULL, NULL) == SQLITE_OK || store_failed(store);
        good = good && ended;
    }
    *run = good ? collection.run : 0;
    *is_new = *is_new && good;
    arena_destroy(collection.arena);
    return good;
}
