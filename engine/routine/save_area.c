/* save_area.c: the state that code saves around a call of an analysis routine: registers, the thread
   pointer, the floating-point control register; and the lock. Requires the set of registers to save. */
#include "engine/routine/internal.h"

struct wrapper_frame save_area_lay_out(uint32_t arguments, register_set saves) {
    struct wrapper_frame frame;
    uint32_t stack_arguments = arguments > REGISTER_ARGUMENTS ? arguments - REGISTER_ARGUMENTS : 0;
    frame.outgoing = 0;
    frame.link = 8 * stack_arguments;
    frame.thread_pointer = frame.link + 8;
    frame.argument = frame.thread_pointer + 8;
    frame.float_control = frame.argument + 8;
    frame.saves = frame.float_control + 8;
    frame.size = (frame.saves + 8 * (uint32_t)__builtin_popcountll(saves) + 15) & ~15u;
    return frame;
}

/* Calls lock or unlock if the program has threads: a test of a flag that the runtime sets at the first clone.
 */
void emit_lock(struct rewrite *rewrite, struct code *code, const char *symbol) {
    uint32_t flag = (uint32_t)analysis_symbol(rewrite->analysis, "atomc_threaded");
    uint32_t routine = (uint32_t)analysis_symbol(rewrite->analysis, symbol);
    machine_call_locker(code, flag, routine);
}

void emit_thread_pointer_swap(struct rewrite *rewrite, struct code *code, uint32_t argument,
                              uint32_t thread_pointer) {
    uint32_t variable = (uint32_t)analysis_symbol(rewrite->analysis, "atomc_private_thread_pointer");
    const struct machine *machine = code->machine;
    const unsigned first = machine->registers->first_argument, stack = machine->registers->stack;
    machine_store(code, first, stack, (int)argument);
    machine_thread_pointer(code, machine->registers->result);
    machine_store(code, machine->registers->result, stack, (int)thread_pointer);
    int low = machine_address_base(code, variable, first);
    machine_load(code, first, first, low);
    machine_set_thread_pointer(code);
    machine_load(code, first, stack, (int)argument);
}

void emit_thread_pointer_restored(struct code *code, uint32_t thread_pointer) {
    machine_load(code, code->machine->registers->first_argument, code->machine->registers->stack,
                 (int)thread_pointer);
    machine_set_thread_pointer(code);
}

void emit_control_saved(struct code *code, unsigned by, uint32_t offset) {
    machine_save_float_control(code, by, code->machine->registers->stack, (int)offset);
}

void emit_control_restored(struct code *code, unsigned by, uint32_t offset) {
    machine_restore_float_control(code, by, code->machine->registers->stack, (int)offset);
}
