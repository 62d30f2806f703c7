/* threads.h: stopping threads at instructions of the program, where counts are derived in a program that
   may have threads (atomc_image.stops). */
#ifndef ATOMC_RUNTIME_THREADS_H
#define ATOMC_RUNTIME_THREADS_H

#include "runtime/kernel/kernel.h"
#include "runtime/threads/moments.h"

/* ---- threads.c ---- */

/* A signal that programs hardly use; an emulator may reserve the last ones. The program's own uses of it
   are passed on. */
#define STOP_SIGNAL 60
#define STOP_BIT    (1L << (STOP_SIGNAL - 1))
void atomc_prepare_stops(void);
/* Called in the child after a fork. */
void atomc_only_thread(void);
/* Stops all other threads, each at an instruction of the program, and acquires the lock of routines for the
   calling thread. The caller is itself at an instruction of the program, or has recorded its position. */
enum atomc_hold {
    HOLD_RUNNING, /* except threads that wait in the kernel, whose system calls continue, */
    HOLD_MOMENT,  /* ... for the rows of a report (report.h) */
    HOLD_ALL,
};
void atomc_hold_threads(enum atomc_hold hold);
/* As HOLD_MOMENT. Returns false if no rows are due any more (`are_due`, atomc_rows_are_due); then no thread
   has been stopped. */
int atomc_hold_for_rows(int (*are_due)(void));
/* STOP_SIGNAL has arrived: true if the calling thread sent it to itself, to write rows. The request is then
   cleared. */
int atomc_writes_rows(void);
void atomc_free_threads(void);
/* The calling thread stays at an instruction of the program permanently. */
void atomc_stand(void);
/* Called for STOP_SIGNAL: true if this file sent the signal. Then the thread's position is recorded, and it
   waits. */
int atomc_stop_comes(void);
/* The thread was not at an instruction of the program: it stops later, when the signal is no longer blocked,
   or at the next check by the thread that stops the others. */
void atomc_stop_later(int when_unblocked);
void atomc_wait_stopped(void);
/* Some threads may have to be stopped: the beginning and the end of calls that may wait are reported. In
   between the thread counts as stopped, and no signal is sent to it. The beginning is reported at the gate,
   or at the call with all signals blocked; the end, at the call's end or on a signal: then the thread waits
   as long as it has to remain stopped. */
extern int atomc_waits;
void atomc_begin_call(void);
void atomc_end_call(void);
/* The calling thread begins to wait for signals, including the one for stops. */
void atomc_takes_signals(void);

#endif
