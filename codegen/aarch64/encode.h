/* encode.h: words of the AArch64 instructions that inserted code consists of. Of the base architecture,
   armv8.0. Registers are numbered as in register sets. Requires constants in range. Source: Arm Architecture
   Reference Manual, DDI 0487 (A-profile), part C4. */
#ifndef ATOMC_AARCH64_ENCODE_H
#define ATOMC_AARCH64_ENCODE_H

#include <assert.h>

#include "codegen/aarch64/aarch64.h"

/* The number in a field: REGISTER_NONE and the register that is always 0 are 31, and so is the stack pointer,
   in other instructions. */
static inline uint32_t encoded_register(unsigned reg) {
    bool is_31 = reg == REGISTER_NONE || reg == AARCH64_ZERO || reg == AARCH64_STACK;
    assert(is_31 || (reg < 64 && reg != AARCH64_FLAGS));
    return is_31 ? AARCH64_FIELD_31 : reg & 31;
}

static inline bool is_vector_register(unsigned reg) {
    return reg >= 32 && reg < 64;
}

/* Fields of most instructions: Rd or Rt, Rn, Rm. */
static inline uint32_t with_registers(uint32_t word, unsigned d, unsigned n, unsigned m) {
    return word | encoded_register(m) << 16 | encoded_register(n) << 5 | encoded_register(d);
}

/* Without Rm. */
static inline uint32_t with_two_registers(uint32_t word, unsigned d, unsigned n) {
    return word | encoded_register(n) << 5 | encoded_register(d);
}

/* add d, n, #amount; the amount is from -4095 to 4095, or a multiple of 4096 below 2^24. */
static inline bool fits_addition(int64_t amount) {
    int64_t size = amount < 0 ? -amount : amount;
    return size < 4096 || (size % 4096 == 0 && size < 1 << 24);
}
static inline uint32_t word_of_addition(unsigned d, unsigned n, int64_t amount) {
    const uint32_t add = 0x91000000, subtract = 0xd1000000, shifted = 1 << 22;
    uint32_t size = (uint32_t)(amount < 0 ? -amount : amount);
    assert(fits_addition(amount));
    uint32_t constant = size < 4096 ? size << 10 : shifted | size >> 12 << 10;
    return with_two_registers((amount < 0 ? subtract : add) | constant, d, n);
}

/* d = a part of 16 bits, shifted left by 16 * part; movz: the other bits become 0, movn: 1, and all bits of
   the part are inverted; movk: they remain. */
enum { ENCODED_MOVZ = (int)0xd2800000, ENCODED_MOVN = (int)0x92800000, ENCODED_MOVK = (int)0xf2800000 };
static inline uint32_t word_of_part(int kind, unsigned d, unsigned part, uint16_t bits) {
    return (uint32_t)kind | part << 21 | (uint32_t)bits << 5 | encoded_register(d);
}

/* adrp d, the page of an address, from an instruction at another address. */
static inline uint32_t word_of_page(unsigned d, uint64_t from, uint64_t address) {
    uint32_t pages = (uint32_t)((address >> 12) - (from >> 12));
    return UINT32_C(0x90000000) | (pages & 3) << 29 | (pages >> 2 & 0x7ffff) << 5 | encoded_register(d);
}

/* Loads and stores of 1, 2, 4 or 8 bytes: by bits 31:30 the size, by bit 26 vector registers, and by bits
   23:22 what happens. The displacement is a multiple of the size below 4096 times it, or from -256 to 255. */
enum access { ACCESS_STORE, ACCESS_LOAD, ACCESS_LOAD_SIGNED };
static inline bool fits_access(unsigned size, int displacement) {
    bool scaled = displacement >= 0 && displacement % (int)size == 0 && displacement / (int)size < 4096;
    return scaled || (displacement >= -256 && displacement < 256);
}
static inline uint32_t word_of_access(enum access access, unsigned size, unsigned reg, unsigned base,
                                      int displacement) {
    const uint32_t by_bytes = 0x38000000, scaled = 1 << 24, vector = 1 << 26;
    unsigned shift = (unsigned)__builtin_ctz(size);
    assert(fits_access(size, displacement) && reg != AARCH64_STACK);
    uint32_t word = by_bytes | (uint32_t)shift << 30 | (uint32_t)access << 22;
    if (is_vector_register(reg))
        word |= vector;
    if (displacement >= 0 && displacement % (int)size == 0)
        word |= scaled | (uint32_t)displacement >> shift << 10;
    else
        word |= ((uint32_t)displacement & 0x1ff) << 12;
    return with_two_registers(word, reg, base);
}

/* d = a - n * m. */
static inline uint32_t word_of_multiplied_difference(unsigned d, unsigned a, unsigned n, unsigned m) {
    const uint32_t msub = 0x9b008000;
    return with_registers(msub, d, n, m) | encoded_register(a) << 10;
}

/* d = 1 if the condition of the flags holds, else 0; by bits 3:0 of b.cond, and not `always`. */
static inline uint32_t word_of_condition(unsigned d, unsigned condition) {
    const uint32_t csinc_of_zeros = 0x9a9f07e0;
    assert(condition < 14);
    return csinc_of_zeros | (condition ^ 1) << 12 | encoded_register(d);
}

/* d = the field of n from bit `first` on, with zeros or with its sign above; and n shifted left. */
static inline uint32_t word_of_field(unsigned d, unsigned n, unsigned first, unsigned bits, bool is_signed) {
    const uint32_t unsigned_field = 0xd3400000, signed_field = 0x93400000;
    return with_two_registers(
        (is_signed ? signed_field : unsigned_field) | first << 16 | (first + bits - 1) << 10, d, n);
}
static inline uint32_t word_of_left_shift(unsigned d, unsigned n, unsigned shift) {
    const uint32_t unsigned_field = 0xd3400000;
    return with_two_registers(unsigned_field | ((64 - shift) & 63) << 16 | (63 - shift) << 10, d, n);
}

/* eor d, n, #(ones consecutive bits from bit `first` on). */
static inline uint32_t word_of_flip(unsigned d, unsigned n, unsigned first, unsigned ones) {
    return with_two_registers(UINT32_C(0xd2400000) | ((64 - first) & 63) << 16 | (ones - 1) << 10, d, n);
}

/* orr d, xzr, #(ones consecutive bits from bit `first` on); d may be the stack pointer. */
static inline uint32_t word_of_ones(unsigned d, unsigned first, unsigned ones) {
    return with_two_registers(UINT32_C(0xb2400000) | ((64 - first) & 63) << 16 | (ones - 1) << 10, d,
                              AARCH64_ZERO);
}

/* True for a store of 8 bytes of an integer register, as word_of_access() makes it. */
static inline bool is_store_of_8(uint32_t word) {
    const uint32_t kind = 0xfec00000, stores = 0xf8000000;
    return (word & kind) == stores;
}

static inline bool is_locked_store_of_8(uint32_t word) {
    const uint32_t kind = 0xffe0fc00, stores = 0xc8007c00;
    return (word & kind) == stores;
}

/* ldr and ldrsw of a literal, as a load from a base. */
static inline uint32_t word_of_literal_at(uint32_t word, unsigned base) {
    const uint32_t load_16_bytes = 0x3dc00000;
    const bool is_vector = aarch64_bits(word, 26, 1);
    unsigned kind = aarch64_bits(word, 30, 2), number = aarch64_bits(word, 0, 5);
    unsigned reg = is_vector ? FLOAT_REGISTER(number) : number == AARCH64_FIELD_31 ? AARCH64_ZERO : number;
    if (is_vector)
        return kind == 2 ? with_two_registers(load_16_bytes, reg, base)
                         : word_of_access(ACCESS_LOAD, kind == 0 ? 4 : 8, reg, base, 0);
    return word_of_access(kind == 2 ? ACCESS_LOAD_SIGNED : ACCESS_LOAD, kind == 1 ? 8 : 4, reg, base, 0);
}

/* Branches, by their displacement in words. */
enum {
    ENCODED_B = 0x14000000,
    ENCODED_BL = (int)0x94000000,
    ENCODED_CBZ = (int)0xb4000000,
    ENCODED_CBNZ = (int)0xb5000000,
    ENCODED_TBZ = 0x36000000,
    ENCODED_TBNZ = 0x37000000,
    ENCODED_BR = (int)0xd61f0000,
    ENCODED_BLR = (int)0xd63f0000,
    ENCODED_RET = (int)0xd65f0000,
};
enum {
    ENCODED_ADD = (int)0x8b000000,          /* of registers, as the next */
    ENCODED_ORR = (int)0xaa000000,          /* a move, if n is 0 */
    ENCODED_ORR_VECTOR = 0x4ea01c00,        /* of 16 bytes */
    ENCODED_FMOV_INTEGER = (int)0x9e670000, /* from an integer register */
    ENCODED_PUSH = (int)0xf81f0c00,         /* str, with the base lowered by 16 first */
    ENCODED_POP = (int)0xf8410400,          /* ldr, with the base raised by 16 afterwards */
    ENCODED_LOAD_LOCKED = (int)0xc85f7c00,  /* ldxr, of 8 bytes */
    ENCODED_STORE_LOCKED = (int)0xc8007c00, /* stxr, of 8 bytes: the third register is 0 if it has stored */
    ENCODED_READ_FLAGS = (int)0xd53b4200,   /* mrs, of nzcv; and msr */
    ENCODED_SET_FLAGS = (int)0xd51b4200,
    ENCODED_COMPARE = (int)0xeb000000, /* subs */
    ENCODED_DIVIDE = (int)0x9ac00c00,  /* signed */
    ENCODED_CLZ = (int)0xdac01000,     /* and of 32 bits */
    ENCODED_CLZ_32 = 0x5ac01000,
    ENCODED_NOP = (int)0xd503201f,
    ENCODED_READ_THREAD = (int)0xd53bd040, /* mrs, of tpidr_el0; and msr */
    ENCODED_SET_THREAD = (int)0xd51bd040,
    ENCODED_READ_CYCLES = (int)0xd53be040, /* of cntvct_el0 */
};
/* A displacement's field, in words from the branch itself. */
struct branch_field {
    unsigned shift, width;
};

static inline bool is_test_of_bit(uint32_t word) {
    return (word & 0x7e000000) == 0x36000000; /* tbz, tbnz */
}

static inline bool is_test_of_zero(uint32_t word) {
    return (word & 0x7e000000) == 0x34000000; /* cbz, cbnz */
}

static inline bool is_by_flags(uint32_t word) {
    return (word & 0xff000010) == 0x54000000; /* b.cond */
}

/* ldr w, from a word that is aimed at like the target of a branch. */
static inline uint32_t word_of_literal_load(unsigned t) {
    return UINT32_C(0x18000000) | encoded_register(t);
}
static inline bool is_literal_load(uint32_t word) {
    return (word & 0xff000000) == 0x18000000;
}

static inline struct branch_field branch_field_of(uint32_t word) {
    if (is_test_of_bit(word))
        return (struct branch_field){5, 14};
    if (is_test_of_zero(word) || is_by_flags(word) || is_literal_load(word))
        return (struct branch_field){5, 19};
    return (struct branch_field){0, 26};
}

static inline bool fits_field(struct branch_field field, int64_t words) {
    int64_t most = INT64_C(1) << (field.width - 1);
    return words >= -most && words < most;
}

static inline uint32_t with_field(uint32_t word, struct branch_field field, int64_t words) {
    uint32_t mask = ((UINT32_C(1) << field.width) - 1) << field.shift;
    return (word & ~mask) | ((uint32_t)words << field.shift & mask);
}

/* The conditional branch that is taken if this one is not. */
static inline uint32_t opposite_branch(uint32_t word) {
    const uint32_t nonzero = 1 << 24;
    bool is_always = is_by_flags(word) && aarch64_bits(word, 1, 3) == 7;
    assert(!is_always);
    return word ^ (is_by_flags(word) ? 1 : nonzero);
}

/* Tests a bit of a register. */
static inline uint32_t word_of_bit_test(int kind, unsigned reg, unsigned bit) {
    return (uint32_t)kind | (bit >> 5) << 31 | (bit & 31) << 19 | encoded_register(reg);
}

/* The instruction that computes an operator of two registers; 0: there is none. INDEX_4 and INDEX_8 have the
   scaled register second. */
static inline uint32_t encoded_operator(enum integer_operator operation) {
    switch (operation) {
    case OPERATOR_ADD:
        return UINT32_C(0x8b000000);
    case OPERATOR_SUBTRACT:
        return UINT32_C(0xcb000000);
    case OPERATOR_MULTIPLY:
        return UINT32_C(0x9b007c00);
    case OPERATOR_MULTIPLY_HIGH:
        return UINT32_C(0x9bc07c00);
    case OPERATOR_INDEX_4:
        return UINT32_C(0x8b000800);
    case OPERATOR_INDEX_8:
        return UINT32_C(0x8b000c00);
    case OPERATOR_AND:
        return UINT32_C(0x8a000000);
    case OPERATOR_AND_NOT:
        return UINT32_C(0x8a200000);
    case OPERATOR_OR:
        return UINT32_C(0xaa000000);
    case OPERATOR_OR_NOT:
        return UINT32_C(0xaa200000);
    case OPERATOR_XOR:
        return UINT32_C(0xca000000);
    case OPERATOR_XOR_NOT:
        return UINT32_C(0xca200000);
    case OPERATOR_SHIFT_LEFT:
        return UINT32_C(0x9ac02000);
    case OPERATOR_SHIFT_RIGHT:
        return UINT32_C(0x9ac02400);
    case OPERATOR_SHIFT_RIGHT_SIGNED:
        return UINT32_C(0x9ac02800);
    default:
        return 0;
    }
}

/* The condition of the flags, after a comparison, of an operator that compares; 14: it compares otherwise. */
static inline unsigned encoded_comparison(enum integer_operator operation) {
    switch (operation) {
    case OPERATOR_LESS:
        return 11;
    case OPERATOR_LESS_EQUAL:
        return 13;
    case OPERATOR_BELOW:
        return 3;
    case OPERATOR_BELOW_EQUAL:
        return 9;
    default:
        return 14;
    }
}

#endif
