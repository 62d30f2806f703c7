/* stepping.c: executes instructions of a context one by one: integer instructions, transfers, loads and
   stores of all registers, exclusive and atomic accesses. Semantics: Arm Architecture Reference Manual, DDI
   0487, C6 and C7. Compiled without floating-point registers. */
#include <stddef.h>

#include "runtime/kernel/kernel.h"
#include "runtime/machine/aarch64/offsets.h"

#define OFFSET(member) offsetof(struct saved_context, member)
_Static_assert(sizeof(struct saved_context) == CONTEXT_BYTES && OFFSET(stack) == CONTEXT_STACK &&
                   OFFSET(registers) == CONTEXT_REGISTERS && OFFSET(pc) == CONTEXT_PC &&
                   OFFSET(ps) == CONTEXT_STATE && OFFSET(floating) == CONTEXT_FLOATING &&
                   OFFSET(records) == CONTEXT_RECORDS && OFFSET(mask) == CONTEXT_MASK,
               "entry.S stores there");
_Static_assert(sizeof((struct saved_context *)0)->floating == FLOATING_BYTES &&
                   NO_STACK_CHANGE == STACK_UNCHANGED && FRAME_UCONTEXT == SIGINFO_ROOM,
               "entry.S stores them");

/* ---- registers and flags ---------------------------------------------------------------------------------- */

enum { ZERO = AARCH64_FIELD_ALL_ONES };

/* A register by its field, where 31 is xzr; where 31 is sp, registers[field] is right. */
static uint64_t value_of(const struct saved_context *context, unsigned field) {
    return field == ZERO ? 0 : (uint64_t)context->registers[field];
}

static uint64_t at_width(uint32_t word, uint64_t value) {
    return aarch64_is_wide(word) ? value : (uint32_t)value;
}

static void set_value(struct saved_context *context, unsigned field, uint64_t value) {
    if (field != ZERO)
        context->registers[field] = (long)value;
}

/* Bits of the state: N, Z, C, V. */
enum { STATE_SHIFT = 28, NEGATIVE = 8, IS_ZERO = 4, CARRY = 2, OVERFLOW = 1 };

static unsigned flags_of(const struct saved_context *context) {
    return (unsigned)((unsigned long)context->ps >> STATE_SHIFT) & 15;
}

static void set_condition_flags(struct saved_context *context, unsigned flags) {
    context->ps =
        (long)(((unsigned long)context->ps & ~(15ul << STATE_SHIFT)) | (unsigned long)flags << STATE_SHIFT);
}

static int condition_is_true(unsigned flags, unsigned condition) {
    int n = (flags & NEGATIVE) != 0, z = (flags & IS_ZERO) != 0, c = (flags & CARRY) != 0,
        v = (flags & OVERFLOW) != 0;
    const int holds[] = {z, c, n, v, c && !z, n == v, n == v && !z, 1};
    return condition >> 1 == 7 ? 1 : holds[condition >> 1] != (int)(condition & 1);
}

/* a + b + carry, at the width of the word, with flags. */
static uint64_t add_with_flags(uint32_t word, uint64_t a, uint64_t b, unsigned carry, unsigned *flags) {
    unsigned top = aarch64_is_wide(word) ? 63 : 31;
    a = at_width(word, a);
    b = at_width(word, b);
    unsigned __int128 whole = (unsigned __int128)a + b + carry;
    uint64_t result = at_width(word, (uint64_t)whole);
    *flags = (result >> top & 1 ? NEGATIVE : 0) | (result == 0 ? IS_ZERO : 0) |
             (whole >> (top + 1) & 1 ? CARRY : 0) |
             ((a ^ result) & (b ^ result) & (1ul << top) ? OVERFLOW : 0);
    return result;
}

static unsigned logical_flags(uint32_t word, uint64_t result) {
    unsigned top = aarch64_is_wide(word) ? 63 : 31;
    return (result >> top & 1 ? NEGATIVE : 0) | (result == 0 ? IS_ZERO : 0);
}

/* ---- data of registers ------------------------------------------------------------------------------------ */

static uint64_t rotate_right(uint64_t value, unsigned amount, unsigned width) {
    return amount ? value >> amount | value << (width - amount) : value;
}

static int64_t signed_value(uint64_t value, unsigned width) {
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

static uint64_t shift(uint32_t word, uint64_t value, unsigned kind, unsigned amount) {
    unsigned width = aarch64_is_wide(word) ? 64 : 32;
    value = at_width(word, value);
    switch (kind) {
    case 0:
        return at_width(word, value << amount);
    case 1:
        return value >> amount;
    case 2:
        return at_width(word, (uint64_t)(signed_value(value, width) >> amount));
    default:
        return at_width(word, rotate_right(value, amount, width));
    }
}

/* As extended operands are: unsigned or signed, of 1 to 8 bytes, then to the left. */
static uint64_t extend(uint64_t value, unsigned kind, unsigned left) {
    unsigned width = 8u << (kind & 3);
    uint64_t low = width == 64 ? value : value & ((UINT64_C(1) << width) - 1);
    return (kind & 4 ? (uint64_t)signed_value(low, width) : low) << left;
}

/* add, adds, sub, subs, and comparisons. */
static void add_operands(struct saved_context *context, uint32_t word, uint64_t a, uint64_t b, int to_stack) {
    unsigned flags, subtracts = aarch64_bits(word, 30, 1), sets = aarch64_bits(word, 29, 1);
    uint64_t result = add_with_flags(word, a, subtracts ? ~b : b, subtracts, &flags);
    if (sets)
        set_condition_flags(context, flags);
    if (to_stack && !sets)
        context->registers[aarch64_rd(word)] = (long)result;
    else
        set_value(context, aarch64_rd(word), result);
}

static void combine(struct saved_context *context, uint32_t word, uint64_t b, int to_stack) {
    uint64_t a = value_of(context, aarch64_rn(word)), result;
    unsigned operation = aarch64_bits(word, 29, 2);
    result = operation == 1 ? a | b : operation == 2 ? a ^ b : a & b;
    result = at_width(word, result);
    if (operation == 3)
        set_condition_flags(context, logical_flags(word, result));
    if (to_stack && operation != 3)
        context->registers[aarch64_rd(word)] = (long)result;
    else
        set_value(context, aarch64_rd(word), result);
}

static void move_wide(struct saved_context *context, uint32_t word) {
    unsigned operation = aarch64_bits(word, 29, 2), left = 16 * aarch64_bits(word, 21, 2);
    uint64_t constant = aarch64_wide_constant(word), before = value_of(context, aarch64_rd(word));
    uint64_t value = operation == 0   ? ~constant
                     : operation == 2 ? constant
                                      : (before & ~(UINT64_C(0xffff) << left)) | constant;
    set_value(context, aarch64_rd(word), at_width(word, value));
}

/* sbfm, bfm, ubfm. */
static void move_field(struct saved_context *context, uint32_t word) {
    unsigned width = aarch64_is_wide(word) ? 64 : 32, rotate = aarch64_bits(word, 16, 6);
    unsigned last = aarch64_bits(word, 10, 6), operation = aarch64_bits(word, 29, 2);
    uint64_t source = at_width(word, value_of(context, aarch64_rn(word))), field, mask, result;
    unsigned count = last >= rotate ? last - rotate + 1 : last + 1, to = last >= rotate ? 0 : width - rotate;
    mask = (count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1) << to;
    field = (last >= rotate ? source >> rotate : source << to) & mask;
    result = field;
    if (operation == 0 && source >> last & 1) /* the sign is repeated above */
        result |= ~(mask | ((UINT64_C(1) << to) - 1));
    if (operation == 1)
        result |= value_of(context, aarch64_rd(word)) & ~mask;
    set_value(context, aarch64_rd(word), at_width(word, result));
}

static void extract_register(struct saved_context *context, uint32_t word) {
    unsigned width = aarch64_is_wide(word) ? 64 : 32, from = aarch64_bits(word, 10, 6);
    uint64_t high = at_width(word, value_of(context, aarch64_rn(word)));
    uint64_t low = at_width(word, value_of(context, aarch64_rm(word)));
    set_value(context, aarch64_rd(word), at_width(word, from ? low >> from | high << (width - from) : low));
}

static void add_with_carry(struct saved_context *context, uint32_t word) {
    unsigned flags, subtracts = aarch64_bits(word, 30, 1);
    uint64_t b = value_of(context, aarch64_rm(word));
    uint64_t result = add_with_flags(word, value_of(context, aarch64_rn(word)), subtracts ? ~b : b,
                                     (flags_of(context) & CARRY) != 0, &flags);
    if (aarch64_bits(word, 29, 1))
        set_condition_flags(context, flags);
    set_value(context, aarch64_rd(word), result);
}

static void compare_if(struct saved_context *context, uint32_t word) {
    unsigned flags = aarch64_bits(word, 0, 4), subtracts = aarch64_bits(word, 30, 1);
    uint64_t b = aarch64_bits(word, 11, 1) ? aarch64_rm(word) : value_of(context, aarch64_rm(word));
    if (condition_is_true(flags_of(context), aarch64_bits(word, 12, 4)))
        add_with_flags(word, value_of(context, aarch64_rn(word)), subtracts ? ~b : b, subtracts, &flags);
    set_condition_flags(context, flags);
}

static void select_value(struct saved_context *context, uint32_t word) {
    uint64_t b = value_of(context, aarch64_rm(word));
    unsigned inverts = aarch64_bits(word, 30, 1), adds = aarch64_bits(word, 10, 1);
    uint64_t other = (inverts ? ~b : b) + adds;
    int holds = condition_is_true(flags_of(context), aarch64_bits(word, 12, 4));
    set_value(context, aarch64_rd(word), at_width(word, holds ? value_of(context, aarch64_rn(word)) : other));
}

static int64_t divide_signed(int64_t a, int64_t b) {
    return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static int two_sources(struct saved_context *context, uint32_t word) {
    unsigned width = aarch64_is_wide(word) ? 64 : 32, operation = aarch64_bits(word, 10, 6);
    uint64_t a = at_width(word, value_of(context, aarch64_rn(word)));
    uint64_t b = at_width(word, value_of(context, aarch64_rm(word))), result;
    if (aarch64_bits(word, 29, 1))
        return 0;
    if (operation == 2)
        result = b ? a / b : 0;
    else if (operation == 3)
        result = (uint64_t)divide_signed(signed_value(a, width), signed_value(b, width));
    else if (operation >= 8 && operation <= 11)
        result = shift(word, a, operation & 3, (unsigned)b & (width - 1));
    else
        return 0;
    set_value(context, aarch64_rd(word), at_width(word, result));
    return 1;
}

/* The bits, or the groups of 8 << size bits, in the other order within each group of 8 << whole. */
static uint64_t reverse(uint64_t value, unsigned bits, unsigned whole) {
    uint64_t result = 0;
    for (unsigned at = 0; at < 64; at += bits) {
        unsigned base = at / whole * whole, to = base + whole - bits - (at - base);
        result |= (value >> at & (UINT64_MAX >> (64 - bits))) << to;
    }
    return result;
}

static int one_source(struct saved_context *context, uint32_t word) {
    unsigned width = aarch64_is_wide(word) ? 64 : 32, operation = aarch64_bits(word, 10, 6);
    uint64_t a = at_width(word, value_of(context, aarch64_rn(word))), result;
    switch (operation) {
    case 0: /* rbit */
        result = reverse(a, 1, width);
        break;
    case 1: /* rev16 */
        result = reverse(a, 8, 16);
        break;
    case 2: /* rev32; rev of w */
        result = reverse(a, 8, 32);
        break;
    case 3: /* rev */
        result = reverse(a, 8, 64);
        break;
    case 4: /* clz */
    case 5: /* cls */
        if (operation == 5)
            a = at_width(word, a ^ (uint64_t)(signed_value(a, width) >> 1)) & (UINT64_MAX >> (65 - width));
        result = (a ? (unsigned)__builtin_clzl(a) - (64 - width) : width) - (operation == 5);
        break;
    default:
        return 0;
    }
    set_value(context, aarch64_rd(word), at_width(word, result));
    return 1;
}

static int three_sources(struct saved_context *context, uint32_t word) {
    uint64_t n = value_of(context, aarch64_rn(word)), m = value_of(context, aarch64_rm(word));
    uint64_t a = value_of(context, aarch64_rt2(word)), product, result;
    unsigned operation = aarch64_bits(word, 21, 3), subtracts = aarch64_bits(word, 15, 1);
    switch (operation) {
    case 0: /* madd, msub */
        product = n * m;
        break;
    case 1: /* smaddl */
        product = (uint64_t)((int64_t)(int32_t)n * (int32_t)m);
        break;
    case 5: /* umaddl */
        product = (uint64_t)(uint32_t)n * (uint32_t)m;
        break;
    case 2: /* smulh */
        set_value(context, aarch64_rd(word), (uint64_t)(((__int128)(int64_t)n * (int64_t)m) >> 64));
        return 1;
    case 6: /* umulh */
        set_value(context, aarch64_rd(word), (uint64_t)(((unsigned __int128)n * m) >> 64));
        return 1;
    default:
        return 0;
    }
    result = subtracts ? a - product : a + product;
    set_value(context, aarch64_rd(word), at_width(word, result));
    return 1;
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

/* 1, 2, 4 or 8 bytes, at any address. Returns false if they cannot be read. */
static int load_bytes(unsigned long address, unsigned size, uint64_t *value) {
    long low, high = 0;
    unsigned offset = address & 7;
    address = atomc_upcalls.spilled_at(address);
    if (!atomc_try_load(address & ~7UL, &low) ||
        (offset + size > 8 && !atomc_try_load((address & ~7UL) + 8, &high)))
        return 0;
    *value = (uint64_t)low >> 8 * offset;
    if (offset + size > 8)
        *value |= (uint64_t)high << 8 * (8 - offset);
    if (size < 8)
        *value &= (UINT64_C(1) << 8 * size) - 1;
    return 1;
}

static int store_bytes(unsigned long address, unsigned size, uint64_t value) {
    return atomc_try_store((long)atomc_upcalls.spilled_at(address), (long)value, size);
}

/* Loads or stores a register of 1 << scale bytes. `kind`: 0 stores, 1 loads, 2 loads with the sign into 64
   bits, 3 into 32 bits. */
static int access_integer(struct saved_context *context, unsigned long address, unsigned scale, unsigned kind,
                          unsigned reg) {
    uint64_t value;
    if (kind == 0)
        return store_bytes(address, 1u << scale, value_of(context, reg));
    if (!load_bytes(address, 1u << scale, &value))
        return 0;
    if (kind >= 2)
        value = (uint64_t)signed_value(value, 8u << scale);
    set_value(context, reg, kind == 3 ? (uint32_t)value : value);
    return 1;
}

/* The record of the long vectors, if the context has one, gets the vector as well, with zeros above it. */
static void set_long_vector(struct saved_context *context, unsigned reg, const struct atomc_vector *vector) {
    struct record {
        uint32_t magic, size;
        uint16_t length; /* bytes of a vector */
    } * record;
    for (unsigned at = 0; at + 16 <= sizeof context->records; at += record->size) {
        record = (struct record *)(context->records + at);
        if (record->magic == 0 || record->size < 16)
            return;
        if (record->magic != (SCALABLE_MAGIC_HIGH << 16 | SCALABLE_MAGIC_LOW))
            continue;
        unsigned long words = record->length / 8, first = at + 16 + reg * words * 8;
        if (record->size < 16 + 32 * words * 8 || first + words * 8 > sizeof context->records)
            return;
        uint64_t *to = (uint64_t *)(context->records + first);
        for (unsigned long i = 0; i < words; i++)
            to[i] = i == 0 ? vector->low : i == 1 ? vector->high : 0;
        return;
    }
}

static int access_vector(struct saved_context *context, unsigned long address, unsigned scale, int loads,
                         unsigned reg) {
    struct atomc_vector *vector = &context->floating.vectors[reg], loaded = {0, 0};
    unsigned size = scale == 4 ? 8 : 1u << scale;
    if (!loads)
        return store_bytes(address, size, vector->low) &&
               (scale < 4 || store_bytes(address + 8, 8, vector->high));
    if (!load_bytes(address, size, &loaded.low) || (scale == 4 && !load_bytes(address + 8, 8, &loaded.high)))
        return 0;
    *vector = loaded;
    set_long_vector(context, reg, vector);
    return 1;
}

/* A single access at that address; prefetches do nothing. */
static int access_single(struct saved_context *context, uint32_t word, unsigned long address) {
    unsigned scale = aarch64_access_scale(word), kind = aarch64_bits(word, 22, 2);
    if (aarch64_is_vector_access(word))
        return access_vector(context, address, scale, kind & 1, aarch64_rd(word));
    if (scale == 3 && kind == 2)
        return 1;
    return access_integer(context, address, scale, kind, aarch64_rd(word));
}

static int access_near(struct saved_context *context, uint32_t word) {
    unsigned mode = aarch64_bits(word, 10, 2), base = aarch64_rn(word);
    long distance = aarch64_signed_bits(word, 12, 9);
    unsigned long address = (unsigned long)context->registers[base],
                  moved = address + (unsigned long)distance;
    if (!access_single(context, word, mode == 1 ? address : moved))
        return 0;
    if (mode == 1 || mode == 3)
        context->registers[base] = (long)moved;
    return 1;
}

static int access_index(struct saved_context *context, uint32_t word) {
    unsigned kind = aarch64_bits(word, 13, 3), left = aarch64_bits(word, 12, 1);
    uint64_t index = extend(value_of(context, aarch64_rm(word)), kind, left ? aarch64_access_scale(word) : 0);
    return access_single(context, word, (unsigned long)context->registers[aarch64_rn(word)] + index);
}

static int access_literal(struct saved_context *context, uint32_t word) {
    unsigned kind = aarch64_bits(word, 30, 2);
    unsigned long address = (unsigned long)context->pc + 4 * (unsigned long)aarch64_signed_bits(word, 5, 19);
    if (aarch64_is_vector_access(word))
        return kind < 3 && access_vector(context, address, 2 + kind, 1, aarch64_rd(word));
    return kind == 3 ||
           access_integer(context, address, kind == 1 ? 3 : 2, kind == 2 ? 2 : 1, aarch64_rd(word));
}

/* A pair: both registers are loaded, or none. */
static int access_pair(struct saved_context *context, uint32_t word) {
    if (!aarch64_is_vector_access(word) && aarch64_bits(word, 30, 2) % 2 && !aarch64_loads(word)) /* stgp */
        return 0;
    unsigned scale = aarch64_pair_scale(word), base = aarch64_rn(word), mode = aarch64_bits(word, 23, 2);
    long distance = aarch64_signed_bits(word, 15, 7) * (1L << scale);
    unsigned long address = (unsigned long)context->registers[base],
                  moved = address + (unsigned long)distance;
    unsigned long at = mode == 1 ? address : moved;
    struct saved_context *c = context;
    int loads = aarch64_loads(word), done;
    if (aarch64_is_vector_access(word)) {
        struct atomc_vector before = c->floating.vectors[aarch64_rd(word)];
        done = access_vector(c, at, scale, loads, aarch64_rd(word));
        if (done && !access_vector(c, at + (1ul << scale), scale, loads, aarch64_rt2(word))) {
            c->floating.vectors[aarch64_rd(word)] = before;
            set_long_vector(c, aarch64_rd(word), &before);
            return 0;
        }
    } else {
        unsigned kind = !loads ? 0 : aarch64_bits(word, 30, 2) == 1 ? 2 : 1;
        uint64_t before = value_of(c, aarch64_rd(word)), second;
        if (loads && !load_bytes(at + (1ul << scale), 1u << scale, &second)) /* the base may be loaded */
            return 0;
        done = access_integer(c, at, scale, kind, aarch64_rd(word));
        if (done && !access_integer(c, at + (1ul << scale), scale, kind, aarch64_rt2(word))) {
            set_value(c, aarch64_rd(word), before);
            return 0;
        }
    }
    if (done && mode & 1)
        context->registers[base] = (long)moved;
    return done;
}

/* ---- exclusive and atomic accesses -------------------------------------------------------------------------- */

/* Stores a value if the old one is unchanged. The address is a multiple of the size. */
static int replace(unsigned long address, unsigned scale, uint64_t before, uint64_t after) {
    switch (scale) {
    case 0:
        return __sync_bool_compare_and_swap((uint8_t *)address, (uint8_t)before, (uint8_t)after);
    case 1:
        return __sync_bool_compare_and_swap((uint16_t *)address, (uint16_t)before, (uint16_t)after);
    case 2:
        return __sync_bool_compare_and_swap((uint32_t *)address, (uint32_t)before, (uint32_t)after);
    default:
        return __sync_bool_compare_and_swap((uint64_t *)address, before, after);
    }
}

static int is_at_multiple(unsigned long address, unsigned scale) {
    return !(address & ((1ul << scale) - 1));
}

/* No other thread's store may intervene: the value must be unchanged. */
static int store_exclusive(struct atomc_stepper *stepper, uint32_t word, unsigned long address,
                           unsigned scale) {
    struct saved_context *context = stepper->context;
    int stored = stepper->locked == address && address &&
                 replace(address, scale, stepper->locked_value, value_of(context, aarch64_rd(word)));
    stepper->locked = 0;
    set_value(context, aarch64_rm(word), !stored);
    return 1;
}

static int load_exclusive(struct atomc_stepper *stepper, uint32_t word, unsigned long address,
                          unsigned scale) {
    uint64_t value;
    if (!load_bytes(address, 1u << scale, &value))
        return 0;
    stepper->locked = address;
    stepper->locked_value = value;
    set_value(stepper->context, aarch64_rd(word), value);
    return 1;
}

static int compare_and_swap(struct saved_context *context, uint32_t word, unsigned long address,
                            unsigned scale) {
    uint64_t now, wanted = value_of(context, aarch64_rm(word)), mask = UINT64_MAX >> (64 - (8u << scale));
    do {
        if (!load_bytes(address, 1u << scale, &now))
            return 0;
    } while (now == (wanted & mask) && !replace(address, scale, now, value_of(context, aarch64_rd(word))));
    set_value(context, aarch64_rm(word), now);
    return 1;
}

/* ldxr, stxr, ldar, stlr, cas; not those of pairs. */
static int access_exclusive(struct atomc_stepper *stepper, uint32_t word) {
    struct saved_context *context = stepper->context;
    unsigned scale = aarch64_bits(word, 30, 2), is_pair = aarch64_bits(word, 21, 1);
    unsigned long address = (unsigned long)context->registers[aarch64_rn(word)];
    int is_ordered = (int)aarch64_bits(word, 23, 1), loads = (int)aarch64_bits(word, 22, 1);
    if (!is_at_multiple(address, scale) || (is_pair && !is_ordered))
        return 0;
    if (is_pair)
        return compare_and_swap(context, word, address, scale);
    if (!is_ordered)
        return loads ? load_exclusive(stepper, word, address, scale)
                     : store_exclusive(stepper, word, address, scale);
    __sync_synchronize();
    int done = access_integer(context, address, scale, (unsigned)loads, aarch64_rd(word));
    __sync_synchronize();
    return done;
}

static uint64_t updated(unsigned operation, unsigned width, uint64_t old, uint64_t operand) {
    int64_t a = signed_value(old, width), b = signed_value(operand, width);
    operand &= UINT64_MAX >> (64 - width);
    switch (operation) {
    case 0:
        return old + operand;
    case 1:
        return old & ~operand;
    case 2:
        return old ^ operand;
    case 3:
        return old | operand;
    case 4:
        return (uint64_t)(a > b ? a : b);
    case 5:
        return (uint64_t)(a < b ? a : b);
    case 6:
        return old > operand ? old : operand;
    default:
        return old < operand ? old : operand;
    }
}

/* ldadd and its like, swp, ldapr. */
static int access_atomic(struct saved_context *context, uint32_t word) {
    unsigned scale = aarch64_bits(word, 30, 2), operation = aarch64_bits(word, 12, 4);
    unsigned long address = (unsigned long)context->registers[aarch64_rn(word)];
    uint64_t old, operand = value_of(context, aarch64_rm(word));
    int only_loads = operation == 12;
    if (aarch64_is_vector_access(word) || !is_at_multiple(address, scale) || (operation > 8 && !only_loads))
        return 0;
    do {
        if (!load_bytes(address, 1u << scale, &old))
            return 0;
    } while (!only_loads &&
             !replace(address, scale, old,
                      operation == 8 ? operand : updated(operation, 8u << scale, old, operand)));
    set_value(context, aarch64_rd(word), old);
    return 1;
}

/* ---- the system ----------------------------------------------------------------------------------------------- */

/* The fields op0 to op2 of mrs and msr. */
enum {
    SYSTEM_NZCV = 0xda10,
    SYSTEM_FPCR = 0xda20,
    SYSTEM_FPSR = 0xda21,
    SYSTEM_TPIDR = 0xde82,
    SYSTEM_CNTVCT = 0xdf02
};

static int read_system(struct saved_context *context, uint32_t word) {
    uint64_t value;
    switch (aarch64_bits(word, 5, 16)) {
    case SYSTEM_NZCV:
        value = (uint64_t)flags_of(context) << STATE_SHIFT;
        break;
    case SYSTEM_FPCR:
        value = context->floating.control;
        break;
    case SYSTEM_FPSR:
        value = context->floating.status;
        break;
    case SYSTEM_TPIDR:
        value = (uint64_t)thread_pointer();
        break;
    case SYSTEM_CNTVCT:
        value = (uint64_t)cycle_counter();
        break;
    default:
        return 0;
    }
    set_value(context, aarch64_rd(word), value);
    return 1;
}

static int write_system(struct saved_context *context, uint32_t word) {
    uint64_t value = value_of(context, aarch64_rd(word));
    switch (aarch64_bits(word, 5, 16)) {
    case SYSTEM_NZCV:
        set_condition_flags(context, (unsigned)(value >> STATE_SHIFT) & 15);
        return 1;
    case SYSTEM_FPCR:
        context->floating.control = (uint32_t)value;
        return 1;
    case SYSTEM_FPSR:
        context->floating.status = (uint32_t)value;
        return 1;
    case SYSTEM_TPIDR:
        set_thread_pointer((long)value);
        return 1;
    default:
        return 0;
    }
}

/* ---- one instruction ------------------------------------------------------------------------------------------- */

/* autia, autib, autiza, autizb. */
static void authenticate_register(struct saved_context *context, uint32_t word) {
    int by_zero = (int)aarch64_bits(word, 13, 1);
    long modifier = by_zero ? 0 : context->registers[aarch64_rn(word)];
    set_value(context, aarch64_rd(word),
              (uint64_t)authenticate((long)value_of(context, aarch64_rd(word)), modifier,
                                     aarch64_signed_by_key_b(word)));
}

/* Returns false if it is none of these, or would fault. */
static int execute_data(struct saved_context *context, uint32_t word) {
    uint64_t m = value_of(context, aarch64_rm(word));
    if (AARCH64_IS(word, ADD_CONSTANT)) {
        add_operands(context, word, (uint64_t)context->registers[aarch64_rn(word)],
                     (uint64_t)aarch64_add_constant(word), 1);
    } else if (AARCH64_IS(word, LOGICAL_CONSTANT)) {
        combine(context, word, aarch64_logical_constant(word), 1);
    } else if (AARCH64_IS(word, MOVE_WIDE)) {
        move_wide(context, word);
    } else if (AARCH64_IS(word, BITFIELD)) {
        move_field(context, word);
    } else if (AARCH64_IS(word, EXTRACT)) {
        extract_register(context, word);
    } else if (AARCH64_IS(word, LOGICAL)) {
        uint64_t b = shift(word, m, aarch64_bits(word, 22, 2), aarch64_bits(word, 10, 6));
        combine(context, word, aarch64_bits(word, 21, 1) ? ~b : b, 0);
    } else if (AARCH64_IS(word, ADD)) {
        add_operands(context, word, value_of(context, aarch64_rn(word)),
                     shift(word, m, aarch64_bits(word, 22, 2), aarch64_bits(word, 10, 6)), 0);
    } else if (AARCH64_IS(word, ADD_EXTENDED)) {
        add_operands(context, word, (uint64_t)context->registers[aarch64_rn(word)],
                     extend(m, aarch64_bits(word, 13, 3), aarch64_bits(word, 10, 3)), 1);
    } else if (AARCH64_IS(word, ADD_CARRY)) {
        add_with_carry(context, word);
    } else if (AARCH64_IS(word, COMPARE_IF)) {
        compare_if(context, word);
    } else if (AARCH64_IS(word, SELECT)) {
        select_value(context, word);
    } else if (AARCH64_IS(word, TWO_SOURCES)) {
        return two_sources(context, word);
    } else if (AARCH64_IS(word, ONE_SOURCE)) {
        return one_source(context, word);
    } else if (AARCH64_IS(word, AUTHENTICATE)) {
        authenticate_register(context, word);
    } else if (AARCH64_IS(word, THREE_SOURCES)) {
        return three_sources(context, word);
    } else if (AARCH64_IS(word, ADR)) {
        set_value(context, aarch64_rd(word),
                  (uint64_t)context->pc + (uint64_t)aarch64_address_distance(word));
    } else if (AARCH64_IS(word, ADRP)) {
        set_value(context, aarch64_rd(word),
                  ((uint64_t)context->pc & ~UINT64_C(0xfff)) +
                      ((uint64_t)aarch64_address_distance(word) << 12));
    } else {
        return 0;
    }
    return 1;
}

static int execute_access(struct atomc_stepper *stepper, uint32_t word) {
    struct saved_context *context = stepper->context;
    if (AARCH64_IS(word, ACCESS))
        return access_single(
            context, word, (unsigned long)(context->registers[aarch64_rn(word)] + access_displacement(word)));
    if (AARCH64_IS(word, ACCESS_NEAR))
        return access_near(context, word);
    if (AARCH64_IS(word, ACCESS_INDEX))
        return access_index(context, word);
    if (AARCH64_IS(word, PAIR))
        return access_pair(context, word);
    if (AARCH64_IS(word, LOAD_LITERAL))
        return access_literal(context, word);
    if (AARCH64_IS(word, EXCLUSIVE))
        return access_exclusive(stepper, word);
    return AARCH64_IS(word, ATOMIC) && access_atomic(context, word);
}

static int execute_system(struct atomc_stepper *stepper, uint32_t word) {
    if (AARCH64_IS(word, MRS))
        return read_system(stepper->context, word);
    if (AARCH64_IS(word, MSR))
        return write_system(stepper->context, word);
    if (AARCH64_IS(word, BARRIER)) {
        if (aarch64_bits(word, 5, 3) == 2) /* clrex */
            stepper->locked = 0;
        else
            flush_instructions();
        return 1;
    }
    /* nop, yield, bti; those that sign or authenticate are not executed here */
    return AARCH64_IS(word, HINT) && (aarch64_bits(word, 5, 7) < 6 || (aarch64_bits(word, 5, 7) & ~6u) == 32);
}

/* Returns false if it is no transfer; sets the pc otherwise. */
static int execute_transfer(struct saved_context *context, uint32_t word) {
    unsigned long pc = (unsigned long)context->pc;
    unsigned reg = aarch64_rd(word);
    int holds;
    if (is_branch_word(word)) {
        context->pc = (long)(pc + 4 * (unsigned long)aarch64_branch_distance(word));
        if (AARCH64_IS(word, BL))
            context->registers[LINK_REGISTER] = (long)pc + 4;
        return 1;
    }
    if (is_jump_word(word)) {
        context->pc = jump_target(word, context->registers);
        if (is_call_word(word))
            context->registers[LINK_REGISTER] = (long)pc + 4;
        return 1;
    }
    if (AARCH64_IS(word, B_COND))
        holds = condition_is_true(flags_of(context), aarch64_bits(word, 0, 4));
    else if (AARCH64_IS(word, CB))
        holds = (at_width(word, value_of(context, reg)) == 0) != (int)aarch64_bits(word, 24, 1);
    else if (AARCH64_IS(word, TB))
        holds = (int)(value_of(context, reg) >> (aarch64_bits(word, 31, 1) << 5 | aarch64_bits(word, 19, 5)) &
                      1) == (int)aarch64_bits(word, 24, 1);
    else
        return 0;
    context->pc = (long)(pc + (holds ? 4 * (unsigned long)aarch64_condition_distance(word) : 4));
    return 1;
}

int atomc_step(struct atomc_stepper *stepper) {
    return atomc_step_as(stepper, atomc_read_stepped((const uint32_t *)stepper->context->pc));
}

int atomc_step_as(struct atomc_stepper *stepper, uint32_t word) {
    if (execute_transfer(stepper->context, word))
        return 1;
    if (!execute_data(stepper->context, word) && !execute_access(stepper, word) &&
        !execute_system(stepper, word))
        return 0;
    stepper->context->pc += 4;
    return 1;
}
