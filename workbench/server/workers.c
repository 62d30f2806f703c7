/* workers.c: the threads that answer requests, each with its own connection to the project's database. The
   connection of a request is suspended meanwhile, so that the HTTP thread never waits. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workbench/server/server.h"

static struct {
    pthread_t threads[WORKERS];
    unsigned count;
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct exchange *first, **last;
    bool stopping;
} workers = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER, .last = &workers.first};

/* SQLite calls this at intervals of a number of steps. */
static int took_too_long(void *database) {
    bool late = workers.stopping || reading_is_late();
    if (late)
        reading_failed(database, SQLITE_INTERRUPT);
    return late;
}

/* If data were not read completely, the response would be invalid. An earlier response with a worse error is
   kept. */
static void answer_reading(struct answer *answer) {
    if (reading_failure() == SQLITE_OK || answer->status > MHD_HTTP_INTERNAL_SERVER_ERROR)
        return;
    if (workers.stopping)
        answer_error(answer, MHD_HTTP_SERVICE_UNAVAILABLE, NULL, "the workbench ends");
    else
        answer_database(answer, reading_failure());
}

static void answer_one(sqlite3 **database, struct exchange *exchange) {
    struct request *request = &exchange->request;
    const char *message = NULL;
    for (int patience = 12; !*database && patience > 0 && !workers.stopping; patience--)
        *database = project_connect(server.project, &message); /* the connection waits five seconds for its
                                                                  turn */
    sqlite3_busy_timeout(*database, 60000);
    reading_begin(*database);
    if (*database)
        sqlite3_progress_handler(*database, 10000, took_too_long, *database);
    request->database = *database;
    request->project = server.project;
    request->exchange = exchange;
    request->arena = arena_create();
    if (!*database)
        answer_error(&exchange->answer, MHD_HTTP_SERVICE_UNAVAILABLE, "try again", "project.sqlite: %s",
                     message ? message : "the workbench ends");
    else if (request_parse_body(exchange))
        exchange->route->handle(request, &exchange->answer);
    answer_reading(&exchange->answer);
    answer_finish(&exchange->answer);
    if (exchange->answer.status ==
        MHD_HTTP_INTERNAL_SERVER_ERROR) /* printed, so that the user who started the server sees it, too */
        fprintf(stderr, "atomc: error: %s %s: %.*s\n", exchange->route->method, exchange->route->path,
                (int)exchange->answer.length, exchange->answer.text ? exchange->answer.text : "");
    json_decref(request->body);
    request->body = NULL;
    arena_destroy(request->arena);
    request->arena = NULL;
}

/* An idle server returns the memory that a large program's list needed. */
static void give_back_memory(void) {
    enum { MUCH = 4 << 20 };
    if (mallinfo2().fordblks > MUCH)
        malloc_trim(0);
}

static void *serve_exchanges(void *context) {
    sqlite3 *database = NULL;
    (void)context;
    for (;;) {
        pthread_mutex_lock(&workers.lock);
        while (!workers.first && !workers.stopping)
            pthread_cond_wait(&workers.more, &workers.lock);
        struct exchange *exchange = workers.first;
        if (exchange && !(workers.first = exchange->next))
            workers.last = &workers.first;
        bool stopping = workers.stopping;
        pthread_mutex_unlock(&workers.lock);
        if (!exchange)
            break;
        if (stopping) {
            answer_error(&exchange->answer, MHD_HTTP_SERVICE_UNAVAILABLE, NULL, "the workbench ends");
            answer_finish(&exchange->answer);
        } else {
            answer_one(&database, exchange);
        }
        give_back_memory();
        exchange->answered = true;
        MHD_resume_connection(exchange->connection);
    }
    sqlite3_close(database);
    return NULL;
}

bool workers_start(void) {
    for (; workers.count < WORKERS; workers.count++)
        if (pthread_create(&workers.threads[workers.count], NULL, serve_exchanges, NULL) != 0)
            return false;
    return true;
}

bool workers_add(struct exchange *exchange) {
    pthread_mutex_lock(&workers.lock);
    bool good = !workers.stopping;
    if (good) {
        MHD_suspend_connection(exchange->connection);
        exchange->next = NULL;
        *workers.last = exchange;
        workers.last = &exchange->next;
        pthread_cond_signal(&workers.more);
    }
    pthread_mutex_unlock(&workers.lock);
    return good;
}

void workers_stop(void) {
    pthread_mutex_lock(&workers.lock);
    workers.stopping = true;
    pthread_cond_broadcast(&workers.more);
    pthread_mutex_unlock(&workers.lock);
    commands_stop();
    for (; workers.count > 0; workers.count--)
        pthread_join(workers.threads[workers.count - 1], NULL);
}
