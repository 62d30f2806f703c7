/* cache.c: a cache of instrumented programs and compiled analysis code, each in a file of one folder, named
   by its key. Requires a key that differs for any difference of the inputs (driver/key.c). Several processes
   may use the folder at the same time. A file appears in it by a rename, so it is complete; and it remains
   available to processes that have opened it.

   The messages of its making, and a trailer with a checksum, are appended to the file; an instrumented
   program ignores them. The time of its last use is its time of change. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "runs/run/runner.h"

#define NEW_PREFIX "new."
enum { DAY = 24 * 60 * 60, WRITTEN_BY_OTHERS = 022 };
static const uint64_t default_limit = UINT64_C(1) << 30;

struct trailer {
    char mark[16];
    uint64_t made_bytes, message_bytes;
    char key[CACHE_KEY];
    uint64_t checksum; /* time of all files before it */
};
static const char mark[16] = "atomc keeps 1\n";

/* ---- the folder ---------------------------------------------------------------------------------------- */

static bool make_parent_folders(char *path) {
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *at = '/';
        if (!made)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* No other user may write files there that this user then executes. */
static const char *folder_problem(char *path) {
    struct stat status;
    if (path[0] != '/')
        return "not an absolute path";
    if (!make_parent_folders(path) || stat(path, &status) != 0)
        return strerror(errno);
    if (!S_ISDIR(status.st_mode))
        return "not a folder";
    if (status.st_uid != geteuid())
        return "it belongs to another user";
    if (status.st_mode & WRITTEN_BY_OTHERS)
        return "other users may write there";
    return access(path, W_OK | X_OK) == 0 ? NULL : strerror(errno);
}

static char *chosen_folder(void) {
    const char *own = getenv("ATOMC_CACHE"), *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (own)
        return *own ? duplicate_string(own) : NULL;
    if (caches && caches[0] == '/') /* the specification requires other values to be ignored */
        return format_string("%s/atomc", caches);
    return home && *home ? format_string("%s/.cache/atomc", home) : NULL;
}

/* A number of bytes, optionally followed by K, M or G. */
static bool read_limit(const char *text, uint64_t *limit) {
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    *limit = (uint64_t)number << shift;
    return errno == 0 && end > text && text[0] >= '0' && text[0] <= '9' && *(end + (shift != 0)) == '\0' &&
           *limit >> shift == number;
}

void cache_open(struct cache *cache, struct diagnostics *diagnostics) {
    const char *limit = getenv("ATOMC_CACHE_LIMIT");
    *cache = (struct cache){.folder = chosen_folder(), .limit = default_limit, .diagnostics = diagnostics};
    if (limit && !read_limit(limit, &cache->limit)) {
        diagnose(diagnostics, NULL, MESSAGE_CACHE_LIMIT, limit);
        cache->limit = default_limit;
    }
    const char *problem = cache->folder ? folder_problem(cache->folder) : NULL;
    if (!problem)
        return;
    diagnose(diagnostics, NULL, MESSAGE_NOT_KEPT, cache->folder, problem);
    cache_close(cache);
}

void cache_close(struct cache *cache) {
    free(cache->folder);
    cache->folder = NULL;
}

/* ---- what is there ------------------------------------------------------------------------------------- */

static uint64_t checksum_of(const uint8_t *bytes, size_t count) {
    return crc32_z(crc32_z(0, NULL, 0), bytes, count);
}

/* The messages, if the file is complete; else NULL. Messages have no byte 0. */
static char *read_messages(const uint8_t *bytes, size_t size, const char *key, size_t *made_bytes) {
    struct trailer trailer;
    if (size < sizeof trailer)
        return NULL;
    memcpy(&trailer, bytes + size - sizeof trailer, sizeof trailer);
    size_t before = size - sizeof trailer;
    if (memcmp(trailer.mark, mark, sizeof mark) != 0 || memcmp(trailer.key, key, CACHE_KEY) != 0 ||
        trailer.made_bytes > before || trailer.message_bytes != before - trailer.made_bytes ||
        trailer.checksum != checksum_of(bytes, size - sizeof trailer.checksum))
        return NULL;
    *made_bytes = trailer.made_bytes;
    return format_string("%.*s", (int)trailer.message_bytes, (const char *)bytes + trailer.made_bytes);
}

/* The open file; -1: the file does not exist, or is damaged. */
static int find_in_cache(const struct cache *cache, const char *key, char **messages, size_t *made_bytes) {
    struct stat status;
    *messages = NULL;
    if (!cache->folder)
        return -1;
    char *path = format_string("%s/%s", cache->folder, key);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid()) {
        size_t size = (size_t)status.st_size;
        uint8_t *bytes = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
        if (bytes != MAP_FAILED) {
            *messages = read_messages(bytes, size, key, made_bytes);
            munmap(bytes, size);
        }
    }
    if (*messages) {
        futimens(file, NULL); /* used now */
    } else if (file >= 0) {
        close(file);
        file = -1;
        unlink(path);
    }
    free(path);
    return file;
}

int cache_find(const struct cache *cache, const char *key, char **messages) {
    size_t made_bytes;
    return find_in_cache(cache, key, messages, &made_bytes);
}

/* ---- what is new --------------------------------------------------------------------------------------- */

char *cache_path_of_new(const struct cache *cache, const char *key) {
    return cache->folder ? format_string("%s/" NEW_PREFIX "%.16s.%ld", cache->folder, key, (long)getpid())
                         : NULL;
}

static bool write_all(int file, const void *bytes, size_t count) {
    for (const char *at = bytes; count > 0;) {
        ssize_t written = write(file, at, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        count -= (size_t)written;
    }
    return true;
}

/* Appends messages and trailer. */
static bool complete_cached_file(const char *path, const char *key, const char *messages, uint64_t *size) {
    size_t made_bytes;
    char *bytes = read_file(path, &made_bytes);
    struct trailer trailer = {.made_bytes = made_bytes, .message_bytes = strlen(messages)};
    if (!bytes)
        return false;
    memcpy(trailer.mark, mark, sizeof mark);
    memcpy(trailer.key, key, CACHE_KEY);
    uLong checksum = crc32_z(crc32_z(0, NULL, 0), (const Bytef *)bytes, made_bytes);
    checksum = crc32_z(checksum, (const Bytef *)messages, trailer.message_bytes);
    trailer.checksum = crc32_z(checksum, (const Bytef *)&trailer, offsetof(struct trailer, checksum));
    free(bytes);
    *size = made_bytes + trailer.message_bytes + sizeof trailer;
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    bool good = file >= 0 && write_all(file, messages, trailer.message_bytes) &&
                write_all(file, &trailer, sizeof trailer) && fchmod(file, 0700) == 0;
    int error = errno;
    if (file >= 0 && close(file) != 0 && good) {
        error = errno;
        good = false;
    }
    errno = error;
    return good;
}

struct kept {
    char *path;
    uint64_t size;
    struct timespec used;
};

static int by_use(const void *left, const void *right) {
    const struct timespec *a = &((const struct kept *)left)->used, *b = &((const struct kept *)right)->used;
    return a->tv_sec != b->tv_sec ? (a->tv_sec < b->tv_sec ? -1 : 1)
                                  : (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

static bool is_key(const char *name) {
    return strspn(name, "0123456789abcdef") == CACHE_KEY && (!name[CACHE_KEY] || name[CACHE_KEY] == '.');
}

/* Removes the least recently used files, so that `wanted` more bytes are within the limit; and files that
   killed processes have left. Other files in the folder are not touched. */
static void make_room(const struct cache *cache, uint64_t wanted) {
    struct kept *list = NULL;
    size_t count = 0, capacity = 0;
    uint64_t sum = wanted;
    DIR *folder = opendir(cache->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat status;
        bool is_new = strncmp(entry->d_name, NEW_PREFIX, strlen(NEW_PREFIX)) == 0;
        if ((!is_new && !is_key(entry->d_name)) ||
            fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (is_new && status.st_mtime + DAY < time(NULL))
            unlinkat(dirfd(folder), entry->d_name, 0);
        if (is_new)
            continue;
        VECTOR_RESERVE(list, count, capacity);
        list[count++] = (struct kept){.path = format_string("%s/%s", cache->folder, entry->d_name),
                                      .size = (uint64_t)status.st_size,
                                      .used = status.st_mtim};
        sum += (uint64_t)status.st_size;
    }
    if (folder)
        closedir(folder);
    if (count > 1)
        qsort(list, count, sizeof *list, by_use);
    for (size_t i = 0; i < count; i++) {
        if (sum > cache->limit && unlink(list[i].path) == 0)
            sum -= list[i].size;
        free(list[i].path);
    }
    free(list);
}

bool cache_keep(const struct cache *cache, const char *key, const char *path, const char *messages) {
    uint64_t size = 0;
    char *kept = format_string("%s/%s", cache->folder, key);
    bool good = complete_cached_file(path, key, messages, &size);
    if (good && size <= cache->limit) {
        make_room(cache, size);
        good = rename(path, kept) == 0;
    } else if (good) {
        diagnose(cache->diagnostics, NULL, MESSAGE_NOT_KEPT, cache->folder, "larger than the limit");
        free(kept);
        return false;
    }
    if (!good)
        diagnose(cache->diagnostics, NULL, MESSAGE_NOT_KEPT, cache->folder, strerror(errno));
    free(kept);
    return good;
}

int cache_open_kept(const struct cache *cache, const char *key) {
    char *path = format_string("%s/%s", cache->folder, key);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    free(path);
    return file;
}

/* ---- copies -------------------------------------------------------------------------------------------- */

static bool write_file(const char *path, const char *bytes, size_t count) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool good = file >= 0 && write_all(file, bytes, count);
    return file >= 0 && close(file) == 0 && good;
}

bool cache_copy(const struct cache *cache, const char *key, const char *path, char **messages) {
    size_t made_bytes = 0;
    int file = find_in_cache(cache, key, messages, &made_bytes);
    if (file < 0)
        return false;
    void *bytes = mmap(NULL, made_bytes + !made_bytes, PROT_READ, MAP_PRIVATE, file, 0);
    bool good = bytes != MAP_FAILED && write_file(path, bytes, made_bytes);
    if (bytes != MAP_FAILED)
        munmap(bytes, made_bytes + !made_bytes);
    close(file);
    if (!good) {
        free(*messages);
        *messages = NULL;
    }
    return good;
}

bool cache_keep_copy(const struct cache *cache, const char *key, const char *path, const char *messages) {
    size_t count;
    char *bytes = read_file(path, &count), *new = cache_path_of_new(cache, key);
    bool good = bytes && new &&write_file(new, bytes, count) && cache_keep(cache, key, new, messages);
    if (new && !good)
        unlink(new);
    free(bytes);
    free(new);
    return good;
}
