/* memory.c: $memory and $static in inserted code, and numbers rounded for float parameters: by routines of
   the runtime (entry.S), which change only a few registers; the operand of the current instruction is
   loaded directly. Requires a frame whose registers to compute in are known (calls.c). */
#include "engine/site/internal.h"
#include "engine/image/image.h"

/* The registers that atomc_read_memory, atomc_round_single and atomc_find_static read and change. */
#define ROUTINE_REGISTERS                                                                                    \
    (REGISTER_BIT(23) | REGISTER_BIT(24) | REGISTER_BIT(25) | REGISTER_BIT(27) | REGISTER_BIT(28))

enum { DIRECT_TEMPORARIES = 2 };

static void emit_routine(struct frame *frame, const char *name) {
    struct code *code = &frame->rewrite->code->copies;
    emit_address(code, (uint32_t)analysis_symbol(frame->rewrite->analysis, name), 27);
    emit(code, alpha_jump(ALPHA_JSR, 23, 27, 0));
    frame->gone |= ROUTINE_REGISTERS;
}

/* ---- what is in memory ---------------------------------------------------------------------------------------- */

/* True for $memory($addr, n) of the instruction's own operand. After the instruction it is readable. Before
   it, if the load faults the instruction would fault as well, however the program handles signals; the
   runtime then lets the load give 0 (signals.c). Prefetches never fault. */
static bool is_read_directly(const struct rewrite *rewrite, const struct site_expression *expression,
                             uint32_t instruction) {
    uint32_t word = rewrite->program->text[instruction];
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    const struct site_expression *address = expression->operand[0];
    return address->op == PLAN_OP_VALUE && address->leaf.value == PLAN_VALUE_ADDRESS &&
           expression->leaf.constant <= descriptor->memory_size && !alpha_is_prefetch(word);
}

/* Two quadwords contain the value at any address, and end with it: no other memory is accessed. */
static void load_directly(struct frame *frame, int64_t size, unsigned to) {
    struct code *code = &frame->rewrite->code->copies;
    enum alpha_opcode low_part = size == 2 ? ALPHA_EXTWLr : size == 4 ? ALPHA_EXTLLr : ALPHA_EXTQLr;
    enum alpha_opcode high_part = size == 2 ? ALPHA_EXTWHr : size == 4 ? ALPHA_EXTLHr : ALPHA_EXTQHr;
    unsigned low = frame_take(frame), high = frame_take(frame);
    emit(code, alpha_memory(ALPHA_LDQ_U, low, 0, to));
    if (size == 1) {
        emit(code, READ_MARK(1));
        emit(code, alpha_operate(ALPHA_EXTBLr, low, to, to));
    } else {
        emit(code, alpha_memory(ALPHA_LDQ_U, high, (int)size - 1, to));
        emit(code, READ_MARK(2));
        emit(code, alpha_operate(low_part, low, to, low));
        emit(code, alpha_operate(high_part, high, to, high));
        emit(code, alpha_operate(ALPHA_BISr, low, high, to));
    }
    frame_give_back(frame, high);
    frame_give_back(frame, low);
}

void compute_memory(struct frame *frame, const struct site_expression *expression, unsigned to) {
    struct code *code = &frame->rewrite->code->copies;
    compute(frame, expression->operand[0], to);
    if (is_read_directly(frame->rewrite, expression, frame->context->instruction)) {
        load_directly(frame, expression->leaf.constant, to);
        return;
    }
    emit_move(code, to, 24);
    emit_constant(frame->rewrite, code, expression->leaf.constant, 25);
    emit_routine(frame, "atomc_read_memory");
    emit_move(code, 27, to);
}

void memory_needs(const struct rewrite *rewrite, const struct site_expression *expression,
                  uint32_t instruction, struct needs *needs) {
    if (is_read_directly(rewrite, expression, instruction)) {
        struct needs own = {.temporaries = DIRECT_TEMPORARIES};
        need_at_least(needs, &own, 0);
    } else {
        needs->clobbers |= ROUTINE_REGISTERS;
        needs->calls = true;
    }
}

static bool reads_memory(const struct site_expression *expression, void *context) {
    (void)context;
    return expression->op == PLAN_OP_MEMORY;
}

static bool asks_runtime(const struct site_expression *expression, void *context) {
    (void)context;
    return expression->op == PLAN_OP_MEMORY || expression->op == PLAN_OP_STATIC;
}

bool site_reads_memory(const struct site *site) {
    return site_any(site, reads_memory, NULL);
}

bool site_asks_runtime(const struct site *site) {
    return site_any(site, asks_runtime, NULL);
}

/* ---- static addresses ----------------------------------------------------------------------------------------- */

void compute_static(struct frame *frame, const struct site_expression *expression, unsigned to) {
    struct code *code = &frame->rewrite->code->copies;
    compute(frame, expression->operand[0], to);
    emit_move(code, to, 24);
    emit_routine(frame, "atomc_find_static");
    emit_move(code, 27, to);
}

/* ---- float parameters ------------------------------------------------------------------------------------------ */

/* Uses integer instructions: a conversion would change the program's control register, or trap. */
void compute_single(struct frame *frame, const struct site_argument *value, unsigned to, bool on_stack) {
    struct code *code = &frame->rewrite->code->copies;
    if (value->value == PLAN_VALUE_ARGUMENT) { /* already a float in memory */
        frame_fetch(frame, ALPHA_SP, 24);
        emit(code, alpha_memory(on_stack ? ALPHA_LDL : ALPHA_LDS, to,
                                8 * (value->operand - REGISTER_ARGUMENTS), 24));
        frame->gone |= REGISTER_BIT(24);
        return;
    }
    compute_value(frame, value, 24);
    emit_routine(frame, "atomc_round_single");
    if (on_stack) {
        emit_move(code, 28, to);
        return;
    }
    emit(code, alpha_memory(ALPHA_STQ, 27, (int)frame->scratch, ALPHA_SP));
    emit(code, alpha_memory(ALPHA_LDT, to, (int)frame->scratch, ALPHA_SP));
}

void routine_needs(struct needs *needs) {
    needs->clobbers |= ROUTINE_REGISTERS;
    needs->calls = true;
}
