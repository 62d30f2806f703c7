/* cell_updates.c: how inserted code updates a counter's cell: by a load, an addition and a store, which with
   threads are locked and repeated, or in the thread's own copy of the cell. Requires registers for each. */
#include <assert.h>

#include "engine/code/code.h"

int emit_cell_address(struct code *code, uint64_t cell, unsigned base) {
    return emit_high(code, (uint32_t)cell_address(cell), base);
}

/* Returns the position of the load. */
static uint32_t emit_load(struct rewrite *rewrite, const struct cell_update *update) {
    struct code *code = &rewrite->code->copies;
    uint32_t load = code_position(code);
    emit(code, alpha_memory(rewrite->program->threads ? ALPHA_LDQ_L : ALPHA_LDQ, update->value,
                            update->displacement, update->base));
    return load;
}

static void emit_store(struct rewrite *rewrite, const struct cell_update *update, uint32_t load) {
    struct code *code = &rewrite->code->copies;
    bool threads = rewrite->program->threads;
    emit(code,
         alpha_memory(threads ? ALPHA_STQ_C : ALPHA_STQ, update->value, update->displacement, update->base));
    if (threads)
        emit(code, alpha_branch(ALPHA_BEQ, update->value, (int64_t)load - code_position(code) - 1));
}

static void emit_sum(struct code *code, struct cell_amount amount, unsigned value) {
    if (amount.reg == ALPHA_ZERO)
        emit(code, alpha_memory(ALPHA_LDA, value, amount.constant, value));
    else
        emit(code, alpha_operate(ALPHA_ADDQr, value, amount.reg, value));
}

/* Combines value and amount in `value`. */
static void combine_with_amount(struct code *code, const struct cell_update *update) {
    unsigned value = update->value, amount = update->amount.reg;
    bool maximum = update->kind == PLAN_UPDATE_MAXIMUM;
    if (update->kind == PLAN_UPDATE_ADD) {
        emit_sum(code, update->amount, value);
        return;
    }
    emit(code, alpha_operate(ALPHA_CMPLTr, maximum ? value : amount, maximum ? amount : value, update->test));
    emit(code, alpha_operate(ALPHA_CMOVNEr, update->test, amount, value));
}

void emit_cell_update(struct rewrite *rewrite, const struct cell_update *update) {
    struct code *code = &rewrite->code->copies;
    if (update->kind == PLAN_UPDATE_SET) {
        emit(code, alpha_memory(ALPHA_STQ, update->amount.reg, update->displacement, update->base));
        return;
    }
    uint32_t load = emit_load(rewrite, update);
    combine_with_amount(code, update);
    emit_store(rewrite, update, load);
}

void emit_cell_add(struct rewrite *rewrite, uint64_t cell, struct cell_amount amount, unsigned base,
                   unsigned value) {
    int low = emit_cell_address(&rewrite->code->copies, cell, base);
    emit_cell_update(
        rewrite,
        &(struct cell_update){
            .kind = PLAN_UPDATE_ADD, .amount = amount, .displacement = low, .base = base, .value = value});
}

void emit_cell_count_to(struct rewrite *rewrite, const struct cell_update *update, struct cell_amount limit,
                        unsigned to) {
    struct code *code = &rewrite->code->copies;
    uint32_t load = emit_load(rewrite, update);
    emit_sum(code, update->amount, update->value);
    if (limit.reg == ALPHA_ZERO)
        emit(code, alpha_literal(ALPHA_CMPEQi, update->value, (unsigned)limit.constant, to));
    else
        emit(code, alpha_operate(ALPHA_CMPEQr, update->value, limit.reg, to));
    emit(code, alpha_operate(ALPHA_CMOVNEr, to, ALPHA_ZERO, update->value));
    emit_store(rewrite, update, load);
}

uint32_t address_after_update(const struct code *code, uint32_t begin) {
    uint32_t end = code_position(code);
    for (; !(alpha_decode(code->words[end - 1])->flags & ALPHA_STORE); end--)
        assert(end > begin + 1);
    /* with stq_c, the branch back belongs to the update */
    bool may_fail = ALPHA_IS(code->words[end - 1], STQ_C);
    return code->address + 4 * (end + may_fail);
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
    emit_sum(code, amount, value);
    emit(code, alpha_memory(ALPHA_STQ, value, near, ALPHA_V0));
    uint32_t after = code_address(code);
    if (keeper != ALPHA_V0)
        emit_move(code, keeper, ALPHA_V0);
    return after;
}
