/* process.h: the life of the process: its start, its system calls, forks, execve, its end. */
#ifndef ATOMC_RUNTIME_PROCESS_H
#define ATOMC_RUNTIME_PROCESS_H

#include "runtime/kernel/kernel.h"

/* ---- start.c: entry.S calls it ---- */

/* ---- end.c ---- */

long atomc_call_exit_group(long *registers);
/* Makes the calls after the program, with its exit status; a negative status: because of a signal. With a
   status, returns only if the calls are not to be made: in a vfork child, or if another thread is making
   them. */
void atomc_end_program(long status);
/* The same, and the end of the process. */
void atomc_exit_program(long status);
/* Ends the program by SIGABRT, because it would not continue as it would have without atomc. */
void atomc_stop_program(const long *registers);
void atomc_flush(void); /* empties the private C library's output buffers */

/* ---- finish.c ---- */

void atomc_after_program(long status) __attribute__((noreturn));
void atomc_after_signal(long signal);

/* ---- gate.c: entry.S calls it ---- */
/* ---- memory_calls.c: handlers of system calls, which gate.c knows by their names ---- */
/* ---- signal_calls.c: likewise ---- */
/* ---- fork.c: likewise ---- */
/* ---- process_files.c: likewise ---- */

/* ---- exec.c ---- */

/* True if the calling thread is about to make an execve for which results have been written. */
int atomc_is_executing(void);
/* True if the kernel has been told the ignored signals, for the calling thread's next execve. */
int atomc_is_showing_ignored(void);
/* Undoes both: the program continues, because the call has failed or will be made again. */
void atomc_stay(void);
void atomc_execves_after_fork(void);

/* ---- atomc_run.c ---- */

void atomc_prepare_run(void);
/* The program's open, openat, readlink, and readlinkat of /proc/self/exe. True if the call has been made. */
long atomc_own_file_call(long *registers);

#endif
