/* programs.c: the programs of a project: listing, adding, and their properties. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codegen/machines.h"
#include "support/json.h"
#include "workbench/project/objects.h"
#include "workbench/project/programs.h"
#include "workbench/server/server.h"

enum { LONGEST_NAME = 255 };

/* ---- files in objects/ -------------------------------------------------------------------------------- */

static bool copy_object_bytes(int from, struct object *object) {
    uint8_t piece[65536];
    ssize_t length;
    while ((length = read(from, piece, sizeof piece)) > 0 && object_write(object, piece, (size_t)length)) {
    }
    if (length < 0)
        object->error = errno;
    return object->error == 0;
}

/* A copy, as old as the file is. False: object->error. */
static bool keep_copy(struct request *request, int descriptor, const struct stat *status,
                      struct object *object) {
    const struct timespec times[2] = {status->st_mtim, status->st_mtim};
    return object_begin(object, request->project) && copy_object_bytes(descriptor, object) &&
           object_keep(object, times);
}

static bool has_digest(int descriptor, const char *digest) {
    uint8_t piece[65536];
    char found[SHA256_DIGEST_STRING_LENGTH];
    SHA2_CTX state;
    ssize_t length;
    SHA256Init(&state);
    while ((length = read(descriptor, piece, sizeof piece)) > 0)
        SHA256Update(&state, piece, (size_t)length);
    SHA256End(&state, found);
    return length == 0 && strcmp(found, digest) == 0;
}

/* ---- a program ---------------------------------------------------------------------------------------- */

/* A file in the project's folder is stored with a path relative to it, so that the project can be moved. */
static const char *stored_path(struct request *request, const char *path) {
    const char *folder = project_folder(request->project);
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

static const char *shown_path(struct request *request, const char *stored) {
    return !*stored || *stored == '/'
               ? arena_format(request->arena, "%s", stored)
               : arena_format(request->arena, "%s/%s", project_folder(request->project), stored);
}

static const char *uploaded_folder(struct request *request, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash > path ? arena_string(request->arena, path, (size_t)(slash - path)) : "/";
}

bool program_find(struct request *request, struct answer *answer, uint64_t id,
                  struct known_program *program) {
    sqlite3_stmt *row = statement(
        request->database, "SELECT id, name, digest, path FROM program WHERE id = ?1", "i", (int64_t)id);
    bool found = next_row(row);
    if (found) {
        const char *text[3];
        for (int i = 0; i < 3; i++)
            text[i] = arena_format(request->arena, "%s", (const char *)sqlite3_column_text(row, i + 1));
        text[2] = shown_path(request, text[2]);
        const char *kept = strlen(text[1]) > 2 ? object_path(request->arena, request->project, text[1]) : "";
        *program = (struct known_program){(int64_t)id,
                                          text[0],
                                          text[1],
                                          text[2],
                                          access(kept, R_OK) == 0 ? kept : NULL,
                                          uploaded_folder(request, text[2])};
        if (!*program->path)
            program->path = program->name;
    }
    sqlite3_finalize(row);
    if (!found)
        answer_error(answer, 404, NULL, "there is no program %llu", (unsigned long long)id);
    else if (!program->kept)
        answer_error(answer, 409, "open it by its path: Project, Open program",
                     "the file of %s is not in the project", program->name);
    return found && program->kept;
}

/* True if the file at the path has changed, or no longer exists. "": it is unchanged. */
static const char *change_of(const char *path, const char *kept, const char *digest) {
    struct stat now, then;
    if (!*path || stat(kept, &then) != 0)
        return "";
    if (stat(path, &now) != 0)
        return "gone";
    if (now.st_size != then.st_size)
        return "changed";
    if (now.st_mtim.tv_sec == then.st_mtim.tv_sec && now.st_mtim.tv_nsec == then.st_mtim.tv_nsec)
        return "";
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool same = descriptor >= 0 && has_digest(descriptor, digest);
    if (descriptor >= 0)
        close(descriptor);
    return same ? "" : "changed";
}

static const char program_columns[] =
    "SELECT id, name, path, digest, build_id, is_static, text_bytes, added,"
    " (SELECT count(*) FROM run WHERE run.program = program.id) FROM program";

static json_t *program_row(struct request *request, sqlite3_stmt *row) {
    const char *path = shown_path(request, (const char *)sqlite3_column_text(row, 2));
    const char *digest = (const char *)sqlite3_column_text(row, 3);
    const char *kept = strlen(digest) > 2 ? object_path(request->arena, request->project, digest) : "";
    const char *change = change_of(path, kept, digest);
    json_t *program = json_object();
    json_object_set_new(program, "id", column_integer(row, 0));
    json_object_set_new(program, "name", column_text(row, 1));
    json_object_set_new(program, "path", json_text(path));
    json_object_set_new(program, "digest", column_text(row, 3));
    json_object_set_new(program, "build_id", column_text(row, 4));
    json_object_set_new(
        program, "is_static",
        sqlite3_column_type(row, 5) == SQLITE_NULL ? json_null() : json_boolean(sqlite3_column_int(row, 5)));
    json_object_set_new(program, "text_bytes", column_integer(row, 6));
    json_object_set_new(program, "added", column_text(row, 7));
    json_object_set_new(program, "runs", column_integer(row, 8));
    bool is_kept = *kept && access(kept, R_OK) == 0;
    const struct machine_names *machine = is_kept ? machine_of_program(kept) : NULL;
    json_object_set_new(program, "machine", json_text(machine ? machine->name : NULL));
    json_object_set_new(program, "emulator", json_text(machine ? machine->emulator : NULL));
    json_object_set_new(program, "kept", json_boolean(is_kept));
    json_object_set_new(program, "copy", json_text(is_kept ? kept : NULL));
    json_object_set_new(program, "uploaded", json_boolean(is_kept && strcmp(path, kept) == 0));
    json_object_set_new(program, "changed", json_boolean(strcmp(change, "changed") == 0));
    json_object_set_new(program, "gone", json_boolean(strcmp(change, "gone") == 0));
    return program;
}

/* Its files at the time when it was added: the program itself, the libraries, the linker. */
static json_t *objects_of(struct request *request, int64_t program) {
    sqlite3_stmt *row = statement(
        request->database, "SELECT name, path, role FROM program_object WHERE program = ?1 ORDER BY number",
        "i", program);
    json_t *list = json_array();
    while (next_row(row))
        json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "name", column_text(row, 0), "path",
                                              column_text(row, 1), "role", column_text(row, 2)));
    sqlite3_finalize(row);
    return list;
}

static void get_programs(struct request *request, struct answer *answer) {
    char *sql = format_string("%s ORDER BY added DESC, id DESC", program_columns);
    sqlite3_stmt *rows = statement(request->database, sql, "");
    json_t *list = json_array();
    free(sql);
    while (next_row(rows)) {
        json_t *program = program_row(request, rows);
        json_object_set_new(program, "objects", objects_of(request, sqlite3_column_int64(rows, 0)));
        json_array_append_new(list, program);
    }
    sqlite3_finalize(rows);
    answer_json(answer, json_pack("{s:o}", "programs", list));
}

static void answer_program(struct request *request, struct answer *answer, int64_t id, json_t *objects,
                           const char *missing) {
    char *sql = format_string("%s WHERE id = ?1", program_columns);
    sqlite3_stmt *row = statement(request->database, sql, "i", id);
    free(sql);
    if (next_row(row)) {
        json_t *program = program_row(request, row);
        json_t *own = json_array_get(objects, 0); /* is shown as the original, not as the copy */
        json_object_set(own, "name", json_object_get(program, "name"));
        json_object_set(own, "path", json_object_get(program, "path"));
        json_object_set(program, "objects", objects);
        json_object_set_new(program, "missing", json_text(missing));
        answer_json(answer, program);
    }
    sqlite3_finalize(row);
}

static void get_program(struct request *request, struct answer *answer) {
    struct known_program program;
    const char *missing;
    if (!program_find(request, answer, request->number[0], &program))
        return;
    json_t *objects = program_dump(request, answer, &program, "program", NULL, &missing);
    if (objects)
        answer_program(request, answer, program.id, objects, missing);
    json_decref(objects);
}

/* ---- adding one --------------------------------------------------------------------------------------- */

struct addition {
    const char *name, *path;
    const struct object *copied;
    const json_t *objects;
    int64_t id;
};

static bool add_object_row(sqlite3 *database, const struct addition *addition, size_t number,
                           const json_t *object) {
    const char *base = dump_text(object, "base");
    return statement_run(statement(
        database,
        "INSERT INTO program_object(program, number, name, path, base, role) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
        "iissis", addition->id, (int64_t)number, number ? dump_text(object, "name") : addition->name,
        number ? dump_text(object, "path") : addition->path, (int64_t)(base ? strtoull(base, NULL, 16) : 0),
        dump_text(object, "role")));
}

static bool add_program_row(sqlite3 *database, void *argument) {
    static const char file[] =
        "INSERT INTO file(sha256, bytes, stored, compressed, kind) "
        "VALUES(?1, ?2, ?2, 0, 'program') ON CONFLICT DO UPDATE SET bytes = ?2 RETURNING id";
    static const char program[] =
        "INSERT INTO program(name, digest, path, file, build_id, is_static, text_bytes, added) "
        "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, strftime('%Y-%m-%dT%H:%M:%SZ')) ON CONFLICT(digest, name) DO "
        "UPDATE SET path = ?3, file = ?4, build_id = ?5, is_static = ?6, text_bytes = ?7, "
        "added = coalesce(added, excluded.added) RETURNING id";
    struct addition *addition = argument;
    const struct object *copied = addition->copied;
    const json_t *own = json_array_get(addition->objects, 0), *object;
    size_t number;
    int64_t kept = statement_number(statement(database, file, "si", copied->digest, copied->bytes), 0);
    int64_t text = json_integer_value(json_object_get(own, "text_size"));
    addition->id =
        statement_number(statement(database, program, "sssisii", addition->name, copied->digest,
                                   addition->path, kept, dump_text(own, "build_id"),
                                   (int64_t)!json_is_true(json_object_get(own, "is_dynamic")), text),
                         0);
    bool good = kept && addition->id &&
                statement_run(
                    statement(database, "DELETE FROM program_object WHERE program = ?1", "i", addition->id));
    json_array_foreach(addition->objects, number, object) good =
        good && add_object_row(database, addition, number, object);
    return good;
}

/* The file that the path names, and the name that the kernel has for it. -1: the request is answered. */
static int open_program(struct request *request, struct answer *answer, const char *path, struct stat *status,
                        const char **real) {
    char link[64], target[4096];
    int descriptor = path_open(request->project, path, O_RDONLY);
    ssize_t length = -1;
    if (descriptor >= 0) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        length = readlink(link, target, sizeof target);
    }
    if (descriptor < 0 && errno == EXDEV)
        answer_error(answer, 400, "atomc workbench --allow=FOLDER",
                     "%s: it is outside of the folders that may be read", path);
    else if (descriptor < 0 || length < 0 || length == sizeof target || fstat(descriptor, status) != 0)
        answer_error(answer, 400, NULL, "%s: cannot open: %s", path, strerror(errno));
    else if (!S_ISREG(status->st_mode))
        answer_error(answer, 400, NULL, "%s: it is no regular file", path);
    else if (status->st_mode & (S_ISUID | S_ISGID))
        answer_error(answer, 400, "a copy without these rights can be opened",
                     "%s: it runs with the rights of another user", path);
    else {
        *real = arena_string(request->arena, target, (size_t)length);
        return descriptor;
    }
    if (descriptor >= 0)
        close(descriptor);
    answer_where(answer, json_pack("{s:s}", "field", "path"));
    return -1;
}

static void add_kept(struct request *request, struct answer *answer, const char *name, const char *path,
                     const struct object *copied) {
    const char *missing, *kept = object_path(request->arena, request->project, copied->digest);
    struct known_program program = {.name = name,
                                    .digest = copied->digest,
                                    .path = path,
                                    .kept = kept,
                                    .folder = uploaded_folder(request, path)};
    json_t *objects = program_dump(request, answer, &program, "program", NULL, &missing);
    struct addition addition = {name, stored_path(request, path), copied, objects, 0};
    int code = objects ? project_write(request->project, add_program_row, &addition) : SQLITE_OK;
    if ((!objects || code != SQLITE_OK) && !copied->was_there)
        unlink(kept);
    if (!objects)
        answer_where(answer, json_pack("{s:s}", "field", "path"));
    else if (code != SQLITE_OK)
        answer_database(answer, code);
    else {
        answer_status(answer, 201);
        answer_program(request, answer, addition.id, objects, missing);
    }
    json_decref(objects);
}

/* "name": of one that was uploaded. */
static const char *name_of_upload(struct request *request, struct answer *answer, const char *path) {
    const char *slash = strrchr(path, '/'), *name = request_text(request, "name");
    if (name && (!*name || strchr(name, '/') || strlen(name) > LONGEST_NAME))
        answer_error(answer, 400, NULL, "'%s' is no name of a program", name);
    return name ? name : slash ? slash + 1 : path;
}

static void post_program(struct request *request, struct answer *answer) {
    static const struct field fields[] = {{"path", FIELD_TEXT, true}, {"name", FIELD_TEXT, false}};
    struct stat status;
    struct object copied = {.file = -1};
    const char *real;
    if (!request_fields(request, answer, fields, 2))
        return;
    if (project_is_read_only(request->project)) {
        answer_database(answer, SQLITE_READONLY);
        return;
    }
    int descriptor = open_program(request, answer, request_text(request, "path"), &status, &real);
    if (descriptor < 0)
        return;
    const char *name = name_of_upload(request, answer, real);
    if (!answer_failed(answer) && keep_copy(request, descriptor, &status, &copied))
        add_kept(request, answer, name, real, &copied);
    else if (!answer_failed(answer))
        answer_upload_failure(answer, copied.error);
    object_end(&copied);
    close(descriptor);
}

const struct route programs_routes[] = {
    {"GET", "/programs", get_programs},
    {"POST", "/programs", post_program},
    {"GET", "/programs/#", get_program},
    {NULL, NULL, NULL},
};
