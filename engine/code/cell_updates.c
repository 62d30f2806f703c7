/* cell_updates.c: emits updates of a counter's cell into the copies: without other threads, with other
   threads, or in the thread's own copy of the cell. Requires registers for each. */
#include "engine/code/code.h"

int emit_cell_address(struct code *code, uint64_t cell, unsigned base) {
    return machine_address_base(code, (uint32_t)cell_address(code->machine, cell), base);
}

void emit_cell_update(struct rewrite *rewrite, const struct cell_update *update) {
    machine_update_cell(&rewrite->code->copies, update, rewrite->program->threads);
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
    machine_count_cell_to(&rewrite->code->copies, update, rewrite->program->threads, limit, to);
}

uint32_t emit_thread_add(struct rewrite *rewrite, uint64_t cell, struct cell_amount amount, unsigned value,
                         unsigned keeper) {
    int64_t distance = (int64_t)(8 * (cell - rewrite->sites->cells));
    return machine_thread_add(&rewrite->code->copies, distance, amount, value, keeper);
}
