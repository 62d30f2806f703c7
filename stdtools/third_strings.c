/* third_strings.c: accesses of the C library's string routines, derived from their arguments: third checks
   them all on entry of the routine. Copied bytes keep their states. */
#include <string.h>

#include "addresses.h"
#include "shadow.h"
#include "third.h"

/* The routine that is entered, from where, and by which thread. */
static const char *routine;
static long site, in_thread;

/* Routines call each other, and parts of a library without symbols cannot be recognised otherwise: accesses
   are not checked until the outermost routine is left. */
static int enters(const char *name, long from, unsigned long sp, long id) {
    struct thread *thread = thread_of(id);
    if (in_allocator(id) || sp <= thread->routine_sp)
        return 0;
    thread->routine_sp = sp; /* an outer one has been left by longjmp */
    routine = name;
    site = from;
    in_thread = id;
    return 1;
}

void LeaveRoutine(unsigned long sp, long id) {
    struct thread *thread = thread_of(id);
    if (thread->routine_sp <= sp)
        thread->routine_sp = 0;
}

const char *routine_of(long id, long *from) {
    *from = site;
    return thread_of(id)->routine_sp != 0 && in_thread == id ? routine : NULL;
}

/* ---- what can be read: routines look no further than the program will ---------------------------------------- */

enum { PAGE_SIZE = 4096, KNOWN = 64, LARGE = 1 << 20 };
#define NOT_OWN_QUAD                                                                                         \
    0x1c1c1c1c1c1c1c1cl /* in the states of eight bytes, the bits of OUTSIDE, FREED and UNTOUCHED */
static unsigned long known_pages[KNOWN]; /* number of bytes that can be read */

void forget_readable(void) {
    memset(known_pages, 0, sizeof known_pages);
}

static inline int is_readable(unsigned long address) {
    unsigned long page = address / PAGE_SIZE, *known = &known_pages[page % KNOWN];
    if (*known == page)
        return page != 0;
    if (!atomc_is_readable((long)(address & ~7ul)))
        return 0;
    *known = page;
    return 1;
}

/* The number of bytes, at most `most`, that can be read in the address's page. */
static long room_at(unsigned long address, long most) {
    long room = PAGE_SIZE - (long)(address % PAGE_SIZE);
    if (!is_readable(address))
        return 0;
    return (unsigned long)most < (unsigned long)room ? most : room;
}

/* The bytes that a search reads: up to the first byte that equals one of two (-1: none), or all. */
static long searched(unsigned long from, long most, int first, int second) {
    long count = 0;
    for (long room; most != count && (room = room_at(from + count, most - count)) > 0; count += room) {
        const unsigned char *bytes = (const unsigned char *)from + count;
        if (second < 0) {
            const unsigned char *found = memchr(bytes, first, room);
            if (found)
                return count + (found - bytes) + 1;
            continue;
        }
        for (long i = 0; i < room; i++)
            if (bytes[i] == first || bytes[i] == second)
                return count + i + 1;
    }
    return count;
}

/* The bytes of each that a comparison reads. */
static long compared(unsigned long a, unsigned long b, long most, int ends_at_zero) {
    long count = 0;
    for (long room; most != count && (room = room_at(b + count, room_at(a + count, most - count))) > 0;
         count += room) {
        const unsigned char *left = (const unsigned char *)a + count,
                            *right = (const unsigned char *)b + count;
        for (long i = 0; i < room; i++)
            if (left[i] != right[i] || (ends_at_zero && left[i] == 0))
                return count + i + 1;
    }
    return count;
}

/* True if the range is mapped, so that the program can access all of it. */
static int is_there(unsigned long address, long size) {
    return size > 0 && (size < LARGE || (is_readable(address) && is_readable(address + size - 1)));
}

/* ---- the states of accessed bytes ---------------------------------------------------------------------------- */

static inline int state_of(unsigned long address) {
    return shadow_state(address);
}

static inline int is_outside(int state) {
    return state == OUTSIDE || state == FREED;
}

static void set_state(unsigned long address, int state) {
    if (!is_outside(state_of(address)) && state_of(address) != state)
        *shadow_of(address) = state;
}

/* The first byte of the range that has one of these states, or -1. */
static long find_state(unsigned long address, long size, int states) {
    for (long i = 0; i < size; i++) {
        for (; (address + i) % 8 == 0 && size - i >= 8 && *shadow_quad(address + i) == 0; i += 8)
            ;
        if (i < size && state_of(address + i) & states)
            return i;
    }
    return -1;
}

static void check(unsigned long address, long size, int writes) {
    long at = find_state(address, size, OUTSIDE | FREED);
    if (at < 0)
        return;
    int freed = state_of(address + at) == FREED;
    report_routine_error(writes  ? freed ? FREED_WRITE : OUTSIDE_WRITE
                         : freed ? FREED_READ
                                 : OUTSIDE_READ,
                         routine, site, size, address + at, in_thread);
}

/* The routine decides by the values of all these bytes. */
static void check_set(unsigned long address, long size) {
    long at = find_state(address, size, UNSET_HEAP | UNSET_STACK), count = 0;
    if (at < 0)
        return;
    int state = state_of(address + at);
    while (at + count < size && state_of(address + at + count) == state)
        count++;
    report_routine_error(state == UNSET_HEAP ? UNSET_HEAP_READ : UNSET_STACK_READ, routine, site, count,
                         address + at, in_thread);
}

static void read_all(unsigned long from, long size) {
    check(from, size, 0);
    check_set(from, size);
}

/* Bytes outside of blocks remain that. */
static void copy_state(unsigned long to, unsigned long from) {
    int state = state_of(from);
    set_state(to, is_outside(state) ? GOOD : state);
}

static void copy_states(unsigned long to, unsigned long from, long size) {
    if (to - from < (unsigned long)size) {
        while (size-- > 0)
            copy_state(to + size, from + size);
        return;
    }
    for (long i = 0; i < size; i++) {
        for (; (to + i) % 8 == 0 && size - i >= 8; i += 8) {
            long *states = shadow_quad(to + i), first = *shadow_quad(from + i),
                 last = *shadow_quad(from + i + 7);
            if (first | last || *states & NOT_OWN_QUAD)
                break;
            if (*states) /* or it is one that all share */
                *states = 0;
        }
        for (int k = 0; k < 8 && i < size; k++, i++)
            copy_state(to + i, from + i);
        i--;
    }
}

static void define(unsigned long to, long size) {
    for (long i = 0; i < size; i++) {
        for (; (to + i) % 8 == 0 && size - i >= 8 && !(*shadow_quad(to + i) & NOT_OWN_QUAD); i += 8)
            if (*shadow_quad(to + i))
                *shadow_quad(to + i) = 0;
        if (i < size)
            set_state(to + i, GOOD);
    }
}

static void check_overlap(unsigned long to, unsigned long to_size, unsigned long from,
                          unsigned long from_size) {
    if (to != from && (to - from < from_size || from - to < to_size))
        report_routine_error(OVERLAP, routine, site, (long)from_size, to, in_thread);
}

/* ---- the routines -------------------------------------------------------------------------------------------- */

void CopyBlock(unsigned long to, unsigned long from, long size, int may_not_overlap, const char *name,
               long caller, unsigned long sp, long thread) {
    if (!enters(name, caller, sp, thread) || !is_there(from, size) || !is_there(to, size))
        return;
    check(from, size, 0);
    check(to, size, 1);
    if (to - from < (unsigned long)size || from - to < (unsigned long)size) {
        if (may_not_overlap)
            check_overlap(to, size, from, size);
    }
    copy_states(to, from, size);
}

void SetBlock(unsigned long to, long size, const char *name, long caller, unsigned long sp, long thread) {
    if (!enters(name, caller, sp, thread) || !is_there(to, size))
        return;
    check(to, size, 1);
    define(to, size);
}

void Search(unsigned long from, long most, int first, int second, const char *name, long caller,
            unsigned long sp, long thread) {
    if (enters(name, caller, sp, thread))
        read_all(from, searched(from, most, first & 0xff, second));
}

void Compare(unsigned long a, unsigned long b, long most, int ends_at_zero, const char *name, long caller,
             unsigned long sp, long thread) {
    if (!enters(name, caller, sp, thread))
        return;
    long size = compared(a, b, most, ends_at_zero);
    read_all(a, size);
    read_all(b, size);
}

static int ends_in_zero(unsigned long from, long size) {
    return size > 0 && ((const char *)from)[size - 1] == 0;
}

/* At most `most` characters, or all (-1). strncpy pads the rest, strncat adds a zero. */
void CopyString(unsigned long to, unsigned long from, long most, int appends, const char *name, long caller,
                unsigned long sp, long thread) {
    if (!enters(name, caller, sp, thread))
        return;
    long size = searched(from, most, 0, -1);
    long written = most < 0 ? size : appends ? size + (size == most && !ends_in_zero(from, size)) : most;
    read_all(from, size);
    if (appends) {
        long before = searched(to, -1, 0, -1);
        read_all(to, before);
        to += before > 0 ? before - 1 : 0;
    }
    if (!is_there(to, written))
        return;
    check(to, written, 1);
    check_overlap(to, written, from, size);
    copy_states(to, from, size);
    define(to + size, written - size);
}
