/* memory.c: allocation that cannot fail, strings, and arenas that are freed at once.
   Requires the C library only; out of memory ends the process with status 2, through atexit. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes)   ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#endif

enum { ARENA_ALIGNMENT = 16, ARENA_CHUNK_BYTES = 64 * 1024, ARENA_LARGE_BYTES = ARENA_CHUNK_BYTES / 4 };

/* Many small allocations, or one large one. */
struct arena_chunk {
    struct arena_chunk *next;     /* the block that was allocated before it */
    struct arena_chunk *previous; /* for large blocks: the block allocated after it */
    uint64_t number;              /* large blocks, in the order of their allocation */
    size_t used;                  /* bytes that are allocated; the rest is zero */
    size_t capacity;              /* bytes of data */
    _Alignas(ARENA_ALIGNMENT) unsigned char data[];
};

struct arena {
    struct arena_chunk *chunks; /* newest first; small allocations are made in the first */
    struct arena_chunk *large;  /* newest first, one allocation each: so that one can grow and be freed */
    struct arena_chunk *spare;  /* an empty one, kept after a release, or NULL */
    uint64_t large_made;
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

static void free_chunk(struct arena_chunk *chunk) {
    ASAN_UNPOISON_MEMORY_REGION(chunk->data, chunk->capacity);
    free(chunk);
}

static void free_chunks(struct arena_chunk *chunk) {
    for (struct arena_chunk *next; chunk; chunk = next) {
        next = chunk->next;
        free_chunk(chunk);
    }
}

void arena_destroy(struct arena *arena) {
    if (!arena)
        return;
    free_chunks(arena->chunks);
    free_chunks(arena->large);
    free_chunks(arena->spare);
    free(arena);
}

static size_t rounded(size_t bytes) {
    if (bytes > SIZE_MAX / 2)
        out_of_memory();
    return (bytes + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
}

static struct arena_chunk *make_chunk(size_t capacity, bool zeroed) {
    size_t bytes = sizeof(struct arena_chunk) + capacity;
    struct arena_chunk *chunk = zeroed ? allocate_zeroed(1, bytes) : allocate(bytes);
    *chunk = (struct arena_chunk){.capacity = capacity};
    ASAN_POISON_MEMORY_REGION(chunk->data, capacity);
    return chunk;
}

static struct arena_chunk *large_chunk_of(void *memory) {
    return (struct arena_chunk *)(void *)((unsigned char *)memory - offsetof(struct arena_chunk, data));
}

static void *allocate_large(struct arena *arena, size_t bytes, bool zeroed) {
    struct arena_chunk *chunk = make_chunk(bytes, zeroed);
    chunk->number = arena->large_made++;
    chunk->used = bytes;
    chunk->next = arena->large;
    if (chunk->next)
        chunk->next->previous = chunk;
    arena->large = chunk;
    return chunk->data;
}

static void *allocate_small(struct arena *arena, size_t bytes) {
    struct arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->capacity - chunk->used < bytes) {
        chunk = arena->spare ? arena->spare : make_chunk(ARENA_CHUNK_BYTES, true);
        arena->spare = NULL;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    void *memory = chunk->data + chunk->used;
    chunk->used += bytes;
    return memory;
}

static void *allocate_room(struct arena *arena, size_t bytes, bool zeroed) {
    size_t room = rounded(bytes);
    void *memory =
        room > ARENA_LARGE_BYTES ? allocate_large(arena, room, zeroed) : allocate_small(arena, room);
    ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
    return memory;
}

void *arena_allocate(struct arena *arena, size_t bytes) {
    return allocate_room(arena, bytes, true);
}

void *arena_allocate_unset(struct arena *arena, size_t bytes) {
    return allocate_room(arena, bytes, false);
}

static void *make_small(struct arena *arena, struct arena_chunk *chunk, size_t bytes) {
    void *memory = allocate_small(arena, bytes);
    ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
    memcpy(memory, chunk->data, bytes);
    if (chunk->next)
        chunk->next->previous = chunk->previous;
    *(chunk->previous ? &chunk->previous->next : &arena->large) = chunk->next;
    free_chunk(chunk);
    return memory;
}

static void *resize_large(struct arena *arena, void *memory, size_t bytes) {
    struct arena_chunk *chunk = large_chunk_of(memory);
    ASAN_UNPOISON_MEMORY_REGION(chunk->data, chunk->capacity);
    if (bytes <= ARENA_LARGE_BYTES)
        return make_small(arena, chunk, bytes);
    chunk = reallocate(chunk, sizeof *chunk + bytes);
    chunk->used = chunk->capacity = bytes;
    if (chunk->next)
        chunk->next->previous = chunk;
    *(chunk->previous ? &chunk->previous->next : &arena->large) = chunk;
    ASAN_POISON_MEMORY_REGION(chunk->data, bytes);
    return chunk->data;
}

/* Takes back the last bytes that a chunk has handed out. */
static void empty_chunk(struct arena_chunk *chunk, size_t used) {
    ASAN_UNPOISON_MEMORY_REGION(chunk->data + used, chunk->used - used);
    memset(chunk->data + used, 0, chunk->used - used);
    ASAN_POISON_MEMORY_REGION(chunk->data + used, chunk->used - used);
    chunk->used = used;
}

static void *grow_small(struct arena *arena, unsigned char *memory, size_t old, size_t old_bytes,
                        size_t bytes) {
    struct arena_chunk *chunk = arena->chunks;
    bool is_last = memory && memory + old == chunk->data + chunk->used;
    if (is_last && bytes <= ARENA_LARGE_BYTES && bytes - old <= chunk->capacity - chunk->used) {
        chunk->used += bytes - old;
        return memory;
    }
    void *moved = arena_allocate_unset(arena, bytes);
    if (!memory)
        return moved;
    memcpy(moved, memory, old_bytes);
    if (is_last)
        empty_chunk(chunk, chunk->used - old);
    else
        ASAN_POISON_MEMORY_REGION(memory, old);
    return moved;
}

void *arena_resize(struct arena *arena, void *memory, size_t old_bytes, size_t bytes) {
    size_t old = memory ? rounded(old_bytes) : 0, room = rounded(bytes);
    if (old > ARENA_LARGE_BYTES && room != old)
        memory = resize_large(arena, memory, room);
    else if (!memory || room > old)
        memory = grow_small(arena, memory, old, old_bytes, room);
    ASAN_POISON_MEMORY_REGION(memory, old <= ARENA_LARGE_BYTES && old > room ? old : room);
    ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
    return memory;
}

struct arena_mark arena_mark(const struct arena *arena) {
    const struct arena_chunk *chunk = arena->chunks;
    return (struct arena_mark){arena->chunks, chunk ? chunk->used : 0, arena->large_made};
}

void arena_release(struct arena *arena, struct arena_mark mark) {
    for (struct arena_chunk *chunk; (chunk = arena->large) && chunk->number >= mark.large;) {
        arena->large = chunk->next;
        if (chunk->next)
            chunk->next->previous = NULL;
        free_chunk(chunk);
    }
    while (arena->chunks != mark.chunk) {
        struct arena_chunk *chunk = arena->chunks;
        arena->chunks = chunk->next;
        if (arena->spare) {
            free_chunk(chunk);
        } else {
            empty_chunk(chunk, 0);
            chunk->next = NULL;
            arena->spare = chunk;
        }
    }
    if (mark.chunk)
        empty_chunk(mark.chunk, mark.used);
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

char *shell_word(const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%^";
    if (*text && text[strspn(text, plain)] == '\0')
        return duplicate_string(text);
    char *word = NULL;
    size_t size;
    FILE *stream = open_memstream(&word, &size);
    fputc('\'', stream);
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, stream);
    fputc('\'', stream);
    fclose(stream);
    return word;
}
