/* system_calls.h: CALL_<name> for each of Linux's system calls on a machine, Alpha unless the compiler is
   told another, and GATE_<word> for its gate in system_calls.def. The assembler includes it, too; it uses
   only the gates. */
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

/* The tables of the machine for which the runtime is compiled. */
#ifdef ATOMC_AARCH64
#define SYSTEM_CALLS   "plan/system_calls_aarch64.def"
#define SIGNAL_NUMBERS "plan/signals_aarch64.def"
#else
#define SYSTEM_CALLS   "plan/system_calls.def"
#define SIGNAL_NUMBERS "plan/signals.def"
#endif

#ifndef __ASSEMBLER__
enum {
#define SYSTEM_CALL(number, name, gate, private) CALL_##name = number,
#include SYSTEM_CALLS
#undef SYSTEM_CALL
};
#endif

#endif
