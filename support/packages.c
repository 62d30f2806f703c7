/* packages.c: where packages of tools are. Requires support.h. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/packages.h"

bool is_package_name(const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    size_t length = strlen(name);
    return length > 0 && length <= 64 && strchr(letters, name[0]) &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-.") == length;
}

char *packages_own_data(void) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && data[0] == '/') /* the specification requires other values to be ignored */
        return format_string("%s/atomc", data);
    return home && *home ? format_string("%s/.local/share/atomc", home) : NULL;
}

char *packages_list_entry(const char *folder) {
    char *entry = allocate(2 * strlen(folder) + 1), *to = entry;
    for (; *folder; *to++ = *folder++)
        if (*folder == ':' || *folder == '\\')
            *to++ = '\\';
    *to = '\0';
    return entry;
}

/* The list's first folder, malloc'd; *list moves past it. */
static char *take_entry(const char **list) {
    char *folder = allocate(strlen(*list) + 1), *to = folder;
    const char *at = *list;
    for (; *at && *at != ':'; at++) {
        at += *at == '\\' && at[1];
        *to++ = *at;
    }
    *to = '\0';
    *list = at + (*at == ':');
    return folder;
}

/* The list is the environment's, the user's, and the installed ones. */
static char *folder_number(unsigned number, const char *installed) {
    const char *list = getenv("ATOMC_PACKAGES");
    unsigned at = 0;
    while (list && *list) {
        char *folder = take_entry(&list);
        if (*folder && at++ == number)
            return folder;
        free(folder);
    }
    if (number == at) {
        char *own = packages_own_data(), *folder = format_string("%s/packages", own ? own : "/nonexistent");
        free(own);
        return folder;
    }
    return number == at + 1 ? duplicate_string(installed) : NULL;
}

static bool is_package(const char *folder) {
    char *path = format_string("%s/package.json", folder);
    bool found = access(path, R_OK) == 0;
    free(path);
    return found;
}

char *package_find(const char *name, const char *installed) {
    char *folder, *found = NULL;
    for (unsigned i = 0; is_package_name(name) && !found && (folder = folder_number(i, installed)); i++) {
        char *path = format_string("%s/%s", folder, name);
        if (is_package(path))
            found = path;
        else
            free(path);
        free(folder);
    }
    return found;
}

static int by_name(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name);
}

void packages_visit(const char *installed, void (*visit)(const char *name, const char *folder, void *context),
                    void *context) {
    char *folder;
    for (unsigned i = 0; (folder = folder_number(i, installed)); i++) {
        struct dirent **entries = NULL;
        int count = scandir(folder, &entries, NULL, by_name);
        for (int k = 0; k < count; k++) {
            char *path =
                     is_package_name(entries[k]->d_name) ? package_find(entries[k]->d_name, installed) : NULL,
                 *here = format_string("%s/%s", folder, entries[k]->d_name);
            if (path && strcmp(path, here) == 0) /* no earlier one has its name */
                visit(entries[k]->d_name, path, context);
            free(path);
            free(here);
            free(entries[k]);
        }
        free(entries);
        free(folder);
    }
}
