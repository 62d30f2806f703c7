/* atom_analysis.c: functions for ATOM's analysis routines (atom/include/atom.anal.h): tables by thread, and
   the heap's base. Routines run one at a time, so no function here waits: if another thread holds a lock,
   this is reported to the caller. */
#include "atom/include/atom.anal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/kernel/kernel.h"

struct thread_entry {
    struct thread_entry *next;
    ThreadId id;
    ThreadMutex mutex;
    long info[];
};

struct ThreadTable {
    struct thread_entry *buckets[256];
    unsigned long info_size;
    ThreadMutex mutex;
    int walking; /* ThreadForeach is running: no entry may be removed */
};

unsigned long AnalHeapBase(void) {
    return atomc_image.heap;
}

unsigned long RetainedEntryAddr(const char *procedure) {
    const struct atomc_retained *retained = (const struct atomc_retained *)atomc_image.retained;
    for (unsigned long i = 0; i < atomc_image.retained_count; i++)
        if (strcmp((const char *)retained[i].name, procedure) == 0)
            return retained[i].address;
    return 0;
}

ThreadId ThreadGetId(void) {
    return (ThreadId)RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
}

int ThreadIsInternal(ThreadId id) {
    (void)id;
    return 0;
}

/* ---- tables of addresses ------------------------------------------------------------------------------ */

struct XLATE {
    struct atomc_translations head;
    unsigned long addresses[];
};

unsigned long XlateInstTextStart(XLATE *table) {
    return table->head.text_address;
}

unsigned long XlateInstTextSize(XLATE *table) {
    return table->head.text_size;
}

long XlateLoadShift(XLATE *table) {
    return (long)table->head.shift;
}

unsigned XlateNum(XLATE *table) {
    return (unsigned)table->head.count;
}

unsigned long XlateAddr(XLATE *table, unsigned number) {
    return number < table->head.count ? table->addresses[number] : 0;
}

/* ---- mutexes: 0, or the thread that holds it ------------------------------------------------------------ */

ThreadStatus ThreadMutexLock(ThreadMutex *mutex, ThreadId id) {
    if (id == ThreadNoId)
        return THREAD_NO_ID;
    if (*mutex != ThreadNoId)
        return THREAD_LOCKED;
    *mutex = id;
    return THREAD_SUCCESS;
}

void ThreadMutexUnlock(ThreadMutex *mutex) {
    *mutex = ThreadNoId;
}

void ThreadMutexPoll(int microseconds) {
    (void)microseconds;
}

unsigned long ThreadLockedAdd(unsigned long *sum, unsigned long amount) {
    return __sync_add_and_fetch(sum, amount);
}

/* ---- tables ------------------------------------------------------------------------------------------- */

ThreadTable *ThreadTableInit(unsigned long size_hint, unsigned long info_size) {
    ThreadTable *table = calloc(1, sizeof *table);
    (void)size_hint;
    if (table)
        table->info_size = info_size;
    return table;
}

void ThreadTableFree(ThreadTable *table) {
    for (int i = 0; i < 256; i++)
        while (table->buckets[i]) {
            struct thread_entry *first = table->buckets[i];
            table->buckets[i] = first->next;
            free(first);
        }
    free(table);
}

ThreadStatus ThreadTableLock(ThreadTable *table, ThreadId id) {
    return ThreadMutexLock(&table->mutex, id);
}

void ThreadTableUnlock(ThreadTable *table, ThreadId id) {
    (void)id;
    ThreadMutexUnlock(&table->mutex);
}

static struct thread_entry **find_thread_entry(ThreadTable *table, ThreadId id) {
    struct thread_entry **at = &table->buckets[id % 256];
    while (*at && (*at)->id != id)
        at = &(*at)->next;
    return at;
}

void *ThreadLookup(ThreadTable *table, ThreadId id, unsigned long flags) {
    struct thread_entry **at = find_thread_entry(table, id);
    if (!*at && !(flags & THREAD_EXISTING)) {
        *at = calloc(1, sizeof **at + table->info_size);
        if (*at)
            (*at)->id = id;
    }
    if (!*at || (flags & THREAD_LOCK && ThreadMutexLock(&(*at)->mutex, ThreadGetId()) != THREAD_SUCCESS))
        return NULL;
    return (*at)->info;
}

ThreadMutex *ThreadAddr(ThreadTable *table, ThreadId id) {
    struct thread_entry *entry = *find_thread_entry(table, id);
    return entry ? &entry->mutex : NULL;
}

void ThreadUnlock(ThreadTable *table, ThreadId id) {
    struct thread_entry *entry = *find_thread_entry(table, id);
    if (entry)
        ThreadMutexUnlock(&entry->mutex);
}

ThreadStatus ThreadRemove(ThreadTable *table, ThreadId id) {
    struct thread_entry **at = find_thread_entry(table, id), *entry = *at;
    if (!entry)
        return THREAD_NO_DATA;
    if (table->walking)
        return THREAD_FOREACH;
    if (entry->mutex != ThreadNoId && entry->mutex != ThreadGetId())
        return THREAD_LOCKED;
    *at = entry->next;
    free(entry);
    return THREAD_SUCCESS;
}

/* With THREAD_LOCK, stops at the first mutex that another thread holds. */
ThreadStatus ThreadForeach(ThreadTable *table, ThreadId id, unsigned long flags, void *first, void *second,
                           void (*visit)(ThreadId, void *, void *, void *)) {
    ThreadStatus status = THREAD_NO_DATA;
    if (table->walking)
        return THREAD_FOREACH;
    table->walking = 1;
    for (int i = 0; i < 256 && status != THREAD_LOCKED; i++)
        for (struct thread_entry *entry = table->buckets[i]; entry; entry = entry->next) {
            int lock = flags & THREAD_LOCK && entry->mutex != id;
            if (lock && (status = ThreadMutexLock(&entry->mutex, id)) != THREAD_SUCCESS)
                break;
            visit(entry->id, entry->info, first, second);
            if (lock)
                ThreadMutexUnlock(&entry->mutex);
            status = THREAD_SUCCESS;
        }
    table->walking = 0;
    return status;
}
