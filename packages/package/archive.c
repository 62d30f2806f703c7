/* archive.c: packages as .tar.zst. An archive may be from anybody: it is unpacked in memory and checked as
   a whole before any file is made. Packages contain only regular files and folders in the sense of tar. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "packages/package/package.h"

enum { BLOCK = 512, MOST_FILES = 10000, MOST_BYTES = 100 << 20 };

struct header {
    char name[100], mode[8], user[8], group[8], size[12], time[12], checksum[8], type, link[100], magic[8],
        user_name[32], group_name[32], major[8], minor[8], prefix[155], rest[12];
};

static bool refuse_archive(struct diagnostics *diagnostics, const char *path, const char *what,
                           const char *name) {
    char *text = format_string("%s%s%s", what, *name ? ": " : "", name);
    diagnose(diagnostics, NULL, MESSAGE_PACKAGE_ARCHIVE, path, text);
    free(text);
    return false;
}

/* Its bytes, with one more, a NUL; NULL after an error. */
static char *unpack_archive(const char *path, struct arena *arena, size_t *count,
                            struct diagnostics *diagnostics) {
    enum { MOST = MOST_BYTES + MOST_FILES * 2 * BLOCK + 20 * BLOCK };
    size_t length;
    char *packed = read_file(path, &length);
    if (!packed) {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_READ, path, strerror(errno));
        return NULL;
    }
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer input = {packed, length, 0};
    size_t capacity = 1 << 20, left = 1;
    char *bytes = allocate(capacity);
    *count = 0;
    const char *problem = NULL;
    while (!problem && (input.pos < input.size || left > 0)) {
        ZSTD_outBuffer output = {bytes + *count, capacity - *count, 0};
        size_t before = input.pos;
        left = ZSTD_decompressStream(stream, &output, &input);
        *count += output.pos;
        if (ZSTD_isError(left))
            problem = "no archive of zstd";
        else if (*count > MOST)
            problem = "more than 100 MB";
        else if (output.pos == 0 && input.pos == before && input.pos == input.size)
            problem = left ? "it is cut off" : NULL;
        if (!problem && output.pos == 0 && input.pos == before)
            break;
        if (*count == capacity)
            bytes = reallocate(bytes, capacity *= 2);
    }
    ZSTD_freeDStream(stream);
    free(packed);
    char *kept = NULL;
    if (problem)
        refuse_archive(diagnostics, path, problem, "");
    else
        kept = arena_string(arena, bytes, *count);
    free(bytes);
    return kept;
}

static bool read_octal(const char *text, size_t length, uint64_t *number) {
    size_t at = 0;
    *number = 0;
    while (at < length && text[at] == ' ')
        at++;
    for (; at < length && text[at] >= '0' && text[at] <= '7'; at++)
        *number = *number << 3 | (uint64_t)(text[at] - '0');
    return at > 0 && (at == length || text[at] == '\0' || text[at] == ' ') && *number < UINT64_C(1) << 33;
}

static bool is_right(const struct header *header) {
    uint64_t said, sum = 0;
    for (size_t i = 0; i < BLOCK; i++)
        sum += i >= offsetof(struct header, checksum) && i < offsetof(struct header, type)
                   ? ' '
                   : ((const unsigned char *)header)[i];
    return memcmp(header->magic, "ustar", 5) == 0 && read_octal(header->checksum, 8, &said) && said == sum;
}

static bool add_entry(struct arena *arena, struct package_files *files, const struct header *header,
                      const char *bytes, uint64_t size, const char *path, struct diagnostics *diagnostics) {
    bool has_prefix = memcmp(header->magic, "ustar", 6) == 0 && header->prefix[0];
    const char *name = arena_format(arena, "%.*s%s%.*s", has_prefix ? 155 : 0, header->prefix,
                                    has_prefix ? "/" : "", 100, header->name);
    bool is_folder = header->type == '5';
    uint64_t mode;
    name += strncmp(name, "./", 2) == 0 ? 2 : 0;
    if (header->type != '0' && header->type != '\0' && !is_folder)
        return refuse_archive(diagnostics, path, "a link, a device, or what tar alone knows", name);
    if (is_folder && (!*name || strcmp(name, ".") == 0))
        return true;
    size_t length = strlen(name);
    if (is_folder && name[length - 1] == '/')
        name = arena_string(arena, name, length - 1);
    if (!is_package_file(name))
        return refuse_archive(diagnostics, path, "a name that no file of a package has", name);
    if (is_folder)
        return true;
    if (!read_octal(header->mode, 8, &mode) || mode & (S_ISUID | S_ISGID))
        return refuse_archive(diagnostics, path, "a set-user-id file", name);
    if (files->count == MOST_FILES)
        return refuse_archive(diagnostics, path, "more than 10,000 files", "");
    files->bytes += size;
    if (files->bytes > MOST_BYTES)
        return refuse_archive(diagnostics, path, "more than 100 MB", "");
    ARENA_RESERVE(arena, files->list, files->count, files->capacity);
    files->list[files->count++] = (struct package_file){name, bytes, (size_t)size};
    return true;
}

static int compare_archived_names(const void *left, const void *right) {
    return strcmp(((const struct package_file *)left)->name, ((const struct package_file *)right)->name);
}

/* All files may be in one common folder, which is removed. File names must be unique, and no file may be a
   folder of another.
 */
static bool put_in_order(struct package_files *files, const char *path, struct diagnostics *diagnostics) {
    size_t folder = files->count ? strcspn(files->list[0].name, "/") + 1 : 0;
    for (uint32_t i = 0; i < files->count && folder; i++)
        if (strncmp(files->list[i].name, files->list[0].name, folder) != 0 ||
            files->list[i].name[folder - 1] != '/')
            folder = 0;
    for (uint32_t i = 0; i < files->count; i++)
        files->list[i].name += folder;
    if (files->count)
        qsort(files->list, files->count, sizeof *files->list, compare_archived_names);
    for (uint32_t i = 1; i < files->count; i++) {
        const char *name = files->list[i - 1].name, *next = files->list[i].name;
        size_t length = strlen(name);
        if (strcmp(name, next) == 0)
            return refuse_archive(diagnostics, path, "two files of one name", name);
        for (uint32_t k = i; k < files->count && strncmp(files->list[k].name, name, length) == 0; k++)
            if (files->list[k].name[length] == '/')
                return refuse_archive(diagnostics, path, "a file that is a folder, too", name);
    }
    return true;
}

bool archive_read(const char *path, struct arena *arena, struct package_files *files,
                  struct diagnostics *diagnostics) {
    size_t count, at = 0;
    *files = (struct package_files){NULL, 0, 0, 0};
    const char *bytes = unpack_archive(path, arena, &count, diagnostics);
    while (bytes && at + BLOCK <= count && bytes[at]) {
        const struct header *header = (const void *)(bytes + at);
        uint64_t size;
        if (!is_right(header) || !read_octal(header->size, 12, &size) || size > count - at - BLOCK)
            return refuse_archive(diagnostics, path, "no archive of tar, or a damaged one", "");
        if (!add_entry(arena, files, header, bytes + at + BLOCK, size, path, diagnostics))
            return false;
        at += BLOCK + (size_t)(size + BLOCK - 1) / BLOCK * BLOCK;
    }
    return bytes &&
           ((at + BLOCK <= count && files->count > 0) ||
            refuse_archive(diagnostics, path, "it is cut off", "")) &&
           put_in_order(files, path, diagnostics);
}

/* ---- writing ---------------------------------------------------------------------------------------------- */

/* The archive is the same for all users: it has no times and no users. A name is cut at a slash if it is
   long. */
static bool make_header(struct header *header, const char *name, size_t size) {
    size_t length = strlen(name), cut = 0;
    memset(header, 0, sizeof *header);
    for (size_t i = 0; length > 99 && i < length && i < 155; i++)
        if (name[i] == '/' && length - i - 1 <= 99)
            cut = i;
    if (length - cut > 100 || (length > 99 && !cut))
        return false;
    memcpy(header->prefix, name, cut);
    memcpy(header->name, name + cut + (cut > 0), length - cut - (cut > 0));
    memcpy(header->mode, "0000644", 8);
    memcpy(header->user, "0000000", 8);
    memcpy(header->group, "0000000", 8);
    snprintf(header->size, sizeof header->size, "%011o", (unsigned)size);
    memcpy(header->time, "00000000000", 12);
    memcpy(header->magic, "ustar\00000", 8);
    header->type = '0';
    memset(header->checksum, ' ', sizeof header->checksum);
    unsigned sum = 0;
    for (size_t i = 0; i < BLOCK; i++)
        sum += ((const unsigned char *)header)[i];
    snprintf(header->checksum, sizeof header->checksum, "%06o", sum);
    return true;
}

bool archive_write(const char *path, const char *name, const struct package_files *files,
                   struct diagnostics *diagnostics) {
    static const char zeros[2 * BLOCK];
    char *tar = NULL, *temporary = format_string("%s.XXXXXX", path);
    size_t size;
    FILE *stream = open_memstream(&tar, &size);
    bool good = stream != NULL;
    for (uint32_t i = 0; i < files->count && good; i++) {
        const struct package_file *file = &files->list[i];
        struct header header;
        char *full = format_string("%s/%s", name, file->name);
        good = (is_package_file(full) && make_header(&header, full, file->size)) ||
               refuse_archive(diagnostics, path, "a name that no file of a package has", file->name);
        free(full);
        if (!good)
            break;
        fwrite(&header, 1, BLOCK, stream);
        fwrite(file->bytes, 1, file->size, stream);
        fwrite(zeros, 1, (BLOCK - file->size % BLOCK) % BLOCK, stream);
    }
    if (stream) {
        fwrite(zeros, 1, 2 * BLOCK, stream);
        fclose(stream);
    }
    size_t bound = ZSTD_compressBound(size), packed_size = 0;
    char *packed = allocate(bound);
    if (good)
        packed_size = ZSTD_compress(packed, bound, tar, size, 19);
    int file = good ? create_temporary(temporary) : -1;
    if (good && (file < 0 || write(file, packed, packed_size) != (ssize_t)packed_size ||
                 fchmod(file, 0644) != 0 || rename(temporary, path) != 0)) {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, path, strerror(errno));
        good = false;
    }
    if (good)
        keep_file(temporary);
    if (file >= 0)
        close(file);
    free(packed);
    free(tar);
    free(temporary);
    return good;
}
