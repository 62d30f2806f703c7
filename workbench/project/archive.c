/* archive.c: see archive.h. A folder as .tar.zst with its files and folders; links and other kinds of files
   are omitted. The format is ustar, with pax headers for long paths (POSIX.1-2008, pax). */
#define _GNU_SOURCE
#include "workbench/project/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "support/support.h"

enum { BLOCK = 512, PIECE = 1 << 17, LONGEST_NAME = 100, LEVEL = 3 };

struct archive {
    ZSTD_CCtx *context;
    int file;
    bool failed;
    char piece[PIECE];
};

static void put_archive_bytes(struct archive *archive, const void *bytes, size_t length,
                              ZSTD_EndDirective end) {
    ZSTD_inBuffer input = {bytes, length, 0};
    size_t left = 1;
    while (!archive->failed && (input.pos < input.size || (end == ZSTD_e_end && left))) {
        ZSTD_outBuffer output = {archive->piece, PIECE, 0};
        left = ZSTD_compressStream2(archive->context, &output, &input, end);
        archive->failed |=
            ZSTD_isError(left) || write(archive->file, archive->piece, output.pos) != (ssize_t)output.pos;
    }
}

static void put_rest_of_block(struct archive *archive, uint64_t length) {
    static const char zeros[BLOCK];
    put_archive_bytes(archive, zeros, (size_t)((BLOCK - length % BLOCK) % BLOCK), ZSTD_e_continue);
}

static void put_octal(char *to, size_t width, uint64_t value) {
    for (size_t i = width - 1; i-- > 0; value >>= 3)
        to[i] = (char)('0' + (value & 7));
}

/* The fields have the positions of the ustar format. */
static void put_header(struct archive *archive, const char *name, char type, unsigned mode, uint64_t bytes,
                       int64_t time) {
    static const char magic[8] = {'u', 's', 't', 'a', 'r', '\0', '0', '0'};
    char header[BLOCK] = "";
    unsigned sum = 0;
    strncpy(header, name, LONGEST_NAME - 1);
    put_octal(header + 100, 8, mode);
    put_octal(header + 108, 8, 0);
    put_octal(header + 116, 8, 0);
    put_octal(header + 124, 12, bytes);
    put_octal(header + 136, 12, time > 0 ? (uint64_t)time : 0);
    memset(header + 148, ' ', 8);
    header[156] = type;
    memcpy(header + 257, magic, sizeof magic);
    for (size_t i = 0; i < BLOCK; i++)
        sum += (unsigned char)header[i];
    put_octal(header + 148, 7, sum);
    put_archive_bytes(archive, header, BLOCK, ZSTD_e_continue);
}

/* "LENGTH path=NAME\n", where the length includes itself. */
static void put_long_name(struct archive *archive, const char *name) {
    size_t fixed = strlen(" path=\n") + strlen(name), length = fixed + 1;
    for (;;) {
        size_t digits = (size_t)snprintf(NULL, 0, "%zu", length);
        if (fixed + digits == length)
            break;
        length = fixed + digits;
    }
    char *record = format_string("%zu path=%s\n", length, name);
    put_header(archive, "pax", 'x', 0644, strlen(record), 0);
    put_archive_bytes(archive, record, strlen(record), ZSTD_e_continue);
    put_rest_of_block(archive, strlen(record));
    free(record);
}

static void put_archive_file(struct archive *archive, const char *path, const char *name,
                             const struct stat *status) {
    char *bytes = allocate(PIECE);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    uint64_t left = (uint64_t)status->st_size;
    archive->failed |= file < 0;
    put_header(archive, name, '0', status->st_mode & 0777, left, status->st_mtime);
    while (left > 0 && !archive->failed) {
        ssize_t count = read(file, bytes, left < PIECE ? (size_t)left : PIECE);
        archive->failed |= count <= 0; /* it became shorter */
        if (count > 0)
            put_archive_bytes(archive, bytes, (size_t)count, ZSTD_e_continue);
        left -= count > 0 ? (uint64_t)count : 0;
    }
    put_rest_of_block(archive, (uint64_t)status->st_size);
    if (file >= 0)
        close(file);
    free(bytes);
}

static int compare_archive_entries(const FTSENT **first, const FTSENT **second) {
    return strcmp((*first)->fts_name, (*second)->fts_name);
}

static void put_folder_tree(struct archive *archive, const char *folder, const char *root) {
    char *paths[] = {(char *)folder, NULL};
    FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, compare_archive_entries);
    archive->failed |= !tree;
    for (FTSENT *entry; tree && !archive->failed && (entry = fts_read(tree));) {
        bool is_folder = entry->fts_info == FTS_D;
        if (!is_folder && entry->fts_info != FTS_F)
            continue;
        char *name = format_string("%s%s%s", root, entry->fts_path + strlen(folder), is_folder ? "/" : "");
        if (strlen(name) >= LONGEST_NAME)
            put_long_name(archive, name);
        if (is_folder)
            put_header(archive, name, '5', 0755, 0, entry->fts_statp->st_mtime);
        else
            put_archive_file(archive, entry->fts_path, name, entry->fts_statp);
        free(name);
    }
    if (tree)
        fts_close(tree);
}

int archive_make(const char *folder, const char *root, const char *scratch) {
    static const char end[2 * BLOCK];
    struct archive *archive = allocate_zeroed(1, sizeof *archive);
    archive->context = ZSTD_createCCtx();
    archive->file = open(scratch, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    int error = errno, file = archive->file;
    if (file >= 0 && archive->context) {
        ZSTD_CCtx_setParameter(archive->context, ZSTD_c_compressionLevel, LEVEL);
        errno = EIO;
        put_folder_tree(archive, folder, root);
        put_archive_bytes(archive, end, sizeof end, ZSTD_e_end);
        error = errno;
        if (archive->failed || lseek(file, 0, SEEK_SET) != 0) {
            close(file);
            file = -1;
        }
    }
    ZSTD_freeCCtx(archive->context);
    free(archive);
    errno = error;
    return file;
}

int archive_open(int file, const char *scratch) {
    ZSTD_DCtx *context = ZSTD_createDCtx();
    char *from = allocate(PIECE), *to = allocate(PIECE);
    int plain = open(scratch, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600), error = errno;
    bool good = plain >= 0 && context;
    ssize_t count;
    while (good && (count = read(file, from, PIECE)) != 0) {
        ZSTD_inBuffer input = {from, count > 0 ? (size_t)count : 0, 0};
        good = count > 0;
        while (good && input.pos < input.size) {
            ZSTD_outBuffer output = {to, PIECE, 0};
            good = !ZSTD_isError(ZSTD_decompressStream(context, &output, &input)) &&
                   write(plain, to, output.pos) == (ssize_t)output.pos;
        }
        error = EIO;
    }
    if (plain >= 0 && (!good || lseek(plain, 0, SEEK_SET) != 0)) {
        close(plain);
        plain = -1;
    }
    close(file);
    ZSTD_freeDCtx(context);
    free(from);
    free(to);
    errno = error;
    return plain;
}
