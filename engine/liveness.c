/* liveness.c: backward register liveness over all procedures at once, sound where callers know more than the
   ABI. Requires blocks and edges; sets live_in and live_out of every block.

   At a call, what the callee's entry needs is live, and what is live at the return point, for nothing but the
   link register is taken to be overwritten. At a return, the standard's preserved and result registers are
   live, and what is live at the return points of all calls known to come here: millicode (__divqu: link $23,
   preserves nearly everything) and other private conventions come out right. A call of unknown target needs
   the argument registers and whatever an address-taken procedure reads at its entry. Assumed: a procedure
   called through an unknown pointer with link $26 keeps the standard, as does its caller; a procedure that
   returns through another register is only called with that link. Callee-saved registers are live at every
   call, for the sake of unwinding. Traps (bpt, bugchk, gentrap, halt) pass what is live after them; words
   that are no instruction need everything. */
#include <stdlib.h>
#include <string.h>

#include "engine/cfg.h"

#define INTEGER(first, last)  ((UINT64_C(2) << (last)) - (UINT64_C(1) << (first)))
#define FLOATING(first, last) (INTEGER(first, last) << 32)
#define CALLEE_SAVED          (INTEGER(9, 15) | INTEGER(30, 30) | FLOATING(2, 9))
#define RETURN_SET            (CALLEE_SAVED | INTEGER(0, 0) | FLOATING(0, 1) | INTEGER(26, 26) | INTEGER(29, 29))
#define ARGUMENT_SET          (INTEGER(16, 21) | FLOATING(16, 21) | INTEGER(26, 27) | INTEGER(29, 30) | INTEGER(1, 1))
#define EVERYTHING            (~(UINT64_C(1) << 31 | UINT64_C(1) << 63))

struct procedure_summary {
    alpha_register_set return_live;  /* live at return points of the calls known to come here */
    alpha_register_set landing_live; /* live at landing pads, of what an unwinder restores */
    alpha_register_set label_live;   /* live at blocks whose address is taken, the entry excluded */
    alpha_register_set any_live;     /* read anywhere, or live at any block */
    bool queued;
    bool lost_jump;    /* has a jump that may go to any of its instructions */
    bool has_labels;   /* has address-taken blocks besides its entry */
    bool private_link; /* returns through a register other than $26 */
    bool uses_unknown; /* depends on the sets of unknown callees or callers */
};

struct liveness {
    struct program *program;
    alpha_register_set *use, *define; /* per block */
    uint32_t *far; /* per block: first block of the known target outside of its edges, or NO_INDEX */
    struct procedure_summary *summaries;
    alpha_register_set unknown_callee[2];   /* [0]: link $26, [1]: any other link */
    alpha_register_set unknown_return[32];  /* live after calls of unknown target, by link register */
    uint32_t *dependents, *first_dependent; /* procedures to revisit when entries of a procedure change */
    uint32_t *queue, queue_head, queue_count;
};

static uint32_t last_word(const struct liveness *liveness, const struct basic_block *block) {
    return liveness->program->text[block->first + block->count - 1];
}

/* ---- setting up -------------------------------------------------------------------------------- */

static alpha_register_set reads(uint32_t word) {
    if (transfer_of(word) == TRANSFER_TRAP && alpha_decode(word)->format == ALPHA_FORMAT_PAL &&
        alpha_pal_function(word) == 0)
        return 0; /* halt, abort()'s last resort: SIGILL */
    return alpha_registers_read(word);
}
static alpha_register_set writes(uint32_t word) {
    enum transfer transfer = transfer_of(word);
    return transfer == TRANSFER_SYSTEM_CALL || transfer == TRANSFER_TRAP ? 0 : alpha_registers_written(word);
}

static void summarise_block(struct liveness *liveness, uint32_t index) {
    struct program *program = liveness->program;
    struct basic_block *block = &program->blocks[index];
    struct procedure_summary *summary = &liveness->summaries[block->procedure];
    alpha_register_set use = 0, define = 0;
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        use |= reads(program->text[i]) & ~define;
        define |= writes(program->text[i]);
        summary->any_live |= reads(program->text[i]);
    }
    liveness->use[index] = use;
    liveness->define[index] = define;
    block->live_in = block->live_out = 0;
    uint32_t last = block->first + block->count - 1, word = program->text[last], target = NO_INDEX;
    const struct procedure *procedure = &program->procedures[block->procedure];
    if (block->end == END_CALL || block->end == END_TAIL_BRANCH || block->end == END_JUMP_UNKNOWN) {
        uint32_t offset, callee = call_target(program, last, &offset);
        target = callee == NO_INDEX ? NO_INDEX : program->procedures[callee].first + offset;
    } else if (block->end == END_COND_BRANCH) {
        target = branch_target(program, last);
        if (target != NO_INDEX && target - procedure->first < procedure->count)
            target = NO_INDEX; /* an edge has it */
    }
    uint32_t far = target == NO_INDEX ? NO_INDEX : block_at(program, target);
    if (far != NO_INDEX && program->blocks[far].first != target)
        far = NO_INDEX; /* cannot be: every target is a leader */
    liveness->far[index] = far;
    if (block->end == END_RETURN && alpha_rb(word) != ALPHA_RA)
        summary->private_link = summary->uses_unknown = true;
    if ((block->end == END_CALL || block->end == END_JUMP_UNKNOWN) && far == NO_INDEX)
        summary->uses_unknown = true;
    if (block->leaders & LEADER_UNKNOWN_JUMP)
        summary->lost_jump = true;
    if (block->leaders & LEADER_ADDRESS_TAKEN && index != procedure->first_block)
        summary->has_labels = true;
}

static void add_dependent(struct liveness *liveness, uint32_t on, uint32_t procedure, uint32_t *last,
                          bool counting) {
    if (last[on] == procedure || on == procedure)
        return;
    last[on] = procedure;
    if (counting)
        liveness->first_dependent[on + 1]++;
    else
        liveness->dependents[liveness->first_dependent[on]++] = procedure;
}
static void each_dependence(struct liveness *liveness, uint32_t *last, bool counting) {
    const struct program *program = liveness->program;
    memset(last, 0xff, program->procedure_count * sizeof *last);
    for (uint32_t i = 0; i < program->block_count; i++) {
        const struct basic_block *block = &program->blocks[i];
        if (liveness->far[i] != NO_INDEX)
            add_dependent(liveness, program->blocks[liveness->far[i]].procedure, block->procedure, last,
                          counting);
        for (uint32_t e = 0; e < block->successor_count; e++)
            add_dependent(liveness, program->blocks[program->edges[block->first_successor + e].to].procedure,
                          block->procedure, last, counting);
    }
}
static void find_dependents(struct liveness *liveness) {
    uint32_t count = liveness->program->procedure_count;
    uint32_t *last = allocate(count * sizeof *last);
    liveness->first_dependent = allocate_zeroed(count + 2, sizeof *liveness->first_dependent);
    each_dependence(liveness, last, true);
    for (uint32_t i = 0; i < count; i++)
        liveness->first_dependent[i + 1] += liveness->first_dependent[i];
    liveness->dependents =
        allocate(((size_t)liveness->first_dependent[count] + 1) * sizeof *liveness->dependents);
    each_dependence(liveness, last, false); /* moves each first_dependent to its end */
    memmove(liveness->first_dependent + 1, liveness->first_dependent,
            count * sizeof *liveness->first_dependent);
    liveness->first_dependent[0] = 0;
    free(last);
}

static void enqueue(struct liveness *liveness, uint32_t procedure) {
    if (liveness->summaries[procedure].queued)
        return;
    liveness->summaries[procedure].queued = true;
    uint32_t place = (liveness->queue_head + liveness->queue_count++) % liveness->program->procedure_count;
    liveness->queue[place] = procedure;
}

/* ---- equations ----------------------------------------------------------------------------------- */

static alpha_register_set live_at_call(const struct liveness *liveness, uint32_t index,
                                       const struct procedure_summary *summary) {
    const struct program *program = liveness->program;
    const struct basic_block *block = &program->blocks[index];
    unsigned link = alpha_ra(last_word(liveness, block));
    alpha_register_set live = CALLEE_SAVED | summary->landing_live;
    if (liveness->far[index] != NO_INDEX)
        live |= program->blocks[liveness->far[index]].live_in;
    else
        live |= liveness->unknown_callee[link != ALPHA_RA];
    return live;
}

static alpha_register_set live_at_jump(const struct liveness *liveness, uint32_t index,
                                       const struct procedure_summary *summary) {
    const struct program *program = liveness->program;
    if (liveness->far[index] != NO_INDEX)
        return program->blocks[liveness->far[index]].live_in;
    unsigned target = alpha_rb(last_word(liveness, &program->blocks[index]));
    alpha_register_set outside = liveness->unknown_callee[0] | RETURN_SET | summary->return_live;
    if (summary->lost_jump)
        return outside | summary->any_live;
    if (summary->has_labels)
        return outside | summary->label_live;
    return target == ALPHA_PV ? outside : EVERYTHING;
}

static alpha_register_set live_at_end(const struct liveness *liveness, uint32_t index) {
    const struct program *program = liveness->program;
    const struct basic_block *block = &program->blocks[index];
    const struct procedure_summary *summary = &liveness->summaries[block->procedure];
    alpha_register_set live = 0;
    for (uint32_t e = 0; e < block->successor_count; e++)
        live |= program->blocks[program->edges[block->first_successor + e].to].live_in;
    bool runs_off = index + 1 == program->block_count;
    switch ((enum block_end)block->end) {
    case END_CALL:
        live |= live_at_call(liveness, index, summary);
        break;
    case END_RETURN: {
        unsigned link = alpha_rb(last_word(liveness, block));
        live |= RETURN_SET | summary->return_live;
        if (link != ALPHA_RA)
            live |= liveness->unknown_return[link];
        runs_off = false;
        break;
    }
    case END_JUMP_UNKNOWN:
        return live_at_jump(liveness, index, summary);
    case END_TAIL_BRANCH:
        return liveness->far[index] == NO_INDEX ? EVERYTHING : program->blocks[liveness->far[index]].live_in;
    case END_COND_BRANCH:
        if (liveness->far[index] != NO_INDEX)
            live |= program->blocks[liveness->far[index]].live_in;
        else if (branch_target(program, block->first + block->count - 1) == NO_INDEX)
            live = EVERYTHING;
        break;
    case END_BRANCH:
    case END_JUMP_TABLE:
        runs_off = false;
        break;
    default:
        break;
    }
    return runs_off ? EVERYTHING : live;
}

/* Brings the blocks of one procedure to a fixpoint; true if a block that others may enter changed. */
static bool solve_procedure(struct liveness *liveness, uint32_t index) {
    const struct program *program = liveness->program;
    const struct procedure *procedure = &program->procedures[index];
    struct procedure_summary *summary = &liveness->summaries[index];
    bool entries_changed = false;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = procedure->first_block + procedure->block_count; i-- > procedure->first_block;) {
            struct basic_block *block = &program->blocks[i];
            alpha_register_set out = live_at_end(liveness, i);
            alpha_register_set in = liveness->use[i] | (out & ~liveness->define[i]);
            block->live_out = out;
            if (in == block->live_in)
                continue;
            block->live_in = in;
            again = true;
            entries_changed |= i == procedure->first_block || block->leaders & LEADER_ALTERNATE_ENTRY;
            summary->any_live |= in;
            if (block->leaders & LEADER_LANDING_PAD)
                summary->landing_live |= in & (CALLEE_SAVED | INTEGER(29, 30));
            if (block->leaders & LEADER_ADDRESS_TAKEN && i != procedure->first_block)
                summary->label_live |= in;
        }
    }
    return entries_changed;
}

static void add_return_live(struct liveness *liveness, uint32_t procedure, alpha_register_set live) {
    struct procedure_summary *summary = &liveness->summaries[procedure];
    if ((live & ~summary->return_live) == 0)
        return;
    summary->return_live |= live;
    enqueue(liveness, procedure);
}

/* Tells the procedures that this one calls or continues in what is live when they return. */
static void pass_returns_on(struct liveness *liveness, uint32_t index) {
    const struct program *program = liveness->program;
    const struct procedure *procedure = &program->procedures[index];
    alpha_register_set own = liveness->summaries[index].return_live;
    for (uint32_t i = procedure->first_block; i < procedure->first_block + procedure->block_count; i++) {
        const struct basic_block *block = &program->blocks[i];
        uint32_t far = liveness->far[i], last = block->first + block->count - 1;
        for (uint32_t e = 0; e < block->successor_count; e++) {
            uint32_t to = program->blocks[program->edges[block->first_successor + e].to].procedure;
            if (to != index)
                add_return_live(liveness, to, own); /* falls through, or a table leads there */
        }
        bool has_next = i + 1 < program->block_count;
        if (block->end == END_CALL && has_next) {
            alpha_register_set after = program->blocks[i + 1].live_in;
            if (far != NO_INDEX)
                add_return_live(liveness, program->blocks[far].procedure, after);
            else
                liveness->unknown_return[alpha_ra(program->text[last])] |= after;
        } else if (far != NO_INDEX && program->blocks[far].procedure != index) {
            add_return_live(liveness, program->blocks[far].procedure, own);
        }
        if ((block->end == END_BRANCH || block->end == END_TAIL_BRANCH) && has_next)
            liveness->unknown_return[alpha_ra(program->text[last])] |= program->blocks[i + 1].live_in;
    }
}

static void drain_queue(struct liveness *liveness) {
    while (liveness->queue_count) {
        uint32_t procedure = liveness->queue[liveness->queue_head];
        liveness->queue_head = (liveness->queue_head + 1) % liveness->program->procedure_count;
        liveness->queue_count--;
        liveness->summaries[procedure].queued = false;
        alpha_register_set summary = 0, before;
        bool entries_changed = false;
        do { /* labels and landing pads feed back into the blocks */
            struct procedure_summary *own = &liveness->summaries[procedure];
            before = summary;
            entries_changed |= solve_procedure(liveness, procedure);
            summary = own->landing_live | (own->has_labels ? own->label_live : 0) |
                      (own->lost_jump ? own->any_live : 0);
        } while (summary != before);
        pass_returns_on(liveness, procedure);
        if (entries_changed)
            for (uint32_t i = liveness->first_dependent[procedure];
                 i < liveness->first_dependent[procedure + 1]; i++)
                enqueue(liveness, liveness->dependents[i]);
    }
}

/* Recomputes what unknown callees need; true if anything that some procedure depends on grew. */
static bool widen_unknown(struct liveness *liveness, alpha_register_set *known_returns) {
    const struct program *program = liveness->program;
    alpha_register_set callee[2] = {liveness->unknown_callee[0], liveness->unknown_callee[1]}, returns = 0;
    for (uint32_t i = 0; i < program->procedure_count; i++)
        if (program->procedures[i].address_taken) {
            alpha_register_set entry = program->blocks[program->procedures[i].first_block].live_in;
            callee[1] |= entry;
            if (!liveness->summaries[i].private_link)
                callee[0] |= entry;
        }
    for (unsigned i = 0; i < 31; i++)
        if (i != ALPHA_RA)
            returns |= liveness->unknown_return[i];
    bool grew = callee[0] != liveness->unknown_callee[0] || callee[1] != liveness->unknown_callee[1] ||
                returns != *known_returns;
    liveness->unknown_callee[0] = callee[0];
    liveness->unknown_callee[1] = callee[1];
    *known_returns = returns;
    return grew;
}

void liveness_analyse(struct program *program) {
    struct liveness liveness = {.program = program};
    alpha_register_set known_returns = 0;
    liveness.use = allocate(program->block_count * sizeof *liveness.use);
    liveness.define = allocate(program->block_count * sizeof *liveness.define);
    liveness.far = allocate(program->block_count * sizeof *liveness.far);
    liveness.summaries = allocate_zeroed(program->procedure_count, sizeof *liveness.summaries);
    liveness.queue = allocate(program->procedure_count * sizeof *liveness.queue);
    liveness.unknown_callee[0] = liveness.unknown_callee[1] = ARGUMENT_SET;
    for (uint32_t i = 0; i < program->block_count; i++)
        summarise_block(&liveness, i);
    find_dependents(&liveness);
    for (uint32_t i = program->procedure_count; i-- > 0;)
        enqueue(&liveness, i);
    drain_queue(&liveness);
    while (widen_unknown(&liveness, &known_returns)) {
        for (uint32_t i = 0; i < program->procedure_count; i++)
            if (liveness.summaries[i].uses_unknown)
                enqueue(&liveness, i);
        drain_queue(&liveness);
    }
    free(liveness.use);
    free(liveness.define);
    free(liveness.far);
    free(liveness.summaries);
    free(liveness.queue);
    free(liveness.dependents);
    free(liveness.first_dependent);
}

void liveness_of_block(const struct program *program, uint32_t index, alpha_register_set *before) {
    const struct basic_block *block = &program->blocks[index];
    alpha_register_set live = block->live_out;
    before[block->count] = live;
    for (uint32_t i = block->count; i-- > 0;) {
        uint32_t word = program->text[block->first + i];
        live = (live & ~writes(word)) | reads(word);
        before[i] = live;
    }
}
