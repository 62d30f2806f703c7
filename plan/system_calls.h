/* system_calls.h: CALL_<name> for each of Linux/Alpha's system calls, and GATE_<word> for its gate in
   system_calls.def. The assembler includes it, too; it uses only the gates. */
#ifndef ATOMC_PLAN_SYSTEM_CALLS_H
#define ATOMC_PLAN_SYSTEM_CALLS_H

/* Bits: a gate tests for some of them. */
#define GATE_NONE      0
#define GATE_ALL       1
#define GATE_OBJECTS   2
#define GATE_HANDLED   4
#define GATE_OPENS     8
#define GATE_TAKES     16
#define GATE_NAMES     32
#define GATE_WAITS     64
#define GATE_ALL_WAITS (GATE_ALL | GATE_WAITS)

#ifndef __ASSEMBLER__
enum {
#define SYSTEM_CALL(number, name, gate, private) CALL_##name = number,
#include "system_calls.def"
#undef SYSTEM_CALL
};
#endif

#endif
