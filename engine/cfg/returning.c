/* returning.c: which procedures may return, before jump tables are known: control does not pass a call of one
   that cannot, such as exit() or abort(). Otherwise values behind such a call would be mixed with those of
   code that has nothing to do with it. Requires procedures. An indirect jump counts as a return. */
#include <string.h>

#include "engine/cfg/internal.h"

struct walk {
    const struct program *program;
    const uint8_t *returning; /* per procedure */
    uint8_t *seen;            /* per instruction: it was on the stack in this walk */
    uint32_t *stack, depth;
};

bool call_may_return(const struct program *program, const uint8_t *returning, uint32_t call) {
    if (facts_of(program, call)->flags & FACT_INDIRECT)
        return true;
    uint32_t target = branch_target(program, call);
    if (target == NO_INDEX)
        return true;
    uint32_t callee = procedure_at(program, target);
    return returning[callee] || target != program->procedures[callee].first;
}

static void walk_to(struct walk *walk, uint32_t instruction) {
    if (walk->seen[instruction])
        return;
    walk->seen[instruction] = 1;
    walk->stack[walk->depth++] = instruction;
}

/* Goes on at the target, or in the procedure of which it is the entry. Returns true if that may return. */
static bool leads_to_return(struct walk *walk, const struct procedure *procedure, uint32_t target) {
    if (target == NO_INDEX)
        return true;
    if (target >= procedure->first && target < procedure->first + procedure->count) {
        walk_to(walk, target);
        return false;
    }
    uint32_t other = procedure_at(walk->program, target);
    return walk->returning[other] || target != walk->program->procedures[other].first;
}

/* True if control may reach a return of the procedure from this instruction alone. Visits what follows. */
static bool returns_at(struct walk *walk, const struct procedure *procedure, uint32_t at) {
    const struct program *program = walk->program;
    const struct facts *facts = facts_of(program, at);
    uint32_t next = at + 1 < program->instruction_count ? at + 1 : NO_INDEX;
    switch (facts->transfer) {
    case TRANSFER_RETURN:
    case TRANSFER_JUMP:
        return true;
    case TRANSFER_BRANCH:
        return facts->link != REGISTER_NONE || leads_to_return(walk, procedure, branch_target(program, at));
    case TRANSFER_COND_BRANCH:
        return leads_to_return(walk, procedure, branch_target(program, at)) ||
               leads_to_return(walk, procedure, next);
    case TRANSFER_CALL:
        return call_may_return(program, walk->returning, at) && leads_to_return(walk, procedure, next);
    default:
        return leads_to_return(walk, procedure, next);
    }
}

static bool walk_returns(struct walk *walk, const struct procedure *procedure) {
    bool returns = false;
    memset(walk->seen + procedure->first, 0, procedure->count);
    walk->depth = 0;
    walk_to(walk, procedure->first);
    while (walk->depth > 0 && !returns)
        returns = returns_at(walk, procedure, walk->stack[--walk->depth]);
    return returns;
}

void returning_find(struct block_search *analysis) {
    const struct program *program = analysis->program;
    struct arena *scratch = program->scratch;
    analysis->returning = arena_allocate(analysis->arena, program->procedure_count);
    struct arena_mark mark = arena_mark(scratch);
    struct walk walk = {.program = program, .returning = analysis->returning};
    walk.seen = arena_allocate(scratch, program->instruction_count);
    walk.stack = arena_allocate(scratch, program->instruction_count * sizeof *walk.stack);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < program->procedure_count; i++)
            if (!analysis->returning[i] && walk_returns(&walk, &program->procedures[i]))
                analysis->returning[i] = again = true;
    }
    arena_release(scratch, mark);
}
