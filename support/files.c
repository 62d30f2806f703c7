/* files.c: reading and writing whole files, temporary files that never outlive the process. Requires
   memory.c. The removal code is async-signal-safe, as signal handlers run it as well. */
#define _GNU_SOURCE /* getdents64 */
#include "support/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

char *read_file(const char *path, size_t *length) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    struct stat status;
    size_t capacity = 4096, count = 0;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        capacity = (size_t)status.st_size + 1;
    char *text = allocate(capacity + 1);
    for (;;) {
        ssize_t got = read(file, text + count, capacity - count);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            int reason = errno;
            free(text);
            close(file);
            errno = reason;
            return NULL;
        }
        if (got == 0)
            break;
        count += (size_t)got;
        if (count == capacity) {
            capacity *= 2;
            text = reallocate(text, capacity + 1);
        }
    }
    close(file);
    text[count] = '\0';
    *length = count;
    return text;
}

char *arena_read_file(struct arena *arena, const char *path, size_t *length) {
    char *text = read_file(path, length);
    char *kept = text ? arena_string(arena, text, *length) : NULL;
    int reason = errno;
    free(text);
    errno = reason;
    return kept;
}

/* ---- kinds of sources ----------------------------------------------------------------------- */

static bool ends_with(const char *path, const char *suffix) {
    size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcmp(path + length - end, suffix) == 0;
}

bool is_cplusplus_source(const char *path) {
    static const char *const suffixes[] = {".cpp", ".cc", ".cxx", ".C"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        if (ends_with(path, suffixes[i]))
            return true;
    return false;
}

bool is_c_source(const char *path) {
    return ends_with(path, ".c");
}

/* ---- temporary files ------------------------------------------------------------------------ */

static const int fatal_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGALRM, SIGXCPU, SIGXFSZ};
enum { FATAL_SIGNALS = sizeof fatal_signals / sizeof fatal_signals[0] };

static pid_t owner;         /* the process that made them: a fork of it removes no files */
static char *temporary;     /* the directory, or NULL */
static char **doomed;       /* files that will be removed; an entry becomes NULL if its file is to be kept */
static size_t doomed_count; /* changed only with fatal signals blocked */
static size_t doomed_capacity;

struct linux_directory_entry { /* the format of getdents64 */
    uint64_t inode;
    int64_t offset;
    unsigned short bytes;
    unsigned char type;
    char name[];
};

/* Empties an open directory: system calls only, no memory is allocated. */
static void empty_directory(int directory) {
    _Alignas(struct linux_directory_entry) char entries[2048];
    bool removed = true;
    /* removing moves the entries, so the directory is read again until nothing is left to remove */
    while (removed) {
        removed = false;
        lseek(directory, 0, SEEK_SET);
        long bytes;
        while ((bytes = syscall(SYS_getdents64, directory, entries, sizeof entries)) > 0) {
            for (long at = 0; at < bytes;) {
                struct linux_directory_entry *entry = (void *)(entries + at);
                at += entry->bytes;
                if (strcmp(entry->name, ".") == 0 || strcmp(entry->name, "..") == 0)
                    continue;
                if (unlinkat(directory, entry->name, 0) == 0) {
                    removed = true;
                    continue;
                }
                int inner = openat(directory, entry->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
                if (inner < 0)
                    continue;
                empty_directory(inner);
                close(inner);
                if (unlinkat(directory, entry->name, AT_REMOVEDIR) == 0)
                    removed = true;
            }
        }
    }
}

void remove_temporary_files(void) {
    if (getpid() != owner)
        return;
    for (size_t i = 0; i < doomed_count; i++)
        if (doomed[i])
            unlink(doomed[i]);
    if (!temporary)
        return;
    int directory = open(temporary, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory >= 0) {
        empty_directory(directory);
        close(directory);
        rmdir(temporary);
    }
}

static void block_fatal_signals(sigset_t *saved) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < FATAL_SIGNALS; i++)
        sigaddset(&set, fatal_signals[i]);
    sigprocmask(SIG_BLOCK, &set, saved);
}

static void remove_at_exit(void) {
    remove_temporary_files();
    if (getpid() != owner)
        return;
    /* a signal that arrives now finds nothing left to remove, and no freed name */
    sigset_t saved;
    block_fatal_signals(&saved);
    for (size_t i = 0; i < doomed_count; i++)
        free(doomed[i]);
    free(doomed);
    free(temporary);
    doomed = NULL;
    doomed_count = doomed_capacity = 0;
    temporary = NULL;
    sigprocmask(SIG_SETMASK, &saved, NULL);
}

static void on_fatal_signal(int number) {
    commands_end(number);
    remove_temporary_files();
    signal(number, SIG_DFL); /* then ends by the same signal, so that the caller sees it */
    raise(number);
}

/* The first temporary file makes this process their owner. */
static void install_removal(void) {
    if (owner)
        return;
    owner = getpid();
    atexit(remove_at_exit);
    struct sigaction action = {.sa_handler = on_fatal_signal};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < FATAL_SIGNALS; i++)
        sigaddset(&action.sa_mask, fatal_signals[i]);
    for (int i = 0; i < FATAL_SIGNALS; i++) {
        struct sigaction previous;
        if (sigaction(fatal_signals[i], NULL, &previous) == 0 && previous.sa_handler != SIG_IGN)
            sigaction(fatal_signals[i], &action, NULL);
    }
}

const char *temporary_directory(void) {
    if (temporary)
        return temporary;
    const char *parent = getenv("TMPDIR");
    char *path = format_string("%s/atomc-XXXXXX", parent && *parent ? parent : "/tmp");
    sigset_t saved;
    install_removal();
    block_fatal_signals(&saved);
    if (mkdtemp(path)) {
        temporary = path;
    } else {
        int reason = errno;
        free(path);
        errno = reason;
    }
    int reason = errno;
    sigprocmask(SIG_SETMASK, &saved, NULL);
    errno = reason;
    return temporary;
}

void adopt_temporary_directory(const char *path) {
    const char *slash = strrchr(path, '/');
    if (temporary || !slash || strncmp(slash + 1, "atomc-", 6) != 0)
        return; /* the directory would be removed, so only names made by temporary_directory() are accepted */
    install_removal();
    temporary = duplicate_string(path);
}

void remove_on_failure(const char *path) {
    char *copy = duplicate_string(path);
    sigset_t saved;
    install_removal();
    block_fatal_signals(&saved);
    VECTOR_RESERVE(doomed, doomed_count, doomed_capacity);
    doomed[doomed_count++] = copy;
    sigprocmask(SIG_SETMASK, &saved, NULL);
}

char *follow_links(const char *path) {
    struct stat status;
    char *real = lstat(path, &status) == 0 && S_ISLNK(status.st_mode) ? realpath(path, NULL) : NULL;
    return real ? real : duplicate_string(path);
}

int create_temporary(char *path) {
    sigset_t saved;
    block_fatal_signals(&saved); /* until it is remembered */
    int descriptor = mkostemp(path, O_CLOEXEC);
    int error = errno;
    if (descriptor >= 0)
        remove_on_failure(path);
    sigprocmask(SIG_SETMASK, &saved, NULL);
    errno = error;
    return descriptor;
}

void keep_file(const char *path) {
    sigset_t saved;
    block_fatal_signals(&saved);
    for (size_t i = 0; i < doomed_count; i++)
        if (doomed[i] && strcmp(doomed[i], path) == 0) {
            free(doomed[i]);
            doomed[i] = NULL;
        }
    sigprocmask(SIG_SETMASK, &saved, NULL);
}

/* ---- the program atomc ---- */

static char *found_atomc;

static void find_atomc(void) {
    static const char *const candidates[] = {"atomc", "../../bin/atomc"};
    char folder[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates && slash && !found_atomc; i++) {
        char *path = format_string("%s/%s", folder, candidates[i]);
        if (access(path, X_OK) == 0)
            found_atomc = realpath(path, NULL);
        free(path);
    }
}

const char *atomc_beside(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_atomc);
    return found_atomc ? found_atomc : "atomc";
}
