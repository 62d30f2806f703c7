/* server.h: internal to the server. One thread, libmicrohttpd's, receives requests; workers answer them. */
#ifndef ATOMC_WORKBENCH_SERVER_H
#define ATOMC_WORKBENCH_SERVER_H

#include <microhttpd.h>
#include <pthread.h>
#include <time.h>

#include "workbench/api/api.h"

#define UPLOAD_PATH "/objects"

enum {
    WORKERS = 3,
    LONGEST_ADDRESS = 8192,       /* bytes of path and query */
    LARGEST_BODY = 1 << 20,       /* bytes */
    LARGEST_UPLOAD = 1000000000,  /* bytes */
    DEEPEST_JSON = 64,            /* levels */
    CONNECTION_BYTES = 96 * 1024, /* for the headers of a request and then of its answer */
    MOST_CONNECTIONS = 64,
    MOST_STRANGERS = 32,     /* connections among these that have not yet made an allowed request */
    MOST_READERS = 16,       /* of events */
    CONNECTION_SECONDS = 60, /* without a byte */
    WORKER_SECONDS = 10,     /* of processor time, for a query */
    SECRET_TEXT = 65         /* 256 bits in hexadecimal, and the NUL */
};

/* ---- answer.c --------------------------------------------------------------------------------------- */

struct answer {
    unsigned status;
    char *text; /* malloc'd */
    size_t length;
    json_t *error, *where;
    const char *type;
    char *file_name;
    int file;              /* -1: none */
    struct reader *reader; /* reader of events; NULL: none */
    bool ends_server;      /* when it has been sent */
};
void answer_begin(struct answer *answer);
void answer_end(struct answer *answer);
/* The text of an error; also used if there is no answer. */
void answer_finish(struct answer *answer);
bool answer_failed(const struct answer *answer);
/* A file could not be received: errno. */
void answer_upload_failure(struct answer *answer, int error);

/* ---- http.c ----------------------------------------------------------------------------------------- */

/* One request and its answer. */
struct exchange {
    struct MHD_Connection *connection;
    char *address;       /* as sent: path and query */
    char *query;         /* the part after the question mark; NULL: none */
    const char *refusal; /* route of the address, found when it was split */
    char **parts;        /* parts of the path, decoded; NULL ends them */
    size_t part_count;
    char *body;
    size_t body_length;
    struct object *upload; /* the body is a file; NULL: the body is JSON, in the members above */
    bool checked, answered;
    const struct route *route;
    struct request request;
    struct answer answer;
    struct exchange *next; /* in the queue */
};
struct server {
    struct project *project;
    struct MHD_Daemon *daemon;
    uint16_t port;
    const char *web; /* folders, separated by colons, that replace the embedded files; NULL: none */
    char cookie[SECRET_TEXT], token[SECRET_TEXT];
    pthread_mutex_t lock; /* lock of token and last_use */
    time_t last_use;      /* time of the monotonic clock */
    int ending;           /* a descriptor that is written to end the server */
};
extern struct server server;
void server_used(void); /* The server is in use: it is not idle now. */

bool http_start(uint16_t port);
void http_refuse_more(void); /* new connections */
void http_stop(void);
unsigned http_connections(void);

/* ---- request.c -------------------------------------------------------------------------------------- */

/* Splits and decodes the path; sets refusal if that cannot be done. */
void request_split(struct exchange *exchange);
/* The body as JSON; false: the request has been answered. */
bool request_parse_body(struct exchange *exchange);

/* ---- security.c ------------------------------------------------------------------------------------- */

/* The status with which the request is refused, and the reason; 0: it is accepted. Called before any of its
   body is read. */
unsigned security_refuses(struct exchange *exchange, const char *method, const char **why);
/* GET /open?token=: true if the token is valid; it is replaced by a new one. */
bool security_open(const char *token);
void security_headers(struct MHD_Response *response);
bool make_secret(char secret[SECRET_TEXT]);
bool writes(const char *method);

/* ---- routes.c --------------------------------------------------------------------------------------- */

/* The route for the path's parts after /api/v1. NULL: there is none; `*other` is true if there is a route
   with another method.
 */
const struct route *route_find(const char *method, char **parts, size_t count, struct request *request,
                               bool *other);
/* Its body is a file, not JSON. */
bool route_takes_file(const struct route *route);
/* Calls the function for each. */
void routes_visit(void (*visit)(const struct route *route));

/* ---- events.c --------------------------------------------------------------------------------------- */

bool events_start(void);
/* Ends all answers of events. */
void events_stop(void);
void events_free(void);
/* An event of a run: the type, and JSON in one line. */
void events_add(int64_t run, const char *type, const char *data);
void events_finish(int64_t run); /* nothing follows */
bool events_known(int64_t run);
/* The response continues until the run's last event. */
void answer_events(struct request *request, struct answer *answer, int64_t run);
struct MHD_Response *events_response(struct reader *reader); /* takes the reader over */
void events_drop(struct reader *reader);                     /* closes a request that was not answered; does
                                                                nothing for NULL */

/* ---- workers.c -------------------------------------------------------------------------------------- */

bool workers_start(void);
/* False: the workbench ends. */
bool workers_add(struct exchange *exchange);
/* Ends the workers; waiting requests are answered with 503. */
void workers_stop(void);

/* ---- reading.c -------------------------------------------------------------------------------------- */

/* A request begins, with this thread's connection, which may be NULL. */
void reading_begin(const sqlite3 *database);
/* A command or a transaction has ended: the following queries have a new time limit. */
void reading_renew(void);
bool reading_is_late(void);
/* Rows of the connection ended with an error; other connections do not belong to the request. */
void reading_failed(const sqlite3 *database, int code);
/* The answer has the error already. */
void reading_failure_said(void);

/* ---- static.c --------------------------------------------------------------------------------------- */

struct MHD_Response *static_file(char **parts, size_t count, const char *known, unsigned *status);

/* ---- api/tools.c ------------------------------------------------------------------------------------ */

/* Checks that the tool exists, {"name" or "path", "parameters"}, and that its `check` accepts the
   parameters. False: the request is answered. */
bool tool_is_right(struct request *request, struct answer *answer, json_t *tool);

/* ---- project.c -------------------------------------------------------------------------------------- */

/* NULL after an error, which is printed. */
struct project *project_open(const char *folder, const char *const *allowed, size_t count);
void project_close(struct project *project);
/* A connection for reading; NULL and a message. */
sqlite3 *project_connect(const struct project *project, const char **message);
/* Writes the address with the token, for this user only. */
void project_announce(struct project *project, const char *address);

/* ---- child.c ---------------------------------------------------------------------------------------- */

void commands_stop(void);

#endif
