/* waiting.c: deferred calls, which cannot be made at their own point, because it is inside a locked sequence,
   or where a frame is freed that is still read (dataflow/locked.c). Either they are deferred to the end of
   the sequence, with values that would be lost until then in dead registers, or they are made before the
   sequence. Requires liveness. */

#include "engine/copy/internal.h"
#include "engine/count/counting.h"
#include "engine/dataflow/dataflow.h"

static register_set written_between(const struct rewrite *rewrite, uint32_t first, uint32_t last) {
    register_set written = 0;
    for (uint32_t i = first; i <= last; i++)
        written |= facts_of(rewrite->program, i)->written;
    return written;
}

/* The registers that a deferred call still needs. */
static register_set pending_sources(const struct rewrite *rewrite, const struct pending_call *call) {
    struct call_context context = {.instruction = call->instruction,
                                   .taken = call->taken,
                                   .old = call->old,
                                   .executed = call->from > call->instruction};
    return site_sources(rewrite, call->site, &context);
}

static bool stored_between(const struct rewrite *rewrite, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i <= last; i++)
        if (facts_of(rewrite->program, i)->flags & FACT_STORE)
            return true;
    return false;
}

/* True if a deferred call has lost a value that it needs, now that instruction `last` has executed. */
static bool is_lost(const struct rewrite *rewrite, const struct pending_call *call, uint32_t last) {
    register_set kept = call->keeps ? REGISTER_BIT(call->kept) : 0;
    return (wants_old(call->site, facts_of(rewrite->program, call->instruction)) && !kept && !call->old) ||
           pending_sources(rewrite, call) & ~kept & written_between(rewrite, call->from, last) ||
           (site_reads_memory(call->site) && stored_between(rewrite, call->from, last));
}

/* True if both are of one group, at one instruction and with the same values. */
static bool is_together(const struct pending_call *a, const struct pending_call *b) {
    return a->site->group == b->site->group && a->instruction == b->instruction && a->from == b->from &&
           a->taken == b->taken && a->keeps == b->keeps && a->kept == b->kept && a->old == b->old;
}

/* Exchanges the two registers around the call, so that it finds its value in the original register. */
static void exchange_registers(struct code *code, const struct pending_call *call) {
    if (!call->keeps)
        return;
    machine_exchange(code, call->kept, call->keeps);
}

void emit_pending(struct copy *copy, const struct pending_call *calls, uint32_t count, uint32_t last,
                  register_set live, uint32_t early) {
    struct rewrite *rewrite = copy->rewrite;
    register_set needed = live;
    /* A locked sequence ends with a store or a branch. */
    enum skip_reason lost = facts_of(rewrite->program, last)->flags & FACT_LOAD ? SKIP_LEFT_FRAME_VALUE_LOST
                                                                                : SKIP_LOCKED_VALUE_LOST;
    for (uint32_t i = 0; i < count; i++) {
        register_set sources = pending_sources(rewrite, &calls[i]);
        needed |= sources | (calls[i].keeps ? REGISTER_BIT(calls[i].keeps) : 0);
        if (!is_lost(rewrite, &calls[i], last))
            observe_sources(rewrite, calls[i].instruction, true,
                            sources & ~(calls[i].keeps ? REGISTER_BIT(calls[i].kept) : 0), live);
    }
    struct arena_mark mark = arena_mark(rewrite->program->scratch);
    const struct site **kept = arena_allocate(rewrite->program->scratch, count * sizeof *kept);
    for (uint32_t i = 0, next; i < count; i = next) {
        uint32_t kept_count = 0;
        for (next = i; next < count && is_together(&calls[next], &calls[i]); next++) {
            if (is_lost(rewrite, &calls[next], last))
                rewrite_skip(rewrite, lost, calls[next].site, calls[next].instruction);
            else
                kept[kept_count++] = calls[next].site;
        }
        struct call_context context = {.instruction = calls[i].instruction,
                                       .live = needed,
                                       .taken = calls[i].taken,
                                       .old = calls[i].old,
                                       .executed = calls[i].from > calls[i].instruction};
        if (kept_count == 0)
            continue;
        if (calls[i].instruction == early)
            early_sums_open(rewrite, copy->block);
        exchange_registers(&rewrite->code->copies, &calls[i]);
        calls_emit(rewrite, kept, kept_count, &context);
        exchange_registers(&rewrite->code->copies, &calls[i]);
        early_sums_shut(rewrite);
    }
    arena_release(rewrite->program->scratch, mark);
}

/* The register that the call needs and that the sequence overwrites; 0 if there is no such register, or more
   than one, or it cannot be saved. */
static unsigned lost_register(const struct copy *copy, const struct pending_call *call) {
    const register_set integer = (REGISTER_BIT(32) - 1) & ~set_of(copy->rewrite->machine->registers->stack);
    register_set lost =
        pending_sources(copy->rewrite, call) & written_between(copy->rewrite, call->from, copy->locked_end);
    if (lost == 0 || lost & (lost - 1) || lost & ~integer ||
        (call->from > call->instruction && !call->old &&
         wants_old(call->site, facts_of(copy->rewrite->program, call->instruction))))
        return 0;
    return (unsigned)__builtin_ctzll(lost);
}

/* A register that is dead until the sequence ends, on any outgoing path; NO_INDEX if there is none. */
static unsigned keeping_register(const struct copy *copy, uint32_t instruction, register_set live) {
    const struct rewrite *rewrite = copy->rewrite;
    const struct program *program = rewrite->program;
    register_set used =
        live | copy->keeping | copy->scavenged.registers | frame_avoids(rewrite->machine) | REGISTER_BIT(0);
    for (uint32_t i = instruction; i <= copy->locked_end; i++)
        used |= facts_of(program, i)->read | facts_of(program, i)->written;
    for (uint32_t b = copy->block; b <= block_at(program, copy->locked_end); b++)
        used |= registers_taken(rewrite, b, 0);
    for (uint32_t i = 0; i < copy->pending_count; i++)
        used |= pending_sources(rewrite, &copy->pending[i]);
    return rewrite->options->without[WITHOUT_LIVENESS] ? NO_INDEX
                                                       : free_register(machine_registers(rewrite), used);
}

/* Saves the value in the register that already holds it, or in another. */
static void keep_value(struct copy *copy, struct pending_call *call, register_set live) {
    unsigned lost = lost_register(copy, call);
    for (uint32_t i = copy->pending_count; lost > 0 && i-- > 0;) {
        const struct pending_call *other = &copy->pending[i];
        if (other->instruction == call->instruction && other->from == call->from && other->keeps &&
            other->kept == lost) {
            call->kept = other->kept;
            call->keeps = other->keeps;
            return;
        }
    }
    unsigned keeps = lost > 0 ? keeping_register(copy, call->instruction, live) : NO_INDEX;
    if (keeps == NO_INDEX)
        return;
    machine_move(&copy->rewrite->code->copies, lost, keeps);
    call->kept = (uint8_t)lost;
    call->keeps = (uint8_t)keeps;
    copy->keeping |= REGISTER_BIT(keeps);
}

void keep_old_waiting(struct copy *copy, struct point_sites after, register_set live,
                      struct call_context *context) {
    const struct facts *facts = facts_of(copy->rewrite->program, context->instruction);
    bool wanted = false;
    for (uint32_t i = 0; i < after.count; i++)
        wanted |= wants_old(&after.first[i], facts);
    unsigned old = wanted ? kept_register(facts) : REGISTER_NONE;
    unsigned keeps = old < 32 ? keeping_register(copy, context->instruction, live) : NO_INDEX;
    if (keeps == NO_INDEX)
        return;
    machine_move(&copy->rewrite->code->copies, old, keeps);
    context->old = (uint8_t)keeps;
    copy->keeping |= REGISTER_BIT(keeps);
}

void wait_for_end(struct copy *copy, struct point_sites sites, struct call_context context, bool after) {
    uint32_t instruction = context.instruction;
    bool branch = facts_of(copy->rewrite->program, instruction)->transfer == TRANSFER_COND_BRANCH;
    for (uint32_t i = 0; i < sites.count; i++) {
        struct pending_call call = {.site = &sites.first[i],
                                    .instruction = instruction,
                                    .from = instruction + (after ? 1 : 0),
                                    .taken = branch ? 0 : -1,
                                    .old = context.old};
        keep_value(copy, &call, context.live | copy->keeping);
        ARENA_RESERVE(copy->rewrite->round, copy->pending, copy->pending_count, copy->pending_capacity);
        copy->pending[copy->pending_count++] = call;
    }
}

void end_waiting(struct copy *copy) {
    struct layout *layout = &copy->rewrite->code->layout;
    if (copy->waiting_from) {
        ARENA_RESERVE(copy->rewrite->round, layout->waiting, layout->waiting_count, layout->waiting_capacity);
        layout->waiting[layout->waiting_count++] =
            (struct atomc_waiting){copy->waiting_from, code_address(&copy->rewrite->code->copies)};
    }
    copy->waiting_from = 0;
    copy->pending_count = 0;
    copy->keeping = 0;
}

bool is_known_ahead(const struct copy *copy, struct point_sites before, uint32_t instruction) {
    const struct rewrite *rewrite = copy->rewrite;
    uint32_t first = copy->left_frame, last = instruction - 1;
    if (first == NO_INDEX)
        return false;
    for (uint32_t i = 0; i < before.count; i++) {
        struct call_context context = {.instruction = instruction, .taken = -1};
        if (site_sources(rewrite, &before.first[i], &context) & written_between(rewrite, first, last) ||
            (site_reads_memory(&before.first[i]) && stored_between(rewrite, first, last)))
            return false;
    }
    return true;
}

void do_ahead(struct copy *copy, uint32_t end, register_set live) {
    struct rewrite *rewrite = copy->rewrite;
    const struct sites *sites = rewrite->sites;
    struct point_sites before;
    for (uint32_t site = copy->site; site < sites->count && sites->sites[site].instruction <= end;
         site += before.count) {
        uint32_t instruction = sites->sites[site].instruction;
        before = (struct point_sites){.first = &sites->sites[site]};
        while (site + before.count < sites->count && before.first[before.count].instruction == instruction &&
               (before.first[before.count].point == SITE_ARRIVE ||
                before.first[before.count].point == SITE_BEFORE))
            before.count++;
        if (before.count == 0) {
            before.count = 1; /* of another point */
            continue;
        }
        struct call_context context = {.instruction = instruction, .live = live, .taken = -1};
        for (uint32_t i = 0; i < before.count; i++)
            context.live |= site_sources(rewrite, &before.first[i], &context);
        if (is_known_ahead(copy, before, instruction)) {
            observe_sources(rewrite, instruction, false, context.live & ~live, live);
            emit_sites(copy, before.first, before.count, &context);
            copy->waiting_from = code_address(&rewrite->code->copies);
        }
    }
}
