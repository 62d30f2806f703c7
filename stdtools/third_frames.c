/* third_frames.c: where third's memory gets other states than by loads, stores and the heap: stacks and
 * system calls. */
#include <sys/syscall.h>

#include "shadow.h"
#include "third.h"

static unsigned long last_sp,
    first_sp; /* of the main thread: at its last system call, and before its first frame */

/* ---- the stack ------------------------------------------------------------------------------------------- */

void Grow(unsigned long to, unsigned long from) {
    if (first_sp == 0)
        first_sp = from;
    shadow_set(to, from - to, UNSET_STACK);
}

static unsigned long saved_sp;
static long saved_thread;

void Save(unsigned long sp, long thread) {
    saved_sp = sp;
    saved_thread = thread;
}

/* alloca, and large frames; a difference of megabytes is another stack. */
void Moved(unsigned long sp, long thread) {
    if (thread == saved_thread && sp < saved_sp && saved_sp - sp < 1 << 26)
        Grow(sp, saved_sp);
}

/* A signal handler's return address is on the stack, above what the kernel has written for it. */
void Handle(unsigned long ra, unsigned long sp) {
    if (ra - sp < 4096)
        shadow_set(sp, 1024, GOOD);
}

/* ---- system calls ---------------------------------------------------------------------------------------- */

static struct { long number, a0, a1, a2, thread; } asked;

/* What the kernel writes has values: of calls that say how much, so much; of others, what may be a structure.
 */
void Ask(long number, long a0, long a1, long a2, long a3, long a4, unsigned long sp, long thread) {
    long arguments[] = {a0, a1, a2, a3, a4};
    asked.number = number;
    asked.a0 = a0;
    asked.a1 = a1;
    asked.a2 = a2;
    asked.thread = thread;
    last_sp = sp;
    if (number == SYS_read || number == SYS_pread64 || number == SYS_write)
        return;
    for (int i = 0; i < 5; i++)
        if (arguments[i] > 1 << 16)
            for (long offset = 0; offset < 512; offset++) {
                unsigned char *state = shadow_of(arguments[i] + offset);
                if (*state == OUTSIDE || *state == FREED)
                    break;
                *state = GOOD;
            }
}

void Answer(long result, long failed, long thread) {
    if (failed || thread != asked.thread)
        return;
    switch (asked.number) {
    case SYS_read:
    case SYS_pread64:
    case SYS_readlink:
    case SYS_getdents64:
    case SYS_recvfrom:
        shadow_define(asked.a1, result);
        break;
    case SYS_getrandom:
    case SYS_getcwd:
        shadow_define(asked.a0, asked.a1);
        break;
    case SYS_readv:
        for (long i = 0; i < asked.a2; i++)
            shadow_define(((long *)asked.a1)[2 * i], ((long *)asked.a1)[2 * i + 1]);
        break;
    case SYS_mmap:
        shadow_forget(result, asked.a1);
        break;
    case SYS_mremap:
        shadow_forget(result, asked.a2);
        break;
    case SYS_munmap:
        shadow_forget(asked.a0, asked.a1);
    }
}

void Leaks(int wanted, unsigned long data, unsigned long data_end) {
    if (wanted)
        report_leaks(data, data_end, last_sp, first_sp);
}
