/* atom.anal.h: the types and routines for ATOM's analysis routines, as in atomc. docs/atom.md describes the interface.
   The file has a second name, <cmplrs/atom.anal.h>. */
#ifndef ATOM_ANAL_H
#define ATOM_ANAL_H

#ifdef __cplusplus
extern "C" {
#endif

typedef long REGV, FREGV; /* the 64 bits of a register */

unsigned long AnalHeapBase(void); /* the beginning of the analysis routines' heap */

/* The address at which a procedure of this name can be called if its entry is replaced by
   ReplaceAndRetainEntry, or by ReplaceEntry with ReplAddrValue; else 0. Only in atomc: ATOM's documents do
   not describe how to call a retained procedure. */
unsigned long RetainedEntryAddr(const char *procedure);

/* ---- tables of addresses: an XLATE * of AddCallProto --------------------------------------------------------- */

typedef struct XLATE XLATE;
/* The copies. */
unsigned long XlateInstTextStart(XLATE *);
unsigned long XlateInstTextSize(XLATE *);
/* 0: copies have fixed addresses. atomc_static of atomc.h converts a run-time address to an address as
   returned by InstPC. */
long XlateLoadShift(XLATE *);
unsigned XlateNum(XLATE *);                 /* addresses in the table */
unsigned long XlateAddr(XLATE *, unsigned); /* the n-th address added, from 0; 0 if there is none */

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

ThreadId ThreadGetId(void);     /* the kernel's number of the program's thread that made the call */
int ThreadIsInternal(ThreadId); /* 0 */
/* A table, which grows, with info_size bytes for each thread. */
ThreadTable *ThreadTableInit(unsigned long size_hint, unsigned long info_size);
void ThreadTableFree(ThreadTable *);
/* The table's mutex. No routine waits for a mutex, as routines run one at a time: if another thread holds
   it, the result is THREAD_LOCKED. */
ThreadStatus ThreadTableLock(ThreadTable *, ThreadId);
void ThreadTableUnlock(ThreadTable *, ThreadId);
/* The thread's bytes, zeroed when they are created. With THREAD_EXISTING none are created. NULL if there
   are none, or, with THREAD_LOCK, if another thread holds the mutex. */
void *ThreadLookup(ThreadTable *, ThreadId, unsigned long flags);
void ThreadUnlock(ThreadTable *, ThreadId);
/* Forgets the thread's bytes. */
ThreadStatus ThreadRemove(ThreadTable *, ThreadId);
/* Calls the routine for each thread; THREAD_NO_DATA if there is none. Meanwhile no entry can be removed
   (THREAD_FOREACH). With THREAD_LOCK it stops at the first mutex that another thread holds. */
ThreadStatus ThreadForeach(ThreadTable *, ThreadId, unsigned long flags, void *, void *,
                           void (*)(ThreadId, void *info, void *, void *));
/* The mutex of a thread, and the mutex of the tool itself. */
ThreadMutex *ThreadAddr(ThreadTable *, ThreadId);
ThreadStatus ThreadMutexLock(ThreadMutex *, ThreadId);
void ThreadMutexUnlock(ThreadMutex *);
void ThreadMutexPoll(int microseconds); /* nothing */
unsigned long ThreadLockedAdd(unsigned long *, unsigned long); /* the sum after an atomic addition */

#ifdef __cplusplus
}
#endif

#endif
