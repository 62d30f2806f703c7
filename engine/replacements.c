/* replacements.c: procedures of the program in whose stead analysis routines are entered: code at their
   entries that calls the routine with the registers as they are, and returns to the caller. Requires routines
   of at most six parameters; the routine runs on the program's stack, under the lock. */
#include "engine/rewrite.h"

#define BIT(r)   (UINT64_C(1) << (r))
#define FLOAT(r) (UINT64_C(1) << (32 + (r)))

uint32_t replacement_of(const struct rewrite *rewrite, uint32_t procedure) {
    const struct sites *sites = rewrite->sites;
    uint32_t low = 0, high = sites->replacement_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (sites->replacements[middle].procedure == procedure)
            return sites->replacements[middle].routine;
        if (sites->replacements[middle].procedure < procedure)
            low = middle + 1;
        else
            high = middle;
    }
    return NO_INDEX;
}

alpha_register_set replacement_arguments(const struct rewrite *rewrite) {
    alpha_register_set set = 0;
    for (uint32_t i = 0; i < rewrite->sites->replacement_count; i++) {
        const struct plan_routine *routine =
            &rewrite->plan->routines[rewrite->sites->replacements[i].routine];
        for (uint32_t k = 0; k < routine->parameter_count; k++)
            set |= routine->parameters[k].type == PLAN_C_DOUBLE ? FLOAT(ALPHA_A0 + k) : BIT(ALPHA_A0 + k);
    }
    return set;
}

/* Offsets in the frame: the link, both results, the thread pointer, an argument, the control register, then
   what is saved. */
enum {
    LINK = 0,
    RESULT = 8,
    FLOAT_RESULT = 16,
    THREAD_POINTER = 24,
    ARGUMENT = 32,
    CONTROL = 40,
    SAVES = 48
};

static void save_or_restore(struct code *code, alpha_register_set saves, enum alpha_opcode integer,
                            enum alpha_opcode floating) {
    int offset = SAVES;
    for (unsigned r = 0; r < 64; r++) {
        if (!(saves & BIT(r)))
            continue;
        emit(code, alpha_memory(r < 32 ? integer : floating, r & 31, offset, ALPHA_SP));
        offset += 8;
    }
}

/* Callers may know more of the procedure than the calling standard says: all but results and $28 is kept. */
static alpha_register_set saved_registers(const struct rewrite *rewrite, uint32_t routine) {
    return wrapper_clobbers(rewrite, routine) & ~(BIT(ALPHA_V0) | FLOAT(0) | BIT(ALPHA_AT) | BIT(ALPHA_RA));
}

static void emit_private_thread_pointer(struct rewrite *rewrite) {
    struct code *code = &rewrite->copies;
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_A0, ARGUMENT, ALPHA_SP));
    emit(code, alpha_pal(ALPHA_PAL_RDUNIQ));
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_V0, THREAD_POINTER, ALPHA_SP));
    emit_address(code, (uint32_t)analysis_symbol(rewrite->analysis, "atomc_private_thread_pointer"),
                 ALPHA_A0);
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_A0, 0, ALPHA_A0));
    emit(code, alpha_pal(ALPHA_PAL_WRUNIQ));
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_A0, ARGUMENT, ALPHA_SP));
}

static void emit_control(struct code *code, bool save) {
    if (save) {
        emit(code, alpha_plain(ALPHA_TRAPB));
        emit(code, alpha_operate(ALPHA_MF_FPCR, 0, 0, 0));
        emit(code, alpha_memory(ALPHA_STT, 0, CONTROL, ALPHA_SP));
        return;
    }
    emit(code, alpha_memory(ALPHA_LDT, 0, CONTROL, ALPHA_SP));
    emit(code, alpha_plain(ALPHA_TRAPB));
    emit(code, alpha_operate(ALPHA_MT_FPCR, 0, 0, 0));
    emit(code, alpha_plain(ALPHA_TRAPB));
}

void emit_replacement(struct rewrite *rewrite, uint32_t routine) {
    struct code *code = &rewrite->copies;
    const struct routine_summary *summary = &rewrite->summaries[routine];
    alpha_register_set saves = saved_registers(rewrite, routine);
    int size = (SAVES + 8 * __builtin_popcountll(saves) + 15) & ~15;
    emit(code, alpha_memory(ALPHA_LDA, ALPHA_SP, -size, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_RA, LINK, ALPHA_SP));
    save_or_restore(code, saves, ALPHA_STQ, ALPHA_STT);
    if (summary->changes_fpcr)
        emit_control(code, true);
    if (rewrite->threads)
        emit_lock(rewrite, code, "atomc_lock");
    if (summary->uses_thread_pointer)
        emit_private_thread_pointer(rewrite);
    emit_address(code, (uint32_t)rewrite->routine_addresses[routine], ALPHA_PV);
    emit(code, alpha_jump(ALPHA_JSR, ALPHA_RA, ALPHA_PV, 0));
    emit(code, alpha_memory(ALPHA_STQ, ALPHA_V0, RESULT, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_STT, 0, FLOAT_RESULT, ALPHA_SP));
    if (summary->uses_thread_pointer) {
        emit(code, alpha_memory(ALPHA_LDQ, ALPHA_A0, THREAD_POINTER, ALPHA_SP));
        emit(code, alpha_pal(ALPHA_PAL_WRUNIQ));
    }
    if (rewrite->threads)
        emit_lock(rewrite, code, "atomc_unlock");
    if (summary->changes_fpcr)
        emit_control(code, false);
    save_or_restore(code, saves, ALPHA_LDQ, ALPHA_LDT);
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_V0, RESULT, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_LDT, 0, FLOAT_RESULT, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_LDQ, ALPHA_RA, LINK, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_LDA, ALPHA_SP, size, ALPHA_SP));
    rewrite->statistics.replacements++;
    if (rewrite->sparse) { /* the original address leads to the copy, if there is one */
        emit(code, alpha_jump(ALPHA_RET, ALPHA_ZERO, ALPHA_RA, 1));
        return;
    }
    emit(code, alpha_literal(ALPHA_ZAPNOTi, ALPHA_RA, 15, ALPHA_AT)); /* its copy, by the map */
    emit(code, alpha_memory(ALPHA_LDL, ALPHA_AT, 0, ALPHA_AT));
    emit(code, alpha_jump(ALPHA_RET, ALPHA_ZERO, ALPHA_AT, 1));
}
