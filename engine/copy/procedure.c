/* procedure.c: copies one procedure: calls at their points, locked sequences without code inside, stubs at
   the end. Requires sites sorted by instruction and point, and liveness. */

#include "engine/copy/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "engine/dataflow/dataflow.h"
#include "engine/count/counting.h"

/* The distance in instructions, and in words of their copies. A large procedure has no shortcuts. */
enum { LARGE_PROCEDURE = 10000, FARTHEST_ASIDE = 200000 };

static struct point_sites sites_at(struct copy *copy, uint32_t instruction, enum site_point point) {
    const struct sites *sites = copy->rewrite->sites;
    struct point_sites found = {.first = &sites->sites[copy->site]};
    while (copy->site < sites->count && sites->sites[copy->site].instruction == instruction &&
           sites->sites[copy->site].point == point) {
        copy->site++;
        found.count++;
    }
    return found;
}

static void skip_all(struct rewrite *rewrite, enum skip_reason reason, struct point_sites sites,
                     uint32_t instruction) {
    for (uint32_t i = 0; i < sites.count; i++)
        rewrite_skip(rewrite, reason, &sites.first[i], instruction);
}

void emit_sites(struct copy *copy, const struct site *sites, uint32_t count,
                const struct call_context *context) {
    if (count == 0)
        return;
    struct arena *scratch = copy->rewrite->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    const struct site **list = arena_allocate(scratch, count * sizeof *list);
    for (uint32_t i = 0; i < count; i++)
        list[i] = &sites[i];
    calls_emit(copy->rewrite, list, count, context);
    arena_release(scratch, mark);
}

static void emit_calls(struct copy *copy, const struct site *sites, uint32_t count, uint32_t instruction,
                       int taken, register_set live) {
    struct call_context context = {.instruction = instruction, .live = live, .taken = taken};
    emit_sites(copy, sites, count, &context);
}

/* ---- code after the procedure --------------------------------------------------------------------------------- */

static void add_stub_call(struct copy *copy, struct pending_call call) {
    ARENA_RESERVE(copy->rewrite->round, copy->calls, copy->call_count, copy->call_capacity);
    copy->calls[copy->call_count++] = call;
}

static struct stub *add_stub(struct copy *copy, uint32_t fixup, uint32_t target, enum fixup_kind kind,
                             register_set live) {
    ARENA_RESERVE(copy->rewrite->round, copy->stubs, copy->stub_count, copy->stub_capacity);
    copy->stubs[copy->stub_count] = (struct stub){.fixup = fixup,
                                                  .target = target,
                                                  .kind = (uint8_t)kind,
                                                  .live = live,
                                                  .first_call = copy->call_count};
    return &copy->stubs[copy->stub_count++];
}

/* True if the site adds a constant to a cell at a known address. */
static bool is_constant_sum(const struct site *site) {
    const struct site_action *action = site->action;
    return site->kind == PLAN_ACTION_UPDATE && site->update == PLAN_UPDATE_ADD && !action->guard &&
           !action->sample && !action->cell && !action->buckets && action->amount->op == PLAN_OP_INTEGER;
}

/* The same site with the amount negated. */
static const struct site *negated_site(struct rewrite *rewrite, const struct site *from) {
    struct site *site = arena_allocate(rewrite->round, sizeof *site);
    struct site_action *action = arena_allocate(rewrite->round, sizeof *action);
    struct site_expression *amount = arena_allocate(rewrite->round, sizeof *amount);
    *site = *from;
    *action = *from->action;
    *amount = *from->action->amount;
    amount->leaf.constant = (int64_t) - (uint64_t)amount->leaf.constant;
    action->amount = amount;
    action->lengths = NULL;
    site->action = action;
    return site;
}

/* Control that enters the middle of a locked sequence from outside has not passed the code that is deferred
   to the sequence's end, but will pass that end. So the entry subtracts the deferred sums first. */
static void take_back_waiting(struct copy *copy, uint32_t instruction, register_set live) {
    static const struct stub no_stub = {.target = NO_INDEX};
    const struct stub *last = copy->stub_count > 0 ? &copy->stubs[copy->stub_count - 1] : &no_stub;
    bool has_own = last->fixup == NO_INDEX && last->target == instruction; /* sites at the entry */
    struct stub *stub = has_own ? &copy->stubs[copy->stub_count - 1] : NULL;
    for (uint32_t i = 0; i < copy->pending_count; i++) {
        struct pending_call call = copy->pending[i];
        if (!is_constant_sum(call.site))
            continue;
        if (!stub)
            stub = add_stub(copy, NO_INDEX, instruction, FIXUP_INSIDE, live);
        add_stub_call(copy, (struct pending_call){.site = negated_site(copy->rewrite, call.site),
                                                  .instruction = instruction,
                                                  .from = instruction,
                                                  .taken = -1});
        stub->call_count++;
        stub->last = instruction - 1;
    }
}

/* ---- one instruction ---------------------------------------------------------------------------------------- */

/* Code for control from outside only: entry calls, and the sites after the preceding call. */
static void copy_entry(struct copy *copy, uint32_t instruction, register_set live, struct point_sites entry,
                       struct point_sites after_call) {
    struct rewrite *rewrite = copy->rewrite;
    const struct program *program = rewrite->program;
    const struct basic_block *block = &program->blocks[block_at(program, instruction)];
    bool first = instruction == program->procedures[copy->procedure].first;
    rewrite->code->layout.map[instruction] = code_address(&rewrite->code->copies);
    if (after_call.count > 0) {
        bool returns = !program->blocks[block_at(program, instruction - 1)].never_returns;
        if (is_shared_return_point(block->leaders))
            skip_all(rewrite, returns ? SKIP_RETURN_POINT_SHARED : SKIP_NO_RETURN_POINT, after_call,
                     instruction - 1);
        else
            emit_calls(copy, after_call.first, after_call.count, instruction - 1, -1, live);
    }
    if (entry.count > 0 && first) {
        emit_calls(copy, entry.first, entry.count, instruction, -1, live);
    } else if (entry.count > 0 &&
               instruction == block->first) { /* otherwise control never enters it from outside */
        struct stub *stub = add_stub(copy, NO_INDEX, instruction, FIXUP_INSIDE, live);
        for (uint32_t i = 0; i < entry.count; i++)
            add_stub_call(copy, (struct pending_call){.site = &entry.first[i],
                                                      .instruction = instruction,
                                                      .from = instruction,
                                                      .taken = -1});
        stub->call_count = entry.count;
        stub->last = instruction - 1;
    }
    enter_inside_here(rewrite, instruction);
}

/* Emits calls after a conditional branch on both outgoing paths, together with calls that were deferred in a
   locked sequence. */
static void leave_by_branch(struct copy *copy, uint32_t instruction, uint32_t branch,
                            struct point_sites after, bool in_locked) {
    struct rewrite *rewrite = copy->rewrite;
    const struct program *program = rewrite->program;
    uint32_t waiting = in_locked ? copy->pending_count : 0;
    if (after.count + waiting == 0)
        return;
    uint64_t address =
        instruction_address(program, instruction) + (uint64_t)constants_of(program, instruction).value;
    uint32_t target = instruction_at(program, address);
    if (branch == NO_INDEX || target == NO_INDEX) {
        skip_all(rewrite, SKIP_FAR_BRANCH, after, instruction);
        for (uint32_t i = 0; i < waiting; i++)
            rewrite_skip(rewrite, SKIP_FAR_BRANCH, copy->pending[i].site, instruction);
        return;
    }
    enum fixup_kind kind = procedure_at(program, target) == copy->procedure ? FIXUP_INSIDE : FIXUP_OUTSIDE;
    struct stub *stub = add_stub(copy, rewrite->code->layout.fixup_count - 1, target, kind,
                                 program->blocks[block_at(program, target)].live_in);
    for (uint32_t i = 0; i < waiting; i++) {
        struct pending_call call = copy->pending[i];
        if (call.instruction == instruction)
            call.taken = 1;
        add_stub_call(copy, call);
    }
    for (uint32_t i = 0; i < after.count; i++)
        add_stub_call(copy, (struct pending_call){.site = &after.first[i],
                                                  .instruction = instruction,
                                                  .from = instruction + 1,
                                                  .taken = 1});
    stub->call_count = waiting + after.count;
    stub->last = instruction;
}

/* True if it is an entry in the sense of `before p`. */
static bool is_procedure_entry(const struct program *program, uint32_t instruction) {
    const struct procedure *procedure = &program->procedures[procedure_at(program, instruction)];
    if (procedure->sets_data_base && instruction == procedure->first + 2)
        return true;
    const struct basic_block *block = &program->blocks[block_at(program, instruction)];
    return instruction == block->first && block_is_entry(block);
}

/* Control from outside enters the routine. The procedure's own code follows it. */
static void copy_replaced_entry(struct copy *copy, uint32_t instruction, register_set live,
                                struct point_sites entry, struct point_sites after_call,
                                const struct site_replacement *replacement) {
    struct rewrite *rewrite = copy->rewrite;
    struct code *code = &rewrite->code->copies;
    register_set arguments = replacement_arguments(rewrite) | REGISTER_BIT(code->machine->registers->link);
    uint32_t over[2] = {machine_branch_forward(code), NO_INDEX}, retained = 0;
    skip_all(rewrite, SKIP_RETURN_POINT_SHARED, after_call, instruction - 1);
    if (replacement->retains)
        over[1] = emit_retained(rewrite, instruction, &retained);
    rewrite->code->layout.map[instruction] = code_address(code);
    emit_calls(copy, entry.first, entry.count, instruction, -1, live | arguments);
    emit_replacement(rewrite, replacement, instruction, retained);
    for (int i = 0; i < 2; i++)
        if (over[i] != NO_INDEX)
            machine_aim_here(code, over[i]);
    enter_inside_here(rewrite, instruction);
}

static bool is_copied_plainly(const struct facts *facts) {
    return is_plain(facts) && !(facts->flags & FACT_PC_RELATIVE);
}

/* The most frequent case: instructions without sites, within a block. Copies consecutive ones from this one
   on, up to `end`, and returns their number. */
static uint32_t copy_plain(struct copy *copy, uint32_t first, uint32_t end) {
    struct rewrite *rewrite = copy->rewrite;
    const struct sites *sites = rewrite->sites;
    const uint32_t *text = rewrite->program->text;
    uint32_t site = copy->site < sites->count ? sites->sites[copy->site].instruction : NO_INDEX, i = first;
    if (copy->locked_end != NO_INDEX || first == rewrite->program->blocks[copy->block].first)
        return 0;
    if (site >= first && site < end)
        end = site;
    if (copy->slot >= first && copy->slot < end)
        end = copy->slot;
    for (; i < end && is_copied_plainly(facts_of(rewrite->program, i)) &&
           !aside_is_written(rewrite->program, i) && locked_sequence_end(rewrite->program, i) == NO_INDEX &&
           !stack_is_checked(rewrite, i);
         i++) {
        rewrite->code->layout.map[i] = code_address(&rewrite->code->copies);
        emit(&rewrite->code->copies, text[i]);
    }
    for (uint32_t k = first; rewrite->code->layout.placed && k < i; k++)
        rewrite->code->layout.placed[k] = inside_of(rewrite, k);
    return i - first;
}

/* The code at which control arrives that has skipped the instruction: after it. A skipped call is treated
   as if it had returned at once. `context`: where the sites after the instruction find old values; here
   they find the same. */
static void arrive_skipping(struct copy *copy, struct point_sites after, register_set live, bool keeps,
                            struct call_context context) {
    struct rewrite *rewrite = copy->rewrite;
    struct code *code = &rewrite->code->copies;
    const uint32_t instruction = context.instruction;
    const struct facts *facts = facts_of(rewrite->program, instruction);
    uint32_t over = code_position(code);
    if (keeps)
        machine_branch(code, 0);
    branches_to_here(code, rewrite->code->skips, rewrite->code->skip_count);
    if (keeps) {
        keep_old(copy, after, live, &context);
        branches_to_here(code, &over, 1);
    }
    if (facts->class == CLASS_CALL) {
        emit_original(rewrite, code, instruction, instruction_address(rewrite->program, instruction) + 4,
                      facts->operand[0]);
        emit_jump(rewrite, instruction + 1, FIXUP_OUTSIDE);
    }
}

void copy_one(struct copy *copy, uint32_t instruction, register_set live, register_set live_after,
              struct point_sites *after_call) {
    struct rewrite *rewrite = copy->rewrite;
    uint32_t first_site = copy->site;
    const struct program *program = rewrite->program;
    const struct facts *facts = facts_of(program, instruction);
    struct point_sites entry = sites_at(copy, instruction, SITE_ENTRY);
    struct point_sites before = sites_at(copy, instruction, SITE_ARRIVE);
    before.count += sites_at(copy, instruction, SITE_BEFORE).count; /* the following ones */
    struct point_sites after = sites_at(copy, instruction, SITE_AFTER);
    struct point_sites taken = sites_at(copy, instruction, SITE_TAKEN);
    struct point_sites fallthrough = sites_at(copy, instruction, SITE_FALLTHROUGH);
    bool is_conditional = facts->transfer == TRANSFER_COND_BRANCH;
    bool in_locked = copy->locked_end != NO_INDEX;
    rewrite->code->skip_count = 0;
    live |= copy->keeping;
    live_after |= copy->keeping;

    register_set scavenged = instruction >= copy->scavenged.first && instruction <= copy->scavenged.last
                                 ? copy->scavenged.registers
                                 : 0;
    if (instruction > copy->scavenged.first)
        live &= ~scavenged;
    register_set fetched = aside_wanted(program, instruction, live);
    live |= fetched;

    rewrite->code->layout.at = instruction;
    if (copy->pending_count > 0 && !copy->waiting_from)
        copy->waiting_from = code_address(&rewrite->code->copies);
    if (instruction != copy->out_of_line) { /* the shortcut has not executed it yet */
        rewrite->code->layout.map[instruction] = code_address(&rewrite->code->copies);
        enter_inside_here(rewrite, instruction);
    }
    bool first = instruction == program->blocks[copy->block].first && instruction != copy->out_of_line;
    if (first && !in_locked)
        fetched |= aside_unsure(program, copy->block, live);
    if (first)
        count_arrivals(rewrite, copy->block, live);
    const struct site_replacement *replacement =
        is_procedure_entry(program, instruction) && instruction != copy->out_of_line
            ? replacement_at(rewrite, copy->procedure, instruction)
            : NULL;
    if (replacement)
        copy_replaced_entry(copy, instruction, live, entry, *after_call, replacement);
    else if (entry.count + after_call->count > 0)
        copy_entry(copy, instruction, live, entry, *after_call);
    after_call->count = 0;
    if (first && in_locked && is_entered_by_map(program->blocks[copy->block].leaders))
        take_back_waiting(copy, instruction, live);
    scavenge_begin(copy, instruction);
    live &= ~scavenged;
    live_after &= ~scavenged;
    if (instruction == copy->slot)
        count_executed(rewrite, copy->block, live);
    if (first)
        range_body(rewrite, copy->block, copy->slot);
    aside_load(rewrite, fetched);
    if (before.count > 0 && entry.count == 0 && shortcut_emit(copy, instruction, first_site, live))
        return;
    struct point_sites on_outcomes = {0};
    bool has_stub = is_conditional && after.count + taken.count + (in_locked ? copy->pending_count : 0) > 0;
    if (in_locked && is_known_ahead(copy, before, instruction))
        before.count = 0; /* the shortcut has run these sites */
    if (in_locked)
        wait_for_end(copy, before, (struct call_context){.instruction = instruction, .live = live}, false);
    else if (!has_stub && stands_on_outcomes(rewrite, &before, instruction))
        on_outcomes = before;
    else if (first) {
        early_sums_open(rewrite, copy->block);
        emit_calls(copy, before.first, before.count, instruction, -1, live);
        early_sums_shut(rewrite);
    } else {
        emit_calls(copy, before.first, before.count, instruction, -1, live);
    }

    if (!in_locked) {
        uint32_t end = copy->locked_end = locked_sequence_end(program, instruction);
        bool is_left_frame = end != NO_INDEX && !(facts->flags & (FACT_EXCLUSIVE_BEGIN | FACT_EXCLUSIVE_END));
        copy->left_frame = is_left_frame ? instruction : NO_INDEX;
        if (is_left_frame)
            do_ahead(copy, end, live);
    }

    /* If there is only one way out, the sites on it follow the sites after the instruction. */
    if (!is_conditional)
        after.count += taken.count + fallthrough.count;
    const uint8_t transfer = facts->transfer;
    bool transfers = transfer == TRANSFER_BRANCH || transfer == TRANSFER_RETURN || transfer == TRANSFER_JUMP;
    if (transfers) /* after a transfer means before it transfers control */
        emit_calls(copy, after.first, after.count, instruction, -1, live);
    struct call_context context = {.instruction = instruction,
                                   .live = live_after | observation_at(program, instruction).after,
                                   .taken = is_conditional ? 0 : -1,
                                   .executed = true};
    const struct call_context nothing_kept = context;
    uint32_t kept = code_position(&rewrite->code->copies);
    if (copy->locked_end == NO_INDEX)
        keep_old(copy, after, live, &context);
    else
        keep_old_waiting(copy, after, live, &context);
    bool keeps = code_position(&rewrite->code->copies) > kept;
    register_set old = context.old ? REGISTER_BIT(context.old) : 0;
    register_set live_behind = context.live | live_after | old;
    check_stack_before(rewrite, instruction, live_behind);
    if (rewrite->code->layout.placed)
        rewrite->code->layout.placed[instruction] = code_position(&rewrite->code->copies);
    uint32_t branch = NO_INDEX;
    if (context.old_on_stack)
        copy_moved(rewrite, instruction);
    else
        branch = copy_instruction(rewrite, instruction, copy->block, live_after, has_stub, &on_outcomes);
    check_stack_after(rewrite, instruction, live_behind);
    aside_store(rewrite, instruction, live_behind);
    if (rewrite->code->skip_count > 0)
        arrive_skipping(copy, after, live, keeps, nothing_kept);

    in_locked = copy->locked_end != NO_INDEX;
    bool at_end = copy->locked_end == instruction;
    if (is_conditional)
        leave_by_branch(copy, instruction, branch,
                        (struct point_sites){after.first, after.count + taken.count}, in_locked);
    if (at_end) {
        emit_pending(copy, copy->pending, copy->pending_count, instruction, live_after | old,
                     program->blocks[copy->block].first);
        end_waiting(copy);
        copy->locked_end = NO_INDEX;
        in_locked = false;
    }
    if (transfer == TRANSFER_CALL) {
        *after_call = after;
    } else if (in_locked) {
        wait_for_end(copy, after, context, true);
        if (is_conditional)
            wait_for_end(copy, fallthrough, context, true);
    } else if (!transfers) {
        emit_after(copy, after, &context);
        if (is_conditional)
            emit_after(copy, fallthrough, &context);
    }
    scavenge_end(copy, instruction);
}

/* ---- the procedure ------------------------------------------------------------------------------------------ */

static void emit_stubs(struct copy *copy) {
    struct rewrite *rewrite = copy->rewrite;
    struct code *code = &rewrite->code->copies;
    for (uint32_t i = 0; i < copy->stub_count; i++) {
        const struct stub *stub = &copy->stubs[i];
        if (stub->fixup == NO_INDEX) {
            rewrite->code->layout.map[stub->target] = code_address(code);
        } else { /* the branch's own fixup is replaced by one to the stub */
            rewrite->code->layout.fixups[stub->fixup].kind = FIXUP_STUB;
            rewrite->code->layout.fixups[stub->fixup].target = code_position(code);
        }
        emit_pending(copy, copy->calls + stub->first_call, stub->call_count, stub->last, stub->live,
                     NO_INDEX);
        emit_jump(rewrite, stub->target, stub->kind);
    }
    copy->stub_count = 0;
    copy->call_count = 0;
}

/* Emits landings for every instruction that an indirect transfer, or a far branch, may reach, in the blocks
   before this one that have none yet. */
static void emit_landings(struct copy *copy, uint32_t before) {
    struct rewrite *rewrite = copy->rewrite;
    const struct program *program = rewrite->program;
    uint32_t first = copy->landed;
    copy->landed = before;
    for (uint32_t b = first; b < before; b++) {
        const struct basic_block *block = &program->blocks[b];
        if (rewrite->code->layout.landings &&
            (is_entered_by_map(block->leaders) || rewrite->code->layout.inside_landings)) {
            range_landing(rewrite, b, false);
            emit_landing(rewrite, block->first, FIXUP_OUTSIDE);
        }
        if (rewrite->code->layout.inside_landings &&
            (block->leaders & LEADER_BRANCH_TARGET || is_shared(rewrite, b))) {
            range_landing(rewrite, b, true);
            emit_landing(rewrite, block->first, FIXUP_INSIDE);
        }
    }
}

/* In procedures that are very large, or whose copies are, code placed after the procedure would be out of a
   branch's range: deferred code is also placed between two blocks. */
static void finish_between(struct copy *copy, uint32_t block) {
    struct rewrite *rewrite = copy->rewrite;
    struct code *code = &rewrite->code->copies;
    uint64_t copied = code_position(code) - copy->aside_from;
    uint64_t length = copied + MOST_WORDS * (uint64_t)rewrite->program->blocks[block].count;
    bool is_large = rewrite->program->procedures[copy->procedure].count >= LARGE_PROCEDURE;
    if ((is_large ? length : copied) < FARTHEST_ASIDE || copy->locked_end != NO_INDEX ||
        copy->left_frame != NO_INDEX || copy->pending_count > 0)
        return;
    uint32_t over = machine_branch_forward(code);
    range_behind(rewrite, NO_INDEX);
    emit_stubs(copy);
    emit_landings(copy, block + 1);
    literals_emit(rewrite);
    machine_aim_here(code, over);
    copy->aside_from = code_position(code);
}

/* If a procedure falls through into the next one: a branch over the code that is placed between them. */
static void pass_over(struct rewrite *rewrite, const struct procedure *procedure) {
    const struct program *program = rewrite->program;
    uint32_t next = procedure->first + procedure->count;
    switch (facts_of(program, next - 1)->transfer) {
    case TRANSFER_BRANCH: /* a branch to the next instruction is not copied */
        if (next < program->instruction_count && branch_target(program, next - 1) == next)
            emit_jump(rewrite, next, entry_kind(rewrite, block_at(program, next - 1)));
        return;
    case TRANSFER_CALL: /* a return uses the map */
    case TRANSFER_RETURN:
    case TRANSFER_JUMP:
        return;
    default:
        if (next < program->instruction_count)
            emit_jump(rewrite, next, FIXUP_OUTSIDE);
    }
}

static void add_code_symbol(struct rewrite *rewrite, const struct procedure *procedure, uint32_t begin) {
    ARENA_RESERVE(rewrite->round, rewrite->code->symbols, rewrite->code->symbol_count,
                  rewrite->code->symbol_capacity);
    rewrite->code->symbols[rewrite->code->symbol_count++] =
        (struct code_symbol){.name = arena_format(rewrite->round, "%s.atom", procedure->name),
                             .address = rewrite->code->copies.address + 4 * begin,
                             .size = 4 * (code_position(&rewrite->code->copies) - begin)};
}

/* The instruction of the next site that is emitted in place. */
static uint32_t next_site(const struct copy *copy) {
    const struct sites *sites = copy->rewrite->sites;
    for (uint32_t i = copy->site; i < sites->count; i++)
        if (sites->sites[i].point != SITE_ENTRY)
            return sites->sites[i].instruction;
    return NO_INDEX;
}

void copy_find_live(struct copy *copy) {
    struct rewrite *rewrite = copy->rewrite;
    uint32_t count = rewrite->program->blocks[copy->block].count;
    while (copy->before_capacity <= count)
        ARENA_RESERVE(rewrite->round, copy->before, copy->before_capacity, copy->before_capacity);
    liveness_of_block(rewrite->program, copy->block, copy->before);
    for (uint32_t k = 0; k <= count; k++)
        copy->before[k] |= promoted_registers(rewrite, copy->block);
}

static void copy_procedure(struct copy *copy, uint32_t index) {
    struct rewrite *rewrite = copy->rewrite;
    const struct program *program = rewrite->program;
    const struct procedure *procedure = &program->procedures[index];
    struct point_sites after_call = {0};
    uint32_t begin = code_position(&rewrite->code->copies);
    copy->procedure = index;
    copy->aside_from = begin;
    copy->landed = procedure->first_block;
    copy->locked_end = copy->left_frame = NO_INDEX;
    copy->pending_count = copy->waiting_from = 0;
    copy->keeping = 0;
    range_procedure(rewrite, index);
    for (uint32_t b = procedure->first_block; b < procedure->first_block + procedure->block_count; b++) {
        const struct basic_block *block = &program->blocks[b];
        finish_between(copy, b);
        copy->block = b;
        copy_find_live(copy);
        copy->next = 0;
        copy->slot = count_slot(rewrite, b, copy->before, next_site(copy));
        scavenge_plan(copy, block->first);
        copy->slot = scavenge_slot(copy);
        for (uint32_t k = 0; k < block->count; k++) {
            k += copy_plain(copy, block->first + k, block->first + block->count);
            if (k < block->count)
                copy_one(copy, block->first + k, copy->before[k], copy->before[k + 1], &after_call);
            if (copy->next > block->first + k)
                k = copy->next - block->first - 1;
        }
        early_sums_end(rewrite, b);
    }
    skip_all(rewrite, SKIP_NO_RETURN_POINT, after_call, procedure->first + procedure->count - 1);
    bool is_passed = copy->stub_count > 0 || bail_outs_wait(rewrite) || shortcuts_wait(copy) ||
                     rewrite->code->layout.landings || rewrite->copying->sparse || literals_wait(rewrite) ||
                     counts_entries(rewrite, index) || islands_due(rewrite, index);
    if (is_passed)
        pass_over(rewrite, procedure);
    promoted_note(rewrite, NO_INDEX);
    count_entries(rewrite, index);
    emit_stubs(copy);
    shortcuts_finish(copy);
    bail_outs_finish(rewrite);
    emit_landings(copy, procedure->first_block + procedure->block_count);
    literals_emit(rewrite);
    islands_emit(rewrite, index);
    bool fills = page_ends(copy, index + 1);
    if (fills && !is_passed)
        pass_over(rewrite, procedure);
    add_code_symbol(rewrite, procedure, begin);
    if (fills)
        page_fill(rewrite);
}

void copying_create(struct rewrite *rewrite) {
    rewrite->copying = arena_allocate(rewrite->arena, sizeof *rewrite->copying);
}

void copying_start(struct rewrite *rewrite) {
    struct copying *copying = rewrite->copying;
    *copying = (struct copying){.sparse = copying->sparse};
    range_start(rewrite);
}

void copy_all(struct rewrite *rewrite) {
    struct copy copy = {.rewrite = rewrite, .out_of_line = NO_INDEX};
    for (uint32_t p = 0; p < rewrite->program->procedure_count && !rewrite->code->overflows; p++) {
        if (!rewrite->code->coverage.copied || rewrite->code->coverage.copied[p])
            copy_procedure(&copy, p);
        rewrite->code->overflows =
            !rewrite->is_tight && code_address(&rewrite->code->copies) > copies_limit(rewrite);
    }
}
