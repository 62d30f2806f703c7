/* liveness.c: backward register liveness over all procedures at once. It is sound even if callers rely on
   more than the ABI guarantees. Requires blocks and edges; sets live_in and live_out of every block.

   At a call, the registers that the callee's entry needs are live, and so are the registers live at the
   return point, since only the link register is assumed to be overwritten. The same holds for a branch with a
   link, as a call and as a branch. At a return, the standard's preserved and result registers are live, and
   the registers live at the return points of all known calls of the procedure. So millicode (__divqu: link
   $23, preserves nearly everything) and other private conventions are handled correctly, also if the link is
   $26. A register that is live at a return point only because unknown code may read it is not passed back to
   a callee that changes it: otherwise arguments of later calls would be results of all procedures. A call of
   an unknown target needs the argument registers and all registers that an escaping procedure reads at its
   entry. Assumed: a procedure called through an unknown pointer with link $26 follows the standard, and so
   does its caller. A procedure that returns through another register is only called with that link.
   Callee-saved registers are live at every call, for unwinding. Traps (bpt, bugchk, gentrap, halt) keep the
   registers live after them; words that are no instruction need all. */
#include <string.h>

#include "engine/dataflow/internal.h"

struct procedure_summary {
    register_set return_live;  /* live at return points of the known calls of it */
    register_set landing_live; /* live at landing pads, among the registers that an unwinder restores */
    register_set label_live;   /* live at blocks whose address is taken, the entry excluded */
    register_set any_live;     /* read anywhere, or live at any block */
    bool lost_jump;            /* has a jump that may go to any of its instructions */
    bool has_labels;           /* the procedure has address-taken blocks besides its entry */
    bool uses_unknown;         /* depends on the sets of unknown callees or callers */
};

struct liveness {
    struct program *program;
    const struct conventions_of_machine *registers;
    register_set at_return, to_callee; /* live at any return; passed by any caller */
    register_set kept;          /* read after calls of unknown code that may change them by the standard */
    register_set *use, *define; /* per block */
    register_set *passed;       /* per block that returns: what it passes on */
    bool *leads_back;           /* per block: registers needed by it are also needed by a later block of its
                                   procedure */
    struct procedure_summary *summaries;
    register_set
        unknown_callee[32]; /* needed by escaping procedures, by the link register for their return */
    register_set unknown_return[32]; /* live after calls of unknown target, by link register */
    struct conventions conventions;
    /* First the needs of procedures themselves are computed, with no register live at returns; then full
       liveness. So a caller does not need the registers that other callers of the same procedure use. */
    bool returns_matter;
    register_set *needed; /* per block, for call targets: live_in of the first round */
    /* Only registers that instructions read are live; registers that unknown code may read by a convention
       are not. This set is computed first. */
    bool only_read;
    register_set *read_in; /* per block: live_in of that */
};

static const struct facts *last_of(const struct liveness *liveness, const struct basic_block *block) {
    return facts_of(liveness->program, block_last(block));
}

/* The registers live at any return: results, registers that the callee preserves, and registers that an
   unwinder passes to a landing pad when it returns there. */
static register_set live_at_any_return(const struct conventions_of_machine *registers) {
    return registers->callee_saved | registers->results | registers->landing | set_of(registers->link) |
           set_of(registers->data_base);
}
/* The registers that an unknown caller may pass. */
static register_set passed_to_any_callee(const struct conventions_of_machine *registers) {
    return registers->arguments | registers->float_arguments | set_of(registers->link) |
           set_of(registers->procedure_value) | set_of(registers->data_base) | set_of(registers->stack) |
           registers->static_chain;
}

/* ---- setting up -------------------------------------------------------------------------------- */

/* Registers that the instruction reads although their values may not matter: registers saved for the caller
   or for a list of arguments, and arguments that a system call may not have. */
static register_set kept_only(const struct liveness *liveness, const struct procedure_facts *procedure,
                              const struct facts *facts) {
    if (facts->class == CLASS_PAL)
        return liveness->registers->rare_arguments;
    return stored_in_frame(liveness->program, facts) & procedure->saves;
}

/* The registers that the block's instructions use and define. A block that returns may pass arguments, and
   the procedure value, as if it called: code that changes stacks enters procedures in this way. Then it sets
   the registers, and does not read them. */
static void summarise_instructions(struct liveness *liveness, uint32_t index) {
    const struct program *program = liveness->program;
    const struct basic_block *block = &program->blocks[index];
    register_set use = 0, define = 0, unread = 0;
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const struct facts *facts = facts_of(program, i);
        register_set read = needed_read(facts);
        if (liveness->only_read)
            read &= ~kept_only(liveness, &liveness->conventions.facts[block->procedure], facts);
        /* A trap, or a word that is no instruction, needs all registers, since its effect is unknown. */
        if (liveness->only_read && (read & liveness->registers->integers) == liveness->registers->integers)
            read = 0;
        use |= read & ~define;
        define |= needed_written(facts);
        unread = (unread & ~needed_read(facts)) | needed_written(facts);
    }
    liveness->passed[index] = block->end == END_RETURN ? unread & liveness->to_callee : 0;
    liveness->use[index] = use;
    liveness->define[index] = define;
}

/* The destinations of the block. */
static void summarise_block(struct liveness *liveness, uint32_t index) {
    struct program *program = liveness->program;
    struct basic_block *block = &program->blocks[index];
    struct procedure_summary *summary = &liveness->summaries[block->procedure];
    for (uint32_t e = 0; e < block->successor_count; e++) {
        uint32_t to = program->edges[block->first_successor + e].to;
        liveness->leads_back[to] |= to <= index;
    }
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        summary->any_live |= needed_read(facts_of(program, i));
    block->live_in = block->live_out = 0;
    uint32_t far = liveness->conventions.far[index];
    if (far != NO_INDEX)
        liveness->leads_back[far] |= program->blocks[far].procedure == block->procedure;
    if (block->end == END_RETURN && last_of(liveness, block)->target != liveness->registers->link)
        summary->uses_unknown = true;
    if ((block->end == END_CALL || block->end == END_JUMP_UNKNOWN) && far == NO_INDEX)
        summary->uses_unknown = true;
    if (block->leaders & LEADER_UNKNOWN_JUMP)
        summary->lost_jump = true;
    if (block->leaders & LEADER_ADDRESS_TAKEN && index != program->procedures[block->procedure].first_block)
        summary->has_labels = true;
}

/* ---- equations ----------------------------------------------------------------------------------- */

/* Registers that unknown code may read. */
static register_set possibly_read(const struct liveness *liveness, register_set registers) {
    return liveness->only_read ? 0 : registers;
}

/* The block after a block that ends with a transfer with a link, to which control may return; NO_INDEX if
   there is none. */
static uint32_t return_point(const struct liveness *liveness, uint32_t index) {
    const struct program *program = liveness->program;
    uint32_t last = block_last(&program->blocks[index]);
    bool has_link = facts_of(program, last)->link != REGISTER_NONE;
    return has_link && index + 1 < program->block_count &&
                   object_holding(program, last) == object_holding(program, last + 1)
               ? index + 1
               : NO_INDEX;
}

static register_set live_at_call(const struct liveness *liveness, uint32_t index,
                                 const struct procedure_summary *summary) {
    const struct program *program = liveness->program;
    const struct basic_block *block = &program->blocks[index];
    unsigned link = last_of(liveness, block)->link;
    register_set live = possibly_read(liveness, liveness->registers->callee_saved) | summary->landing_live;
    if (liveness->conventions.far[index] != NO_INDEX)
        live |= liveness->returns_matter ? liveness->needed[liveness->conventions.far[index]]
                                         : program->blocks[liveness->conventions.far[index]].live_in;
    else
        live |= liveness->unknown_callee[link];
    return live;
}

static register_set live_at_jump(const struct liveness *liveness, uint32_t index,
                                 const struct procedure_summary *summary) {
    const struct program *program = liveness->program;
    if (liveness->conventions.far[index] != NO_INDEX)
        return program->blocks[liveness->conventions.far[index]].live_in;
    unsigned target = last_of(liveness, &program->blocks[index])->target;
    register_set outside = liveness->unknown_callee[liveness->registers->link];
    if (liveness->returns_matter)
        outside |= possibly_read(liveness, liveness->at_return) | summary->return_live;
    if (linkage_at(program, program->blocks[index].first))
        return possibly_read(
            liveness, liveness->registers->all); /* to the dynamic linker, which also reads $25 and $28 */
    if (summary->lost_jump)
        return outside | summary->any_live;
    if (summary->has_labels)
        return outside | summary->label_live;
    const unsigned procedure_value = liveness->registers->procedure_value;
    return target == procedure_value || procedure_value == REGISTER_NONE
               ? outside
               : outside | possibly_read(liveness, liveness->registers->all);
}

/* The effects of the last instruction's callee, or of the target of a branch with a link; NULL: unknown. */
static const struct procedure_facts *facts_of_callee(const struct liveness *liveness, uint32_t block) {
    uint32_t far = liveness->conventions.far[block];
    return far == NO_INDEX ? NULL : &liveness->conventions.facts[liveness->program->blocks[far].procedure];
}

/* The registers that a caller can read after its call: results, registers that the callee leaves unchanged,
   and registers that the caller reads although the callee changes them. If another register appears live
   there, the path to its use is never taken, or it belongs to a call with fewer arguments than argument
   registers. */
static register_set live_after_return(const struct liveness *liveness, uint32_t block) {
    const struct procedure_facts *facts = facts_of_callee(liveness, block);
    bool is_standard =
        last_of(liveness, &liveness->program->blocks[block])->link == liveness->registers->link;
    if (liveness->only_read)
        return liveness->registers->all;
    if (!facts)
        return is_standard ? liveness->at_return : liveness->registers->all;
    return ~(facts->changes & (is_standard ? ~liveness->at_return : set_of(liveness->registers->spill))) |
           liveness->read_in[block + 1];
}

/* The registers whose values a caller can expect to be unchanged after the call. */
static register_set live_across_call(const struct liveness *liveness, uint32_t block) {
    uint32_t far = liveness->conventions.far[block];
    const struct procedure_facts *facts = facts_of_callee(liveness, block);
    bool is_standard =
        last_of(liveness, &liveness->program->blocks[block])->link == liveness->registers->link;
    /* A call with another link may rely on all registers that are not actually changed. */
    if (!is_standard && (!facts || facts->roughly))
        return liveness->registers->all;
    /* A caller that does not recompute $29 relies on it, even if the callee's ldgp, which the call may
       skip, sets it to the same value. */
    if (!facts)
        return liveness->registers->callee_saved | set_of(liveness->registers->data_base) | liveness->kept;
    register_set open = ~liveness->conventions.overwritten[far];
    return set_of(liveness->registers->data_base) |
           (liveness->only_read ? open : ~facts->changes | (liveness->read_in[block + 1] & open));
}

/* For a last instruction that branches into another procedure, which returns in place of this procedure. */
static register_set live_at_tail(const struct liveness *liveness, uint32_t index) {
    const struct program *program = liveness->program;
    uint32_t far = liveness->conventions.far[index];
    const struct procedure_facts *facts = facts_of_callee(liveness, index);
    if (!liveness->returns_matter || facts->links & ~set_of(liveness->registers->link))
        return program->blocks[far].live_in;
    register_set wanted = possibly_read(liveness, liveness->at_return) |
                          liveness->summaries[program->blocks[index].procedure].return_live;
    return liveness->needed[far] | (wanted & ~liveness->conventions.overwritten[far]);
}

/* After a branch with a link: the registers live there that the code at the branch's target leaves
   unchanged. */
static register_set live_behind(const struct liveness *liveness, uint32_t index) {
    uint32_t point = return_point(liveness, index);
    return point == NO_INDEX ? 0
                             : liveness->program->blocks[point].live_in & live_across_call(liveness, index);
}

static register_set live_at_end(const struct liveness *liveness, uint32_t index) {
    const struct program *program = liveness->program;
    const struct basic_block *block = &program->blocks[index];
    const struct procedure_summary *summary = &liveness->summaries[block->procedure];
    register_set live = 0;
    bool goes_on = block->end == END_CALL ? call_returns(&liveness->conventions, index) : true;
    if (liveness->only_read && ends_for_good(program, index))
        goes_on = false;
    for (uint32_t e = 0; goes_on && e < block->successor_count; e++)
        live |= program->blocks[program->edges[block->first_successor + e].to].live_in;
    uint32_t next = block->first + block->count;
    bool runs_off = goes_on && (index + 1 == program->block_count ||
                                object_holding(program, next - 1) != object_holding(program, next));
    switch ((enum block_end)block->end) {
    case END_CALL:
        live &= live_across_call(liveness, index);
        live |= live_at_call(liveness, index, summary);
        break;
    case END_RETURN: {
        unsigned link = last_of(liveness, block)->target;
        if (!liveness->returns_matter)
            return 0;
        if (summary->lost_jump) /* control may go anywhere in the procedure by a return */
            live |= summary->any_live;
        live |= possibly_read(liveness, liveness->at_return | liveness->passed[index]) | summary->return_live;
        if (link != liveness->registers->link)
            live |= liveness->unknown_return[link];
        runs_off = false;
        break;
    }
    case END_JUMP_UNKNOWN:
        return live_at_jump(liveness, index, summary);
    case END_TAIL_BRANCH:
        return liveness->conventions.far[index] == NO_INDEX
                   ? possibly_read(liveness, liveness->registers->all)
                   : live_at_tail(liveness, index) | live_behind(liveness, index);
    case END_COND_BRANCH:
        if (liveness->conventions.far[index] != NO_INDEX)
            live |= live_at_tail(liveness, index);
        else if (branch_target(program, block_last(block)) == NO_INDEX)
            live = possibly_read(liveness, liveness->registers->all);
        break;
    case END_BRANCH:
        live |= live_behind(liveness, index);
        runs_off = false;
        break;
    case END_JUMP_TABLE:
        runs_off = false;
        break;
    default:
        break;
    }
    return runs_off ? possibly_read(liveness, liveness->registers->all) : live;
}

/* Iterates the blocks of one procedure to a fixed point. Returns true if the result has changed for a block
   that other procedures may enter. */
static bool solve_procedure(struct liveness *liveness, uint32_t index) {
    const struct program *program = liveness->program;
    const struct procedure *procedure = &program->procedures[index];
    struct procedure_summary *summary = &liveness->summaries[index];
    bool entries_changed = false;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = procedure->first_block + procedure->block_count; i-- > procedure->first_block;) {
            struct basic_block *block = &program->blocks[i];
            register_set out = live_at_end(liveness, i);
            register_set in = liveness->use[i] | (out & ~liveness->define[i]);
            block->live_out = out;
            if (in == block->live_in)
                continue;
            block->live_in = in;
            again |= liveness->leads_back[i];
            entries_changed |= is_entered_by_procedures(block->leaders);
            summary->any_live |= in;
            if (block->leaders & LEADER_LANDING_PAD)
                summary->landing_live |=
                    in & (liveness->registers->callee_saved | set_of(liveness->registers->data_base));
            if (block->leaders & LEADER_ADDRESS_TAKEN && i != procedure->first_block)
                summary->label_live |= in;
        }
    }
    return entries_changed;
}

static void add_return_live(struct liveness *liveness, uint32_t procedure, register_set live) {
    struct procedure_summary *summary = &liveness->summaries[procedure];
    if ((live & ~summary->return_live) == 0)
        return;
    summary->return_live |= live;
    enqueue_procedure(&liveness->conventions.queue, procedure);
}

/* Passes the registers live at return points to the procedures that this one calls or continues in. */
static void pass_returns_on(struct liveness *liveness, uint32_t index) {
    const struct program *program = liveness->program;
    const struct procedure *procedure = &program->procedures[index];
    register_set own = liveness->summaries[index].return_live;
    for (uint32_t i = procedure->first_block; i < procedure->first_block + procedure->block_count; i++) {
        const struct basic_block *block = &program->blocks[i];
        uint32_t far = liveness->conventions.far[i];
        bool goes_on = block->end != END_CALL || call_returns(&liveness->conventions, i);
        for (uint32_t e = 0; goes_on && e < block->successor_count; e++) {
            uint32_t to = program->blocks[program->edges[block->first_successor + e].to].procedure;
            if (to != index)
                add_return_live(liveness, to, own); /* control falls through, or a table leads there */
        }
        if (block->end != END_CALL && far != NO_INDEX && program->blocks[far].procedure != index)
            add_return_live(liveness, program->blocks[far].procedure, own);
        uint32_t point = return_point(liveness, i);
        if (point == NO_INDEX || !goes_on)
            continue;
        register_set after = program->blocks[point].live_in & live_after_return(liveness, i);
        if (far != NO_INDEX)
            add_return_live(liveness, program->blocks[far].procedure, after);
        if (far == NO_INDEX || block->end != END_CALL)
            liveness->unknown_return[last_of(liveness, block)->link] |= after;
    }
}

/* The needs of a procedure's labels and landing pads: they are live at the ends of blocks of the same
   procedure. */
static register_set fed_back(const struct procedure_summary *summary) {
    return summary->landing_live | (summary->has_labels ? summary->label_live : 0) |
           (summary->lost_jump ? summary->any_live : 0);
}

static void drain_queue(struct liveness *liveness) {
    for (uint32_t procedure; dequeue_procedure(&liveness->conventions.queue, &procedure);) {
        const struct procedure_summary *own = &liveness->summaries[procedure];
        register_set before;
        bool entries_changed = false;
        do {
            before = fed_back(own);
            entries_changed |= solve_procedure(liveness, procedure);
        } while (fed_back(own) != before);
        if (liveness->returns_matter)
            pass_returns_on(liveness, procedure);
        if (entries_changed)
            enqueue_dependents(&liveness->conventions, procedure);
    }
}

/* Recomputes the needs of unknown callees; returns true if they grew. */
static bool widen_callees(struct liveness *liveness) {
    const struct program *program = liveness->program;
    bool grew = false;
    for (uint32_t i = 0; i < program->procedure_count; i++) {
        const struct procedure_facts *facts = &liveness->conventions.facts[i];
        register_set entry = program->blocks[program->procedures[i].first_block].live_in & ~facts->restores;
        uint32_t links = facts->links ? facts->links : (uint32_t)set_of(liveness->registers->link);
        for (unsigned link = 0; program->procedures[i].escapes && link < 31; link++) {
            register_set passed =
                link == liveness->registers->link ? entry & ~liveness->registers->linkage : entry;
            if (links >> link & 1 && passed & ~liveness->unknown_callee[link]) {
                liveness->unknown_callee[link] |= passed;
                grew = true;
            }
        }
    }
    return grew;
}

/* Returns true if the registers that unknown callers expect to be preserved grew. */
static bool widen_callers(struct liveness *liveness, register_set *known) {
    register_set returns = 0;
    for (unsigned i = 0; i < 31; i++)
        if (i != liveness->registers->link)
            returns |= liveness->unknown_return[i];
    bool grew = returns != *known;
    *known = returns;
    return grew;
}

static void enqueue_users_of_unknown(struct liveness *liveness) {
    for (uint32_t i = 0; i < liveness->program->procedure_count; i++)
        if (liveness->summaries[i].uses_unknown)
            enqueue_procedure(&liveness->conventions.queue, i);
    drain_queue(liveness);
}

/* Registers that callers of code of which not all is known rely on, beyond the standard, as they read them
   after the call: the only_read solution says which. */
static register_set kept_over_unknown_calls(const struct liveness *liveness) {
    const struct program *program = liveness->program;
    register_set kept = 0;
    for (uint32_t i = 0; i < program->block_count && liveness->registers->kept_over_calls; i++) {
        uint32_t point = return_point(liveness, i);
        const struct procedure_facts *callee = facts_of_callee(liveness, i);
        if (program->blocks[i].end == END_CALL && point != NO_INDEX && (!callee || callee->roughly) &&
            call_returns(&liveness->conventions, i))
            kept |= liveness->needed[point] & liveness->registers->kept_over_calls;
    }
    return kept;
}

static void solve_liveness(struct liveness *liveness) {
    const struct program *program = liveness->program;
    register_set known_returns = 0;
    memset(liveness->summaries, 0, program->procedure_count * sizeof *liveness->summaries);
    for (unsigned link = 0; link < 32; link++) {
        /* the division routines of another object, or division routines called by another object */
        bool is_open = program->is_dynamic && link != liveness->registers->link;
        liveness->unknown_callee[link] =
            possibly_read(liveness, is_open ? liveness->registers->all : liveness->to_callee);
        liveness->unknown_return[link] = possibly_read(liveness, is_open ? liveness->registers->all : 0);
    }
    for (uint32_t i = 0; i < program->block_count; i++)
        summarise_block(liveness, i);
    for (int round = 0; round < 2; round++) {
        liveness->returns_matter = round == 1;
        liveness->conventions.queue.callers_first = liveness->returns_matter;
        enqueue_all_procedures(&liveness->conventions.queue);
        drain_queue(liveness);
        while (round == 0 ? !liveness->only_read && widen_callees(liveness)
                          : widen_callers(liveness, &known_returns))
            enqueue_users_of_unknown(liveness);
        for (uint32_t i = 0; round == 0 && i < program->block_count; i++)
            liveness->needed[i] = program->blocks[i].live_in;
    }
}

void liveness_analyse(struct program *program) {
    struct liveness liveness = {.program = program, .registers = &program->architecture->registers};
    const register_set standard = liveness.registers->callee_saved | set_of(liveness.registers->link);
    liveness.at_return = live_at_any_return(liveness.registers);
    liveness.to_callee = passed_to_any_callee(liveness.registers);
    struct arena *scratch = program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    size_t blocks = program->block_count;
    liveness.use = arena_allocate(scratch, blocks * sizeof *liveness.use);
    liveness.define = arena_allocate(scratch, blocks * sizeof *liveness.define);
    liveness.passed = arena_allocate(scratch, blocks * sizeof *liveness.passed);
    liveness.needed = arena_allocate(scratch, blocks * sizeof *liveness.needed);
    liveness.read_in = arena_allocate(scratch, blocks * sizeof *liveness.read_in);
    liveness.leads_back = arena_allocate(scratch, blocks * sizeof *liveness.leads_back);
    liveness.summaries = arena_allocate(scratch, program->procedure_count * sizeof *liveness.summaries);
    for (uint32_t i = 0; i < program->block_count; i++)
        summarise_instructions(&liveness, i);
    conventions_find(&liveness.conventions, program, liveness.define);
    liveness.only_read = liveness.conventions.as_compiled = true;
    for (uint32_t i = 0; i < program->block_count; i++)
        summarise_instructions(&liveness, i);
    solve_liveness(&liveness);
    for (uint32_t i = 0; i < program->block_count; i++)
        liveness.read_in[i] = program->blocks[i].live_in;
    liveness.kept = kept_over_unknown_calls(&liveness);
    liveness.at_return |= liveness.kept;
    liveness.only_read = liveness.conventions.as_compiled = false;
    for (uint32_t i = 0; i < program->block_count; i++)
        summarise_instructions(&liveness, i);
    solve_liveness(&liveness);
    for (uint32_t i = 0; i < program->block_count; i++)
        program->blocks[i].never_returns =
            program->blocks[i].end == END_CALL && !call_returns(&liveness.conventions, i);
    for (uint32_t i = 0; i < program->procedure_count; i++)
        program->procedures[i].kept = liveness.conventions.facts[i].saves & ~standard;
    for (uint32_t i = 0; i < program->entry_count; i++) {
        uint32_t block = block_at(program, program->entries[i].instruction);
        program->procedures[program->entries[i].procedure].passed_through |=
            program->blocks[block].live_in & ~liveness.needed[block] & ~standard;
    }
    arena_release(scratch, mark);
}

/* The caller's register that the instruction saves on the stack; empty if there is none. */
static register_set saved_register(const struct program *program, const struct facts *facts) {
    const struct conventions_of_machine *registers = &program->architecture->registers;
    return facts->memory[0].base == registers->stack && facts->memory_count
               ? stored_in_frame(program, facts) & (registers->callee_saved | set_of(registers->link))
               : 0;
}

/* The registers that a procedure's beginning saves in this block. An unwinder assumes all of them to be
   unchanged up to the last save, at which the table of frames (.eh_frame) records them as saved: a signal's
   handler may unwind from there. */
static register_set saved_in_block(const struct program *program, const struct basic_block *block) {
    register_set saved = 0;
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        saved |= saved_register(program, facts_of(program, i));
    return saved & set_of(program->architecture->registers.link) ? saved : 0;
}

/* The registers that must hold their values before the instruction. *saved: on entry, the registers saved up
   to and including it; on return, the registers saved before it.
 */
static register_set needed_to_unwind(const struct program *program, const struct facts *facts,
                                     register_set *saved) {
    register_set here = *saved ? saved_register(program, facts) & *saved : 0;
    *saved &= ~here;
    return here ? *saved : 0;
}

void liveness_of_block(const struct program *program, uint32_t index, register_set *before) {
    const struct basic_block *block = &program->blocks[index];
    register_set live = block->live_out, saved = saved_in_block(program, block);
    const struct observation *at =
        program->observation_count ? observation_from(program, block->first + block->count) : NULL;
    before[block->count] = live;
    for (uint32_t i = block->count; i-- > 0;) {
        const struct facts *facts = facts_of(program, block->first + i);
        live = at ? observed_across(program, block->first + i, live, &at) : live & ~needed_written(facts);
        live |= needed_read(facts) | needed_to_unwind(program, facts, &saved);
        before[i] = live;
    }
}

void own_liveness_of_block(const struct program *program, uint32_t index, register_set *before) {
    const struct basic_block *block = &program->blocks[index];
    register_set live = before[block->count] = program->own_live_out[index];
    register_set saved = saved_in_block(program, block);
    for (uint32_t i = block->count; i-- > 0;) {
        const struct facts *facts = facts_of(program, block->first + i);
        before[i] = live =
            (live & ~needed_written(facts)) | needed_read(facts) | needed_to_unwind(program, facts, &saved);
    }
}

register_set needed_for_sure(const struct program *program, const struct basic_block *block,
                             uint32_t instruction, register_set live) {
    const register_set passed = program->procedures[block->procedure].passed_through;
    register_set read = 0, open = live & passed;
    for (uint32_t i = instruction; open && i < block->first + block->count; i++) {
        const struct facts *facts = facts_of(program, i);
        read |= needed_read(facts) & open;
        open &= ~(needed_read(facts) | needed_written(facts));
    }
    return (live & ~passed) | read;
}
