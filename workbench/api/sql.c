/* sql.c: SQL queries: the tables that can be queried, and the results. Queries only read: the connection
   cannot write, and an authorizer rejects all other statements. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/json.h"
#include "workbench/project/programs.h"
#include "workbench/server/server.h"

enum { MOST_SQL_ROWS = 100000, MOST_SQL_BYTES = 64 << 20, MOST_SQL_VALUE = 4 << 20, MOST_SQL_COLUMNS = 100 };

static int allow_reading(void *context, int action, const char *first, const char *second,
                         const char *database, const char *trigger) {
    (void)context, (void)database, (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return second && strcmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA: /* the names of tables and their columns */
        return first && (strcmp(first, "table_info") == 0 || strcmp(first, "table_list") == 0) ? SQLITE_OK
                                                                                               : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

/* The hint in each error: the way to query without this limit. */
static const char outside[] = "without limits: sqlite3 PROJECT/project.sqlite";

static void put_sql_text(FILE *stream, const char *text) {
    json_t *value = json_text(text);
    json_dumpf(value, stream, JSON_ENCODE_ANY);
    json_decref(value);
}

static void put_sql_value(FILE *stream, sqlite3_stmt *row, int column) {
    int64_t integer;
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_NULL:
        fputs("null", stream);
        break;
    case SQLITE_INTEGER:
        integer = sqlite3_column_int64(row, column);
        fprintf(stream,
                integer > 9007199254740991 || integer < -9007199254740991 ? "\"%" PRId64 "\"" : "%" PRId64,
                integer);
        break;
    case SQLITE_FLOAT: {
        double real = sqlite3_column_double(row, column);
        if (real - real == 0)
            fprintf(stream, "%.15g", real);
        else
            fputs(real > 0 ? "\"Inf\"" : "\"-Inf\"", stream);
        break;
    }
    case SQLITE_BLOB:
        fprintf(stream, "\"(%d bytes)\"", sqlite3_column_bytes(row, column));
        break;
    default:
        put_sql_text(stream, (const char *)sqlite3_column_text(row, column));
    }
}

void answer_reading_failure(struct request *request, struct answer *answer, int code) {
    reading_failure_said();
    if ((code & 0xff) == SQLITE_INTERRUPT)
        answer_error(answer, MHD_HTTP_UNPROCESSABLE_CONTENT, outside, "the answer took more than %d seconds",
                     WORKER_SECONDS);
    else if ((code & 0xff) == SQLITE_AUTH)
        answer_error(answer, MHD_HTTP_FORBIDDEN,
                     "only what reads is allowed here; the sqlite3 program can do more", "%s",
                     sqlite3_errmsg(request->database));
    else
        answer_error(answer, MHD_HTTP_BAD_REQUEST, (code & 0xff) == SQLITE_TOOBIG ? outside : NULL, "%s",
                     sqlite3_errmsg(request->database));
    int at = sqlite3_error_offset(request->database);
    if (at >= 0)
        answer_where(answer, json_pack("{s:i}", "offset", at));
}

/* {"columns", "rows", "truncated"}. */
static void answer_query(struct request *request, struct answer *answer, sqlite3_stmt *query) {
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    int count = sqlite3_column_count(query), code;
    uint32_t rows = 0;
    fputs("{\"columns\":[", stream);
    for (int i = 0; i < count; i++) {
        fputs(i ? "," : "", stream);
        put_sql_text(stream, sqlite3_column_name(query, i));
    }
    fputs("],\"rows\":[", stream);
    bool more = false;
    while ((code = sqlite3_step(query)) == SQLITE_ROW) {
        more = rows == MOST_SQL_ROWS || ftell(stream) > MOST_SQL_BYTES;
        if (more)
            break;
        int64_t bytes = 0; /* in JSON, a byte may take six bytes */
        for (int i = 0; i < count; i++)
            bytes += 6 * (int64_t)sqlite3_column_bytes(query, i);
        if ((more = ftell(stream) + bytes > 2 * (int64_t)MOST_SQL_BYTES))
            break;
        fputs(rows++ ? ",\n[" : "[", stream);
        for (int i = 0; i < count; i++) {
            fputs(i ? "," : "", stream);
            put_sql_value(stream, query, i);
        }
        fputc(']', stream);
    }
    fprintf(stream, "],\"truncated\":%s}", more ? "true" : "false");
    fclose(stream);
    if (more || code == SQLITE_DONE) {
        answer_text(answer, text, length);
    } else {
        free(text);
        answer_reading_failure(request, answer, code);
    }
}

static bool is_blank(const char *text) {
    return text[strspn(text, " \t\r\n;")] == '\0';
}

sqlite3_stmt *reading_statement(struct request *request, struct answer *answer, const char *text) {
    const char *rest = NULL;
    sqlite3_stmt *query = NULL;
    sqlite3_set_authorizer(request->database, allow_reading, NULL);
    int code = sqlite3_prepare_v2(request->database, text, -1, &query, &rest);
    sqlite3_set_authorizer(request->database, NULL, NULL);
    if (code != SQLITE_OK)
        answer_reading_failure(request, answer, code);
    else if (!query)
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "there is no statement");
    else if (!is_blank(rest))
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "one statement at a time");
    else if (!sqlite3_stmt_readonly(query) || sqlite3_bind_parameter_count(query) > 0)
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "only a statement that reads, without parameters");
    if (!answer_failed(answer))
        return query;
    sqlite3_finalize(query);
    return NULL;
}

static void post_sql(struct request *request, struct answer *answer) {
    static const struct field fields[] = {{"text", FIELD_TEXT, true}};
    if (!request_fields(request, answer, fields, 1))
        return;
    /* Otherwise a short query could produce a row of gigabytes. */
    int before = sqlite3_limit(request->database, SQLITE_LIMIT_LENGTH, MOST_SQL_VALUE);
    sqlite3_stmt *query = reading_statement(request, answer, request_text(request, "text"));
    if (query && sqlite3_column_count(query) > MOST_SQL_COLUMNS)
        answer_error(answer, MHD_HTTP_BAD_REQUEST, outside, "an answer has at most %d columns",
                     MOST_SQL_COLUMNS);
    else if (query)
        answer_query(request, answer, query);
    sqlite3_finalize(query);
    sqlite3_limit(request->database, SQLITE_LIMIT_LENGTH, before);
}

/* The views of reports, then the tables: their columns. */
static void get_sql(struct request *request, struct answer *answer) {
    sqlite3_stmt *list =
        statement(request->database,
                  "SELECT json_group_array(json(one)) FROM (SELECT json_object('name', s.name, 'view', "
                  "json(iif(s.type = 'view', "
                  "'true', 'false')), 'columns', (SELECT json_group_array(json_object('name', i.name, "
                  "'type', i.type)) FROM "
                  "pragma_table_info(s.name) AS i)) AS one FROM sqlite_schema AS s WHERE s.type IN ('view', "
                  "'table') AND s.name NOT "
                  "LIKE 'sqlite_%' ORDER BY s.type DESC, s.name LIKE 'data\\_%' ESCAPE '\\', s.name)",
                  "");
    if (list && sqlite3_step(list) == SQLITE_ROW) {
        char *text = format_string("{\"tables\":%s}", (const char *)sqlite3_column_text(list, 0));
        answer_text(answer, text, strlen(text));
    } else {
        answer_database(answer, sqlite3_errcode(request->database));
    }
    sqlite3_finalize(list);
}

const struct route sql_routes[] = {
    {"GET", "/sql", get_sql},
    {"POST", "/sql", post_sql},
    {NULL, NULL, NULL},
};
