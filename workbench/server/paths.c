/* paths.c: decides which files may be read: files below the project's folder and below the allowed
   folders.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "workbench/project/project.h"

const char *const *paths_allowed(const struct project *project) {
    return (const char *const *)project->allowed;
}

bool path_allow(struct project *project, const char *folder) {
    struct stat status;
    char *real = realpath(folder, NULL);
    if (!real || stat(real, &status) != 0 || !S_ISDIR(status.st_mode)) {
        errno = real ? ENOTDIR : errno;
        free(real);
        return false;
    }
    pthread_mutex_lock(&project->lock);
    size_t count = 0;
    while (count < MOST_ALLOWED && project->allowed[count] && strcmp(project->allowed[count], real) != 0)
        count++;
    bool room = count < MOST_ALLOWED;
    if (room && !project->allowed[count])
        project->allowed[count] = real;
    else
        free(real);
    pthread_mutex_unlock(&project->lock);
    errno = ENOSPC;
    return room;
}

/* Opens a path that must be below the folder, even if it contains links: the kernel checks this. */
static int open_beneath(const char *folder, const char *path, int flags) {
    int descriptor, root = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0)
        return -1;
    struct open_how how = {.flags = (uint64_t)(flags | O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK),
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    descriptor = (int)syscall(SYS_openat2, root, *path ? path : ".", &how, sizeof how);
    int error = errno;
    close(root);
    errno = error;
    return descriptor;
}

/* The part of the path after the folder; NULL: the path is outside of the folder. */
static const char *path_in_folder(const char *folder, const char *path) {
    size_t length = strlen(folder);
    if (strcmp(folder, "/") == 0)
        return path + strspn(path, "/");
    if (strncmp(path, folder, length) != 0 || (path[length] && path[length] != '/'))
        return NULL;
    return path + length + strspn(path + length, "/");
}

/* The first folder that contains it: the project's folder, or an allowed folder. */
static int open_allowed(const struct project *project, const char *path, int flags) {
    int error = EXDEV;
    for (size_t i = 0; i <= MOST_ALLOWED; i++) {
        const char *folder = i == 0 ? project->folder : project->allowed[i - 1];
        const char *rest = folder ? path_in_folder(folder, path) : NULL;
        if (!folder)
            break;
        int descriptor = rest ? open_beneath(folder, rest, flags) : -1;
        if (descriptor >= 0)
            return descriptor;
        if (rest && errno != EXDEV)
            error = errno;
    }
    errno = error;
    return -1;
}

int path_open(const struct project *project, const char *path, int flags) {
    bool relative = path[0] != '/';
    int descriptor =
        relative ? open_beneath(project->folder, path, flags) : open_allowed(project, path, flags);
    if (descriptor >= 0 || errno != EXDEV)
        return descriptor;
    /* A link or `..` on the way leads elsewhere: tests whether that is allowed. The kernel checks the
       resolved path. */
    char *full = relative ? format_string("%s/%s", project->folder, path) : duplicate_string(path),
         *real = realpath(full, NULL);
    errno = EXDEV;
    if (real && strcmp(real, path) != 0)
        descriptor = open_allowed(project, real, flags);
    int error = errno;
    free(full);
    free(real);
    errno = error;
    return descriptor;
}

static int remove_tree_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status;
    (void)type;
    (void)place;
    remove(path);
    return 0;
}

void remove_tree(const char *path) {
    nftw(path, remove_tree_entry, 16, FTW_DEPTH | FTW_PHYS);
}
