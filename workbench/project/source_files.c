/* source_files.c: see source_files.h. */
#include "workbench/project/source_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_WORD = 100 };

static const struct {
    const char *ending, *compiler;
} languages[] = {{".c", "gcc"},        {".cc", "g++"},       {".cpp", "g++"},
                 {".cxx", "g++"},      {".C", "g++"},        {".f", "gfortran"},
                 {".f90", "gfortran"}, {".F90", "gfortran"}, {".f95", "gfortran"}};
static const char *const headers[] = {".h",   ".hh",  ".hpp", ".hxx", ".H",  ".inc",
                                      ".inl", ".ipp", ".tcc", ".def", ".fi", ".tbl"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- names -------------------------------------------------------------------------------------------- */

const char *compiler_of_source(const char *name) {
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < COUNT(languages); i++)
        if (strcmp(dot, languages[i].ending) == 0)
            return languages[i].compiler;
    return NULL;
}

bool is_header(const char *name) {
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < COUNT(headers); i++)
        if (strcmp(dot, headers[i]) == 0)
            return true;
    return false;
}

json_t *source_endings(void) {
    json_t *endings = json_object();
    for (size_t i = 0; i < COUNT(languages); i++)
        json_object_set_new(endings, languages[i].ending, json_string(languages[i].compiler));
    return endings;
}

json_t *header_endings(void) {
    json_t *endings = json_array();
    for (size_t i = 0; i < COUNT(headers); i++)
        json_array_append_new(endings, json_string(headers[i]));
    return endings;
}

static bool is_word(const char *word, size_t length) {
    bool good = length > 0 && length <= LONGEST_WORD && word[0] != '.' && word[0] != '-';
    for (size_t i = 0; i < length; i++)
        good &= word[i] > ' ' && word[i] < 127 && !strchr("/\\\"'`$%", word[i]);
    return good;
}

bool is_source_word(const char *word) {
    return is_word(word, strlen(word));
}

bool is_source_name(const char *name) {
    size_t parts = 0;
    if (!compiler_of_source(name) && !is_header(name))
        return false;
    for (const char *at = name;; at++) {
        size_t length = strcspn(at, "/");
        if (!is_word(at, length) || ++parts > DEEPEST_SOURCE)
            return false;
        at += length;
        if (!*at)
            return true;
    }
}

const char *compiler_of_sources(const json_t *files) {
    const char *found = NULL, *name;
    json_t *text;
    json_object_foreach((json_t *)files, name, text) {
        const char *compiler = compiler_of_source(name);
        if (compiler && (!found || strcmp(compiler, "g++") == 0 || strcmp(found, "gcc") == 0))
            found = compiler;
    }
    return found;
}

const char **header_folders(struct arena *arena, const json_t *files) {
    const char **folders = arena_allocate(arena, (json_object_size(files) + 1) * sizeof *folders), *name;
    size_t count = 0;
    json_t *text;
    json_object_foreach((json_t *)files, name, text) {
        const char *slash = strrchr(name, '/');
        const char *folder = slash ? arena_string(arena, name, (size_t)(slash - name)) : "";
        bool known = !is_header(name);
        for (size_t i = 0; i < count; i++)
            known |= strcmp(folders[i], folder) == 0;
        if (!known)
            folders[count++] = folder;
    }
    folders[count] = NULL;
    return folders;
}

/* ---- reading ------------------------------------------------------------------------------------------ */

const char *source_text_read(struct arena *arena, int descriptor, const char **why) {
    struct stat status;
    char *text = NULL;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        *why = "it is no file";
    } else if (status.st_size > MOST_SOURCE_BYTES) {
        *why = "it has more than 900 kB";
    } else {
        size_t length = 0;
        ssize_t step;
        text = arena_allocate(arena, (size_t)status.st_size + 1);
        while (length < (size_t)status.st_size &&
               (step = read(descriptor, text + length, (size_t)status.st_size - length)) > 0)
            length += (size_t)step;
        text[length] = '\0';
        json_t *checked = strlen(text) == length ? json_string(text) : NULL;
        if (!checked) {
            *why = "it is no text in UTF-8";
            text = NULL;
        }
        json_decref(checked);
    }
    close(descriptor);
    return text;
}

struct reading {
    struct arena *arena;
    json_t *files;
    json_int_t others;
    size_t bytes;
    const char *why;
};

static void read_one(struct reading *reading, int descriptor, const char *path) {
    const char *why, *text = source_text_read(reading->arena, descriptor, &why);
    if (!text) {
        reading->why = arena_format(reading->arena, "%s: %s", path, why);
        return;
    }
    reading->bytes += strlen(text);
    json_object_set_new(reading->files, path, json_string(text));
    if (json_object_size(reading->files) > MOST_SOURCES)
        reading->why =
            arena_format(reading->arena, "its folders have more than %d sources and headers", MOST_SOURCES);
    else if (reading->bytes > MOST_SOURCE_BYTES)
        reading->why = "its sources and headers have more than 900 kB";
}

/* Takes the descriptor over. */
static void read_sources_of(struct reading *reading, int folder, const char *above, unsigned depth) {
    DIR *entries = fdopendir(folder);
    if (!entries)
        close(folder);
    for (struct dirent *entry; entries && !reading->why && (entry = readdir(entries));) {
        if (entry->d_name[0] == '.')
            continue;
        const char *path = arena_format(reading->arena, "%s%s", above, entry->d_name);
        struct stat status;
        int found = openat(folder, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        bool known = found >= 0 && fstat(found, &status) == 0;
        if (known && S_ISREG(status.st_mode) && is_source_name(path)) {
            read_one(reading, found, path);
        } else if (known && S_ISDIR(status.st_mode) && depth < DEEPEST_SOURCE) {
            read_sources_of(reading, found, arena_format(reading->arena, "%s/", path), depth + 1);
        } else {
            reading->others++;
            if (found >= 0)
                close(found);
        }
    }
    if (entries)
        closedir(entries);
}

json_t *source_files_read(struct arena *arena, int folder, json_int_t *others, const char **why) {
    struct reading reading = {.arena = arena, .files = json_object()};
    read_sources_of(&reading, folder, "", 1);
    if (!reading.why && !compiler_of_sources(reading.files))
        reading.why = "it has no source of C, C++ or Fortran";
    *others = reading.others;
    *why = reading.why;
    if (reading.why) {
        json_decref(reading.files);
        reading.files = NULL;
    }
    return reading.files;
}

/* ---- writing ------------------------------------------------------------------------------------------ */

static bool holds_text(struct arena *arena, int folder, const char *name, const char *text) {
    int descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const char *why, *found = descriptor >= 0 ? source_text_read(arena, descriptor, &why) : NULL;
    return found && strcmp(found, text) == 0;
}

/* Two requests may write it at a time, with the same text. */
static bool write_one(struct arena *arena, int folder, const char *name, const char *text) {
    if (holds_text(arena, folder, name, text))
        return true;
    const char *temporary = arena_format(arena, ".%s.%p", name, (void *)arena);
    int descriptor = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    size_t length = strlen(text);
    bool good = descriptor >= 0 && write(descriptor, text, length) == (ssize_t)length &&
                renameat(folder, temporary, folder, name) == 0;
    int error = errno;
    if (descriptor >= 0)
        close(descriptor);
    if (descriptor >= 0 && !good)
        unlinkat(folder, temporary, 0);
    errno = error;
    return good;
}

/* The folder of the name's last part, made if it is not there; links are not followed. */
static int open_above(struct arena *arena, int folder, const char *name, const char **last) {
    int at = dup(folder);
    for (const char *slash; at >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
        const char *word = arena_string(arena, name, (size_t)(slash - name));
        int inner = mkdirat(at, word, 0777) == 0 || errno == EEXIST
                        ? openat(at, word, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                        : -1;
        int error = errno;
        close(at);
        errno = error;
        at = inner;
    }
    *last = name;
    return at;
}

bool source_files_write(struct arena *arena, int folder, const json_t *files) {
    const char *name, *last;
    json_t *text;
    json_object_foreach((json_t *)files, name, text) {
        int above = open_above(arena, folder, name, &last);
        bool good = above >= 0 && write_one(arena, above, last, json_string_value(text));
        int error = errno;
        if (above >= 0)
            close(above);
        errno = error;
        if (!good)
            return false;
    }
    return true;
}
