/* system_call_tables.h: Linux's system calls of each machine, for the host. */
#ifndef ATOMC_PLAN_SYSTEM_CALL_TABLES_H
#define ATOMC_PLAN_SYSTEM_CALL_TABLES_H

#include <stdint.h>

#include "plan/system_calls.h" /* GATE_... */

struct system_call {
    const char *name; /* NULL: there is no such call */
    uint8_t gate;     /* GATE_... */
};

/* The system call of that number on a machine, by e_machine. NULL: there is none of that number or above. */
const struct system_call *plan_system_call(uint16_t machine, int64_t number);

#endif
