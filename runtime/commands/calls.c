/* calls.c: calls of the tool's C routines with values that only the analysis side has. Requires the routines'
   lock, as each analysis routine does. The routine's registers are unknown, so sites save all that C may
   change, floating-point registers included. */
#include "runtime/commands/internal.h"

/* Each argument has 8 bytes: in registers, then on the stack, where arguments that the routine does not have
   are ignored. */
typedef void routine(long, long, long, long, long, long, long, long, long, long, long, long, long, long, long,
                     long);

static void call_with(long address, const int64_t *values, uint64_t count) {
    long a[COMMAND_MOST_PASSED];
    for (uint64_t i = 0; i < COMMAND_MOST_PASSED; i++)
        a[i] = i < count ? values[i] : 0;
    ((routine *)address)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12],
                         a[13], a[14], a[15]);
}

void atomc_execute_calls(struct command *command, ...) {
    va_list list;
    va_start(list, command);
    execute_command(command, list, NULL, NULL, call_with);
    va_end(list);
}
