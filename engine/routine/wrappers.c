/* wrappers.c: one wrapper for each analysis routine and set of registers to save. The wrapper saves
   registers, takes the lock, swaps the thread pointer and the stack, and calls the routine. Requires the
   routines' summaries. */
#include <string.h>

#include "engine/routine/internal.h"

/* After this many kinds of wrapper in one program, new ones save all registers that may change, so that
   more sites share them.
 */
#define MANY_WRAPPERS 2048

register_set wrapper_clobbers(const struct rewrite *rewrite, uint32_t routine) {
    const struct machine *machine = rewrite->machine;
    if (machine_keeps_registers(machine))
        return REGISTER_BIT(machine->registers->link);
    const struct called_routine *called = routine_called(rewrite, routine);
    const struct routine_summary *summary = &called->summary;
    register_set set = summary->written | REGISTER_BIT(machine->registers->link);
    if (!called->copied) /* the routine itself is called through a register */
        set |= REGISTER_BIT(machine->registers->procedure_value);
    if (summary->uses_gp)
        set |= REGISTER_BIT(machine->registers->data_base);
    if (rewrite->program->threads)
        set |= machine->locker_changes;
    if (summary->uses_thread_pointer)
        set |= REGISTER_BIT(machine->registers->result) | REGISTER_BIT(machine->registers->first_argument);
    if (summary->changes_fpcr)
        set |= FLOAT_BIT(0);
    return set;
}

/* Threads use the stack in turn, under the lock. Its registers are saved (wrapper_clobbers). Returns the
   bytes of arguments on the own stack; if there are any, the spilled register holds the former stack pointer.
 */
static uint32_t emit_own_stack(struct code *code, uint32_t arguments) {
    uint32_t words = arguments > REGISTER_ARGUMENTS ? arguments - REGISTER_ARGUMENTS : 0;
    uint32_t room = (8 * words + 15) & ~15u;
    const struct machine *machine = code->machine;
    emit_site_frame(code, machine->registers->procedure_value);
    machine_store(code, machine->registers->stack, machine->registers->procedure_value,
                  SITE_FRAME_STACK_POINTER);
    if (room)
        machine_move(code, machine->registers->stack, machine->registers->spill);
    machine_add_constant(code, machine->registers->procedure_value, -(int64_t)room,
                         machine->registers->stack);
    return room;
}

/* Of a machine whose runtime saves all registers. */
static void emit_short_wrapper(struct rewrite *rewrite, uint32_t routine) {
    uint32_t arguments = rewrite->routines->arguments[routine],
             in_registers = rewrite->machine->registers->arguments_in_registers;
    uint32_t caller = (uint32_t)analysis_symbol(rewrite->analysis, "atomc_call_routine");
    machine_wrap(&rewrite->code->wrappers, (uint32_t)rewrite->routines->addresses[routine], caller,
                 arguments > in_registers ? arguments - in_registers : 0);
}

static void emit_wrapper(struct rewrite *rewrite, uint32_t routine_index, register_set saves) {
    struct code *code = &rewrite->code->wrappers;
    const struct routine_summary *summary = &routine_called(rewrite, routine_index)->summary;
    uint32_t arguments = rewrite->routines->arguments[routine_index];
    struct wrapper_frame frame = save_area_lay_out(arguments, saves);
    const unsigned stack = code->machine->registers->stack, link = code->machine->registers->link;

    machine_lower_stack(code, frame.size);
    machine_store(code, link, stack, (int)frame.link);
    machine_save(code, saves, stack, frame.saves);
    if (summary->changes_fpcr)
        emit_control_saved(code, FLOAT_REGISTER(0), frame.float_control);
    if (rewrite->program->threads)
        emit_lock(rewrite, code, "atomc_lock");
    if (summary->uses_thread_pointer)
        emit_thread_pointer_swap(rewrite, code, frame.argument, frame.thread_pointer);
    bool switches = rewrite->code->own_stack && rewrite->program->threads;
    uint32_t room = switches ? emit_own_stack(code, arguments) : 0;
    for (uint32_t i = REGISTER_ARGUMENTS; i < arguments; i++) {
        uint32_t offset = 8 * (i - REGISTER_ARGUMENTS);
        machine_load(code, link, room ? code->machine->registers->spill : stack, (int)(frame.size + offset));
        machine_store(code, link, stack, (int)(frame.outgoing + offset));
    }

    routine_emit_call(rewrite, code, routine_index);

    if (switches)
        machine_load(code, stack, stack, (int)(SITE_FRAME_STACK_POINTER + room));
    if (summary->uses_thread_pointer)
        emit_thread_pointer_restored(code, frame.thread_pointer);
    if (rewrite->program->threads)
        emit_lock(rewrite, code, "atomc_unlock");
    if (summary->changes_fpcr)
        emit_control_restored(code, FLOAT_REGISTER(0), frame.float_control);
    machine_restore(code, saves, stack, frame.saves);
    machine_load(code, link, stack, (int)frame.link);
    machine_raise_stack(code, frame.size);
    machine_return_to(code, link);
}

static uint32_t hash_of_wrapper(uint32_t routine, register_set saves) {
    uint64_t mixed = (saves ^ routine) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 54) & 1023;
}

uint32_t wrapper_address(struct rewrite *rewrite, uint32_t routine, register_set saves) {
    if (rewrite->routines->wrapper_count >= MANY_WRAPPERS)
        saves = wrapper_clobbers(rewrite, routine) & ~REGISTER_BIT(rewrite->machine->registers->link);
    saves &= ~REGISTER_BIT(rewrite->machine->registers->link);
    routine_place(rewrite, routine);
    uint32_t bucket = hash_of_wrapper(routine, saves);
    for (uint32_t w = rewrite->routines->wrapper_hash[bucket]; w != NO_INDEX;
         w = rewrite->routines->wrapper_list[w].next)
        if (rewrite->routines->wrapper_list[w].routine == routine &&
            rewrite->routines->wrapper_list[w].saves == saves)
            return rewrite->routines->wrapper_list[w].address;
    ARENA_RESERVE(rewrite->round, rewrite->routines->wrapper_list, rewrite->routines->wrapper_count,
                  rewrite->routines->wrapper_capacity);
    struct wrapper *wrapper = &rewrite->routines->wrapper_list[rewrite->routines->wrapper_count];
    *wrapper = (struct wrapper){.routine = routine,
                                .saves = saves,
                                .address = code_address(&rewrite->code->wrappers),
                                .next = rewrite->routines->wrapper_hash[bucket]};
    rewrite->routines->wrapper_hash[bucket] = rewrite->routines->wrapper_count++;
    if (machine_keeps_registers(rewrite->machine))
        emit_short_wrapper(rewrite, routine);
    else
        emit_wrapper(rewrite, routine, saves);
    rewrite->code->statistics.wrappers++;
    rewrite->code->statistics.registers_saved += (uint64_t)__builtin_popcountll(saves);
    ARENA_RESERVE(rewrite->round, rewrite->code->symbols, rewrite->code->symbol_count,
                  rewrite->code->symbol_capacity);
    rewrite->code->symbols[rewrite->code->symbol_count++] = (struct code_symbol){
        .name = arena_format(rewrite->round, "atomc.wrapper.%s.%llx", rewrite->plan->routines[routine].name,
                             (unsigned long long)saves),
        .address = wrapper->address,
        .size = code_address(&rewrite->code->wrappers) - wrapper->address};
    return wrapper->address;
}
