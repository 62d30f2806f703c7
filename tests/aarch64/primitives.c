/* primitives.c: the runtime's primitives.S: raw system calls, memory that may not be there, the lock, calls
   with many arguments, roundings. Prints what is wrong, or "right". */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/kernel/kernel.h"

/* Called by inserted code. */
void atomc_read_memory(void);
void atomc_round_single(void);

static int wrong;

static void expect(const char *what, int is_right) {
    if (!is_right) {
        printf("wrong: %s\n", what);
        wrong++;
    }
}

/* ---- faults are told by their pc, as in signals.c ---- */

static void on_fault(int signal, siginfo_t *info, void *context) {
    uint64_t *pc = (uint64_t *)&((ucontext_t *)context)->uc_mcontext.pc;
    const uint32_t *code = (const uint32_t *)*pc;
    (void)info;
    if (code >= atomc_tries && code < atomc_tries_end)
        *pc = (uint64_t)atomc_try_failed;
    else if (code == atomc_read_low || code == atomc_read_high)
        *pc = (uint64_t)atomc_read_failed;
    else
        _exit(signal);
}

/* Each register keeps a value but those that a helper may change. */
static long call_helper(const char *name, void (*helper)(void), long left, long right, long *second) {
    register long x16 __asm__("x16") = left;
    register long x17 __asm__("x17") = right;
    register void (*x15)(void) __asm__("x15") = helper;
    long flags = 0x90000000, flags_after, changed;
    __asm__ volatile("mov x0, #1\nmov x1, #2\nmov x2, #3\nmov x3, #4\nmov x4, #5\nmov x5, #6\nmov x8, #7\n"
                     "msr nzcv, %3\nblr %4\nmrs %0, nzcv\n"
                     "add x0, x0, x1, lsl #4\nadd x0, x0, x2, lsl #8\nadd x0, x0, x3, lsl #12\n"
                     "add x0, x0, x4, lsl #16\nadd x0, x0, x5, lsl #20\nadd %1, x0, x8, lsl #24\n"
                     : "=&r"(flags_after), "=&r"(changed), "+r"(x16)
                     : "r"(flags), "r"(x15), "r"(x17)
                     : "x0", "x1", "x2", "x3", "x4", "x5", "x8", "x30", "memory");
    long result = x16;
    __asm__ volatile("mov %0, x17" : "=r"(x17));
    *second = x17;
    expect(name, flags_after == flags && changed == 0x7654321);
    return result;
}

static void try_memory(void) {
    static struct {
        uint64_t before, word, after;
    } data = {0x1111111111111111, 0x8877665544332211, 0x2222222222222222};
    long value = 0, second;
    void *nothing = mmap(NULL, 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect("a load", atomc_try_load((unsigned long)&data.word, &value) && value == (long)data.word);
    expect("a load of nothing", !atomc_try_load((unsigned long)nothing, &value));
    expect("a store of nothing", !atomc_try_store((long)nothing, 1, 8));
    for (int bytes = 1; bytes <= 8; bytes *= 2) {
        uint64_t mask = UINT64_MAX >> (64 - 8 * bytes);
        data.word = 0x8877665544332211;
        expect("a store", atomc_try_store((long)&data.word, -1, bytes) &&
                              data.word == (0x8877665544332211 | mask) && data.before == 0x1111111111111111 &&
                              data.after == 0x2222222222222222);
        for (long at = 0; at < 8; at++) {
            uint64_t expected;
            data.word = 0x8877665544332211;
            memcpy(&expected, (char *)&data.word + at, 8);
            value =
                call_helper("registers of $memory", atomc_read_memory, (long)&data.word + at, bytes, &second);
            expect("$memory", value == (long)(expected & mask));
        }
        expect("$memory of nothing",
               call_helper("registers", atomc_read_memory, (long)nothing, bytes, &second) == 0);
    }
}

/* ---- arguments ---- */

static double sum_of_all(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j,
                         long k) {
    expect("arguments", a == 1 && b == 2 && c == 3 && d == 4 && e == 5 && f == 6 && g == 7 && h == 8 &&
                            i == 9 && j == 10 && k == 11);
    return 0;
}
static void six(long a, long b, long c, long d, long e, long f) {
    expect("six arguments", a == 1 && b == 2 && c == 3 && d == 4 && e == 5 && f == 6);
}
static void doubles(double a, double b) {
    expect("doubles", a == 1.5 && b == -2);
}
static long stack_of_routine;
static void note_stack(long argument) {
    stack_of_routine = (long)__builtin_frame_address(0) + argument;
}

static void call_routines(void) {
    long arguments[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, few[6];
    double numbers[] = {1.5, -2};
    static char stack[65536] __attribute__((aligned(16)));
    atomc_call((long)sum_of_all, (long)arguments, 11);
    atomc_call((long)six, (long)arguments, 6);
    memcpy(few, numbers, sizeof numbers);
    atomc_call((long)doubles, (long)few, 2);
    atomc_on_private_stack((long)(stack + sizeof stack), note_stack, 1);
    expect("another stack",
           stack_of_routine > (long)stack && stack_of_routine <= (long)(stack + sizeof stack));
}

/* ---- the lock ---- */

static void take_lock(void) {
    atomc_private_thread_pointer = 1;
    call_locker(atomc_lock);
    expect("the lock", atomc_lock_owner[0] == thread_pointer() + 1 && atomc_lock_owner[1] == 1);
    call_locker(atomc_lock);
    expect("the lock again", atomc_lock_owner[1] == 2);
    call_locker(atomc_unlock);
    expect("one is left", atomc_lock_owner[0] == thread_pointer() + 1 && atomc_lock_owner[1] == 1);
    call_locker(atomc_unlock);
    expect("it is free", atomc_lock_owner[0] == 0 && atomc_lock_owner[1] == 0);
}

/* ---- roundings ---- */

static void round_numbers(void) {
    static const double numbers[] = {
        0, -0.0, 1, 1.1, -1e300, 1e-40, 1e-46, 3.4028235677973366e38, 1e39, 0x1.0000010p0, 0x1.0000030p0};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        long second, bits;
        volatile float single = (float)numbers[i];
        float memory = single;
        uint32_t float_bits;
        double rounded = single;
        memcpy(&bits, &numbers[i], 8);
        bits = call_helper("registers of a rounding", atomc_round_single, bits, 0, &second);
        memcpy(&float_bits, &memory, 4);
        expect("a rounding", memcmp(&bits, &rounded, 8) == 0 && (uint32_t)second == float_bits);
    }
}

int main(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    long mask = 0, before = 0, call[] = {SYS_getppid, 0, 0, 0, 0, 0, 0};
    sigaction(SIGSEGV, &action, NULL);
    expect("a system call", RAW(SYS_getpid, 0, 0, 0, 0, 0, 0) == getpid());
    expect("its error", RAW(SYS_close, -1, 0, 0, 0, 0, 0) == -EBADF);
    char *page = (char *)RAW(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect("six arguments of a call", (long)page > 0 && page[4095] == 0);
    expect("a call with a mask", atomc_masked_call(&mask, call) == getppid());
    mask = SIGNAL_BIT(SIGNAL_USR1);
    atomc_masked_call(&mask, call);
    RAW(SYS_rt_sigprocmask, SIG_SETMASK, 0, &before, 8, 0, 0);
    expect("its mask", before == mask);
    try_memory();
    call_routines();
    take_lock();
    round_numbers();
    if (!wrong)
        printf("right\n");
    return wrong != 0;
}
