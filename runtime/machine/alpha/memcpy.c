/* memcpy.c: memcpy for the analysis code and its C library. The C library's own version copies bytes one by
   one, at 11 instructions each, if they are fewer than 16, and at both ends of longer copies. Weak: a tool
   may define its own. Reads and writes only quadwords that contain a byte to copy; neighbouring bytes of the
   destination are written back unchanged, as a byte store does on Alpha. */
#include <stddef.h>

typedef unsigned long __attribute__((may_alias)) word;

static inline word *aligned_word_at(unsigned long address) {
    return (word *)(address & ~7ul);
}

/* Loads eight bytes from any address; `last` is the address of the last byte that may be read. */
static inline unsigned long load_bytes(unsigned long from, unsigned long last) {
    unsigned long low = *aligned_word_at(from), high = *aligned_word_at(last);
    return __builtin_alpha_extql(low, from) | __builtin_alpha_extqh(high, from);
}

/* Stores the bytes selected by `chosen`; the last of them is at `last`. */
static inline void store_bytes(unsigned long to, unsigned long last, unsigned long bytes,
                               unsigned long chosen) {
    word *at_low = aligned_word_at(to), *at_high = aligned_word_at(last);
    unsigned long low = *at_low, high = *at_high;
    high = (high & ~__builtin_alpha_insqh(chosen, to)) | __builtin_alpha_insqh(bytes & chosen, to);
    low = (low & ~__builtin_alpha_insql(chosen, to)) | __builtin_alpha_insql(bytes & chosen, to);
    *at_high = high;
    *at_low = low; /* last: it may be the same quadword */
}

__attribute__((weak)) void *memcpy(void *restrict destination, const void *restrict source, size_t count) {
    unsigned long to = (unsigned long)destination, from = (unsigned long)source;
    unsigned long to_end = to + count, from_end = from + count;
    if (count < 8) {
        if (count > 0)
            store_bytes(to, to_end - 1, load_bytes(from, from_end - 1), (1ul << 8 * count) - 1);
        return destination;
    }
    if (to & 7) {
        unsigned long head = 8 - (to & 7);
        store_bytes(to, to + 7, load_bytes(from, from + 7), -1ul);
        to += head;
        from += head;
    }
    word *at = aligned_word_at(to);
    const word *next = aligned_word_at(from);
    unsigned long words = (to_end - to) / 8;
    if (from & 7) {
        unsigned long low = *next, high;
        for (; words >= 2; words -= 2, at += 2, next += 2) {
            high = next[1];
            at[0] = __builtin_alpha_extql(low, from) | __builtin_alpha_extqh(high, from);
            low = next[2];
            at[1] = __builtin_alpha_extql(high, from) | __builtin_alpha_extqh(low, from);
        }
        if (words)
            *at = __builtin_alpha_extql(low, from) | __builtin_alpha_extqh(next[1], from);
    } else {
        for (; words >= 4; words -= 4, at += 4, next += 4) {
            unsigned long first = next[0], second = next[1], third = next[2], fourth = next[3];
            at[0] = first;
            at[1] = second;
            at[2] = third;
            at[3] = fourth;
        }
        for (; words > 0; words--)
            *at++ = *next++;
    }
    if (to_end & 7) /* the word has preceding bytes, which have been copied already */
        store_bytes(to_end - 8, to_end - 1, load_bytes(from_end - 8, from_end - 1), -1ul);
    return destination;
}
