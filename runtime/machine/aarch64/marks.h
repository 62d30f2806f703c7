/* marks.h: the pages of AArch64, and the words with a meaning that only atomc and its runtime know: marks in
   the copies, and traps, which are undefined instructions (SIGILL). For the engine, and for the runtime. */
#ifndef ATOMC_RUNTIME_MARKS_H
#define ATOMC_RUNTIME_MARKS_H

#include "codegen/aarch64/fields.h"

/* Page sizes in bytes: kernels have 4 KB, 16 KB or 64 KB. atomc's additions to a file are multiples of the
   largest. */
#define FILE_PAGE     0x10000
#define SMALLEST_PAGE 4096
#define LARGEST_PAGE  UINT64_C(0x10000)

/* ---- marks: they change nothing ---- */

/* Marks the load before it, whose fault tells the runtime that the program switches to another stack. Two
   registers may be spilled. */
#define STACK_MARK(spilled) AARCH64_MOVZ_NOTHING(0x6d70 + (spilled))

/* Marks the system call before it, which may wait, if the runtime has to know when the call ends
   (atomc_call_ends): b to the next word. */
#define WAIT_MARK AARCH64_B_NEXT

/* Marks the load of $memory before it in the copies, which gives 0 if it faults. */
#define READ_MARK(loads) AARCH64_MOVZ_NOTHING(0x6d60 + (loads))

/* ---- traps: udf #number ---- */

#define AARCH64_TRAP(number) (UINT32_C(0xa700) + (uint32_t)(number))

/* In the text of the program: an unresolved jump has arrived. */
#define ATOMC_TRAP AARCH64_TRAP(0)
/* In text that the program has changed: control leaves the copy; an instruction barrier; a system call. */
#define ATOMC_LEAVE_TRAP       AARCH64_TRAP(1)
#define ATOMC_BARRIER_TRAP     AARCH64_TRAP(2)
#define ATOMC_SYSTEM_CALL_TRAP AARCH64_TRAP(3)
/* In a copy without a free register: this word represents the `blr reg` that the runtime executes; the
   register becomes the link. */
#define ATOMC_TRANSFER_TRAP(reg)     (AARCH64_TRAP(0x40) + (uint32_t)(reg))
#define ATOMC_TRAP_REGISTER(word)    ((word)-ATOMC_TRANSFER_TRAP(0))
#define ATOMC_IS_TRANSFER_TRAP(word) (ATOMC_TRAP_REGISTER(word) < 31)

#endif
