/* system_calls.c: system calls of the analysis side, kept away from the program's heap and descriptors, and
   those of the program that concern atomc: exit, fork, threads, signal handlers. Compiled without
   floating-point registers. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "runtime.h"

/* From arch/alpha/kernel/syscalls/syscall.tbl. */
enum {
    CALL_exit = 1,
    CALL_fork = 2,
    CALL_close = 6,
    CALL_brk = 17,
    CALL_getxpid = 20,
    CALL_dup = 41,
    CALL_open = 45,
    CALL_vfork = 66,
    CALL_mmap = 71,
    CALL_munmap = 73,
    CALL_dup2 = 90,
    CALL_fcntl = 92,
    CALL_socket = 97,
    CALL_sigreturn = 103,
    CALL_getrlimit = 144,
    CALL_sigaction = 156,
    CALL_sigaltstack = 235,
    CALL_clone = 312,
    CALL_mremap = 341,
    CALL_rt_sigreturn = 351,
    CALL_rt_sigaction = 352,
    CALL_gettid = 378,
    CALL_exit_group = 405,
    CALL_set_tid_address = 411,
    CALL_openat = 450,
    CALL_set_robust_list = 466,
    CALL_dup3 = 487,
    CALL_rseq = 527,
    CALL_getppid = 532
};

#define RAW(number, a, b, c, d, e, f)                                                                        \
    atomc_raw_system_call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define PAGE 8192L

static long process_id(void) {
    return RAW(CALL_getxpid, 0, 0, 0, 0, 0, 0);
}

/* ---- the analysis side's memory: fixed regions that the program never sees ----------------------------- */

static long private_break = ATOMC_PRIVATE_HEAP, private_break_mapped = ATOMC_PRIVATE_HEAP;
static long private_mmap_next = ATOMC_PRIVATE_MMAP;

static long map_fixed(long address, long length, long protection) {
    return RAW(CALL_mmap, address, length, protection,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
}

static long change_break(long wanted) {
    if (wanted >= (long)ATOMC_PRIVATE_HEAP && wanted < (long)ATOMC_PRIVATE_HEAP_END) {
        if (wanted > private_break_mapped) {
            long length = (wanted - private_break_mapped + 63 * PAGE) / (64 * PAGE) * (64 * PAGE) + 64 * PAGE;
            if (map_fixed(private_break_mapped, length, PROT_READ | PROT_WRITE) < 0)
                return private_break;
            private_break_mapped += length;
        }
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
    result = RAW(CALL_mmap, address, a[1], a[2], a[3] | MAP_FIXED, a[4], a[5]);
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

static long shadow_begin, shadow_end; /* what is mapped a distance below */
static long first_stack;              /* the first other one */
static const long near_mappings = 256L << 20;

static void map_shadow_range(long begin, long end) {
    for (int level = 1; level <= 3; level++)
        map_fixed(begin - level * (long)ATOMC_SHADOW_DISTANCE, end - begin, PROT_READ | PROT_WRITE);
}

/* The stack that calls use in place of the program's, and two more for signal handlers that interrupt them:
   for the main stack, as far down as it may grow, for what is mapped near it, and for stacks in the program's
   data and heap. */
void atomc_map_shadow(long stack) {
    struct rlimit limit;
    long size = 64L << 20, data = (long)atomc_image.text_address & -PAGE;
    if (RAW(CALL_getrlimit, RLIMIT_STACK, &limit, 0, 0, 0, 0) >= 0 && limit.rlim_cur > (unsigned long)size)
        size = limit.rlim_cur < ATOMC_SHADOW_DISTANCE / 2 ? (long)limit.rlim_cur
                                                          : (long)ATOMC_SHADOW_DISTANCE / 2;
    shadow_begin = (stack - size) & -PAGE;
    shadow_end = (stack + near_mappings) & -PAGE;
    map_shadow_range(shadow_begin, shadow_end);
    if (data > shadow_end || data + near_mappings < shadow_begin)
        map_shadow_range(data, data + near_mappings);
}

/* The same for another stack; piece by piece, since neighbours may be in use. False if there is no room for
   it. */
static int map_other_shadow(long begin, long size) {
    long piece = 8 * PAGE, end = begin + size;
    if (!atomc_image.shadow || begin == 0 || (begin > shadow_begin && end < shadow_end))
        return 1;
    if (!first_stack)
        first_stack = begin;
    if (begin - (long)ATOMC_SHADOW_DISTANCE > first_stack - near_mappings)
        return 0; /* where the program's own mappings are */
    for (long at = begin & -piece; at < end; at += piece) {
        for (int level = 1; level <= 3; level++) {
            long shadow = at - level * (long)ATOMC_SHADOW_DISTANCE;
            RAW(CALL_mmap, shadow, piece, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
        }
    }
    return 1;
}

/* ---- its descriptors: high ones, so that the program's next open returns what it would have ------------ */

static long move_descriptor(long descriptor, long flags) {
    struct rlimit limit;
    long base = 512, moved;
    if (descriptor < 0)
        return descriptor;
    if (RAW(CALL_getrlimit, RLIMIT_NOFILE, &limit, 0, 0, 0, 0) >= 0 && limit.rlim_cur < 1024)
        base = limit.rlim_cur / 2;
    moved = RAW(CALL_fcntl, descriptor, flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, base, 0, 0, 0);
    if (moved < 0)
        return descriptor;
    RAW(CALL_close, descriptor, 0, 0, 0, 0, 0);
    return moved;
}

struct gate_registers { /* as atomc_private_gate stores them */
    long v0, a[6], ra, at, gp;
};

void atomc_private_system_call(struct gate_registers *registers) {
    long *a = registers->a, result;
    switch (registers->v0) {
    case CALL_brk:
        result = change_break(a[0]);
        break;
    case CALL_mmap:
        result = map(a);
        break;
    case CALL_munmap:
        result = unmap(a);
        break;
    case CALL_mremap:
        result = remap(a);
        break;
    case CALL_open:
        result = move_descriptor(RAW(CALL_open, a[0], a[1], a[2], 0, 0, 0), a[1]);
        break;
    case CALL_openat:
        result = move_descriptor(RAW(CALL_openat, a[0], a[1], a[2], a[3], 0, 0), a[2]);
        break;
    case CALL_dup:
    case CALL_socket:
        result = move_descriptor(RAW(registers->v0, a[0], a[1], a[2], 0, 0, 0), 0);
        break;
    case CALL_set_tid_address: /* the program's own C library registers these for the thread */
        result = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
        break;
    case CALL_set_robust_list:
        result = 0;
        break;
    case CALL_rseq:
        result = -ENOSYS;
        break;
    default: /* dup2, dup3: the caller names the descriptor */
        result = RAW(registers->v0, a[0], a[1], a[2], a[3], a[4], a[5]);
        break;
    }
    a[3] = result < 0 && result > -4096; /* $19: error */
    registers->v0 = a[3] ? -result : result;
}

/* ---- the program's system calls ------------------------------------------------------------------------ */

static long live_threads = 1;
static long vfork_parent;              /* process that is in vfork: its child's exit is not the program's */
uint64_t atomc_original_handlers[128]; /* by signal number; 0: not one of the program's procedures */
extern void atomc_signal_entry(void), atomc_fault_entry(void), atomc_signal_return(void);

static uint64_t copy_of(uint64_t address) {
    uint64_t offset = address - atomc_image.text_address;
    return offset < atomc_image.text_size && !(offset & 3) ? ((uint32_t *)atomc_image.text_map)[offset / 4]
                                                           : 0;
}

struct saved_context { /* struct sigcontext */
    long onstack, mask, pc, ps, registers[32];
};

static void set_result(long *registers, long result) {
    registers[19] = result < 0 && result > -4096;
    registers[0] = registers[19] ? -result : result;
}

/* ---- signal contexts show original addresses ----------------------------------------------------------- */

enum { FLAG_SIGINFO = 0x40, UCONTEXT_REGISTERS = 48, FRAME_UCONTEXT = 128 };

static long handler_flags[128];
/* Contexts that were changed: on return from the handler execution goes on where it was, unless the handler
   changed the pc. */
static struct {
    struct saved_context *context;
    long original, copy;
} shown[32];
static unsigned shown_next;

/* The original instruction whose copy, or what was inserted before it, is at `address`; 0 if there is none.
 */
static long original_of(unsigned long address) {
    const uint32_t *map = (const uint32_t *)atomc_image.text_map;
    unsigned long count = atomc_image.text_size / 4, best = 0;
    if (address < atomc_image.copies || address >= atomc_image.copies_end)
        return 0;
    for (unsigned long i = 1; i < count; i++)
        if (map[i] <= address && map[i] > map[best])
            best = i;
    return map[best] <= address ? (long)(atomc_image.text_address + 4 * best) : 0;
}

static void show_original(struct saved_context *saved, long *fault_address) {
    long copy = saved->pc, original = original_of(copy);
    if (!original)
        return;
    unsigned slot = __sync_fetch_and_add(&shown_next, 1) % 32;
    for (unsigned i = 0; i < 32; i++)
        if (shown[i].context == saved)
            slot = i;
    shown[slot].context = saved;
    shown[slot].original = original;
    shown[slot].copy = copy;
    saved->pc = original;
    if (fault_address && *fault_address == copy)
        *fault_address = original;
}

/* Called before the program's handler. For faults the pc is that of the instruction; other signals come
   anywhere. */
void atomc_show_context(long signal, long *info, long context) {
    if (signal != 4 && signal != 5 && signal != 8 && signal != 10 && signal != 11)
        return;
    if (handler_flags[signal] & FLAG_SIGINFO)
        show_original((struct saved_context *)(context + UCONTEXT_REGISTERS), info + 2);
    else
        show_original((struct saved_context *)context, 0);
}

/* The handler returns. */
static void leave_handler(const long *registers) {
    struct saved_context *saved = (struct saved_context *)registers[16];
    if (registers[0] == CALL_rt_sigreturn)
        saved = (struct saved_context *)(registers[16] + FRAME_UCONTEXT + UCONTEXT_REGISTERS);
    for (unsigned i = 0; i < 32; i++) {
        if (shown[i].context == saved && shown[i].original == saved->pc) {
            saved->pc = shown[i].copy;
            shown[i].context = 0;
            return;
        }
    }
    if (copy_of(saved->pc))
        saved->pc = copy_of(saved->pc);
}

/* ---- SIGSEGV is ours first ---------------------------------------------------------------------------- */

enum { SIGNAL_SEGV = 11, HANDLER_DEFAULT = 0, HANDLER_IGNORE = 1 };

struct kernel_action { /* of rt_sigaction */
    long handler, flags, mask;
};
static struct kernel_action segv_action; /* what the program asked for */
static long segv_restorer;

static long install_fault_handler(void) {
    int has_handler = segv_action.handler != HANDLER_DEFAULT && segv_action.handler != HANDLER_IGNORE;
    struct kernel_action ours = {.handler = (long)atomc_fault_entry, .flags = FLAG_SIGINFO};
    if (has_handler) {
        ours.flags = segv_action.flags;
        ours.mask = segv_action.mask;
    }
    return RAW(CALL_rt_sigaction, SIGNAL_SEGV, &ours, 0, 8,
               has_handler ? segv_restorer : (long)atomc_signal_return, 0);
}

void atomc_install_fault_handler(void) {
    struct kernel_action inherited = {0};
    RAW(CALL_rt_sigaction, SIGNAL_SEGV, 0, &inherited, 8, 0, 0);
    segv_action.handler = inherited.handler;
    install_fault_handler();
}

/* sigaction(156) orders its structure handler, mask, flags; rt_sigaction handler, flags, mask. */
static void change_segv(long *registers) {
    long *a = registers + 16;
    int old_form = registers[0] == CALL_sigaction;
    struct kernel_action before = segv_action;
    if (a[1]) {
        const long *action = (const long *)a[1];
        segv_action.handler = action[0];
        segv_action.flags = old_form ? (int)action[2] : action[1];
        segv_action.mask = old_form ? action[1] : action[2];
        segv_restorer = old_form ? 0 : a[4];
        install_fault_handler();
    }
    if (a[2]) {
        long *old = (long *)a[2];
        old[0] = before.handler;
        old[1] = old_form ? before.mask : before.flags;
        old[2] = old_form ? before.flags : before.mask;
    }
    set_result(registers, 0);
}

/* The copy looked up an address outside the text (code on the stack or in a JIT's memory): the sequence is
   `zapnot rb,15,t; ldl t,0(t); [ldah/ldq return address;] jmp (t)`, and the ldl faulted. Do what is left of
   it with the real target. */
static int finish_lookup(struct saved_context *context) {
    const uint32_t *code = (const uint32_t *)context->pc;
    if ((unsigned long)code - 0x40000000UL >= 0x20000000UL)
        return 0;
    unsigned scratch = code[0] >> 21 & 31;
    if ((code[0] & 0xfc00ffff) != 0xa0000000 || (code[0] >> 16 & 31) != scratch ||
        (code[-1] & 0xfc1fffe0) != (0x48000620 | (15 << 13) | 0x1000) || (code[-1] & 31) != scratch)
        return 0;
    unsigned target = code[-1] >> 21 & 31;
    if (target == scratch)
        return 0;
    long destination = context->registers[target] & ~3L;
    for (code++; (code[0] >> 26) != 0x1a; code++) { /* up to the jump: the return address */
        unsigned to = code[0] >> 21 & 31, base = code[0] >> 16 & 31;
        long displacement = (short)code[0], from = base == 31 ? 0 : context->registers[base];
        switch (code[0] >> 26) {
        case 0x08:
            context->registers[to] = from + displacement;
            break;
        case 0x09:
            context->registers[to] = from + displacement * 65536;
            break;
        case 0x29:
            context->registers[to] = *(const long *)(from + displacement);
            break;
        default:
            return 0;
        }
    }
    context->pc = destination;
    return 1;
}

/* Returns 0 to go on where *context says, or the address of the program's handler, its copy in *copy. */
long atomc_fault(long signal, const int *info, long context, long *copy) {
    int has_handler = segv_action.handler != HANDLER_DEFAULT && segv_action.handler != HANDLER_IGNORE;
    int basic = has_handler && !(segv_action.flags & FLAG_SIGINFO);
    struct saved_context *saved = (struct saved_context *)(basic ? context : context + UCONTEXT_REGISTERS);
    uint64_t there = copy_of(saved->pc);
    if (there) {
        saved->pc = there;
        return 0;
    }
    if (finish_lookup(saved))
        return 0;
    if (has_handler) {
        show_original(saved, basic ? 0 : (long *)info + 2);
        *copy = copy_of(segv_action.handler) ? (long)copy_of(segv_action.handler) : segv_action.handler;
        return segv_action.handler;
    }
    int sent = !basic && info[2] <= 0; /* si_code: by kill, which an ignored signal ignores */
    if (sent && segv_action.handler == HANDLER_IGNORE)
        return 0;
    struct kernel_action none = {0};
    RAW(CALL_rt_sigaction, SIGNAL_SEGV, &none, 0, 8, 0, 0);
    if (sent)
        RAW(37 /* kill */, process_id(), signal, 0, 0, 0, 0);
    return 0; /* the fault happens again, and ends the process */
}

/* rt_sigaction and sigaction: the kernel is to enter the handler's copy; the program is to see its own
   address. In both structures the handler comes first and the size is 24 bytes. */
static void change_handler(long *registers) {
    long *a = registers + 16, copy[3], signal = a[0], result;
    uint64_t old = signal >= 0 && signal < 128 ? atomc_original_handlers[signal] : 0, new = 0;
    if (a[1]) {
        long *action = (long *)a[1];
        copy[0] = action[0];
        copy[1] = action[1];
        copy[2] = action[2];
        new = copy_of(copy[0]) ? copy[0] : 0;
        if (new) {
            copy[0] = (long)atomc_signal_entry;
            if (signal >= 0 && signal < 128) {
                atomc_original_handlers[signal] = new;
                handler_flags[signal] = registers[0] == CALL_sigaction ? copy[2] : copy[1];
            }
        }
    }
    if (signal == SIGNAL_SEGV) {
        change_segv(registers);
        return;
    }
    result = RAW(registers[0], a[0], a[1] ? (long)copy : 0, a[2], a[3], a[4], a[5]);
    if (result >= 0 && signal >= 0 && signal < 128) {
        if (a[2] && old && *(long *)a[2] == (long)atomc_signal_entry)
            *(long *)a[2] = old;
        if (a[1])
            atomc_original_handlers[signal] = new;
    }
    set_result(registers, result);
}

static void end_program(long status) {
    if (vfork_parent && process_id() != vfork_parent)
        return;
    static long ending;
    if (__sync_lock_test_and_set(&ending, 1)) { /* another thread is at it: it ends this one */
        if (atomc_threaded)
            for (;;)
                RAW(334 /* sched_yield */, 0, 0, 0, 0, 0, 0);
        return;
    }
    set_thread_pointer(atomc_private_thread_pointer);
    atomc_on_private_stack(atomc_after_stack, atomc_after_program, status);
}

/* registers: $0-$31 of the program at its callsys. True if the call has been made, false if the copy is to
   make it. */
long atomc_program_system_call(long *registers) {
    long *a = registers + 16;
    switch (registers[0]) {
    case CALL_exit:
        if (__sync_sub_and_fetch(&live_threads, 1) == 0)
            end_program(a[0]);
        return 0;
    case CALL_exit_group:
        end_program(a[0]);
        return 0;
    case CALL_clone:
        if (a[0] & CLONE_VM && a[1] && !map_other_shadow(a[1] - (4L << 20), 4L << 20)) {
            set_result(registers, -EAGAIN);
            return 1;
        }
        if ((a[0] & (CLONE_VM | CLONE_VFORK)) == CLONE_VM) {
            __sync_add_and_fetch(&live_threads, a[0] & CLONE_THREAD ? 1 : 0);
            atomc_threaded = 1;
            return 0;
        }
        /* fall through */
    case CALL_fork:
    case CALL_vfork:
        if (registers[0] == CALL_vfork || (registers[0] == CALL_clone && a[0] & CLONE_VFORK)) {
            vfork_parent = process_id();
        } else { /* what is buffered is written once, not by parent and child */
            vfork_parent = 0;
            set_thread_pointer(atomc_private_thread_pointer);
            atomc_flush();
        }
        return 0;
    case CALL_sigreturn:
    case CALL_rt_sigreturn:
        leave_handler(registers);
        return 0;
    case CALL_sigaltstack:
        if (a[0]) /* stack_t: address, flags, size */
            map_other_shadow(((long *)a[0])[0], ((long *)a[0])[2]);
        return 0;
    default:
        change_handler(registers);
        return 1;
    }
}
