/* emit.c: emits steps as machine code, each result in a register that becomes free at its last use.
   Requires a frame with as many registers to compute in as steps_pressure returns. */
#include "engine/inline/internal.h"

/* Assigns registers to results: the frame's, or, to count them only, as many as needed. */
struct assignment {
    const struct steps *steps;
    struct frame *frame;           /* NULL: only counts */
    uint64_t held;                 /* counting: registers in use */
    uint32_t own_last_use;         /* the last step that reads steps.own */
    unsigned most;                 /* the maximum in use at once */
    uint8_t registers[MOST_STEPS]; /* of temporaries */
    uint32_t last_use[MOST_STEPS]; /* the step, by temporary */
};

static void take_last_use(struct assignment *assignment, operand operand, uint32_t step) {
    if (assignment->steps->own && operand == assignment->steps->own)
        assignment->own_last_use = step;
    if (operand >= OPERAND_TEMPORARY)
        assignment->last_use[operand - OPERAND_TEMPORARY] = step;
}

/* While registers are only counted, this stands for steps.own; it is not counted. */
#define OWN (UINT64_C(1) << 63)

static void find_last_uses(struct assignment *assignment) {
    assignment->own_last_use = NO_INDEX;
    assignment->held = OWN;
    for (uint32_t i = 0; i < assignment->steps->count; i++) {
        const struct step *step = &assignment->steps->list[i];
        take_last_use(assignment, step->result, i); /* one that is never used */
        take_last_use(assignment, step->a, i);
        take_last_use(assignment, step->b, i);
        take_last_use(assignment, step->c, i);
    }
}

static unsigned take_register(struct assignment *assignment) {
    if (assignment->frame)
        return frame_take(assignment->frame);
    uint64_t taken = assignment->held & OWN ? ~assignment->held & -~assignment->held : OWN;
    assignment->held |= taken;
    unsigned count = (unsigned)__builtin_popcountll(assignment->held & ~OWN);
    if (count > assignment->most)
        assignment->most = count;
    return (unsigned)__builtin_ctzll(taken);
}

static void give_back(struct assignment *assignment, unsigned reg) {
    if (assignment->frame)
        frame_give_back(assignment->frame, reg);
    else
        assignment->held &= ~REGISTER_BIT(reg);
}

static bool operand_dies(const struct assignment *assignment, operand operand, uint32_t step) {
    return operand >= OPERAND_TEMPORARY && assignment->last_use[operand - OPERAND_TEMPORARY] == step;
}

static unsigned register_of(const struct assignment *assignment, operand operand) {
    return operand >= OPERAND_TEMPORARY ? assignment->registers[operand - OPERAND_TEMPORARY] : operand & 31;
}

static void release_operand(struct assignment *assignment, const struct step *step, uint32_t index,
                            operand kept) {
    const operand operands[] = {step->a, step->b, step->c};
    if (assignment->own_last_use == index)
        give_back(assignment, assignment->frame ? assignment->steps->own : 63);
    for (unsigned i = 0; i < 3; i++) {
        bool again = (i > 0 && operands[i] == operands[0]) || (i > 1 && operands[i] == operands[1]);
        if (operand_dies(assignment, operands[i], index) && operands[i] != kept && !again)
            give_back(assignment, register_of(assignment, operands[i]));
    }
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static bool is_literal(operand operand) {
    return operand >= OPERAND_LITERAL && operand < OPERAND_TEMPORARY;
}

static void emit_operate(struct code *code, enum integer_operator operation, unsigned a, operand b,
                         unsigned b_register, unsigned to) {
    if (is_literal(b))
        machine_operate_constant(code, operation, a, b & 0xff, to);
    else
        machine_operate(code, operation, a, b_register, to);
}

static void emit_select(struct code *code, enum branch_condition condition, unsigned tested, operand from,
                        unsigned from_register, unsigned to) {
    if (is_literal(from))
        machine_select_constant(code, condition, tested, from & 0xff, to);
    else
        machine_select(code, condition, tested, from_register, to);
}

/* The result replaces one of the two values, if that value is no longer needed. */
static void assign_select(struct assignment *assignment, const struct step *step, uint32_t index) {
    struct code *code = assignment->frame ? &assignment->frame->rewrite->code->copies : NULL;
    bool over_no = operand_dies(assignment, step->c, index) && step->c != step->a && step->c != step->b;
    bool over_yes = operand_dies(assignment, step->b, index) && step->b != step->a && step->b != step->c;
    operand place = over_no ? step->c : over_yes ? step->b : 0;
    unsigned to = place ? register_of(assignment, place) : take_register(assignment);
    if (code) {
        unsigned test = register_of(assignment, step->a);
        if (!place)
            emit_operate(code, OPERATOR_OR, NO_REGISTER, step->c, register_of(assignment, step->c), to);
        if (over_no || !over_yes)
            emit_select(code, step->operation, test, step->b, register_of(assignment, step->b), to);
        else
            emit_select(code, opposite_condition(step->operation), test, step->c,
                        register_of(assignment, step->c), to);
    }
    release_operand(assignment, step, index, place);
    assignment->registers[step->result - OPERAND_TEMPORARY] = (uint8_t)to;
}

static void emit_step(struct assignment *assignment, const struct step *step, unsigned a, unsigned b,
                      unsigned to, struct open_branches *branches) {
    struct frame *frame = assignment->frame;
    struct code *code = &frame->rewrite->code->copies;
    switch ((enum step_kind)step->kind) {
    case STEP_OPERATE:
        emit_operate(code, step->operation, a, step->b, b, to);
        break;
    case STEP_ADD_CONSTANT:
        machine_add_constant(code, a, step->displacement, to);
        break;
    case STEP_CONSTANT:
        emit_constant(frame->rewrite, code, (int64_t)step->number, to);
        break;
    case STEP_LOAD:
        note_inlined_access(frame->rewrite, step->origin);
        if (step->operation == FORM_ROUNDED_QUAD)
            machine_load_rounded(code, to, a, step->displacement);
        else
            machine_load_size(code, step->operation, to, a, step->displacement);
        break;
    case STEP_STORE:
        note_inlined_access(frame->rewrite, step->origin);
        if (step->operation == FORM_ROUNDED_QUAD)
            machine_store_rounded(code, b, a, step->displacement);
        else
            machine_store_size(code, step->operation, b, a, step->displacement);
        break;
    case STEP_BAIL_OUT:
        machine_branch_if(code, opposite_condition(step->operation), b, 1);
        branches->slow_register = (uint8_t)a;
        branches->leaves[branches->leave_count++] = code_position(code);
        machine_branch(code, 0);
        break;
    case STEP_SKIP:
        branches->skips[branches->skip_count++] = code_position(code);
        machine_branch_if(code, step->operation, b, 0);
        if (frame->late)
            frame_enter(frame);
        frame->late = false;
        break;
    case STEP_FETCH:
        frame_fetch(frame, (unsigned)step->number, to);
        break;
    case STEP_VALUE:
        compute_value(frame, (const struct site_argument *)(uintptr_t)step->number, to);
        break;
    default:
        break;
    }
}

static void begin_lock(struct assignment *assignment, struct open_branches *branches) {
    unsigned base = take_register(assignment), owner = take_register(assignment);
    if (assignment->frame)
        lock_take(assignment->frame->rewrite, base, owner, branches);
    give_back(assignment, base);
    give_back(assignment, owner);
}

/* Steps that are skipped while the lock is held continue here. */
static void end_lock(struct assignment *assignment, struct open_branches *branches) {
    unsigned base = take_register(assignment);
    give_back(assignment, base);
    if (!assignment->frame)
        return;
    struct rewrite *rewrite = assignment->frame->rewrite;
    uint32_t inside[MOST_STEPS], inside_count = 0, count = branches->skip_count;
    branches->skip_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (branches->skips[i] > branches->locked)
            inside[inside_count++] = branches->skips[i];
        else
            branches->skips[branches->skip_count++] = branches->skips[i];
    }
    branches_to_here(&rewrite->code->copies, inside, inside_count);
    lock_release(rewrite, base);
}

static void assign_registers(struct assignment *assignment, uint32_t count, struct open_branches *branches) {
    find_last_uses(assignment);
    for (uint32_t i = 0; i < count; i++) {
        const struct step *step = &assignment->steps->list[i];
        if (i == assignment->steps->lock)
            begin_lock(assignment, branches);
        if (step->kind == STEP_SELECT) {
            assign_select(assignment, step, i);
            continue;
        }
        unsigned a = register_of(assignment, step->a), b = register_of(assignment, step->b), to = NO_REGISTER;
        release_operand(assignment, step, i, 0);
        if (step->result)
            to = take_register(assignment);
        if (assignment->frame)
            emit_step(assignment, step, a, b, to, branches);
        if (step->result)
            assignment->registers[step->result - OPERAND_TEMPORARY] = (uint8_t)to;
        if (step->result && assignment->last_use[step->result - OPERAND_TEMPORARY] == i)
            give_back(assignment, to);
    }
    if (assignment->steps->lock != NO_INDEX)
        end_lock(assignment, branches);
}

void branches_to_here(struct code *code, const uint32_t *branches, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        machine_aim_here(code, branches[i]);
}

/* True for a register that only the steps' own operands read. */
void steps_own(struct steps *steps, unsigned reg) {
    bool known = !steps->bails_out && steps->lock == NO_INDEX;
    for (uint32_t i = 0; i < steps->count; i++)
        known &= steps->list[i].kind != STEP_FETCH && steps->list[i].kind != STEP_VALUE;
    steps->own = known ? (uint8_t)reg : 0;
}

unsigned steps_pressure(const struct steps *steps) {
    struct assignment assignment = {.steps = steps};
    struct open_branches none = {.leave_count = 0}; /* nothing is emitted */
    assign_registers(&assignment, steps->count, &none);
    return assignment.most + steps->needs.temporaries;
}

unsigned steps_pressure_before_skip(const struct steps *steps) {
    struct assignment assignment = {.steps = steps};
    struct open_branches none = {.leave_count = 0};
    uint32_t first = 0;
    for (; first < steps->count && steps->list[first].kind != STEP_SKIP; first++)
        if (steps->list[first].kind == STEP_FETCH || steps->list[first].kind == STEP_VALUE ||
            steps->list[first].kind == STEP_BAIL_OUT)
            return NO_INDEX;
    if (first == steps->count || steps->lock != NO_INDEX)
        return NO_INDEX;
    assign_registers(&assignment, first, &none);
    return assignment.most;
}

void steps_emit(const struct steps *steps, struct frame *frame, struct open_branches *branches) {
    struct assignment assignment = {.steps = steps, .frame = frame};
    branches->leave_count = branches->skip_count = 0;
    branches->locked = NO_INDEX;
    assign_registers(&assignment, steps->count, branches);
}
