/* copy_after.c: calls after an instruction that want the address of a load that overwrites its own base. */
#include <stdlib.h>

#include "engine/copy.h"
#include "engine/frame.h"

static bool overwrites_own_address(uint32_t word) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    return descriptor->flags & (ALPHA_LOAD | ALPHA_STORE) &&
           alpha_registers_written(word) & (UINT64_C(1) << alpha_rb(word));
}

static bool expression_wants_address(const struct site_expression *expression) {
    if (!expression)
        return false;
    if (expression->op == PLAN_OP_VALUE)
        return expression->leaf.value == PLAN_VALUE_ADDRESS;
    for (int i = 0; i < 3; i++)
        if (expression_wants_address(expression->operand[i]))
            return true;
    return false;
}

static bool wants_address(const struct site *site) {
    for (uint32_t i = 0; i < site->argument_count; i++) {
        const struct site_argument *argument = &site->arguments[i];
        if ((argument->kind == SITE_VALUE && argument->value == PLAN_VALUE_ADDRESS) ||
            (argument->kind == SITE_COMPUTED && expression_wants_address(argument->computed)))
            return true;
    }
    return expression_wants_address(site->guard) || expression_wants_address(site->cell) ||
           expression_wants_address(site->amount) || expression_wants_address(site->value);
}

/* A load that overwrites its base register, and calls after it that want its address: the base is kept in a
   register that is free, or where the frame of those calls will be. Not on the program's stack: a signal's
   frame would come there. */
void keep_base(struct copy *copy, struct point_sites after, alpha_register_set live,
               struct call_context *context) {
    struct rewrite *rewrite = copy->rewrite;
    struct code *code = &rewrite->copies;
    uint32_t word = rewrite->program->text[context->instruction];
    bool wanted = false;
    for (uint32_t i = 0; i < after.count && overwrites_own_address(word); i++)
        wanted |= wants_address(&after.first[i]);
    if (!wanted)
        return;
    unsigned kept = free_register(live | rewrite->observed | REGISTER_BIT(0));
    if (kept != NO_INDEX) {
        emit_move(code, alpha_rb(word), kept);
        context->base = (uint8_t)kept;
    } else if (rewrite->shadow && alpha_rb(word) != ALPHA_SP) {
        emit_enter_stack(rewrite, code, BASE_ROOM);
        emit(code, alpha_memory(ALPHA_STQ, alpha_rb(word), 0, ALPHA_SP));
        emit_leave_stack(rewrite, code, BASE_ROOM);
        context->base_on_stack = true;
    }
}

void emit_after(struct copy *copy, struct point_sites after, const struct call_context *context) {
    bool lost = overwrites_own_address(copy->rewrite->program->text[context->instruction]) &&
                context->base == 0 && !context->base_on_stack;
    const struct site **kept = allocate((after.count + 1) * sizeof *kept);
    uint32_t count = 0;
    for (uint32_t i = 0; i < after.count; i++) {
        if (lost && wants_address(&after.first[i]))
            rewrite_skip(copy->rewrite, SKIP_ADDRESS_OVERWRITTEN, &after.first[i], context->instruction);
        else
            kept[count++] = &after.first[i];
    }
    if (count > 0)
        calls_emit(copy->rewrite, kept, count, context);
    free(kept);
}
