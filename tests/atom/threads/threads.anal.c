/* threads.anal.c: the routines of threads.inst.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmplrs/atom.anal.h>
static ThreadTable *table;
static unsigned long all, threads, wrong;
struct info { long calls, next; };
Start() { table = ThreadTableInit(10, sizeof(struct info)); if (ThreadForeach(table, 0, 0, 0, 0, 0) != THREAD_NO_DATA) wrong++; }
Step(REGV n, FREGV half) {
    struct info *info; double value;
    ThreadId id = ThreadGetId();
    memcpy(&value, &half, 8);
    if (!ThreadLookup(table, id, THREAD_EXISTING)) threads++;
    info = ThreadLookup(table, id, THREAD_LOCK);
    if (!info || ThreadLookup(table, id, THREAD_LOCK) || *ThreadAddr(table, id) != id) wrong++;
    if (info->next++ != n || value * 2 != n) wrong++;
    info->calls++;
    ThreadUnlock(table, id);
    ThreadLockedAdd(&all, 1);
}
static long visits;
static void nested(ThreadId id, void *info, void *a, void *b) { if (ThreadRemove(table, id) != THREAD_FOREACH || ThreadForeach(table, 9, 0, 0, 0, nested) != THREAD_FOREACH) wrong++; visits++; }
static void first(ThreadId id, void *info, void *a, void *b) { *(ThreadId *)a = id; }
static void sum(ThreadId id, void *info, void *total, void *calls) { *(long *)total += ((struct info *)info)->calls; ++*(long *)calls; if (ThreadIsInternal(id)) wrong++; }
Print() {
    long total = 0, seen = 0;
    ThreadMutex mutex = 0;
    char *heap = malloc(1);
    if (ThreadForeach(table, 0, 0, &total, &seen, sum) != THREAD_SUCCESS || seen != threads || total != all) wrong++;
    if (ThreadMutexLock(&mutex, ThreadNoId) != THREAD_NO_ID || ThreadMutexLock(&mutex, 5) || ThreadMutexLock(&mutex, 5) != THREAD_LOCKED) wrong++;
    ThreadMutexUnlock(&mutex); ThreadMutexPoll(1);
    if (mutex || ThreadTableLock(table, 7) || ThreadTableLock(table, 8) != THREAD_LOCKED) wrong++;
    ThreadTableUnlock(table, 7);
    if (ThreadRemove(table, 12345678) != THREAD_NO_DATA) wrong++;
    if (ThreadForeach(table, 9, THREAD_LOCK, 0, 0, nested) != THREAD_SUCCESS || visits != threads) wrong++;
    { ThreadId some = ThreadNoId;
      ThreadForeach(table, 9, 0, &some, 0, first);
      if (*ThreadAddr(table, some) != ThreadNoId || ThreadMutexLock(ThreadAddr(table, some), 77) != THREAD_SUCCESS) wrong++;
      if (ThreadForeach(table, 9, THREAD_LOCK, 0, 0, nested) != THREAD_LOCKED || ThreadRemove(table, some) != THREAD_LOCKED) wrong++;
      ThreadMutexUnlock(ThreadAddr(table, some));
      if (ThreadRemove(table, some) != THREAD_SUCCESS || ThreadLookup(table, some, THREAD_EXISTING) || ThreadAddr(table, some)) wrong++;
      if (THREAD_INTERNAL != 5 || ThreadGetId() == ThreadNoId) wrong++; }
    if ((unsigned long)heap < AnalHeapBase() || (unsigned long)heap > AnalHeapBase() + (1L << 30)) wrong++;
    printf("%lu threads, %lu calls, %lu wrong\n", threads, all, wrong);
    ThreadTableFree(table);
}
