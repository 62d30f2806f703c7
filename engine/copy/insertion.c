/* insertion.c: inserts the code of one point. Several sites share a frame, inlined sites are placed together,
   and their slow-path calls are out of line after the procedure. Requires the sites' dynamic values to be
   valid at the instruction (select.c has checked). */
#include <string.h>

#include "engine/copy/internal.h"
#include "engine/dataflow/dataflow.h"
#include "engine/routine/routine.h"

/* The branch to a deferred call spans at most this many words: 4 MB is its range. */
#define FARTHEST_BAIL_OUT 200000

/* One group's calls and updates, or the calls and updates of several groups that are inlined together. */
struct piece {
    const struct site *const *sites;
    uint32_t count;
    struct steps *steps; /* NULL: by emit_group */
};

/* All that is inlined at one point. */
struct point {
    const struct site *const *sites;
    uint32_t count;
    const struct call_context *context;
    struct piece pieces[MOST_PIECES];
    uint32_t piece_count;
    bool by_calls; /* no site is inlined */
};

/* The call of a routine whose inlined part bails out to it. The call is emitted out of line, after the
   procedure, or earlier if the distance would become too large.
 */
struct bail_out {
    uint32_t branch, resume; /* word indices: the branch to it, and where execution resumes */
    struct frame frame;      /* the frame of the site, which is left first */
    struct call_context context;
    const struct site **sites; /* an array of its own */
    uint32_t count;
    bool holds;             /* for one site: its guard has been evaluated as true */
    bool locked;            /* the lock has to be released first */
    struct refusal refusal; /* if the guard is false */
    struct slow_call slow;  /* .entry 0: it calls the site's routine */
};

/* The number of sites, from the first on, that belong to one group. */
static uint32_t group_size(const struct site *const *sites, uint32_t count) {
    uint32_t size = 1;
    while (size < count && sites[size]->group == sites[0]->group)
        size++;
    return size;
}

static bool bails_out(const struct rewrite *rewrite, const struct site *site) {
    return site->kind == PLAN_ACTION_CALL && inline_possible(rewrite, site) &&
           inline_bails_out(rewrite, site);
}

/* A statement that sets registers is the only statement of its piece, so that no site reads them too early.
   The same applies to one that may skip the instruction. */
static bool any_site_sets(const struct site *const *sites, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (sites[i]->kind == PLAN_ACTION_SET || sites[i]->skips)
            return true;
    return false;
}

/* A sampled site runs rarely: it costs less to test and branch around it. A routine that may bail out to a
   call has to be the only routine of its piece. */
static bool can_be_inlined(const struct rewrite *rewrite, const struct site *const *sites, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!inline_possible(rewrite, sites[i]) || sites[i]->action->sample ||
            (count > 1 && bails_out(rewrite, sites[i])))
            return false;
    return true;
}

/* Registers whose values have changed once other pieces have run. */
static register_set changed_elsewhere(const struct point *point, const struct rewrite *rewrite,
                                      register_set needed, bool frame) {
    struct needs needs = {0};
    for (uint32_t i = 0; i < point->piece_count; i++)
        for (uint32_t k = 0; !point->pieces[i].steps && k < point->pieces[i].count; k++)
            site_needs(rewrite, point->pieces[i].sites[k], point->context->instruction, needed, &needs);
    return needs.clobbers | needs.destroyed | (frame ? set_of(rewrite->machine->registers->stack) : 0);
}

/* Divides the sites into pieces of sites that can be inlined together, and single groups. */
static void divide_into_pieces(struct point *point, struct rewrite *rewrite) {
    struct piece *joined = NULL;
    point->piece_count = 0;
    for (uint32_t i = 0, size; i < point->count; i += size) {
        size = group_size(point->sites + i, point->count - i);
        bool possible = !point->by_calls && can_be_inlined(rewrite, point->sites + i, size);
        bool alone = inline_skips(rewrite, point->sites + i, size);
        if (possible && joined && !alone && joined->count + size <= MOST_JOINED) {
            joined->count += size;
            continue;
        }
        struct piece *piece = &point->pieces[point->piece_count];
        *piece = (struct piece){.sites = &point->sites[i], .count = size};
        piece->steps = possible ? inline_steps(rewrite, point->piece_count) : NULL;
        joined = possible && !alone ? piece : NULL;
        point->piece_count++;
    }
}

/* Returns false if a piece cannot be inlined after all. */
static bool make_point_steps(struct point *point, struct rewrite *rewrite, register_set needed, bool frame) {
    register_set fetched = changed_elsewhere(point, rewrite, needed, frame);
    for (uint32_t i = 0; i < point->piece_count; i++) {
        struct piece *piece = &point->pieces[i];
        if (piece->steps &&
            !inline_sites(rewrite, piece->sites, piece->count, point->context, fetched, piece->steps))
            return false;
    }
    return true;
}

/* The registers that the sites read. */
static register_set point_sources(const struct point *point, const struct rewrite *rewrite) {
    register_set sources = 0;
    for (uint32_t i = 0; i < point->piece_count; i++) {
        const struct piece *piece = &point->pieces[i];
        if (piece->steps)
            sources |= piece->steps->sources;
        for (uint32_t k = 0; !piece->steps && k < piece->count; k++)
            sources |= site_sources(rewrite, piece->sites[k], point->context);
    }
    return sources;
}

/* True if free registers suffice for all code up to the first branch to the end. Then the other registers are
   saved after that branch. */
static bool enters_late(const struct frame *frame, const struct point *point) {
    const struct steps *steps = point->piece_count == 1 ? point->pieces[0].steps : NULL;
    unsigned unsaved = (unsigned)__builtin_popcountll(frame->temporary & ~frame->saved);
    return steps && frame->saved && !frame->context->old_on_stack && !steps->needs.clobbers &&
           steps_pressure_before_skip(steps) <= unsaved;
}

/* Computed values that are passed to a slow call. */
static register_set slow_registers(const struct site *site) {
    const struct slow_call *slow = site->kind == PLAN_ACTION_CALL ? site->action->slow : NULL;
    register_set set = 0;
    for (uint32_t i = 0; slow && i < slow->count; i++)
        if (slow->arguments[i].kind == SLOW_COMPUTED)
            set |= REGISTER_BIT(slow->arguments[i].number);
    return set;
}

static bool lay_out(const struct point *point, struct rewrite *rewrite, struct frame *frame,
                    register_set needed) {
    struct needs needs = {0};
    register_set in_place = 0;
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
            uint32_t arguments = piece->sites[k]->action->argument_count,
                     in_registers = rewrite->machine->registers->arguments_in_registers;
            site_needs(rewrite, piece->sites[k], point->context->instruction, needed, &needs);
            in_place |= slow_registers(piece->sites[k]);
            if (arguments > in_registers && 8 * (arguments - in_registers) > frame->outgoing)
                frame->outgoing = 8 * (arguments - in_registers);
        }
    }
    return frame_lay_out(frame, &needs, needed, in_place);
}

/* The number of the piece's instructions, plus the instructions that save and restore registers for it. */
static uint32_t cost_of(const struct steps *steps, const struct frame *frame) {
    return steps->count + frame_effort(frame);
}

/* If registers would have to be saved for inlined code: reduces the number that it uses. */
static void spare_registers(const struct point *point, struct rewrite *rewrite, struct frame *frame,
                            register_set needed) {
    struct steps *steps = point->piece_count == 1 ? point->pieces[0].steps : NULL;
    struct steps spared, before;
    struct frame other;
    if (!steps || !frame->saved || !steps_spare(steps, &spared))
        return;
    before = *steps;
    *steps = spared;
    if (lay_out(point, rewrite, &other, needed) && cost_of(steps, &other) < cost_of(&before, frame))
        *frame = other;
    else
        *steps = before;
}

static bool plan_frame(const struct point *point, struct rewrite *rewrite, struct frame *frame,
                       register_set needed) {
    if (!lay_out(point, rewrite, frame, needed))
        return false;
    frame->late = enters_late(frame, point);
    if (!frame->late)
        spare_registers(point, rewrite, frame, needed);
    if (frame->late && frame->own && !frame->base_is_kept)
        frame_without_base(frame);
    return true;
}

/* Adds a deferred call for the sites from `first` on. */
static struct bail_out *add_bail_out(struct frame *frame, const struct point *point, uint32_t first,
                                     uint32_t count) {
    struct rewrite *rewrite = frame->rewrite;
    ARENA_RESERVE(rewrite->round, rewrite->copying->bail_outs, rewrite->copying->bail_out_count,
                  rewrite->copying->bail_out_capacity);
    struct bail_out *call = &rewrite->copying->bail_outs[rewrite->copying->bail_out_count++];
    *call = (struct bail_out){.resume = code_position(&frame->rewrite->code->copies),
                              .frame = *frame,
                              .context = *point->context,
                              .sites = arena_allocate(rewrite->round, count * sizeof *call->sites),
                              .count = count};
    memcpy(call->sites, point->sites + first, count * sizeof *call->sites);
    return call;
}

/* The registers that the code before the branch has computed are live until after the site's frame. */
static void set_slow_call(struct bail_out *call, const struct slow_call *slow, unsigned computed) {
    enum { MOST_SAVED = 12 }; /* if there are more, a wrapper takes less room */
    const struct rewrite *rewrite = call->frame.rewrite;
    bool computes = false;
    if (slow->entry == 0 || rewrite->options->call != CALL_AUTOMATIC || rewrite->is_tight || call->locked ||
        __builtin_popcountll(routine_helps(rewrite, slow->entry)->written & call->context.live) > MOST_SAVED)
        return;
    call->slow = *slow;
    for (uint32_t i = 0; i < slow->count; i++)
        if (slow->arguments[i].kind == SLOW_COMPUTED) {
            call->slow.arguments[i].number = computed;
            computes = true;
        }
    if (computes &&
        ((call->frame.saved | set_of(rewrite->machine->registers->zero)) & REGISTER_BIT(computed) ||
         call->frame.base == computed)) /* leaving the frame needs that register, or restores it */
        call->slow.entry = 0;
}

static void add_leaves(struct frame *frame, const struct point *point, const struct open_branches *branches) {
    for (uint32_t i = 0; i < branches->leave_count; i++) {
        struct bail_out *call = add_bail_out(frame, point, 0, 1);
        call->branch = branches->leaves[i];
        call->holds = true;
        call->locked = branches->locked != NO_INDEX && branches->leaves[i] > branches->locked;
        if (branches->leave_count == 1 && point->piece_count == 1 && point->count == 1)
            set_slow_call(call, &point->pieces[0].steps->slow, branches->slow_register);
    }
}

/* If an inlined piece does not get the lock, this piece and all following pieces are called instead. */
struct refused_piece {
    struct refusal refusal;
    uint32_t site;
};

static void add_refusals(struct frame *frame, const struct point *point, const struct refused_piece *refusals,
                         uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        struct bail_out *call = add_bail_out(frame, point, refusals[i].site, point->count - refusals[i].site);
        call->branch = refusals[i].refusal.branch;
        call->refusal = refusals[i].refusal;
    }
}

static void count_inlined(struct rewrite *rewrite, const struct site *site) {
    if (site->kind != PLAN_ACTION_CALL) {
        rewrite->code->statistics.updates_made++;
        return;
    }
    rewrite->code->statistics.calls_inlined++;
    rewrite->routines->calls[site->action->routine].inlined++;
}

static void emit_point(struct frame *frame, const struct point *point, register_set needed) {
    struct rewrite_statistics *statistics = &frame->rewrite->code->statistics;
    struct code *code = &frame->rewrite->code->copies;
    struct open_branches branches = {.leave_count = 0};
    struct refused_piece refusals[MOST_PIECES];
    uint32_t refusal_count = 0;
    bool late = frame->late;
    if (!late)
        frame_enter(frame);
    for (uint32_t i = 0; i < point->piece_count; i++) {
        const struct piece *piece = &point->pieces[i];
        if (!piece->steps) {
            emit_group(frame, piece->sites, piece->count, needed);
            early_sums_made(frame->rewrite, piece->sites, piece->count);
            continue;
        }
        uint32_t begin = code_position(code);
        steps_emit(piece->steps, frame, &branches);
        statistics->words_inlined += code_position(code) - begin;
        branches_to_here(code, branches.skips + late, branches.skip_count - late);
        for (uint32_t s = 0; s < piece->count; s++)
            count_inlined(frame->rewrite, piece->sites[s]);
        statistics->calls_unlocked += piece->steps->only_looks ? piece->count : 0;
        early_sums_made(frame->rewrite, piece->sites, piece->count);
        if (branches.locked != NO_INDEX)
            refusals[refusal_count++] =
                (struct refused_piece){branches.refusal, (uint32_t)(piece->sites - point->sites)};
    }
    frame_leave(frame);
    if (late)
        branches_to_here(code, branches.skips, 1);
    statistics->registers_saved += (uint64_t)__builtin_popcountll(frame->saved);
    statistics->bail_outs += branches.leave_count;
    add_leaves(frame, point, &branches);
    add_refusals(frame, point, refusals, refusal_count);
}

static void emit_together(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                          const struct call_context *context, bool by_calls, bool whole);

/* Emits group by group; a single group by calls. */
static void emit_apart(struct rewrite *rewrite, const struct point *point) {
    for (uint32_t i = 0, size; i < point->count; i += size) {
        size = group_size(point->sites + i, point->count - i);
        emit_together(rewrite, point->sites + i, size, point->context, size == point->count, false);
    }
}

/* Emits an increment of a known cell where two registers are free. This is the most frequent case. The code
   is the same as the graph would give, but is made in a tenth of the time. Returns false for all other
   cases. */
static bool emit_increment(struct rewrite *rewrite, const struct site *site,
                           const struct call_context *context, register_set needed) {
    if (rewrite->program->threads || site->kind != PLAN_ACTION_UPDATE || site->update != PLAN_UPDATE_ADD ||
        site->action->guard || site->action->sample || site->action->buckets || site->action->cell ||
        context->old_on_stack || site->action->amount->op != PLAN_OP_INTEGER ||
        site->action->amount->leaf.kind != SITE_CONSTANT || site->action->amount->leaf.constant != 1 ||
        inline_passes_values(rewrite))
        return false;
    register_set chosen = frame_choose(machine_registers(rewrite), 2, frame_avoids(rewrite->machine), needed);
    if (__builtin_popcountll(chosen) < 2 || chosen & needed)
        return false;
    unsigned base = (unsigned)__builtin_ctzll(chosen),
             value = (unsigned)__builtin_ctzll(chosen & ~REGISTER_BIT(base));
    emit_cell_add(rewrite, site->cell_base, (struct cell_amount){NO_REGISTER, 1}, base, value);
    rewrite->code->statistics.words_inlined += 4;
    count_inlined(rewrite, site);
    early_sums_made(rewrite, &site, 1);
    return true;
}

static void emit_together(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                          const struct call_context *context, bool by_calls, bool whole) {
    register_set base = context->old ? REGISTER_BIT(context->old) : 0; /* differs from the program's */
    register_set live = context->live | rewrite->observed | base;
    register_set needed = rewrite->options->without[WITHOUT_LIVENESS] ? ~UINT64_C(0) : live;
    struct point point = {.sites = sites, .count = count, .context = context, .by_calls = by_calls};
    struct frame frame = {.rewrite = rewrite, .context = context};
    if (count == 1 && !by_calls && emit_increment(rewrite, sites[0], context, needed))
        return;
    for (int attempt = 0; attempt < 2; attempt++) { /* the second, if needed, with the stack pointer moved */
        divide_into_pieces(&point, rewrite);
        bool made = make_point_steps(&point, rewrite, needed, attempt > 0);
        if (made && whole && point.piece_count == 1 && point.pieces[0].steps && context->old < 32)
            steps_own(point.pieces[0].steps, context->old);
        register_set sources = made ? point_sources(&point, rewrite) : 0;
        bool fits = made && plan_frame(&point, rewrite, &frame, needed | sources);
        if (!fits && !by_calls) {
            emit_apart(rewrite, &point);
            return;
        }
        observe_sources(rewrite, context->instruction, sites[0]->point > SITE_BEFORE, sources & ~base,
                        context->live);
        if (!frame.moves_stack || !(sources & set_of(rewrite->machine->registers->stack)))
            break;
    }
    emit_point(&frame, &point, needed | point_sources(&point, rewrite));
}

bool asks_emit(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
               const struct call_context *context, struct asked_exit *left) {
    register_set needed =
        rewrite->options->without[WITHOUT_LIVENESS] ? ~UINT64_C(0) : context->live | rewrite->observed;
    struct steps *steps = inline_steps(rewrite, 0);
    const struct point point = {.sites = sites,
                                .count = count,
                                .context = context,
                                .pieces = {{.sites = sites, .count = count, .steps = steps}},
                                .piece_count = 1};
    struct code *code = &rewrite->code->copies;
    struct open_branches branches = {.leave_count = 0};
    struct frame frame;
    for (int attempt = 0; attempt < 2; attempt++) { /* the second, if needed, with the stack pointer moved */
        if (!inline_ask(rewrite, sites, count, attempt ? set_of(rewrite->machine->registers->stack) : 0,
                        steps) ||
            !plan_frame(&point, rewrite, &frame, needed | steps->sources))
            return false;
        if (!frame.moves_stack || !(steps->sources & set_of(rewrite->machine->registers->stack)))
            break;
    }
    uint32_t begin = code_position(code);
    frame_enter(&frame);
    steps_emit(steps, &frame, &branches);
    frame_leave(&frame);
    rewrite->code->statistics.words_inlined += code_position(code) - begin;
    rewrite->code->statistics.registers_saved += (uint64_t)__builtin_popcountll(frame.saved);
    *left = (struct asked_exit){branches.leaves[0], frame};
    return true;
}

void asks_leave(struct rewrite *rewrite, const struct asked_exit *left) {
    struct frame frame = left->frame;
    branches_to_here(&rewrite->code->copies, &left->branch, 1);
    frame_leave(&frame);
}

bool bail_outs_wait(const struct rewrite *rewrite) {
    return rewrite->copying->bail_out_count > 0;
}

/* Such calls are counted as part of inlined code. */
static void forget_calls(struct rewrite *rewrite, const struct bail_out *call,
                         const struct rewrite_statistics *before) {
    rewrite->code->statistics.calls_made = before->calls_made;
    rewrite->code->statistics.updates_made = before->updates_made;
    for (uint32_t i = 0; i < call->count; i++)
        if (call->sites[i]->kind == PLAN_ACTION_CALL)
            rewrite->routines->calls[call->sites[i]->action->routine].called--;
}

static void emit_bail_out(struct rewrite *rewrite, const struct bail_out *call) {
    struct code *code = &rewrite->code->copies;
    struct rewrite_statistics before = rewrite->code->statistics;
    struct frame frame = call->frame;
    struct site own[MOST_SUMS + 1];
    struct site_action unguarded[MOST_SUMS + 1];
    const struct site *alone[MOST_SUMS + 1];
    uint32_t sums = call->holds ? sums_taken_back(rewrite, call->sites[0], own) : 0;
    own[sums] = *call->sites[0];
    own[sums].counted = false;
    for (uint32_t i = 0; i <= sums; i++) {
        unguarded[i] = *own[i].action;
        unguarded[i].guard = NULL;
        unguarded[i].slow = call->slow.entry && sums == 0 ? &call->slow : NULL;
        own[i].action = &unguarded[i];
        alone[i] = &own[i];
    }
    branches_to_here(code, &call->branch, 1);
    if (call->locked)
        lock_release(rewrite, (unsigned)__builtin_ctzll(frame.temporary));
    if (!call->holds)
        lock_wait(rewrite, &call->refusal);
    frame_leave(&frame);
    if (call->holds)
        emit_together(rewrite, alone, sums + 1, &call->context, true, false);
    else
        emit_together(rewrite, call->sites, call->count, &call->context, true, false);
    forget_calls(rewrite, call, &before);
    machine_branch_to(code, call->resume);
}

void bail_outs_finish(struct rewrite *rewrite) {
    bool open = rewrite->copying->early.open;
    rewrite->copying->early.open = false;
    for (uint32_t i = 0; i < rewrite->copying->bail_out_count; i++) {
        struct bail_out call = rewrite->copying->bail_outs[i];
        emit_bail_out(rewrite, &call);
    }
    rewrite->copying->bail_out_count = 0;
    rewrite->copying->early.open = open;
}

/* In very large procedures, emits the slow paths in between. */
static void finish_in_time(struct rewrite *rewrite) {
    struct code *code = &rewrite->code->copies;
    if (rewrite->copying->bail_out_count == 0 ||
        code_position(code) - rewrite->copying->bail_outs[0].branch < FARTHEST_BAIL_OUT)
        return;
    uint32_t over = machine_branch_forward(code);
    bail_outs_finish(rewrite);
    machine_aim_here(code, over);
}

/* For tests: overwrites registers that liveness considers dead. If the program then behaves differently, it
   needed such a register.
 */
void point_end(struct rewrite *rewrite, const struct call_context *context) {
    struct code *code = &rewrite->code->copies;
    if (!rewrite->options->poison)
        return;
    const struct conventions_of_machine *registers = code->machine->registers;
    register_set dead = ~(context->live | rewrite->observed | set_of(registers->stack) |
                          set_of(registers->zero) | set_of(FLOAT_REGISTER(registers->zero)));
    if (context->old)
        dead &= ~REGISTER_BIT(context->old);
    uint32_t garbage = pool_constant(rewrite, UINT64_C(0xfff7dead5badbad5));
    register_set integers = dead & registers->integers;
    unsigned pointer = integers ? (unsigned)__builtin_ctzll(integers) : 0;
    int low = integers ? machine_address_base(code, garbage, pointer) : 0;
    for (unsigned r = 0; r < 32 && integers; r++)
        if (dead & FLOAT_BIT(r))
            machine_load(code, FLOAT_REGISTER(r), pointer, low);
    for (unsigned r = 0; r < 31; r++)
        if (integers & REGISTER_BIT(r))
            machine_constant(code, 0x5bad * INT64_C(65536), r);
    if (is_flags(registers, REGISTER_FLAGS) && dead & REGISTER_BIT(REGISTER_FLAGS) && integers)
        machine_set_flags(code, pointer);
}

void calls_emit(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                const struct call_context *context) {
    uint32_t first = 0, groups = 0;
    finish_in_time(rewrite);
    for (uint32_t i = 0, size; i < count; i += size) { /* a site that may leave is alone */
        size = group_size(sites + i, count - i);
        bool by_calls = any_site_sets(sites + i, size);
        bool alone = by_calls || (size == 1 && bails_out(rewrite, sites[i]));
        if (i > first && (alone || groups == MOST_PIECES)) {
            emit_together(rewrite, sites + first, i - first, context, false, false);
            first = i;
            groups = 0;
        }
        groups++;
        if (alone) {
            emit_together(rewrite, sites + i, size, context, by_calls, count == 1);
            first = i + size;
            groups = 0;
        }
    }
    if (count > first)
        emit_together(rewrite, sites + first, count - first, context, false, first == 0);
    point_end(rewrite, context);
}
