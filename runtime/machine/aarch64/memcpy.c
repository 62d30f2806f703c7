/* memcpy.c: memcpy and memset for the analysis code and its C library. The C library's own are chosen by the
   processor when it starts, and the runtime copies before that; they use vector registers, which the program
   may have values in. Weak: a tool may define its own. Accesses need no alignment. */
#include <stddef.h>
#include <stdint.h>

typedef uint64_t __attribute__((may_alias, aligned(1))) quad;
typedef uint32_t __attribute__((may_alias, aligned(1))) word;
typedef uint16_t __attribute__((may_alias, aligned(1))) half;

enum { BLOCK = 32 };

/* All loads of less than two blocks are made before the stores: both ends may overlap. */
static void copy_few(char *to, const char *from, size_t count) {
    if (count >= 16) {
        uint64_t a = *(const quad *)from, b = *(const quad *)(from + 8);
        uint64_t c = *(const quad *)(from + count - 16), d = *(const quad *)(from + count - 8);
        *(quad *)to = a;
        *(quad *)(to + 8) = b;
        *(quad *)(to + count - 16) = c;
        *(quad *)(to + count - 8) = d;
    } else if (count >= 8) {
        uint64_t a = *(const quad *)from, b = *(const quad *)(from + count - 8);
        *(quad *)to = a;
        *(quad *)(to + count - 8) = b;
    } else if (count >= 4) {
        uint32_t a = *(const word *)from, b = *(const word *)(from + count - 4);
        *(word *)to = a;
        *(word *)(to + count - 4) = b;
    } else if (count >= 2) {
        uint16_t a = *(const half *)from, b = *(const half *)(from + count - 2);
        *(half *)to = a;
        *(half *)(to + count - 2) = b;
    } else if (count) {
        *to = *from;
    }
}

__attribute__((weak)) void *memcpy(void *restrict destination, const void *restrict source, size_t count) {
    char *to = destination;
    const char *from = source;
    for (; count > BLOCK; count -= BLOCK, to += BLOCK, from += BLOCK) {
        uint64_t a = *(const quad *)from, b = *(const quad *)(from + 8);
        uint64_t c = *(const quad *)(from + 16), d = *(const quad *)(from + 24);
        *(quad *)to = a;
        *(quad *)(to + 8) = b;
        *(quad *)(to + 16) = c;
        *(quad *)(to + 24) = d;
    }
    copy_few(to, from, count);
    return destination;
}

__attribute__((weak)) void *memset(void *destination, int value, size_t count) {
    char *to = destination, *end = to + count;
    const uint64_t all = (uint8_t)value * UINT64_C(0x0101010101010101);
    for (; end - to >= 8; to += 8)
        *(quad *)to = all;
    for (; to < end; to++)
        *to = (char)value;
    return destination;
}
