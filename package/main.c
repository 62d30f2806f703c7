/* main.c: atomc package: packages of tools are listed, added, removed, made and trusted.
   Exit status: 0, 1 for the user's errors, 2 for ours. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "package/package.h"
#include "support/json.h"

static const char help[] =
    "usage: atomc package list [--json]\n"
    "       atomc package add FILE.tar.zst\n"
    "       atomc package remove NAME\n"
    "       atomc package make FOLDER [-o FILE.tar.zst]\n"
    "       atomc package trust NAME\n"
    "\n"
    "Packages hold tools, which are named -t PACKAGE/TOOL. They are found in the folders of\n"
    "ATOMC_PACKAGES, in $XDG_DATA_HOME/atomc/packages, where add puts them, and where atomc is installed.\n"
    "A package whose C runs inside of atomc is used after atomc package trust NAME.\n"
    "\n"
    "Manual: docs/packages.md.\n";

struct session {
    struct arena *arena;
    struct diagnostics *diagnostics;
    const char *installed;
    json_t *list; /* NULL: text is printed */
};

static bool usage_error(struct session *session, const char *text, const char *word) {
    char *message = format_string(text, word);
    diagnose(session->diagnostics, NULL, MESSAGE_USAGE, message);
    diagnose_hint(session->diagnostics, "atomc package --help");
    free(message);
    return false;
}

static const char *installed_packages(struct arena *arena) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    return arena_format(arena, "%s/../../share/atomc/packages", path);
}

/* ---- commands --------------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *about, const char *key) {
    const char *text = json_string_value(json_object_get(about, key));
    return text ? text : "";
}

static bool runs_host_code(const struct package_files *files) {
    for (uint32_t i = 0; i < files->count; i++) {
        size_t length = strlen(files->list[i].name);
        if (length > 7 && strcmp(files->list[i].name + length - 7, ".inst.c") == 0)
            return true;
    }
    return false;
}

static void show(const char *name, const char *folder, void *context) {
    struct session *session = context;
    struct package_files files;
    json_t *about = files_read(folder, session->arena, &files, session->diagnostics)
                        ? package_describe(&files, folder, session->arena, session->diagnostics)
                        : NULL,
           *tool;
    char digest[PACKAGE_DIGEST + 1];
    size_t i;
    if (!about)
        return;
    if (!session->list) {
        printf("%-16s %-8s %s\n", name, text_of(about, "version"), text_of(about, "description"));
        json_array_foreach(json_object_get(about, "tools"), i, tool) {
            const char *file = json_string_value(tool);
            printf("    %s/%.*s\n", name, (int)(strlen(file) - 4), file);
        }
        json_decref(about);
        return;
    }
    package_digest(&files, digest);
    json_object_set_new(about, "folder", json_text(folder));
    json_object_set_new(about, "digest", json_string(digest));
    json_object_set_new(about, "runs_host_code", json_boolean(runs_host_code(&files)));
    json_object_set_new(about, "trusted", json_boolean(package_is_trusted(folder)));
    json_array_append_new(session->list, about);
}

static bool list(struct session *session, bool json) {
    session->list = json ? json_array() : NULL;
    packages_visit(session->installed, show, session);
    if (json) {
        json_t *document = json_object();
        json_object_set_new(document, "packages", session->list);
        json_print(document, true, stdout);
    }
    return diagnostics_errors(session->diagnostics) == 0;
}

static bool make_folders(const char *path) {
    char *copy = duplicate_string(path);
    for (char *at = strchr(copy + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(copy, 0755);
        *at = '/';
    }
    bool good = mkdir(copy, 0755) == 0 || errno == EEXIST;
    free(copy);
    return good;
}

static bool write_file(const char *folder, const struct package_file *file) {
    char *path = format_string("%s/%s", folder, file->name), *slash = strrchr(path, '/');
    *slash = '\0';
    bool good = make_folders(path);
    *slash = '/';
    FILE *stream = good ? fopen(path, "wxe") : NULL;
    good = stream && fwrite(file->bytes, 1, file->size, stream) == file->size;
    if (stream)
        good = fclose(stream) == 0 && good;
    free(path);
    return good;
}

static void remove_files(const char *folder) {
    char *const words[] = {"rm", "-rf", "--", (char *)(uintptr_t)folder, NULL};
    run_command(words, NULL);
}

/* Whole or not at all; one that is there is replaced. */
static bool install(struct session *session, const char *name, const struct package_files *files) {
    char *data = packages_own_data();
    const char *packages = arena_format(session->arena, "%s/packages", data ? data : ""),
               *new = arena_format(session->arena, "%s/.new.%ld", packages, (long)getpid()),
               *old = arena_format(session->arena, "%s/.old.%ld", packages, (long)getpid()),
               *folder = arena_format(session->arena, "%s/%s", packages, name);
    bool good = data && make_folders(packages) && make_folders(new);
    for (uint32_t i = 0; i < files->count && good; i++)
        good = write_file(new, &files->list[i]);
    if (good)
        good = (rename(folder, old) == 0 || errno == ENOENT) && rename(new, folder) == 0;
    if (!good)
        diagnose(session->diagnostics, NULL, MESSAGE_CANNOT_WRITE, folder, strerror(errno));
    remove_files(new);
    remove_files(old);
    free(data);
    return good;
}

static bool add(struct session *session, const char *path) {
    struct package_files files;
    json_t *about = archive_read(path, session->arena, &files, session->diagnostics)
                        ? package_describe(&files, path, session->arena, session->diagnostics)
                        : NULL;
    bool good = about && install(session, text_of(about, "name"), &files);
    if (good)
        printf("%s %s\n", text_of(about, "name"), text_of(about, "version"));
    if (good && runs_host_code(&files))
        printf("it runs C inside of atomc: atomc package trust %s\n", text_of(about, "name"));
    json_decref(about);
    return good;
}

static bool find(struct session *session, const char *name, char **folder) {
    *folder = package_find(name, session->installed);
    if (!*folder)
        diagnose(session->diagnostics, NULL, MESSAGE_NO_PACKAGE, name);
    return *folder != NULL;
}

static bool remove_package(struct session *session, const char *name) {
    char *folder, *data = packages_own_data();
    bool good = find(session, name, &folder);
    const char *own = arena_format(session->arena, "%s/packages/%s", data ? data : "", name);
    if (good && strcmp(folder, own) != 0)
        good = usage_error(session, "%s is no package that atomc package add has put there", folder);
    if (good)
        remove_files(folder);
    free(folder);
    free(data);
    return good;
}

static bool make(struct session *session, const char *folder, const char *output) {
    struct package_files files;
    json_t *about = files_read(folder, session->arena, &files, session->diagnostics)
                        ? package_describe(&files, folder, session->arena, session->diagnostics)
                        : NULL;
    const char *name = text_of(about, "name");
    if (!output)
        output = arena_format(session->arena, "%s-%s.tar.zst", name, text_of(about, "version"));
    bool good = about && archive_write(output, name, &files, session->diagnostics);
    json_decref(about);
    return good;
}

static bool trust(struct session *session, const char *name) {
    char *folder;
    bool good = find(session, name, &folder) && package_trust(folder, session->diagnostics);
    free(folder);
    return good;
}

static bool execute(struct session *session, char **words, int count) {
    const char *command = count > 2 ? words[2] : "", *name = count > 3 ? words[3] : NULL;
    if (strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0)
        return fputs(help, stdout) >= 0;
    if (strcmp(command, "list") == 0 && (count == 3 || (count == 4 && strcmp(name, "--json") == 0)))
        return list(session, count == 4);
    if (strcmp(command, "make") == 0 && (count == 4 || (count == 6 && strcmp(words[4], "-o") == 0)))
        return make(session, name, count == 6 ? words[5] : NULL);
    if (count == 4 && strcmp(command, "add") == 0)
        return add(session, name);
    if (count == 4 && strcmp(command, "remove") == 0)
        return remove_package(session, name);
    if (count == 4 && strcmp(command, "trust") == 0)
        return trust(session, name);
    return usage_error(session, "atomc package %s: list, add FILE, remove NAME, make FOLDER or trust NAME", command);
}

int main(int count, char **words) {
    struct session session = {.arena = arena_create(), .diagnostics = diagnostics_create()};
    session.installed = installed_packages(session.arena);
    bool good = execute(&session, words, count);
    int status = diagnostics_internal(session.diagnostics) > 0 ? 2 : !good;
    diagnostics_print(session.diagnostics, stderr);
    diagnostics_destroy(session.diagnostics);
    arena_destroy(session.arena);
    return status;
}
