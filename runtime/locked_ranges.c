/* locked_ranges.c: what a signal interrupts with the lock in the middle of inlined code
   (engine/inline/lock.c) is executed to its end before anything else may happen in the thread: its handler
   may reach code with calls, jump away, or never return. Requires that no other signal comes meanwhile.
   Compiled without floating-point registers. */
#include "codegen/alpha.h"
#include "kernel.h"

extern long atomc_lock_owner;

static int is_in_locked_range(unsigned long pc) {
    const struct atomc_locked_range *ranges = (const struct atomc_locked_range *)atomc_image.locked_ranges;
    unsigned long low = 0, high = atomc_image.locked_range_count;
    if (pc < atomc_image.copies || pc >= atomc_image.copies_end)
        return 0;
    while (low < high) { /* the first one behind */
        unsigned long middle = low + (high - low) / 2;
        if (ranges[middle].begin <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && pc - ranges[low - 1].begin < ranges[low - 1].size;
}

static const struct atomc_kind *kind_of(uint32_t word) {
    static const struct atomc_kind invalid = {.opcode = ALPHA_INVALID};
    const struct atomc_kind *kinds = (const struct atomc_kind *)atomc_image.kinds;
    for (unsigned long i = 0; i < atomc_image.kind_count; i++)
        if ((word & kinds[i].mask) == kinds[i].match)
            return &kinds[i];
    return &invalid;
}

static void set(long *registers, unsigned reg, uint64_t value) {
    if (reg != ALPHA_ZERO)
        registers[reg] = (long)value;
}

/* False: it is none of these. */
static int access_memory(enum alpha_opcode opcode, unsigned long address, unsigned reg, long *registers) {
    long value = reg == ALPHA_ZERO ? 0 : registers[reg];
    switch (opcode) {
    case ALPHA_LDQ:
        set(registers, reg, *(const uint64_t *)address);
        return 1;
    case ALPHA_LDL:
        set(registers, reg, (uint64_t) * (const int32_t *)address);
        return 1;
    case ALPHA_LDQ_U:
        set(registers, reg, *(const uint64_t *)(address & ~7UL));
        return 1;
    case ALPHA_LDBU:
        set(registers, reg, *(const uint8_t *)address);
        return 1;
    case ALPHA_LDWU:
        set(registers, reg, *(const uint16_t *)address);
        return 1;
    case ALPHA_STQ:
        *(long *)address = value;
        return 1;
    case ALPHA_STL:
        *(int *)address = (int)value;
        return 1;
    case ALPHA_STQ_U:
        *(long *)(address & ~7UL) = value;
        return 1;
    case ALPHA_STB:
        *(char *)address = (char)value;
        return 1;
    case ALPHA_STW:
        *(short *)address = (short)value;
        return 1;
    default:
        return 0;
    }
}

/* Executes the instruction; returns where the next one is, 0 if this one would fault. */
static unsigned long step(unsigned long pc, long *registers) {
    uint32_t word = *(const uint32_t *)pc;
    const struct atomc_kind *kind = kind_of(word);
    enum alpha_opcode opcode = (enum alpha_opcode)kind->opcode;
    unsigned ra = alpha_ra(word), rb = alpha_rb(word);
    uint64_t a = ra == ALPHA_ZERO ? 0 : (uint64_t)registers[ra];
    uint64_t b = rb == ALPHA_ZERO ? 0 : (uint64_t)registers[rb], result;
    uint64_t address = b + (uint64_t)(int64_t)alpha_memory_displacement(word);
    bool holds;
    switch (opcode) {
    case ALPHA_INVALID:
        return 0;
    case ALPHA_MB:
        __sync_synchronize();
        return pc + 4;
    case ALPHA_LDA:
        set(registers, ra, address);
        return pc + 4;
    case ALPHA_LDAH:
        set(registers, ra, b + (uint64_t)(65536 * (int64_t)alpha_memory_displacement(word)));
        return pc + 4;
    default:
        break;
    }
    if (kind->format == ALPHA_FORMAT_BRANCH && alpha_condition(opcode, a, &holds))
        return pc + 4 + (holds ? 4 * (unsigned long)(long)alpha_branch_displacement(word) : 0);
    if (kind->format == ALPHA_FORMAT_OPERATE || kind->format == ALPHA_FORMAT_LITERAL) {
        if (kind->format == ALPHA_FORMAT_LITERAL)
            b = alpha_literal_field(word);
        if (alpha_condition(opcode, a, &holds)) {
            if (holds)
                set(registers, alpha_rc(word), b);
        } else if (alpha_evaluate(opcode, a, b, &result)) {
            set(registers, alpha_rc(word), result);
        }
        return pc + 4;
    }
    return atomc_is_readable((long)(address & ~7UL)) && access_memory(opcode, address, ra, registers) ? pc + 4
                                                                                                      : 0;
}

/* An analysis routine's fault is told where it stands; others have the lock then. */
long atomc_finish_locked_range(long pc, long *registers) {
    while (is_in_locked_range((unsigned long)pc)) {
        unsigned long next = step((unsigned long)pc, registers);
        if (next == 0) {
            __sync_synchronize();
            atomc_lock_owner = 0;
            return pc;
        }
        pc = (long)next;
    }
    return pc;
}
