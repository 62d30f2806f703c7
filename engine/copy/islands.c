/* islands.c: forward branches that would not reach. A branch reaches 4 MB of copies, and the position of its
   target is not known yet. When the oldest branch with an unknown target is about to get out of range, it is
   redirected to an island after the current procedure: a jump of any distance. Requires procedures copied in
   order.

   Branches within one procedure do not get islands: if a procedure is larger than a branch's range, they
   take another round of copying (rewrite.c). */
#include "engine/copy/internal.h"
#include "engine/count/counting.h"

/* An estimate of the words in the copy of a procedure in addition to its instructions. If it takes more,
   another round is needed. */
enum { MORE_WORDS = 256 };

/* The oldest branch that waits for a procedure after this one, or NULL. */
static const struct fixup *oldest_waiting(struct rewrite *rewrite, uint32_t index) {
    const struct procedure *procedure = &rewrite->program->procedures[index];
    for (; rewrite->copying->waiting_fixup < rewrite->code->layout.fixup_count;
         rewrite->copying->waiting_fixup++) {
        const struct fixup *fixup = &rewrite->code->layout.fixups[rewrite->copying->waiting_fixup];
        if (fixup->kind == FIXUP_OUTSIDE && fixup->target >= procedure->first + procedure->count)
            return fixup;
    }
    return NULL;
}

bool islands_due(struct rewrite *rewrite, uint32_t index) {
    const struct program *program = rewrite->program;
    const struct fixup *oldest = oldest_waiting(rewrite, index);
    uint64_t next = index + 1 < program->procedure_count ? program->procedures[index + 1].count : 0;
    uint64_t room = MORE_WORDS + MOST_WORDS * (program->procedures[index].count + next);
    return oldest && code_position(&rewrite->code->copies) - oldest->position + room >
                         rewrite->machine->farthest_branch;
}

void islands_emit(struct rewrite *rewrite, uint32_t index) {
    struct code *code = &rewrite->code->copies;
    if (!islands_due(rewrite, index))
        return;
    /* control is outside of the procedure */
    range_landing(rewrite, rewrite->program->procedures[index].first_block, false);
    do {
        struct fixup *fixup = &rewrite->code->layout.fixups[rewrite->copying->waiting_fixup];
        uint32_t target = fixup->target;
        fixup->kind = FIXUP_STUB;
        fixup->target = code_position(code);
        ARENA_RESERVE(rewrite->round, rewrite->copying->islands, rewrite->copying->island_count,
                      rewrite->copying->island_capacity);
        rewrite->copying->islands[rewrite->copying->island_count++] =
            (struct atomc_inside){code_address(code), target};
        emit_far_jump(rewrite, target, FIXUP_OUTSIDE);
    } while (islands_due(rewrite, index));
}
