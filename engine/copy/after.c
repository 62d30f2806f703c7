/* after.c: calls after an instruction that need the old value of the register that it overwrites: for $old,
   or as the base of a load's address. */

#include "engine/copy/internal.h"
#include "engine/dataflow/dataflow.h"

/* `*lost`: the instruction overwrites the address. */
static bool value_wants_old(const struct site_expression *expression, void *lost) {
    return expression->op == PLAN_OP_VALUE &&
           (expression->leaf.value == PLAN_VALUE_OLD ||
            (*(const bool *)lost && expression->leaf.value == PLAN_VALUE_ADDRESS));
}

bool wants_old(const struct site *site, const struct facts *facts) {
    bool lost = address_is_overwritten(facts);
    return site_any(site, value_wants_old, &lost);
}

/* Registers of the program that the sites read, apart from the old value. */
static register_set sources_of(const struct rewrite *rewrite, struct point_sites sites,
                               const struct call_context *context) {
    register_set sources = 0;
    for (uint32_t i = 0; i < sites.count; i++)
        sources |= site_sources(rewrite, &sites.first[i], context);
    return sources;
}

/* Where the stack pointer is in no set, it is a field of the instruction, or its base. */
static bool uses_stack(const struct facts *facts, unsigned stack) {
    const unsigned all = (1 << FIELD_REGISTERS) - 1;
    bool is_field =
        names_register(facts, all, stack) || (facts->memory_count && facts->memory[0].base == stack);
    return set_of(stack) ? ((facts->read | facts->written) & set_of(stack)) != 0 : is_field;
}

/* True if the instruction can be executed with the stack pointer moved. */
static bool may_move_stack(const struct program *program, uint32_t instruction) {
    const struct facts *facts = facts_of(program, instruction);
    const unsigned stack = program->architecture->registers.stack;
    if (!uses_stack(facts, stack))
        return true;
    if (!set_of(stack))
        return false;
    int displacement = constants_of(program, instruction).displacement + OLD_ROOM;
    return facts->flags & FACT_LOAD && facts->memory[0].base == stack && facts->memory[0].data != stack &&
           displacement == (int16_t)displacement;
}

void store_in_frame(struct rewrite *rewrite, unsigned old, int offset, register_set live) {
    struct code *code = &rewrite->code->copies;
    register_set avoided = set_of(rewrite->machine->registers->stack) | (old < 32 ? REGISTER_BIT(old) : 0);
    struct scratch scratch = scratch_reserve(
        rewrite, code, &(struct scratch_request){.count = 1, .live = live | avoided, .avoided = avoided});
    unsigned base = scratch.registers[0];
    emit_site_frame(code, base);
    machine_store(code, old, base, offset);
    if (old == code->machine->registers->stack && scratch.kept) {
        emit_raise_spill(rewrite, code);
        machine_store(code, old, base, offset);
        emit_lower_spill(rewrite, code);
    }
    scratch_release(rewrite, code, &scratch);
}

/* True if they read the stack pointer for more than an address: addresses are known even if the stack pointer
   has moved. */
static bool wants_stack_pointer(const struct rewrite *rewrite, struct point_sites after,
                                struct call_context context) {
    context.old_on_stack = true;
    return sources_of(rewrite, after, &context) & set_of(rewrite->machine->registers->stack);
}

/* Saves the old value in a free register, or in SITE_FRAME. Otherwise saves it on the program's stack: the
   stack pointer stays moved until the sites' code has run, and the runtime corrects it if the instruction
   faults. */
void keep_old(struct copy *copy, struct point_sites after, register_set live, struct call_context *context) {
    struct rewrite *rewrite = copy->rewrite;
    struct code *code = &rewrite->code->copies;
    const struct facts *facts = facts_of(rewrite->program, context->instruction);
    bool wanted = false;
    for (uint32_t i = 0; i < after.count; i++)
        wanted |= wants_old(&after.first[i], facts);
    const unsigned old = wanted ? kept_register(facts) : REGISTER_NONE;
    if (old == REGISTER_NONE)
        return;
    rewrite->observed |=
        REGISTER_BIT(old) & ~live & ~observation_at(rewrite->program, context->instruction).before;
    register_set live_before = live | rewrite->observed | facts->read;
    live |= context->live | rewrite->observed | facts->read | sources_of(rewrite, after, context);
    if (rewrite->options->without[WITHOUT_LIVENESS])
        live = live_before = ~UINT64_C(0);
    unsigned kept = old < 32 ? free_register(machine_registers(rewrite), live | REGISTER_BIT(0))
                             : free_floating_register(live);
    if (kept != NO_INDEX) {
        machine_move(code, old, kept);
        context->old = (uint8_t)kept;
    } else if (rewrite->code->own_frames) {
        store_in_frame(rewrite, old, SITE_FRAME_OLD, live_before);
        context->old_in_frame = true;
    } else if (may_move_stack(rewrite->program, context->instruction) &&
               !wants_stack_pointer(rewrite, after, *context)) {
        machine_lower_stack(code, OLD_ROOM);
        machine_store(code, old, code->machine->registers->stack, 0);
        context->old_on_stack = true;
    }
}

void copy_moved(struct rewrite *rewrite, uint32_t instruction) {
    uint32_t word = rewrite->program->text[instruction];
    ARENA_RESERVE(rewrite->round, rewrite->copying->moved, rewrite->copying->moved_count,
                  rewrite->copying->moved_capacity);
    rewrite->copying->moved[rewrite->copying->moved_count++] = code_address(&rewrite->code->copies);
    if (facts_of(rewrite->program, instruction)->read & set_of(rewrite->machine->registers->stack))
        word = machine_with_displacement(rewrite->machine, word,
                                         constants_of(rewrite->program, instruction).displacement + OLD_ROOM);
    emit(&rewrite->code->copies, word);
}

void emit_after(struct copy *copy, struct point_sites after, const struct call_context *context) {
    struct rewrite *rewrite = copy->rewrite;
    bool lost = context->old == 0 && !context->old_on_stack && !context->old_in_frame;
    struct arena_mark mark = arena_mark(rewrite->program->scratch);
    const struct site **kept = arena_allocate(rewrite->program->scratch, after.count * sizeof *kept);
    uint32_t count = 0;
    for (uint32_t i = 0; i < after.count; i++) {
        if (lost && wants_old(&after.first[i], facts_of(rewrite->program, context->instruction)))
            rewrite_skip(rewrite, SKIP_OVERWRITTEN, &after.first[i], context->instruction);
        else
            kept[count++] = &after.first[i];
    }
    if (count > 0)
        calls_emit(rewrite, kept, count, context);
    if (context->old_on_stack)
        machine_raise_stack(&rewrite->code->copies, OLD_ROOM);
    arena_release(rewrite->program->scratch, mark);
}
