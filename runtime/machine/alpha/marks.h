/* marks.h: the pages of Alpha, and the words with a meaning that only atomc and its runtime know: marks in
   the copies, and traps, which are stores to unmapped addresses. For the engine, and for the runtime. */
#ifndef ATOMC_RUNTIME_MARKS_H
#define ATOMC_RUNTIME_MARKS_H

#include "codegen/alpha/words.h"

/* Page sizes in bytes: atomc's additions to a file are multiples of Alpha's. Linux on Alpha has 8 KB, and
   so had QEMU; since version 9 QEMU has the pages of its host (target/alpha/cpu-param.h). */
#define FILE_PAGE     8192
#define SMALLEST_PAGE 4096
/* The largest page of an Alpha, or of a host that runs its programs. */
#define LARGEST_PAGE UINT64_C(0x10000)

/* ---- marks: they change nothing ---- */

/* Marks the load before it, whose fault tells the runtime that the program switches to another stack: lda
   $31,x($31). Two registers may be spilled. */
#define STACK_MARK(spilled) ALPHA_MEMORY_WORD(LDA, ALPHA_ZERO, 0x6d70 + (spilled), ALPHA_ZERO)

/* Marks the system call before it, which may wait, if the runtime has to know when the call ends
   (atomc_call_ends): br $31 to the next word. */
#define WAIT_MARK ALPHA_BRANCH_WORD(BR, ALPHA_ZERO, 0)

/* Marks the one or two loads of $memory before it in the copies, which give 0 if they fault: lda
   $31,x($31). */
#define READ_MARK(loads) ALPHA_MEMORY_WORD(LDA, ALPHA_ZERO, 0x6d60 + (loads), ALPHA_ZERO)

/* ---- traps ---- */

/* In the text of the program: an unresolved jump has arrived. */
#define ATOMC_TRAP ALPHA_MEMORY_WORD(STQ, ALPHA_ZERO, 24, ALPHA_ZERO)
/* In a copy without a free register: this word represents the `jsr reg,(reg)` that the runtime executes. */
#define ATOMC_TRANSFER_TRAP(reg)  ALPHA_MEMORY_WORD(STQ, ALPHA_ZERO, 64 + 8 * (reg), ALPHA_ZERO)
#define ATOMC_TRAP_REGISTER(word) (((word)-ATOMC_TRANSFER_TRAP(0)) / 8)
#define ATOMC_IS_TRANSFER_TRAP(word)                                                                         \
    (((word)-ATOMC_TRANSFER_TRAP(0)) % 8 == 0 && ATOMC_TRAP_REGISTER(word) < ALPHA_ZERO)
/* In text that the program has changed: control leaves the copy; an instruction barrier; a system call. */
#define ATOMC_LEAVE_TRAP       ALPHA_MEMORY_WORD(STQ, ALPHA_ZERO, 8, ALPHA_ZERO)
#define ATOMC_BARRIER_TRAP     ALPHA_MEMORY_WORD(STQ, ALPHA_ZERO, 16, ALPHA_ZERO)
#define ATOMC_SYSTEM_CALL_TRAP ALPHA_MEMORY_WORD(STQ, ALPHA_ZERO, 32, ALPHA_ZERO)

#endif
