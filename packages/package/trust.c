/* trust.c: C that runs inside of atomc has all rights of the user. It runs only if the user has allowed it,
   for a package in its present state, or for a file or folder by its path. A changed package needs a new
   permission. */
#define _GNU_SOURCE
#include <errno.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "packages/package/package.h"

void package_digest(const struct package_files *files, char digest[PACKAGE_DIGEST + 1]) {
    SHA2_CTX state;
    SHA256Init(&state);
    for (uint32_t i = 0; i < files->count; i++) {
        const struct package_file *file = &files->list[i];
        uint64_t size = file->size;
        SHA256Update(&state, (const uint8_t *)file->name, strlen(file->name) + 1);
        SHA256Update(&state, (const uint8_t *)&size, sizeof size);
        SHA256Update(&state, (const uint8_t *)file->bytes, file->size);
    }
    SHA256End(&state, digest);
}

static bool digest_of(const char *folder, char digest[PACKAGE_DIGEST + 1], struct diagnostics *diagnostics) {
    struct arena *arena = arena_create();
    struct package_files files;
    bool good = files_read(folder, arena, &files, diagnostics);
    if (good)
        package_digest(&files, digest);
    arena_destroy(arena);
    return good;
}

/* ---- the list ------------------------------------------------------------------------------------------- */

/* Its lines are a digest and the package's name, or "path" and a file or folder. */
static char *list_path(void) {
    char *data = packages_own_data(), *path = data ? format_string("%s/trusted", data) : NULL;
    free(data);
    return path;
}

/* A list that other users can write is ignored. */
static char *read_list(void) {
    char *path = list_path();
    struct stat status;
    size_t length;
    bool own = path && stat(path, &status) == 0 && status.st_uid == geteuid();
    char *text = own ? read_file(path, &length) : NULL;
    free(path);
    return text;
}

/* True if a line begins with `line`; if it is `whole`, the line must end there. */
static bool lists(const char *text, const char *line, bool whole) {
    size_t length = strlen(line);
    for (; text; text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL)
        if (strncmp(text, line, length) == 0 && (!whole || text[length] == '\n'))
            return true;
    return false;
}

static bool lists_path(const char *text, const char *path) {
    char *line = format_string("path %s", path);
    bool found = lists(text, line, true);
    free(line);
    return found;
}

static bool add_line(const char *word, const char *name, struct diagnostics *diagnostics) {
    char *path = list_path();
    for (char *at = path ? strchr(path + 1, '/') : NULL; at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0755);
        *at = '/';
    }
    FILE *file = path ? fopen(path, "ae") : NULL;
    bool good = file && fprintf(file, "%s %s\n", word, name) > 0;
    if (file)
        good = fclose(file) == 0 && good;
    if (!good)
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, path ? path : "trusted", strerror(errno));
    free(path);
    return good;
}

/* ---- packages ------------------------------------------------------------------------------------------- */

static bool lists_package(const char *text, const char *folder) {
    struct diagnostics *unseen = diagnostics_create();
    char digest[PACKAGE_DIGEST + 1];
    bool good = text && digest_of(folder, digest, unseen) && lists(text, digest, false);
    diagnostics_destroy(unseen);
    return good;
}

bool package_is_trusted(const char *folder) {
    char *text = read_list();
    bool good = lists_package(text, folder);
    free(text);
    return good;
}

bool package_trust(const char *folder, const char *asked, struct diagnostics *diagnostics) {
    char digest[PACKAGE_DIGEST + 1];
    bool is_it = digest_of(folder, digest, diagnostics);
    if (is_it && asked && strcmp(asked, digest) != 0) {
        diagnose(diagnostics, NULL, MESSAGE_PACKAGE_DIGEST, folder, digest);
        is_it = false;
    }
    return is_it && add_line(digest, strrchr(folder, '/') + 1, diagnostics);
}

/* ---- files and folders ---------------------------------------------------------------------------------- */

/* Other programs also use files package.json; such files have no tools. */
static bool is_package(const char *folder) {
    char *path = format_string("%s/package.json", folder);
    json_t *about = json_load_file(path, 0, NULL);
    bool found = json_is_array(json_object_get(about, "tools"));
    json_decref(about);
    free(path);
    return found;
}

/* The nearest folder upwards from the file decides: a path that the user has named, or a package, which has
   to be trusted itself. *package is its folder then, malloc'd; `real` is shortened. */
static bool nearest_is_trusted(const char *text, char *real, char **package) {
    while (!lists_path(text, *real ? real : "/")) {
        char *slash = strrchr(real, '/');
        if (!slash)
            return false;
        *slash = '\0';
        if (!is_package(real) || lists_path(text, *real ? real : "/"))
            continue;
        if (lists_package(text, real))
            return true;
        *package = duplicate_string(real);
        return false;
    }
    return true;
}

bool code_is_trusted(const char *path, char **package) {
    char *text = read_list(), *real = realpath(path, NULL);
    struct stat status;
    bool own = real && stat(real, &status) == 0 && (status.st_uid == geteuid() || status.st_uid == 0);
    *package = NULL;
    bool good = own && nearest_is_trusted(text, real, package);
    free(real);
    free(text);
    return good;
}

bool path_trust(const char *path, struct diagnostics *diagnostics) {
    char *real = realpath(path, NULL);
    bool good = false;
    if (!real)
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_READ, path, strerror(errno));
    else if (strchr(real, '\n'))
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_READ, path, "its name has a line feed");
    else
        good = add_line("path", real, diagnostics);
    free(real);
    return good;
}
