/* fate_parts.c: which part of what a load brings is used, and which part a store changes: without
   instructions for bytes, compilers load and store whole longwords or quadwords for them. */
#include "fate.h"

/* ---- the part that is used --------------------------------------------------------------------------------- */

/* A loaded value in a register, shifted to the left by so many bits, and which of its bytes are still there.
 */
struct held {
    unsigned long at;
    int reg, shift;
    unsigned kept;
};
/* What is known of the load. */
struct demand {
    unsigned bytes; /* those of the register that are used */
    int width;      /* of ldq_u: so many from the address on */
    int replaces;   /* a part is replaced, and the rest stored again */
    int passes;     /* it becomes an argument, as it was loaded */
    int unaligned, displacement, left_steps;
};
enum { ALL = 0xff, FAR_REACH = 512 };

static unsigned bytes_of_bits(int from, int to) {
    unsigned bytes = 0;
    for (int i = from < 0 ? 0 : from; i < to && i < 64; i++)
        bytes |= 1u << i / 8;
    return bytes;
}

/* Whether what is beyond the quadword comes from another load: the same instruction for the high part is
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

/* A part is extracted, at a place in the register or, by ldq_u, at an address. Of the two halves of what may
   be in two quadwords, the byte at the address is looked at. */
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

/* An operation with the value in ra and a literal. True: the value goes on. */
static int demand_of_literal(struct demand *demand, struct held *held, int kind, int literal) {
    int shift = literal & 63;
    unsigned bytes = ALL;
    switch (kind) {
    case SHIFT_LEFT:
        held->shift += shift;
        return held->shift < 64;
    case AND_NOT:
        held->kept &= ~1u;
        return 1;
    case KEEP:
        held->kept &= (unsigned)literal >> held->shift / 8;
        return 1;
    case SHIFT_RIGHT:
    case SHIFT_DOWN:
        bytes = bytes_of_bits(shift - held->shift, 64 - held->shift);
        break;
    case AND:
        bytes = literal ? bytes_of_bits(-held->shift, 8 - held->shift) : 0;
    }
    demand->bytes |= bytes & held->kept;
    return 0;
}

static int demand_of_operation(struct demand *demand, struct held *held, struct instruction instruction) {
    int kind = kind_of(instruction), has_literal = rb_of(instruction) == NONE;
    if (kind == SIGN && rb_of(instruction) == held->reg)
        return 1;
    if (kind == COPY && !has_literal &&
        (held->kept != ALL || ra_of(instruction) == ALPHA_ZERO || rb_of(instruction) == ALPHA_ZERO))
        return 1;
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

/* A load, store or address with the value in one of its registers. False: the value ends there. */
static int demand_of_memory(struct demand *demand, const struct held *held, struct instruction instruction) {
    int kind = kind_of(instruction);
    if (rb_of(instruction) == held->reg)
        demand->bytes |= held->kept;
    if (ra_of(instruction) != held->reg)
        return 1;
    if (kind != STORE)
        return 0;
    if (held->kept != ALL && alpha_memory_displacement(instruction.word) == demand->displacement)
        demand->replaces = 1;
    else
        demand->bytes |= held->kept;
    return 1;
}

/* Adds to the demand what is used of the value from here on. */
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
        case LOAD:
        case STORE:
            if (!demand_of_memory(demand, &held, instruction))
                return;
            break;
        case GOTO:
            held.at = target_of(held.at, instruction.word) - 4;
            break;
        case DIRECT:
        case INDIRECT:
        case RETURN:
            if (calls && kind != RETURN && held.kept == ALL && is_passed(held.reg, 0) &&
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

/* Nothing is known to be used: all is read. */
void find_part(struct load_fate *fate, unsigned long pc, int size, int unaligned) {
    struct instruction load = instruction_at(pc);
    struct demand demand = {.unaligned = unaligned,
                            .displacement = alpha_memory_displacement(load.word),
                            .left_steps = FAR_REACH};
    find_demand(&demand, (struct held){pc + 4, ra_of(load), 0, ALL});
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
    if (kind_of(value) == COPY) { /* of the old and the new */
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
    if (high) { /* the address is that of the last byte */
        *first = address - quad < (unsigned long)width ? quad : address - width + 1;
        return (long)(address - *first) + 1;
    }
    *first = address;
    return address - quad + width > 8 ? 8 - (long)(address - quad) : width;
}

/* The bytes that the value, the last before pc in the register, has from memory there: only some of what has
   been loaded is kept. */
static unsigned old_bytes(unsigned long pc, int reg, int displacement) {
    struct instruction part = writer(&pc, reg);
    int kind = kind_of(part);
    if ((kind != AND_NOT && kind != KEEP) || !alpha_has_literal(part.word))
        return 0;
    struct instruction old = writer(&pc, ra_of(part));
    if (kind_of(old) != LOAD || alpha_memory_displacement(old.word) != displacement)
        return 0;
    return kind == AND_NOT ? ALL & ~1u : alpha_literal_field(part.word);
}

unsigned changed_bytes(unsigned long pc, int size) {
    struct instruction store = instruction_at(pc);
    int displacement = alpha_memory_displacement(store.word);
    unsigned old = old_bytes(pc, ra_of(store), displacement);
    unsigned long at = pc;
    struct instruction value = writer(&at, ra_of(store));
    if (kind_of(value) == COPY) /* of the old and the new */
        old |= old_bytes(at, ra_of(value), displacement) | old_bytes(at, rb_of(value), displacement);
    return ~old & ((1u << size) - 1);
}
