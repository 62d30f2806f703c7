/* atom.anal.h: the types and routines for ATOM's analysis routines, as in atomc. docs/atom.md lists the differences.
   Also found as <cmplrs/atom.anal.h>. */
#ifndef ATOM_ANAL_H
#define ATOM_ANAL_H

#ifdef __cplusplus
extern "C" {
#endif

typedef long REGV, FREGV; /* the 64 bits of a register */

unsigned long AnalHeapBase(void); /* where the heap of the analysis routines begins */

/* The address by which to call a procedure of this name whose entry is replaced by ReplaceAndRetainEntry, or by ReplaceEntry
   with ReplAddrValue; else 0. Only in atomc: ATOM's documents do not say how to call a retained procedure. */
unsigned long RetainedEntryAddr(const char *procedure);

/* ---- tables of addresses: an XLATE * of AddCallProto --------------------------------------------------------- */

typedef struct XLATE XLATE;
unsigned long XlateInstTextStart(XLATE *); /* the instrumented text */
unsigned long XlateInstTextSize(XLATE *);
long XlateLoadShift(XLATE *);               /* the distance by which the object was moved when loaded: 0 */
unsigned XlateNum(XLATE *);                 /* addresses in the table */
unsigned long XlateAddr(XLATE *, unsigned); /* the n-th that was added, from 0; 0 if there is none */

/* ---- threads: routines are called one at a time -------------------------------------------------------- */

typedef unsigned long ThreadId, ThreadMutex;
typedef struct ThreadTable ThreadTable;
#define ThreadNoId 0UL
typedef enum {
    THREAD_SUCCESS,
    THREAD_NO_DATA,
    THREAD_FOREACH,
    THREAD_NO_ID,
    THREAD_LOCKED,
    THREAD_INTERNAL
} ThreadStatus;
typedef enum { THREAD_LOCK = 1, THREAD_EXISTING = 2 } ThreadFlags;

ThreadId ThreadGetId(void); /* of the program's thread that made the call */
int ThreadIsInternal(ThreadId);
ThreadTable *ThreadTableInit(unsigned long size_hint, unsigned long info_size);
void ThreadTableFree(ThreadTable *);
ThreadStatus ThreadTableLock(ThreadTable *, ThreadId);
void ThreadTableUnlock(ThreadTable *, ThreadId);
/* The thread's bytes, zeroed when made. With THREAD_EXISTING none are made. NULL if there are none, or if another thread has
   the mutex with THREAD_LOCK. */
void *ThreadLookup(ThreadTable *, ThreadId, unsigned long flags);
void ThreadUnlock(ThreadTable *, ThreadId);
ThreadStatus ThreadRemove(ThreadTable *, ThreadId);
ThreadStatus ThreadForeach(ThreadTable *, ThreadId, unsigned long flags, void *, void *,
                           void (*)(ThreadId, void *info, void *, void *));
ThreadMutex *ThreadAddr(ThreadTable *, ThreadId);
ThreadStatus ThreadMutexLock(ThreadMutex *, ThreadId);
void ThreadMutexUnlock(ThreadMutex *);
void ThreadMutexPoll(int microseconds);
unsigned long ThreadLockedAdd(unsigned long *, unsigned long); /* the sum */

#ifdef __cplusplus
}
#endif

#endif
