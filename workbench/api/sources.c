/* sources.c: the text of a source that debug information names. It is found by its recorded path, or in a
   folder that is mapped to the beginning of that path. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/json.h"
#include "workbench/api/comparing.h"
#include "workbench/project/programs.h"

enum { MOST_BYTES = 8 << 20 };

/* The recorded path with the longest mapped prefix replaced; NULL: no prefix is mapped. */
static const char *mapped_path(struct request *request, const char *path) {
    sqlite3_stmt *row = statement(
        request->database,
        "SELECT folder, length(CAST(prefix AS BLOB)) FROM mapping WHERE substr(CAST(?1 AS BLOB), 1, "
        "length(CAST(prefix AS BLOB))) = CAST(prefix AS BLOB) AND (length(?1) = length(prefix) OR substr(?1, "
        "length(prefix) + 1, 1) = '/' OR prefix LIKE '%/') ORDER BY length(prefix) DESC LIMIT 1",
        "s", path);
    const char *mapped = NULL;
    if (next_row(row))
        mapped = arena_format(request->arena, "%s/%s", (const char *)sqlite3_column_text(row, 0),
                              path + sqlite3_column_int(row, 1) + (path[sqlite3_column_int(row, 1)] == '/'));
    sqlite3_finalize(row);
    return mapped;
}

/* A descriptor; -1: the file cannot be opened; errno is EXDEV if it may not be read. */
static int open_recorded(struct request *request, const char *path, const char **found) {
    const char *mapped = mapped_path(request, path);
    int descriptor = mapped ? path_open(request->project, mapped, O_RDONLY) : -1;
    int error = mapped ? errno : 0;
    *found = mapped ? mapped : path;
    if (descriptor < 0 && path[0] == '/') {
        descriptor = path_open(request->project, path, O_RDONLY);
        *found = descriptor >= 0 || !mapped ? path : mapped;
        errno = mapped ? error : errno;
    } else if (descriptor < 0 && !mapped) {
        errno = ENOENT; /* a relative path: below a folder that is recorded elsewhere */
    }
    return descriptor;
}

/* The candidates for a relative path: below each folder in which the program was compiled (relative folders
   are below the program's own folder), and below the program's folder. NULL-terminated. */
static const char **possible_paths(struct request *request, const struct known_program *program,
                                   const char *path) {
    const char **paths = NULL, *text;
    uint32_t count = 0, capacity = 0;
    sqlite3_stmt *row =
        statement(request->database, "SELECT folder FROM compiled_in WHERE program = ?1 ORDER BY folder", "i",
                  program->id);
    while (next_row(row)) {
        text = (const char *)sqlite3_column_text(row, 0);
        ARENA_RESERVE(request->arena, paths, count, capacity);
        paths[count++] = *text == '/' ? arena_format(request->arena, "%s/%s", text, path)
                                      : arena_format(request->arena, "%s/%s/%s", program->folder, text, path);
    }
    sqlite3_finalize(row);
    ARENA_RESERVE(request->arena, paths, count, capacity);
    paths[count++] = arena_format(request->arena, "%s/%s", program->folder, path);
    ARENA_RESERVE(request->arena, paths, count, capacity);
    paths[count] = NULL;
    return paths;
}

static bool are_same_file(int left, int right) {
    struct stat first, second;
    return fstat(left, &first) == 0 && fstat(right, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* The same for all sources of a program. If its path leads to several files, `others` has the files that are
   not shown. */
static int open_source(struct request *request, const struct known_program *program, const char *path,
                       const char **found, json_t *others) {
    const char *tried;
    int first = open_recorded(request, path, found), error = errno;
    if (first >= 0 || path[0] == '/')
        return first;
    for (const char **paths = possible_paths(request, program, path); *paths; paths++) {
        int descriptor = open_recorded(request, *paths, &tried);
        bool outside = descriptor < 0 && errno == EXDEV && access(tried, R_OK) == 0;
        if (descriptor >= 0 && first < 0) {
            first = descriptor;
            *found = tried;
            continue;
        }
        if (descriptor >= 0 && !are_same_file(first, descriptor))
            json_array_append_new(others, json_text(tried));
        if (descriptor >= 0)
            close(descriptor);
        if (outside && first < 0 && error != EXDEV) {
            error = EXDEV;
            *found = tried;
        }
    }
    errno = error;
    return first;
}

/* Bytes without NULs, which no source has. */
static char *read_source_text(struct request *request, int descriptor, size_t size) {
    char *text = arena_allocate(request->arena, size + 1);
    size_t length = 0;
    ssize_t step;
    while (length < size && (step = read(descriptor, text + length, size - length)) > 0)
        length += (size_t)step;
    for (size_t i = 0; i < length; i++)
        if (!text[i])
            text[i] = ' ';
    return text;
}

char *source_read(struct request *request, const char *path) {
    struct stat status;
    const char *found;
    char *text = NULL;
    int descriptor = open_recorded(request, path, &found);
    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size <= MOST_BYTES)
        text = duplicate_string(read_source_text(request, descriptor, (size_t)status.st_size));
    if (descriptor >= 0)
        close(descriptor);
    return text;
}

static void answer_missing_source(struct request *request, struct answer *answer, const char *path,
                                  const char *found, int error) {
    bool outside = error == EXDEV && access(found, R_OK) == 0;
    path = outside && path[0] != '/' ? found : path; /* its folder can be allowed */
    const char *slash = strrchr(path, '/');
    const char *folder = slash > path ? arena_string(request->arena, path, (size_t)(slash - path)) : "";
    answer_json(answer, json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "state", outside ? "outside" : "missing",
                                  "path", json_text(path), "found", json_null(), "text", json_null(),
                                  "folder", json_text(folder), "why",
                                  json_text(outside ? "it is outside of the folders that may be read"
                                                    : strerror(error == EXDEV ? ENOENT : error))));
}

/* True if the source was changed after the program was made. The copy of the program has the program's
   time. */
static bool is_newer(const struct known_program *program, const struct stat *source) {
    struct stat made;
    return stat(program->kept, &made) == 0 && source->st_mtim.tv_sec > made.st_mtim.tv_sec;
}

static void get_source(struct request *request, struct answer *answer) {
    struct known_program program;
    struct stat status;
    const char *path = request_query(request, "path"), *found;
    if (!program_find(request, answer, request->number[0], &program))
        return;
    if (!path || !*path) {
        answer_error(answer, 400, NULL, "path= says which source");
        return;
    }
    if (path[0] != '/' && !program_list_procedures(request, answer, &program))
        return;
    json_t *others = json_array();
    int descriptor = open_source(request, &program, path, &found, others);
    if (descriptor < 0 || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        answer_missing_source(request, answer, path, found, descriptor < 0 ? errno : EISDIR);
    } else if (status.st_size > MOST_BYTES) {
        answer_error(answer, 413, NULL, "%s: a source of more than %d MB", found, MOST_BYTES >> 20);
    } else {
        json_t *text = json_text(read_source_text(request, descriptor, (size_t)status.st_size));
        answer_json(answer, json_pack("{s:s, s:o, s:o, s:o, s:O, s:I}", "state",
                                      is_newer(&program, &status) ? "differs" : "found", "path",
                                      json_text(path), "found", json_text(found), "text", text, "others",
                                      others, "modified", (json_int_t)status.st_mtim.tv_sec));
    }
    if (descriptor >= 0)
        close(descriptor);
    json_decref(others);
}

/* ---- mapping ------------------------------------------------------------------------------------------ */

static void get_mapping(struct request *request, struct answer *answer) {
    json_t *list = json_array();
    sqlite3_stmt *row =
        statement(request->database, "SELECT prefix, folder FROM mapping ORDER BY prefix", "");
    while (next_row(row))
        json_array_append_new(
            list, json_pack("{s:o, s:o}", "prefix", column_text(row, 0), "folder", column_text(row, 1)));
    sqlite3_finalize(row);
    answer_json(answer, json_pack("{s:o}", "mappings", list));
}

struct mapping {
    const char *prefix, *folder;
};

static bool write_source_mapping(sqlite3 *database, void *argument) {
    const struct mapping *mapping = argument;
    if (!*mapping->folder)
        return statement_run(
            statement(database, "DELETE FROM mapping WHERE prefix = ?1", "s", mapping->prefix));
    return statement_run(statement(
        database, "INSERT INTO mapping(prefix, folder) VALUES(?1, ?2) ON CONFLICT DO UPDATE SET folder = ?2",
        "ss", mapping->prefix, mapping->folder));
}

/* Without trailing slashes. */
static const char *trimmed_path(struct request *request, const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return arena_string(request->arena, path, length);
}

static void put_mapping(struct request *request, struct answer *answer) {
    static const struct field fields[] = {{"prefix", FIELD_TEXT, true}, {"folder", FIELD_TEXT, true}};
    if (!request_fields(request, answer, fields, 2))
        return;
    struct mapping mapping = {trimmed_path(request, request_text(request, "prefix")),
                              trimmed_path(request, request_text(request, "folder"))};
    int descriptor =
        *mapping.folder ? path_open(request->project, mapping.folder, O_RDONLY | O_DIRECTORY) : -1;
    if (!*mapping.prefix) {
        answer_error(answer, 400, NULL, "the prefix is empty");
    } else if (*mapping.folder && descriptor < 0) {
        answer_error(answer, 400,
                     errno == EXDEV
                         ? "it can be allowed: POST /project/allow, or atomc workbench --allow=FOLDER"
                         : NULL,
                     "%s: %s", mapping.folder,
                     errno == EXDEV ? "it is outside of the folders that may be read" : strerror(errno));
        answer_where(answer, json_pack("{s:s}", "field", "folder"));
    } else {
        int code = project_write(request->project, write_source_mapping, &mapping);
        answer_database(answer, code);
        if (code == SQLITE_OK)
            get_mapping(request, answer);
    }
    if (descriptor >= 0)
        close(descriptor);
}

const struct route sources_routes[] = {
    {"GET", "/programs/#/source", get_source},
    {"GET", "/programs/#/mapping", get_mapping},
    {"PUT", "/programs/#/mapping", put_mapping},
    {NULL, NULL, NULL},
};
