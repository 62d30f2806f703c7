/* commands.h: statements of tools that the runtime executes (plan/commands.h), their prints, $stack, and
   the numbering of threads. */
#ifndef ATOMC_RUNTIME_COMMANDS_H
#define ATOMC_RUNTIME_COMMANDS_H

#include "plan/commands.h"
#include "runtime/counts/counts.h"
#include "runtime/kernel/kernel.h"

/* ---- commands.c ---- */
/* This file compares no texts, and prints nothing. */
void atomc_execute(struct command *command, ...);
/* The numbers of the thread with this pointer: atomc's own number, from 1 in the order of the first queries;
   and the kernel's.
 */
long atomc_thread_key(long pointer);
long atomc_thread_number(long pointer);
long atomc_process_number(void);
/* The name that the present thread has given itself; else at most 15 bytes of the program's. */
const char *atomc_thread_name(const char *program);
/* Call it before the program starts. */
void atomc_note_name(void);
/* CLOCK_MONOTONIC. */
long atomc_nanoseconds(void);
/* The thread ends: another thread may get its pointer. The process is a child of fork: its number has
   changed. */
void atomc_forget_thread(void);
void atomc_renumber_threads(void);
/* The program's text, up to `most` bytes; "(invalid)" if its beginning cannot be read. The result is valid
   until the next command. */
const char *atomc_read_text(unsigned long address, unsigned long most);
/* Returns the cell; NULL if there is none of that number. */
int64_t *atomc_update_command_cell(const struct command_effect *effect, const long *arguments,
                                   const int64_t *values);

/* ---- prints.c ---- */
void atomc_execute_with_texts(struct command *command, ...);
/* Before the program starts: opens the files for a command's lines, so that processes that fork share
   them. */
void atomc_open_prints(const struct command *command);
/* A child of fork reports only the lines that it omits itself. */
void atomc_forget_left_out(void);
/* When the program has ended: reports the omitted lines. */
void atomc_report_prints(void);

extern unsigned atomc_texts_used; /* texts of the current command */

/* ---- stacks.c ---- */

/* The procedures that are active in the thread with this pointer, outermost first, separated by `;`.
   `procedure` is the innermost, with this stack pointer. The text is never freed. */
const char *atomc_stack_text(long procedure, long sp, long id);
/* Their number. */
long atomc_stack_depth(long procedure, long sp, long id);
/* The thread ends: another thread may get its pointer. */
void atomc_forget_stack(long id);
int atomc_follows_stacks(void);

#endif
