/* commands.h: statements of tools that the runtime executes (plan/commands.h), their prints, $stack, and
   the numbering of threads. */
#ifndef ATOMC_RUNTIME_COMMANDS_H
#define ATOMC_RUNTIME_COMMANDS_H

#include <stdarg.h>

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

/* ---- calls.c ---- */
/* For a command that calls a C routine; it compares no texts, and prints nothing. */
void atomc_execute_calls(struct command *command, ...);

/* ---- events.c: commands that are executed at events, not at sites ---- */
/* Called before the program starts, in the order of the page: the command, an event (enum command_event), for
   COMMAND_UNWIND the procedure's number, and the command's other arguments. */
void atomc_on_event(struct command *command, long event, long number, ...);
void atomc_add_event(struct command *command, long event, long number, va_list arguments);
/* An event of a thread, until its commands are executed. */
struct event {
    long event, number; /* enum command_event; the procedure */
    long thread;        /* its pointer */
    long depth;         /* the number of active procedures */
    void *context;      /* of $stack */
    /* of a signal: its number, and static addresses: the handler, and the interrupted instruction */
    long signal, handler, pc;
};
int atomc_has_unwind(long procedure);
int atomc_has_event(long event);
int atomc_has_events(void);
void atomc_note_event(const struct event *event);
/* Called once for each tool: a flag in its cells, which is not 0 while there are events. */
void atomc_stack_flag(long *cell);
/* The next event of the thread, which is removed; 0: there is none. */
int atomc_next_event(long thread, struct event *event);
/* Calls `execute` for the commands of the event. */
typedef void execute_at_event(struct command *command, const long *arguments);
void atomc_execute_event(const struct event *event, execute_at_event *execute);
/* A value of the event that is executed: enum command_event_value. */
long atomc_event_value(uint64_t value);
/* The events of the thread are executed. */
void atomc_stack_unwind(long thread);
/* The same, by the analysis side itself; the private thread pointer is set. */
extern void (*atomc_execute_events)(long thread);

/* ---- prints.c ---- */
void atomc_on_event_with_texts(struct command *command, long event, long number, ...);
void atomc_stack_unwind_with_texts(long thread);
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
const char *atomc_context_text(void *context);
/* The thread ends, and leaves all its procedures and handlers. */
void atomc_end_stack(long id);
/* A handler of the program is about to be called: its event, without .depth and .context, and the static
   return addresses of the handler and of the interrupted procedure, the interrupted stack pointer, and the
   address of the kernel's frame. */
void atomc_begin_handler(const struct event *event, long restorer, long ra, long sp, long frame);
/* The handler that has this frame has returned. */
void atomc_end_handler(long id, long frame);
/* The thread has ended: another thread may get its pointer. */
void atomc_forget_stack(long id);
int atomc_follows_stacks(void);

#endif
