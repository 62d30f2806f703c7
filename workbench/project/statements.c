/* statements.c: statements of SQLite with their values, and rows as JSON. */
#include <stdarg.h>

#include "support/json.h"
#include "workbench/project/programs.h"
#include "workbench/server/server.h"

sqlite3_stmt *statement(sqlite3 *database, const char *sql, const char *types, ...) {
    sqlite3_stmt *made;
    va_list values;
    int code = sqlite3_prepare_v2(database, sql, -1, &made, NULL);
    if (code != SQLITE_OK) {
        reading_failed(database, code);
        return NULL;
    }
    va_start(values, types);
    for (int i = 0; types[i]; i++) {
        if (types[i] == 'i') {
            sqlite3_bind_int64(made, i + 1, va_arg(values, int64_t));
            continue;
        }
        const char *text = va_arg(values, const char *);
        if (text)
            sqlite3_bind_text(made, i + 1, text, -1, SQLITE_TRANSIENT);
    }
    va_end(values);
    return made;
}

json_t *column_text(sqlite3_stmt *row, int column) {
    return json_text((const char *)sqlite3_column_text(row, column));
}

json_t *column_integer(sqlite3_stmt *row, int column) {
    if (sqlite3_column_type(row, column) == SQLITE_NULL)
        return json_null();
    return json_integer(sqlite3_column_int64(row, column));
}

json_t *column_address(sqlite3_stmt *row, int column) {
    return json_address((uint64_t)sqlite3_column_int64(row, column));
}

bool statement_run(sqlite3_stmt *made) {
    int code = made ? sqlite3_step(made) : SQLITE_ERROR;
    while (code == SQLITE_ROW)
        code = sqlite3_step(made);
    sqlite3_finalize(made);
    return code == SQLITE_DONE;
}

int64_t statement_number(sqlite3_stmt *made, int64_t otherwise) {
    if (next_row(made) && sqlite3_column_type(made, 0) != SQLITE_NULL)
        otherwise = sqlite3_column_int64(made, 0);
    sqlite3_finalize(made);
    return otherwise;
}

int64_t text_number(sqlite3 *database, const char *text) {
    int64_t number =
        statement_number(statement(database, "SELECT id FROM text WHERE value = ?1", "s", text), 0);
    if (number)
        return number;
    return statement_number(statement(database, "INSERT INTO text(value) VALUES(?1) RETURNING id", "s", text),
                            0);
}
