/* compute.c: computes dynamic values and expressions into registers. Requires a frame whose registers to
   compute in are known (calls.c); changes no other register of the program.
 */
#include "engine/site/internal.h"
#include "engine/object/object.h"
#include "engine/image/image.h"

static const struct facts *instruction_facts(const struct rewrite *rewrite, uint32_t instruction) {
    return facts_of(rewrite->program, instruction);
}

/* ---- values -------------------------------------------------------------------------------------------------- */

/* Sets `to` to 1 if the current conditional branch will be taken, else to 0. */
static void compute_taken(struct frame *frame, uint32_t instruction, unsigned to) {
    struct code *code = frame_code(frame);
    uint32_t word = frame->rewrite->program->text[instruction];
    const struct conventions_of_machine *registers = code->machine->registers;
    const unsigned tested = instruction_facts(frame->rewrite, instruction)->tested;
    if (tested == registers->zero && !set_of(tested))
        machine_clear(code, to);
    else if (!is_flags(registers, tested))
        frame_fetch(frame, tested, to);
    bool helps = machine_condition_temporaries(code->machine, word) > 0;
    unsigned helper = helps ? frame_take(frame) : NO_REGISTER;
    machine_condition_value(code, word, to, helper);
    if (helps)
        frame_give_back(frame, helper);
}

/* A register of the program, or the register that is always 0. */
static unsigned source_register(const struct machine *machine, const struct facts *facts,
                                const struct site_argument *value) {
    switch (value->value) {
    case PLAN_VALUE_ADDRESS:
        return facts->memory[0].base;
    case PLAN_VALUE_TARGET:
        return facts->flags & FACT_INDIRECT ? facts->target : machine->registers->zero;
    case PLAN_VALUE_TAKEN:
        return facts->tested;
    case PLAN_VALUE_VALUE:
        return facts->memory[0].data;
    case PLAN_VALUE_RETURN:
        return machine->registers->result;
    case PLAN_VALUE_ARGUMENT:
        return machine->registers->stack;
    case PLAN_VALUE_REGISTER:
    case PLAN_VALUE_OLD:
        return value->operand;
    default:
        return machine->registers->zero;
    }
}

static bool has_old(const struct call_context *context) {
    return context->old != 0 || context->old_on_stack || context->old_in_frame;
}

/* The old value is a part of the address only if the instruction overwrites that register. */
static bool is_old_part(const struct call_context *context, const struct facts *facts, unsigned reg) {
    return has_old(context) && reg == kept_register(facts) && !(written_back(facts) & set_of(reg));
}

/* The stack pointer is lower while the old value is on the stack (copy/after.c). */
int address_displacement(const struct rewrite *rewrite, const struct call_context *context) {
    const unsigned base = instruction_facts(rewrite, context->instruction)->memory[0].base;
    bool moved = context->old_on_stack && base == rewrite->machine->registers->stack;
    const int own = constants_of(rewrite->program, context->instruction).displacement;
    /* What is added to the base: before the instruction, and after it, when the base may be written back. */
    const int before[] = {[WRITEBACK_NONE] = own, [WRITEBACK_BEFORE] = own, [WRITEBACK_AFTER] = 0};
    const int after[] = {[WRITEBACK_NONE] = own, [WRITEBACK_BEFORE] = 0, [WRITEBACK_AFTER] = -own};
    const uint8_t writeback = instruction_facts(rewrite, context->instruction)->memory[0].writeback;
    const int added = (context->executed ? after : before)[writeback];
    return added + (moved ? OLD_ROOM : 0);
}

/* Loads the old value of the overwritten register. */
static void fetch_old(struct frame *frame, unsigned to) {
    const struct call_context *context = frame->context;
    if (context->old_in_frame) {
        emit_site_frame(frame_code(frame), to);
        machine_load(frame_code(frame), to, to, SITE_FRAME_OLD);
    } else if (context->old_on_stack)
        machine_load(frame_code(frame), to, frame->rewrite->machine->registers->stack, (int)frame->lowered);
    else
        frame_fetch(frame, context->old, to);
}

/* Loads a register of the address, as it was before the instruction. */
static void fetch_part(struct frame *frame, unsigned reg, unsigned to) {
    if (is_old_part(frame->context, instruction_facts(frame->rewrite, frame->context->instruction), reg))
        fetch_old(frame, to);
    else
        frame_fetch(frame, reg, to);
}

/* How an index is extended: the low 32 bits with zeros, or with their sign; otherwise all bits. */
enum { INDEX_ZEROS = 2, INDEX_SIGN = 6 };

static void add_index(struct frame *frame, const struct memory_operand *memory, unsigned to) {
    struct code *code = frame_code(frame);
    unsigned index = frame_take(frame);
    fetch_part(frame, memory->index, index);
    if (memory->extend == INDEX_ZEROS) {
        machine_operate_constant(code, OPERATOR_SHIFT_LEFT, index, 32, index);
        machine_operate_constant(code, OPERATOR_SHIFT_RIGHT, index, 32, index);
    } else if (memory->extend == INDEX_SIGN) {
        machine_extend(code, 4, index);
    }
    if (memory->shift)
        machine_operate_constant(code, OPERATOR_SHIFT_LEFT, index, memory->shift, index);
    machine_operate(code, OPERATOR_ADD, to, index, to);
    frame_give_back(frame, index);
}

int stack_argument_offset(const struct machine *machine, const struct site_argument *value) {
    return 8 * (value->operand - machine->registers->arguments_in_registers);
}

/* The address that the instruction accesses or, if it is relative to the pc, computes. */
static void compute_address(struct frame *frame, unsigned to) {
    struct code *code = frame_code(frame);
    struct rewrite *rewrite = frame->rewrite;
    uint32_t instruction = frame->context->instruction;
    const struct facts *facts = instruction_facts(rewrite, instruction);
    if (facts->flags & FACT_PC_RELATIVE) {
        emit_constant(
            rewrite, code,
            (int64_t)rewrite->program->architecture->relative_address(
                rewrite->program->text[instruction], instruction_address(rewrite->program, instruction)),
            to);
        return;
    }
    fetch_part(frame, facts->memory[0].base, to);
    int displacement = address_displacement(rewrite, frame->context);
    if (displacement != 0)
        machine_add_constant(code, to, displacement, to);
    if (facts->memory[0].index != REGISTER_NONE)
        add_index(frame, &facts->memory[0], to);
    if (facts->flags & FACT_ROUNDS_DOWN)
        machine_operate_constant(code, OPERATOR_AND_NOT, to, facts->memory[0].size - 1, to);
}

void compute_value(struct frame *frame, const struct site_argument *value, unsigned to) {
    struct code *code = frame_code(frame);
    struct rewrite *rewrite = frame->rewrite;
    uint32_t instruction = frame->context->instruction;
    int64_t address = (int64_t)instruction_address(rewrite->program, instruction);
    const struct facts *facts = instruction_facts(rewrite, instruction);
    switch (value->value) {
    case PLAN_VALUE_ADDRESS:
        compute_address(frame, to);
        break;
    case PLAN_VALUE_TAKEN:
        if (frame->context->taken >= 0)
            emit_constant(rewrite, code, frame->context->taken, to);
        else
            compute_taken(frame, instruction, to);
        break;
    case PLAN_VALUE_OLD:
        fetch_old(frame, to);
        break;
    case PLAN_VALUE_PC:
        emit_constant(rewrite, code, address, to);
        break;
    case PLAN_VALUE_TARGET:
        if (facts->flags & FACT_INDIRECT) {
            frame_fetch(frame, facts->target, to);
            machine_operate_constant(code, OPERATOR_AND_NOT, to, 3, to);
        } else {
            emit_constant(rewrite, code, address + constants_of(rewrite->program, instruction).value, to);
        }
        break;
    case PLAN_VALUE_INSTRUMENTED_PC:
        emit_copy_address(rewrite, instruction, to);
        break;
    case PLAN_VALUE_CYCLES:
        machine_cycles(code, to);
        break;
    case PLAN_VALUE_ARGUMENT: /* on the stack: the first of them is at the stack pointer */
        frame_fetch(frame, code->machine->registers->stack, to);
        machine_load(code, to, to, stack_argument_offset(code->machine, value));
        break;
    case PLAN_VALUE_VALUE:
        frame_fetch(frame, source_register(code->machine, facts, value), to);
        if (facts->flags & FACT_STORE && !(facts->flags & FACT_FLOAT))
            machine_extend(code, facts->memory[0].size, to);
        break;
    case PLAN_VALUE_THREAD:
        machine_thread_pointer(code, to);
        frame->gone |= code->machine->registers->thread_pointer;
        break;
    default:
        frame_fetch(frame, source_register(code->machine, facts, value), to);
        break;
    }
    frame->gone |= REGISTER_BIT(to);
}

void compute_double(struct frame *frame, const struct site_argument *value, unsigned to) {
    struct code *code = frame_code(frame);
    unsigned source =
        source_register(code->machine, instruction_facts(frame->rewrite, frame->context->instruction), value);
    if (value->value == PLAN_VALUE_ARGUMENT) {
        const unsigned base = code->machine->registers->link;
        frame_fetch(frame, code->machine->registers->stack, base);
        machine_load(code, FLOAT_REGISTER(to), base, stack_argument_offset(code->machine, value));
        frame->gone |= REGISTER_BIT(base);
    } else if (frame->gone & frame->saved & REGISTER_BIT(source)) {
        machine_load(code, FLOAT_REGISTER(to), code->machine->registers->stack, 8 * frame->slot[source]);
    } else {
        machine_move(code, source, FLOAT_REGISTER(to));
    }
}

/* ---- expressions ---------------------------------------------------------------------------------------------- */

static bool is_small(const struct site_expression *expression) {
    return expression->op == PLAN_OP_INTEGER && expression->leaf.constant >= 0 &&
           expression->leaf.constant < 256;
}

/* Uses the analysis image's __divq or __remq; the result of a division by zero, which would trap, is 0. */
static void compute_quotient(struct frame *frame, bool remainder, unsigned dividend, unsigned divisor,
                             unsigned to) {
    struct code *code = frame_code(frame);
    const struct machine *machine = code->machine;
    uint32_t routine = (uint32_t)analysis_symbol(frame->rewrite->analysis, remainder ? "__remq" : "__divq");
    machine_move(code, dividend, machine->helper_left);
    machine_move(code, divisor, machine->helper_right);
    machine_clear(code, machine->helper_result);
    uint32_t test = machine_branch_if_forward(code, CONDITION_ZERO, machine->helper_right);
    machine_call_helper(code, routine);
    machine_aim_here(code, test);
    machine_move(code, machine->helper_result, to);
    frame->gone |= machine->helper_changes;
}

void emit_operations(struct code *code, const struct operation *list, const unsigned registers[],
                     const struct site_expression *literal) {
    for (; list->kind != OPERATOR_NONE; list++) {
        unsigned a = registers[list->a], to = registers[list->to], number = list->literal;
        bool in_literal = list->b == OPERATION_LITERAL;
        if (list->b == OPERATION_RIGHT && literal) {
            in_literal = true;
            number = (unsigned)literal->leaf.constant;
        }
        if (in_literal)
            machine_operate_constant(code, list->kind, a, number, to);
        else
            machine_operate(code, list->kind, a, registers[list->b], to);
    }
}

static void compute_division(struct frame *frame, const struct site_expression *expression, unsigned to) {
    compute(frame, expression->operand[0], to);
    unsigned other = frame_take(frame);
    bool remainder = expression->op == PLAN_OP_REMAINDER;
    compute(frame, expression->operand[1], other);
    if (machine_divides(frame->rewrite->machine))
        machine_divide(frame_code(frame), remainder, to, other, to);
    else
        compute_quotient(frame, remainder, to, other, to);
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
    bool takes_right = right && !literal && operations_use(list, OPERATION_RIGHT);
    bool takes_spare = operations_use(list, OPERATION_SPARE);
    unsigned registers[] = {to, NO_REGISTER, NO_REGISTER, NO_REGISTER};
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
    machine_select(frame_code(frame), CONDITION_NONZERO, condition, other, to);
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
    unsigned source = source_register(rewrite->machine, instruction_facts(rewrite, instruction), value);
    needs->frame |= source >= 32 && set_of(source) && source != 32u + rewrite->machine->registers->zero;
    const struct facts *facts = instruction_facts(rewrite, instruction);
    bool has_index =
        value->value == PLAN_VALUE_ADDRESS && facts->memory_count && facts->memory[0].index != REGISTER_NONE;
    bool tests_float = source >= 32 && set_of(source) && value->value == PLAN_VALUE_TAKEN;
    if ((tests_float || has_index) && needs->temporaries < 1)
        needs->temporaries = 1;
    if (value->value == PLAN_VALUE_THREAD)
        needs->clobbers |= rewrite->machine->registers->thread_pointer;
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
    if (operator_is_called(expression) && !machine_divides(rewrite->machine)) {
        needs->clobbers |= rewrite->machine->helper_changes;
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
        routine_needs(rewrite, needs);
}

static register_set value_registers(const struct sources *sources, const struct site_argument *value) {
    const struct call_context *context = sources->context;
    const struct machine *machine = sources->rewrite->machine;
    if (value->value == PLAN_VALUE_TAKEN && context->taken >= 0)
        return 0;
    const struct facts *facts = instruction_facts(sources->rewrite, context->instruction);
    const register_set old = context->old ? REGISTER_BIT(context->old) : 0;
    if (value->value == PLAN_VALUE_OLD)
        return old;
    if (value->value == PLAN_VALUE_ADDRESS) {
        const unsigned base = facts->memory[0].base, index = facts->memory[0].index;
        bool is_fixed = context->old_on_stack && base == machine->registers->stack; /* at any position */
        register_set parts = is_old_part(context, facts, base) ? old : is_fixed ? 0 : set_of(base);
        parts |= is_old_part(context, facts, index) ? old : set_of(index);
        return parts & ~machine->constant_registers;
    }
    return set_of(source_register(machine, facts, value)) & ~machine->constant_registers;
}

bool note_sources(const struct site_expression *expression, void *context) {
    struct sources *sources = context;
    if (expression->op == PLAN_OP_VALUE)
        sources->registers |= value_registers(sources, &expression->leaf);
    return false;
}

register_set value_sources(const struct rewrite *rewrite, const struct site_argument *value,
                           const struct call_context *context) {
    struct sources found = {rewrite, context, 0};
    argument_any(value, note_sources, &found);
    return found.registers;
}
