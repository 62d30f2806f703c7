/* observations.c: registers that sites read after the program's last use, such as the old value of a register
   that a load overwrites. They are live from the instruction that produces the value to the site that reads
   it, not everywhere. Requires liveness, and sites without derived updates. Adds to the live_in and live_out
   of blocks; for observations within a block, liveness_of_block reads program.observations.

   The calling standard does not hold for observed registers: a site may also read a value that a callee
   leaves in a temporary register. So all registers that any site of the program observes are live wherever
   control leaves a procedure. Sites at branches, calls and in locked sequences are not handled here. The code
   that emits them adds the registers that they read to rewrite.observed; these are preserved everywhere. The
   same applies to a register that the site's instruction stores only to preserve it (procedure.kept): its
   value may be from any earlier code. */

#include "engine/copy/internal.h"
#include "engine/cfg/cfg.h"
#include "engine/dataflow/dataflow.h"

/* ---- what each instruction's sites observe --------------------------------------------------------------- */

static void observe_site(const struct rewrite *rewrite, const struct site *site,
                         struct observation *observed) {
    const struct call_context context = {.instruction = site->instruction, .taken = -1};
    const struct facts *facts = facts_of(rewrite->program, site->instruction);
    register_set sources = site_sources(rewrite, site, &context);
    if (site->point <= SITE_BEFORE) {
        observed->before |= sources;
    } else {
        observed->after |= sources;
        observed->before |= wants_old(site, facts) ? facts->written : 0;
    }
}

/* Adds one observation for each instruction of the block whose sites observe a dead register. *others:
   registers that sites read and whose values have to stay in these registers. */
static void observe_block(struct rewrite *rewrite, struct program *program, uint32_t block,
                          const struct site *first, const struct site *end, register_set *others) {
    const struct basic_block *here = &program->blocks[block];
    struct arena_mark mark = arena_mark(program->scratch);
    register_set *live = arena_allocate(program->scratch, ((size_t)here->count + 1) * sizeof *live);
    uint32_t locked = NO_INDEX;
    liveness_of_block(program, block, live);
    for (uint32_t i = here->first; i < here->first + here->count; i++) {
        struct observation observed = {.instruction = i};
        for (; first < end && first->instruction == i; first++) {
            observe_site(rewrite, first, &observed);
            *others |= first->point == SITE_ENTRY ? observed.before : 0;
        }
        if (locked == NO_INDEX)
            locked = locked_sequence_end(program, i);
        bool inside = locked != NO_INDEX;
        rewrite->observed |= observed.before & program->procedures[here->procedure].kept &
                             stored_in_frame(program, facts_of(program, i));
        if (locked == i)
            locked = NO_INDEX;
        register_set new =
            (observed.before & ~needed_for_sure(program, here, i, live[i - here->first])) |
            (observed.after & ~needed_for_sure(program, here, i + 1, live[i + 1 - here->first]));
        if (inside || !is_plain(facts_of(program, i))) {
            *others |= new;
            continue;
        }
        if (new == 0)
            continue;
        ARENA_RESERVE(program->arena, program->observations, program->observation_count,
                      program->observation_capacity);
        program->observations[program->observation_count++] = observed;
        program->observed |= new;
    }
    arena_release(program->scratch, mark);
}

static register_set observe_program(struct rewrite *rewrite, struct program *program) {
    register_set others = 0;
    const struct site *site = rewrite->sites->sites, *end = site + rewrite->sites->count;
    while (site < end) {
        uint32_t block = block_at(program, site->instruction);
        const struct site *first = site;
        uint32_t after_block = program->blocks[block].first + program->blocks[block].count;
        while (site < end && site->instruction < after_block)
            site++;
        observe_block(rewrite, program, block, first, site, &others);
    }
    return others;
}

void observe_sources(struct rewrite *rewrite, uint32_t instruction, bool is_behind, register_set sources,
                     register_set live) {
    const struct program *program = rewrite->program;
    const struct observation known = observation_at(program, instruction);
    const struct basic_block *block = &program->blocks[block_at(program, instruction)];
    rewrite->observed |= sources & ~needed_for_sure(program, block, instruction + is_behind, live) &
                         ~(known.before | known.after);
}

/* ---- the flow --------------------------------------------------------------------------------------------- */

static void spread_observations(struct program *program) {
    struct arena_mark mark = arena_mark(program->scratch);
    register_set *needed = arena_allocate(program->scratch, program->block_count * sizeof(register_set));
    for (uint32_t i = 0; i < program->procedure_count; i++)
        observations_spread(program, &program->procedures[i], needed);
    for (uint32_t i = 0; i < program->block_count; i++) {
        program->blocks[i].live_in |= needed[i];
        program->blocks[i].live_out |= observed_at_end(program, i, needed);
    }
    arena_release(program->scratch, mark);
}

void observations_find(struct rewrite *rewrite, struct program *program) {
    if (rewrite->options->without[WITHOUT_LIVENESS] || rewrite->options->without[WITHOUT_OBSERVATIONS])
        return;
    program->observation_count = 0;
    program->aside = 0;
    ARENA_RESERVE(program->arena, program->observations, 0, program->observation_capacity);
    register_set others = observe_program(rewrite, program);
    if (program->observed == 0)
        return;
    program->own_live_out = arena_allocate(program->flow, program->block_count * sizeof(register_set));
    for (uint32_t i = 0; i < program->block_count; i++)
        program->own_live_out[i] = program->blocks[i].live_out;
    program->aside = aside_choose(rewrite, others | rewrite->observed);
    program->observed &= ~program->aside;
    spread_observations(program);
}

void observations_in_registers(struct program *program) {
    if (!program->aside)
        return;
    program->observed |= program->aside;
    program->aside = 0;
    spread_observations(program);
}
