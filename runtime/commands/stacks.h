/* stacks.h: $stack (stacks.c). */
#ifndef ATOMC_RUNTIME_STACKS_H
#define ATOMC_RUNTIME_STACKS_H

/* The procedures that are active in the thread with this pointer, from the outermost on, with `;` between
   them. `procedure` is at work, with this stack pointer. The text stays. */
const char *atomc_stack_text(long procedure, long sp, long id);
/* The thread ends: another may get its pointer. */
void atomc_forget_stack(long id);
int atomc_follows_stacks(void);

#endif
