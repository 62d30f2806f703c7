/* reading.c: how a worker's request reads from the project. Each step has a limit of processor time, so that
   a busy machine does not fail a request; if rows end early, the response is an error, even if the request's
   function ignores that. */
#include <time.h>

#include "workbench/server/server.h"

/* One for each worker; other threads are not tracked. */
static _Thread_local struct {
    const sqlite3 *database;
    struct timespec until;
    int failure; /* SQLite's code */
} reading;

void reading_renew(void) {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &reading.until);
    reading.until.tv_sec += WORKER_SECONDS;
}

void reading_begin(const sqlite3 *database) {
    reading.database = database;
    reading.failure = SQLITE_OK;
    reading_renew();
}

bool reading_is_late(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec > reading.until.tv_sec ||
           (now.tv_sec == reading.until.tv_sec && now.tv_nsec > reading.until.tv_nsec);
}

void reading_failed(const sqlite3 *database, int code) {
    if (database && database == reading.database && reading.failure == SQLITE_OK)
        reading.failure = code;
}

int reading_failure(void) {
    return reading.failure;
}

void reading_failure_said(void) {
    reading.failure = SQLITE_OK;
}

bool next_row(sqlite3_stmt *query) {
    int code = query ? sqlite3_step(query) : SQLITE_DONE;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        reading_failed(sqlite3_db_handle(query), code);
    return code == SQLITE_ROW;
}
