/* fate_parts.c: determines the part of a loaded value that is used, and the part that a store changes:
   without byte instructions, compilers load and store longwords or quadwords for them. */
#include "fate.h"

/* ---- the part that is used --------------------------------------------------------------------------------- */

/* A loaded value in a register, the number of bits by which it is shifted to the left, and the bytes of it
   that are still there.
 */
struct held {
    unsigned long at;
    int reg, shift, sum; /* sum: the result of an addition, in which each bit depends on all lower ones */
    unsigned kept;
};
/* The known facts about the load. */
struct demand {
    unsigned bytes; /* bytes of the register that are used */
    int width;      /* for ldq_u: the number of bytes from the address on */
    int replaces;   /* a part is replaced, and the rest stored again */
    int passes;     /* the value becomes an argument unchanged */
    int unaligned, displacement, left_steps;
};
enum { ALL = 0xff, FAR_REACH = 512, STEPS = 8 };

static unsigned bytes_of_bits(int from, int to) {
    unsigned bytes = 0;
    for (int i = from < 0 ? 0 : from; i < to && i < 64; i++)
        bytes |= 1u << i / 8;
    return bytes;
}

/* True if the bytes beyond the quadword are from another load: the same instruction for the high part is
 * near.
 */
static int has_high_part(unsigned long at, struct instruction low) {
    for (unsigned long other = at - 32; other <= at + 32; other += 4) {
        struct instruction instruction = instruction_at(other);
        int kind = kind_of(instruction);
        if ((kind == HIGH_PART || kind == HIGH_QUAD) && rb_of(instruction) == rb_of(low) &&
            !alpha_has_literal(instruction.word))
            return 1;
    }
    return 0;
}

/* A part is extracted, at a position in the register or, by ldq_u, at an address. If the value may span two
   quadwords, the byte at the address is considered. */
static void demand_part(struct demand *demand, const struct held *held, struct instruction instruction) {
    int kind = kind_of(instruction), width = 1;
    if (kind >= EXTRACT && alpha_has_literal(instruction.word)) {
        int from = 8 * ((int)alpha_literal_field(instruction.word) & 7) - held->shift;
        demand->bytes |= bytes_of_bits(from, from + (8 << (kind - EXTRACT))) & held->kept;
        return;
    }
    if (!demand->unaligned || alpha_has_literal(instruction.word)) {
        demand->bytes |= held->kept;
        return;
    }
    if (kind >= EXTRACT && !has_high_part(held->at, instruction))
        width = 1 << (kind - EXTRACT);
    else if (kind == HIGH_QUAD && brings_signed(held->at))
        width = (64 - brings_signed(held->at)) / 8;
    demand->width = width > demand->width ? width : demand->width;
}

/* The bytes of the loaded value that these bits of the register are from. */
static unsigned bytes_of(const struct held *held, int from, int to) {
    from = held->sum ? 0 : from;
    return bytes_of_bits(from - held->shift, to - held->shift);
}

/* The bytes from which the bytes of a mask in zapnot's form are taken. */
static unsigned bytes_kept(const struct held *held, unsigned mask) {
    unsigned bytes = 0;
    for (int i = 0; i < 8; i++)
        if (mask >> i & 1)
            bytes |= bytes_of(held, 8 * i, 8 * i + 8);
    return bytes;
}

/* The bytes that `and` with the number leaves unchanged: a bit for each. */
static unsigned whole_bytes(unsigned long number) {
    unsigned bytes = 0;
    for (int i = 0; i < 8; i++)
        if ((number >> 8 * i & 0xff) == 0xff)
            bytes |= 1u << i;
    return bytes;
}

/* `and`: a number without high bits extracts a part, other numbers clear one. */
static int demand_of_and(struct demand *demand, struct held *held, unsigned long number) {
    if ((long)number < 0) {
        held->kept &= bytes_kept(held, whole_bytes(number));
        return 1;
    }
    if (number != 0)
        demand->bytes |= bytes_of(held, __builtin_ctzl(number), 64 - __builtin_clzl(number)) & held->kept;
    return 0;
}

/* An operation with the value in ra and a literal. Returns true if the value continues. */
static int demand_of_literal(struct demand *demand, struct held *held, int kind, int literal) {
    int shift = literal & 63;
    switch (kind) {
    case SHIFT_LEFT:
        held->shift += shift;
        return held->shift < 64;
    case SHIFT_DOWN:
        if (held->sum)
            break;
        held->kept &= bytes_of(held, shift, 64);
        held->shift -= shift;
        return held->kept != 0;
    case AND_NOT:
        held->kept &= held->sum ? ALL : ~bytes_of(held, 0, 8);
        return 1;
    case KEEP:
        held->kept &= bytes_kept(held, (unsigned)literal);
        return 1;
    case SHIFT_RIGHT:
        demand->bytes |= bytes_of(held, shift, 64) & held->kept;
        return 0;
    case AND:
        return demand_of_and(demand, held, (unsigned long)literal);
    }
    demand->bytes |= held->kept;
    return 0;
}

static int demand_of_operation(struct demand *demand, struct held *held, struct instruction instruction) {
    int kind = kind_of(instruction), has_literal = rb_of(instruction) == NONE;
    unsigned long number;
    if (kind == SIGN && rb_of(instruction) == held->reg)
        return 1;
    if (kind == COPY && !has_literal &&
        (held->kept != ALL || ra_of(instruction) == ALPHA_ZERO || rb_of(instruction) == ALPHA_ZERO))
        return 1;
    if (kind == AND && !has_literal &&
        is_constant(held->at, ra_of(instruction) == held->reg ? rb_of(instruction) : ra_of(instruction),
                    &number))
        return demand_of_and(demand, held, number);
    if (kind == ADD && has_literal) {
        held->sum = 1;
        return 1;
    }
    if (ra_of(instruction) != held->reg) {
        demand->bytes |= held->kept;
    } else if (kind == HIGH_PART || kind == HIGH_QUAD || (kind >= EXTRACT && kind < MASK_LOW)) {
        demand_part(demand, held, instruction);
    } else if (is_mask(instruction)) {
        demand->replaces = 1;
    } else if (has_literal) {
        return kind == COPY && held->kept != ALL
                   ? 1
                   : demand_of_literal(demand, held, kind, (int)alpha_literal_field(instruction.word));
    } else {
        demand->bytes |= held->kept;
    }
    return 0;
}

/* A load, store or address computation with the value in one of its registers. Returns false if the value
   ends at the instruction. */
static int demand_of_memory(struct demand *demand, const struct held *held, struct instruction instruction) {
    int kind = kind_of(instruction);
    if (rb_of(instruction) == held->reg)
        demand->bytes |= held->kept;
    if (ra_of(instruction) != held->reg)
        return 1;
    if (kind != STORE)
        return 0;
    if (held->kept != ALL && held->shift == 0 &&
        alpha_memory_displacement(instruction.word) == demand->displacement)
        demand->replaces = 1;
    else
        demand->bytes |= held->kept;
    return 1;
}

/* Adds the bytes of the value that are used from here on to the demand. */
static void find_demand(struct demand *demand, struct held held) {
    for (; demand->bytes != ALL && demand->left_steps-- > 0; held.at += 4) {
        struct instruction instruction = instruction_at(held.at);
        int kind = kind_of(instruction), calls = alpha_ra(instruction.word) != ALPHA_ZERO;
        int in_a = ra_of(instruction) == held.reg, in_b = rb_of(instruction) == held.reg;
        struct held other = held;
        switch (kind) {
        case OTHER:
            return;
        case ADDRESS:
        case CONSTANT:
        case LOAD:
        case STORE:
            if (kind == ADDRESS && in_b) {
                other.sum = 1;
                other.reg = ra_of(instruction);
                other.at += 4;
                find_demand(demand, other);
                if (other.reg == held.reg)
                    return;
                break;
            }
            if (!demand_of_memory(demand, &held, instruction))
                return;
            break;
        case GOTO:
            held.at = target_of(held.at, instruction.word) - 4;
            break;
        case DIRECT:
        case INDIRECT:
        case RETURN:
            if (calls && kind != RETURN && held.kept == ALL && held.shift == 0 && is_passed(held.reg, 0) &&
                !(kind == INDIRECT && in_b))
                demand->passes = 1;
            else if (((kind == RETURN || calls) && is_passed(held.reg, kind == RETURN)) ||
                     (kind != DIRECT && in_b))
                demand->bytes |= held.kept;
            if (!calls || !survives_call(held.reg))
                return;
            break;
        case CONDITIONAL:
            if (in_a)
                demand->bytes |= held.kept;
            other.at = target_of(held.at, instruction.word);
            find_demand(demand, other);
            break;
        default:
            if ((in_a || in_b) && demand_of_operation(demand, &other, instruction)) {
                other.at += 4;
                other.reg = rc_of(instruction);
                find_demand(demand, other);
            }
            if (rc_of(instruction) == held.reg)
                return;
        }
    }
}

/* If no use is known, all of the value counts as read. */
void find_part(struct load_fate *fate, unsigned long pc, int size, int unaligned) {
    struct instruction load = instruction_at(pc);
    struct demand demand = {.unaligned = unaligned,
                            .displacement = alpha_memory_displacement(load.word),
                            .left_steps = FAR_REACH};
    find_demand(&demand, (struct held){pc + 4, ra_of(load), 0, 0, ALL});
    fate->part = demand.bytes & ((1u << size) - 1);
    if ((fate->part == 0 && !demand.replaces) || load.kind & FLOAT_A)
        fate->part = (1u << size) - 1;
    fate->passed = demand.passes && demand.bytes == 0 && !demand.replaces;
    fate->reads = demand.width > 0 ? demand.width : 1;
}

/* ---- what a store changes ------------------------------------------------------------------------------------ */

long part_of_store(unsigned long pc, unsigned long address, unsigned long *first) {
    unsigned long quad = address & ~7UL, at = pc;
    struct instruction value = writer(&at, ra_of(instruction_at(pc))), mask = value;
    if (kind_of(value) == COPY) { /* bytes of the old and the new value */
        unsigned long left = at, right = at;
        mask = writer(&left, ra_of(value));
        if (!is_mask(mask))
            mask = writer(&right, rb_of(value));
    }
    *first = quad;
    if (!is_mask(mask))
        return 8;
    int high = kind_of(mask) >= MASK_HIGH;
    long width = 1L << (kind_of(mask) - (high ? MASK_HIGH : MASK_LOW));
    if (high) { /* the address of the last byte */
        *first = address - quad < (unsigned long)width ? quad : address - width + 1;
        return (long)(address - *first) + 1;
    }
    *first = address;
    return address - quad + width > 8 ? 8 - (long)(address - quad) : width;
}

/* The bytes of the register's value, as last written before pc, that are unchanged from memory at the address
   of the store: in this case a part of the loaded bytes is stored back. */
static unsigned old_bytes(unsigned long pc, int reg, struct instruction store, int depth) {
    struct instruction part = writer(&pc, reg);
    int kind = kind_of(part), literal = alpha_has_literal(part.word);
    unsigned long number;
    if (kind == LOAD && depth > 0)
        return rb_of(part) == rb_of(store) &&
                       alpha_memory_displacement(part.word) == alpha_memory_displacement(store.word)
                   ? ALL
                   : 0;
    if (kind == LOAD || depth == STEPS)
        return 0;
    if (kind == COPY && !literal && (depth > 0 || ra_of(part) != ALPHA_ZERO)) /* bytes of the old and the new
                                                                                 value */
        return old_bytes(pc, ra_of(part), store, depth + 1) | old_bytes(pc, rb_of(part), store, depth + 1);
    if (kind == AND && !literal &&
        (is_constant(pc, rb_of(part), &number) || is_constant(pc, ra_of(part), &number)))
        return whole_bytes(number) &
               old_bytes(pc, is_constant(pc, rb_of(part), &number) ? ra_of(part) : rb_of(part), store,
                         depth + 1);
    if (!literal || (kind != COPY && kind != AND_NOT && kind != KEEP))
        return 0;
    return old_bytes(pc, ra_of(part), store, depth + 1) &
           (kind == KEEP ? alpha_literal_field(part.word) : ALL & ~1u);
}

unsigned changed_bytes(unsigned long pc, int size) {
    struct instruction store = instruction_at(pc);
    return ~old_bytes(pc, ra_of(store), store, 0) & ((1u << size) - 1);
}
