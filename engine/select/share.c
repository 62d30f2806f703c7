/* share.c: equal data of sites are shared: if an expression, arguments or an action is equal to a recent one,
   the recent one is used. Requires that equal values have equal bytes: padding is zero.
 */
#include <string.h>

#include "engine/select/sites.h"

enum { SHARED_SLOTS = 1 << 13 };

struct shared_bytes {
    const void *bytes;
    size_t size;
};

static uint64_t hash_of_bytes(const void *bytes, size_t size) {
    uint64_t hash = size;
    for (size_t at = 0; at < size; at += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, (const char *)bytes + at, size - at < sizeof word ? size - at : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

const void *sites_share(struct sites *sites, const void *bytes, size_t size) {
    if (!sites->shared)
        sites->shared = arena_allocate(sites->arena, SHARED_SLOTS * sizeof *sites->shared);
    struct shared_bytes *known = &sites->shared[hash_of_bytes(bytes, size) % SHARED_SLOTS];
    if (known->size != size || memcmp(known->bytes, bytes, size) != 0) {
        void *made = arena_allocate_unset(sites->arena, size);
        memcpy(made, bytes, size);
        *known = (struct shared_bytes){made, size};
    }
    return known->bytes;
}
