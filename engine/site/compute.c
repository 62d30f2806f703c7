/* compute.c: computes dynamic values and expressions into registers. Requires a frame whose registers to
   compute in are known (calls.c); changes no other register of the program.
 */
#include "engine/site/internal.h"
#include "engine/object/object.h"
#include "engine/image/image.h"

/* The registers that libgcc's __divq and __remq read and change: arguments, result, link and scratch. */
#define DIVISION_REGISTERS                                                                                   \
    (REGISTER_BIT(23) | REGISTER_BIT(24) | REGISTER_BIT(25) | REGISTER_BIT(27) | REGISTER_BIT(28))

static uint32_t program_word(const struct rewrite *rewrite, uint32_t instruction) {
    return rewrite->program->text[instruction];
}

/* ---- values -------------------------------------------------------------------------------------------------- */

/* Sets `to` to 1 if the current conditional branch will be taken, else to 0. Floating-point branches test
   the bits: the sign, and whether all others are zero (Alpha Architecture Reference Manual, 4.9.1). */
static void compute_taken(struct frame *frame, uint32_t word, unsigned to) {
    struct code *code = frame_code(frame);
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    bool floating = descriptor->flags & ALPHA_FLOATING;
    frame_fetch(frame, (floating ? 32 : 0) + alpha_ra(word), to);
    if (descriptor->opcode_id == ALPHA_FBEQ || descriptor->opcode_id == ALPHA_FBNE)
        emit(code, alpha_operate(ALPHA_ADDQr, to, to, to)); /* shifts the sign out: -0 counts as 0 */
    switch (descriptor->opcode_id) {
    case ALPHA_BEQ:
    case ALPHA_FBEQ:
        emit(code, alpha_literal(ALPHA_CMPEQi, to, 0, to));
        break;
    case ALPHA_BNE:
    case ALPHA_FBNE:
        emit(code, alpha_operate(ALPHA_CMPULTr, ALPHA_ZERO, to, to));
        break;
    case ALPHA_BLT:
        emit(code, alpha_literal(ALPHA_SRLi, to, 63, to));
        break;
    case ALPHA_BGE:
        emit(code, alpha_operate(ALPHA_CMPLEr, ALPHA_ZERO, to, to));
        break;
    case ALPHA_BLE:
    case ALPHA_FBLE: /* as an integer: -0 is the lowest, NaNs are ordered by sign */
        emit(code, alpha_literal(ALPHA_CMPLEi, to, 0, to));
        break;
    case ALPHA_BGT:
    case ALPHA_FBGT:
        emit(code, alpha_operate(ALPHA_CMPLTr, ALPHA_ZERO, to, to));
        break;
    case ALPHA_BLBS:
    case ALPHA_BLBC:
        emit(code, alpha_literal(ALPHA_ANDi, to, 1, to));
        break;
    case ALPHA_FBLT:
    case ALPHA_FBGE: { /* (v - 1) & v is negative for negative v except -0 */
        unsigned helper = frame_take(frame);
        emit(code, alpha_literal(ALPHA_SUBQi, to, 1, helper));
        emit(code, alpha_operate(ALPHA_ANDr, to, helper, to));
        emit(code, alpha_literal(ALPHA_SRLi, to, 63, to));
        frame_give_back(frame, helper);
        break;
    }
    default:
        break;
    }
    if (descriptor->opcode_id == ALPHA_BLBC || descriptor->opcode_id == ALPHA_FBGE)
        emit(code, alpha_literal(ALPHA_XORi, to, 1, to));
}

/* Narrows the value as a load of the same size would. */
static void cut_to_size(struct frame *frame, const struct alpha_descriptor *descriptor, unsigned to) {
    switch (descriptor->memory_size) {
    case 1:
        emit(frame_code(frame), alpha_literal(ALPHA_ZAPNOTi, to, 1, to));
        break;
    case 2:
        emit(frame_code(frame), alpha_literal(ALPHA_ZAPNOTi, to, 3, to));
        break;
    case 4:
        emit(frame_code(frame), alpha_literal(ALPHA_ADDLi, to, 0, to));
        break;
    default:
        break;
    }
}

static unsigned source_register(uint32_t word, const struct site_argument *value) {
    switch (value->value) {
    case PLAN_VALUE_ADDRESS:
        return alpha_rb(word);
    case PLAN_VALUE_TARGET:
        return alpha_decode(word)->flags & ALPHA_INDIRECT ? alpha_rb(word) : ALPHA_ZERO;
    case PLAN_VALUE_TAKEN:
        return (alpha_decode(word)->flags & ALPHA_FLOATING ? 32 : 0) + alpha_ra(word);
    case PLAN_VALUE_RETURN:
        return ALPHA_V0;
    case PLAN_VALUE_VALUE:
        return (alpha_decode(word)->flags & ALPHA_FLOATING ? 32 : 0) + alpha_ra(word);
    case PLAN_VALUE_ARGUMENT:
        return ALPHA_SP;
    case PLAN_VALUE_REGISTER:
    case PLAN_VALUE_OLD:
        return value->operand;
    default:
        return ALPHA_ZERO;
    }
}

static bool has_old(const struct call_context *context) {
    return context->old != 0 || context->old_on_stack || context->old_in_frame;
}

bool address_is_overwritten(uint32_t word) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    return descriptor->flags & (ALPHA_LOAD | ALPHA_STORE) &&
           alpha_registers_written(word) & REGISTER_BIT(alpha_rb(word));
}

/* The old value is the base of the address only if the instruction overwrites its base register. */
static bool has_old_base(const struct call_context *context, uint32_t word) {
    return has_old(context) && address_is_overwritten(word);
}

/* The stack pointer is lower while the old value is on the stack (copy/after.c). */
int address_displacement(const struct call_context *context, uint32_t word) {
    bool moved = context->old_on_stack && alpha_rb(word) == ALPHA_SP;
    return alpha_memory_displacement(word) + (moved ? OLD_ROOM : 0);
}

/* Loads the old value of the overwritten register. */
static void fetch_old(struct frame *frame, unsigned to) {
    const struct call_context *context = frame->context;
    if (context->old_in_frame) {
        emit_site_frame(frame_code(frame), to);
        emit(frame_code(frame), alpha_memory(ALPHA_LDQ, to, SITE_FRAME_OLD, to));
    } else if (context->old_on_stack)
        emit(frame_code(frame), alpha_memory(ALPHA_LDQ, to, (int)frame->lowered, ALPHA_SP));
    else
        frame_fetch(frame, context->old, to);
}

void compute_value(struct frame *frame, const struct site_argument *value, unsigned to) {
    struct code *code = frame_code(frame);
    struct rewrite *rewrite = frame->rewrite;
    uint32_t instruction = frame->context->instruction, word = program_word(rewrite, instruction);
    uint64_t next = instruction_address(rewrite->program, instruction + 1);
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    switch (value->value) {
    case PLAN_VALUE_ADDRESS:
        if (has_old_base(frame->context, word))
            fetch_old(frame, to);
        else
            frame_fetch(frame, alpha_rb(word), to);
        if (address_displacement(frame->context, word) != 0)
            emit(code, alpha_memory(ALPHA_LDA, to, address_displacement(frame->context, word), to));
        if (descriptor->flags & ALPHA_UNALIGNED)
            emit(code, alpha_literal(ALPHA_BICi, to, 7, to));
        break;
    case PLAN_VALUE_TAKEN:
        if (frame->context->taken >= 0)
            emit_constant(rewrite, code, frame->context->taken, to);
        else
            compute_taken(frame, word, to);
        break;
    case PLAN_VALUE_OLD:
        fetch_old(frame, to);
        break;
    case PLAN_VALUE_PC:
        emit_constant(rewrite, code, (int64_t)next - 4, to);
        break;
    case PLAN_VALUE_TARGET:
        if (descriptor->flags & ALPHA_INDIRECT) {
            frame_fetch(frame, alpha_rb(word), to);
            emit(code, alpha_literal(ALPHA_BICi, to, 3, to));
        } else {
            emit_constant(rewrite, code, (int64_t)next + 4 * (int64_t)alpha_branch_displacement(word), to);
        }
        break;
    case PLAN_VALUE_INSTRUMENTED_PC:
        emit_copy_address(rewrite, instruction, to);
        break;
    case PLAN_VALUE_CYCLES:
        emit(code, alpha_memory_function(ALPHA_RPCC, to, ALPHA_ZERO));
        break;
    case PLAN_VALUE_ARGUMENT: /* on the stack: the seventh argument is at $30 */
        frame_fetch(frame, ALPHA_SP, to);
        emit(code, alpha_memory(ALPHA_LDQ, to, 8 * (value->operand - REGISTER_ARGUMENTS), to));
        break;
    case PLAN_VALUE_VALUE:
        frame_fetch(frame, source_register(word, value), to);
        if (descriptor->flags & ALPHA_STORE && !(descriptor->flags & ALPHA_FLOATING))
            cut_to_size(frame, descriptor, to);
        break;
    case PLAN_VALUE_THREAD:
        emit(code, alpha_pal(ALPHA_PAL_RDUNIQ));
        frame->gone |= REGISTER_BIT(ALPHA_V0);
        emit_move(code, ALPHA_V0, to);
        break;
    default:
        frame_fetch(frame, source_register(word, value), to);
        break;
    }
    frame->gone |= REGISTER_BIT(to);
}

void compute_double(struct frame *frame, const struct site_argument *value, uint32_t word, unsigned to) {
    struct code *code = frame_code(frame);
    unsigned source = source_register(word, value);
    if (value->value == PLAN_VALUE_ARGUMENT) {
        frame_fetch(frame, ALPHA_SP, ALPHA_RA);
        emit(code, alpha_memory(ALPHA_LDT, to, 8 * (value->operand - REGISTER_ARGUMENTS), ALPHA_RA));
        frame->gone |= REGISTER_BIT(ALPHA_RA);
    } else if (frame->gone & frame->saved & REGISTER_BIT(source)) {
        emit(code, alpha_memory(ALPHA_LDT, to, 8 * frame->slot[source], ALPHA_SP));
    } else {
        emit(code, alpha_operate(ALPHA_CPYS, source - 32, source - 32, to));
    }
}

/* ---- expressions ---------------------------------------------------------------------------------------------- */

static bool is_small(const struct site_expression *expression) {
    return expression->op == PLAN_OP_INTEGER && expression->leaf.constant >= 0 &&
           expression->leaf.constant < 256;
}

/* Uses the analysis image's __divq or __remq; division by zero, which would trap, gives 0. */
static void compute_quotient(struct frame *frame, bool remainder, unsigned dividend, unsigned divisor,
                             unsigned to) {
    struct code *code = frame_code(frame);
    uint32_t routine = (uint32_t)analysis_symbol(frame->rewrite->analysis, remainder ? "__remq" : "__divq");
    emit_move(code, dividend, 24);
    emit_move(code, divisor, 25);
    emit_move(code, ALPHA_ZERO, 27);
    uint32_t test = code_position(code);
    emit(code, 0);
    emit_address(code, routine, 27);
    emit(code, alpha_jump(ALPHA_JSR, 23, 27, 0));
    code->words[test] = alpha_branch(ALPHA_BEQ, 25, (int64_t)code_position(code) - test - 1);
    emit_move(code, 27, to);
    frame->gone |= DIVISION_REGISTERS;
}

void emit_operations(struct code *code, const struct operation *list, const unsigned registers[],
                     const struct site_expression *literal) {
    for (; list->opcode != ALPHA_INVALID; list++) {
        unsigned a = registers[list->a], to = registers[list->to], number = list->literal;
        bool in_literal = list->b == OPERATION_LITERAL;
        if (list->b == OPERATION_RIGHT && literal) {
            in_literal = true;
            number = (unsigned)literal->leaf.constant;
        }
        if (in_literal)
            emit(code, alpha_literal(alpha_literal_form(list->opcode), a, number, to));
        else
            emit(code, alpha_operate(list->opcode, a, registers[list->b], to));
    }
}

static void compute_division(struct frame *frame, const struct site_expression *expression, unsigned to) {
    compute(frame, expression->operand[0], to);
    unsigned other = frame_take(frame);
    compute(frame, expression->operand[1], other);
    compute_quotient(frame, expression->op == PLAN_OP_REMAINDER, to, other, to);
    frame_give_back(frame, other);
}

/* Operands have no side effects: all are computed, without a branch. */
static void compute_operator(struct frame *frame, const struct site_expression *expression, unsigned to) {
    struct operation list[MOST_OPERATIONS];
    const struct site_expression *right = expression->operand[1];
    if (operator_is_called(expression)) {
        compute_division(frame, expression, to);
        return;
    }
    operator_operations(expression, list);
    bool literal = right && is_small(right) && operations_take_literal(list);
    bool takes_right = operations_use(list, OPERATION_RIGHT) && !literal;
    bool takes_spare = operations_use(list, OPERATION_SPARE);
    unsigned registers[] = {to, ALPHA_ZERO, ALPHA_ZERO, ALPHA_ZERO};
    compute(frame, expression->operand[0], to);
    if (takes_right) {
        registers[OPERATION_RIGHT] = frame_take(frame);
        compute(frame, right, registers[OPERATION_RIGHT]);
    }
    if (takes_spare)
        registers[OPERATION_SPARE] = frame_take(frame);
    emit_operations(frame_code(frame), list, registers, literal ? right : NULL);
    if (takes_spare)
        frame_give_back(frame, registers[OPERATION_SPARE]);
    if (takes_right)
        frame_give_back(frame, registers[OPERATION_RIGHT]);
}

static void compute_conditional(struct frame *frame, const struct site_expression *expression, unsigned to) {
    unsigned condition = frame_take(frame), other = frame_take(frame);
    compute(frame, expression->operand[0], condition);
    compute(frame, expression->operand[1], other);
    compute(frame, expression->operand[2], to);
    emit(frame_code(frame), alpha_operate(ALPHA_CMOVNEr, condition, other, to));
    frame_give_back(frame, other);
    frame_give_back(frame, condition);
}

void compute(struct frame *frame, const struct site_expression *expression, unsigned to) {
    struct code *code = frame_code(frame);
    switch (expression->op) {
    case PLAN_OP_INTEGER:
        emit_constant(frame->rewrite, code, expression->leaf.constant, to);
        break;
    case PLAN_OP_VALUE:
        compute_value(frame, &expression->leaf, to);
        break;
    case PLAN_OP_CONDITIONAL:
        compute_conditional(frame, expression, to);
        break;
    case PLAN_OP_CELL:
        compute_cell(frame, expression, to);
        break;
    case PLAN_OP_ELEMENT:
        compute_element(frame, expression, to);
        break;
    case PLAN_OP_MEMORY:
        compute_memory(frame, expression, to);
        break;
    case PLAN_OP_STATIC:
        compute_static(frame, expression, to);
        break;
    default:
        compute_operator(frame, expression, to);
        break;
    }
    frame->gone |= REGISTER_BIT(to);
}

/* ---- needs and sources ----------------------------------------------------------------------------------------- */

void value_needs(const struct rewrite *rewrite, const struct site_argument *value, uint32_t instruction,
                 struct needs *needs) {
    if (value->kind != SITE_VALUE)
        return;
    unsigned source = source_register(program_word(rewrite, instruction), value);
    needs->frame |= source >= 32 && source != 63;
    if (source >= 32 && value->value == PLAN_VALUE_TAKEN && needs->temporaries < 1)
        needs->temporaries = 1;
    if (value->value == PLAN_VALUE_THREAD)
        needs->clobbers |= REGISTER_BIT(ALPHA_V0);
}

void expression_needs(const struct rewrite *rewrite, const struct site_expression *expression,
                      uint32_t instruction, struct needs *needs) {
    unsigned most = 0;
    if (expression->op == PLAN_OP_INTEGER)
        return;
    if (expression->op == PLAN_OP_VALUE) {
        value_needs(rewrite, &expression->leaf, instruction, needs);
        return;
    }
    bool divides = expression_divides(expression);
    if (operator_is_called(expression)) {
        needs->clobbers |= DIVISION_REGISTERS;
        needs->calls = true;
    }
    for (unsigned i = 0; i < 3; i++) {
        struct needs inner = {0};
        if (!expression->operand[i])
            continue;
        expression_needs(rewrite, expression->operand[i], instruction, &inner);
        unsigned held = expression->op == PLAN_OP_CELL          ? CELL_TEMPORARIES
                        : expression->op == PLAN_OP_CONDITIONAL ? 2
                        : i > 0                                 ? 1
                                                                : 0;
        if (inner.temporaries + held > most)
            most = inner.temporaries + held;
        needs->clobbers |= inner.clobbers;
        needs->frame |= inner.frame;
        needs->calls |= inner.calls;
    }
    if ((divides || expression->op == PLAN_OP_ELEMENT) && most < 1)
        most = 1;
    if (expression->op == PLAN_OP_CELL && most < CELL_TEMPORARIES)
        most = CELL_TEMPORARIES;
    if (most > needs->temporaries)
        needs->temporaries = most;
    if (expression->op == PLAN_OP_MEMORY)
        memory_needs(rewrite, expression, instruction, needs);
    if (expression->op == PLAN_OP_STATIC)
        routine_needs(needs);
}

static alpha_register_set value_registers(const struct sources *sources, const struct site_argument *value) {
    const struct call_context *context = sources->context;
    if (value->value == PLAN_VALUE_TAKEN && context->taken >= 0)
        return 0;
    uint32_t word = program_word(sources->rewrite, context->instruction);
    if (value->value == PLAN_VALUE_OLD || (value->value == PLAN_VALUE_ADDRESS && has_old_base(context, word)))
        return context->old ? REGISTER_BIT(context->old) : 0;
    if (value->value == PLAN_VALUE_ADDRESS && context->old_on_stack && alpha_rb(word) == ALPHA_SP)
        return 0; /* the same at any position */
    return REGISTER_BIT(source_register(word, value)) & ~(REGISTER_BIT(ALPHA_ZERO) | REGISTER_BIT(63));
}

bool note_sources(const struct site_expression *expression, void *context) {
    struct sources *sources = context;
    if (expression->op == PLAN_OP_VALUE)
        sources->registers |= value_registers(sources, &expression->leaf);
    return false;
}

alpha_register_set value_sources(const struct rewrite *rewrite, const struct site_argument *value,
                                 const struct call_context *context) {
    struct sources found = {rewrite, context, 0};
    argument_any(value, note_sources, &found);
    return found.registers;
}
