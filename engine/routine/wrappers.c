/* wrappers.c: one wrapper for each analysis routine and set of registers to save: saves, locks, swaps the
   thread pointer, calls. Requires the routines' summaries. */
#include <string.h>

#include "engine/routine/internal.h"

#define BIT(r)   (UINT64_C(1) << (r))
#define FLOAT(r) (UINT64_C(1) << (32 + (r)))
/* Beyond so many kinds of wrapper for one program, new ones save all that may change: they are shared more.
 */
#define MANY_WRAPPERS 2048

alpha_register_set wrapper_clobbers(const struct rewrite *rewrite, uint32_t routine) {
    const struct called_routine *called = routine_called(rewrite, routine);
    const struct routine_summary *summary = &called->summary;
    alpha_register_set set = summary->written | BIT(ALPHA_RA);
    if (!called->copied) /* it is called through $27 */
        set |= BIT(ALPHA_PV);
    if (summary->uses_gp)
        set |= BIT(ALPHA_GP);
    if (rewrite->threads)
        set |= BIT(0) | BIT(1) | BIT(ALPHA_PV) | BIT(ALPHA_AT) | BIT(ALPHA_GP);
    if (summary->uses_thread_pointer)
        set |= BIT(0) | BIT(ALPHA_A0);
    if (summary->changes_fpcr)
        set |= FLOAT(0);
    return set;
}

struct wrapper_frame {
    uint32_t outgoing, link, thread_pointer, argument, fpcr, saves, size; /* offsets and size in bytes */
};

static struct wrapper_frame lay_out(uint32_t arguments, alpha_register_set saves) {
    struct wrapper_frame frame;
    uint32_t stack_arguments = arguments > 6 ? arguments - 6 : 0;
    frame.outgoing = 0;
    frame.link = 8 * stack_arguments;
    frame.thread_pointer = frame.link + 8;
    frame.argument = frame.thread_pointer + 8;
    frame.fpcr = frame.argument + 8;
    frame.saves = frame.fpcr + 8;
    frame.size = (frame.saves + 8 * (uint32_t)__builtin_popcountll(saves) + 15) & ~15u;
    return frame;
}

static void save_or_restore(struct code *code, const struct wrapper_frame *frame, alpha_register_set saves,
                            enum alpha_opcode integer, enum alpha_opcode floating) {
    uint32_t offset = frame->saves;
    for (unsigned r = 0; r < 64; r++) {
        if (!(saves & BIT(r)))
            continue;
        emit(code, alpha_memory(r < 32 ? integer : floating, r & 31, (int)offset, ALPHA_SP));
        offset += 8;
    }
}

/* Calls lock or unlock if the program has threads: a test of a flag that the runtime sets at the first clone.
 */
void emit_lock(struct rewrite *rewrite, struct code *code, const char *symbol) {
    uint32_t flag = (uint32_t)analysis_symbol(rewrite->analysis, "atomc_threaded");
    uint32_t routine = (uint32_t)analysis_symbol(rewrite->analysis, symbol);
    int low = (int16_t)(flag & 0xffff);
    emit(code, alpha_memory(ALPHA_LDAH, ALPHA_PV, (int)((flag - (uint32_t)low) >> 16), ALPHA_ZERO));
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
    int low = (int16_t)(variable & 0xffff);
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_A0, (int)argument, ALPHA_SP));
    emit(code, alpha_pal(ALPHA_PAL_RDUNIQ));
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_V0, (int)thread_pointer, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_LDAH, ALPHA_A0, (int)((variable - (uint32_t)low) >> 16), ALPHA_ZERO));
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_A0, low, ALPHA_A0));
    emit(code, alpha_pal(ALPHA_PAL_WRUNIQ));
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_A0, (int)argument, ALPHA_SP));
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

static void emit_wrapper(struct rewrite *rewrite, uint32_t routine_index, alpha_register_set saves) {
    struct code *code = &rewrite->wrappers;
    const struct routine_summary *summary = &routine_called(rewrite, routine_index)->summary;
    uint32_t arguments = rewrite->routine_arguments[routine_index];
    struct wrapper_frame frame = lay_out(arguments, saves);

    emit(code, alpha_memory(ALPHA_LDA, ALPHA_SP, -(int)frame.size, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_RA, (int)frame.link, ALPHA_SP));
    save_or_restore(code, &frame, saves, ALPHA_STQ, ALPHA_STT);
    if (summary->changes_fpcr)
        emit_control_saved(code, 0, frame.fpcr);
    if (rewrite->threads)
        emit_lock(rewrite, code, "atomc_lock");
    if (summary->uses_thread_pointer)
        emit_thread_pointer_swap(rewrite, code, frame.argument, frame.thread_pointer);
    for (uint32_t i = 6; i < arguments; i++) {
        emit(code, alpha_memory(ALPHA_LDQ, ALPHA_RA, (int)(frame.size + 8 * (i - 6)), ALPHA_SP));
        emit(code, alpha_memory(ALPHA_STQ, ALPHA_RA, (int)(frame.outgoing + 8 * (i - 6)), ALPHA_SP));
    }

    routine_emit_call(rewrite, code, routine_index);

    if (summary->uses_thread_pointer) {
        emit(code, alpha_memory(ALPHA_LDQ, ALPHA_A0, (int)frame.thread_pointer, ALPHA_SP));
        emit(code, alpha_pal(ALPHA_PAL_WRUNIQ));
    }
    if (rewrite->threads)
        emit_lock(rewrite, code, "atomc_unlock");
    if (summary->changes_fpcr)
        emit_control_restored(code, 0, frame.fpcr);
    save_or_restore(code, &frame, saves, ALPHA_LDQ, ALPHA_LDT);
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_RA, (int)frame.link, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_LDA, ALPHA_SP, (int)frame.size, ALPHA_SP));
    emit(code, alpha_jump(ALPHA_RET, ALPHA_ZERO, ALPHA_RA, 1));
}

static uint32_t hash_of(uint32_t routine, alpha_register_set saves) {
    uint64_t mixed = (saves ^ routine) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 54) & 1023;
}

uint32_t wrapper_address(struct rewrite *rewrite, uint32_t routine, alpha_register_set saves) {
    if (rewrite->wrapper_count >= MANY_WRAPPERS)
        saves = wrapper_clobbers(rewrite, routine) & ~BIT(ALPHA_RA);
    saves &= ~BIT(ALPHA_RA);
    routine_place(rewrite, routine);
    uint32_t bucket = hash_of(routine, saves);
    for (uint32_t w = rewrite->wrapper_hash[bucket]; w != NO_INDEX; w = rewrite->wrapper_list[w].next)
        if (rewrite->wrapper_list[w].routine == routine && rewrite->wrapper_list[w].saves == saves)
            return rewrite->wrapper_list[w].address;
    VECTOR_RESERVE(rewrite->wrapper_list, rewrite->wrapper_count, rewrite->wrapper_capacity);
    struct wrapper *wrapper = &rewrite->wrapper_list[rewrite->wrapper_count];
    *wrapper = (struct wrapper){.routine = routine,
                                .saves = saves,
                                .address = code_address(&rewrite->wrappers),
                                .next = rewrite->wrapper_hash[bucket]};
    rewrite->wrapper_hash[bucket] = rewrite->wrapper_count++;
    emit_wrapper(rewrite, routine, saves);
    rewrite->statistics.wrappers++;
    rewrite->statistics.registers_saved += (uint64_t)__builtin_popcountll(saves);
    VECTOR_RESERVE(rewrite->symbols, rewrite->symbol_count, rewrite->symbol_capacity);
    rewrite->symbols[rewrite->symbol_count++] = (struct code_symbol){
        .name = arena_format(rewrite->arena, "atomc.wrapper.%s.%llx", rewrite->plan->routines[routine].name,
                             (unsigned long long)saves),
        .address = wrapper->address,
        .size = code_address(&rewrite->wrappers) - wrapper->address};
    return wrapper->address;
}
