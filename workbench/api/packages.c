/* packages.c: packages of tools, by means of `atomc package`. They are added only to the project, in
   PROJECT/tools. For each digest, the user is asked one time whether a package may run C inside of atomc. The
   answer is stored outside of the project, so that a foreign project cannot contain it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/json.h"
#include "support/packages.h"
#include "workbench/project/project.h"
#include "workbench/project/tool_words.h"

enum { MAKE_SECONDS = 60 };

/* ---- commands ------------------------------------------------------------------------------------------- */

/* False: the request is answered with atomc's error. */
static bool run_package_command(struct request *request, struct answer *answer, const char *const *words,
                                struct command_result *result) {
    struct command command = {.words = words, .seconds = MAKE_SECONDS};
    bool good = command_run(request->project, &command, result) && result->status == 0;
    if (!good)
        answer_command(answer, &command, result);
    return good;
}

static void answer_package_list(struct request *request, struct answer *answer, const char *gallery) {
    struct command_result result;
    if (run_package_command(request, answer,
                            (const char *const[]){"atomc", "package", "list", "--json", gallery, NULL},
                            &result)) {
        answer_text(answer, result.output, result.output_length);
        result.output = NULL;
    }
    command_free(&result);
}

/* GET /packages */
static void get_packages(struct request *request, struct answer *answer) {
    answer_package_list(request, answer, NULL);
}

/* GET /gallery */
static void get_gallery(struct request *request, struct answer *answer) {
    answer_package_list(request, answer, "--gallery");
}

/* ---- adding, removing ----------------------------------------------------------------------------------- */

/* The folder of the project's packages; NULL: the request has been answered. A symbolic link would lead out
   of the project. */
static const char *own_folder(struct request *request, struct answer *answer) {
    const char *folder = arena_format(request->arena, "%s/tools", project_folder(request->project));
    struct stat status;
    if (project_is_read_only(request->project)) {
        answer_database(answer, SQLITE_READONLY);
        return NULL;
    }
    if (lstat(folder, &status) == 0 && !S_ISDIR(status.st_mode)) {
        answer_error(answer, MHD_HTTP_CONFLICT, NULL, "%s is no folder", folder);
        return NULL;
    }
    return folder;
}

static bool is_package_digest(const char *text) {
    return strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

/* The package to add, in the syntax of atomc package; NULL: the request has been answered. */
static const char *package_source(struct request *request, struct answer *answer) {
    const char *path = request_text(request, "path"), *gallery = request_text(request, "gallery");
    if (!path == !gallery)
        answer_error(
            answer, MHD_HTTP_BAD_REQUEST, NULL,
            "a package is added by the \"path\" of a folder or a .tar.zst file, or from the \"gallery\"");
    else if (gallery && !is_package_name(gallery))
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "the gallery has no package '%s'", gallery);
    else
        return path ? readable(request, answer, path) : arena_format(request->arena, "gallery:%s", gallery);
    return NULL;
}

/* The name is the first word that `atomc package add` prints. */
static void answer_added(struct request *request, struct answer *answer, const char *output) {
    const char *name = arena_string(request->arena, output, strcspn(output, " \n"));
    answer_status(answer, MHD_HTTP_CREATED);
    answer_json(answer, json_pack("{s:s, s:b}", "name", name, "needs_trust",
                                  strstr(output, "atomc package trust") != NULL));
}

/* POST /packages {path | gallery, digest}: one of that name in the project is replaced. */
static void post_package(struct request *request, struct answer *answer) {
    static const struct field fields[] = {
        {"path", FIELD_TEXT, false}, {"gallery", FIELD_TEXT, false}, {"digest", FIELD_TEXT, false}};
    struct command_result result;
    if (!request_fields(request, answer, fields, 3))
        return;
    const char *digest = request_text(request, "digest"), *folder = own_folder(request, answer),
               *source = folder ? package_source(request, answer) : NULL;
    if (!source)
        return;
    if (digest && !is_package_digest(digest)) {
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "a digest has 64 digits, 0 to 9 and a to f");
        return;
    }
    const char *into = arena_format(request->arena, "--into=%s", folder),
               *asked = digest ? arena_format(request->arena, "--digest=%s", digest) : NULL;
    if (run_package_command(request, answer,
                            (const char *const[]){"atomc", "package", "add", source, into, asked, NULL},
                            &result))
        answer_added(request, answer, result.output);
    command_free(&result);
}

static bool names_package(struct request *request, struct answer *answer) {
    bool good = is_package_name(request->name[0]);
    if (!good)
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "no package is called '%s'", request->name[0]);
    return good;
}

/* A package that does not exist: 404. */
static void answer_missing_package(struct answer *answer) {
    const char *error = json_string_value(json_object_get(answer->error, "error"));
    if (error && strstr(error, "no package is called"))
        answer_status(answer, MHD_HTTP_NOT_FOUND);
}

/* DELETE /packages/NAME */
static void delete_package(struct request *request, struct answer *answer) {
    struct command_result result;
    const char *folder = names_package(request, answer) ? own_folder(request, answer) : NULL;
    if (!folder)
        return;
    const char *from = arena_format(request->arena, "--from=%s", folder);
    if (!run_package_command(
            request, answer,
            (const char *const[]){"atomc", "package", "remove", request->name[0], from, NULL}, &result))
        answer_missing_package(answer);
    command_free(&result);
}

/* POST /packages/NAME/trust {digest}: trusts the package in the state that the user has seen. */
static void post_trust(struct request *request, struct answer *answer) {
    static const struct field fields[] = {{"digest", FIELD_TEXT, true}};
    struct command_result result;
    if (!names_package(request, answer) || !request_fields(request, answer, fields, 1))
        return;
    const char *digest = arena_format(request->arena, "--digest=%s", request_text(request, "digest"));
    if (!run_package_command(
            request, answer,
            (const char *const[]){"atomc", "package", "trust", request->name[0], digest, NULL}, &result)) {
        const char *error = json_string_value(json_object_get(answer->error, "error"));
        if (error && strstr(error, "not the package that was asked for"))
            answer_status(answer, MHD_HTTP_CONFLICT);
        answer_missing_package(answer);
    }
    command_free(&result);
}

/* ---- packing -------------------------------------------------------------------------------------------- */

/* The folder of the package of that name, from the list; NULL: the request has been answered. */
static const char *listed_package_folder(struct request *request, struct answer *answer,
                                         const char **version) {
    struct command_result result;
    const char *folder = NULL;
    json_t *document = NULL, *one;
    size_t i;
    bool good = run_package_command(
        request, answer, (const char *const[]){"atomc", "package", "list", "--json", NULL}, &result);
    if (good)
        document = json_loadb(result.output, result.output_length, 0, NULL);
    json_array_foreach(json_object_get(document, "packages"), i, one) {
        const char *name = json_string_value(json_object_get(one, "name")),
                   *text = json_string_value(json_object_get(one, "version"));
        if (name && strcmp(name, request->name[0]) == 0) {
            folder = arena_format(request->arena, "%s", json_string_value(json_object_get(one, "folder")));
            *version = arena_format(request->arena, "%s", text && is_name(text) ? text : "0");
        }
    }
    json_decref(document);
    command_free(&result);
    if (good && !folder)
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "no package is called '%s'", request->name[0]);
    return folder;
}

/* GET /packages/NAME/archive: NAME-VERSION.tar.zst. The package is made in a temporary folder, which is
   removed before the response. */
static void get_archive(struct request *request, struct answer *answer) {
    const char *version = NULL, *folder = names_package(request, answer)
                                              ? listed_package_folder(request, answer, &version)
                                              : NULL;
    char *making = arena_format(request->arena, "%s/.package-XXXXXX", project_folder(request->project));
    struct command_result result;
    if (!folder)
        return;
    if (project_is_read_only(request->project)) {
        answer_database(answer, SQLITE_READONLY);
        return;
    }
    if (!mkdtemp(making)) {
        answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "%s: %s", making, strerror(errno));
        return;
    }
    const char *path = arena_format(request->arena, "%s/package.tar.zst", making);
    if (run_package_command(request, answer,
                            (const char *const[]){"atomc", "package", "make", folder, "-o", path, NULL},
                            &result)) {
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file >= 0)
            answer_file(answer, "application/zstd",
                        arena_format(request->arena, "%s-%s.tar.zst", request->name[0], version), file);
        else
            answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "%s: %s", path, strerror(errno));
    }
    command_free(&result);
    remove_tree(making);
}

const struct route packages_routes[] = {
    {"GET", "/packages", get_packages},
    {"GET", "/gallery", get_gallery},
    {"POST", "/packages", post_package},
    {"DELETE", "/packages/*", delete_package},
    {"POST", "/packages/*/trust", post_trust},
    {"GET", "/packages/*/archive", get_archive},
    {NULL, NULL, NULL},
};
