/* memory.c: allocation that cannot fail, strings, and arenas that are freed at once.
   Requires the C library only; out of memory ends the process with status 2, through atexit. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

enum { ARENA_ALIGNMENT = 16, ARENA_CHUNK_BYTES = 64 * 1024 };

struct arena_chunk {
    struct arena_chunk *next; /* older chunk */
    size_t used;              /* bytes of data handed out */
    size_t capacity;          /* bytes of data */
    _Alignas(ARENA_ALIGNMENT) unsigned char data[];
};

struct arena {
    struct arena_chunk *chunks; /* newest first; allocations come from the first */
};

static _Noreturn void out_of_memory(void) {
    fputs("atomc: error: out of memory\n", stderr);
    exit(2); /* the exit handlers of files.c remove temporary output */
}

void *allocate(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        out_of_memory();
    return memory;
}

void *allocate_zeroed(size_t count, size_t bytes_each) {
    void *memory = calloc(count ? count : 1, bytes_each ? bytes_each : 1);
    if (!memory)
        out_of_memory();
    return memory;
}

void *reallocate(void *memory, size_t bytes) {
    memory = realloc(memory, bytes ? bytes : 1);
    if (!memory)
        out_of_memory();
    return memory;
}

char *duplicate_string(const char *text) {
    size_t bytes = strlen(text) + 1;
    return memcpy(allocate(bytes), text, bytes);
}

/* The number of bytes that the format produces, without the final NUL. */
static size_t formatted_length(const char *format, va_list arguments) {
    va_list copy;
    va_copy(copy, arguments);
    int length = vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    return length < 0 ? 0 : (size_t)length;
}

char *format_string(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t bytes = formatted_length(format, arguments) + 1;
    char *text = allocate(bytes);
    text[0] = '\0';
    vsnprintf(text, bytes, format, arguments);
    va_end(arguments);
    return text;
}

struct arena *arena_create(void) {
    return allocate_zeroed(1, sizeof(struct arena));
}

void arena_destroy(struct arena *arena) {
    if (!arena)
        return;
    for (struct arena_chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(arena);
}

void *arena_allocate(struct arena *arena, size_t bytes) {
    if (bytes > SIZE_MAX / 2)
        out_of_memory();
    bytes = (bytes + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
    struct arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->capacity - chunk->used < bytes) {
        bool oversized = bytes > ARENA_CHUNK_BYTES / 4;
        size_t capacity = oversized ? bytes : ARENA_CHUNK_BYTES;
        struct arena_chunk *fresh = allocate_zeroed(1, sizeof *fresh + capacity);
        fresh->capacity = capacity;
        if (oversized && chunk) { /* keep the room that is left in the newest chunk */
            fresh->next = chunk->next;
            chunk->next = fresh;
        } else {
            fresh->next = chunk;
            arena->chunks = fresh;
        }
        chunk = fresh;
    }
    void *memory = chunk->data + chunk->used;
    chunk->used += bytes;
    return memory;
}

char *arena_string(struct arena *arena, const char *text, size_t length) {
    char *copy = arena_allocate(arena, length + 1); /* zeroed: ends in NUL */
    if (length)
        memcpy(copy, text, length);
    return copy;
}

char *arena_format(struct arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t bytes = formatted_length(format, arguments) + 1;
    char *text = arena_allocate(arena, bytes);
    vsnprintf(text, bytes, format, arguments);
    va_end(arguments);
    return text;
}
