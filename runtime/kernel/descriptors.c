/* descriptors.c: the analysis side's file descriptors, which the program cannot see, close or replace; and
   the state of the program's descriptors 0 to 2. Requires both gates (entry.S). Compiled without
   floating-point registers.

   Descriptors of the analysis side are above all descriptors that the program may have, if the process may
   have more (the hard limit); else they are 512 or above. The C library of the analysis side keeps the number
   that it received at first. If the program uses that number (dup2), the descriptor moves, and the gate
   translates the number. A write to 0, 1 or 2 is made only while that descriptor is a standard stream: a
   stream that was open when the program started, or that the program has put there by dup, dup2, dup3 or
   fcntl. If the program has closed one and another file has got the number, that file belongs to the
   program. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>

#include "runtime/kernel/kernel.h"

enum { MOST = 64, STREAMS = 3, WHOLE_RANGE_CLOSE_ON_EXEC = 4 /* CLOSE_RANGE_CLOEXEC */ };

/* Each word is 0, or has 1 + the C library's number in the high half and the descriptor in the low half. The
   pair is one word, so that a signal handler never sees a part of it. Further descriptors are moved out of
   the way, but not protected. */
static volatile long own[MOST];
static int is_inherited[MOST]; /* inherited from the parent, which may write there, too */
static int used;               /* entries from here on have never been used */
static int gone;               /* standard streams that are closed, a bit each */
int atomc_moved_descriptors;
/* true while no other process writes to the target of the redirected standard output */
static int (*is_alone)(void);

static int number_of_entry(long entry) {
    return (int)(entry >> 32) - 1;
}
static int real_of(long entry) {
    return (int)entry;
}
static long entry_of_number(int number, int real) {
    return (number + 1L) << 32 | real;
}

/* The entry with this descriptor of the kernel; NULL if it is the program's. */
static volatile long *own_entry(long real) {
    for (int i = 0; i < used; i++)
        if (own[i] && real_of(own[i]) == real)
            return &own[i];
    return NULL;
}

static volatile long *numbered_entry(long number) {
    for (int i = 0; i < used; i++)
        if (own[i] && number_of_entry(own[i]) == number)
            return &own[i];
    return NULL;
}

static void set_gone(long stream, int is_gone) {
    if (stream < 0 || stream >= STREAMS)
        return;
    if (is_gone)
        __sync_or_and_fetch(&gone, 1 << stream);
    else
        __sync_and_and_fetch(&gone, ~(1 << stream));
    if (gone)
        atomc_moved_descriptors = 1;
}

static long duplicate_above(long descriptor, long lowest) {
    return RAW(CALL_fcntl, descriptor, F_DUPFD_CLOEXEC, lowest, 0, 0, 0);
}

static void remember_descriptor(int number) {
    for (int i = 0; i < MOST; i++) {
        if (!own[i]) {
            own[i] = entry_of_number(number, number);
            is_inherited[i] = 0;
            used = i < used ? used : i + 1;
            return;
        }
    }
}

/* ---- room for them ----------------------------------------------------------------------------------------- */

enum { MOST_RAISED = 1 << 16 /* the kernel's table extends to the highest descriptor */ };

/* The program's limit. Between these calls it is the hard limit of the process, so that a new descriptor is
   above the program's. */
struct room {
    struct rlimit limit;
    int is_raised;
};

static void raise_limit(struct room *room) {
    room->limit = (struct rlimit){0, 0};
    room->is_raised = 0;
    if (RAW(CALL_getrlimit, RLIMIT_NOFILE, &room->limit, 0, 0, 0, 0) < 0 ||
        room->limit.rlim_cur > MOST_RAISED || room->limit.rlim_cur >= room->limit.rlim_max)
        return;
    const struct rlimit highest = {room->limit.rlim_max, room->limit.rlim_max};
    room->is_raised = RAW(CALL_setrlimit, RLIMIT_NOFILE, &highest, 0, 0, 0, 0) >= 0;
}

static void lower_limit(const struct room *room) {
    if (room->is_raised)
        RAW(CALL_setrlimit, RLIMIT_NOFILE, &room->limit, 0, 0, 0, 0);
}

static long lowest_own(const struct room *room) {
    long limit = (long)room->limit.rlim_cur;
    return room->is_raised ? limit : limit > 0 && limit < 1024 ? limit / 2 : 512;
}

/* The program has used up all its descriptors, and has ended: closes its descriptors. The streams for results
   and messages remain open. */
static int close_programs(void) {
    struct rlimit limit = {0, 0};
    if (!atomc_is_ending || RAW(CALL_getrlimit, RLIMIT_NOFILE, &limit, 0, 0, 0, 0) < 0)
        return 0;
    long last = limit.rlim_cur < INT_MAX ? (long)limit.rlim_cur - 1 : 0;
    while (last >= STREAMS && own_entry(last))
        last--;
    if (last < STREAMS)
        last = 0;
    set_gone(last, 1);
    return RAW(CALL_close, last, 0, 0, 0, 0, 0) >= 0;
}

/* The descriptor is closed on execve. */
static long own_descriptor(long descriptor, const struct room *room) {
    long moved = descriptor, lowest = lowest_own(room);
    if (descriptor < 0)
        return descriptor;
    do { /* skips numbers that the C library uses for a descriptor that has moved */
        moved = duplicate_above(descriptor, lowest);
        lowest = moved + 1;
        if (moved >= 0 && numbered_entry(moved))
            RAW(CALL_close, moved, 0, 0, 0, 0, 0);
    } while (moved >= 0 && numbered_entry(moved));
    if (moved < 0)
        return descriptor;
    RAW(CALL_close, descriptor, 0, 0, 0, 0, 0);
    remember_descriptor((int)moved);
    return moved;
}

long atomc_own_descriptor(long descriptor) {
    struct room room;
    raise_limit(&room);
    long number = own_descriptor(descriptor, &room);
    lower_limit(&room);
    return number;
}

long atomc_open_own(long number, long a0, long a1, long a2, long a3, long a4, long a5) {
    struct room room;
    int *ends = (int *)a0;
    raise_limit(&room);
    long result;
    do
        result = RAW(number, a0, a1, a2, a3, a4, a5);
    while (result == -EMFILE && close_programs());
    if (number != CALL_pipe2)
        result = own_descriptor(result, &room);
    for (int end = 0; number == CALL_pipe2 && result >= 0 && end < 2; end++)
        ends[end] = (int)own_descriptor(ends[end], &room);
    lower_limit(&room);
    return result;
}

long atomc_real_descriptor(long number) {
    volatile long *entry = numbered_entry(number);
    if (entry)
        return real_of(*entry);
    return number >= 0 && number < STREAMS && gone & 1 << number ? -1 : number;
}

void atomc_forget_descriptor(long number) {
    volatile long *entry = numbered_entry(number);
    if (entry)
        *entry = 0;
}

void atomc_redirect_standard_output(long number, int (*is_alone_there)(void)) {
    is_alone = is_alone_there;
    for (int i = 0; i < used; i++)
        if (own[i] && number_of_entry(own[i]) == number)
            own[i] = entry_of_number(1, real_of(own[i]));
    atomc_moved_descriptors = 1;
}

void atomc_prepare_descriptors(void) {
    for (int stream = 0; stream < STREAMS; stream++)
        set_gone(stream, RAW(CALL_fcntl, stream, F_GETFD, 0, 0, 0, 0) < 0);
}

void atomc_no_streams(void) {
    for (int stream = 0; stream < STREAMS; stream++)
        set_gone(stream, 1);
}

/* ---- files that another process writes for this one --------------------------------------------------------------- */

static struct mark {
    int is;
    long real, position, size;
} marks[MOST];

static int may_be_marked(int entry) {
    long flags = own[entry] ? RAW(CALL_fcntl, real_of(own[entry]), F_GETFL, 0, 0, 0, 0) : -1;
    int is_shown = own[entry] && number_of_entry(own[entry]) == 1;
    return flags >= 0 && !is_inherited[entry] && (is_shown ? (is_alone && is_alone()) : !(flags & O_APPEND));
}

void atomc_mark_files(void) {
    for (int i = 0; i < used; i++) {
        struct mark *mark = &marks[i];
        mark->is = 0;
        if (!may_be_marked(i))
            continue;
        mark->real = real_of(own[i]);
        mark->position = RAW(CALL_lseek, mark->real, 0, SEEK_CUR, 0, 0, 0);
        mark->size = RAW(CALL_lseek, mark->real, 0, SEEK_END, 0, 0, 0);
        mark->is = mark->position >= 0 && mark->size >= 0;
        if (mark->is)
            RAW(CALL_lseek, mark->real, mark->position, SEEK_SET, 0, 0, 0);
    }
}

int atomc_is_marked(long number) {
    volatile long *entry = numbered_entry(number);
    return entry && marks[entry - own].is;
}

void atomc_return_files(void) {
    for (int i = 0; i < used; i++) {
        const struct mark *mark = &marks[i];
        if (!mark->is || !own[i] || real_of(own[i]) != mark->real)
            continue;
        if (RAW(CALL_lseek, mark->real, 0, SEEK_END, 0, 0, 0) != mark->size)
            RAW(CALL_ftruncate, mark->real, mark->size, 0, 0, 0, 0);
        RAW(CALL_lseek, mark->real, mark->position, SEEK_SET, 0, 0, 0);
    }
}

void atomc_descriptors_after_fork(void) {
    for (int i = 0; i < used; i++)
        is_inherited[i] = own[i] != 0;
}

/* ---- the program's calls ------------------------------------------------------------------------------------ */

/* Moves a descriptor whose number the program is about to use. No other thread may be writing to it
   meanwhile. */
static void move_away(long real) {
    int threaded = atomc_threaded;
    struct room room;
    raise_limit(&room);
    if (threaded)
        atomc_call_lock(atomc_lock);
    volatile long *entry = own_entry(real);
    long moved = entry ? duplicate_above(real, real + 1) : -1;
    if (moved < 0 && entry)
        moved = duplicate_above(real, lowest_own(&room));
    lower_limit(&room);
    if (moved >= 0) {
        *entry = entry_of_number(number_of_entry(*entry), (int)moved);
        atomc_moved_descriptors = 1;
    }
    if (threaded)
        atomc_call_lock(atomc_unlock);
}

/* Frees number `to` for the program. True if the call cannot be made, as `from` is no descriptor of the
   program. */
static int copy_descriptor(long from, long to) {
    if (own_entry(from))
        return 1;
    if (atomc_is_vfork_child()) /* a vfork child has its own descriptors, but not its own memory */
        return 0;
    if (own_entry(to) && from != to)
        move_away(to);
    if (RAW(CALL_fcntl, from, F_GETFD, 0, 0, 0, 0) >= 0)
        set_gone(to, 0);
    return 0;
}

/* The call's result is the lowest free number. */
static long copy_anywhere(long *registers) {
    long *a = registers + FIRST_ARGUMENT, result = RAW(registers[NUMBER_REGISTER], a[0], a[1], a[2], 0, 0, 0);
    if (!atomc_is_vfork_child())
        set_gone(result, 0);
    set_result(registers, result);
    return 1;
}

/* Closes all descriptors in [first, last] except those of the analysis side, in ranges between them. */
static long close_between(long first, long last, long flags) {
    long result = 0;
    while (first <= last && result >= 0) {
        long end = last;
        for (int i = 0; i < used; i++)
            if (own[i] && real_of(own[i]) >= first && real_of(own[i]) <= end)
                end = real_of(own[i]) - 1;
        if (end >= first)
            result = RAW(CALL_close_range, first, end, flags, 0, 0, 0);
        first = end + 2;
    }
    return result;
}

long atomc_call_close_range(long *registers) {
    long *a = registers + FIRST_ARGUMENT, first = a[0] & UINT_MAX, last = a[1] & UINT_MAX, result = -EINVAL;
    if (first <= last)
        result = close_between(first, last, a[2]);
    if (result >= 0 && !(a[2] & WHOLE_RANGE_CLOSE_ON_EXEC) && !atomc_is_vfork_child())
        for (long stream = first; stream <= last && stream < STREAMS; stream++)
            set_gone(stream, 1);
    set_result(registers, result);
    return 1;
}

static long no_descriptor(long *registers) {
    set_result(registers, -EBADF);
    return 1;
}

long atomc_call_close(long *registers) {
    long descriptor = (int)registers[FIRST_ARGUMENT];
    if (own_entry(descriptor))
        return no_descriptor(registers);
    if (!atomc_is_vfork_child())
        set_gone(descriptor, 1);
    return 0;
}

long atomc_call_dup2(long *registers) {
    const long *a = registers + FIRST_ARGUMENT;
    return copy_descriptor((int)a[0], (int)a[1]) ? no_descriptor(registers) : 0;
}
SAME_CALL(dup3, dup2);

long atomc_call_dup(long *registers) {
    return own_entry((int)registers[FIRST_ARGUMENT]) ? no_descriptor(registers) : copy_anywhere(registers);
}

long atomc_call_fcntl(long *registers) {
    const long *a = registers + FIRST_ARGUMENT;
    if (own_entry((int)a[0]))
        return no_descriptor(registers);
    return a[1] == F_DUPFD || a[1] == F_DUPFD_CLOEXEC ? copy_anywhere(registers) : 0;
}
