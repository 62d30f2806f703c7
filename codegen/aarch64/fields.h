/* fields.h: words of AArch64's instructions: the groups that the runtime and inserted code have, their
   fields, and the words that are made of them. For C on the host and on AArch64. Source: Arm Architecture
   Reference Manual, DDI 0487, C4.1. */
#ifndef ATOMC_AARCH64_FIELDS_H
#define ATOMC_AARCH64_FIELDS_H

#include <stdint.h>

/* Groups of instructions: GROUP_NAME(bits that differ between groups, their values). */
#define AARCH64_GROUPS(GROUP)                                                                                \
    GROUP(B, 0xfc000000, 0x14000000)                                                                         \
    GROUP(BL, 0xfc000000, 0x94000000)                                                                        \
    GROUP(B_COND, 0xff000010, 0x54000000)                                                                    \
    GROUP(CB, 0x7e000000, 0x34000000) /* cbz, cbnz */                                                        \
    GROUP(TB, 0x7e000000, 0x36000000) /* tbz, tbnz */                                                        \
    GROUP(BR, 0xfffffc1f, 0xd61f0000)                                                                        \
    GROUP(BLR, 0xfffffc1f, 0xd63f0000)                                                                       \
    GROUP(RET, 0xfffffc1f, 0xd65f0000)                                                                       \
    GROUP(RET_SIGNED, 0xfffffbff, 0xd65f0bff)   /* retaa, retab */                                           \
    GROUP(SIGNED, 0xfe9ff800, 0xd61f0800)       /* these; braa, braaz, blraa, blraaz and the same with b */  \
    GROUP(AUTHENTICATE, 0xffffd800, 0xdac11000) /* autia, autib, autiza, autizb */                           \
    GROUP(EXCEPTION, 0xff000000, 0xd4000000)                                                                 \
    GROUP(BRK, 0xffe0001f, 0xd4200000)                                                                       \
    GROUP(UDF, 0xffff0000, 0x00000000)                                                                       \
    GROUP(ADR, 0x9f000000, 0x10000000)                                                                       \
    GROUP(ADRP, 0x9f000000, 0x90000000)                                                                      \
    GROUP(ADD_CONSTANT, 0x1f800000, 0x11000000) /* add, adds, sub, subs */                                   \
    GROUP(LOGICAL_CONSTANT, 0x1f800000, 0x12000000)                                                          \
    GROUP(MOVE_WIDE, 0x1f800000, 0x12800000) /* movn, movz, movk */                                          \
    GROUP(BITFIELD, 0x1f800000, 0x13000000)                                                                  \
    GROUP(EXTRACT, 0x1f800000, 0x13800000)                                                                   \
    GROUP(LOGICAL, 0x1f000000, 0x0a000000)                                                                   \
    GROUP(ADD, 0x1f200000, 0x0b000000)                                                                       \
    GROUP(ADD_EXTENDED, 0x1fe00000, 0x0b200000)                                                              \
    GROUP(ADD_CARRY, 0x1fe0fc00, 0x1a000000)                                                                 \
    GROUP(COMPARE_IF, 0x3fe00410, 0x3a400000) /* ccmn, ccmp */                                               \
    GROUP(SELECT, 0x3fe00800, 0x1a800000)     /* csel, csinc, csinv, csneg */                                \
    GROUP(TWO_SOURCES, 0x7fe00000, 0x1ac00000)                                                               \
    GROUP(ONE_SOURCE, 0x7fff0000, 0x5ac00000)                                                                \
    GROUP(THREE_SOURCES, 0x7f000000, 0x1b000000)                                                             \
    GROUP(LOAD_LITERAL, 0x3b000000, 0x18000000)                                                              \
    GROUP(PAIR, 0x3a000000, 0x28000000)                                                                      \
    GROUP(ACCESS, 0x3b000000, 0x39000000)       /* an unsigned multiple of the size */                       \
    GROUP(ACCESS_NEAR, 0x3b200000, 0x38000000)  /* 9 bits, also with write-back */                           \
    GROUP(ACCESS_INDEX, 0x3b200c00, 0x38200800) /* a register */                                             \
    GROUP(ATOMIC, 0x3b200c00, 0x38200000)                                                                    \
    GROUP(SCALABLE_ACCESS, 0x9e000000, 0x84000000)                                                           \
    GROUP(EXCLUSIVE, 0x3f000000, 0x08000000) /* ldxr, stxr, ldar, stlr, cas and their like */                \
    GROUP(MRS, 0xfff00000, 0xd5300000)                                                                       \
    GROUP(MSR, 0xfff00000, 0xd5100000)                                                                       \
    GROUP(HINT, 0xfffff01f, 0xd503201f)                                                                      \
    GROUP(BARRIER, 0xfffff01f, 0xd503301f) /* clrex, dsb, dmb, isb */                                        \
    GROUP(SYSTEM, 0xfff80000, 0xd5080000)  /* dc, ic */

#define GROUP(name, mask, match)                                                                             \
    static inline int aarch64_is_##name(uint32_t word) {                                                     \
        return (word & UINT32_C(mask)) == UINT32_C(match);                                                   \
    }
AARCH64_GROUPS(GROUP)
#undef GROUP
#define AARCH64_IS(word, name) aarch64_is_##name(word)

enum { AARCH64_FIELD_ALL_ONES = 31 /* xzr or sp */ };

/* ---- fields ---- */

static inline uint32_t aarch64_bits(uint32_t word, unsigned shift, unsigned width) {
    return word >> shift & ((UINT32_C(1) << width) - 1);
}
static inline int64_t aarch64_signed_bits(uint32_t word, unsigned shift, unsigned width) {
    return (int64_t)((uint64_t)word << (64 - shift - width)) >> (64 - width);
}
static inline unsigned aarch64_rd(uint32_t word) { /* and Rt */
    return aarch64_bits(word, 0, 5);
}
static inline unsigned aarch64_rn(uint32_t word) {
    return aarch64_bits(word, 5, 5);
}
static inline unsigned aarch64_rt2(uint32_t word) { /* and Ra */
    return aarch64_bits(word, 10, 5);
}
static inline unsigned aarch64_rm(uint32_t word) {
    return aarch64_bits(word, 16, 5);
}
static inline int aarch64_is_wide(uint32_t word) {
    return (int)aarch64_bits(word, 31, 1);
}

/* ---- constants ---- */

/* The constant of add and sub, positive. */
static inline int64_t aarch64_add_constant(uint32_t word) {
    return (int64_t)aarch64_bits(word, 10, 12) << 12 * aarch64_bits(word, 22, 1);
}
static inline int64_t aarch64_branch_distance(uint32_t word) { /* of b and bl, in words */
    return aarch64_signed_bits(word, 0, 26);
}
/* Of b.cond, cbz, cbnz, tbz and tbnz, in words. */
static inline int64_t aarch64_condition_distance(uint32_t word) {
    return AARCH64_IS(word, TB) ? aarch64_signed_bits(word, 5, 14) : aarch64_signed_bits(word, 5, 19);
}
/* Of adr in bytes, of adrp in pages. */
static inline int64_t aarch64_address_distance(uint32_t word) {
    return aarch64_signed_bits(word, 5, 19) * 4 + aarch64_bits(word, 29, 2);
}
/* The constant of movz; of movn, before it is inverted. */
static inline uint64_t aarch64_wide_constant(uint32_t word) {
    return (uint64_t)aarch64_bits(word, 5, 16) << 16 * aarch64_bits(word, 21, 2);
}
/* The mask of and, orr, eor and ands with a constant: a run of ones, rotated, repeated. DecodeBitMasks() of
   the manual; 0 for words that are no instruction. */
static inline uint64_t aarch64_logical_constant(uint32_t word) {
    unsigned ones = aarch64_bits(word, 10, 6), rotate = aarch64_bits(word, 16, 6);
    unsigned n = aarch64_bits(word, 22, 1), kind = (n << 6) | (~ones & 0x3f);
    if (kind == 0)
        return 0;
    unsigned size = 1u << (31 - (unsigned)__builtin_clz(kind));
    unsigned run = (ones & (size - 1)) + 1, turn = rotate & (size - 1);
    uint64_t element = run == 64 ? UINT64_MAX : (UINT64_C(1) << run) - 1;
    uint64_t all = size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1;
    if (turn)
        element = (element >> turn | element << (size - turn)) & all;
    for (; size < 64; size *= 2)
        element |= element << size;
    return aarch64_is_wide(word) ? element : element & UINT32_MAX;
}

/* ---- accesses: ACCESS, ACCESS_NEAR, ACCESS_INDEX, ATOMIC, LOAD_LITERAL, PAIR ---- */

static inline int aarch64_is_vector_access(uint32_t word) {
    return (int)aarch64_bits(word, 26, 1);
}
/* log2 of the bytes of a single access, 0 to 4. */
static inline unsigned aarch64_access_scale(uint32_t word) {
    unsigned size = aarch64_bits(word, 30, 2);
    return aarch64_is_vector_access(word) && aarch64_bits(word, 23, 1) ? 4 : size;
}
/* The same for one register of a pair. */
static inline unsigned aarch64_pair_scale(uint32_t word) {
    unsigned kind = aarch64_bits(word, 30, 2);
    return aarch64_is_vector_access(word) ? 2 + kind : kind & 2 ? 3 : 2;
}
static inline int aarch64_loads(uint32_t word) { /* a single access or a pair; prefetches are included */
    return AARCH64_IS(word, PAIR)           ? (int)aarch64_bits(word, 22, 1)
           : aarch64_is_vector_access(word) ? (int)aarch64_bits(word, 22, 1)
                                            : aarch64_bits(word, 22, 2) != 0;
}

/* ---- transfers that authenticate their target: SIGNED ---- */

static inline unsigned aarch64_signed_target(uint32_t word) {
    return AARCH64_IS(word, RET_SIGNED) ? 30 : aarch64_rn(word);
}
static inline int aarch64_signed_by_key_b(uint32_t word) { /* also of AUTHENTICATE */
    return (int)aarch64_bits(word, 10, 1);
}
/* What it was signed with, besides the key: 0, or a register, of which 31 is the stack pointer. */
static inline int aarch64_has_modifier(uint32_t word) {
    return AARCH64_IS(word, RET_SIGNED) || aarch64_bits(word, 24, 1);
}
static inline unsigned aarch64_modifier(uint32_t word) {
    return AARCH64_IS(word, RET_SIGNED) ? AARCH64_FIELD_ALL_ONES : aarch64_rd(word);
}
static inline int aarch64_signed_links(uint32_t word) {
    return (int)aarch64_bits(word, 21, 1);
}
/* The same without its link. */
static inline uint32_t aarch64_signed_jump(uint32_t word) {
    return word & ~(UINT32_C(1) << 21);
}
/* autia to, with that transfer's key and modifier. */
static inline uint32_t aarch64_authenticate(unsigned to, uint32_t word) {
    uint32_t modifier = aarch64_has_modifier(word) ? aarch64_modifier(word) << 5
                                                   : UINT32_C(0x2000) | AARCH64_FIELD_ALL_ONES << 5;
    return UINT32_C(0xdac11000) | (uint32_t)aarch64_signed_by_key_b(word) << 10 | modifier | to;
}

/* ---- words ---- */

/* movz xzr, #number: it changes nothing. */
#define AARCH64_MOVZ_NOTHING(number) (UINT32_C(0xd280001f) | (uint32_t)(number) << 5)
#define AARCH64_B_NEXT               UINT32_C(0x14000001) /* b to the next word */
/* mov x8, #139; svc #0: the kernel's trampoline, to which handlers of signals return; in memory. */
#define AARCH64_TRAMPOLINE UINT64_C(0xd4000001d2801168)

/* mov x, x: orr x, xzr, x; both may be xzr. */
static inline int aarch64_is_move(uint32_t word) {
    return (word & UINT32_C(0xffe0ffe0)) == UINT32_C(0xaa0003e0);
}
/* ldr w, [x], both of that number. */
static inline uint32_t aarch64_ldr_word(unsigned reg) {
    return UINT32_C(0xb9400000) | (uint32_t)reg << 5 | reg;
}
/* Loads and stores of structures of vectors and of SVE; system instructions, such as dc zva. */
static inline int aarch64_is_other_access(uint32_t word) {
    return (word & UINT32_C(0xbe000000)) == UINT32_C(0x0c000000) ||
           (word & UINT32_C(0x9e000000)) == UINT32_C(0x84000000) || AARCH64_IS(word, SYSTEM);
}

#define AARCH64_SVC UINT32_C(0xd4000001) /* svc #0 */
#define AARCH64_NOP UINT32_C(0xd503201f)
#define AARCH64_ISB UINT32_C(0xd5033fdf)

static inline uint32_t aarch64_b(int64_t words) {
    return UINT32_C(0x14000000) | ((uint32_t)words & 0x3ffffff);
}
static inline uint32_t aarch64_br(unsigned reg) {
    return UINT32_C(0xd61f0000) | (uint32_t)reg << 5;
}
static inline uint32_t aarch64_blr(unsigned reg) {
    return UINT32_C(0xd63f0000) | (uint32_t)reg << 5;
}
static inline uint32_t aarch64_movz(unsigned reg, unsigned value, unsigned shift) {
    return UINT32_C(0xd2800000) | (uint32_t)(shift / 16) << 21 | (uint32_t)(value & 0xffff) << 5 | reg;
}
static inline uint32_t aarch64_movk(unsigned reg, unsigned value, unsigned shift) {
    return UINT32_C(0xf2800000) | (uint32_t)(shift / 16) << 21 | (uint32_t)(value & 0xffff) << 5 | reg;
}
/* add to, from, #value, or sub; 31 is the stack pointer. */
static inline uint32_t aarch64_add(unsigned to, unsigned from, int value) {
    return (value < 0 ? UINT32_C(0xd1000000) : UINT32_C(0x91000000)) |
           (uint32_t)(value < 0 ? -value : value) << 10 | (uint32_t)from << 5 | to;
}
/* 8 bytes at a multiple of 8 from the base. */
static inline uint32_t aarch64_str(unsigned reg, unsigned base, unsigned displacement) {
    return UINT32_C(0xf9000000) | displacement / 8 << 10 | (uint32_t)base << 5 | reg;
}
static inline uint32_t aarch64_ldr(unsigned reg, unsigned base, unsigned displacement) {
    return UINT32_C(0xf9400000) | displacement / 8 << 10 | (uint32_t)base << 5 | reg;
}
static inline uint32_t aarch64_cb(int is_nonzero, unsigned reg, int64_t words) {
    return (is_nonzero ? UINT32_C(0xb5000000) : UINT32_C(0xb4000000)) | ((uint32_t)words & 0x7ffff) << 5 |
           reg;
}
static inline uint32_t aarch64_tb(int is_nonzero, unsigned reg, unsigned bit, int64_t words) {
    return (is_nonzero ? UINT32_C(0x37000000) : UINT32_C(0x36000000)) | (uint32_t)(bit >> 5) << 31 |
           (uint32_t)(bit & 31) << 19 | ((uint32_t)words & 0x3fff) << 5 | reg;
}

#endif
