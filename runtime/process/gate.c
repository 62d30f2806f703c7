/* gate.c: system calls of the analysis side, kept away from the program's heap and descriptors, and
   the program's system calls that concern atomc: exit, fork, threads. Compiled without floating-point
   registers. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/commands/commands.h"
#include "runtime/signals/requeue.h"
#include "runtime/signals/deferral.h"
#include "runtime/signals/stack_room.h"
#include "runtime/kernel/line.h"
#include "runtime/signals/masks.h"
#include "runtime/report/report.h"
#include "runtime/signals/signal_stacks.h"
#include "runtime/text/changed_text.h"
#include "runtime/text/unresolved_jumps.h"

/* ---- the analysis side's memory: fixed regions that the program never sees ----------------------------------- */

static long private_break, private_break_mapped; /* 0: not set up yet */
static long private_mmap_next = ATOMC_PRIVATE_MMAP;

static long map_fixed(long address, long length, long protection) {
    return RAW(CALL_mmap, address, length, protection,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
}

/* Memory that is mapped again behind the break is zero, as calloc expects. */
static void clear(long begin, long end) {
    long page = (begin + PAGE - 1) & -PAGE;
    for (char *byte = (char *)begin; byte < (char *)(page < end ? page : end); byte++)
        *(volatile char *)byte = 0;
    if (page < end)
        map_fixed(page, ((end + PAGE - 1) & -PAGE) - page, PROT_READ | PROT_WRITE);
}

static long change_break(long wanted) {
    long heap = (long)atomc_image.heap;
    if (!private_break)
        private_break = private_break_mapped = heap;
    if (wanted >= heap && wanted < heap + (long)ATOMC_PRIVATE_HEAP_SIZE) {
        if (wanted > private_break_mapped) {
            enum { STEP = 64 * ALPHA_PAGE };
            long length = ((wanted - private_break_mapped + STEP - 1) & -STEP) + STEP;
            if (map_fixed(private_break_mapped, length, PROT_READ | PROT_WRITE) < 0)
                return private_break;
            private_break_mapped += length;
        }
        if (wanted < private_break)
            clear(wanted, private_break);
        private_break = wanted;
    }
    return private_break;
}

static long map(const long *a) {
    long length = (a[1] + PAGE - 1) & -PAGE, address = a[0], result;
    if (!(a[3] & MAP_FIXED)) {
        if (length <= 0 || length > (long)ATOMC_PRIVATE_MMAP_END - private_mmap_next)
            return -ENOMEM;
        address = private_mmap_next;
    }
    result = RAW(CALL_mmap, address, a[1], a[2], a[3] | MAP_FIXED, atomc_real_descriptor(a[4]), a[5]);
    if (result == private_mmap_next && !(a[3] & MAP_FIXED))
        private_mmap_next += length;
    return result;
}

static long unmap(const long *a) {
    long length = (a[1] + PAGE - 1) & -PAGE, result = RAW(CALL_munmap, a[0], a[1], 0, 0, 0, 0);
    if (result >= 0 && a[0] + length == private_mmap_next && a[0] >= (long)ATOMC_PRIVATE_MMAP)
        private_mmap_next = a[0];
    return result;
}

static long remap(const long *a) {
    long result;
    if (a[3] & MREMAP_FIXED || !(a[3] & MREMAP_MAYMOVE) || a[2] <= a[1])
        return RAW(CALL_mremap, a[0], a[1], a[2], a[3], a[4], 0);
    if (((a[2] + PAGE - 1) & -PAGE) > (long)ATOMC_PRIVATE_MMAP_END - private_mmap_next)
        return -ENOMEM;
    result = RAW(CALL_mremap, a[0], a[1], a[2], MREMAP_MAYMOVE | MREMAP_FIXED, private_mmap_next, 0);
    if (result >= 0)
        private_mmap_next += (a[2] + PAGE - 1) & -PAGE;
    return result;
}

enum { LOCK_ON_FAULT = 0x8000 }; /* MCL_ONFAULT */

void atomc_map_call_stack(void) {
    map_fixed(SITE_FRAME - ROUTINE_STACK_BYTES, ROUTINE_STACK_BYTES + SITE_FRAME_BYTES,
              PROT_READ | PROT_WRITE);
}

/* ---- its calls -------------------------------------------------------------------------------------------- */

/* What system_calls.def says of the analysis side's call. */
static int kind_of_private(unsigned long number) {
    static const uint8_t kinds[] = {
#define SYSTEM_CALL(number, name, gate, private) [number] = GATE_##private,
#include "plan/system_calls.def"
#undef SYSTEM_CALL
    };
    return number < sizeof kinds ? kinds[number] : GATE_NONE;
}

/* Whether the result is a descriptor. */
static int opens(long call, long command) {
    return kind_of_private((unsigned long)call) == GATE_OPENS &&
           (call != CALL_fcntl || command == F_DUPFD || command == F_DUPFD_CLOEXEC);
}

struct gate_registers { /* as atomc_private_gate stores them */
    long v0, a[6], ra, at, gp;
};

/* The numbers that system_calls.def has handled, of the analysis side and of programs, a word of it at a
   time: a switch over them does not compile if one has no case. */
#define NUMBER_NONE(name)
#define NUMBER_OPENS(name)
#define NUMBER_TAKES(name)
#define NUMBER_WAITS(name)
#define NUMBER_HANDLED(name)                     PRIVATE_##name = CALL_##name,
#define NUMBER_ALL(name)                         PROGRAM_##name = CALL_##name,
#define NUMBER_ALL_WAITS(name)                   PROGRAM_##name = CALL_##name,
#define NUMBER_OBJECTS(name)                     PROGRAM_##name = CALL_##name,
#define NUMBER_NAMES(name)                       PROGRAM_##name = CALL_##name,
#define SYSTEM_CALL(number, name, gate, private) NUMBER_##private(name)
enum private_call {
#include "plan/system_calls.def"
};
#undef SYSTEM_CALL
#define SYSTEM_CALL(number, name, gate, private) NUMBER_##gate(name)
enum program_call {
#include "plan/system_calls.def"
};
#undef SYSTEM_CALL

static long call_handled(enum private_call number, long *a) {
    long result;
    switch (number) {
    case PRIVATE_brk:
        return change_break(a[0]);
    case PRIVATE_mmap:
        return map(a);
    case PRIVATE_munmap:
        return unmap(a);
    case PRIVATE_mremap:
        return remap(a);
    case PRIVATE_close:
        result = RAW(CALL_close, atomc_real_descriptor(a[0]), 0, 0, 0, 0, 0);
        atomc_forget_descriptor(a[0]);
        return result;
    case PRIVATE_pipe2:
        return atomc_open_own(CALL_pipe2, a[0], a[1], 0, 0, 0, 0);
    case PRIVATE_set_tid_address: /* the program's own C library registers these for the thread */
        return RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    case PRIVATE_set_robust_list:
        return 0;
    case PRIVATE_getrandom: /* under a seeded emulator the program must get the same bytes as without atomc */
    case PRIVATE_rseq:
        return -ENOSYS;
    }
    return -ENOSYS;
}

void atomc_private_system_call(struct gate_registers *registers) {
    long *a = registers->a, result;
    if (kind_of_private((unsigned long)registers->v0) == GATE_HANDLED) {
        result = call_handled((enum private_call)registers->v0, a);
    } else if (opens(registers->v0, a[1])) {
        result = atomc_open_own(registers->v0, atomc_real_descriptor(a[0]), a[1], a[2], a[3], a[4], a[5]);
    } else {
        result = RAW(registers->v0, atomc_real_descriptor(a[0]), a[1], a[2], a[3], a[4], a[5]);
    }
    a[3] = result < 0 && result > -4096; /* $19: error */
    registers->v0 = a[3] ? -result : result;
}

/* ---- the program's system calls --------------------------------------------------------------------------- */

long atomc_live_threads = 1;
static long vfork_parent; /* process that is in vfork: its child's exit is not the program's exit */

int atomc_is_vfork_child(void) {
    return vfork_parent && process_id() != vfork_parent;
}

void atomc_forget_vfork(void) {
    vfork_parent = 0;
}

/* The lock that wrappers take (entry.S), for the current thread pointer. */
void atomc_call_lock(void (*routine)(void)) {
    register long thread __asm__("$0") = thread_pointer();
    long gp;
    __asm__ volatile("mov $29, %1\n\tmov %2, $28\n\tjsr $28, ($28)\n\tmov %1, $29"
                     : "+r"(thread), "=&r"(gp)
                     : "r"(routine)
                     : "$1", "$27", "$28", "memory");
}

/* What is known of it on the analysis side. */
static void forget_thread(void) {
    atomc_forget_thread();
    if (!atomc_follows_stacks())
        return;
    if (atomc_threaded)
        atomc_call_lock(atomc_lock);
    atomc_forget_stack(thread_pointer());
    if (atomc_threaded)
        atomc_call_lock(atomc_unlock);
}

/* Writes buffers first, so that they are written once, not by parent and child. No other thread may be in an
   analysis routine meanwhile: the child would not have this thread, and would wait for it. Sets the child's
   thread pointer again: under qemu-system, the child has the pointer that its parent had when it was last
   scheduled, which may be the private one. True if the call was made. */
static long fork_process(long *registers) {
    long *a = registers + 16, result = -1, all = ~FAULT_SIGNALS, before = 0;
    long own = thread_pointer(), made_here = registers[0] == CALL_fork || a[1] == 0;
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    int threaded = atomc_threaded;
    if (threaded && made_here) /* the child has none of the others */
        atomc_hold_threads(HOLD_RUNNING);
    else if (threaded)
        atomc_call_lock(atomc_lock);
    vfork_parent = 0;
    set_thread_pointer(atomc_private_thread_pointer);
    atomc_flush();
    set_thread_pointer(own);
    if (made_here) {
        /* The kernel begins again if a signal comes: with a fast timer it would never end. */
        RAW(CALL_rt_sigprocmask, SIG_SETMASK, &all, &before, 8, 0, 0);
        result = RAW(registers[0], a[0], a[1], a[2], a[3], a[4], a[5]);
        if (result == 0 && !(registers[0] == CALL_clone && a[0] & CLONE_SETTLS))
            set_thread_pointer(own);
        if (result == 0) {
            atomc_copies_after_fork();
            atomc_thread_counts_after_fork();
            atomc_deferrals_after_fork(thread);
            atomc_waiting_after_fork();
            atomc_signal_stacks_after_fork(thread);
            atomc_masks_after_fork();
            atomc_descriptors_after_fork();
            atomc_execves_after_fork();
            atomc_signals_after_fork();
            atomc_forget_unforeseen();
            atomc_renumber_threads();
            atomc_forget_left_out();
        }
        RAW(CALL_rt_sigprocmask, SIG_SETMASK, &before, 0, 8, 0, 0);
        set_result(registers, result);
        registers[20] = result == 0; /* as the kernel leaves it */
        if (result > 0)
            atomc_have_child();
        if (result == 0) {
            own = thread_pointer();
            set_thread_pointer(atomc_private_thread_pointer);
            atomc_begin_child(&atomc_image);
            atomc_forget_keys();
            atomc_make_calls(atomc_image.forked, atomc_image.forked_count);
            set_thread_pointer(own);
        }
        if (result == 0)
            atomc_only_thread();
        if (threaded)
            atomc_free_threads();
    } else if (threaded) {
        atomc_call_lock(atomc_unlock);
    }
    if (made_here && result == 0) {
        atomc_live_threads = 1;
        atomc_threaded = atomc_waits = 0;
    }
    return made_here;
}

/* ---- the end ---------------------------------------------------------------------------------------------- */

static int calls_want_pc(uint64_t table, uint64_t count) {
    const struct atomc_program_call *calls = (const struct atomc_program_call *)table;
    for (unsigned long i = 0; i < count; i++) {
        const unsigned char *registers = (const unsigned char *)calls[i].registers;
        for (int k = 0; registers && k < ATOMC_REGISTER_ARGUMENTS; k++)
            if (registers[k] == 1 + ATOMC_REGISTER_PC || registers[k] == 1 + ATOMC_REGISTER_INSTRUMENTED_PC)
                return 1;
    }
    return 0;
}

/* Whether a call after the program, or before or after a library, wants the pc. Finding it takes a walk over
 * the text. */
static int pc_is_wanted(void) {
    const struct atomc_library *libraries = (const struct atomc_library *)atomc_image.libraries;
    int wanted = calls_want_pc(atomc_image.after, atomc_image.after_count);
    for (unsigned long k = 0; !wanted && k < atomc_image.library_count; k++)
        wanted = calls_want_pc(libraries[k].before, libraries[k].before_count) ||
                 calls_want_pc(libraries[k].after, libraries[k].after_count);
    return wanted;
}

void atomc_set_last_pc(unsigned long address) {
    if (!pc_is_wanted())
        return;
    if (atomc_text_address(address))
        address = (unsigned long)atomc_text_address(address);
    long copy = (long)address, original = atomc_original_of(address, &copy);
    if (!original && (address - atomc_image.text_address < atomc_image.text_size || address >> 31))
        original = copy; /* code that is not copied, the program's or a library's */
    atomc_registers[ATOMC_REGISTER_PC] = atomc_static(original);
    atomc_registers[ATOMC_REGISTER_INSTRUMENTED_PC] = copy;
}

/* The copy has stored two registers, $26 and $28, where $30 was at the gate: on the program's stack, or in
 * SITE_FRAME. */
static const long *copy_frame(const long *registers) {
    return (const long *)registers[30];
}

/* The two, $30 being what it may. */
static const long *copy_stored(const long *registers) {
    return (const long *)atomc_spilled_at((unsigned long)copy_frame(registers));
}

static long stack_pointer_of(const long *registers) {
    const long *frame = copy_frame(registers);
    return (long)frame == SITE_FRAME ? *(const long *)((const char *)frame + SITE_FRAME_STACK_POINTER)
                                     : (long)frame + atomc_spill_distance;
}

/* Where the callsys is, that the kernel tells a handler of: in the library itself, or in the copies, behind
 * the gate. */
static unsigned long place_of_call(const long *registers) {
    unsigned long at = atomc_return_address((unsigned long)registers[26]);
    if (atomc_in_stub(at))
        return (unsigned long)copy_stored(registers)[1] - 4;
    while (*(const uint32_t *)at != ALPHA_PAL_CALLSYS || (atomc_waits && !atomc_call_waits(at)))
        at += 4;
    return at;
}

/* A child is about to begin on another stack. What the copy has stored for this call goes where it will look
 * for it. */
static void leave_first_stack(long *registers) {
    long before = atomc_spill_distance;
    const long *frame = copy_frame(registers);
    atomc_leave_first_stack();
    if ((long)frame == SITE_FRAME || before == atomc_spill_distance)
        return;
    long *nearer = (long *)((long)frame + before - atomc_spill_distance);
    nearer[0] = frame[0];
    nearer[1] = frame[1];
    registers[ALPHA_SP] = (long)nearer;
}

/* The gate has stored most registers (entry.S); $f2 to $f9 have not changed since. */
void atomc_set_registers(const long *registers) {
    const long *link = copy_stored(registers);
    unsigned long back = atomc_return_address((unsigned long)registers[26]);
    for (int i = 0; i < 30; i++)
        atomc_registers[i] = registers[i];
    for (int i = 32; i < 63; i++)
        atomc_registers[i] = registers[i];
    atomc_registers[26] = link[0];
    atomc_registers[28] = link[1];
    atomc_registers[30] = stack_pointer_of(registers);
#define STORE(f) __asm__ volatile("stt $f" #f ",%0" : "=m"(atomc_registers[32 + (f)]))
    STORE(2);
    STORE(3);
    STORE(4);
    STORE(5);
    STORE(6);
    STORE(7);
    STORE(8);
    STORE(9);
#undef STORE
    atomc_set_last_pc(atomc_in_stub(back) ? (unsigned long)link[1] - 4 : back - 4);
}

int atomc_is_ending;

void atomc_end_program(long status) {
    if (atomc_is_vfork_child())
        return;
    static long ending; /* the thread that is */
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    if (__sync_lock_test_and_set(&atomc_is_ending,
                                 1)) { /* another thread is ending the program, and this one with it */
        if (atomc_threaded && ending != thread) {
            atomc_stand();
            for (;;)
                RAW(CALL_sched_yield, 0, 0, 0, 0, 0, 0);
        }
        return;
    }
    ending = thread;
    atomc_end_handlers();
    long own = thread_pointer();
    if (atomc_threaded) {
        if (own == atomc_private_thread_pointer) /* a routine ends it: others may wait for the lock */
            atomc_lock_owner[0] = atomc_lock_owner[1] = 0;
        atomc_hold_threads(HOLD_ALL); /* and never frees them */
    }
    set_thread_pointer(atomc_private_thread_pointer);
    atomc_on_private_stack(atomc_after_stack, status < 0 ? atomc_after_signal : atomc_after_program, status);
    set_thread_pointer(own);
}

/* As in entry.S: futex compares it with 0, and wakes or moves no thread. */
int atomc_is_readable(long address) {
    long result = address & 7 ? -EFAULT : RAW(CALL_futex, address, 132, 0, 0, address, 0);
    return result >= 0 || result == -EAGAIN;
}

static void keep_directory(void) {
    const char *name = atomc_start_directory();
    long file =
        name ? atomc_open_own(CALL_open, (long)name, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, 0, 0, 0) : -1;
    if (file >= 0)
        atomc_keep_directory((int)file);
}

/* ---- where the analysis side is ------------------------------------------------------------------------------ */

static int overlaps(long begin, long end, long other, long other_end) {
    return begin < other_end && other < end;
}

/* All ranges of the analysis side but those of objects (objects.c): how many. Some are empty. */
enum { OWN_RANGES = ATOMC_OWN_RANGES + 9 };
static int own_ranges(struct atomc_own_range *ranges) {
    const struct atomc_own_range others[OWN_RANGES - ATOMC_OWN_RANGES] = {
        {atomc_image.heap, (uint64_t)private_break_mapped},
        {ATOMC_PRIVATE_MMAP, (uint64_t)private_mmap_next},
        {ATOMC_COPY_INDEX, ATOMC_COPY_INDEX + (atomc_image.copies_end - atomc_image.copies)},
        {SITE_FRAME - ROUTINE_STACK_BYTES, atomc_image.own_stack ? SITE_FRAME + SITE_FRAME_BYTES : 0},
        atomc_spills,
        {ATOMC_DISTANCES, atomc_image.library_count > 0 ? ATOMC_DISTANCES_END : 0},
        {ATOMC_TEXT_TWIN, ATOMC_TEXT_END},
        {ATOMC_THREAD_COUNTS,
         ATOMC_THREAD_COUNTS + atomc_image.thread_area_count * atomc_image.thread_area_size},
        {ATOMC_RECORDS,
         atomc_image.records == ATOMC_RECORDS ? ATOMC_RECORDS_SCALED_END(atomc_image.record_count) : 0},
    };
    for (int i = 0; i < OWN_RANGES; i++)
        ranges[i] = i < ATOMC_OWN_RANGES ? atomc_image.own[i] : others[i - ATOMC_OWN_RANGES];
    return OWN_RANGES;
}

/* The range of the analysis side that the program is about to map over. */
static int find_taken(long begin, long end, struct atomc_own_range *taken) {
    struct atomc_own_range ranges[OWN_RANGES];
    int count = own_ranges(ranges);
    for (int i = 0; i < count; i++) {
        *taken = ranges[i];
        if (overlaps(begin, end, (long)taken->begin, (long)taken->end))
            return 1;
    }
    return atomc_next_thread_page((unsigned long)begin, taken) && (long)taken->begin < end;
}

int atomc_next_own(unsigned long at, struct atomc_own_range *next, int *in_hole) {
    struct atomc_own_range ranges[OWN_RANGES + 2];
    int count = own_ranges(ranges), in_object = 0, object = 0;
    count += atomc_next_thread_page(at, &ranges[count]);
    object = count;
    count += atomc_next_object_page(at, &ranges[count], &in_object);
    *next = (struct atomc_own_range){UINT64_MAX, UINT64_MAX};
    for (int i = 0; i < count; i++) {
        /* What is in the file is mapped by Alpha's pages where the loader maps it (engine/output/loader.c).
         */
        long page = i < ATOMC_OWN_RANGES && PAGE < ALPHA_PAGE ? ALPHA_PAGE : PAGE;
        struct atomc_own_range pages = {ranges[i].begin & (uint64_t)-page,
                                        (ranges[i].end + (uint64_t)page - 1) & (uint64_t)-page};
        if (pages.end <= at || pages.begin >= pages.end || pages.begin >= next->begin)
            continue;
        *next = pages;
        *in_hole = i == object ? in_object : i < ATOMC_OWN_RANGES && pages.begin > atomc_image.text_address;
    }
    return next->begin != UINT64_MAX;
}

int atomc_is_before_text(unsigned long begin, unsigned long end) {
    uint64_t first = UINT64_MAX;
    for (int i = 0; i < ATOMC_OWN_RANGES; i++)
        if (atomc_image.own[i].end > 0 && atomc_image.own[i].begin < first)
            first = atomc_image.own[i].begin;
    return begin >= first && end <= atomc_image.text_address;
}

static void add_range(struct line *line, unsigned long begin, unsigned long end) {
    add_text(line, "0x");
    add_number(line, begin, 16);
    add_text(line, " to 0x");
    add_number(line, end, 16);
}

/* It would not go on as it would have without atomc. */
static void stop_program(const long *registers) {
    atomc_set_registers(registers);
    atomc_end_program(-SIGABRT);
    atomc_end_by(SIGABRT);
}

/* Its sites would have one frame with those of the first thread. */
static void stop_unforeseen_thread(const long *registers) {
    struct line line = {.length = 0};
    add_text(
        &line,
        "atomc: the program makes a thread, which was not foreseen: stopped. --stack=program instruments "
        "it for threads\n");
    write_line(&line);
    stop_program(registers);
}

/* A mapping with MAP_FIXED replaces what is there. The program ends before it loses what runs it. */
static void check_place(const long *registers) {
    const long *a = registers + 16;
    struct atomc_own_range taken;
    struct line line = {.length = 0};
    if (!find_taken(a[0], a[0] + a[1], &taken))
        return;
    add_text(&line, "atomc: the program maps ");
    add_range(&line, (unsigned long)a[0], (unsigned long)(a[0] + a[1]));
    add_text(&line, ", where the analysis side is: ");
    add_range(&line, taken.begin, taken.end);
    add_text(&line, ": stopped\n");
    write_line(&line);
    stop_program(registers);
}

/* ---- code that the program makes -------------------------------------------------------------------------------- */

/* What is mapped where the copies would look the program's code in this range up, whose addresses are longer:
   in the map of the text, and in that of landings. For code elsewhere nothing may be mapped there: then the
   lookup faults, and the jump is made as it is. Returns where code may be again, 0 if it may be in all of the
   range. */
static long find_conflict(long begin, long length, struct atomc_own_range *taken, long *conflict) {
    const uint64_t landings = atomc_image.text_map + LAYOUT_LANDINGS;
    const long four_gigabytes = 1L << 32;
    int has_landings = 0;
    for (int i = 0; i < ATOMC_OWN_RANGES; i++)
        has_landings |= atomc_image.own[i].begin == landings;
    for (long high = begin & -four_gigabytes; high < begin + length; high += four_gigabytes) {
        long first = begin > high ? begin - high : 0;
        long last = begin + length - high < four_gigabytes ? begin + length - high : four_gigabytes;
        for (int i = 0; i < 1 + has_landings; i++) {
            long added = i * (long)LAYOUT_LANDINGS;
            if (!find_taken(first + added, last + added, taken))
                continue;
            *conflict = high + (long)taken->begin - added;
            return high + (long)taken->end - added;
        }
    }
    return 0;
}

static void check_code(const long *registers, long begin, long length) {
    struct atomc_own_range taken = {0, 0};
    struct line line = {.length = 0};
    long conflict;
    if (atomc_image.text_runs || length <= 0 ||
        overlaps(begin, begin + length, (long)atomc_image.text_address,
                 (long)(atomc_image.text_address + atomc_image.text_size)) || /* its own text */
        !find_conflict(begin, length, &taken, &conflict))
        return;
    add_text(&line, "atomc: the program makes code at ");
    add_range(&line, (unsigned long)begin, (unsigned long)(begin + length));
    add_text(&line, ", whose addresses end as those of the analysis side: ");
    add_range(&line, taken.begin, taken.end);
    add_text(&line, ": stopped\n");
    write_line(&line);
    stop_program(registers);
}

static int are_stacks_code; /* those that threads will have */

void atomc_prepare_code(void) {
    const Elf64_Phdr *header = (const Elf64_Phdr *)atomc_image.program_headers;
    are_stacks_code = 1; /* on Alpha, where nothing is said of it */
    for (uint64_t i = 0; i < atomc_image.program_header_count; i++)
        if (header[i].p_type == PT_GNU_STACK)
            are_stacks_code = (header[i].p_flags & PF_X) != 0;
}

/* Code from the beginning, or memory that is reserved, and becomes what it is to be later: a stack behind its
   guard, code that is compiled at run time. */
static int may_become_code(const long *a) {
    return !atomc_image.text_runs && a[1] > 0 && !(a[3] & MAP_FIXED) &&
           (a[2] & PROT_EXEC || (a[2] == PROT_NONE && (are_stacks_code || !(a[3] & MAP_STACK))));
}

static int is_mapped(long result) {
    return result >= 0 || result < -4095;
}

/* The next place for code above or below, 0 if there is none. */
static long next_place(long place, long length, int is_above) {
    enum { STEPS = 64 };
    struct atomc_own_range taken;
    long begin = 0, end;
    for (int i = 0; i < STEPS && place > 0; i++) {
        if (!(end = find_conflict(place, length, &taken, &begin)))
            return place;
        place = is_above ? (end + ALPHA_PAGE - 1) & -ALPHA_PAGE : (begin - length) & -ALPHA_PAGE;
    }
    return 0;
}

/* The program's mmap. Where the kernel has put what may become code, and it cannot be there, it goes near
   there where it can be. Kernels give out memory upwards, or downwards: what is behind may be taken. */
long atomc_map_program(const long *a) {
    enum { TRIES = 64 };
    long result = RAW(CALL_mmap, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (!may_become_code(a))
        return result;
    for (int i = 0; i < TRIES && is_mapped(result) && next_place(result, a[1], 0) != result; i++) {
        int is_above = i & 1;
        long distance = i / 2 * a[1],
             place = next_place(is_above ? result + distance : result - distance, a[1], is_above);
        if (!place)
            break;
        RAW(CALL_munmap, result, a[1], 0, 0, 0, 0);
        result = RAW(CALL_mmap, place, a[1], a[2], a[3], a[4], a[5]);
    }
    return is_mapped(result) ? result : RAW(CALL_mmap, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static long map_program(long *registers) {
    long result = atomc_map_program(registers + 16);
    if (is_mapped(result) && registers[18] & PROT_EXEC)
        check_code(registers, result, registers[17]);
    set_result(registers, result);
    return 1;
}

/* A call that the copy has made has failed: a clone, which has been counted, or an execve. Or it has made a
   thread: this one. */
void atomc_program_call_failed(const long *registers) {
    if (registers[ALPHA_V0] == 0)
        atomc_begin_signal_stack();
    else if (atomc_is_executing() || atomc_is_showing_ignored()) {
        atomc_stay();
    } else {
        atomc_thread_counts_not_cloned(registers);
        __sync_sub_and_fetch(&atomc_live_threads, 1);
    }
}

/* registers: $0-$31 of the program at its callsys. 1 if the call has been made, 0 if the copy must
 * make it, -1 if it must say whether it failed (atomc_call_failed). */
static long handle_call(long *registers) {
    long *a = registers + 16;
    switch ((enum program_call)registers[0]) {
    case PROGRAM_exit:
        atomc_free_signal_stack();
        atomc_forget_deferral();
        atomc_forget_waiting();
        forget_thread();
        atomc_thread_counts_end();
        if (__sync_sub_and_fetch(&atomc_live_threads, 1) != 0)
            return 0;
        /* fall through */
    case PROGRAM_exit_group:
        if (atomc_is_vfork_child()) {
            atomc_free_signal_stack();
            atomc_give_back_aside();
        }
        atomc_set_registers(registers);
        atomc_end_program(a[0] & 255);
        return 0;
    case PROGRAM_clone3: /* it can do more than is followed here, and whoever calls it can do without */
        set_result(registers, -ENOSYS);
        return 1;
    case PROGRAM_clone:
        atomc_inherit_mask();
        if (a[1])
            leave_first_stack(registers);
        if ((a[0] & (CLONE_VM | CLONE_VFORK)) == CLONE_VM) {
            if (atomc_image.own_frames)
                stop_unforeseen_thread(registers);
            if (atomc_image.unthreaded && !atomc_threaded)
                atomc_report_thread();
            atomc_thread_counts_at_clone(registers);
            __sync_add_and_fetch(&atomc_live_threads, a[0] & CLONE_THREAD ? 1 : 0);
            atomc_threaded = 1;
            atomc_waits = atomc_image.stops != 0;
            return a[0] & CLONE_THREAD ? -1 : 0;
        }
        /* fall through */
    case PROGRAM_fork:
    case PROGRAM_vfork:
        if (registers[0] == CALL_vfork || (registers[0] == CALL_clone && a[0] & CLONE_VFORK)) {
            vfork_parent = process_id();
            atomc_keep_aside();
            atomc_inherit_mask();
            return 0;
        }
        return fork_process(registers);
    case PROGRAM_execve:
    case PROGRAM_execveat:
        atomc_write_before_execve(registers);
        if (atomc_is_vfork_child())
            atomc_give_back_aside();
        atomc_begin_showing_ignored();
        if (!atomc_execute_call(registers))
            return atomc_is_executing() || atomc_is_showing_ignored() ? -1 : 0;
        atomc_stay();
        return 1;
    case PROGRAM_sigreturn:
    case PROGRAM_rt_sigreturn:
        atomc_leave_handler(registers);
        return 0;
    case PROGRAM_osf_sigprocmask:
    case PROGRAM_rt_sigprocmask:
        return atomc_change_mask(registers);
    case PROGRAM_sigpending:
    case PROGRAM_rt_sigpending:
        return atomc_pending_call(registers);
    case PROGRAM_rt_sigtimedwait:
        return atomc_wait_call(registers);
    case PROGRAM_sigaltstack:
        return atomc_change_signal_stack(registers, stack_pointer_of(registers));
    case PROGRAM_sigsuspend:
    case PROGRAM_rt_sigsuspend:
    case PROGRAM_ppoll:
    case PROGRAM_pselect6:
    case PROGRAM_epoll_pwait:
    case PROGRAM_epoll_pwait2:
        atomc_wait_with_mask(registers, place_of_call(registers));
        return 0;
    case PROGRAM_chroot:
        keep_directory();
        return 0;
    case PROGRAM_mlockall: {
        long result = RAW(CALL_mlockall, a[0] | LOCK_ON_FAULT, 0, 0, 0, 0, 0);
        if (result == -EINVAL) /* an old kernel */
            return 0;
        set_result(registers, result);
        return 1;
    }
    case PROGRAM_mmap:
        if (a[3] & MAP_FIXED)
            check_place(registers);
        if (a[3] & MAP_FIXED && atomc_map_over_text(registers))
            return 1;
        if (!atomc_image.interpreter)
            return may_become_code(a) || a[2] & PROT_EXEC ? map_program(registers) : 0;
        atomc_object_call(registers);
        if (a[2] & PROT_EXEC && !registers[ALPHA_A3])
            check_code(registers, registers[0], a[1]);
        return 1;
    case PROGRAM_munmap:
        atomc_object_call(registers);
        return 1;
    case PROGRAM_mprotect:
        if (a[2] & PROT_EXEC && a[2] & PROT_GROWSDOWN) /* a library has code on stacks */
            are_stacks_code = 1;
        if (a[2] & PROT_EXEC)
            check_code(registers, a[0], a[1]);
        if (atomc_protect_text(registers))
            return 1;
        if (!atomc_image.interpreter)
            return 0;
        atomc_object_call(registers);
        return 1;
    case PROGRAM_open:
    case PROGRAM_openat:
    case PROGRAM_readlink:
    case PROGRAM_readlinkat:
        return atomc_process_file_call(registers);
    case PROGRAM_close:
    case PROGRAM_close_range:
    case PROGRAM_dup:
    case PROGRAM_dup2:
    case PROGRAM_dup3:
    case PROGRAM_fcntl:
        return atomc_descriptor_call(registers);
    case PROGRAM_sigaction:
    case PROGRAM_rt_sigaction:
        atomc_change_handler(registers);
        return 1;
    }
    return 0;
}

/* As above, and 2 if the copy must say when the call ends (atomc_call_ends). */
long atomc_gate_call(long *registers) {
    static const uint8_t gates[] = {
#define SYSTEM_CALL(number, name, gate, private) [number] = GATE_##gate,
#include "plan/system_calls.def"
#undef SYSTEM_CALL
    };
    unsigned long number = (unsigned long)registers[0];
    int gate = number < sizeof gates ? gates[number] : GATE_NONE;
    int handled = GATE_ALL | GATE_NAMES | (atomc_image.interpreter ? GATE_OBJECTS : 0);
    long made = gate & handled ? handle_call(registers) : 0;
    if (made != 0 || !atomc_waits || !(gate & GATE_WAITS))
        return made;
    atomc_begin_call();
    return 2;
}
