/* updates.c: changes of counters' cells in the copies. Requires registers for each. */
#include "engine/code/code.h"

uint32_t update_load(struct rewrite *rewrite, unsigned value, int displacement, unsigned base) {
    struct code *code = &rewrite->code->copies;
    uint32_t load = code_position(code);
    emit(code, alpha_memory(rewrite->program->threads ? ALPHA_LDQ_L : ALPHA_LDQ, value, displacement, base));
    return load;
}

void update_add(struct code *code, struct cell_amount amount, unsigned value) {
    if (amount.reg == ALPHA_ZERO)
        emit(code, alpha_memory(ALPHA_LDA, value, amount.constant, value));
    else
        emit(code, alpha_operate(ALPHA_ADDQr, value, amount.reg, value));
}

void update_store(struct rewrite *rewrite, uint32_t load, unsigned value, int displacement, unsigned base) {
    struct code *code = &rewrite->code->copies;
    bool threads = rewrite->program->threads;
    emit(code, alpha_memory(threads ? ALPHA_STQ_C : ALPHA_STQ, value, displacement, base));
    if (threads)
        emit(code, alpha_branch(ALPHA_BEQ, value, (int64_t)load - code_position(code) - 1));
}

void emit_cell_add(struct rewrite *rewrite, uint64_t cell, struct cell_amount amount, unsigned base,
                   unsigned value) {
    struct code *code = &rewrite->code->copies;
    int low = emit_high(code, (uint32_t)(LAYOUT_CELLS + 8 * cell), base);
    uint32_t load = update_load(rewrite, value, low, base);
    update_add(code, amount, value);
    update_store(rewrite, load, value, low, base);
}

uint32_t emit_thread_add(struct rewrite *rewrite, uint64_t cell, struct cell_amount amount, unsigned value,
                         unsigned keeper) {
    struct code *code = &rewrite->code->copies;
    int64_t distance = (int64_t)(8 * (cell - rewrite->sites->cells)) - ATOMC_THREAD_VALUES;
    int near = (int16_t)distance, far = (int)((distance - near) / 65536);
    if (keeper != ALPHA_V0)
        emit_move(code, ALPHA_V0, keeper);
    emit(code, alpha_pal(ALPHA_PAL_RDUNIQ));
    emit(code, alpha_literal(ALPHA_SRLi, ALPHA_V0, ATOMC_THREAD_TABLE_SHIFT, ALPHA_V0));
    emit(code, alpha_memory(ALPHA_LDAH, ALPHA_V0, ATOMC_THREAD_TABLE_HIGH, ALPHA_V0));
    emit(code, alpha_memory(ALPHA_LDQ_U, ALPHA_V0, 0, ALPHA_V0));
    if (far)
        emit(code, alpha_memory(ALPHA_LDAH, ALPHA_V0, far, ALPHA_V0));
    emit(code, alpha_memory(ALPHA_LDQ, value, near, ALPHA_V0));
    update_add(code, amount, value);
    emit(code, alpha_memory(ALPHA_STQ, value, near, ALPHA_V0));
    uint32_t behind = code_address(code);
    if (keeper != ALPHA_V0)
        emit_move(code, keeper, ALPHA_V0);
    return behind;
}
