/* memory.c: $memory and $static in inserted code, and numbers rounded for float parameters. Routines of the
   runtime (entry.S), which change only a few registers, do the work; the operand of the current instruction
   is loaded directly. Requires a frame whose registers to compute in are known (calls.c). */
#include "engine/site/internal.h"
#include "engine/image/image.h"

enum { DIRECT_TEMPORARIES = 2 };

static void emit_routine(struct frame *frame, const char *name) {
    struct code *code = &frame->rewrite->code->copies;
    machine_call_helper(code, (uint32_t)analysis_symbol(frame->rewrite->analysis, name));
    frame->gone |= code->machine->helper_changes;
}

/* ---- what is in memory ---------------------------------------------------------------------------------------- */

/* True for $memory($addr, n) of the instruction's own operand. After the instruction the operand is readable.
   If the load faults before the instruction, the instruction would fault as well, regardless of the program's
   handlers; the runtime then gives 0 as the load's result (signals.c). Prefetches never fault. */
static bool is_read_directly(const struct rewrite *rewrite, const struct site_expression *expression,
                             uint32_t instruction) {
    const struct facts *facts = facts_of(rewrite->program, instruction);
    const struct site_expression *address = expression->operand[0];
    return address->op == PLAN_OP_VALUE && address->leaf.value == PLAN_VALUE_ADDRESS && facts->memory_count &&
           expression->leaf.constant <= facts->memory[0].size && !(facts->flags & FACT_PREFETCH);
}

/* Two quadwords contain the value at any address, and end with it: no other memory is accessed. */
static void load_directly(struct frame *frame, int64_t size, unsigned to) {
    struct code *code = &frame->rewrite->code->copies;
    unsigned low = frame_take(frame), high = frame_take(frame);
    machine_load_anywhere(code, (unsigned)size, to, low, high);
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
    machine_move(code, to, code->machine->helper_left);
    emit_constant(frame->rewrite, code, expression->leaf.constant, code->machine->helper_right);
    emit_routine(frame, "atomc_read_memory");
    machine_move(code, code->machine->helper_result, to);
}

void memory_needs(const struct rewrite *rewrite, const struct site_expression *expression,
                  uint32_t instruction, struct needs *needs) {
    if (is_read_directly(rewrite, expression, instruction)) {
        struct needs own = {.temporaries = DIRECT_TEMPORARIES};
        need_at_least(needs, &own, 0);
    } else {
        needs->clobbers |= rewrite->machine->helper_changes;
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
    machine_move(code, to, code->machine->helper_left);
    emit_routine(frame, "atomc_find_static");
    machine_move(code, code->machine->helper_result, to);
}

/* ---- float parameters ------------------------------------------------------------------------------------------ */

/* Uses integer instructions: a conversion would change the program's control register, or trap. */
void compute_single(struct frame *frame, const struct site_argument *value, unsigned to, bool on_stack) {
    struct code *code = &frame->rewrite->code->copies;
    const struct machine *machine = code->machine;
    const unsigned base = machine->helper_left;
    if (value->value == PLAN_VALUE_ARGUMENT) { /* already a float in memory */
        frame_fetch(frame, machine->registers->stack, base);
        machine_load_4(code, on_stack ? to : FLOAT_REGISTER(to), base, stack_argument_offset(machine, value));
        frame->gone |= REGISTER_BIT(base);
        return;
    }
    compute_value(frame, value, base);
    emit_routine(frame, "atomc_round_single");
    if (on_stack) {
        machine_move(code, machine->helper_encoded, to);
        return;
    }
    machine_store(code, machine->helper_result, machine->registers->stack, (int)frame->scratch);
    machine_load(code, FLOAT_REGISTER(to), machine->registers->stack, (int)frame->scratch);
}

void routine_needs(const struct rewrite *rewrite, struct needs *needs) {
    needs->clobbers |= rewrite->machine->helper_changes;
    needs->calls = true;
}
