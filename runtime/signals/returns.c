/* returns.c: finds the address in the program's copies to which a routine of the analysis side will return,
   and the memory or register in which the routine keeps that address. To find it, walks the code from the pc
   to a return. Any path will do, because a routine restores its saved registers on each of its paths. Calls
   on the way are skipped. Compiled without floating-point registers. */
#include "runtime/signals/signals.h"
#include "runtime/machine/machine.h"

enum {
    MOST_TRIES = 64,
    MOST_WORDS = 5000, /* in all attempts */
    NOWHERE = -1,      /* an origin: computed */
    FRAMES = 1 << 18,  /* bytes above the stack pointer that may hold saved registers */
};

/* The registers that routines keep: by the calling standard; in routines called by $23, which divide; in
   routines called by $28. */
static const uint32_t kept_by_calls = CALLEE_SAVED_INTEGERS | REGISTER_BIT(ALPHA_SP);
static const uint32_t kept_by_division =
    REGISTERS(0, 22) | REGISTER_BIT(ALPHA_RA) | REGISTER_BIT(ALPHA_GP) | REGISTER_BIT(ALPHA_SP);
static const uint32_t kept_by_helpers =
    REGISTERS(9, 18) | REGISTER_BIT(ALPHA_A5) | REGISTER_BIT(ALPHA_RA) | REGISTER_BIT(ALPHA_SP);

static void forget_register(struct atomc_walk *walk, unsigned reg) {
    walk->known &= ~(UINT32_C(1) << reg);
    walk->origin[reg] = NOWHERE;
}

static void set_register(struct atomc_walk *walk, unsigned reg, long value, long origin) {
    if (reg == ALPHA_ZERO)
        return;
    walk->value[reg] = value;
    walk->origin[reg] = origin;
    walk->known |= UINT32_C(1) << reg;
}

static int is_register_known(const struct atomc_walk *walk, unsigned reg) {
    return walk->known >> reg & 1;
}

static void begin_walk(struct atomc_walk *walk, const struct saved_context *context) {
    walk->pc = (unsigned long)context->pc;
    walk->known = ~UINT32_C(0);
    walk->stored_count = walk->next = 0;
    walk->is_true = 1;
    for (unsigned reg = 0; reg < 32; reg++) {
        walk->value[reg] = reg == ALPHA_ZERO ? 0 : context->registers[reg];
        walk->origin[reg] = reg == ALPHA_ZERO ? NOWHERE : (long)reg;
    }
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

/* Records a store on the path. The store will be made when control takes the path. Returns false if the path
   has too many stores. */
static int note_store(struct atomc_walk *walk, long address, unsigned reg) {
    unsigned at = 0;
    while (at < walk->stored_count && walk->stored[at].address != address)
        at++;
    if (at == MOST_STORED)
        return walk->origin[reg] == NOWHERE;
    if (at == walk->stored_count)
        walk->stored_count++;
    walk->stored[at] = (struct atomc_walk_store){.address = address,
                                                 .value = walk->value[reg],
                                                 .origin = walk->origin[reg],
                                                 .known = is_register_known(walk, reg)};
    return 1;
}

/* The value that a load reads, with the register's present contents. */
static long loaded_value(uint32_t word, long address, long quad) {
    uint64_t shifted = (uint64_t)quad >> 8 * (address & 7);
    return ALPHA_IS(word, LDL)    ? (int32_t)shifted
           : ALPHA_IS(word, LDBU) ? (uint8_t)shifted
           : ALPHA_IS(word, LDWU) ? (uint16_t)shifted
                                  : quad;
}

static void note_load(struct atomc_walk *walk, uint32_t word, long address, long stack) {
    unsigned reg = alpha_ra(word);
    int is_whole = ALPHA_IS(word, LDQ);
    long value;
    forget_register(walk, reg);
    for (unsigned i = 0; i < walk->stored_count; i++)
        if (walk->stored[i].address == (address & ~7L)) {
            if (walk->stored[i].known && is_whole)
                set_register(walk, reg, walk->stored[i].value, walk->stored[i].origin);
            return;
        }
    long frame = is_register_known(walk, ALPHA_SP) ? walk->value[ALPHA_SP]
                                                   : stack; /* a wrapper's frame may be on another stack */
    int is_saved = (address - stack >= 0 && address - stack < FRAMES) ||
                   (address - frame >= 0 && address - frame < FRAMES);
    int is_static = is_in_image((unsigned long)address);
    if ((is_saved || is_static) && !(is_whole && address & 7) &&
        atomc_try_load((unsigned long)address & ~7UL, &value))
        set_register(walk, reg, loaded_value(word, address, value), is_saved && is_whole ? address : NOWHERE);
}

/* ---- ways ---------------------------------------------------------------------------------------------------- */

/* The direction taken at a branch in this attempt; -1: both directions have been tried. */
static int choose_way(struct atomc_walk *walk, int preferred) {
    if (walk->next < walk->decision_count)
        return walk->decisions[walk->next++].way;
    int seen = 0;
    for (unsigned i = 0; i < walk->decision_count; i++)
        if (walk->decisions[i].pc == walk->pc)
            seen |= 1 << walk->decisions[i].way;
    if (seen == 3 || walk->decision_count == MOST_DECISIONS)
        return -1;
    int way = seen >> preferred & 1 ? !preferred : preferred;
    walk->decisions[walk->decision_count++] =
        (struct atomc_decision){.pc = walk->pc, .way = (unsigned char)way, .open = seen == 0};
    walk->next = walk->decision_count;
    return way;
}

/* The next attempt makes another choice. */
static int choose_again(struct atomc_walk *walk) {
    while (walk->decision_count > 0 && !walk->decisions[walk->decision_count - 1].open)
        walk->decision_count--;
    if (walk->decision_count == 0)
        return 0;
    struct atomc_decision *last = &walk->decisions[walk->decision_count - 1];
    last->way = !last->way;
    last->open = 0;
    return 1;
}

static void pass_call(struct atomc_walk *walk, unsigned link) {
    walk->is_true = 0;
    uint32_t kept = link == ALPHA_RA ? kept_by_calls : link == ALPHA_AT ? kept_by_helpers : kept_by_division;
    for (unsigned reg = 0; reg < 31; reg++)
        if (!(kept >> reg & 1))
            forget_register(walk, reg);
    forget_register(walk, link);
    walk->pc += 4;
}

/* True if a call precedes it. */
static int is_return_point(unsigned long address) {
    long quad;
    if (!atomc_try_load((address - 4) & ~7UL, &quad))
        return 0;
    uint32_t word = (uint32_t)((uint64_t)quad >> 8 * ((address - 4) & 4));
    return ALPHA_IS(word, BSR) || (ALPHA_IS_LIKE(word, JMP) && alpha_ra(word) != ALPHA_ZERO);
}

enum { GOES_ON, ENDS_HERE, DEAD_END };

static int walk_jump(struct atomc_walk *walk, uint32_t word, struct atomc_return *found) {
    unsigned link = alpha_ra(word), through = alpha_rb(word);
    if (link != ALPHA_ZERO) {
        pass_call(walk, link);
        return GOES_ON;
    }
    if (!is_register_known(walk, through))
        return DEAD_END;
    if (walk->origin[through] == NOWHERE &&
        !walk->is_true) /* through a table, with an index that may be wrong */
        return DEAD_END;
    unsigned long target = (unsigned long)walk->value[through] & ~3UL;
    if (atomc_is_private(target)) {
        walk->pc = target;
        return GOES_ON;
    }
    if (walk->origin[through] == NOWHERE || !is_return_point(target))
        return DEAD_END;
    found->target = target;
    found->reg = (unsigned)walk->origin[through];
    found->slot = walk->origin[through] >= 32 ? (long *)walk->origin[through] : 0;
    return ENDS_HERE;
}

static int walk_branch(struct atomc_walk *walk, uint32_t word) {
    unsigned long behind = walk->pc + 4;
    unsigned long target = behind + 4 * (unsigned long)(long)alpha_branch_displacement(word);
    if (ALPHA_IS(word, BSR)) {
        pass_call(walk, alpha_ra(word));
        return GOES_ON;
    }
    if (ALPHA_IS(word, BR)) {
        set_register(walk, alpha_ra(word), (long)behind, NOWHERE);
        walk->pc = target;
        return GOES_ON;
    }
    const struct atomc_kind *kind = atomc_kind_of(word);
    unsigned ra = alpha_ra(word);
    bool holds = false;
    if (is_register_known(walk, ra))
        alpha_condition((enum alpha_opcode)kind->opcode, (uint64_t)walk->value[ra], &holds);
    int way = choose_way(walk, holds);
    walk->is_true &= is_register_known(walk, ra) && kind->opcode != ALPHA_INVALID && way == holds;
    walk->pc = way == 1 ? target : behind;
    return way < 0 ? DEAD_END : GOES_ON;
}

static void walk_operate(struct atomc_walk *walk, uint32_t word) {
    const struct atomc_kind *kind = atomc_kind_of(word);
    enum alpha_opcode opcode = (enum alpha_opcode)kind->opcode;
    unsigned ra = alpha_ra(word), rb = alpha_rb(word), rc = alpha_rc(word);
    int literal = kind->format == ALPHA_FORMAT_LITERAL;
    uint64_t a = (uint64_t)walk->value[ra],
             b = literal ? alpha_literal_field(word) : (uint64_t)walk->value[rb];
    uint64_t result;
    bool holds;
    int both_known = is_register_known(walk, ra) && (literal || is_register_known(walk, rb));
    if (opcode == ALPHA_BISr && !literal && (ra == ALPHA_ZERO || ra == rb) && is_register_known(walk, rb))
        set_register(walk, rc, walk->value[rb], walk->origin[rb]);
    else if (both_known && alpha_condition(opcode, a, &holds)) /* a move, or none */
        holds ? set_register(walk, rc, (long)b, NOWHERE) : (void)0;
    else if (both_known && kind->format != ALPHA_FORMAT_FLOAT && alpha_evaluate(opcode, a, b, &result))
        set_register(walk, rc, (long)result, NOWHERE);
    else if (rc != ALPHA_ZERO)
        forget_register(walk, rc);
}

static int walk_palcode(struct atomc_walk *walk, uint32_t word) {
    uint32_t function = alpha_pal_function(word);
    if (function == ALPHA_PAL_GENTRAP || function == ALPHA_PAL_BUGCHK || function == ALPHA_PAL_BPT)
        return DEAD_END;
    forget_register(walk, 0);
    if (function == ALPHA_PAL_CALLSYS) {
        forget_register(walk, 19);
        forget_register(walk, 20);
    }
    return GOES_ON;
}

static int walk_memory(struct atomc_walk *walk, uint32_t word, long stack) {
    unsigned ra = alpha_ra(word), rb = alpha_rb(word);
    int known = is_register_known(walk, rb);
    long address = walk->value[rb] + alpha_memory_displacement(word);
    if (ALPHA_IS(word, STQ))
        return known && !note_store(walk, address, ra) ? DEAD_END : GOES_ON;
    if (known && ra != ALPHA_ZERO &&
        (ALPHA_IS(word, LDQ) || ALPHA_IS(word, LDL) || ALPHA_IS(word, LDQ_U) || ALPHA_IS(word, LDBU) ||
         ALPHA_IS(word, LDWU)))
        note_load(walk, word, address, stack);
    else if (!ALPHA_IS(word, STL) && !ALPHA_IS(word, STB) && !ALPHA_IS(word, STW) && !ALPHA_IS(word, STQ_U))
        forget_register(walk, ra);
    return GOES_ON;
}

/* One instruction. */
static int walk_instruction(struct atomc_walk *walk, long stack, struct atomc_return *found) {
    long words;
    if (!atomc_try_load(walk->pc & ~7UL, &words)) /* a path that does not exist */
        return DEAD_END;
    uint32_t word = (uint32_t)((uint64_t)words >> 8 * (walk->pc & 4));
    unsigned primary = alpha_primary(word), ra = alpha_ra(word), rb = alpha_rb(word);
    int result = GOES_ON;
    if (ALPHA_IS_LIKE(word, JMP))
        return walk_jump(walk, word, found);
    if (primary >= alpha_primary(ALPHA_MATCH_BR))
        return walk_branch(walk, word);
    if (ALPHA_IS(word, LDA) || ALPHA_IS(word, LDAH)) {
        long displacement = alpha_memory_displacement(word) * (ALPHA_IS(word, LDAH) ? 65536L : 1);
        if (is_register_known(walk, rb))
            set_register(walk, ra, walk->value[rb] + displacement,
                         displacement || ra != rb ? NOWHERE : walk->origin[ra]);
        else
            forget_register(walk, ra);
    } else if (primary == 0) {
        result = walk_palcode(walk, word);
    } else if ((primary >= 0x10 && primary <= 0x13) || primary == 0x1c) {
        walk_operate(walk, word);
    } else if ((primary >= 0x08 && primary <= 0x0f) || primary >= 0x28) {
        result = walk_memory(walk, word, stack);
    } else if (primary == 0x18 && ra != ALPHA_ZERO) { /* rpcc */
        forget_register(walk, ra);
    }
    walk->pc += 4;
    return result;
}

int atomc_is_delivery(unsigned long pc) {
    return pc >= (unsigned long)atomc_entries.returns && pc < (unsigned long)atomc_entries.returns_end;
}

int atomc_find_return(const struct saved_context *context, struct atomc_walk *walk,
                      struct atomc_return *found) {
    unsigned words = 0;
    walk->decision_count = 0;
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        int state = GOES_ON;
        begin_walk(walk, context);
        for (; state == GOES_ON && words < MOST_WORDS; words++) {
            if (atomc_is_delivery(walk->pc))
                return FOUND_DELIVERY;
            if (!atomc_is_private(walk->pc))
                break;
            state = walk_instruction(walk, context->registers[30], found);
        }
        if (state == ENDS_HERE)
            return FOUND_RETURN;
        if (words == MOST_WORDS || !choose_again(walk))
            break;
    }
    return FOUND_NOTHING;
}
