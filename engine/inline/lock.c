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

static uint32_t lock_address(const struct rewrite *rewrite) {
    return (uint32_t)analysis_symbol(rewrite->analysis, "atomc_lock_owner");
}

/* The owner that is stored differs from any thread's pointer + 1. */
void lock_take(struct rewrite *rewrite, unsigned base, unsigned owner, struct open_branches *branches) {
    branches->locked = machine_lock(&rewrite->code->copies, lock_address(rewrite), base, owner);
    branches->refusal = (struct refusal){branches->locked, (uint8_t)base, (uint8_t)owner};
}

void lock_wait(struct rewrite *rewrite, const struct refusal *refusal) {
    enum { TIMES = 64 };
    machine_lock_again(&rewrite->code->copies, lock_address(rewrite), refusal->branch, refusal->base,
                       refusal->owner, TIMES);
}

void lock_release(struct rewrite *rewrite, unsigned base) {
    machine_unlock(&rewrite->code->copies, lock_address(rewrite), base);
}
