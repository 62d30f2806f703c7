/* save_area.c: the state that code saves around a call of an analysis routine: registers, the thread
   pointer, the floating-point control register; and the lock. Requires the set of registers to save. */
#include "engine/routine/internal.h"

struct wrapper_frame save_area_lay_out(uint32_t arguments, alpha_register_set saves) {
    struct wrapper_frame frame;
    uint32_t stack_arguments = arguments > REGISTER_ARGUMENTS ? arguments - REGISTER_ARGUMENTS : 0;
    frame.outgoing = 0;
    frame.link = 8 * stack_arguments;
    frame.thread_pointer = frame.link + 8;
    frame.argument = frame.thread_pointer + 8;
    frame.fpcr = frame.argument + 8;
    frame.saves = frame.fpcr + 8;
    frame.size = (frame.saves + 8 * (uint32_t)__builtin_popcountll(saves) + 15) & ~15u;
    return frame;
}

/* Calls lock or unlock if the program has threads: a test of a flag that the runtime sets at the first clone.
 */
void emit_lock(struct rewrite *rewrite, struct code *code, const char *symbol) {
    uint32_t flag = (uint32_t)analysis_symbol(rewrite->analysis, "atomc_threaded");
    uint32_t routine = (uint32_t)analysis_symbol(rewrite->analysis, symbol);
    int low = emit_high(code, flag, ALPHA_PV);
    emit(code, alpha_memory(ALPHA_LDL, ALPHA_PV, low, ALPHA_PV));
    uint32_t test = code_position(code);
    emit(code, 0);
    emit(code, alpha_pal(ALPHA_PAL_RDUNIQ));
    emit_address(code, routine, ALPHA_AT);
    emit(code, alpha_jump(ALPHA_JSR, ALPHA_AT, ALPHA_AT, 0));
    code->words[test] = alpha_branch(ALPHA_BEQ, ALPHA_PV, (int64_t)code_position(code) - test - 1);
}

void emit_thread_pointer_swap(struct rewrite *rewrite, struct code *code, uint32_t argument,
                              uint32_t thread_pointer) {
    uint32_t variable = (uint32_t)analysis_symbol(rewrite->analysis, "atomc_private_thread_pointer");
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_A0, (int)argument, ALPHA_SP));
    emit(code, alpha_pal(ALPHA_PAL_RDUNIQ));
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_V0, (int)thread_pointer, ALPHA_SP));
    int low = emit_high(code, variable, ALPHA_A0);
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_A0, low, ALPHA_A0));
    emit(code, alpha_pal(ALPHA_PAL_WRUNIQ));
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_A0, (int)argument, ALPHA_SP));
}

void emit_thread_pointer_restored(struct code *code, uint32_t thread_pointer) {
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_A0, (int)thread_pointer, ALPHA_SP));
    emit(code, alpha_pal(ALPHA_PAL_WRUNIQ));
}

void emit_control_saved(struct code *code, unsigned by, uint32_t offset) {
    emit(code, alpha_plain(ALPHA_TRAPB));
    emit(code, alpha_operate(ALPHA_MF_FPCR, by, by, by));
    emit(code, alpha_memory(ALPHA_STT, by, (int)offset, ALPHA_SP));
}

void emit_control_restored(struct code *code, unsigned by, uint32_t offset) {
    emit(code, alpha_memory(ALPHA_LDT, by, (int)offset, ALPHA_SP));
    emit(code, alpha_plain(ALPHA_TRAPB));
    emit(code, alpha_operate(ALPHA_MT_FPCR, by, by, by));
    emit(code, alpha_plain(ALPHA_TRAPB));
}
