/* answer.c: functions of api.h and server.h for answers. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/json.h"
#include "workbench/server/server.h"

void answer_begin(struct answer *answer) {
    *answer = (struct answer){.status = MHD_HTTP_OK, .type = "application/json", .file = -1};
}

void answer_end(struct answer *answer) {
    free(answer->text);
    free(answer->file_name);
    json_decref(answer->error);
    json_decref(answer->where);
    events_drop(answer->reader);
    if (answer->file >= 0)
        close(answer->file);
    answer_begin(answer);
}

void answer_status(struct answer *answer, unsigned status) {
    answer->status = status;
}

void answer_json(struct answer *answer, json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    json_decref(value);
    if (text)
        answer_text(answer, text, strlen(text));
    else
        answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "the answer cannot be written as JSON");
}

void answer_text(struct answer *answer, char *json, size_t length) {
    free(answer->text);
    answer->text = json;
    answer->length = length;
}

void answer_error(struct answer *answer, unsigned status, const char *hint, const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    json_decref(answer->error);
    answer->status = status;
    answer->error = json_object();
    json_object_set_new(answer->error, "error", json_text(text ? text : "out of memory"));
    if (hint)
        json_object_set_new(answer->error, "hint", json_text(hint));
    free(text);
}

void answer_where(struct answer *answer, json_t *where) {
    json_decref(answer->where);
    answer->where = where;
}

void answer_file(struct answer *answer, const char *type, const char *name, int descriptor) {
    if (answer->file >= 0)
        close(answer->file);
    free(answer->file_name);
    answer->type = type;
    answer->file_name = duplicate_string(name);
    answer->file = descriptor;
}

void answer_database(struct answer *answer, int code) {
    switch (code & 0xff) {
    case SQLITE_OK:
        return;
    case SQLITE_READONLY:
        answer_error(answer, MHD_HTTP_CONFLICT, "copy the project's folder to where you may write",
                     "the project is open to be read only");
        return;
    case SQLITE_FULL:
        answer_error(answer, MHD_HTTP_INSUFFICIENT_STORAGE, NULL, "the disk is full: nothing was changed");
        return;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        answer_error(answer, MHD_HTTP_SERVICE_UNAVAILABLE, "try again",
                     "another program writes into the project");
        return;
    case SQLITE_INTERRUPT:
        answer_error(answer, MHD_HTTP_SERVICE_UNAVAILABLE, NULL, "this took longer than %d seconds",
                     WORKER_SECONDS);
        return;
    default:
        answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "project.sqlite: %s",
                     sqlite3_errstr(code));
    }
}

void answer_upload_failure(struct answer *answer, int error) {
    if (error == ENOSPC || error == EDQUOT)
        answer_database(answer, SQLITE_FULL);
    else
        answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "the file cannot be kept: %s",
                     strerror(error));
}

void answer_finish(struct answer *answer) {
    if (!answer->error && !answer->text && answer->file < 0 && !answer->reader)
        answer_text(answer, duplicate_string("{}"), 2);
    if (!answer->error)
        return;
    events_drop(answer->reader);
    answer->reader = NULL;
    if (answer->where)
        json_object_set(answer->error, "where", answer->where);
    char *text = json_dumps(answer->error, JSON_COMPACT);
    answer->type = "application/json";
    if (answer->file >= 0)
        close(answer->file);
    answer->file = -1;
    answer_text(answer, text, strlen(text));
}

bool answer_failed(const struct answer *answer) {
    return answer->error != NULL;
}
