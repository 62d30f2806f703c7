/* api.h: the input and output of the functions that answer requests. A source of workbench/api/ has one
   table X_routes[], which routes.c lists. Routes run in worker threads, several at a time. Their queries, and
   each of their commands, may take up to ten seconds. */
#ifndef ATOMC_WORKBENCH_API_H
#define ATOMC_WORKBENCH_API_H

#include <jansson.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/support.h"

/* ---- request.c -------------------------------------------------------------------------------------- */

struct project;
enum { PATH_VARIABLES = 4 };

struct request {
    const char *method, *path; /* the path after /api/v1, undecoded */
    /* The parts at # and * of the route's path, in order; number: only for #. */
    const char *name[PATH_VARIABLES];
    uint64_t number[PATH_VARIABLES];
    json_t *body; /* an object, for POST, PUT and PATCH; else NULL */
    struct project *project;
    sqlite3 *database;   /* this thread's connection, read only. A query is interrupted, with an answer that
                            reports this, ten seconds after the step before it */
    struct arena *arena; /* until the request is answered */
    struct exchange *exchange;
};
struct answer;

/* The decoded value of NAME=VALUE after the path's question mark; NULL: there is none. */
const char *request_query(const struct request *request, const char *name);
/* The same as a number, decimal or 0x...; `otherwise` if it is missing or invalid; limited to the range.
 */
long request_number(const struct request *request, const char *name, long otherwise, long least,
                    long greatest);
const char *request_header(const struct request *request, const char *name);

/* The members that a body may have. Any other member is answered with 400: line, column and the nearest
   key. */
enum field_type {
    FIELD_TEXT,
    FIELD_INTEGER,
    FIELD_BOOLEAN,
    FIELD_OBJECT,
    FIELD_ARRAY,
    FIELD_TEXTS,
    FIELD_ANY
};
struct field {
    const char *key;
    enum field_type type; /* FIELD_TEXTS: an array of texts */
    bool required;        /* optional fields may also be null */
};
/* False: the request is answered. */
bool request_fields(struct request *request, struct answer *answer, const struct field *fields, size_t count);
/* NULL: it is missing or null. */
const char *request_text(const struct request *request, const char *key);

/* ---- answer.c --------------------------------------------------------------------------------------- */

void answer_status(struct answer *answer, unsigned status); /* default: 200 */
void answer_json(struct answer *answer, json_t *value);     /* takes the reference */
void answer_text(struct answer *answer, char *json,
                 size_t length); /* JSON made by SQLite or atomc; malloc'd, taken over */
/* The answer {"error", "hint"}: one line each; the hint may be NULL. */
void answer_error(struct answer *answer, unsigned status, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void answer_where(struct answer *answer, json_t *where); /* adds "where" to the error; takes the reference */
/* A file to be saved: its bytes are read from the descriptor, which is taken over, while they are sent. */
void answer_file(struct answer *answer, const char *type, const char *name, int descriptor);
/* The result of project_write. Does nothing for SQLITE_OK. */
void answer_database(struct answer *answer, int code);

/* ---- routes.c --------------------------------------------------------------------------------------- */

/* The path: "/programs/#/procedures/#"; # a number, decimal or 0x..., * a name, percent-decoded. */
struct route {
    const char *method, *path; /* a method of NULL ends the table */
    void (*handle)(struct request *request, struct answer *answer);
};

/* ---- project.c -------------------------------------------------------------------------------------- */

const char *project_folder(const struct project *project);
/* The project's own packages as an entry of ATOMC_PACKAGES, and that variable's setting in a shell; malloc'd.
 */
char *project_packages(const struct project *project);
char *project_packages_words(const struct project *project);
bool project_is_read_only(const struct project *project);
/* Calls the function in a transaction, one at a time; if it returns false, the transaction is rolled back.
   SQLITE_OK; SQLITE_ABORT if it returned false without an error of the database; else SQLite's code.
   After reading_failure() no data are written, because written data depend on data that were read. */
int project_write(struct project *project, bool (*function)(sqlite3 *database, void *argument),
                  void *argument);

/* ---- reading.c -------------------------------------------------------------------------------------- */

/* The query's next row, if there is one. If an error ends the rows, the response is that error, even if the
   request's function ignores it. A query of NULL has no rows. */
bool next_row(sqlite3_stmt *query);
/* SQLite's code if this request has read incomplete data; 0 if not. */
int reading_failure(void);

/* ---- paths.c ---------------------------------------------------------------------------------------- */

/* Opens a file or folder for reading, if it is below an allowed folder: the project, or the folders of
   --allow (by default the current folder and the home folder). Symbolic links do not lead out. A relative
   path is below the project. A descriptor, or -1 and errno: EXDEV if it is not allowed. */
int path_open(const struct project *project, const char *path, int flags);
/* The folders that are allowed, in the order of --allow; NULL ends them. */
const char *const *paths_allowed(const struct project *project);
/* Allows one more, until the server ends. */
bool path_allow(struct project *project, const char *folder);
/* Removes a file, or a folder with all in it; links are not followed. */
void remove_tree(const char *path);

/* ---- child.c ---------------------------------------------------------------------------------------- */

struct command {
    const char *const
        *words;        /* NULL at the end; words[0] is a path, or "atomc": the atomc beside this program */
    const char *input; /* its standard input; NULL: none */
    size_t input_length;
    double seconds;     /* seconds at most; 0: ten */
    size_t most;        /* bytes of output at most; 0: 64 MB */
    const char *topic;  /* if set, a newer command of the same topic ends this one */
    const char *folder; /* folder in which it runs; NULL: in the project */
    /* If set, each line of the output is passed to it immediately, and not stored. */
    void (*take_line)(void *context, const char *line, size_t length);
    void *context;
};
enum command_end {
    COMMAND_ENDED,
    COMMAND_NOT_STARTED,
    COMMAND_TOO_LONG,
    COMMAND_TOO_MUCH,
    COMMAND_SUPERSEDED
};
struct command_result {
    enum command_end end;
    int status;            /* exit status, or 128 + signal */
    char *output, *errors; /* from malloc, never NULL; errors: at most 64 kB */
    size_t output_length;
};
/* Runs a command and waits: in its own session, with no other descriptors than the three, in a fixed
   environment. Returns true if it ended with an exit status. The caller passes the result to command_free
   in either case. */
bool command_run(const struct project *project, const struct command *command, struct command_result *result);
void command_free(struct command_result *result);
/* The error response for a command that did not end normally, or whose output is not JSON. */
void answer_command(struct answer *answer, const struct command *command,
                    const struct command_result *result);
/* The answer is the output of the command, or the reason why it failed. */
void answer_document(struct request *request, struct answer *answer, const char *const *words);

#endif
