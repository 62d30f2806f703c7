/* threads.h: threads stop at instructions of the program, where counts are derived in a program that may
   have threads (atomc_image.stops). */
#ifndef ATOMC_RUNTIME_THREADS_H
#define ATOMC_RUNTIME_THREADS_H

#include "runtime/kernel/kernel.h"
#include "runtime/threads/moments.h"

/* ---- threads.c ---- */

/* A signal that programs hardly use: an emulator may keep the last ones to itself. Theirs get through. */
#define STOP_SIGNAL 60
#define STOP_BIT    (1L << (STOP_SIGNAL - 1))
void atomc_prepare_stops(void);
/* After a fork, in the child. */
void atomc_only_thread(void);
/* All other threads stop, each at an instruction of the program, and the calling thread gets the lock of
   routines. It is itself at one, or has noted where it is. */
enum atomc_hold {
    HOLD_RUNNING, /* not those that wait in the kernel, whose system calls go on, */
    HOLD_MOMENT,  /* ... for the rows of a report (report.h) */
    HOLD_ALL,
};
void atomc_hold_threads(enum atomc_hold hold);
/* As HOLD_MOMENT. False: no rows are due any more (`are_due`, atomc_rows_are_due), and no thread has been
 * stopped. */
int atomc_hold_for_rows(int (*are_due)(void));
/* STOP_SIGNAL has come: has the calling thread asked for it, to write rows? No more from now on. */
int atomc_writes_rows(void);
void atomc_free_threads(void);
/* The calling thread, at an instruction of the program, does nothing more. */
void atomc_stand(void);
/* Called for STOP_SIGNAL: is it from here? Then the thread's place is noted, and it waits. */
int atomc_stop_comes(void);
/* That is now no instruction of the program: it comes again, when the signal is no longer blocked, or when
 * the others look again. */
void atomc_stop_later(int when_unblocked);
void atomc_wait_stopped(void);
/* There are threads, which may be stopped: calls that may wait are said to begin and to end. Meanwhile the
   thread counts as stopped, and is sent no signal. It begins at the gate, or at the call with all signals
   blocked; it ends, or a signal has come: then the thread waits for as long as others want it to. */
extern int atomc_waits;
void atomc_begin_call(void);
void atomc_end_call(void);
/* The calling thread begins to wait for signals, the one for stops among them. */
void atomc_takes_signals(void);

#endif
