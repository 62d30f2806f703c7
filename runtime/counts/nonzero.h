/* nonzero.h: finds values, and bits, that are not 0 among many that are. */
#ifndef ATOMC_RUNTIME_NONZERO_H
#define ATOMC_RUNTIME_NONZERO_H

#include <stdint.h>

enum { ATOMC_AT_ONCE = 16 };

/* True if ATOMC_AT_ONCE values from this one on are 0. */
static inline int atomc_all_zero(const uint64_t *values) {
    uint64_t any = 0;
#pragma GCC unroll 16
    for (int k = 0; k < ATOMC_AT_ONCE; k++)
        any |= values[k];
    return !any;
}

/* The end of the group of ATOMC_AT_ONCE values that contains number `i`. */
static inline uint64_t atomc_group_end(uint64_t i, uint64_t end) {
    uint64_t group_end = (i | (ATOMC_AT_ONCE - 1)) + 1;
    return group_end < end ? group_end : end;
}

/* The first from number `i` on that is not 0, or `end`. */
static inline uint64_t atomc_next_nonzero(const uint64_t *values, uint64_t i, uint64_t end) {
    const uint64_t *at = values + i, *last = values + end, *group = values + atomc_group_end(i, end);
    if (i >= end)
        return end;
    for (; at != group; at++) /* the rest of the group */
        if (*at != 0)
            return (uint64_t)(at - values);
    for (; last - at >= ATOMC_AT_ONCE; at += ATOMC_AT_ONCE)
        if (!atomc_all_zero(at)) {
            while (*at == 0)
                at++;
            return (uint64_t)(at - values);
        }
    while (at != last && *at == 0)
        at++;
    return (uint64_t)(at - values);
}

/* The number of the lowest bit that is set; at least one must be. Uses a de Bruijn sequence, in which each
   six bits are different, as not all processors have an instruction for this. */
static inline unsigned atomc_lowest_bit(uint64_t bits) {
    static const uint8_t numbers[64] = {0,  1,  48, 2,  57, 49, 28, 3,  61, 58, 50, 42, 38, 29, 17, 4,
                                        62, 55, 59, 36, 53, 51, 43, 22, 45, 39, 33, 30, 24, 18, 12, 5,
                                        63, 47, 56, 27, 60, 41, 37, 16, 54, 35, 52, 21, 44, 32, 23, 11,
                                        46, 26, 40, 15, 34, 20, 31, 10, 25, 14, 19, 9,  13, 8,  7,  6};
    return numbers[(bits & -bits) * UINT64_C(0x03f79d71b4cb0a89) >> 58];
}

/* The first bit from number `i` on that is set, or `end`. The word with bit `end` must exist. */
static inline uint64_t atomc_next_bit(const uint64_t *words, uint64_t i, uint64_t end) {
    uint64_t word = i / 64, bits = words[word] & UINT64_MAX << i % 64;
    if (!bits) {
        word = atomc_next_nonzero(words, word + 1, end / 64 + 1);
        if (word > end / 64)
            return end;
        bits = words[word];
    }
    uint64_t found = 64 * word + atomc_lowest_bit(bits);
    return found < end ? found : end;
}

/* Finds up to `most` values that are not 0 from number `*from` on. Sets *from to the number to continue from:
   it stops at the end, or if there is room for fewer than ATOMC_AT_ONCE more. `found` has room for one
   more. */
static inline unsigned atomc_find_nonzero(const uint64_t *values, uint64_t *from, uint64_t end,
                                          uint64_t *found, uint64_t most) {
    uint64_t i = *from;
    uint64_t count = 0;
    while (i < end && count + ATOMC_AT_ONCE <= most) {
        if (i % ATOMC_AT_ONCE == 0 && end - i >= ATOMC_AT_ONCE) {
            const uint64_t *group = values + i;
            __asm__("" : "+r"(group)); /* otherwise the compiler computes each address separately */
            if (!atomc_all_zero(group))
#pragma GCC unroll 16
                for (int k = 0; k < ATOMC_AT_ONCE; k++) {
                    found[count] = i + (uint64_t)k;
                    count += group[k] != 0;
                }
            i += ATOMC_AT_ONCE;
            continue;
        }
        for (uint64_t group_end = atomc_group_end(i, end); i < group_end; i++) {
            found[count] = i;
            count += values[i] != 0;
        }
    }
    *from = i;
    return (unsigned)count;
}

#endif
