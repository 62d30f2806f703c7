/* system_calls.c: the program's system calls: those that the runtime has to see are gated.
   Requires the numbers of those, of runtime/gated_calls.h. */
#include "engine/copy/internal.h"
#include "engine/places/places.h"
#include "engine/count/counting.h"
#include "engine/image/image.h"
#include "runtime/gated_calls.h"

static bool is_one_of(int64_t number, const int32_t *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (list[i] == number)
            return true;
    return false;
}

/* May the system call that ends the block be one that the runtime handles? Not if its number is known, and
 * another. */
bool call_is_gated(const struct rewrite *rewrite, const struct basic_block *block) {
    static const int32_t always[] = {ATOMC_GATED_CALLS}, objects[] = {ATOMC_OBJECT_CALLS},
                         masks[] = {ATOMC_MASK_CALLS};
    const struct program *program = rewrite->program;
    int64_t number = system_call_number(program, block_last(block));
    if (number < 0)
        return true;
#define IS_ONE_OF(list) is_one_of(number, list, sizeof(list) / sizeof *(list))
    return IS_ONE_OF(always) || (program->interpreter && IS_ONE_OF(objects)) ||
           (counting_stops(rewrite) && IS_ONE_OF(masks));
#undef IS_ONE_OF
}

/* A system call of the program's: the runtime's gate looks first (exit, fork, threads, handlers). The call
   itself is made here, so that children and restarted calls go on in the copy. */
void copy_system_call(struct rewrite *rewrite, const struct basic_block *block) {
    struct code *code = &rewrite->code->copies;
    if (!call_is_gated(rewrite, block)) {
        emit(code, alpha_pal(ALPHA_PAL_CALLSYS));
        return;
    }
    const char *name = rewrite->program->interpreter ? "atomc_object_gate" : "atomc_program_gate";
    uint32_t gate = (uint32_t)analysis_symbol(rewrite->analysis, name);
    emit_enter_stack(rewrite, code, 16);
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_RA, 0, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_AT, 8, ALPHA_SP));
    emit_address(code, gate, ALPHA_RA);
    emit(code, alpha_jump(ALPHA_JSR, ALPHA_RA, ALPHA_RA, 0));
    int words = rewrite->code->stack_offset ? 4 : 3; /* to undo what was done */
    emit(code, alpha_branch(ALPHA_BNE, ALPHA_AT, words + 2));
    for (int made = 0; made < 2; made++) {
        emit(code, alpha_memory(ALPHA_LDQ, ALPHA_RA, 0, ALPHA_SP));
        emit(code, alpha_memory(ALPHA_LDQ, ALPHA_AT, 8, ALPHA_SP));
        emit_leave_stack(rewrite, code, 16);
        if (!made) {
            emit(code, alpha_pal(ALPHA_PAL_CALLSYS));
            emit(code, alpha_branch(ALPHA_BR, ALPHA_ZERO, words));
        }
    }
}
