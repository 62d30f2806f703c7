/* objects.c: uploaded files: inputs, programs, other files for a run's folder. http.c writes their bytes to
   objects/; this file stores their names. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/json.h"
#include "workbench/project/objects.h"
#include "workbench/project/programs.h"
#include "workbench/server/server.h"

enum { LONGEST_NAME = 255 };

/* The names of uploads are in the project's settings, because the table of files has no names. */
#define UPLOAD "upload/"

/* The name of the original file, without folders. NULL: it is invalid. */
static const char *uploaded_name(struct request *request) {
    const char *name = request_query(request, "name"), *slash = name ? strrchr(name, '/') : NULL;
    name = slash ? slash + 1 : name;
    bool good =
        name && *name && strlen(name) <= LONGEST_NAME && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
    for (const char *at = name; good && *at; at++)
        good = (unsigned char)*at >= ' ' && *at != 0x7f;
    return good ? name : NULL;
}

static bool add_upload(sqlite3 *database, void *argument) {
    static const char file[] = "INSERT INTO file(sha256, bytes, stored, compressed, kind) "
                               "VALUES(?1, ?2, ?2, 0, 'input') ON CONFLICT DO NOTHING";
    static const char name[] =
        "INSERT INTO setting(name, value) VALUES('" UPLOAD "' || ?1, json_object('name', ?2, 'bytes', ?3, "
        "'added', strftime('%Y-%m-%dT%H:%M:%SZ'))) ON CONFLICT DO UPDATE SET value = excluded.value";
    struct exchange *exchange = argument;
    struct object *object = exchange->upload;
    const char *known = uploaded_name(&exchange->request);
    return statement_run(statement(database, file, "si", object->digest, object->bytes)) &&
           statement_run(statement(database, name, "ssi", object->digest, known, object->bytes));
}

/* POST /objects?name=: the body is the file. */
static void post_object(struct request *request, struct answer *answer) {
    struct exchange *exchange = request->exchange;
    struct object *object = exchange->upload;
    const char *name = uploaded_name(request);
    if (!name) {
        answer_error(answer, MHD_HTTP_BAD_REQUEST, "?name=NAME", "the file has no name, or a wrong one");
        return;
    }
    if (object->error || !object_keep(object, NULL)) {
        answer_upload_failure(answer, object->error);
        return;
    }
    int code = project_write(request->project, add_upload, exchange);
    if (code != SQLITE_OK && !object->was_there)
        unlink(object_path(request->arena, request->project, object->digest));
    answer_database(answer, code);
    if (code != SQLITE_OK)
        return;
    answer_status(answer, MHD_HTTP_CREATED);
    answer_json(answer,
                json_pack("{s:s, s:o, s:I, s:s}", "sha256", object->digest, "name", json_text(name), "bytes",
                          (json_int_t)object->bytes, "path", object_name(request->arena, object->digest)));
}

/* GET /objects: the latest first. */
static void get_objects(struct request *request, struct answer *answer) {
    sqlite3_stmt *row =
        statement(request->database,
                  "SELECT substr(setting.name, length('" UPLOAD "') + 1) AS sha256, value ->> '$.name', "
                  "value ->> '$.bytes', value ->> '$.added', EXISTS(SELECT 1 FROM program WHERE "
                  "digest = substr(setting.name, length('" UPLOAD "') + 1)) FROM setting WHERE "
                  "setting.name GLOB '" UPLOAD "*' AND json_valid(value) ORDER BY 4 DESC, 1",
                  "");
    json_t *list = json_array();
    while (next_row(row)) {
        const char *digest = (const char *)sqlite3_column_text(row, 0);
        if (!is_digest(digest) || access(object_path(request->arena, request->project, digest), R_OK) != 0)
            continue;
        json_array_append_new(
            list, json_pack("{s:s, s:o, s:o, s:o, s:s, s:b}", "sha256", digest, "name", column_text(row, 1),
                            "bytes", column_integer(row, 2), "added", column_text(row, 3), "path",
                            object_name(request->arena, digest), "is_program", sqlite3_column_int(row, 4)));
    }
    sqlite3_finalize(row);
    answer_json(answer, json_pack("{s:o}", "objects", list));
}

static bool delete_upload(sqlite3 *database, void *argument) {
    const char *digest = argument;
    return statement_run(
               statement(database, "DELETE FROM setting WHERE name = '" UPLOAD "' || ?1", "s", digest)) &&
           sqlite3_changes(database) == 1 &&
           statement_run(
               statement(database,
                         "DELETE FROM file WHERE sha256 = ?1 AND NOT EXISTS(SELECT 1 FROM program WHERE "
                         "digest = ?1)",
                         "s", digest));
}

/* DELETE /objects/SHA256: the file of a program is kept. */
static void delete_object(struct request *request, struct answer *answer) {
    const char *digest = request->name[0];
    bool is_program = statement_number(
        statement(request->database, "SELECT count(*) FROM program WHERE digest = ?1", "s", digest), 0);
    int code = is_digest(digest) ? project_write(request->project, delete_upload, (void *)(uintptr_t)digest)
                                 : SQLITE_ABORT;
    if (code == SQLITE_OK && !is_program)
        unlink(object_path(request->arena, request->project, digest));
    else if (code == SQLITE_ABORT)
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "there is no upload of that digest");
    else
        answer_database(answer, code);
}

enum { MOST_UNPACKED = 64 << 20, UNPACK_SECONDS = 20 };

/* GET /objects/SHA256/unpacked: the contents of an upload that xz compressed. Browsers cannot uncompress it.
 */
static void get_unpacked(struct request *request, struct answer *answer) {
    const char *digest = request->name[0],
               *path = is_digest(digest) ? object_path(request->arena, request->project, digest) : "";
    if (access(path, R_OK) != 0) {
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "there is no upload of that digest");
        return;
    }
    const char *const words[] = {
        "xz",      "--decompress", "--stdout", "--format=xz", "--memlimit-decompress=128MiB",
        "--quiet", "--",           path,       NULL};
    const struct command command = {.words = words, .seconds = UNPACK_SECONDS, .most = MOST_UNPACKED};
    struct command_result result;
    const bool ended = command_run(request->project, &command, &result);
    const int file = ended && result.status == 0 ? memfd_create("unpacked", MFD_CLOEXEC) : -1;
    if (file >= 0 && write(file, result.output, result.output_length) == (ssize_t)result.output_length &&
        lseek(file, 0, SEEK_SET) == 0)
        answer_file(answer, "application/octet-stream", digest, file);
    else if (result.end == COMMAND_TOO_MUCH)
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "it has more than %d MB when it is uncompressed",
                     MOST_UNPACKED >> 20);
    else if (ended && result.status == 127)
        answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, "the package xz-utils has it",
                     "xz is not installed");
    else if (ended && result.status != 0)
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL,
                     "xz cannot uncompress it: it is damaged, or no .xz file");
    else
        answer_command(answer, &command, &result);
    command_free(&result);
}

const struct route objects_routes[] = {
    {"GET", "/objects", get_objects},
    {"POST", UPLOAD_PATH, post_object},
    {"DELETE", "/objects/*", delete_object},
    {"GET", "/objects/*/unpacked", get_unpacked},
    {NULL, NULL, NULL},
};
