/* histograms.c: inserted code that computes the bucket of a histogram for a value, as plan/buckets.c does.
   Requires BUCKET_TEMPORARIES registers to compute in; base-line instructions only (EV4). */
#include "engine/site/internal.h"

/* ---- logarithmic ------------------------------------------------------------------------------------------------ */

/* The bit lengths of 0 to 255, in 8 bytes each. */
static uint32_t bit_lengths(struct rewrite *rewrite) {
    if (rewrite->code->tables.bit_lengths == 0) {
        uint64_t lengths[256] = {0};
        for (unsigned i = 1; i < 256; i++)
            lengths[i] = lengths[i / 2] + 1;
        rewrite->code->tables.bit_lengths = table_bytes(rewrite, lengths, sizeof lengths);
    }
    return rewrite->code->tables.bit_lengths;
}

/* 1 + the bit length. cmpbge sets a bit for each byte that is 0. A first lookup in the table, with the
   inverted bits, gives the highest byte that is not 0; a second lookup, with that byte, gives its bit
   length. */
static void compute_logarithmic(struct frame *frame, unsigned value, unsigned to) {
    struct code *code = frame_code(frame);
    unsigned highest = frame_take(frame), table = frame_take(frame);
    machine_bit_length(code, value, to, highest, table, bit_lengths(frame->rewrite));
    frame_give_back(frame, table);
    frame_give_back(frame, highest);
}

/* ---- linear ------------------------------------------------------------------------------------------------------ */

/* Divides a number below 2^63 by the step, rounding down: multiplies by 2^(63+n) / step, rounded up, where n
   is the bit length of step - 1. The result is off by less than 1 / step (Granlund, Montgomery: Division by
   invariant integers, 1994). */
static void divide_by_step(struct frame *frame, uint64_t step, unsigned number, unsigned to,
                           unsigned helper) {
    struct code *code = frame_code(frame);
    unsigned bits = step > 1 ? 64 - (unsigned)__builtin_clzll(step - 1) : 0;
    if ((step & (step - 1)) == 0) {
        machine_operate_constant(code, OPERATOR_SHIFT_RIGHT, number, bits, to);
        return;
    }
    unsigned __int128 dividend = (unsigned __int128)1 << (63 + bits);
    uint64_t factor = (uint64_t)((dividend + step - 1) / step);
    emit_constant(frame->rewrite, code, (int64_t)factor, helper);
    machine_operate(code, OPERATOR_MULTIPLY_HIGH, number, helper, to);
    machine_operate_constant(code, OPERATOR_SHIFT_RIGHT, to, bits - 1, to);
}

/* Values below and above the range are computed like all others, and then replaced by the numbers of their
   buckets. */
static void compute_linear(struct frame *frame, const struct plan_buckets *buckets, unsigned value,
                           unsigned to) {
    struct code *code = frame_code(frame);
    struct rewrite *rewrite = frame->rewrite;
    unsigned offset = frame_take(frame), test = frame_take(frame);
    emit_constant(rewrite, code, buckets->low, test);
    machine_operate(code, OPERATOR_SUBTRACT, value, test, offset);
    machine_operate(code, OPERATOR_LESS, value, test, test);
    machine_select(code, CONDITION_NONZERO, test, NO_REGISTER, offset);
    machine_operate_constant(code, OPERATOR_XOR, test, 1, to); /* 1 if it is not below */
    unsigned not_below = to;
    divide_by_step(frame, (uint64_t)buckets->step, offset, offset, test);
    machine_operate(code, OPERATOR_ADD, offset, not_below, to);
    emit_constant(rewrite, code, buckets->high, test);
    machine_operate(code, OPERATOR_LESS_EQUAL, test, value, test);
    emit_constant(rewrite, code, buckets->count - 1, offset);
    machine_select(code, CONDITION_NONZERO, test, offset, to);
    frame_give_back(frame, test);
    frame_give_back(frame, offset);
}

void compute_bucket(struct frame *frame, const struct plan_buckets *buckets, unsigned value, unsigned to) {
    if (buckets->logarithmic)
        compute_logarithmic(frame, value, to);
    else
        compute_linear(frame, buckets, value, to);
    frame->gone |= REGISTER_BIT(to);
}
