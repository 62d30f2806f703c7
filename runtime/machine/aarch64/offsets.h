/* offsets.h: numbers that AArch64's assembly and C of the runtime share. stepping.c compares them with the
   structures. */
#ifndef ATOMC_RUNTIME_AARCH64_OFFSETS_H
#define ATOMC_RUNTIME_AARCH64_OFFSETS_H

/* struct saved_context */
#define CONTEXT_STACK     16
#define CONTEXT_REGISTERS 184
#define CONTEXT_PC        440
#define CONTEXT_STATE     448
#define CONTEXT_FLOATING  464 /* a record, 16 bytes before its registers */
#define CONTEXT_RECORDS   992 /* the record after it */

/* The record of the long vectors (struct sve_context): what begins it, and the most bytes of a vector for
   which a context has room. */
#define SCALABLE_MAGIC_HIGH     0x5356
#define SCALABLE_MAGIC_LOW      0x4501
#define LONGEST_RECORDED_VECTOR 96

#define SIGINFO_ROOM    128 /* bytes before a context in a signal's frame */
#define FLOATING_BYTES  528
#define STACK_UNCHANGED 0x40 /* NO_STACK_CHANGE */

/* What a gate stores, from the stack pointer on: the registers by number, the stack pointer as number 31, the
   low halves of the floating-point registers; all of these, and the registers of the system. */
#define GATE_FLOATING 256
#define GATE_VECTORS  512
#define GATE_SYSTEM   1024
#define GATE_BYTES    1056

/* Bytes at the stack pointer in which wrappers store x16, x17 and x30 for atomc_call_routine; and what that
   stores below: general registers, those of the system, and vectors. */
#define ROUTINE_LINKAGE 32
#define ROUTINE_SYSTEM  160
#define ROUTINE_VECTORS 192
#define ROUTINE_BYTES   704

#endif
