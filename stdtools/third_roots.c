/* third_roots.c: the roots of third's leak check, except the program's data: registers, stacks and
 * thread-local data of all threads, and memory that the allocator has not mapped. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "addresses.h"
#include "atomc.h"
#include "shadow.h"
#include "third.h"

/* ---- threads --------------------------------------------------------------------------------------------- */

static struct thread *threads;
static unsigned long first_sp; /* end of the first thread's stack */
unsigned long lowest_sp = -1ul;
static unsigned long heap_begin, program_break;

struct thread *latest_thread;

struct thread *find_thread(long id) {
    struct thread *found = threads;
    while (found && found->id != id)
        found = found->next;
    if (!found && threads && !threads->next &&
        threads->id == 0) { /* the first one, before it had a thread pointer */
        found = threads;
        found->id = id;
    }
    if (!found) {
        found = calloc(1, sizeof *found);
        if (!found)
            abort();
        found->id = id;
        found->first = !threads;
        found->next = threads;
        threads = found;
    }
    return latest_thread = found;
}

/* Before a system call: the values of callers in registers that calls preserve. */
void Keep(long s0, long s1, long s2, long s3, long s4, long s5, long fp, long id) {
    struct thread *thread = thread_of(id);
    memcpy(thread->saved, (long[]){s0, s1, s2, s3, s4, s5, fp}, sizeof thread->saved);
}

void note_frame(unsigned long to, unsigned long from) {
    if (first_sp == 0)
        lowest_sp = first_sp = from;
    if (to < lowest_sp && first_sp - to < 1 << 23)
        lowest_sp = to;
}

/* A block of the allocator's first arena. The other arenas are separate mappings. */
void note_block(unsigned long address) {
    if (has_chunks && !(((const unsigned long *)address)[-1] & 6) &&
        (heap_begin == 0 || address < heap_begin))
        heap_begin = address;
}

/* ---- mapped memory: ranges that can be read, in ascending order --------------- */

static struct range { unsigned long from, to; } * ranges;
static int range_count;

static void insert_range(int at, unsigned long from, unsigned long to) {
    if (from >= to)
        return;
    ranges = realloc(ranges, (range_count + 1) * sizeof *ranges);
    if (!ranges)
        abort();
    memmove(ranges + at + 1, ranges + at, (range_count++ - at) * sizeof *ranges);
    ranges[at] = (struct range){from, to};
}

/* Removes the range from the readable ones, or adds it. */
static void set_readable(unsigned long from, unsigned long to, int readable) {
    int at = 0;
    while (at < range_count && ranges[at].to <= from)
        at++;
    while (at < range_count && ranges[at].from < to) {
        struct range old = ranges[at];
        memmove(ranges + at, ranges + at + 1, (--range_count - at) * sizeof *ranges);
        insert_range(at, to, old.to);
        insert_range(at, old.from, from);
        at += old.from < from;
    }
    if (readable)
        insert_range(at, from, to);
}

int is_between_stacks(unsigned long sp, unsigned long from) {
    int differs = sp <= first_sp && from > first_sp;
    for (int i = 0; i < range_count; i++)
        differs |= (sp - ranges[i].from < ranges[i].to - ranges[i].from) !=
                   (from - ranges[i].from <= ranges[i].to - ranges[i].from);
    return differs;
}

/* Removes threads that have ended and whose memory has another use. */
static void forget_threads(unsigned long from, unsigned long to) {
    for (struct thread *thread = threads; thread; thread = thread->next)
        if (thread->ended && thread->id - from < to - from)
            thread->id = -1;
}

/* Memory that a call unmaps is removed before the call returns: the program may end in between. */
void note_unmapping(struct call *call) {
    const unsigned long *argument = (const unsigned long *)call->arguments;
    unsigned long page = (unsigned long)atomc_page_size - 1, from = argument[0],
                  to = (argument[0] + argument[1] + page) & ~page;
    int unmaps = call->number == SYS_munmap || call->number == SYS_mremap;
    if (from & page) /* it fails */
        return;
    for (int i = 0; unmaps && i < range_count; i++)
        call->takes |= ranges[i].from <= from && to <= ranges[i].to;
    if (unmaps || (call->number == SYS_mprotect && !(argument[2] & PROT_READ)))
        set_readable(from, to, 0);
}

/* mprotect may have done a part. */
void note_failure(const struct call *call) {
    const unsigned long *argument = (const unsigned long *)call->arguments;
    unsigned long page = (unsigned long)atomc_page_size - 1;
    if (call->takes)
        set_readable(argument[0], (argument[0] + argument[1] + page) & ~page, 1);
}

/* A shared object does not grow with its mapping: pages after its end fault. */
static unsigned long readable_end(unsigned long from, unsigned long to) {
    unsigned long page = (unsigned long)atomc_page_size, low = 0, high = (to - from) / page;
    while (low < high) {
        unsigned long middle = (low + high) / 2;
        if (atomc_is_readable((long)(from + middle * page)))
            low = middle + 1;
        else
            high = middle;
    }
    return from + low * page;
}

/* Mappings of the allocator contain blocks. These mappings are not roots; mappings of files and segments keep
   their kind when they are moved or grow. */
void note_mapping(const struct call *call, long result) {
    const unsigned long *argument = (const unsigned long *)call->arguments;
    unsigned long page = (unsigned long)atomc_page_size - 1, from = argument[0],
                  to = (argument[0] + argument[1] + page) & ~page;
    switch (call->number) {
    case SYS_mmap:
        from = result;
        to = (from + argument[1] + page) & ~page;
        forget_threads(from, to);
        set_readable(from, to, !call->allocates && argument[2] & PROT_READ && argument[3] & MAP_ANONYMOUS);
        break;
    case SYS_mprotect:
        if (!call->allocates && argument[2] & PROT_READ)
            set_readable(from, to, 1);
        break;
    case SYS_mremap:
        to = (result + argument[2] + page) & ~page;
        set_readable(result, to, 0);
        if (!call->allocates && call->takes)
            set_readable(result, readable_end(result, to), 1);
        break;
    case SYS_brk:
        program_break = result;
    }
}

/* ---- roots ----------------------------------------------------------------------------------------------- */

static int lies_in(unsigned long address, const struct range *range) {
    return address - range->from < range->to - range->from;
}

/* The end of its stack, for a thread in a system call. */
static unsigned long stack_of(const struct thread *thread) {
    return thread->pending[thread->count - 1].sp;
}

/* A stack that the C library has mapped is followed by the thread's own data. The data of an ended thread
   are dead, but the C library keeps the memory, and the word at the thread pointer, for the next thread. */
static void mark_range(const struct range *range) {
    int ended = 0, live = 0;
    unsigned long from = range->from;
    for (const struct thread *thread = threads; thread; thread = thread->next) {
        if (!lies_in(thread->id, range))
            continue;
        ended += thread->ended;
        live += !thread->ended;
        if (thread->ended)
            mark(thread->id, thread->id + 8);
        else if (thread->calling && lies_in(stack_of(thread), range))
            from = stack_of(thread);
    }
    if (live > 0 || ended == 0)
        mark(live > 1 ? range->from : from, range->to);
}

/* After the data segment the C library allocates thread-local data of the first thread, before the heap
   exists. */
static unsigned long end_of_data(unsigned long data_end) {
    unsigned long end = heap_begin ? heap_begin : program_break;
    return end > data_end ? end : data_end;
}

enum { SMALLEST_PAGE = 4096 };

/* A full stack: its last frame is at an address where the kernel maps no more memory. Data may be in several
   segments.
 */
static unsigned long lowest_readable(unsigned long from, unsigned long end) {
    while (from < end && !atomc_is_readable((long)(from & ~7ul)))
        from = (from & -(unsigned long)SMALLEST_PAGE) + SMALLEST_PAGE;
    return from;
}

static void mark_readable(unsigned long from, unsigned long end) {
    while ((from = lowest_readable(from, end)) < end) {
        unsigned long to = from;
        do
            to = (to & -(unsigned long)SMALLEST_PAGE) + SMALLEST_PAGE;
        while (to < end && atomc_is_readable((long)to));
        mark(from, to < end ? to : end);
        from = to;
    }
}

/* The data of each object, by static addresses: the program's own first. */
enum { OBJECTS = 256 };
static struct range data[OBJECTS];
static int object_count;

/* The rest of the last page belongs to the object, too. */
void Data(unsigned long begin, unsigned long end) {
    unsigned long page = (unsigned long)atomc_page_size - 1;
    if (object_count < OBJECTS)
        data[object_count++] = (struct range){begin, (end + page) & ~page};
}

static void mark_data(void) {
    for (int i = 0; i < object_count; i++) {
        long begin = data[i].from ? atomc_address((long)data[i].from) : 0; /* 0: there is none */
        unsigned long end = (unsigned long)begin + (data[i].to - data[i].from);
        if (begin)
            mark_readable((unsigned long)begin, i == 0 ? end_of_data(end) : end);
    }
}

void mark_roots(void) {
    mark_data();
    for (const struct thread *thread = threads; thread; thread = thread->next) {
        if (thread->ended)
            continue;
        mark((unsigned long)thread->saved, (unsigned long)(thread->saved + 7));
        /* A coroutine's stack is elsewhere: in data, in a block, to which its pointer leads, or mapped. */
        unsigned long end = thread->calling ? stack_of(thread) : 0;
        if (thread->first)
            mark(lowest_readable(end >= lowest_sp && end <= first_sp ? end : lowest_sp, first_sp), first_sp);
        for (int i = 0; i < thread->count; i++)
            mark((unsigned long)thread->pending[i].arguments, (unsigned long)(&thread->pending[i].sp + 1));
    }
    for (int i = 0; i < range_count; i++)
        mark_range(&ranges[i]);
}
