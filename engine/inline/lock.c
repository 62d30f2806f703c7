/* lock.c: the lock around code that is inlined at a point where there may be threads. Requires steps in
   order, and the lock that wrappers take (runtime/machine/alpha/entry.S).

   Code that does not get the lock soon makes calls out of line, by wrappers, which wait as long as
   necessary. If a signal interrupts code that holds it, the runtime first executes that code to its end
   (runtime/signals/deferral.c). */
#include <assert.h>

#include "engine/image/image.h"
#include "engine/inline/internal.h"

static bool accesses_memory(const struct step *step) {
    return step->kind == STEP_LOAD || step->kind == STEP_STORE;
}

/* Moves values that calls.c or compute.c computes to the front: their code may be of any kind. */
static void move_values_first(struct steps *steps) {
    struct step others[MOST_STEPS];
    uint32_t values = 0, other_count = 0;
    for (uint32_t i = 0; i < steps->count; i++) {
        if (steps->list[i].kind == STEP_FETCH || steps->list[i].kind == STEP_VALUE)
            steps->list[values++] = steps->list[i];
        else
            others[other_count++] = steps->list[i];
    }
    for (uint32_t i = 0; i < other_count; i++)
        steps->list[values + i] = others[i];
}

/* The values read may be of any time. If they lead to more work, the routine is called, and reads them
   again under the lock. */
bool only_looks(const struct rewrite *rewrite, const struct graph *graph) {
    for (uint32_t i = 0; i < graph->access_count; i++) {
        const struct access *access = &graph->accesses[i];
        if (access->kind == ACCESS_STORE)
            return false;
        if (access->kind != ACCESS_LOAD)
            continue;
        const struct node *address = &graph->nodes[access->address];
        uint64_t last = address->high | 7; /* ldq_u reads the whole quadword */
        if (last < address->high ||
            !analysis_is_unlocked(rewrite->analysis, address->low & ~UINT64_C(7), last + 1))
            return false;
    }
    return true;
}

void lock_place(struct steps *steps) {
    steps->lock = NO_INDEX;
    move_values_first(steps);
    for (uint32_t i = 0; i < steps->count && steps->lock == NO_INDEX; i++)
        if (accesses_memory(&steps->list[i]))
            steps->lock = i;
}

/* ---- code --------------------------------------------------------------------------------------------------- */

/* Loads the high part of the lock's address; returns the low part. */
static int emit_base(struct rewrite *rewrite, unsigned base) {
    uint32_t lock = (uint32_t)analysis_symbol(rewrite->analysis, "atomc_lock_owner");
    return machine_address_base(&rewrite->code->copies, lock, base);
}

/* Stores the high part of the lock's address as the owner, a value that differs from any thread's pointer +
   1. */
void lock_take(struct rewrite *rewrite, unsigned base, unsigned owner, struct open_branches *branches) {
    struct code *code = &rewrite->code->copies;
    int low = emit_base(rewrite, base);
    emit(code, alpha_memory(ALPHA_LDQ_L, owner, low, base));
    emit(code, alpha_branch(ALPHA_BNE, owner, 2));
    emit(code, alpha_memory(ALPHA_STQ_C, base, low, base));
    emit(code, alpha_branch(ALPHA_BNE, base, 1));
    branches->locked = code_position(code);
    branches->refusal = (struct refusal){branches->locked, (uint8_t)base, (uint8_t)owner};
    emit(code, alpha_branch(ALPHA_BR, ALPHA_ZERO, 0));
    emit(code, alpha_plain(ALPHA_MB));
}

void lock_wait(struct rewrite *rewrite, const struct refusal *refusal) {
    enum { TIMES = 64, TAKING = 5 }; /* words before the branch */
    struct code *code = &rewrite->code->copies;
    unsigned count = refusal->owner, base = refusal->base;
    uint32_t begin = refusal->branch - TAKING;
    emit(code, alpha_memory(ALPHA_LDA, count, TIMES, ALPHA_ZERO));
    uint32_t again = code_position(code);
    int low = emit_base(rewrite, base);
    emit(code, alpha_memory(ALPHA_LDQ, base, low, base));
    emit(code, alpha_branch(ALPHA_BEQ, base, (int64_t)begin - code_position(code) - 1));
    emit(code, alpha_literal(ALPHA_SUBQi, count, 1, count));
    emit(code, alpha_branch(ALPHA_BNE, count, (int64_t)again - code_position(code) - 1));
}

void lock_release(struct rewrite *rewrite, unsigned base) {
    struct code *code = &rewrite->code->copies;
    emit(code, alpha_plain(ALPHA_MB));
    int low = emit_base(rewrite, base);
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_ZERO, low, base));
}
