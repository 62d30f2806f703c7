/* scatter.c: a library to preload that makes each allocation of a program larger by an amount that the seed in $SCATTER gives. In a
   process with a fixed layout (setarch -R) each seed is one repeatable layout of the heap. Requires glibc.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

void *__libc_malloc(size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);

static size_t more(void) {
    static uint64_t state;
    const char *seed;
    if (!state && (seed = getenv("SCATTER")))
        state = strtoull(seed, NULL, 10) << 1 | 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(state >> 60) * 4096 + (size_t)(state >> 50 & 255) * 16;
}

void *malloc(size_t bytes) {
    return __libc_malloc(bytes + more());
}

void *realloc(void *memory, size_t bytes) {
    return __libc_realloc(memory, bytes + more());
}
