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

/* 1 + the bit length. cmpbge sets a bit for each byte that is 0; a first look-up in the table, with the
   inverted bits, gives the highest other byte; a second one, with that byte, gives its bit length. */
static void compute_logarithmic(struct frame *frame, unsigned value, unsigned to) {
    struct code *code = frame_code(frame);
    unsigned highest = frame_take(frame), table = frame_take(frame);
    emit(code, alpha_operate(ALPHA_CMPBGEr, ALPHA_ZERO, value, highest));
    emit(code, alpha_literal(ALPHA_XORi, highest, 255, highest));
    emit_address(code, bit_lengths(frame->rewrite), table);
    emit(code, alpha_operate(ALPHA_S8ADDQr, highest, table, highest));
    emit(code, alpha_memory(ALPHA_LDQ, highest, 0, highest)); /* 1 + the number of the highest nonzero byte */
    emit(code, alpha_memory(ALPHA_LDA, to, -1, highest));
    emit(code, alpha_operate(ALPHA_EXTBLr, value, to, to));
    emit(code, alpha_operate(ALPHA_S8ADDQr, to, table, to));
    emit(code, alpha_memory(ALPHA_LDQ, to, 0, to));
    emit(code, alpha_operate(ALPHA_S8ADDQr, highest, to, to));
    emit(code, alpha_memory(ALPHA_LDA, to, -7, to));
    emit(code, alpha_literal(ALPHA_CMOVEQi, value, 1, to));
    emit(code, alpha_operate(ALPHA_CMOVLTr, value, ALPHA_ZERO, to));
    frame_give_back(frame, table);
    frame_give_back(frame, highest);
}

/* ---- linear ------------------------------------------------------------------------------------------------------ */

/* Divides a number below 2^63 by the step, rounding down: a multiplication by 2^(63+n) / step, rounded up,
   where n is the bit length of step - 1, is off by less than 1 / step (Granlund, Montgomery: Division by
   invariant integers, 1994). */
static void divide_by_step(struct frame *frame, uint64_t step, unsigned number, unsigned to,
                           unsigned helper) {
    struct code *code = frame_code(frame);
    unsigned bits = step > 1 ? 64 - (unsigned)__builtin_clzll(step - 1) : 0;
    if ((step & (step - 1)) == 0) {
        emit(code, alpha_literal(ALPHA_SRLi, number, bits, to));
        return;
    }
    unsigned __int128 dividend = (unsigned __int128)1 << (63 + bits);
    uint64_t factor = (uint64_t)((dividend + step - 1) / step);
    emit_constant(frame->rewrite, code, (int64_t)factor, helper);
    emit(code, alpha_operate(ALPHA_UMULHr, number, helper, to));
    emit(code, alpha_literal(ALPHA_SRLi, to, bits - 1, to));
}

/* Values below and above the range are computed like any others, and then replaced by the numbers of their
   buckets. */
static void compute_linear(struct frame *frame, const struct plan_buckets *buckets, unsigned value,
                           unsigned to) {
    struct code *code = frame_code(frame);
    struct rewrite *rewrite = frame->rewrite;
    unsigned offset = frame_take(frame), test = frame_take(frame);
    emit_constant(rewrite, code, buckets->low, test);
    emit(code, alpha_operate(ALPHA_SUBQr, value, test, offset));
    emit(code, alpha_operate(ALPHA_CMPLTr, value, test, test));
    emit(code, alpha_operate(ALPHA_CMOVNEr, test, ALPHA_ZERO, offset));
    emit(code, alpha_literal(ALPHA_XORi, test, 1, to)); /* 1 if it is not below */
    unsigned not_below = to;
    divide_by_step(frame, (uint64_t)buckets->step, offset, offset, test);
    emit(code, alpha_operate(ALPHA_ADDQr, offset, not_below, to));
    emit_constant(rewrite, code, buckets->high, test);
    emit(code, alpha_operate(ALPHA_CMPLEr, test, value, test));
    emit_constant(rewrite, code, buckets->count - 1, offset);
    emit(code, alpha_operate(ALPHA_CMOVNEr, test, offset, to));
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
