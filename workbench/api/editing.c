/* editing.c: the files of tools as texts: a copy of any tool as a beginning, the project's own packages
   (PROJECT/tools/PACKAGE) for reading and saving, and unsaved files for running. A file that another program
   has changed in the meantime is not overwritten. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/json.h"
#include "support/packages.h"
#include "workbench/project/drafts.h"
#include "workbench/server/server.h"
#include "workbench/project/tool_words.h"

enum { MOST_TEXT = 1 << 20 };

/* ---- files ---------------------------------------------------------------------------------------------- */

/* NULL: the file does not exist, is not a regular file, or is too large. */
static char *read_plain_file(struct request *request, const char *path, size_t *length) {
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool good =
        file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= MOST_TEXT;
    char *text = good ? arena_allocate(request->arena, (size_t)status.st_size + 1) : NULL;
    *length = 0;
    for (ssize_t step; text && *length < (size_t)status.st_size &&
                       (step = read(file, text + *length, (size_t)status.st_size - *length)) > 0;)
        *length += (size_t)step;
    if (text)
        text[*length] = '\0';
    if (file >= 0)
        close(file);
    return text;
}

static const char *text_digest(struct request *request, const char *text, size_t length) {
    char digest[SHA256_DIGEST_STRING_LENGTH];
    return arena_format(request->arena, "%s", SHA256Data((const uint8_t *)text, length, digest));
}

/* {"name", "text", "digest"}; NULL: the file cannot be read. */
static json_t *draft_json(struct request *request, const char *folder, const char *name) {
    size_t length;
    const char *text = read_plain_file(request, arena_format(request->arena, "%s/%s", folder, name), &length);
    return text ? json_pack("{s:s, s:o, s:s}", "name", name, "text", json_text(text), "digest",
                            text_digest(request, text, length))
                : NULL;
}

/* ---- of any tool ---------------------------------------------------------------------------------------- */

/* Files in the page's folder are copied under their names; "elsewhere" has the names of the remaining
   files. */
static json_t *files_of_tool(struct request *request, const json_t *tool) {
    json_t *files = json_array(), *elsewhere = json_array(), *path, *seen = json_object();
    const char *page = json_string_value(json_object_get(tool, "path")),
               *slash = page ? strrchr(page, '/') : NULL;
    const char *folder = slash ? arena_string(request->arena, page, (size_t)(slash - page)) : ".";
    size_t i, length = strlen(folder);
    json_array_foreach(json_object_get(tool, "files"), i, path) {
        const char *text = json_string_value(path);
        bool beside = slash && strncmp(text, folder, length) == 0 && text[length] == '/' &&
                      is_tool_file(text + length + 1);
        json_t *file =
            beside && !json_object_get(seen, text) ? draft_json(request, folder, text + length + 1) : NULL;
        if (file)
            json_array_append_new(files, file);
        else if (!json_object_get(seen, text))
            json_array_append(elsewhere, path);
        json_object_set_new(seen, text, json_true());
    }
    json_decref(seen);
    return json_pack("{s:s, s:o, s:o}", "page", slash ? slash + 1 : "", "files", files, "elsewhere",
                     elsewhere);
}

static void get_tool_files(struct request *request, struct answer *answer, const char *name) {
    const char *const words[] = {"atomc", "--help", "--json", "-t", name, NULL};
    struct command command = {.words = words};
    struct command_result result;
    if (!is_tool_name(name)) {
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "there is no tool '%s'", name);
        return;
    }
    bool ended = command_run(request->project, &command, &result) && result.status == 0;
    json_t *document = ended ? json_loadb(result.output, result.output_length, 0, NULL) : NULL;
    json_t *tool = json_array_get(json_object_get(document, "tools"), 0);
    if (tool)
        answer_json(answer, files_of_tool(request, tool));
    else
        answer_command(answer, &command, &result);
    if (answer_failed(answer) && answer->status == MHD_HTTP_BAD_REQUEST)
        answer_status(answer, MHD_HTTP_NOT_FOUND);
    json_decref(document);
    command_free(&result);
}

/* ---- the project's packages ----------------------------------------------------------------------------- */

static const char *package_folder(struct request *request, const char *name) {
    return arena_format(request->arena, "%s/tools/%s", project_folder(request->project), name);
}

/* A folder that is no symbolic link: no file outside of the project is written. */
static bool is_folder(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int is_shown_entry(const struct dirent *entry) {
    return is_tool_file(entry->d_name);
}

static int compare_draft_entries(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name);
}

static json_t *draft_names(const char *folder) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_shown_entry, compare_draft_entries);
    json_t *names = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(names, json_text(entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
    return names;
}

static int is_package_entry(const struct dirent *entry) {
    return is_package_name(entry->d_name);
}

/* GET /sources */
static void get_sources(struct request *request, struct answer *answer) {
    const char *tool = request_query(request, "tool"), *tools = package_folder(request, "");
    struct dirent **entries = NULL;
    if (tool) {
        get_tool_files(request, answer, tool);
        return;
    }
    json_t *list = json_array();
    int count = scandir(tools, &entries, is_package_entry, compare_draft_entries);
    for (int i = 0; i < count; i++) {
        const char *folder = package_folder(request, entries[i]->d_name);
        if (is_folder(folder))
            json_array_append_new(
                list, json_pack("{s:s, s:o}", "package", entries[i]->d_name, "files", draft_names(folder)));
        free(entries[i]);
    }
    free(entries);
    answer_json(answer, json_pack("{s:o, s:b}", "packages", list, "read_only",
                                  project_is_read_only(request->project)));
}

static bool right_package(struct answer *answer, const char *name) {
    if (!is_package_name(name))
        answer_error(answer, MHD_HTTP_BAD_REQUEST, "small letters, digits, '-', '_' and '.', at most 64",
                     "'%s' is no name of a package", name);
    return is_package_name(name);
}

/* GET /sources/PACKAGE */
static void get_package(struct request *request, struct answer *answer) {
    const char *name = request->name[0], *folder = package_folder(request, name);
    json_t *files = json_array(), *names, *file;
    size_t i;
    if (!is_package_name(name) || !is_folder(folder)) {
        json_decref(files);
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "the project has no package '%s'", name);
        return;
    }
    names = draft_names(folder);
    json_array_foreach(names, i, file) {
        json_t *read = draft_json(request, folder, json_string_value(file));
        if (read)
            json_array_append_new(files, read);
    }
    json_decref(names);
    answer_json(answer, json_pack("{s:s, s:s, s:o}", "package", name, "folder", folder, "files", files));
}

/* ---- saving --------------------------------------------------------------------------------------------- */

static pthread_mutex_t saving = PTHREAD_MUTEX_INITIALIZER;

/* True if the file is unchanged since the page has read it. False: the request is answered. */
static bool is_unchanged(struct request *request, struct answer *answer, const char *folder, const char *name,
                         const json_t *given) {
    const char *known = json_string_value(json_object_get(given, "digest")),
               *path = arena_format(request->arena, "%s/%s", folder, name);
    size_t length;
    const char *text = read_plain_file(request, path, &length),
               *digest = text ? text_digest(request, text, length) : NULL;
    bool there = text || faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    if (!known ? !there : digest && strcmp(known, digest) == 0)
        return true;
    answer_error(answer, MHD_HTTP_CONFLICT, "look at both texts, and save again",
                 known && !there ? "%s/%s was removed since it was read"
                 : !known        ? "%s/%s is there already"
                                 : "%s/%s was changed since it was read",
                 request->name[0], name);
    answer_where(answer,
                 json_pack("{s:s, s:o, s:s?}", "file", name, "text", json_text(text), "digest", digest));
    return false;
}

static bool right_file(struct answer *answer, const char *name, const json_t *given) {
    const json_t *digest = json_object_get(given, "digest");
    bool good = is_tool_file(name) && json_is_string(json_object_get(given, "text")) &&
                (!digest || json_is_null(digest) || json_is_string(digest));
    if (!good)
        answer_error(answer, MHD_HTTP_BAD_REQUEST,
                     "a page, a part of one, C, or a header: {\"text\", \"digest\"}",
                     "'%s' is no file of a tool", name);
    return good;
}

/* Replaces the file by a rename, so it is always complete. */
static bool replace_file(struct request *request, const char *folder, const char *name, const char *text,
                         size_t length) {
    const char *path = arena_format(request->arena, "%s/%s", folder, name),
               *making = arena_format(request->arena, "%s/.%s.new", folder, name);
    unlink(making);
    bool good = write_new_file(making, text, length) && rename(making, path) == 0;
    int error = errno;
    if (!good)
        unlink(making);
    errno = error;
    return good;
}

/* The contents of package.json, or the contents for a new package; NULL: the file is not JSON. */
static json_t *read_about(struct request *request, const char *folder) {
    const char *path = arena_format(request->arena, "%s/package.json", folder),
               *description = request_text(request, "description");
    size_t length;
    const char *text = read_plain_file(request, path, &length);
    if (!text)
        return json_pack("{s:s, s:s, s:s*, s:[], s:[]}", "name", request->name[0], "version", "0.1",
                         "description", description && *description ? description : NULL, "tools", "presets");
    json_t *about = json_loadb(text, length, 0, NULL);
    if (json_is_object(about))
        return about;
    json_decref(about);
    return NULL;
}

/* Lists the existing pages in it. */
static void list_pages(json_t *about, const char *folder) {
    json_t *names = draft_names(folder), *pages = json_array(), *name;
    size_t i;
    json_array_foreach(names, i, name) {
        const char *suffix = strrchr(json_string_value(name), '.');
        if (suffix && strcmp(suffix, ".atd") == 0)
            json_array_append(pages, name);
    }
    json_decref(names);
    json_object_set_new(about, "tools", pages);
}

static bool write_package(struct request *request, const char *folder, json_t *files, json_t *about) {
    const char *name;
    json_t *given;
    bool good = mkdir(folder, 0777) == 0 || errno == EEXIST;
    json_object_foreach(files, name, given) {
        json_t *text = json_object_get(given, "text");
        good = good && replace_file(request, folder, name, json_string_value(text), json_string_length(text));
    }
    if (good)
        list_pages(about, folder);
    char *text = good ? json_dumps(about, JSON_INDENT(4)) : NULL;
    good = text && replace_file(request, folder, "package.json", text, strlen(text));
    free(text);
    return good;
}

/* PUT /sources/PACKAGE {files: {NAME: {text, digest}}}: writes all files or none, except on a full disk. */
static void put_package(struct request *request, struct answer *answer) {
    static const struct field fields[] = {{"files", FIELD_OBJECT, true}, {"description", FIELD_TEXT, false}};
    if (!request_fields(request, answer, fields, 2) || !right_package(answer, request->name[0]))
        return;
    const char *folder = package_folder(request, request->name[0]), *name;
    json_t *files = json_object_get(request->body, "files"), *given;
    if (project_is_read_only(request->project)) {
        answer_database(answer, SQLITE_READONLY);
        return;
    }
    json_object_foreach(files, name, given) {
        if (!right_file(answer, name, given))
            return;
    }
    pthread_mutex_lock(&saving);
    bool good = is_folder(folder) || faccessat(AT_FDCWD, folder, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
    if (!good)
        answer_error(answer, MHD_HTTP_CONFLICT, NULL, "%s is no folder", folder);
    json_object_foreach(files, name, given) {
        good = good && is_unchanged(request, answer, folder, name, given);
    }
    json_t *about = good ? read_about(request, folder) : NULL;
    if (good && !about)
        answer_error(answer, MHD_HTTP_CONFLICT, "mend or remove it", "%s/package.json is no JSON", folder);
    else if (good && !write_package(request, folder, files, about))
        answer_error(answer, errno == ENOSPC ? MHD_HTTP_INSUFFICIENT_STORAGE : MHD_HTTP_INTERNAL_SERVER_ERROR,
                     NULL, "%s: %s", folder, strerror(errno));
    json_decref(about);
    pthread_mutex_unlock(&saving);
    if (!answer_failed(answer))
        get_package(request, answer);
}

/* ---- running what is not saved -------------------------------------------------------------------------- */

/* For {name, text, c}: the page, which a job can name; NULL: the request has been answered. */
static const char *draft_page(struct request *request, struct answer *answer) {
    static const struct field fields[] = {
        {"name", FIELD_TEXT, true}, {"text", FIELD_TEXT, true}, {"c", FIELD_OBJECT, false}};
    if (!request_fields(request, answer, fields, 3))
        return NULL;
    const char *page = request_text(request, "name"), *text = request_text(request, "text");
    json_t *files = json_object_get(request->body, "c");
    if (!is_page_name(answer, page))
        return NULL;
    const char *folder = draft_is_allowed(request, answer, page, text, files)
                             ? draft_folder(request, answer, page, text, files)
                             : NULL;
    return folder ? arena_format(request->arena, "%s/%s", folder, page) : NULL;
}

/* POST /drafts */
static void post_draft(struct request *request, struct answer *answer) {
    const char *page = draft_page(request, answer);
    if (page)
        answer_json(answer, json_pack("{s:s}", "path", page));
}

/* POST /drafts/help */
static void post_draft_help(struct request *request, struct answer *answer) {
    const char *page = draft_page(request, answer);
    if (page)
        answer_document(request, answer, (const char *const[]){"atomc", "--help", "--json", page, NULL});
}

const struct route editing_routes[] = {
    {"GET", "/sources", get_sources},          {"GET", "/sources/*", get_package},
    {"PUT", "/sources/*", put_package},        {"POST", "/drafts", post_draft},
    {"POST", "/drafts/help", post_draft_help}, {NULL, NULL, NULL},
};
