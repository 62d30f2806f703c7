/* objects.c: see objects.h. */
#define _GNU_SOURCE
#include "workbench/project/objects.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEW_OBJECT ".new-"

bool is_digest(const char *text) {
    return strlen(text) == SHA256_DIGEST_STRING_LENGTH - 1 &&
           strspn(text, "0123456789abcdef") == strlen(text);
}

const char *object_name(struct arena *arena, const char *digest) {
    return arena_format(arena, "objects/%.2s/%s", digest, digest + 2);
}

const char *object_path(struct arena *arena, const struct project *project, const char *digest) {
    return arena_format(arena, "%s/%s", project_folder(project), object_name(arena, digest));
}

static bool fail_object(struct object *object) {
    object->error = errno ? errno : EIO;
    return false;
}

bool object_begin(struct object *object, const struct project *project) {
    *object = (struct object){.project = project, .file = -1};
    object->temporary = format_string("%s/objects/" NEW_OBJECT "XXXXXX", project_folder(project));
    object->file = mkostemp(object->temporary, O_CLOEXEC);
    SHA256Init(&object->state);
    return object->file >= 0 || fail_object(object);
}

bool object_write(struct object *object, const void *bytes, size_t count) {
    const char *at = bytes;
    SHA256Update(&object->state, bytes, count);
    object->bytes += (int64_t)count;
    for (ssize_t step; count > 0 && !object->error; at += step, count -= (size_t)step)
        if ((step = write(object->file, at, count)) <= 0)
            return fail_object(object);
    return object->error == 0;
}

bool object_keep(struct object *object, const struct timespec times[2]) {
    if (object->error)
        return false;
    SHA256End(&object->state, object->digest);
    if (fchmod(object->file, 0555) != 0 || futimens(object->file, times) != 0 || fsync(object->file) != 0)
        return fail_object(object);
    struct arena *arena = arena_create();
    const char *path = object_path(arena, object->project, object->digest);
    mkdir(arena_format(arena, "%s/objects/%.2s", project_folder(object->project), object->digest), 0777);
    object->was_there = access(path, F_OK) == 0;
    bool good = object->was_there || rename(object->temporary, path) == 0 || fail_object(object);
    arena_destroy(arena);
    return good;
}

void object_end(struct object *object) {
    if (object->file >= 0)
        close(object->file);
    if (object->temporary)
        unlink(object->temporary);
    free(object->temporary);
    object->temporary = NULL;
    object->file = -1;
}

void objects_tidy(const struct project *project) {
    char *path = format_string("%s/objects", project_folder(project));
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strncmp(entry->d_name, NEW_OBJECT, strlen(NEW_OBJECT)) == 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    free(path);
}
