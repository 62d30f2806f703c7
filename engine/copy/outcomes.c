/* outcomes.c: sites before a conditional branch that read its outcome are emitted on both outcomes instead.
   There the outcome is a constant, and registers that the program no longer needs on that path are free. The
   runtime treats them as before the branch. Requires counting_plan(). */

#include "engine/copy/internal.h"
#include "engine/cfg/cfg.h"
#include "engine/count/counting.h"
#include "engine/routine/routine.h"

static bool reads_outcome(const struct site_expression *expression, void *context) {
    (void)context;
    return expression->op == PLAN_OP_VALUE && expression->leaf.value == PLAN_VALUE_TAKEN;
}

/* Calls would double the code, and would not be faster. */
bool stands_on_outcomes(const struct rewrite *rewrite, const struct point_sites *sites,
                        uint32_t instruction) {
    bool any = false;
    if (rewrite->options->without[WITHOUT_SPLITTING] || !rewrite->inliner ||
        facts_of(rewrite->program, instruction)->transfer != TRANSFER_COND_BRANCH)
        return false;
    for (uint32_t i = 0; i < sites->count; i++) {
        if (!inline_possible(rewrite, &sites->first[i]) || sites->first[i].action->sample)
            return false;
        any |= site_any(&sites->first[i], reads_outcome, NULL);
    }
    return any;
}

/* If a branch of the code just inlined goes to the end of this code, and a branch to the target follows
   there, the first branch can go to the target itself. */
static void shorten_branches(struct rewrite *rewrite, uint32_t begin, uint32_t target, enum fixup_kind kind) {
    struct code *code = &rewrite->code->copies;
    uint32_t end = code_position(code);
    for (uint32_t at = begin; at + 1 < end;
         at++) { /* the last word may be a call's branch without a target yet */
        if (!machine_is_conditional(code->machine, code->words[at], (int64_t)end - at - 1))
            continue;
        ARENA_RESERVE(rewrite->round, rewrite->code->layout.fixups, rewrite->code->layout.fixup_count,
                      rewrite->code->layout.fixup_capacity);
        rewrite->code->layout.fixups[rewrite->code->layout.fixup_count++] =
            (struct fixup){.position = at, .target = target, .kind = (uint8_t)kind};
    }
}

static register_set live_on_way(const struct rewrite *rewrite, uint32_t block, uint32_t to,
                                register_set otherwise) {
    return to == NO_INDEX ? otherwise
                          : rewrite->program->blocks[to].live_in | promoted_registers(rewrite, block);
}

void emit_on_outcome(struct rewrite *rewrite, const struct point_sites *sites, uint32_t instruction,
                     bool taken, register_set live_after) {
    const struct program *program = rewrite->program;
    uint32_t block = block_at(program, instruction), target = branch_target(program, instruction);
    uint32_t next = falls_through(program, block) ? block + 1 : NO_INDEX;
    uint32_t to = taken ? target == NO_INDEX ? NO_INDEX : block_at(program, target) : next;
    const struct call_context context = {
        .instruction = instruction, .live = live_on_way(rewrite, block, to, live_after), .taken = taken};
    struct arena_mark mark = arena_mark(rewrite->program->scratch);
    const struct site **list = arena_allocate(rewrite->program->scratch, sites->count * sizeof *list);
    for (uint32_t i = 0; i < sites->count; i++)
        list[i] = &sites->first[i];
    calls_emit(rewrite, list, sites->count, &context);
    arena_release(rewrite->program->scratch, mark);
}

void emit_taken_outcome(struct rewrite *rewrite, const struct point_sites *sites, uint32_t instruction,
                        register_set live_after, enum fixup_kind kind) {
    uint32_t begin = code_position(&rewrite->code->copies),
             target = branch_target(rewrite->program, instruction);
    struct rewrite_statistics before = rewrite->code->statistics;
    emit_on_outcome(rewrite, sites, instruction, true, live_after);
    rewrite->code->statistics.updates_made = before.updates_made; /* the other outcome counts these sites */
    rewrite->code->statistics.calls_inlined = before.calls_inlined;
    for (uint32_t i = 0; i < sites->count; i++)
        if (sites->first[i].kind == PLAN_ACTION_CALL)
            rewrite->routines->calls[sites->first[i].action->routine].inlined--;
    bool goes_on = target != NO_INDEX && is_copied(rewrite, target) && !is_far(rewrite, target) &&
                   !counts_taken(rewrite, block_at(rewrite->program, instruction));
    if (goes_on)
        shorten_branches(rewrite, begin, target, kind);
}
