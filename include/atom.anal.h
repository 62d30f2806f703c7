/* atom.anal.h: what ATOM's analysis routines get and may call, as atomc offers it; docs/atom.md says what differs.
   Also found as <cmplrs/atom.anal.h>. */
#ifndef ATOM_ANAL_H
#define ATOM_ANAL_H

#ifdef __cplusplus
extern "C" {
#endif

typedef long REGV, FREGV; /* contents of a register, 64 bits as they are */

unsigned long AnalHeapBase(void); /* where the heap of the analysis routines begins */

/* Where ReplaceAndRetainEntry, or ReplaceEntry with ReplAddrValue, has replaced the entry of a procedure of this name: what to
   call it by all the same, else 0. atomc's own: no document of ATOM's says how what is retained is called. */
unsigned long RetainedEntryAddr(const char *procedure);

/* ---- tables of addresses: an XLATE * of AddCallProto --------------------------------------------------------- */

typedef struct XLATE XLATE;
unsigned long XlateInstTextStart(XLATE *); /* the instrumented text */
unsigned long XlateInstTextSize(XLATE *);
long XlateLoadShift(XLATE *);               /* how far the object was moved when it was loaded: 0 */
unsigned XlateNum(XLATE *);                 /* addresses in the table */
unsigned long XlateAddr(XLATE *, unsigned); /* that which was added so manieth, from 0; 0 if there is none */

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
void ThreadTableUnlock(ThreadTable *);
/* The thread's zeroed bytes, made unless THREAD_EXISTING; NULL if there are none, or with THREAD_LOCK another has them. */
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
