/* heap.c: follows the outermost calls of the allocator (heap.inc), and reports each block to the tool
   (heap.h). */
#include <stdlib.h>

#include "addresses.h"
#include "heap.h"

enum { BUCKETS = 1 << 16, THREADS = 4096 };
static struct block *blocks[BUCKETS];
enum { TOGETHER = 64 };
static int used[BUCKETS / TOGETHER]; /* whether any of TOGETHER buckets has ever had a block */

/* The allocator calls that a thread is in. */
static struct activity {
    long thread;
    long caller_sp, caller_site; /* caller of the outermost function, such as operator new; 0: none */
    enum family family;          /* of that caller */
    long depth;                  /* of allocator calls */
    int cleared;
    long size, site, sp;  /* size of the outermost call */
    long result, returns; /* its result, if it returns */
    int goes_on;          /* 1: it continues in a part; 2: that part has been entered */
    const long *stored;   /* the address at which its result will be stored; NULL: it returns the result */
    struct block *old;    /* the argument of realloc */
} activities[THREADS];

static struct activity *activity_of(long thread) {
    static struct activity *last = activities;
    if (last->thread == thread)
        return last;
    for (last = activities; last->thread != 0 && last->thread != thread; last++)
        if (last == activities + THREADS - 1)
            abort();
    last->thread = thread;
    return last;
}

static unsigned long bucket_number(long address) {
    return (unsigned long)address / 16 * 0x9e3779b97f4a7c15 >> 48;
}

static struct block **bucket_of(long address) {
    return &blocks[bucket_number(address)];
}

static void insert(struct block *block) {
    struct block **bucket = bucket_of(block->address);
    block->next = *bucket;
    *bucket = block;
    used[bucket_number(block->address) / TOGETHER] = 1;
}

static struct block *take(long address) {
    for (struct block **place = bucket_of(address), *block; (block = *place); place = &block->next)
        if (block->address == address) {
            *place = block->next;
            return block;
        }
    return NULL;
}

struct block *find_block(long address) {
    struct block *block = *bucket_of(address);
    while (block && block->address != address)
        block = block->next;
    return block;
}

void each_block(void (*visit)(struct block *block)) {
    for (int i = 0; i < BUCKETS; i++) {
        if (i % TOGETHER == 0)
            while (i < BUCKETS && !used[i / TOGETHER])
                i += TOGETHER;
        for (struct block *block = i < BUCKETS ? blocks[i] : NULL; block; block = block->next)
            visit(block);
    }
}

static enum family family_of(const struct activity *activity) {
    return activity->caller_sp ? activity->family : MALLOC;
}

enum family freeing_family;
int freeing_moves;

static void die(struct block *block, const struct activity *activity, int moves) {
    freeing_family = family_of(activity);
    freeing_moves = moves;
    on_free(block, block->address, activity->site, activity->thread);
    free(block);
}

/* A frame below the stack pointer has been left, by an exception or longjmp. */
static void forget_left_frames(struct activity *activity, long sp) {
    if (activity->caller_sp < sp)
        activity->caller_sp = 0;
    if (activity->depth > 0 && activity->sp < sp)
        activity->depth = 0;
}

int in_allocator(long thread) {
    return activity_of(thread)->depth > 0;
}

void EnterCaller(int family, long site, long sp, long thread) {
    struct activity *activity = activity_of(thread);
    forget_left_frames(activity, sp);
    if (activity->caller_sp == 0) {
        activity->caller_sp = sp;
        activity->caller_site = site;
        activity->family = family;
    }
}

void LeaveCaller(long sp, long thread) {
    struct activity *activity = activity_of(thread);
    if (activity->caller_sp == sp)
        activity->caller_sp = 0;
}

enum { CLEARED = 1, WHOLE_PAGES = 2 };

void EnterAllocator(long old, long size, int kind, long site, long sp, long thread) {
    struct activity *activity = activity_of(thread);
    forget_left_frames(activity, sp);
    if (activity->depth++ > 0)
        return;
    activity->size = kind == WHOLE_PAGES ? (size + atomc_page_size - 1) & -atomc_page_size : size;
    activity->cleared = kind == CLEARED;
    activity->site = activity->caller_sp ? activity->caller_site : site;
    activity->sp = sp;
    activity->returns = 0;
    activity->stored = NULL;
    activity->goes_on = 0;
    if (activity->size < 0)
        on_absurd_size(activity->size, activity->site, thread);
    activity->old = old ? take(old) : NULL;
    if (old && !activity->old)
        on_free(NULL, old, activity->site, thread);
}

void Result(long result, long thread) {
    struct activity *activity = activity_of(thread);
    activity->result = result;
    activity->returns = 1;
}

/* The outermost call stores its result at this address, and returns an error. */
void StoresResult(const long *stored, long thread) {
    struct activity *activity = activity_of(thread);
    if (activity->depth == 1)
        activity->stored = stored;
}

void StoredResult(long error, long thread) {
    struct activity *activity = activity_of(thread);
    if (activity->depth == 1 && activity->stored)
        Result(error ? 0 : *activity->stored, thread);
}

void LeaveAllocator(long thread) {
    struct activity *activity = activity_of(thread);
    struct block *old = activity->old;
    if (activity->goes_on == 1) {
        activity->goes_on = 2;
        return;
    }
    if (activity->depth == 0 || --activity->depth > 0) {
        activity->returns = 0;
        return;
    }
    activity->old = NULL;
    int failed = activity->returns && activity->result == 0 && activity->size != 0;
    long moved = old && !failed ? old->size : 0;
    if (old && failed)
        insert(old); /* realloc has not changed the block */
    else if (old)
        die(old, activity, activity->result != 0);
    if (!activity->returns || activity->result == 0)
        return;
    struct block *block = calloc(1, sizeof *block);
    if (!block)
        abort();
    block->address = activity->result;
    block->size = activity->size;
    block->site = activity->site;
    block->cleared = activity->cleared;
    block->family = family_of(activity);
    block->moved = moved < block->size ? moved : block->size;
    insert(block);
    on_allocate(block, thread);
}

/* An allocator branches into a nameless part, and the part returns the allocated block. */
void GoesOn(long thread) {
    struct activity *activity = activity_of(thread);
    if (activity->depth == 1)
        activity->goes_on = 1;
}

void EndOfPart(long result, long sp, long thread) {
    struct activity *activity = activity_of(thread);
    if (activity->goes_on != 2 || activity->depth != 1 || activity->sp != sp)
        return;
    activity->goes_on = 0;
    Result(result, thread);
    LeaveAllocator(thread);
}

void Release(long address, long site, long sp, long thread) {
    struct activity *activity = activity_of(thread);
    struct block *block;
    EnterAllocator(0, 0, 0, site, sp, thread);
    if (address == 0 || activity->depth > 1)
        return;
    block = take(address);
    if (block)
        die(block, activity, 0);
    else
        on_free(NULL, address, activity->site, thread);
}
