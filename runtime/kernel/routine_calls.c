/* routine_calls.c: calls of analysis routines by the runtime: their lock, and the calls and updates before
   and after the program, a library or a fork. */
#include "runtime/kernel/kernel.h"

/* The lock that wrappers take (primitives.S), for the current thread pointer. */
void atomc_call_lock(void (*routine)(void)) {
    call_locker(routine);
}

static void call_with_registers(const struct atomc_program_call *call) {
    const unsigned char *registers = (const unsigned char *)call->registers;
    long arguments[ATOMC_REGISTER_ARGUMENTS + REGISTER_ARGUMENTS];
    for (uint64_t i = 0; i < REGISTER_ARGUMENTS || i < call->argument_count; i++)
        arguments[i] = registers[i] ? atomc_registers[registers[i] - 1] : ((long *)call->arguments)[i];
    atomc_call(call->routine, (long)arguments, call->argument_count);
}

void atomc_make_calls(uint64_t table, uint64_t count) {
    const struct atomc_program_call *call = (const struct atomc_program_call *)table;
    for (; count > 0; count--, call++) {
        atomc_registers[ATOMC_REGISTER_CYCLES] = cycle_counter();
        if (call->registers)
            call_with_registers(call);
        else
            atomc_call(call->routine, call->arguments, call->argument_count);
    }
}

/* An update of a counter before or after the program or a library; other threads may update it as well:
   enum plan_update. */
void atomc_update_cell(long *cell, long update, long amount) {
    long now, then;
    do {
        now = *(volatile long *)cell;
        then = update == 0                                                  ? now + amount
               : update == 3 || (update == 1 ? amount > now : amount < now) ? amount
                                                                            : now;
    } while (!__sync_bool_compare_and_swap(cell, now, then));
}
