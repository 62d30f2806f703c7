/* main.c: atomc package: packages of tools are listed, added, removed, made and trusted.
   Exit status: 0, 1 for the user's errors, 2 for ours. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "packages/package/package.h"
#include "support/json.h"
#include "support/options.h"

struct session {
    struct arena *arena;
    struct diagnostics *diagnostics;
    const char *installed, *gallery;
    json_t *list; /* NULL: text is printed */
    /* Options; NULL: not given. */
    const char *output, *folder, *digest;
    bool json, from_gallery;
};

static void find_folders(struct session *session) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    session->installed = arena_format(session->arena, "%s/../../share/atomc/packages", path);
    session->gallery = arena_format(session->arena, "%s/../packages/gallery", path); /* path in a build
                                                                                        tree */
    if (access(arena_format(session->arena, "%s/calls/calls.atd", session->gallery), R_OK) != 0)
        session->gallery = arena_format(session->arena, "%s/../../share/atomc/gallery", path);
}

/* The folder for added packages. */
static const char *own_packages(struct session *session) {
    if (session->folder)
        return session->folder;
    char *data = packages_own_data();
    const char *folder = arena_format(session->arena, "%s/packages", data ? data : "");
    free(data);
    return folder;
}

/* ---- commands --------------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *about, const char *key) {
    const char *text = json_string_value(json_object_get(about, key));
    return text ? text : "";
}

/* `use ... from "FILE"`, with any file name. */
static bool uses_code(const char *text, size_t length) {
    const char *end = text + length;
    for (const char *at = text; (at = memmem(at, (size_t)(end - at), "use", 3)); at += 3) {
        const char *from = at[3] == ' ' || at[3] == '\t' ? memmem(at, (size_t)(end - at), "from", 4) : NULL;
        if (from && memchr(from, '"', (size_t)(end - from)) == from + 4 + strspn(from + 4, " \t\n"))
            return true;
    }
    return false;
}

static bool runs_host_code(const struct package_files *files) {
    for (uint32_t i = 0; i < files->count; i++) {
        const struct package_file *file = &files->list[i];
        size_t length = strlen(file->name);
        bool is_page = length > 4 && (strcmp(file->name + length - 4, ".atd") == 0 ||
                                      strcmp(file->name + length - 4, ".inc") == 0);
        if ((length > 7 && strcmp(file->name + length - 7, ".inst.c") == 0) ||
            (is_page && uses_code(file->bytes, file->size)))
            return true;
    }
    return false;
}

/* A package with errors is listed with the others. */
static void show_wrong(struct session *session, const char *name, const char *folder, const char *problem) {
    if (session->list)
        json_array_append_new(session->list, json_pack("{s:o, s:o, s:o}", "name", json_text(name), "folder",
                                                       json_text(folder), "error", json_text(problem)));
    else
        diagnose(session->diagnostics, NULL, MESSAGE_PACKAGE_ARCHIVE, folder, problem);
}

static void show_json(struct session *session, const char *name, const char *folder, json_t *about,
                      const struct package_files *files) {
    char digest[PACKAGE_DIGEST + 1], *added = package_find(name, session->installed);
    const struct package_file *readme = files_find(files, "README.md");
    bool runs_code = runs_host_code(files);
    package_digest(files, digest);
    json_object_set_new(about, "name", json_text(name));
    json_object_set_new(about, "folder", json_text(folder));
    json_object_set_new(about, "digest", json_string(digest));
    json_object_set_new(about, "runs_host_code", json_boolean(runs_code));
    json_object_set_new(about, "trusted", json_boolean(package_is_trusted(folder)));
    json_object_set_new(about, "readme", readme ? json_stringn(readme->bytes, readme->size) : json_null());
    if (session->from_gallery)
        json_object_set_new(about, "added", json_boolean(added != NULL));
    json_array_append(session->list, about);
    free(added);
}

static void put_padded(const char *text, int width) {
    put_line_text(text, stdout);
    printf("%*s", width > (int)strlen(text) ? width - (int)strlen(text) + 1 : 1, "");
}

static void show_text(const char *name, const json_t *about) {
    json_t *tool;
    size_t i;
    printf("%-16s ", name);
    put_padded(text_of(about, "version"), 8);
    put_line_text(text_of(about, "description"), stdout);
    putchar('\n');
    json_array_foreach(json_object_get(about, "tools"), i, tool) {
        const char *file = json_string_value(tool);
        printf("    %s/", name);
        put_line_part(file, strlen(file) - 4, stdout);
        putchar('\n');
    }
}

static void show_package(const char *name, const char *folder, void *context) {
    struct session *session = context;
    struct package_files files;
    struct diagnostics *diagnostics = diagnostics_create();
    char *problem = NULL;
    json_t *about = files_read(folder, session->arena, &files, diagnostics)
                        ? package_describe(&files, folder, session->arena, &problem, diagnostics)
                        : NULL;
    if (!about)
        show_wrong(session, name, folder,
                   problem ? problem : "it cannot be read, or has what no package has");
    else if (session->list)
        show_json(session, name, folder, about, &files);
    else
        show_text(name, about);
    json_decref(about);
    free(problem);
    diagnostics_destroy(diagnostics);
}

static int compare_folder_names(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name);
}

static void visit_gallery(struct session *session) {
    struct dirent **entries = NULL;
    int count = scandir(session->gallery, &entries, NULL, compare_folder_names);
    for (int i = 0; i < count; i++) {
        const char *folder = arena_format(session->arena, "%s/%s", session->gallery, entries[i]->d_name);
        if (is_package_name(entries[i]->d_name) &&
            access(arena_format(session->arena, "%s/package.json", folder), F_OK) == 0)
            show_package(entries[i]->d_name, folder, session);
        free(entries[i]);
    }
    free(entries);
}

static bool list_packages(struct session *session) {
    session->list = session->json ? json_array() : NULL;
    if (session->from_gallery)
        visit_gallery(session);
    else
        packages_visit(session->installed, show_package, session);
    if (session->json) {
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

/* Completely or not at all; an installed one is replaced. */
static bool install_package(struct session *session, const char *name, const struct package_files *files) {
    const char *packages = own_packages(session),
               *new = arena_format(session->arena, "%s/.new.%ld", packages, (long)getpid()),
               *old = arena_format(session->arena, "%s/.old.%ld", packages, (long)getpid()),
               *folder = arena_format(session->arena, "%s/%s", packages, name);
    bool good = make_folders(packages) && make_folders(new);
    for (uint32_t i = 0; i < files->count && good; i++)
        good = write_file(new, &files->list[i]);
    if (good)
        good = (rename(folder, old) == 0 || errno == ENOENT) && rename(new, folder) == 0;
    if (!good)
        diagnose(session->diagnostics, NULL, MESSAGE_CANNOT_WRITE, folder, strerror(errno));
    remove_files(new);
    remove_files(old);
    return good;
}

/* Checks the digest, if one is required. */
static bool has_digest(struct session *session, const char *name, const struct package_files *files) {
    char digest[PACKAGE_DIGEST + 1];
    package_digest(files, digest);
    bool good = !session->digest || strcmp(session->digest, digest) == 0;
    if (!good)
        diagnose(session->diagnostics, NULL, MESSAGE_PACKAGE_DIGEST, name, digest);
    return good;
}

/* The prefix distinguishes names of the gallery from names of files. */
static const char *from_gallery(struct session *session, const char *word) {
    static const char prefix[] = "gallery:";
    size_t length = sizeof prefix - 1;
    return strncmp(word, prefix, length) != 0 ? word
           : is_package_name(word + length)
               ? arena_format(session->arena, "%s/%s", session->gallery, word + length)
               : "";
}

static bool add_given_package(struct session *session, const char *word) {
    struct package_files files;
    struct stat status;
    const char *path = from_gallery(session, word);
    if (path != word && (!*path || access(path, R_OK) != 0)) {
        diagnose(session->diagnostics, NULL, MESSAGE_NO_PACKAGE, word);
        diagnose_hint(session->diagnostics, "atomc package list --gallery");
        return false;
    }
    bool is_folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode),
         is_read = is_folder ? files_read(path, session->arena, &files, session->diagnostics)
                             : archive_read(path, session->arena, &files, session->diagnostics);
    json_t *about =
        is_read ? package_describe(&files, word, session->arena, NULL, session->diagnostics) : NULL;
    bool good = about && has_digest(session, word, &files) &&
                install_package(session, text_of(about, "name"), &files);
    if (good)
        printf("%s ", text_of(about, "name")), put_line_text(text_of(about, "version"), stdout),
            putchar('\n');
    if (good && runs_host_code(&files))
        printf("it runs C inside of atomc: atomc package trust %s\n", text_of(about, "name"));
    json_decref(about);
    return good;
}

static bool find_package(struct session *session, const char *name, char **folder) {
    *folder = package_find(name, session->installed);
    if (!*folder)
        diagnose(session->diagnostics, NULL, MESSAGE_NO_PACKAGE, name);
    return *folder != NULL;
}

static bool remove_package(struct session *session, const char *name) {
    char *folder = NULL;
    bool good = true;
    const char *own = arena_format(session->arena, "%s/%s", own_packages(session), name);
    if (session->folder) {
        good =
            is_package_name(name) && access(arena_format(session->arena, "%s/package.json", own), F_OK) == 0;
        if (!good)
            diagnose(session->diagnostics, NULL, MESSAGE_NO_PACKAGE, name);
    } else {
        good = find_package(session, name, &folder);
        if (good && strcmp(folder, own) != 0)
            good = usage_error(session->diagnostics, COMMAND_PACKAGE,
                               "%s is no package that atomc package add has put there", folder);
    }
    if (good)
        remove_files(own);
    free(folder);
    return good;
}

static bool make_package(struct session *session, const char *folder) {
    struct package_files files;
    json_t *about = files_read(folder, session->arena, &files, session->diagnostics)
                        ? package_describe(&files, folder, session->arena, NULL, session->diagnostics)
                        : NULL;
    const char *name = text_of(about, "name"), *output = session->output;
    if (!output)
        output = arena_format(session->arena, "%s-%s.tar.zst", name, text_of(about, "version"));
    bool good = about && archive_write(output, name, &files, session->diagnostics);
    json_decref(about);
    return good;
}

static bool trust_package(struct session *session, const char *name) {
    char *folder = NULL;
    if (strchr(name, '/') || strcmp(name, ".") == 0)
        return session->digest ? usage_error(session->diagnostics, COMMAND_PACKAGE,
                                             "--digest= is of a package, by its name: %s", name)
                               : path_trust(name, session->diagnostics);
    bool good =
        find_package(session, name, &folder) && package_trust(folder, session->digest, session->diagnostics);
    free(folder);
    return good;
}

static const struct package_command {
    const char *name;
    bool (*execute)(struct session *session, const char *word); /* NULL: list, without a word */
    enum option_id options[2];
} commands[] = {{"list", NULL, {OPTION_PACKAGE_GALLERY, OPTION_PACKAGE_JSON}},
                {"add", add_given_package, {OPTION_PACKAGE_INTO, OPTION_PACKAGE_DIGEST}},
                {"remove", remove_package, {OPTION_PACKAGE_FROM}},
                {"make", make_package, {OPTION_PACKAGE_OUTPUT}},
                {"trust", trust_package, {OPTION_PACKAGE_DIGEST}}};

static const struct package_command *find_command_named(const char *name) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

/* False: the command does not have the option. */
static bool set_option(struct session *session, const struct package_command *command, enum option_id option,
                       const char *value) {
    const char **const texts[OPTION_COUNT] = {
        [OPTION_PACKAGE_INTO] = &session->folder,
        [OPTION_PACKAGE_FROM] = &session->folder,
        [OPTION_PACKAGE_DIGEST] = &session->digest,
        [OPTION_PACKAGE_OUTPUT] = &session->output,
    };
    if (option != command->options[0] && option != command->options[1])
        return false;
    if (texts[option])
        *texts[option] = value;
    session->json |= option == OPTION_PACKAGE_JSON;
    session->from_gallery |= option == OPTION_PACKAGE_GALLERY;
    return true;
}

/* Stores the word of a command. Returns false after an error. */
static bool parse_package_words(struct session *session, const struct package_command *command, char **words,
                                int count, const char **word) {
    struct option_reader reader = {.command = COMMAND_PACKAGE,
                                   .words = words,
                                   .count = count,
                                   .at = 3,
                                   .diagnostics = session->diagnostics};
    bool good = command != NULL;
    for (enum option_id option; good && (option = next_option(&reader)) != OPTION_END;) {
        if (option == OPTION_WRONG)
            return false;
        if (option != OPTION_WORD)
            good = set_option(session, command, option, reader.value);
        else if ((good = !*word && command->execute))
            *word = reader.word;
    }
    return (good && (!command->execute || *word)) ||
           usage_error(session->diagnostics, COMMAND_PACKAGE,
                       "atomc package %s: list, add FILE, remove NAME, make FOLDER or trust NAME",
                       count > 2 ? words[2] : "");
}

static bool execute_package_command(struct session *session, char **words, int count) {
    const char *name = count > 2 ? words[2] : "", *word = NULL;
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help(COMMAND_PACKAGE, stdout);
        return true;
    }
    const struct package_command *command = find_command_named(name);
    if (!parse_package_words(session, command, words, count, &word))
        return false;
    return command->execute ? command->execute(session, word) : list_packages(session);
}

int main(int count, char **words) {
    struct session session = {.arena = arena_create(), .diagnostics = diagnostics_create()};
    find_folders(&session);
    bool good = execute_package_command(&session, words, count);
    int status = diagnostics_internal(session.diagnostics) > 0 ? 2 : !good;
    diagnostics_print(session.diagnostics, stderr);
    diagnostics_destroy(session.diagnostics);
    arena_destroy(session.arena);
    return status;
}
