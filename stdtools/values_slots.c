/* values_slots.c: memory of the tables of values.c, and which of them have had a value. */
#include <stdlib.h>

#include "values.h"

void *zeroed(long count, long size) {
    void *memory = calloc(count, size);
    if (!memory)
        abort();
    return memory;
}

/* Small tables are parts of chunks, which are zero. */
enum { CHUNK = 1 << 18 };
static struct chunk {
    struct chunk *next;
    long unused;
} * chunks;
static char *next_slots;
static long chunk_left;

struct value *empty_slots(long count) {
    long size = count * sizeof(struct value);
    if (size >= MAPPED)
        return zeroed(count, sizeof(struct value));
    if (size > chunk_left) {
        struct chunk *chunk = zeroed(1, CHUNK);
        chunk->next = chunks;
        chunks = chunk;
        next_slots = (char *)(chunk + 1);
        chunk_left = CHUNK - sizeof *chunk;
    }
    next_slots += size;
    chunk_left -= size;
    return (struct value *)(next_slots - size);
}

void free_slots(const struct place *place) {
    if (room_of(place) * sizeof *place->slots >= MAPPED)
        free(place->slots);
}

/* Called when no table is in use. */
void free_chunks(void) {
    while (chunks) {
        struct chunk *next = chunks->next;
        free(chunks);
        chunks = next;
    }
    chunk_left = 0;
}

unsigned long *filled;

long next_filled(long from, long end) {
    for (long word = from / 64; from < end; from = ++word * 64) {
        unsigned long bits = filled[word] >> from % 64;
        if (bits) {
            from += __builtin_ctzl(bits);
            return from < end ? from : end;
        }
    }
    return end;
}

void begin_filled(long count) {
    filled = zeroed(count / 64 + 1, sizeof *filled);
}

void forget_filled(long count) {
    for (long word = 0; word <= count / 64; word++)
        filled[word] = 0;
}
