/* commands.h: statements of tools that the analysis side executes (plan/commands.h), their prints, $stack,
   and threads as statements know them. */
#ifndef ATOMC_RUNTIME_COMMANDS_H
#define ATOMC_RUNTIME_COMMANDS_H

#include "plan/commands.h"
#include "runtime/counts/counts.h"
#include "runtime/kernel/kernel.h"

/* ---- commands.c ---- */
/* Without texts that are compared, and without printing. */
void atomc_execute(struct command *command, ...);
/* The numbers of the thread with this pointer: from 1 in the order in which they are asked for; the kernel's.
 */
long atomc_thread_key(long pointer);
long atomc_thread_number(long pointer);
long atomc_process_number(void);
/* The thread ends: another may get its pointer. The process is a child of fork: it has another number. */
void atomc_forget_thread(void);
void atomc_renumber_threads(void);
/* The program's text, of at most so many bytes; "(invalid)" if it begins where nothing can be read. It stays
   as it is until the next command. */
const char *atomc_read_text(unsigned long address, unsigned long most);
/* Returns the cell; NULL: there is none of that number. */
int64_t *atomc_update_command_cell(const struct command_effect *effect, const long *arguments,
                                   const int64_t *values);

/* ---- prints.c ---- */
void atomc_execute_with_texts(struct command *command, ...);
/* Before the program: makes the files of a command's lines, so that processes that fork share them. */
void atomc_open_prints(const struct command *command);
/* A child of fork says only what it leaves out itself. */
void atomc_forget_left_out(void);
/* When the program has ended: what has been left out. */
void atomc_report_prints(void);

extern unsigned atomc_texts_used; /* of the current command's */

/* ---- stacks.c ---- */

/* The procedures that are active in the thread with this pointer, from the outermost on, with `;` between
   them. `procedure` is at work, with this stack pointer. The text stays. */
const char *atomc_stack_text(long procedure, long sp, long id);
/* The thread ends: another may get its pointer. */
void atomc_forget_stack(long id);
int atomc_follows_stacks(void);

#endif
