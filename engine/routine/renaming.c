/* renaming.c: assigns other registers to the values of a routine's copy, so that it changes as few registers
   as possible. Registers that a call changes anyway are used first, then registers that programs rarely need.
   Requires the webs. */
#include "engine/routine/internal.h"

#include <stdlib.h>
#include <string.h>

enum { WEB_ORDERS = 3 };

struct renaming {
    struct routine_copy *copy;
    uint32_t words;         /* length of a set of webs */
    uint64_t *live;         /* per op: webs live after it */
    uint64_t *conflicts;    /* per web: webs that are live at the same time */
    register_set *taken;    /* per web: registers that it cannot have */
    uint8_t *was, *becomes; /* per web: its register */
    uint32_t *first, *uses; /* per web: the first op that defines it; the number of its uses */
    uint32_t *sequence;     /* the order in which webs get registers */
    register_set fixed;     /* registers that are changed anyway */
};

static bool has_web(const uint64_t *set, uint32_t web) {
    return set[web / 64] >> (web % 64) & 1;
}
static void include_web(uint64_t *set, uint32_t web) {
    set[web / 64] |= REGISTER_BIT(web % 64);
}
static void exclude_web(uint64_t *set, uint32_t web) {
    set[web / 64] &= ~REGISTER_BIT(web % 64);
}

/* ---- what is live at once ---------------------------------------------------------------------------------------- */

/* Converts the set that is live after an op to the set before it. */
static void step_back(const struct routine_copy *copy, const struct op *op, uint64_t *live) {
    struct operand_field fields[OPERANDS];
    if (op->kind == OP_GONE)
        return;
    operand_fields(copy, op, fields);
    for (unsigned f = 0; f < OPERANDS; f++)
        if (op->webs[f] != FIXED_WEB && fields[f].writes)
            exclude_web(live, op->webs[f]);
    for (unsigned f = 0; f < OPERANDS; f++)
        if (op->webs[f] != FIXED_WEB && fields[f].reads)
            include_web(live, op->webs[f]);
}

static void find_live(struct renaming *renaming) {
    const struct routine_copy *copy = renaming->copy;
    uint32_t words = renaming->words;
    uint64_t *before = arena_allocate(copy->analysis->program->scratch, words * sizeof *before);
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = copy->count; i-- > 0;) {
            uint64_t *after = renaming->live + (size_t)i * words;
            for (uint32_t e = copy->next_first[i]; e < copy->next_first[i + 1]; e++) {
                memcpy(before, renaming->live + (size_t)copy->next[e] * words, words * sizeof *before);
                step_back(copy, &copy->ops[copy->next[e]], before);
                for (uint32_t w = 0; w < words; w++) {
                    changed |= (before[w] & ~after[w]) != 0;
                    after[w] |= before[w];
                }
            }
        }
    }
}

static void add_conflicts(struct renaming *renaming, uint32_t web, const uint64_t *live) {
    for (uint32_t other = 0; other < renaming->copy->web_count; other++)
        if (other != web && has_web(live, other)) {
            include_web(renaming->conflicts + (size_t)web * renaming->words, other);
            include_web(renaming->conflicts + (size_t)other * renaming->words, web);
        }
}

static void note_operand(struct renaming *renaming, uint32_t i, const struct operand_field *field,
                         uint32_t web) {
    if (renaming->uses[web]++ == 0) {
        renaming->first[web] = i;
        renaming->was[web] = field->reg;
    }
}

/* A fixed register that is written must not be in use by a web, and a web must not get a fixed register that
   is live. */
static void find_conflicts(struct renaming *renaming) {
    const struct routine_copy *copy = renaming->copy;
    register_set *fixed = fixed_liveness(copy);
    for (uint32_t i = 0; i < copy->count; i++) {
        const struct op *op = &copy->ops[i];
        const uint64_t *live = renaming->live + (size_t)i * renaming->words;
        struct operand_field fields[OPERANDS];
        if (op->kind == OP_GONE)
            continue;
        operand_fields(copy, op, fields);
        register_set written = op->written;
        for (unsigned f = 0; f < OPERANDS; f++) {
            uint32_t web = op->webs[f];
            if (fields[f].writes && web == FIXED_WEB)
                written |= REGISTER_BIT(fields[f].reg);
            if (web == FIXED_WEB || fields[f].reg == NO_FIELD)
                continue;
            note_operand(renaming, i, &fields[f], web);
            if (fields[f].writes) {
                add_conflicts(renaming, web, live);
                renaming->taken[web] |= fixed[i];
            }
        }
        renaming->fixed |= op->kind == OP_CALL && op->delayed ? 0 : written;
        for (uint32_t web = 0; web < copy->web_count; web++)
            if (has_web(live, web))
                renaming->taken[web] |= written | fixed[i];
    }
}

/* ---- choosing ---------------------------------------------------------------------------------------------------- */

static const struct renaming *compared;

static int compare_webs(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const uint32_t *by = compared->first;
    return by[x] != by[y] ? (by[x] > by[y]) - (by[x] < by[y]) : (x > y) - (x < y);
}

/* The number of conflicts: webs with the most conflicts are processed first. */
static uint32_t conflict_count(const struct renaming *renaming, uint32_t web) {
    uint32_t count = 0;
    for (uint32_t w = 0; w < renaming->words; w++)
        count += (uint32_t)__builtin_popcountll(renaming->conflicts[(size_t)web * renaming->words + w]);
    return count;
}

static int compare_degrees(const void *a, const void *b) {
    uint32_t x = conflict_count(compared, *(const uint32_t *)a),
             y = conflict_count(compared, *(const uint32_t *)b);
    return x != y ? (x < y) - (x > y) : compare_webs(a, b);
}

static void sort_webs(struct renaming *renaming, unsigned kind) {
    uint32_t count = renaming->copy->web_count;
    for (uint32_t web = 0; web < count; web++)
        renaming->sequence[web] = web;
    compared = renaming;
    qsort(renaming->sequence, count, sizeof *renaming->sequence, kind == 1 ? compare_degrees : compare_webs);
    for (uint32_t i = 0; kind == 2 && i < count / 2; i++) {
        uint32_t other = renaming->sequence[count - 1 - i];
        renaming->sequence[count - 1 - i] = renaming->sequence[i];
        renaming->sequence[i] = other;
    }
}

/* The best register that is free for the web: one that is changed in any case, or by another web
   already. */
static unsigned choose_register(const struct renaming *renaming, uint32_t web, register_set used) {
    const struct conventions_of_machine *registers = renaming->copy->registers;
    register_set taken = renaming->taken[web];
    if (renaming->copy->helps)
        taken |= ~renaming->copy->allowed;
    for (uint32_t other = 0; other < renaming->copy->web_count; other++)
        if (has_web(renaming->conflicts + (size_t)web * renaming->words, other) &&
            renaming->becomes[other] != NO_FIELD)
            taken |= REGISTER_BIT(renaming->becomes[other]);
    for (int fresh = 0; fresh < 2; fresh++)
        for (unsigned i = 0; i < registers->rename_count; i++) {
            unsigned reg = registers->rename_order[i];
            bool same_kind = (reg >= 32) == (renaming->was[web] >= 32);
            if (same_kind && !(taken >> reg & 1) && (fresh || used >> reg & 1))
                return reg;
        }
    return NO_FIELD;
}

/* Returns the registers that are changed then, or all if some web finds none. */
static register_set give_registers(struct renaming *renaming) {
    register_set used = renaming->fixed;
    memset(renaming->becomes, NO_FIELD, renaming->copy->web_count);
    for (uint32_t i = 0; i < renaming->copy->web_count; i++) {
        uint32_t web = renaming->sequence[i];
        unsigned reg = choose_register(renaming, web, used);
        if (reg == NO_FIELD)
            return UINT64_MAX;
        renaming->becomes[web] = (uint8_t)reg;
        used |= REGISTER_BIT(reg);
    }
    return used & caller_saved(renaming->copy->registers);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void rewrite_ops(const struct renaming *renaming) {
    for (uint32_t i = 0; i < renaming->copy->count; i++) {
        struct routine_copy *copy = renaming->copy;
        struct op *op = &copy->ops[i];
        struct operand_field fields[OPERANDS];
        if (op->kind == OP_GONE)
            continue;
        operand_fields(copy, op, fields);
        for (unsigned f = 0; f < OPERANDS; f++)
            if (fields[f].reg != NO_FIELD && op->webs[f] != FIXED_WEB)
                op_set_word(copy, op,
                            machine_with_operand(copy->machine, op->word, f, renaming->becomes[op->webs[f]]));
    }
}

/* The cost is the number of registers that a site may have to save, without registers that its call changes
   anyway. */
static int cost_of_changes(const struct routine_copy *copy, register_set changed) {
    return __builtin_popcountll(changed & ~(copy->arguments_set | set_of(copy->registers->link)));
}

static void try_orders(struct renaming *renaming) {
    struct routine_copy *copy = renaming->copy;
    register_set now = renaming->fixed;
    for (uint32_t web = 0; web < copy->web_count; web++)
        now |= REGISTER_BIT(renaming->was[web]);
    renaming->fixed |= copy->arguments_set | set_of(copy->registers->link);
    int before = cost_of_changes(copy, now & caller_saved(copy->registers)), least = before;
    unsigned best = WEB_ORDERS;
    for (unsigned kind = 0; kind < WEB_ORDERS; kind++) {
        sort_webs(renaming, kind);
        register_set used = give_registers(renaming);
        if (used != UINT64_MAX && cost_of_changes(copy, used) < least) {
            least = cost_of_changes(copy, used);
            best = kind;
        }
    }
    if (best == WEB_ORDERS)
        return;
    sort_webs(renaming, best);
    give_registers(renaming);
    rewrite_ops(renaming);
    copy->renamed = (uint32_t)(before - least);
}

void renaming_do(struct routine_copy *copy) {
    struct renaming renaming = {.copy = copy, .words = (copy->web_count + 63) / 64};
    size_t webs = copy->web_count + 1, words = renaming.words + 1;
    if (copy->web_count == 0)
        return;
    struct arena *scratch = copy->analysis->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    renaming.live = arena_allocate(scratch, copy->count * words * sizeof *renaming.live);
    renaming.conflicts = arena_allocate(scratch, webs * words * sizeof *renaming.conflicts);
    renaming.taken = arena_allocate(scratch, webs * sizeof *renaming.taken);
    renaming.was = arena_allocate(scratch, webs);
    renaming.becomes = arena_allocate(scratch, webs);
    renaming.first = arena_allocate(scratch, webs * sizeof *renaming.first);
    renaming.uses = arena_allocate(scratch, webs * sizeof *renaming.uses);
    renaming.sequence = arena_allocate(scratch, webs * sizeof *renaming.sequence);
    find_live(&renaming);
    find_conflicts(&renaming);
    try_orders(&renaming);
    arena_release(scratch, mark);
}
