/* file_memory.c: memory whose contents are in an unnamed file, so that unused parts take no memory.
   Requires a directory whose file system can map files. */
#define _GNU_SOURCE /* O_TMPFILE, mremap */

#include "support/support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct file_memory {
    int descriptor;
    void *bytes; /* NULL: none yet */
    size_t size;
};

/* A name, if the file system requires one, is removed immediately. */
static int nameless_file(const char *folder) {
    int descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0)
        return descriptor;
    char *path = format_string("%s/.atomc-XXXXXX", folder);
    descriptor = create_temporary(path);
    if (descriptor >= 0) {
        unlink(path);
        keep_file(path);
    }
    free(path);
    return descriptor;
}

struct file_memory *file_memory_create(const char *folder) {
    int descriptor = nameless_file(folder);
    if (descriptor < 0)
        return NULL;
    struct file_memory *memory = allocate(sizeof *memory);
    *memory = (struct file_memory){.descriptor = descriptor};
    return memory;
}

/* Blocks are allocated to the file first: an access to a page without a block would cause a signal, not an
   error. */
void *file_memory_grow(struct file_memory *memory, size_t size) {
    size_t more = size - memory->size;
    if (posix_fallocate(memory->descriptor, (off_t)memory->size, (off_t)more) != 0)
        return NULL;
    void *bytes = memory->bytes ? mremap(memory->bytes, memory->size, size, MREMAP_MAYMOVE)
                                : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory->descriptor, 0);
    if (bytes == MAP_FAILED)
        return NULL;
    memory->bytes = bytes;
    memory->size = size;
    return bytes;
}

void file_memory_leave(struct file_memory *memory, size_t begin, size_t end) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    begin -= begin % page;
    end -= end % page;
    if (begin < end)
        madvise((char *)memory->bytes + begin, end - begin, MADV_DONTNEED);
}

void file_memory_destroy(struct file_memory *memory) {
    if (!memory)
        return;
    if (memory->bytes)
        munmap(memory->bytes, memory->size);
    close(memory->descriptor);
    free(memory);
}
