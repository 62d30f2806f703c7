/* describe.c: the files of a package, and its package.json. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "packages/package/package.h"
#include "support/document.h"
#include "support/version.h"

enum { MOST_FILES = 10000, MOST_BYTES = 100 << 20 };

/* ---- files ------------------------------------------------------------------------------------------------ */

/* Names permitted in packages: no path out of a folder, and no special characters of terminals or shells. */
bool is_package_file(const char *name) {
    size_t length;
    for (const char *at = name;; at += length + 1) {
        length = strcspn(at, "/");
        if (length == 0 || length > 200 || at[0] == '.' || at[0] == '-')
            return false;
        for (size_t i = 0; i < length; i++)
            if ((unsigned char)at[i] <= ' ' || at[i] == '\\' || at[i] == 0x7f)
                return false;
        if (!at[length])
            return strlen(name) < PATH_MAX / 4;
    }
}

static bool read_inner(const char *folder, const char *inner, struct arena *arena,
                       struct package_files *files, struct diagnostics *diagnostics) {
    struct dirent **entries = NULL;
    const char *path = arena_format(arena, "%s%s%s", folder, *inner ? "/" : "", inner);
    int count = scandir(path, &entries, NULL, alphasort);
    bool good = count >= 0;
    if (!good)
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_READ, path, strerror(errno));
    for (int i = 0; i < count; i++) {
        const char *name = arena_format(arena, "%s%s%s", inner, *inner ? "/" : "", entries[i]->d_name),
                   *file = arena_format(arena, "%s/%s", folder, name);
        struct stat status;
        size_t size;
        char *bytes = NULL;
        bool hidden = entries[i]->d_name[0] == '.';
        free(entries[i]);
        if (hidden || !good)
            continue;
        if (lstat(file, &status) == 0 && S_ISDIR(status.st_mode)) {
            good = read_inner(folder, name, arena, files, diagnostics);
            continue;
        }
        if (!is_package_file(name)) {
            diagnose(diagnostics, NULL, MESSAGE_PACKAGE_ARCHIVE, file,
                     "a name that no file of a package has");
            good = false;
        } else if (status.st_mode & (S_ISUID | S_ISGID)) {
            diagnose(diagnostics, NULL, MESSAGE_PACKAGE_ARCHIVE, file, "a set-user-id file");
            good = false;
        } else if (!S_ISREG(status.st_mode) || files->count == MOST_FILES ||
                   (files->bytes += (uint64_t)status.st_size) > MOST_BYTES) {
            diagnose(diagnostics, NULL, MESSAGE_PACKAGE_ARCHIVE, file,
                     "no regular file, or more than 10,000 files or 100 MB");
            good = false;
        } else if (!(bytes = arena_read_file(arena, file, &size))) {
            diagnose(diagnostics, NULL, MESSAGE_CANNOT_READ, file, strerror(errno));
            good = false;
        } else {
            ARENA_RESERVE(arena, files->list, files->count, files->capacity);
            files->list[files->count++] = (struct package_file){name, bytes, size};
        }
    }
    free(entries);
    return good;
}

static int compare_described_names(const void *left, const void *right) {
    return strcmp(((const struct package_file *)left)->name, ((const struct package_file *)right)->name);
}

bool files_read(const char *folder, struct arena *arena, struct package_files *files,
                struct diagnostics *diagnostics) {
    *files = (struct package_files){NULL, 0, 0, 0};
    bool good = read_inner(folder, "", arena, files, diagnostics);
    if (files->count)
        qsort(files->list, files->count, sizeof *files->list, compare_described_names);
    return good;
}

const struct package_file *files_find(const struct package_files *files, const char *name) {
    for (uint32_t i = 0; i < files->count; i++)
        if (strcmp(files->list[i].name, name) == 0)
            return &files->list[i];
    return NULL;
}

/* ---- package.json ----------------------------------------------------------------------------------------- */

static bool check_text(const struct node *root, const char *key, bool needed) {
    struct node member = node_member(root, key);
    const char *text;
    return member.value ? node_text(&member, &text) : !needed || node_needs(root, key);
}

static bool check_tool(const struct node *tool, const struct package_files *files) {
    const char *name;
    if (!node_text(tool, &name))
        return false;
    size_t length = strlen(name);
    return (length > 4 && strcmp(name + length - 4, ".atd") == 0 && !strchr(name, '/') &&
            files_find(files, name)) ||
           node_refuse(tool, "a .atd file of the package");
}

static bool check_preset(const struct node *preset) {
    static const char *const keys[] = {"tool", "name", "parameters"};
    struct node parameters = node_member(preset, "parameters");
    return node_is_object(preset, keys, 3) && check_text(preset, "tool", true) &&
           check_text(preset, "name", true) && node_needs(preset, "parameters") &&
           (json_is_object(parameters.value) || node_refuse(&parameters, "an object, {...}"));
}

static bool check_list(const struct node *root, const char *key, const struct package_files *files,
                       bool tools) {
    struct node list = node_member(root, key);
    bool good = true;
    if (!json_is_array(list.value))
        return node_refuse(&list, "a list, [...]");
    for (size_t i = 0; i < json_array_size(list.value); i++) {
        struct node element = node_element(&list, i);
        good &= tools ? check_tool(&element, files) : check_preset(&element);
    }
    return good;
}

/* Compares versions: numbers separated by dots, by value. Returns -2 for a text that is not a version. */
static int compare_versions(const char *left, const char *right) {
    for (;;) {
        char *left_end, *right_end;
        if (!strchr("0123456789", *left) || !*left || !strchr("0123456789", *right) || !*right)
            return -2;
        unsigned long a = strtoul(left, &left_end, 10), b = strtoul(right, &right_end, 10);
        if ((*left_end && *left_end != '.') || (*right_end && *right_end != '.'))
            return -2;
        if (a != b)
            return a < b ? -1 : 1;
        if (!*left_end || !*right_end) /* 0.2 and 0.2.1 */
            return *left_end ? 1 : *right_end ? -1 : 0;
        left = left_end + 1, right = right_end + 1;
    }
}

static bool is_version(const char *text) {
    return strlen(text) < 20 && compare_versions(text, text) == 0;
}

static bool check_requires(const struct node *root) {
    struct node requires = node_member(root, "requires"), name = node_member(root, "name");
    const char *text = json_string_value(requires.value);
    if (!requires.value)
        return true;
    if (!text || !is_version(text))
        return node_refuse(&requires, "a version of atomc: numbers with dots between them");
    if (compare_versions(text, ATOMC_VERSION) <= 0)
        return true;
    struct source_span span = node_span(&requires);
    diagnose(root->document->diagnostics, &span, MESSAGE_PACKAGE_REQUIRES, json_string_value(name.value),
             text, ATOMC_VERSION);
    return false;
}

bool package_is_for_this(const char *folder, struct diagnostics *diagnostics) {
    char *path = format_string("%s/package.json", folder);
    json_t *about = json_load_file(path, 0, NULL);
    const char *text = json_string_value(json_object_get(about, "requires"));
    bool good = !text || !is_version(text) || compare_versions(text, ATOMC_VERSION) <= 0;
    if (!good)
        diagnose(diagnostics, NULL, MESSAGE_PACKAGE_REQUIRES, strrchr(folder, '/') + 1, text, ATOMC_VERSION);
    json_decref(about);
    free(path);
    return good;
}

static bool check_description(const struct node *root, const struct package_files *files) {
    static const char *const keys[] = {"name",  "version", "description", "licence",
                                       "tools", "presets", "requires"};
    if (!node_is_object(root, keys, sizeof keys / sizeof *keys))
        return false;
    bool good = check_text(root, "name", true) & check_text(root, "version", true) &
                check_text(root, "description", false) & check_text(root, "licence", false) &
                node_needs(root, "tools");
    struct node name = node_member(root, "name");
    if (good && !is_package_name(json_string_value(name.value)))
        good = node_refuse(&name, "of small letters, digits, '-', '_' and '.', at most 64");
    if (good && json_object_get(root->value, "presets"))
        good = check_list(root, "presets", files, false);
    return good && check_list(root, "tools", files, true) && check_requires(root);
}

static void keep_first(const struct diagnostic_parts *parts, void *context) {
    char **problem = context;
    if (!*problem)
        *problem =
            format_string("%s%s%s", parts->message, parts->hint ? ": " : "", parts->hint ? parts->hint : "");
}

json_t *package_describe(const struct package_files *files, const char *shown, struct arena *arena,
                         char **problem, struct diagnostics *diagnostics) {
    const struct package_file *file = files_find(files, "package.json");
    struct document document;
    json_t *about = NULL;
    if (!file) {
        diagnose(diagnostics, NULL, MESSAGE_PACKAGE_ARCHIVE, shown, "there is no package.json in it");
        return NULL;
    }
    if (document_read(&document, arena_format(arena, "%s: package.json", shown), file->bytes, file->size,
                      diagnostics)) {
        struct node root = document_root(&document);
        about = check_description(&root, files) ? json_incref(document.root) : NULL;
    }
    if (problem)
        diagnostics_visit(diagnostics, keep_first, problem);
    else
        diagnostics_print(diagnostics, stderr); /* before the text is freed */
    document_close(&document);
    return about;
}
