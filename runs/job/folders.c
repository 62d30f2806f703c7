/* folders.c: trees of files that programs have left. They may contain files of any kind: only folders and
   regular files are copied. Links are never followed. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runs/job/job.h"

bool make_folders_above(const char *path) {
    char *copy = duplicate_string(path);
    bool good = true;
    for (char *at = strchr(copy + 1, '/'); at && good; at = strchr(at + 1, '/')) {
        *at = '\0';
        good = mkdir(copy, 0755) == 0 || errno == EEXIST;
        *at = '/';
    }
    free(copy);
    return good;
}

static bool copy_descriptor_bytes(int from, int to) {
    char bytes[65536];
    ssize_t got;
    while ((got = read(from, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR))
        for (ssize_t at = 0, written; at < got; at += written)
            if ((written = write(to, bytes + at, (size_t)(got - at))) < 0)
                return false;
    return got == 0;
}

bool copy_file(const char *from, const char *to, mode_t mode) {
    int source = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int target = source < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = target >= 0 && copy_descriptor_bytes(source, target) && fchmod(target, mode) == 0;
    int error = errno;
    if (target >= 0 && close(target) != 0 && good) {
        error = errno;
        good = false;
    }
    if (source >= 0)
        close(source);
    errno = error;
    return good;
}

/* The names in the folder, NULL-terminated. The caller frees them. */
static char **names_in_folder(int folder) {
    DIR *stream = fdopendir(dup(folder));
    char **names = NULL;
    size_t count = 0, capacity = 0;
    VECTOR_RESERVE(names, 1, capacity);
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        VECTOR_RESERVE(names, count + 1, capacity);
        names[count++] = duplicate_string(entry->d_name);
    }
    names[count] = NULL;
    if (stream)
        closedir(stream);
    return names;
}

static void forget_names(char **names) {
    for (size_t i = 0; names[i]; i++)
        free(names[i]);
    free(names);
}

static int open_folder_in(int above, const char *name) {
    struct stat status;
    int folder = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0 && errno == EACCES && fstatat(above, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISDIR(status.st_mode) && fchmodat(above, name, 0700, 0) == 0)
        folder = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return folder;
}

static void remove_inside(int folder) {
    char **names = names_in_folder(folder);
    fchmod(folder, 0700);
    for (size_t i = 0; names[i]; i++) {
        if (unlinkat(folder, names[i], 0) == 0)
            continue;
        int inner = open_folder_in(folder, names[i]);
        if (inner < 0)
            continue;
        remove_inside(inner);
        close(inner);
        unlinkat(folder, names[i], AT_REMOVEDIR);
    }
    forget_names(names);
}

void remove_tree(const char *path) {
    int folder = open_folder_in(AT_FDCWD, path);
    if (folder >= 0) {
        remove_inside(folder);
        close(folder);
    }
    if (rmdir(path) != 0)
        unlink(path);
}

/* Removes all files except folders and regular files, and sets the modes of these, so that their owner can
   read and remove them. Returns true if any file was removed. */
static bool tidy_folder(int folder) {
    struct stat status;
    bool any = false;
    char **names = names_in_folder(folder);
    for (size_t i = 0; names[i]; i++) {
        if (fstatat(folder, names[i], &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISREG(status.st_mode)) {
            if ((status.st_mode & 07777) != 0644)
                fchmodat(folder, names[i], 0644, 0);
        } else if (S_ISDIR(status.st_mode)) {
            int inner = open_folder_in(folder, names[i]);
            if (inner < 0)
                continue;
            fchmod(inner, 0755);
            any |= tidy_folder(inner);
            close(inner);
        } else {
            unlinkat(folder, names[i], 0);
            any = true;
        }
    }
    forget_names(names);
    return any;
}

bool tidy_tree(const char *path) {
    int folder = open_folder_in(AT_FDCWD, path);
    bool any = folder >= 0 && tidy_folder(folder);
    if (folder >= 0) {
        fchmod(folder, 0755);
        close(folder);
    }
    return any;
}

static bool copy_tree(const char *from, const char *to) {
    struct stat status;
    if (lstat(from, &status) != 0)
        return false;
    if (S_ISREG(status.st_mode))
        return copy_file(from, to, status.st_mode & 0777);
    int folder = open_folder_in(AT_FDCWD, from);
    if (folder < 0 || mkdir(to, 0755) != 0) {
        if (folder >= 0)
            close(folder);
        return false;
    }
    char **names = names_in_folder(folder);
    bool good = true;
    for (size_t i = 0; names[i] && good; i++) {
        char *inner = format_string("%s/%s", from, names[i]), *target = format_string("%s/%s", to, names[i]);
        good = copy_tree(inner, target);
        free(inner);
        free(target);
    }
    forget_names(names);
    close(folder);
    return good;
}

bool move_tree(const char *from, const char *to) {
    return rename(from, to) == 0 || (errno == EXDEV && copy_tree(from, to));
}
