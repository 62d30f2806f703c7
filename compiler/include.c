/* include.c: include statements: the statements of other files replace them. Requires the parsed statements
   of the tool's own file; sources live in the tool's arena. */
#include "compiler/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The files read so far, identified by the file system, not by their names. */
struct inclusion {
    struct tool *tool;
    struct diagnostics *diagnostics;
    struct {
        dev_t device;
        ino_t inode;
    } * files;
    size_t count, capacity;
};

const char *path_beside(struct arena *arena, const char *atd_path, const char *path) {
    const char *slash = strrchr(atd_path, '/');
    if (path[0] == '/' || !slash)
        return path;
    return arena_format(arena, "%.*s%s", (int)(slash + 1 - atd_path), atd_path, path);
}

/* False if the file was read before. */
static bool note_included_file(struct inclusion *inclusion, const struct stat *status) {
    for (size_t i = 0; i < inclusion->count; i++)
        if (inclusion->files[i].device == status->st_dev && inclusion->files[i].inode == status->st_ino)
            return false;
    VECTOR_RESERVE(inclusion->files, inclusion->count, inclusion->capacity);
    inclusion->files[inclusion->count].device = status->st_dev;
    inclusion->files[inclusion->count++].inode = status->st_ino;
    return true;
}

/* The statements of one included file; NULL if it has none, if it was read before, or after an error. */
static struct statement *read_included(struct inclusion *inclusion, const struct statement *include) {
    struct arena *arena = inclusion->tool->arena;
    const char *path = path_beside(arena, include->where.source->path, include->name.text);
    struct stat status;
    const char *problem = NULL;
    if (stat(path, &status) != 0)
        problem = strerror(errno);
    else if (!S_ISREG(status.st_mode)) /* a device might have no end */
        problem = "not a regular file";
    else if (!note_included_file(inclusion, &status))
        return NULL;
    struct source *source = arena_allocate(arena, sizeof *source);
    char *text = problem ? NULL : read_file(path, &source->length);
    if (!text) {
        diagnose(inclusion->diagnostics, &include->name.where, MESSAGE_INCLUDE_FAILED, path,
                 problem ? problem : strerror(errno));
        return NULL;
    }
    source->path = path;
    source->text = arena_string(arena, text, source->length);
    free(text);
    return parse_file(source, arena, inclusion->diagnostics);
}

void include_files(struct tool *tool, struct diagnostics *diagnostics) {
    struct inclusion inclusion = {.tool = tool, .diagnostics = diagnostics};
    struct stat status;
    if (stat(tool->source->path, &status) == 0)
        note_included_file(&inclusion, &status);
    for (struct statement **at = &tool->statements; *at;) {
        if ((*at)->kind != STATEMENT_INCLUDE) {
            at = &(*at)->next;
            continue;
        }
        struct statement *included = read_included(&inclusion, *at), *rest = (*at)->next;
        *at = included; /* its own include statements are processed next */
        if (!included) {
            *at = rest;
            continue;
        }
        while (included->next)
            included = included->next;
        included->next = rest;
    }
    free(inclusion.files);
}
