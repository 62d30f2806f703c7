/* The store: what is collected is there, once and whole; older versions become this one, newer ones are only
   read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "runs/results/store.h"

static char folder[] = "/tmp/store-XXXXXX";
static char database[64];

static const char rows_text[] =
    "{\"rows\":1,\"tool\":\"prof\",\"report\":\"prof.out\",\"process\":7,\"parent\":1,\"program\":\"p\","
    "\"program_digest\":\"d1\",\"parameters\":{\"top\":5,\"all\":true},\"columns\":["
    "{\"title\":\"PC\",\"type\":\"address\",\"role\":\"key\",\"merge\":\"same\"},"
    "{\"title\":\"N\",\"type\":\"integer\",\"role\":\"measure\",\"merge\":\"sum\"},"
    "{\"title\":\"Name\",\"type\":\"text\",\"role\":\"label\",\"merge\":\"same\"}]}\n"
    "[\"0x120000460\",9223372036854775807,\"main\"]\n"
    "[\"0xffffffffffffffff\",-1,\"a \\\"name\\\"\"]\n"
    "{\"end\":true,\"rows\":2}\n";

/* The first row stands for all others; the second is called like it. */
static const char sites_text[] =
    "{\"rows\":1,\"tool\":\"dynmem\",\"report\":\"sites\",\"process\":7,\"parent\":1,\"program\":\"p\","
    "\"program_digest\":\"d1\",\"columns\":["
    "{\"title\":\"Procedure\",\"type\":\"text\",\"role\":\"key\",\"merge\":\"same\"},"
    "{\"title\":\"Site\",\"type\":\"address\",\"role\":\"key\",\"merge\":\"same\"},"
    "{\"title\":\"Bytes\",\"type\":\"integer\",\"role\":\"measure\",\"merge\":\"sum\"}]}\n"
    "[\"all\",\"0x0\",60]\n[\"all\",\"0x10\",10]\n[\"?\",\"0x0\",20]\n[null,\"0x0\",30]\n"
    "{\"end\":true,\"rows\":4}\n";

static const char run_text[] =
    "{\"run\":1,\"key\":\"k1\",\"repeat\":%d,\"request\":{\"a\":1},\"job\":{\"b\":2},\"program\":{\"name\":"
    "\"given\",\"path\":\"/p/given\",\"sha256\":\"d1\",\"bytes\":7},\"input\":{\"path\":\"in/"
    "x\"},\"arguments\":[\"-c\"],"
    "\"objects\":\"main\",\"tools\":[{\"package\":\"\",\"name\":\"prof\",\"path\":\"x\",\"description\":"
    "\"d\",\"digest\":"
    "\"t1\",\"parameters\":[{\"name\":\"top\",\"value\":5,\"given\":true},{\"name\":\"all\",\"value\":true,"
    "\"given\":"
    "false}]}],\"state\":\"%s\",\"reason\":null,\"exit_status\":3,\"signal\":null,\"started\":\"s\","
    "\"ended\":\"e\","
    "\"instrument_seconds\":0.5,\"seconds\":1,\"cpu_seconds\":0.25,\"peak_kb\":100,\"host\":\"h\",\"atomc\":"
    "\"0\","
    "\"emulator\":\"q\",\"isolation\":\"sandbox\",\"repeatable\":null,\"statistics\":{\"s\":1},"
    "\"diagnostics\":[{"
    "\"severity\":\"warning\",\"id\":\"X\",\"message\":\"m\"}],\"notes\":[\"n\"],\"stdout\":{\"file\":"
    "\"stdout.zst\","
    "\"bytes\":4,\"kept\":4},\"tables\":[],\"artifacts\":[{\"file\":\"out/2/"
    "calls.folded\",\"process\":2,\"name\":"
    "\"calls.folded\",\"bytes\":9,\"sha256\":\"a1\"}]}";

static void write_file(const char *name, const char *format, ...) {
    char *path = format_string("%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    va_list arguments;
    assert_non_null(file);
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fclose(file);
    free(path);
}

static const char *at(const char *name) {
    static char path[96];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* The values of the query's rows, "|" between. In a buffer of its own until the next call. */
static const char *ask(sqlite3 *connection, const char *sql) {
    static char answer[4096];
    sqlite3_stmt *query;
    answer[0] = '\0';
    if (sqlite3_prepare_v2(connection, sql, -1, &query, NULL) != SQLITE_OK)
        return sqlite3_errmsg(connection);
    while (sqlite3_step(query) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(query); i++) {
            const char *text = (const char *)sqlite3_column_text(query, i);
            snprintf(answer + strlen(answer), sizeof answer - strlen(answer), "%s%s", *answer ? "|" : "",
                     text ? text : "null");
        }
    sqlite3_finalize(query);
    return answer;
}

static struct diagnostics *diagnostics;

static int begin(void **state) {
    (void)state;
    diagnostics = diagnostics_create();
    unlink(database);
    mkdir(at("run"), 0777);
    mkdir(at("run/out"), 0777);
    mkdir(at("run/out/2"), 0777);
    mkdir(at("plain"), 0777);
    unlink(at("run/out/2/torn.2.rows"));
    write_file("run/out/2/prof.1.rows", "%s", rows_text);
    write_file("plain/prof.1.rows", "%s", rows_text);
    write_file("run/run.json", run_text, 0, "finished");
    return 0;
}

static int end(void **state) {
    (void)state;
    diagnostics_destroy(diagnostics);
    return 0;
}

static void collected(void **state) {
    (void)state;
    struct store store;
    int64_t run, again;
    bool is_new;
    assert_true(store_open(&store, database, STORE_WRITE, diagnostics));
    assert_true(store_collect(&store, at("run"), &run, &is_new));
    assert_true(is_new);
    assert_string_equal(ask(store.database,
                            "SELECT folder, state, exit_status, signal, instrument_seconds, isolation, "
                            "request, about ->> '$.notes[0]', program.name, path, arguments FROM run "
                            "JOIN program ON program.id = program"),
                        "run|finished|3|null|0.5|sandbox|{\"a\":1}|n|given|/p/given|[\"-c\"]");
    assert_string_equal(ask(store.database, "SELECT count(*) FROM program"), "1");
    assert_string_equal(
        ask(store.database, "SELECT number, name, digest FROM run_tool JOIN tool ON tool.id = tool"),
        "1|prof|t1");
    assert_string_equal(ask(store.database, "SELECT name, value, given FROM run_parameter ORDER BY name"),
                        "all|true|0|top|5|1");
    assert_string_equal(ask(store.database, "SELECT name, process, path, format FROM artifact ORDER BY name"),
                        "calls.folded|2|out/2/calls.folded|folded|stdout |0|stdout.zst|output");
    assert_string_equal(ask(store.database, "SELECT severity, message FROM diagnostic"), "warning|m");
    assert_string_equal(ask(store.database, "SELECT process, number, rows FROM report"), "7|1|2");
    assert_string_equal(
        ask(store.database, "SELECT run, program, \"PC hex\", N, Name FROM \"prof prof.out 1\""),
        "1|given|0x120000460|9223372036854775807|main|1|given|0xffffffffffffffff|-1|a \"name\"");
    assert_true(store_collect(&store, at("run"), &again, &is_new));
    assert_false(is_new);
    assert_int_equal(run, again);
    /* Of rows alone: tools and parameters are the reports'. */
    assert_true(store_collect(&store, at("plain"), &again, &is_new));
    assert_true(is_new);
    assert_string_equal(ask(store.database,
                            "SELECT p.name, value, given FROM run_parameter AS p WHERE run = 2 ORDER BY "
                            "p.name"),
                        "all|true|null|top|5|null");
    /* A run that is removed takes its rows with it. */
    assert_true(store_execute(&store, "DELETE FROM run WHERE id = 1"));
    assert_string_equal(ask(store.database, "SELECT count(*), min(report) FROM data_1"), "2|2");
    store_close(&store);
}

/* A failed run is made again; what is torn is said, and the rest stays. */
static void replaced(void **state) {
    (void)state;
    struct store store;
    int64_t run;
    bool is_new;
    write_file("run/run.json", run_text, 0, "failed");
    assert_true(store_open(&store, database, STORE_WRITE, diagnostics));
    assert_true(store_collect(&store, at("run"), &run, &is_new));
    write_file("run/run.json", run_text, 0, "stopped");
    write_file("run/out/2/torn.2.rows", "%.*s", (int)sizeof rows_text - 10, rows_text);
    assert_true(store_collect(&store, at("run"), &run, &is_new));
    assert_true(is_new);
    assert_int_equal(diagnostics_errors(diagnostics), 0);
    assert_string_equal(ask(store.database, "SELECT id, state FROM run"), "1|stopped");
    assert_string_equal(ask(store.database, "SELECT count(*) FROM report"), "1");
    assert_string_equal(ask(store.database, "SELECT count(*) FROM data_1"), "2");
    assert_string_equal(ask(store.database, "SELECT id FROM diagnostic ORDER BY number"), "X|ROWS_CUT");
    write_file("run/run.json", run_text, 1, "finished");
    assert_true(store_collect(&store, at("run"), &run, &is_new));
    assert_int_equal(run, 2);
    store_close(&store);
}

/* Nothing of a folder that cannot be collected is there, and the store goes on. */
static void refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"{",
                                        "{}",
                                        "{\"run\":2,\"key\":\"k\"}",
                                        "{\"run\":1,\"run\":1}",
                                        "[]",
                                        "{\"run\":1,\"key\":\"k\",\"state\":\"no such\"}"};
    struct store store;
    int64_t run;
    bool is_new;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        write_file("run/run.json", "%s", wrong[i]);
        assert_true(store_open(&store, database, STORE_WRITE, diagnostics));
        assert_false(store_collect(&store, at("run"), &run, &is_new));
        assert_int_equal(diagnostics_errors(diagnostics), i + 1);
        assert_string_equal(
            ask(store.database, "SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM report)"), "0|0");
        store_close(&store);
    }
    assert_true(store_open(&store, database, STORE_WRITE, diagnostics));
    write_file("plain/x.2.rows", "%.*s", (int)sizeof rows_text - 10, rows_text);
    assert_false(store_collect(&store, at("plain"), &run, &is_new));
    unlink(at("plain/x.2.rows"));
    assert_true(store_collect(&store, at("plain"), &run, &is_new));
    assert_string_equal(ask(store.database, "SELECT Name FROM \"prof prof.out 1\""), "main|a \"name\"");
    store_close(&store);
}

/* What version 1 had, as its program wrote it. */
static const char version_1[] =
    "PRAGMA application_id = 0x61746d63; PRAGMA user_version = 1;"
    "CREATE TABLE text(id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE) STRICT;"
    "CREATE TABLE run(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL) STRICT;"
    "CREATE TABLE shape(id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, tool TEXT NOT NULL, report TEXT "
    "NOT NULL, "
    "header TEXT NOT NULL) STRICT;"
    "CREATE TABLE shape_column(shape INTEGER NOT NULL REFERENCES shape, number INTEGER NOT NULL, title TEXT "
    "NOT NULL, "
    "type TEXT NOT NULL CHECK(type IN ('text', 'integer', 'real', 'address')), unit TEXT NOT NULL, attribute "
    "TEXT NOT "
    "NULL, role TEXT NOT NULL CHECK(role IN ('key', 'label', 'measure')), merge TEXT NOT NULL CHECK(merge IN "
    "('same', "
    "'sum', 'least', 'greatest', 'share', 'ratio', 'none')), numerator INTEGER, denominator INTEGER, hidden "
    "INTEGER NOT "
    "NULL, PRIMARY KEY(shape, number)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE report(id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, "
    "process INTEGER "
    "NOT NULL, parent INTEGER NOT NULL, program TEXT NOT NULL, program_digest TEXT NOT NULL, shape INTEGER "
    "NOT NULL "
    "REFERENCES shape, rows INTEGER NOT NULL) STRICT;"
    "CREATE TABLE data_4(report INTEGER NOT NULL, row INTEGER NOT NULL, c0 INTEGER, c1 INTEGER, PRIMARY "
    "KEY(report, "
    "row)) STRICT, WITHOUT ROWID;"
    "INSERT INTO text VALUES(9, 'main'); INSERT INTO run VALUES(3, 'k', 'one');"
    "INSERT INTO shape VALUES(4, 'x', 'prof', 'prof.out', '{\"parameters\":{\"top\":5}}');"
    "INSERT INTO shape_column VALUES(4, 0, 'Name', 'text', '', '', 'label', 'same', NULL, NULL, 0), (4, 1, "
    "'N', "
    "'integer', 'count', '', 'measure', 'sum', NULL, NULL, 0);"
    "INSERT INTO report VALUES(5, 3, 42, 1, 'p', 'd1', 4, 1); INSERT INTO data_4 VALUES(5, 1, 9, 17);"
    "CREATE VIEW \"prof prof.out 4\" AS SELECT report.run AS run, report.process AS process, report.program "
    "AS program, "
    "(SELECT value FROM text WHERE id = c0) AS \"Name\", c1 AS \"N\" FROM data_4 JOIN report ON report.id = "
    "report;";

static void make_database(const char *sql) {
    sqlite3 *connection;
    assert_int_equal(sqlite3_open(database, &connection), SQLITE_OK);
    assert_int_equal(sqlite3_exec(connection, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(connection);
}

static void renewed(void **state) {
    (void)state;
    struct store store;
    int64_t run;
    bool is_new;
    make_database(version_1);
    assert_false(store_open(&store, database, STORE_READ, diagnostics));
    store_close(&store);
    for (int time = 0; time < 2; time++) {
        assert_true(store_open(&store, database, STORE_WRITE, diagnostics));
        assert_string_equal(ask(store.database, "PRAGMA user_version"), "4");
        assert_string_equal(ask(store.database, "SELECT * FROM \"prof prof.out 4\""), "3|42|p|main|17");
        assert_string_equal(ask(store.database,
                                "SELECT run.id, run.key, state, program.digest, parameters FROM run JOIN "
                                "program ON program.id = run.program JOIN report ON run = run.id"),
                            "3|k|finished|d1|{\"top\":5}");
        assert_string_equal(ask(store.database, "SELECT name, value FROM run_parameter"), "top|5");
        assert_string_equal(ask(store.database, "PRAGMA foreign_key_check"), "");
        assert_string_equal(ask(store.database, "PRAGMA integrity_check"), "ok");
        assert_string_equal(ask(store.database, "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'old%'"),
                            "0");
        store_close(&store);
    }
    assert_true(store_open(&store, database, STORE_WRITE, diagnostics));
    assert_true(store_collect(&store, at("plain"), &run, &is_new));
    assert_true(store_execute(&store, "DELETE FROM run WHERE id = 3"));
    assert_string_equal(ask(store.database, "SELECT count(*) FROM data_4"), "0");
    store_close(&store);
}

/* Version 2 had tables that nothing filled, and lists of procedures without the folders they were compiled
 * in. */
static void renewed_places(void **state) {
    (void)state;
    struct store store;
    unlink(database);
    assert_true(store_open(&store, database, STORE_WRITE, diagnostics));
    assert_true(store_execute(
        &store,
        "DROP VIEW place; DROP TABLE compiled_in; DROP TABLE instruction; PRAGMA user_version = 2;"
        "CREATE TABLE block(program INTEGER, pc INTEGER); CREATE TABLE edge(source INTEGER);"
        "CREATE TABLE instruction(program INTEGER, pc INTEGER, block INTEGER); CREATE TABLE source(path "
        "INTEGER);"
        "INSERT INTO text VALUES(1, 'main'); INSERT INTO program(id, name, digest) VALUES(1, 'p', 'd');"
        "INSERT INTO procedure VALUES(1, 100, 0, 1, NULL, NULL, NULL, 8, 1, 2, NULL)"));
    store_close(&store);
    assert_false(store_open(&store, database, STORE_READ, diagnostics));
    store_close(&store);
    assert_true(store_open(&store, database, STORE_WRITE, diagnostics));
    assert_string_equal(ask(store.database, "PRAGMA user_version"), "4");
    assert_string_equal(ask(store.database,
                            "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE name IN "
                            "('block', 'edge', 'source', 'instruction', 'compiled_in', 'place') ORDER BY 1)"),
                        "compiled_in,instruction,place");
    assert_string_equal(ask(store.database,
                            "SELECT (SELECT count(*) FROM procedure), (SELECT count(*) FROM program), "
                            "(SELECT count(*) FROM place), (SELECT count(mnemonic) FROM instruction)"),
                        "0|1|0|0");
    store_close(&store);
}

static void other_databases(void **state) {
    (void)state;
    struct store store;
    assert_false(store_open(&store, database, STORE_READ, diagnostics));
    store_close(&store);
    make_database("CREATE TABLE mine(x)");
    assert_false(store_open(&store, database, STORE_WRITE, diagnostics));
    store_close(&store);
    unlink(database);
    assert_true(store_open(&store, database, STORE_WRITE, diagnostics));
    store_close(&store);
    assert_true(store_open(&store, database, STORE_READ, diagnostics));
    assert_false(store.is_newer);
    store_close(&store);
    make_database("PRAGMA user_version = 99");
    assert_false(store_open(&store, database, STORE_WRITE, diagnostics));
    store_close(&store);
    assert_true(store_open(&store, database, STORE_READ, diagnostics));
    assert_true(store.is_newer);
    store_close(&store);
    assert_int_equal(diagnostics_errors(diagnostics), 3);
}

/* What the database says of a shape is what the file said. */
static void shapes(void **state) {
    (void)state;
    struct store store;
    int64_t run;
    bool is_new;
    assert_true(store_open(&store, database, STORE_WRITE, diagnostics));
    assert_true(store_collect(&store, at("plain"), &run, &is_new));
    struct shape first = store.shapes[0];
    store.shape_count = 0;
    assert_int_equal(store_shape(&store, first.id), 0);
    const struct shape *shape = &store.shapes[0];
    assert_int_equal(shape->column_count, first.column_count);
    assert_true(json_equal(shape->header, first.header));
    for (uint32_t i = 0; i < first.column_count; i++) {
        assert_string_equal(shape->columns[i].title, first.columns[i].title);
        assert_int_equal(shape->columns[i].type, first.columns[i].type);
        assert_int_equal(shape->columns[i].role, first.columns[i].role);
        assert_int_equal(shape->columns[i].merge, first.columns[i].merge);
    }
    assert_int_equal(store_shape(&store, 77), store.shape_count);
    json_decref(first.header);
    store_close(&store);
}

/* A row that stands for all others is in a view of its own, also in a database of version 3. */
static void wholes(void **state) {
    (void)state;
    struct store store;
    int64_t run;
    bool is_new;
    unlink(database);
    assert_true(store_open(&store, database, STORE_WRITE, diagnostics));
    assert_true(store_collect(&store, at("plain"), &run, &is_new));
    assert_string_equal(ask(store.database, "SELECT count(*) FROM sqlite_schema WHERE name LIKE '% all'"),
                        "0");
    write_file("plain/dynmem.2.rows", "%s", sites_text);
    assert_true(store_collect(&store, at("plain"), &run, &is_new));
    unlink(at("plain/dynmem.2.rows"));
    for (int time = 0; time < 2; time++) {
        assert_string_equal(ask(store.database, "SELECT count(*), sum(Bytes) FROM \"dynmem sites 2\""),
                            "3|60");
        assert_string_equal(ask(store.database, "SELECT Bytes, \"Site hex\" FROM \"dynmem sites 2 all\""),
                            "60|0x0");
        assert_string_equal(ask(store.database, "SELECT count(*) FROM sqlite_schema WHERE name LIKE '% all'"),
                            "1");
        assert_true(store_execute(
            &store, "DROP VIEW \"dynmem sites 2\"; DROP VIEW \"dynmem sites 2 all\"; PRAGMA user_version = 3;"
                    "CREATE VIEW \"dynmem sites 2\" AS SELECT c2 AS Bytes FROM data_2"));
        store_close(&store);
        assert_true(store_open(&store, database, STORE_WRITE, diagnostics));
        assert_string_equal(ask(store.database, "PRAGMA user_version"), "4");
    }
    store_close(&store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(collected, begin, end),
        cmocka_unit_test_setup_teardown(replaced, begin, end),
        cmocka_unit_test_setup_teardown(refused, begin, end),
        cmocka_unit_test_setup_teardown(renewed, begin, end),
        cmocka_unit_test_setup_teardown(renewed_places, begin, end),
        cmocka_unit_test_setup_teardown(shapes, begin, end),
        cmocka_unit_test_setup_teardown(wholes, begin, end),
        cmocka_unit_test_setup_teardown(other_databases, begin, end),
    };
    if (!mkdtemp(folder))
        return 1;
    snprintf(database, sizeof database, "%s/project.sqlite", folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char *remove = format_string("rm -rf %s", folder);
    failed += system(remove) != 0;
    free(remove);
    return failed;
}
