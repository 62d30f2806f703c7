/* stack_room.h: room on the program's stacks for what atomc has added. */
#ifndef ATOMC_RUNTIME_LENT_ROOM_H
#define ATOMC_RUNTIME_LENT_ROOM_H

#include "runtime/kernel/kernel.h"

/* An instruction that is none of the program's has faulted. True: it was for want of room on the program's
   stack, and can be made again now. */
int atomc_lend_room(const struct saved_context *saved);
/* Likewise: it spills below a $30 that is no stack. True: up to the program's next instruction, it must be
   executed step by step. */
int atomc_spills_nowhere(const struct saved_context *saved);
/* The calling thread is at an instruction of the program. */
void atomc_forget_spills(void);
/* Where what is spilled at the address is, if it has been executed step by step. */
unsigned long atomc_spilled_at(unsigned long address);
/* The calling thread is at an instruction of the program. */
void atomc_return_room(void);
/* It is about to execute what is there, which may be an instruction of the program behind what is inserted
 * before it. */
void atomc_return_room_at(unsigned long pc);

#endif
