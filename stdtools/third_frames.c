/* third_frames.c: changes of states by stacks and system calls, in addition to loads, stores and the heap. */
#include <string.h>
#include <sys/syscall.h>

#include "shadow.h"
#include "third.h"

enum { SMALL_FRAME = 96, SMALLEST_STACK = 2048 };

/* ---- the stack ------------------------------------------------------------------------------------------- */

static long unset = 0x0202020202020202; /* eight bytes of UNSET_STACK */

static __attribute__((noinline)) void grow(unsigned long to, unsigned long size) {
    note_frame(to, to + size);
    shadow_set(to, size, UNSET_STACK);
}

/* Most frames are small, and reuse memory of earlier frames. The site has their size as a constant. */
void Grow(unsigned long to, unsigned long size) {
    long *states = shadow_quad(to);
    if (size > SMALL_FRAME || (size | to) % 16 != 0 || to < lowest_sp ||
        shadow_is_shared(shadow_pieces[shadow_piece(to)]) || (to ^ (to + size)) >> PIECE_SHIFT != 0) {
        grow(to, size);
        return;
    }
#define TWO(at)                                                                                              \
    if (size > 8 * (at))                                                                                     \
    states[at] = states[(at) + 1] = unset
    TWO(0);
    TWO(2);
    TWO(4);
    TWO(6);
    TWO(8);
    TWO(10);
}

void Save(unsigned long sp, long id) {
    thread_of(id)->moved_sp = sp;
}

/* True for a jump to a stack at a lower address, such as longjmp from a coroutine to the first stack: there
   are blocks in between, or the two stacks are not in one mapping. */
static int is_other_stack(unsigned long sp, unsigned long from) {
    const long outside = 0x0c0c0c0c0c0c0c0c; /* eight bytes of OUTSIDE and FREED */
    if (from - sp >= 1 << 26 || is_between_stacks(sp, from))
        return 1;
    for (unsigned long at = sp; at < from; at += 8)
        if (*shadow_quad(at) & outside)
            return 1;
    return 0;
}

/* alloca, and large frames. */
void Moved(unsigned long sp, long id) {
    unsigned long from = thread_of(id)->moved_sp;
    if (sp < from && (from - sp < SMALLEST_STACK || !is_other_stack(sp, from)))
        grow(sp, from - sp);
}

/* ---- system calls ---------------------------------------------------------------------------------------- */

enum { SET_THREAD_POINTER = 0x80000 }; /* clone's */

/* Marks the bytes from the address on, up to the first that is outside of a block, as written. The value
   may not be an address.
 */
static void may_be_written(unsigned long address, long size) {
    while (size > 0 && address >> SPACE_SHIFT == 0) {
        long room = 4096 - address % 4096, count = size < room ? size : room;
        unsigned long end = address + count;
        size -= count;
        while (address < end) {
            if (address % 8 == 0 && end - address >= 8 && *shadow_quad(address) == 0) {
                address += 8;
                continue;
            }
            int state = shadow_state(address);
            if (state == OUTSIDE || state == FREED)
                return;
            if (state != GOOD)
                *shadow_of(address) = GOOD;
            address++;
        }
    }
}

/* The kernel has written a siginfo and a ucontext, or only a sigcontext, at the stack pointer of a signal's
   handler, as the arguments show. A return address on the stack follows it. */
enum { SIGINFO = 128, FRAME = 848 };
static __attribute__((noinline)) void handle(unsigned long ra, unsigned long info, unsigned long context,
                                             unsigned long sp) {
    if (ra - sp < 4096 || (info == 0 && context == sp) || (info == sp && context == sp + SIGINFO))
        may_be_written(sp, FRAME);
}

/* A procedure whose address is taken is entered. Most of them are not handlers. */
void Handle(unsigned long ra, unsigned long info, unsigned long context, unsigned long sp) {
    if (ra - sp < 4096 || context - sp <= SIGINFO)
        handle(ra, info, context, sp);
}

/* The stack pointer shows which call of a thread continues. Later calls have been left by a jump. */
static void forget_calls(struct thread *thread, unsigned long sp) {
    for (int i = 0; i < thread->count; i++)
        if (thread->pending[i].sp == sp)
            thread->count = i;
}

static struct call *begin_call(struct thread *thread, unsigned long sp) {
    forget_calls(thread, sp);
    if (thread->count == PENDING)
        memmove(thread->pending, thread->pending + 1, --thread->count * sizeof *thread->pending);
    return &thread->pending[thread->count++];
}

/* NULL: it began before the thread had its thread pointer. */
static const struct call *end_call(struct thread *thread, unsigned long sp) {
    int before = thread->count;
    forget_calls(thread, sp);
    thread->calling = 0;
    return thread->count < before ? &thread->pending[thread->count] : NULL;
}

/* Another may have had the memory of its data. */
#define ONLY(argument) (1 << (argument))
/* The number of arguments that the kernel only reads: the memory that they point to keeps its state. */
static int read_arguments(long number) {
    switch (number) {
    case SYS_sigaltstack:
    case SYS_nanosleep:
        return ONLY(0);
    case SYS_rt_sigaction:
    case SYS_rt_sigprocmask:
    case SYS_setitimer:
    case SYS_connect:
    case SYS_bind:
        return ONLY(1);
    case SYS_clock_nanosleep:
        return ONLY(2);
    default:
        return 0;
    }
}

static void begin_thread(struct thread *thread) {
    thread->ended = thread->calling = thread->count = 0;
}

/* Memory that the kernel writes becomes set: by the call's result, or, for other calls, the size of a
   possible structure.
 */
void Ask(long number, long a0, long a1, long a2, long a3, long a4, unsigned long sp, long id) {
    struct thread *thread = thread_of(id);
    struct call *call = begin_call(thread, sp);
    *call = (struct call){number, {a0, a1, a2, a3, a4}, sp, in_allocator(id)};
    thread->calling = 1;
    thread->ended |= number == SYS_exit;
    if (number == SYS_clone && a0 & SET_THREAD_POINTER)
        begin_thread(thread_of(a4));
    note_unmapping(call);
    if (number == SYS_munmap || number == SYS_mprotect || number == SYS_mremap || number == SYS_mmap ||
        number == SYS_brk)
        forget_readable();
    if (number == SYS_read || number == SYS_pread64 || number == SYS_write)
        return;
    for (int i = 0; i < 5; i++)
        if (call->arguments[i] > 1 << 16 && !(read_arguments(number) & ONLY(i)))
            may_be_written(call->arguments[i], 512);
}

void Answer(long result, long failed, unsigned long sp, long id) {
    struct thread *thread = thread_of(id);
    const struct call *call = end_call(thread, sp);
    if (!call)
        return;
    if (failed) {
        note_failure(call);
        return;
    }
    const long *argument = call->arguments;
    note_mapping(call, result);
    switch (call->number) {
    case SYS_read:
    case SYS_pread64:
    case SYS_readlink:
    case SYS_getdents64:
    case SYS_recvfrom:
        shadow_define(argument[1], result);
        break;
    case SYS_getrandom:
    case SYS_getcwd:
        shadow_define(argument[0], argument[1]);
        break;
    case SYS_readv:
        for (long i = 0; i < argument[2]; i++)
            shadow_define(((long *)argument[1])[2 * i], ((long *)argument[1])[2 * i + 1]);
        break;
    case SYS_mmap:
        note_mapped(result, argument[1]);
        break;
    case SYS_mremap:
        note_mapped(result, argument[2]);
        break;
    case SYS_munmap:
        if (call->allocates)
            note_given_back(argument[0], argument[1]);
        else
            shadow_forget(argument[0], argument[1]);
    }
}
