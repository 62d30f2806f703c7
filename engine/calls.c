/* calls.c: the code at a site: a frame, guards, arguments and a bsr to the routine's wrapper for each call,
   and counters' updates. Requires the sites' dynamic values to be valid at the instruction (select.c has
   checked). */
#include "engine/inline.h"

#define BIT(r)             REGISTER_BIT(r)
#define REGISTER_ARGUMENTS 6
#define MOST_DIRECT_SAVES  10
/* Calls out of line wait until their branches are so many words away at most: 4 MB is what they reach. */
#define FARTHEST_SLOW_CALL 200000

alpha_register_set site_sources(const struct rewrite *rewrite, const struct site *site,
                                const struct call_context *context) {
    alpha_register_set sources = 0;
    const struct site_expression *expressions[] = {site->guard, site->cell, site->amount, site->value};
    for (size_t i = 0; i < sizeof expressions / sizeof expressions[0]; i++)
        if (expressions[i])
            sources |= expression_sources(rewrite, expressions[i], context);
    for (uint32_t i = 0; i < site->argument_count; i++)
        sources |= value_sources(rewrite, &site->arguments[i], context);
    return sources;
}

/* ---- arguments ------------------------------------------------------------------------------------------------ */

/* The calling standard wants narrow arguments extended to 64 bits; unsigned int sign-extended like int. */
static void emit_narrowing(struct code *code, const struct plan_parameter *parameter, unsigned to) {
    unsigned shift = parameter->type == PLAN_C_CHAR ? 56 : 48;
    switch (parameter->type) {
    case PLAN_C_INT:
        emit(code, alpha_literal(ALPHA_ADDLi, to, 0, to));
        break;
    case PLAN_C_CHAR:
    case PLAN_C_SHORT:
        emit(code, alpha_literal(ALPHA_SLLi, to, shift, to));
        emit(code, alpha_literal(parameter->is_unsigned ? ALPHA_SRLi : ALPHA_SRAi, to, shift, to));
        break;
    default:
        break;
    }
}

static void emit_argument(struct frame *frame, const struct site *site, uint32_t number, unsigned to) {
    struct rewrite *rewrite = frame->rewrite;
    struct code *code = &rewrite->copies;
    const struct site_argument *argument = &site->arguments[number];
    const struct plan_routine *routine = &rewrite->plan->routines[site->routine];
    bool dynamic = argument->kind == SITE_VALUE || argument->kind == SITE_COMPUTED;
    if (argument->kind == SITE_CONSTANT)
        emit_constant(rewrite, code, argument->constant, to);
    else if (argument->kind == SITE_STRING)
        emit_address(code, table_string(rewrite, argument->string), to);
    else if (argument->kind == SITE_BUFFER)
        emit_address(code, rewrite->buffer_addresses[argument->constant], to);
    else if (argument->kind == SITE_ARRAY)
        emit_address(code, table_array(rewrite, argument->array), to);
    else if (argument->kind == SITE_COMPUTED)
        compute(frame, argument->computed, to);
    else
        compute_value(frame, argument, to);
    if (dynamic && !argument->floating && number < routine->parameter_count)
        emit_narrowing(code, &routine->parameters[number], to);
    frame->gone |= BIT(to);
}

/* A floating-point argument into a floating-point register, by way of $26 and the pool if it is a constant.
 */
static void emit_double(struct frame *frame, const struct site *site, uint32_t number, unsigned to) {
    struct code *code = &frame->rewrite->copies;
    const struct site_argument *argument = &site->arguments[number];
    if (argument->kind == SITE_CONSTANT && argument->constant == 0) {
        emit(code, alpha_operate(ALPHA_CPYS, 31, 31, to));
    } else if (argument->kind == SITE_CONSTANT) {
        uint32_t address = pool_constant(frame->rewrite, (uint64_t)argument->constant);
        int low = (int16_t)(address & 0xffff);
        emit(code, alpha_memory(ALPHA_LDAH, ALPHA_RA, (int)((address - (uint32_t)low) >> 16), ALPHA_ZERO));
        emit(code, alpha_memory(ALPHA_LDT, to, low, ALPHA_RA));
        frame->gone |= BIT(ALPHA_RA);
    } else {
        uint32_t word = frame->rewrite->program->text[frame->context->instruction];
        compute_double(frame, argument, word, to);
    }
    frame->gone |= BIT(32 + to);
}

/* ---- calls ---------------------------------------------------------------------------------------------------- */

/* Straight to the routine, whose frame needs no more than the site's: nothing to lock or to swap. */
static bool can_be_direct(const struct rewrite *rewrite, uint32_t routine) {
    const struct routine_summary *summary = &rewrite->summaries[routine];
    return !rewrite->threads && !summary->uses_thread_pointer && !summary->changes_fpcr;
}

/* A wrapper is shared; a direct call has its saves at the site, which pays while they are few. */
static bool is_direct(const struct rewrite *rewrite, uint32_t routine, alpha_register_set needed) {
    enum call_tier tier = rewrite->options->call;
    alpha_register_set saves = wrapper_clobbers(rewrite, routine) & needed;
    if (tier == CALL_WRAPPER || tier == CALL_INLINE || !can_be_direct(rewrite, routine))
        return false;
    return tier == CALL_DIRECT || __builtin_popcountll(saves) <= MOST_DIRECT_SAVES;
}

static void emit_through_wrapper(struct frame *frame, const struct site *site, alpha_register_set needed) {
    struct rewrite *rewrite = frame->rewrite;
    struct code *code = &rewrite->copies;
    alpha_register_set saves = wrapper_clobbers(rewrite, site->routine) & needed & ~frame->saved;
    uint32_t wrapper = wrapper_address(rewrite, site->routine, saves);
    int64_t distance = ((int64_t)wrapper - (int64_t)code_address(code) - 4) / 4;
    if (alpha_branch_reaches(distance)) {
        emit(code, alpha_branch(ALPHA_BSR, ALPHA_RA, distance));
    } else {
        emit_address(code, wrapper, ALPHA_RA);
        emit(code, alpha_jump(ALPHA_JSR, ALPHA_RA, ALPHA_RA, 0));
    }
}

static void emit_call(struct frame *frame, const struct site *site, alpha_register_set needed) {
    struct rewrite *rewrite = frame->rewrite;
    struct code *code = &rewrite->copies;
    for (uint32_t i = REGISTER_ARGUMENTS; i < site->argument_count; i++) {
        emit_argument(frame, site, i, ALPHA_RA);
        emit(code, alpha_memory(ALPHA_STQ, ALPHA_RA, 8 * (int)(i - REGISTER_ARGUMENTS), ALPHA_SP));
    }
    for (uint32_t i = 0; i < site->argument_count && i < REGISTER_ARGUMENTS; i++)
        if (site->arguments[i].floating)
            emit_double(frame, site, i, ALPHA_A0 + i);
        else
            emit_argument(frame, site, i, ALPHA_A0 + i);
    if (is_direct(rewrite, site->routine, needed)) {
        emit_address(code, (uint32_t)rewrite->routine_addresses[site->routine], ALPHA_PV);
        emit(code, alpha_jump(ALPHA_JSR, ALPHA_RA, ALPHA_PV, 0));
        rewrite->statistics.calls_direct++;
    } else {
        emit_through_wrapper(frame, site, needed);
    }
    frame->gone |= frame->saved; /* what the call may change and the wrapper does not keep */
    rewrite->statistics.calls_made++;
    rewrite->routine_calls[site->routine].called++;
    if (rewrite->inliner)
        rewrite->routine_calls[site->routine].reason = inline_reason(rewrite, site->routine);
}

/* A branch to be, for when the register is 0. */
struct test {
    uint32_t position; /* NO_INDEX: there is none */
    unsigned reg;
};

static struct test begin_test(struct frame *frame, unsigned reg) {
    struct test test = {code_position(&frame->rewrite->copies), reg};
    emit(&frame->rewrite->copies, 0);
    frame_give_back(frame, reg);
    return test;
}

static void end_test(struct frame *frame, struct test test) {
    struct code *code = &frame->rewrite->copies;
    if (test.position != NO_INDEX)
        code->words[test.position] =
            alpha_branch(ALPHA_BEQ, test.reg, (int64_t)code_position(code) - test.position - 1);
}

/* What the sites of one group do, if their guard holds and this is one of those that are sampled. */
static void emit_group(struct frame *frame, const struct site *const *sites, uint32_t count,
                       alpha_register_set needed) {
    struct test guard = {NO_INDEX, 0}, sample = {NO_INDEX, 0};
    if (sites[0]->guard) {
        unsigned holds = frame_take(frame);
        compute(frame, sites[0]->guard, holds);
        guard = begin_test(frame, holds);
    }
    if (sites[0]->sample) {
        unsigned chosen = frame_take(frame);
        compute_sample(frame, sites[0], chosen);
        sample = begin_test(frame, chosen);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (sites[i]->kind == PLAN_ACTION_UPDATE)
            compute_update(frame, sites[i]);
        else
            emit_call(frame, sites[i], needed);
    }
    end_test(frame, sample);
    end_test(frame, guard);
}

/* ---- the frame ------------------------------------------------------------------------------------------------ */

static void need_at_least(struct needs *needs, const struct needs *other, unsigned held) {
    if (other->temporaries + held > needs->temporaries)
        needs->temporaries = other->temporaries + held;
    needs->clobbers |= other->clobbers;
    needs->destroyed |= other->destroyed;
    needs->frame |= other->frame;
}

static void add_expression(const struct rewrite *rewrite, struct needs *needs,
                           const struct site_expression *expression, uint32_t instruction, unsigned held) {
    struct needs own = {0};
    if (!expression)
        return;
    expression_needs(rewrite, expression, instruction, &own);
    need_at_least(needs, &own, held);
}

/* Registers that the site's code computes in, and changes. */
static void site_needs(const struct rewrite *rewrite, const struct site *site, uint32_t instruction,
                       alpha_register_set needed, struct needs *needs) {
    add_expression(rewrite, needs, site->guard, instruction, 1);
    if (site->sample) {
        struct needs sample = {.temporaries = SAMPLE_TEMPORARIES};
        need_at_least(needs, &sample, 1);
    }
    if (site->kind == PLAN_ACTION_UPDATE) { /* base, value, amount, and a cell number or a comparison */
        struct needs update = {.temporaries = 4 + (site->buckets ? BUCKET_TEMPORARIES : 0)};
        need_at_least(needs, &update, 0);
        add_expression(rewrite, needs, site->amount, instruction, 3);
        add_expression(rewrite, needs, site->value, instruction, 4);
        add_expression(rewrite, needs, site->cell, instruction, 5);
        return;
    }
    needs->frame = true;
    needs->clobbers |= BIT(ALPHA_RA);
    if (is_direct(rewrite, site->routine, needed))
        needs->destroyed |= wrapper_clobbers(rewrite, site->routine);
    for (uint32_t i = 0; i < site->argument_count; i++) {
        struct needs own = {0};
        if (site->arguments[i].kind == SITE_COMPUTED)
            expression_needs(rewrite, site->arguments[i].computed, instruction, &own);
        else
            value_needs(rewrite, &site->arguments[i], instruction, &own);
        need_at_least(needs, &own, 0);
        if (i < REGISTER_ARGUMENTS)
            needs->clobbers |= BIT(ALPHA_A0 + i + (site->arguments[i].floating ? 32 : 0));
    }
}

/* Registers to compute in: dead ones first. Not what is changed on the way. */
static alpha_register_set choose_temporaries(unsigned count, alpha_register_set avoid,
                                             alpha_register_set needed) {
    static const uint8_t order[] = {25, 24, 23, 22, 8,  7,  6,  5,  4,  3,  2,  1,  28, 27, 0,
                                    9,  10, 11, 12, 13, 14, 15, 29, 21, 20, 19, 18, 17, 16};
    alpha_register_set chosen = 0;
    for (int live = 0; live < 2; live++)
        for (size_t i = 0; i < sizeof order && count > 0; i++) {
            alpha_register_set bit = BIT(order[i]);
            if (bit & (avoid | chosen) || (needed & bit ? 1 : 0) != live)
                continue;
            chosen |= bit;
            count--;
        }
    return chosen;
}

/* False if there are too few registers to compute in. */
static bool lay_out_frame(struct frame *frame, const struct needs *needs, alpha_register_set needed,
                          alpha_register_set sources) {
    alpha_register_set avoid = needs->clobbers | sources | BIT(ALPHA_RA) | BIT(ALPHA_SP) | BIT(ALPHA_ZERO);
    frame->temporary = choose_temporaries(needs->temporaries, avoid, needed);
    if ((unsigned)__builtin_popcountll(frame->temporary) < needs->temporaries)
        return false;
    frame->saved = (needs->clobbers | needs->destroyed | frame->temporary) & needed;
    frame->present = needs->frame || frame->saved != 0 || frame->context->base_on_stack;
    frame->scratch = frame->outgoing;
    uint32_t next = frame->scratch / 8 + 1;
    for (unsigned r = 0; r < 64; r++)
        if (frame->saved & BIT(r))
            frame->slot[r] = (uint8_t)next++;
    frame->size = ((8 * next + 15) & ~15u) + (frame->context->base_on_stack ? BASE_ROOM : 0);
    return true;
}

static void save_or_restore(struct frame *frame, enum alpha_opcode integer, enum alpha_opcode floating) {
    for (unsigned r = 0; r < 64; r++)
        if (frame->saved & BIT(r))
            emit(&frame->rewrite->copies,
                 alpha_memory(r < 32 ? integer : floating, r & 31, 8 * frame->slot[r], ALPHA_SP));
}

static void enter(struct frame *frame) {
    if (frame->present)
        emit_enter_stack(frame->rewrite, &frame->rewrite->copies, frame->size);
    save_or_restore(frame, ALPHA_STQ, ALPHA_STT);
}

static void leave(struct frame *frame) {
    save_or_restore(frame, ALPHA_LDQ, ALPHA_LDT);
    if (frame->present)
        emit_leave_stack(frame->rewrite, &frame->rewrite->copies, frame->size);
}

/* ---- pieces ---------------------------------------------------------------------------------------------------- */

/* One group's calls and updates, or those of several groups put in together. */
struct piece {
    const struct site *const *sites;
    uint32_t count;
    struct steps *steps; /* NULL: by emit_group */
};

/* What is put in at one point. */
struct point {
    const struct site *const *sites;
    uint32_t count;
    const struct call_context *context;
    struct piece pieces[MOST_PIECES];
    uint32_t piece_count;
    bool by_calls; /* nothing is put in */
};

/* A call that a routine's put-in part leaves to: out of line, after the procedure or before it gets too far.
 */
struct slow_call {
    uint32_t branch, resume; /* word indices: the branch there, and where to go on */
    struct frame frame;      /* of the site: left first */
    struct call_context context;
    const struct site *site;
};

/* Sites from the first on that are of one group. */
static uint32_t group_size(const struct site *const *sites, uint32_t count) {
    uint32_t size = 1;
    while (size < count && sites[size]->group == sites[0]->group)
        size++;
    return size;
}

static bool leaves(const struct rewrite *rewrite, const struct site *site) {
    return site->kind == PLAN_ACTION_CALL && inline_possible(rewrite, site) &&
           rewrite->inliner->templates[site->routine].leaves;
}

/* What is sampled is rare: a test and a branch around it cost less. A routine that may be left for a call has
   to be alone. */
static bool can_be_put_in(const struct rewrite *rewrite, const struct site *const *sites, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!inline_possible(rewrite, sites[i]) || sites[i]->sample ||
            (count > 1 && leaves(rewrite, sites[i])))
            return false;
    return true;
}

/* Registers that are not what they were once other pieces have run. */
static alpha_register_set changed_elsewhere(const struct point *point, const struct rewrite *rewrite,
                                            alpha_register_set needed, bool frame) {
    struct needs needs = {0};
    for (uint32_t i = 0; i < point->piece_count; i++)
        for (uint32_t k = 0; !point->pieces[i].steps && k < point->pieces[i].count; k++)
            site_needs(rewrite, point->pieces[i].sites[k], point->context->instruction, needed, &needs);
    return needs.clobbers | needs.destroyed | (frame ? BIT(ALPHA_SP) : 0);
}

/* Divides the sites into what can be put in together and single groups. */
static void divide(struct point *point, struct rewrite *rewrite) {
    struct piece *joined = NULL;
    point->piece_count = 0;
    for (uint32_t i = 0, size; i < point->count; i += size) {
        size = group_size(point->sites + i, point->count - i);
        bool possible = !point->by_calls && can_be_put_in(rewrite, point->sites + i, size);
        if (possible && joined && joined->count + size <= MOST_JOINED) {
            joined->count += size;
            continue;
        }
        struct piece *piece = &point->pieces[point->piece_count];
        *piece = (struct piece){.sites = &point->sites[i], .count = size};
        piece->steps = possible ? &rewrite->inliner->steps[point->piece_count] : NULL;
        joined = possible ? piece : NULL;
        point->piece_count++;
    }
}

/* False if a piece cannot be put in after all. */
static bool make_steps(struct point *point, struct rewrite *rewrite, alpha_register_set needed, bool frame) {
    alpha_register_set fetched = changed_elsewhere(point, rewrite, needed, frame);
    for (uint32_t i = 0; i < point->piece_count; i++) {
        struct piece *piece = &point->pieces[i];
        if (piece->steps &&
            !inline_sites(rewrite, piece->sites, piece->count, point->context, fetched, piece->steps))
            return false;
    }
    return true;
}

/* The registers that the sites read. */
static alpha_register_set point_sources(const struct point *point, const struct rewrite *rewrite) {
    alpha_register_set sources = 0;
    for (uint32_t i = 0; i < point->piece_count; i++) {
        const struct piece *piece = &point->pieces[i];
        if (piece->steps)
            sources |= piece->steps->sources;
        for (uint32_t k = 0; !piece->steps && k < piece->count; k++)
            sources |= site_sources(rewrite, piece->sites[k], point->context);
    }
    return sources;
}

static bool plan_frame(const struct point *point, struct rewrite *rewrite, struct frame *frame,
                       alpha_register_set needed) {
    struct needs needs = {0};
    alpha_register_set in_place = 0;
    *frame = (struct frame){.rewrite = rewrite, .context = point->context};
    for (uint32_t i = 0; i < point->piece_count; i++) {
        const struct piece *piece = &point->pieces[i];
        if (piece->steps) {
            struct needs own = piece->steps->needs;
            own.temporaries = steps_pressure(piece->steps);
            need_at_least(&needs, &own, 0);
            in_place |= piece->steps->sources;
            continue;
        }
        for (uint32_t k = 0; k < piece->count; k++) {
            uint32_t arguments = piece->sites[k]->argument_count;
            site_needs(rewrite, piece->sites[k], point->context->instruction, needed, &needs);
            if (arguments > REGISTER_ARGUMENTS && 8 * (arguments - REGISTER_ARGUMENTS) > frame->outgoing)
                frame->outgoing = 8 * (arguments - REGISTER_ARGUMENTS);
        }
    }
    return lay_out_frame(frame, &needs, needed, in_place);
}

static void add_slow_calls(struct frame *frame, const struct point *point, const uint32_t *branches,
                           uint32_t count) {
    struct inliner *inliner = frame->rewrite->inliner;
    for (uint32_t i = 0; i < count; i++) {
        VECTOR_RESERVE(inliner->slow_calls, inliner->slow_call_count, inliner->slow_call_capacity);
        inliner->slow_calls[inliner->slow_call_count++] =
            (struct slow_call){.branch = branches[i],
                               .resume = code_position(&frame->rewrite->copies),
                               .frame = *frame,
                               .context = *point->context,
                               .site = point->sites[0]};
    }
}

static void count_put_in(struct rewrite *rewrite, const struct site *site) {
    if (site->kind != PLAN_ACTION_CALL) {
        rewrite->statistics.updates_made++;
        return;
    }
    rewrite->statistics.calls_inlined++;
    rewrite->routine_calls[site->routine].put_in++;
}

static void emit_point(struct frame *frame, const struct point *point, alpha_register_set needed) {
    struct rewrite_statistics *statistics = &frame->rewrite->statistics;
    uint32_t branches[MOST_STEPS], count = 0;
    enter(frame);
    for (uint32_t i = 0; i < point->piece_count; i++) {
        const struct piece *piece = &point->pieces[i];
        if (!piece->steps) {
            emit_group(frame, piece->sites, piece->count, needed);
            continue;
        }
        uint32_t begin = code_position(&frame->rewrite->copies);
        steps_emit(piece->steps, frame, branches, &count);
        statistics->words_put_in += code_position(&frame->rewrite->copies) - begin;
        for (uint32_t s = 0; s < piece->count; s++)
            count_put_in(frame->rewrite, piece->sites[s]);
    }
    leave(frame);
    statistics->registers_saved += (uint64_t)__builtin_popcountll(frame->saved);
    statistics->slow_calls += count;
    add_slow_calls(frame, point, branches, count);
}

static void emit_together(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                          const struct call_context *context, bool by_calls);

/* Group by group; a single one by calls. */
static void emit_apart(struct rewrite *rewrite, const struct point *point) {
    for (uint32_t i = 0, size; i < point->count; i += size) {
        size = group_size(point->sites + i, point->count - i);
        emit_together(rewrite, point->sites + i, size, point->context, size == point->count);
    }
}

static void emit_together(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                          const struct call_context *context, bool by_calls) {
    alpha_register_set base = context->base ? BIT(context->base) : 0; /* not the program's */
    alpha_register_set live = context->live | rewrite->observed | base;
    alpha_register_set needed = rewrite->options->no_liveness ? ~UINT64_C(0) : live;
    struct point point = {.sites = sites, .count = count, .context = context, .by_calls = by_calls};
    struct frame frame;
    for (int attempt = 0; attempt < 2; attempt++) { /* the second, if needed, with the stack pointer moved */
        divide(&point, rewrite);
        bool made = make_steps(&point, rewrite, needed, attempt > 0);
        alpha_register_set sources = made ? point_sources(&point, rewrite) : 0;
        bool fits = made && plan_frame(&point, rewrite, &frame, needed | sources);
        if (!fits && !by_calls) {
            emit_apart(rewrite, &point);
            return;
        }
        rewrite->observed |= sources & ~live;
        if (!frame.present || !(sources & BIT(ALPHA_SP)))
            break;
    }
    emit_point(&frame, &point, needed | point_sources(&point, rewrite));
}

void calls_finish(struct rewrite *rewrite) {
    struct inliner *inliner = rewrite->inliner;
    struct code *code = &rewrite->copies;
    for (uint32_t i = 0; inliner && i < inliner->slow_call_count; i++) {
        struct slow_call call = inliner->slow_calls[i];
        struct site site = *call.site;
        const struct site *sites = &site;
        site.guard = NULL; /* it held */
        code->words[call.branch] = alpha_branch(ALPHA_BNE, alpha_ra(code->words[call.branch]),
                                                (int64_t)code_position(code) - call.branch - 1);
        leave(&call.frame);
        emit_together(rewrite, &sites, 1, &call.context, true);
        rewrite->statistics.calls_made--; /* it is part of what has been put in */
        rewrite->routine_calls[site.routine].called--;
        emit(code, alpha_branch(ALPHA_BR, ALPHA_ZERO, (int64_t)call.resume - code_position(code) - 1));
    }
    if (inliner)
        inliner->slow_call_count = 0;
}

/* In very large procedures, the calls out of line are put in between. */
static void finish_in_time(struct rewrite *rewrite) {
    struct inliner *inliner = rewrite->inliner;
    struct code *code = &rewrite->copies;
    if (!inliner || inliner->slow_call_count == 0 ||
        code_position(code) - inliner->slow_calls[0].branch < FARTHEST_SLOW_CALL)
        return;
    uint32_t over = code_position(code);
    emit(code, 0);
    calls_finish(rewrite);
    code->words[over] = alpha_branch(ALPHA_BR, ALPHA_ZERO, (int64_t)code_position(code) - over - 1);
}

/* What nobody needs, by liveness, becomes garbage: a program that then does something else needed it. */
static void poison(struct rewrite *rewrite, const struct call_context *context) {
    struct code *code = &rewrite->copies;
    alpha_register_set dead =
        ~(context->live | rewrite->observed | BIT(ALPHA_SP) | BIT(ALPHA_ZERO) | BIT(63));
    uint32_t garbage = pool_constant(rewrite, UINT64_C(0xfff7dead5badbad5));
    int low = (int16_t)(garbage & 0xffff);
    alpha_register_set integers = dead & UINT32_MAX;
    if (context->base)
        integers &= ~BIT(context->base);
    unsigned pointer = integers ? (unsigned)__builtin_ctzll(integers) : 0;
    if (integers)
        emit(code, alpha_memory(ALPHA_LDAH, pointer, (int)((garbage - (uint32_t)low) >> 16), ALPHA_ZERO));
    for (unsigned r = 0; r < 31 && integers; r++)
        if (dead & BIT(32 + r))
            emit(code, alpha_memory(ALPHA_LDT, r, low, pointer));
    for (unsigned r = 0; r < 31; r++)
        if (integers & BIT(r))
            emit(code, alpha_memory(ALPHA_LDAH, r, 0x5bad, ALPHA_ZERO));
}

void calls_emit(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                const struct call_context *context) {
    uint32_t first = 0, groups = 0;
    finish_in_time(rewrite);
    for (uint32_t i = 0, size; i < count; i += size) { /* what may leave stands alone */
        size = group_size(sites + i, count - i);
        bool alone = size == 1 && leaves(rewrite, sites[i]);
        if (i > first && (alone || groups == MOST_PIECES)) {
            emit_together(rewrite, sites + first, i - first, context, false);
            first = i;
            groups = 0;
        }
        groups++;
        if (alone) {
            emit_together(rewrite, sites + i, 1, context, false);
            first = i + 1;
            groups = 0;
        }
    }
    if (count > first)
        emit_together(rewrite, sites + first, count - first, context, false);
    if (rewrite->options->poison)
        poison(rewrite, context);
}
