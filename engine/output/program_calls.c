/* program_calls.c: the tables of calls before and after the program and its libraries, which the runtime
   makes. Requires sites whose only dynamic values are registers. */

#include "engine/output/internal.h"
#include "engine/routine/routine.h"

/* An update before or after the program becomes a call of the runtime. */
static uint32_t program_update(struct rewrite *rewrite, const struct site *site, uint64_t *routine,
                               uint64_t *arguments) {
    uint64_t cell = site->cell_base;
    if (site->action->buckets)
        cell += plan_bucket_of(site->action->buckets, site->action->value->leaf.constant);
    *routine = analysis_symbol(rewrite->analysis, "atomc_update_cell");
    arguments[0] = cell_address(rewrite->machine, cell);
    arguments[1] = site->update;
    arguments[2] = (uint64_t)site->action->amount->leaf.constant;
    return 3;
}

static uint64_t program_argument(struct rewrite *rewrite, const struct site_argument *argument) {
    switch (argument->kind) {
    case SITE_STRING:
        return table_string(rewrite, argument->string);
    case SITE_ARRAY:
        return table_array(rewrite, argument->array);
    case SITE_BUFFER:
        return rewrite->code->tables.buffer_addresses[argument->constant];
    default:
        return (uint64_t)argument->constant;
    }
}

/* 1 + the register whose value is an argument of such a call; 0: the argument is a constant. */
static uint8_t program_register(const struct site_argument *argument) {
    if (argument->kind != SITE_VALUE)
        return 0;
    switch (argument->value) {
    case PLAN_VALUE_PC:
        return 1 + ATOMC_REGISTER_PC;
    case PLAN_VALUE_CYCLES:
        return 1 + ATOMC_REGISTER_CYCLES;
    case PLAN_VALUE_INSTRUMENTED_PC:
        return 1 + ATOMC_REGISTER_INSTRUMENTED_PC;
    case PLAN_VALUE_BASE:
        return 1 + ATOMC_REGISTER_BASE;
    default:
        return 1 + argument->operand;
    }
}

/* The arguments of a call; for an update, its amount, which is the last argument of atomc_update_cell. */
static uint64_t program_registers(struct rewrite *rewrite, const struct site *site) {
    uint8_t registers[ATOMC_REGISTER_ARGUMENTS] = {0};
    bool any = false;
    if (site->kind == PLAN_ACTION_UPDATE)
        any = (registers[2] = program_register(&site->action->amount->leaf)) != 0;
    for (uint32_t i = 0; i < site->action->argument_count && i < ATOMC_REGISTER_ARGUMENTS; i++) {
        registers[i] = program_register(&site->arguments[i]);
        any |= registers[i] != 0;
    }
    return any ? table_bytes(rewrite, registers, sizeof registers) : 0;
}

uint64_t program_calls_write(struct rewrite *rewrite, const struct site_list *list) {
    const struct site *sites = list->list;
    uint32_t count = list->count;
    struct arena *scratch = rewrite->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    const uint32_t least = rewrite->machine->registers->arguments_in_registers; /* they are all loaded */
    struct atomc_program_call *calls = arena_allocate(scratch, count * sizeof *calls);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = sites[i].action->argument_count;
        struct arena_mark before = arena_mark(scratch);
        uint64_t *arguments = arena_allocate(scratch, (n + least) * sizeof *arguments);
        for (uint32_t j = 0; j < n; j++)
            arguments[j] = program_argument(rewrite, &sites[i].arguments[j]);
        if (sites[i].kind == PLAN_ACTION_CALL)
            calls[i].routine = rewrite->routines->addresses[sites[i].action->routine];
        calls[i].registers = program_registers(rewrite, &sites[i]);
        if (sites[i].kind == PLAN_ACTION_UPDATE)
            n = program_update(rewrite, &sites[i], &calls[i].routine, arguments);
        calls[i].argument_count = n;
        calls[i].arguments = table_bytes(rewrite, arguments, (n < least ? least : n) * sizeof *arguments);
        arena_release(scratch, before);
    }
    uint64_t address = table_bytes(rewrite, calls, count * sizeof *calls);
    arena_release(scratch, mark);
    return address;
}
