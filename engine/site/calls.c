/* calls.c: the code at a site: a frame, guards, arguments, a bsr to the routine's wrapper for each call,
   and updates of counters. Requires the sites' dynamic values to be valid at the instruction (select.c has
   checked). */
#include "engine/site/internal.h"
#include "engine/cfg/cfg.h"
#include "engine/routine/routine.h"

#define MOST_DIRECT_SAVES 10

/* The registers that the instruction's successors read from it: if it is skipped, they read the old
   values. */
static register_set left_by_skip(const struct rewrite *rewrite, uint32_t instruction) {
    const struct program *program = rewrite->program;
    const struct facts *facts = facts_of(program, instruction);
    uint32_t block = block_at(program, instruction);
    register_set left = facts->class == CLASS_CALL ? ~UINT64_C(0) : facts->written;
    if (instruction == block_last(&program->blocks[block]) && block + 1 < program->block_count)
        left &= program->blocks[block + 1].live_in;
    return left & ~frame_avoids(rewrite->machine);
}

register_set site_sources(const struct rewrite *rewrite, const struct site *site,
                          const struct call_context *context) {
    struct sources found = {rewrite, context, 0};
    site_any(site, note_sources, &found);
    return found.registers | (site->skips ? left_by_skip(rewrite, site->instruction) : 0);
}

/* ---- arguments ------------------------------------------------------------------------------------------------ */

static void emit_narrowing(struct code *code, const struct plan_parameter *parameter, unsigned to) {
    struct operation list[MOST_OPERATIONS];
    const unsigned registers[] = {to, to, to, NO_REGISTER};
    narrowing_operations(parameter, list);
    emit_operations(code, list, registers, NULL);
}

static void emit_argument(struct frame *frame, const struct site *site, uint32_t number, unsigned to) {
    struct rewrite *rewrite = frame->rewrite;
    struct code *code = &rewrite->code->copies;
    const struct site_argument *argument = &site->arguments[number];
    const struct plan_routine *routine = &rewrite->plan->routines[site->action->routine];
    bool dynamic = argument->kind == SITE_VALUE || argument->kind == SITE_COMPUTED;
    if (argument->single)
        compute_single(frame, argument, to, true);
    else if (argument->kind == SITE_CONSTANT)
        emit_constant(rewrite, code, argument->constant, to);
    else if (argument->kind == SITE_STRING)
        machine_address(code, table_string(rewrite, argument->string), to);
    else if (argument->kind == SITE_BUFFER)
        machine_address(code, rewrite->code->tables.buffer_addresses[argument->constant], to);
    else if (argument->kind == SITE_ROUTINE)
        machine_address(code, rewrite->routines->addresses[argument->constant], to);
    else if (argument->kind == SITE_ARRAY)
        machine_address(code, table_array(rewrite, argument->array), to);
    else if (argument->kind == SITE_COMPUTED)
        compute(frame, argument->computed, to);
    else
        compute_value(frame, argument, to);
    if (dynamic && !argument->floating && number < routine->parameter_count)
        emit_narrowing(code, &routine->parameters[number], to);
    frame->gone |= REGISTER_BIT(to);
}

/* Loads a floating-point argument into a floating-point register, through the link and the pool if it is a
   constant.
 */
static void emit_double(struct frame *frame, const struct site *site, uint32_t number, unsigned to) {
    struct code *code = &frame->rewrite->code->copies;
    const struct site_argument *argument = &site->arguments[number];
    if (argument->kind == SITE_CONSTANT && argument->constant == 0) {
        machine_clear(code, FLOAT_REGISTER(to));
    } else if (argument->kind == SITE_CONSTANT) {
        uint32_t address = pool_constant(frame->rewrite, (uint64_t)argument->constant);
        const unsigned base = code->machine->registers->link;
        int low = machine_address_base(code, address, base);
        machine_load(code, FLOAT_REGISTER(to), base, low);
        frame->gone |= REGISTER_BIT(base);
    } else if (argument->single) {
        compute_single(frame, argument, to, false);
    } else {
        compute_double(frame, argument, to);
    }
    frame->gone |= REGISTER_BIT(32 + to);
}

/* ---- calls ---------------------------------------------------------------------------------------------------- */

/* True if the routine can be called directly: its frame needs no more than the site's, and no lock and no
   swap is needed. */
static bool can_be_direct(const struct rewrite *rewrite, uint32_t routine) {
    const struct routine_summary *summary = routine_summary_of_call(rewrite, routine);
    return !rewrite->program->threads && !summary->uses_thread_pointer && !summary->changes_fpcr;
}

/* A wrapper is shared; a direct call saves registers at the site, which pays while they are few. */
static bool is_called_directly(const struct rewrite *rewrite, uint32_t routine, register_set needed) {
    if (machine_keeps_registers(rewrite->machine))
        return false;
    enum call_tier tier = rewrite->options->call;
    register_set saves = wrapper_clobbers(rewrite, routine) & needed;
    bool is_tight = tier == CALL_AUTOMATIC && rewrite->is_tight;
    if (tier == CALL_WRAPPER || tier == CALL_INLINE || is_tight || !can_be_direct(rewrite, routine))
        return false;
    return tier == CALL_DIRECT || __builtin_popcountll(saves) <= MOST_DIRECT_SAVES;
}

static void emit_through_wrapper(struct frame *frame, const struct site *site, register_set needed) {
    struct rewrite *rewrite = frame->rewrite;
    struct code *code = &rewrite->code->copies;
    register_set saves = wrapper_clobbers(rewrite, site->action->routine) & needed & ~frame->saved;
    machine_near_call(code, wrapper_address(rewrite, site->action->routine, saves));
}

/* Calls the function that the routine's slow path would call. */
static void emit_slow_call(struct frame *frame, const struct site *site) {
    const struct slow_call *slow = site->action->slow;
    struct rewrite *rewrite = frame->rewrite;
    struct code *code = &rewrite->code->copies;
    for (uint32_t i = 0; i < slow->count; i++)
        /* the condition exists, in a register that the others do not need */
        if (slow->arguments[i].kind == SLOW_COMPUTED) {
            if (slow->arguments[i].number != rewrite->machine->registers->first_argument + i)
                machine_move(code, (unsigned)slow->arguments[i].number,
                             rewrite->machine->registers->first_argument + i);
            frame->gone |= REGISTER_BIT(rewrite->machine->registers->first_argument + i);
        }
    for (uint32_t i = 0; i < slow->count; i++)
        if (slow->arguments[i].kind == SLOW_ARGUMENT) {
            emit_argument(frame, site, (uint32_t)slow->arguments[i].number,
                          rewrite->machine->registers->first_argument + i);
        } else if (slow->arguments[i].kind == SLOW_CONSTANT) {
            emit_constant(rewrite, code, (int64_t)slow->arguments[i].number,
                          rewrite->machine->registers->first_argument + i);
            frame->gone |= REGISTER_BIT(rewrite->machine->registers->first_argument + i);
        }
    helper_emit_call(rewrite, code, slow->entry);
    rewrite->code->statistics.calls_direct++;
}

static void emit_routine_call(struct frame *frame, const struct site *site, register_set needed) {
    struct rewrite *rewrite = frame->rewrite;
    struct code *code = &rewrite->code->copies;
    const uint32_t in_registers = code->machine->registers->arguments_in_registers;
    for (uint32_t i = in_registers; i < site->action->argument_count; i++) {
        emit_argument(frame, site, i, code->machine->registers->link);
        machine_store(code, code->machine->registers->link, code->machine->registers->stack,
                      8 * (int)(i - in_registers));
    }
    for (uint32_t i = 0; i < site->action->argument_count && i < in_registers; i++)
        if (site->arguments[i].floating)
            emit_double(frame, site, i, rewrite->machine->registers->first_argument + i);
        else
            emit_argument(frame, site, i, rewrite->machine->registers->first_argument + i);
    if (is_called_directly(rewrite, site->action->routine, needed)) {
        routine_place(rewrite, site->action->routine);
        routine_emit_call(rewrite, code, site->action->routine);
        rewrite->code->statistics.calls_direct++;
    } else {
        emit_through_wrapper(frame, site, needed);
    }
}

static void emit_call(struct frame *frame, const struct site *site, register_set needed) {
    struct rewrite *rewrite = frame->rewrite;
    if (site->action->slow)
        emit_slow_call(frame, site);
    else
        emit_routine_call(frame, site, needed);
    frame->gone |= frame->saved; /* registers that the call may change and the wrapper does not save */
    rewrite->code->statistics.calls_made++;
    rewrite->routines->sum_called |= site->counted;
    rewrite->routines->calls[site->action->routine].called++;
}

/* Sets the program's register to the value: in its slot if it is saved, as the code itself may be using the
   register.
 */
static void emit_set(struct frame *frame, const struct site *site) {
    struct code *code = &frame->rewrite->code->copies;
    unsigned target = site->action->value->leaf.operand, value = frame_take(frame), base = frame_take(frame);
    compute(frame, site->action->amount, value);
    if (frame->saved & REGISTER_BIT(target)) {
        machine_store(code, value, frame_base(frame, base), 8 * frame->slot[target]);
        frame->gone |= REGISTER_BIT(target);
    } else if (target >= 32) {
        unsigned at = frame_base(frame, base);
        machine_store(code, value, at, (int)frame->scratch);
        machine_load(code, target, at, (int)frame->scratch);
    } else {
        machine_move(code, value, target);
    }
    frame_give_back(frame, base);
    frame_give_back(frame, value);
}

/* Leaves the site's code and skips the instruction: the code that copies it sets the branch's target. */
static void emit_skip(struct frame *frame) {
    struct rewrite *rewrite = frame->rewrite;
    struct code *code = &rewrite->code->copies;
    struct frame left = *frame;
    frame_leave(&left);
    ARENA_RESERVE(rewrite->round, rewrite->code->skips, rewrite->code->skip_count,
                  rewrite->code->skip_capacity);
    rewrite->code->skips[rewrite->code->skip_count++] = machine_branch_forward(code);
}

/* A branch, to be aimed, that is taken if the register is 0. Returns its position. */
static uint32_t begin_test(struct frame *frame, unsigned reg) {
    frame_give_back(frame, reg);
    return machine_branch_if_forward(&frame->rewrite->code->copies, CONDITION_ZERO, reg);
}

static void end_test(struct frame *frame, uint32_t test) {
    if (test != NO_INDEX)
        machine_aim_here(&frame->rewrite->code->copies, test);
}

/* Emits the statements of one group, done if their guard holds and this event is sampled. */
void emit_group(struct frame *frame, const struct site *const *sites, uint32_t count, register_set needed) {
    uint32_t guard = NO_INDEX, sample = NO_INDEX;
    bool skips = false;
    if (sites[0]->action->guard) {
        unsigned holds = frame_take(frame);
        compute(frame, sites[0]->action->guard, holds);
        guard = begin_test(frame, holds);
    }
    if (sites[0]->action->sample) {
        unsigned chosen = frame_take(frame);
        compute_sample(frame, sites[0], chosen);
        sample = begin_test(frame, chosen);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (sites[i]->kind == PLAN_ACTION_UPDATE)
            compute_update(frame, sites[i]);
        else if (sites[i]->kind == PLAN_ACTION_SET)
            emit_set(frame, sites[i]);
        else if (sites[i]->kind == PLAN_ACTION_SKIP)
            skips = true;
        else
            emit_call(frame, sites[i], needed);
    }
    if (skips)
        emit_skip(frame);
    end_test(frame, sample);
    end_test(frame, guard);
}

/* ---- the frame ------------------------------------------------------------------------------------------------ */

static void add_expression(const struct rewrite *rewrite, struct needs *needs,
                           const struct site_expression *expression, uint32_t instruction, unsigned held) {
    struct needs own = {0};
    if (!expression)
        return;
    expression_needs(rewrite, expression, instruction, &own);
    need_at_least(needs, &own, held);
}

/* The registers that the site's code uses for computing, and the registers that it changes. */
void site_needs(const struct rewrite *rewrite, const struct site *site, uint32_t instruction,
                register_set needed, struct needs *needs) {
    add_expression(rewrite, needs, site->action->guard, instruction, 1);
    if (site->action->sample) {
        struct needs sample = {.temporaries = SAMPLE_TEMPORARIES};
        need_at_least(needs, &sample, 1);
    }
    if (site->kind ==
        PLAN_ACTION_UPDATE) { /* base, value, the amount if it is in a register, a number or a comparison */
        unsigned amount = adds_immediate(site) ? 0 : 1;
        unsigned temporaries =
            is_simple_update(site) ? 2 : 3 + amount + (site->action->buckets ? BUCKET_TEMPORARIES : 0);
        struct needs update = {.temporaries = temporaries};
        if (site->notes && rewrite->program->threads)
            update.clobbers = rewrite->machine->registers->thread_pointer;
        need_at_least(needs, &update, 0);
        if (amount)
            add_expression(rewrite, needs, site->action->amount, instruction, 3);
        add_expression(rewrite, needs, site->action->value, instruction, 4);
        add_expression(rewrite, needs, site->action->cell, instruction,
                       3 + amount + (site->action->buckets ? 1 : 0));
        return;
    }
    if (site->kind == PLAN_ACTION_SKIP)
        return;
    if (site->kind == PLAN_ACTION_SET) {
        struct needs set = {.temporaries = 2, .frame = site->action->value->leaf.operand >= 32};
        need_at_least(needs, &set, 0);
        add_expression(rewrite, needs, site->action->amount, instruction, 2);
        return;
    }
    needs->calls = true;
    needs->clobbers |= REGISTER_BIT(rewrite->machine->registers->link);
    if (site->action->slow) {
        needs->destroyed |= routine_helps(rewrite, site->action->slow->entry)->written;
        for (uint32_t i = 0; i < site->action->slow->count; i++)
            needs->clobbers |= REGISTER_BIT(rewrite->machine->registers->first_argument + i);
    } else if (is_called_directly(rewrite, site->action->routine, needed))
        needs->destroyed |= wrapper_clobbers(rewrite, site->action->routine);
    for (uint32_t i = 0; i < site->action->argument_count; i++) {
        struct needs own = {0};
        if (site->arguments[i].kind == SITE_COMPUTED)
            expression_needs(rewrite, site->arguments[i].computed, instruction, &own);
        else
            value_needs(rewrite, &site->arguments[i], instruction, &own);
        if (site->arguments[i].single)
            routine_needs(rewrite, &own);
        need_at_least(needs, &own, 0);
        if (i < rewrite->machine->registers->arguments_in_registers)
            needs->clobbers |= REGISTER_BIT(rewrite->machine->registers->first_argument + i +
                                            (site->arguments[i].floating ? 32 : 0));
    }
}
