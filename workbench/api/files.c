/* files.c: names in folders, for the completion of paths. Only folders below the allowed folders are read. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/json.h"
#include "workbench/api/api.h"

enum { MOST_NAMES = 2000 };

static int compare_file_names(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Names that begin with a dot are omitted. */
static size_t read_names(struct request *request, DIR *folder, const char **names) {
    const struct dirent *entry;
    size_t count = 0;
    while (count < MOST_NAMES && (entry = readdir(folder)))
        if (entry->d_name[0] != '.')
            names[count++] = arena_string(request->arena, entry->d_name, strlen(entry->d_name));
    qsort(names, count, sizeof *names, compare_file_names);
    return count;
}

static void add_file_name(json_t *list, DIR *folder, const char *name) {
    struct stat status;
    if (fstatat(dirfd(folder), name, &status, 0) != 0)
        return;
    bool is_folder = S_ISDIR(status.st_mode);
    if (is_folder || S_ISREG(status.st_mode))
        json_array_append_new(list, json_pack("{s:o, s:b, s:I}", "name", json_text(name), "folder", is_folder,
                                              "size", (json_int_t)(is_folder ? 0 : status.st_size)));
}

/* The starting points: the folders that are allowed. */
static void answer_roots(struct request *request, struct answer *answer) {
    json_t *list = json_array();
    for (const char *const *folder = paths_allowed(request->project); *folder; folder++)
        json_array_append_new(
            list, json_pack("{s:o, s:b, s:i}", "name", json_text(*folder), "folder", true, "size", 0));
    answer_json(answer, json_pack("{s:s, s:o, s:b}", "folder", "", "files", list, "more", false));
}

static void get_files(struct request *request, struct answer *answer) {
    const char *path = request_query(request, "folder");
    if (!path || !*path) {
        answer_roots(request, answer);
        return;
    }
    int descriptor = path_open(request->project, path, O_RDONLY | O_DIRECTORY);
    DIR *folder = descriptor < 0 ? NULL : fdopendir(descriptor);
    if (!folder) {
        if (errno == EXDEV)
            answer_error(answer, 403, "atomc workbench --allow=FOLDER",
                         "%s: it is outside of the folders that may be read", path);
        else
            answer_error(answer, 404, NULL, "%s: %s", path, strerror(errno));
        return;
    }
    const char **names = arena_allocate(request->arena, MOST_NAMES * sizeof *names);
    size_t count = read_names(request, folder, names);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        add_file_name(list, folder, names[i]);
    closedir(folder);
    answer_json(answer, json_pack("{s:o, s:o, s:b}", "folder", json_text(path), "files", list, "more",
                                  count == MOST_NAMES));
}

const struct route files_routes[] = {
    {"GET", "/files", get_files},
    {NULL, NULL, NULL},
};
