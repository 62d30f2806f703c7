/* unresolved_jumps.h: control comes to instructions that nothing foresaw control to come to. */
#ifndef ATOMC_RUNTIME_UNFORESEEN_H
#define ATOMC_RUNTIME_UNFORESEEN_H

#include "runtime/kernel/kernel.h"

/* zapnot target,15,scratch: looks up a copy's address. */
int atomc_is_lookup(uint32_t word, unsigned scratch);
/* The original address that a jump to the pc meant, if nothing foresaw one there, and the pc is that then;
   else 0. A register that the jump has put on the stack is taken back. */
/* Has a jump whose target has low bits looked up what is no address? Then it goes to that target. */
void atomc_straighten(struct saved_context *context);
long atomc_unforeseen_target(struct saved_context *context);
/* A jump has come there: control goes on in the copy, or where it goes after some instructions that are
   executed here. The map has MAP_UNFORESEEN of the target. */
void atomc_enter_unforeseen(struct saved_context *context, long target);
/* The same of a handler that returns there, to the pc; records may be kept. */
void atomc_go_on_unforeseen(struct saved_context *context);
/* In a child: what came before the fork was the parent's. */
void atomc_forget_unforeseen(void);
/* When the program has ended: says how often, and where. */
void atomc_report_unforeseen(void);

#endif
