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

static void forget_register(struct atomc_walk *walk, unsigned reg) {
    walk->known &= ~(UINT32_C(1) << reg);
    walk->origin[reg] = NOWHERE;
}

static void set_register(struct atomc_walk *walk, unsigned reg, long value, long origin) {
    if (reg == NO_REGISTER)
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
        walk->value[reg] = reg == NO_REGISTER ? 0 : context->registers[reg];
        walk->origin[reg] = reg == NO_REGISTER ? NOWHERE : (long)reg;
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

/* The value that a load reads from the quadword that contains it. */
static long loaded_value(const struct atomc_instruction_effect *load, long quad) {
    unsigned unused = 64 - 8 * load->bytes;
    uint64_t shifted = (uint64_t)quad >> 8 * (load->address & 7) << unused;
    return load->is_signed ? (long)shifted >> unused : (long)(shifted >> unused);
}

static void note_load(struct atomc_walk *walk, const struct atomc_instruction_effect *load, long stack) {
    long address = load->address, value;
    forget_register(walk, load->reg);
    for (unsigned i = 0; i < walk->stored_count; i++)
        if (walk->stored[i].address == (address & ~7L)) {
            if (walk->stored[i].known && load->is_whole)
                set_register(walk, load->reg, walk->stored[i].value, walk->stored[i].origin);
            return;
        }
    long frame = is_register_known(walk, STACK_REGISTER)
                     ? walk->value[STACK_REGISTER]
                     : stack; /* a wrapper's frame may be on another stack */
    int is_saved = (address - stack >= 0 && address - stack < FRAMES) ||
                   (address - frame >= 0 && address - frame < FRAMES);
    int is_static = is_in_image((unsigned long)address);
    if ((is_saved || is_static) && !(load->is_whole && address & 7) &&
        atomc_try_load((unsigned long)address & ~7UL, &value))
        set_register(walk, load->reg, loaded_value(load, value),
                     is_saved && load->is_whole ? address : NOWHERE);
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

static void forget_registers(struct atomc_walk *walk, uint32_t registers) {
    for (unsigned reg = 0; registers >> reg; reg++)
        if (registers >> reg & 1)
            forget_register(walk, reg);
}

/* True if a call precedes it. */
static int is_return_point(unsigned long address) {
    static const long no_values[32];
    long quad;
    if (!atomc_try_load((address - 4) & ~7UL, &quad))
        return 0;
    uint32_t word = (uint32_t)((uint64_t)quad >> 8 * ((address - 4) & 4));
    return atomc_instruction_effect_of(word, 0, no_values, 0).kind == EFFECT_CALLS;
}

enum { GOES_ON, ENDS_HERE, DEAD_END };

static int walk_jump(struct atomc_walk *walk, unsigned through, struct atomc_return *found) {
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

static int walk_branch(struct atomc_walk *walk, const struct atomc_instruction_effect *branch) {
    int way = choose_way(walk, branch->holds);
    walk->is_true &= branch->is_certain && way == branch->holds;
    walk->pc = way == 1 ? (unsigned long)branch->target : walk->pc + 4;
    return way < 0 ? DEAD_END : GOES_ON;
}

/* One instruction. */
static int walk_instruction(struct atomc_walk *walk, long stack, struct atomc_return *found) {
    long words;
    if (!atomc_try_load(walk->pc & ~7UL, &words)) /* a path that does not exist */
        return DEAD_END;
    uint32_t word = (uint32_t)((uint64_t)words >> 8 * (walk->pc & 4));
    const struct atomc_instruction_effect effect =
        atomc_instruction_effect_of(word, (long)walk->pc, walk->value, walk->known);
    switch (effect.kind) {
    case EFFECT_JUMPS:
        return walk_jump(walk, effect.reg, found);
    case EFFECT_BRANCHES:
        return walk_branch(walk, &effect);
    case EFFECT_GOES:
        set_register(walk, effect.reg, effect.value, NOWHERE);
        walk->pc = (unsigned long)effect.target;
        return GOES_ON;
    case EFFECT_ENDS:
        return DEAD_END;
    case EFFECT_CALLS:
        walk->is_true = 0;
        forget_registers(walk, effect.forgotten);
        break;
    case EFFECT_FORGETS:
        forget_registers(walk, effect.forgotten);
        break;
    case EFFECT_SETS:
        set_register(walk, effect.reg, effect.value, NOWHERE);
        break;
    case EFFECT_MOVES:
        set_register(walk, effect.reg, walk->value[effect.from], walk->origin[effect.from]);
        break;
    case EFFECT_LOADS:
        note_load(walk, &effect, stack);
        break;
    case EFFECT_STORES:
        if (!note_store(walk, effect.address, effect.reg))
            return DEAD_END;
        break;
    case EFFECT_NONE:
        break;
    }
    walk->pc = NEXT_EFFECT(word, walk->pc);
    return GOES_ON;
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
            state = walk_instruction(walk, context->registers[STACK_REGISTER], found);
        }
        if (state == ENDS_HERE)
            return FOUND_RETURN;
        if (words == MOST_WORDS || !choose_again(walk))
            break;
    }
    return FOUND_NOTHING;
}
