/* cells.c: the cells of counters in inserted code: reading, updating, and counting for sampling. Requires a
   frame whose registers to compute in are known (calls.c); CELL_TEMPORARIES of them for reading.
 */
#include "engine/site/internal.h"

/* ---- reading --------------------------------------------------------------------------------------------------- */

/* A number without a cell reads cell 0, and the result is 0. */
static void read_chosen(struct frame *frame, const struct site_expression *expression, unsigned to) {
    struct code *code = frame_code(frame);
    const struct site_cell *cell = expression->cell;
    unsigned exists = frame_take(frame), base = frame_take(frame);
    bool tested = !expression_is_below(expression->operand[0], cell->count);
    if (cell->count == 0) {
        machine_clear(code, to);
    } else {
        compute(frame, expression->operand[0], to);
        if (tested) {
            emit_constant(frame->rewrite, code, cell->count, exists);
            machine_operate(code, OPERATOR_BELOW, to, exists, exists);
            machine_select(code, CONDITION_ZERO, exists, NO_REGISTER, to);
        }
        machine_address(code, (uint32_t)cell_address(code->machine, cell->base), base);
        machine_operate(code, OPERATOR_INDEX_8, to, base, base);
        machine_load(code, to, base, 0);
        if (tested)
            machine_select(code, CONDITION_ZERO, exists, NO_REGISTER, to);
    }
    frame_give_back(frame, base);
    frame_give_back(frame, exists);
}

void compute_cell(struct frame *frame, const struct site_expression *expression, unsigned to) {
    struct code *code = frame_code(frame);
    const struct site_cell *cell = expression->cell;
    const struct site_expression *number = expression->operand[0];
    if (number->op != PLAN_OP_INTEGER) {
        read_chosen(frame, expression, to);
    } else if ((uint64_t)number->leaf.constant >= cell->count) {
        machine_clear(code, to);
    } else {
        int displacement = emit_cell_address(code, cell->base + (uint64_t)number->leaf.constant, to);
        machine_load(code, to, to, displacement);
    }
    if (!cell->unset_is_zero)
        return;
    unsigned unset = frame_take(frame);
    emit_constant(frame->rewrite, code, cell->initial, unset);
    machine_operate(code, OPERATOR_EQUAL, to, unset, unset);
    machine_select(code, CONDITION_NONZERO, unset, NO_REGISTER, to);
    frame_give_back(frame, unset);
}

/* A number out of range reads element 0. */
void compute_element(struct frame *frame, const struct site_expression *expression, unsigned to) {
    struct code *code = frame_code(frame);
    struct site_array *table = expression->leaf.array;
    compute(frame, expression->operand[0], to);
    unsigned helper = frame_take(frame);
    if (!expression_is_below(expression->operand[0], table->count)) {
        emit_constant(frame->rewrite, code, table->count, helper);
        machine_operate(code, OPERATOR_BELOW, to, helper, helper);
        machine_select(code, CONDITION_ZERO, helper, NO_REGISTER, to);
    }
    machine_address(code, table_array(frame->rewrite, table), helper);
    machine_operate(code, OPERATOR_INDEX_4, to, helper, to);
    machine_load_4(code, to, to, 0);
    frame_give_back(frame, helper);
}

/* ---- updates --------------------------------------------------------------------------------------------------- */

bool adds_immediate(const struct site *site) {
    return site->update == PLAN_UPDATE_ADD && site->action->amount->op == PLAN_OP_INTEGER &&
           site->action->amount->leaf.constant == (int16_t)site->action->amount->leaf.constant;
}

/* True if all its elements are numbers below the count, or negative. */
static bool has_cells_or_none(const struct site_expression *number, uint64_t count) {
    if (number->op != PLAN_OP_ELEMENT)
        return false;
    const int32_t *elements = number->leaf.array->bytes;
    for (uint32_t i = 0; i < number->leaf.array->count; i++)
        if (elements[i] >= 0 && (uint64_t)elements[i] >= count)
            return false;
    return true;
}

/* Tests the number in a register, if necessary; returns the position of the branch that skips the update,
   or NO_INDEX. */
static uint32_t test_number(struct frame *frame, const struct site *site, unsigned number, unsigned base) {
    struct code *code = frame_code(frame);
    if (expression_is_below(site->action->cell, site->action->cell_count))
        return NO_INDEX;
    if (has_cells_or_none(site->action->cell, site->action->cell_count))
        return machine_branch_if_forward(code, CONDITION_NEGATIVE, number);
    emit_constant(frame->rewrite, code, site->action->cell_count, base);
    machine_operate(code, OPERATOR_BELOW, number, base, base);
    return machine_branch_if_forward(code, CONDITION_ZERO, base);
}

/* The cell's address as base register and displacement; returns the position of the branch for numbers out
   of range, or NO_INDEX. */
static uint32_t address_cell(struct frame *frame, const struct site *site, unsigned base, int *displacement) {
    struct code *code = frame_code(frame);
    if (!site->action->cell) {
        *displacement = emit_cell_address(code, site->cell_base, base);
        return NO_INDEX;
    }
    unsigned number = frame_take(frame);
    compute(frame, site->action->cell, number);
    uint32_t test = test_number(frame, site, number, base);
    machine_address(code, (uint32_t)cell_address(code->machine, site->cell_base), base);
    machine_operate(code, OPERATOR_INDEX_8, number, base, base);
    frame_give_back(frame, number);
    *displacement = 0;
    return test;
}

/* The same for a histogram's cell, with the bucket in register `bucket`. */
static uint32_t address_bucket(struct frame *frame, const struct site *site, unsigned bucket, unsigned base,
                               int *displacement) {
    struct code *code = frame_code(frame);
    uint32_t buckets = site->action->buckets->count, test = NO_INDEX;
    if (!site->action->cell) {
        *displacement = emit_cell_address(code, site->cell_base, base);
    } else {
        unsigned number = frame_take(frame);
        compute(frame, site->action->cell, number);
        test = test_number(frame, site, number, base);
        emit_constant(frame->rewrite, code, buckets, base);
        machine_operate(code, OPERATOR_MULTIPLY, number, base, number);
        machine_operate(code, OPERATOR_ADD, bucket, number, bucket);
        *displacement = emit_cell_address(code, site->cell_base, base);
        frame_give_back(frame, number);
    }
    machine_operate(code, OPERATOR_INDEX_8, bucket, base, base);
    return test;
}

/* The address of this thread's record of the site. */
static void address_record(struct frame *frame, const struct site *site, unsigned base, unsigned helper,
                           int *displacement) {
    struct code *code = frame_code(frame);
    const int distance = 8 * (site->record - 1);
    const unsigned scale = ATOMC_RECORDS_SCALE(frame->rewrite->sites->records);
    *displacement = machine_thread_record(code, distance, scale, base, helper);
    frame->gone |= code->machine->registers->thread_pointer;
}

bool is_simple_update(const struct site *site) {
    return !site->action->buckets && adds_immediate(site) && !site->action->cell;
}

void compute_update(struct frame *frame, const struct site *site) {
    struct code *code = frame_code(frame);
    unsigned base = frame_take(frame), value = frame_take(frame), amount = NO_REGISTER;
    int displacement;
    bool simple = adds_immediate(site);
    if (!simple) {
        amount = frame_take(frame);
        compute(frame, site->action->amount, amount);
    }
    uint32_t test = NO_INDEX;
    if (site->notes && frame->rewrite->program->threads) {
        address_record(frame, site, base, value, &displacement);
    } else if (site->action->buckets) {
        compute(frame, site->action->value, base);
        compute_bucket(frame, site->action->buckets, base, value);
        test = address_bucket(frame, site, value, base, &displacement);
    } else {
        test = address_cell(frame, site, base, &displacement);
    }
    bool compares = site->update == PLAN_UPDATE_MAXIMUM || site->update == PLAN_UPDATE_MINIMUM;
    unsigned compared = compares ? frame_take(frame) : NO_REGISTER;
    emit_cell_update(
        frame->rewrite,
        &(struct cell_update){.kind = site->update,
                              .amount = {amount, simple ? (int)site->action->amount->leaf.constant : 0},
                              .base = base,
                              .displacement = displacement,
                              .value = value,
                              .test = compared});
    if (compares)
        frame_give_back(frame, compared);
    if (test != NO_INDEX)
        machine_aim_here(code, test);
    if (!simple)
        frame_give_back(frame, amount);
    frame_give_back(frame, value);
    frame_give_back(frame, base);
    frame->rewrite->code->statistics.updates_made++;
}

/* ---- sampling --------------------------------------------------------------------------------------------------- */

void compute_sample(struct frame *frame, const struct site *site, unsigned to) {
    struct code *code = frame_code(frame);
    unsigned base = frame_take(frame), value = frame_take(frame), limit = frame_take(frame);
    bool small = site->action->sample < 256;
    if (!small)
        emit_constant(frame->rewrite, code, site->action->sample, limit);
    int displacement = emit_cell_address(code, site->action->sample_cell, base);
    emit_cell_count_to(
        frame->rewrite,
        &(struct cell_update){
            .amount = {NO_REGISTER, 1}, .base = base, .displacement = displacement, .value = value},
        small ? (struct cell_amount){NO_REGISTER, (int)site->action->sample} : (struct cell_amount){limit, 0},
        to);
    frame_give_back(frame, limit);
    frame_give_back(frame, value);
    frame_give_back(frame, base);
    frame->gone |= REGISTER_BIT(to);
}
