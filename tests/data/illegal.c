/* illegal.c: instructions that are none, and traps; a handler prints the pc and the address that it is told, from the instruction on, and
   jumps away, or, with an argument, lets the program continue after it. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

static sigjmp_buf away;
static volatile unsigned long pc, address;
static volatile int number, code, goes_on;
static volatile long cells[4];

static void handle(int signal, siginfo_t *info, void *context) {
    pc = ((ucontext_t *)context)->uc_mcontext.sc_pc;
    number = signal;
    code = info->si_code;
    address = (unsigned long)info->si_addr;
    if (!goes_on)
        siglongjmp(away, 1);
}

/* A load and a store after it: tools insert code there. */
#define EACH(TRY)                                                                                            \
    TRY(0, ".long 0x04000000")                                                                               \
    TRY(1, "call_pal 0x80")                                                                                  \
    TRY(2, "call_pal 0x81")                                                                                  \
    TRY(3, "lda $16, -2($31)\n\tcall_pal 0xaa")                                                              \
    TRY(4, ".long 0x07ffffff\n\tldq $0, 0($30)\n\tldq $0, 8($30)")                                           \
    TRY(5, ".long 0x64000000")                                                                               \
    TRY(6, "call_pal 0x01")                                                                                  \
    TRY(7, ".long 0x70000000\n\tstq $31, -8($30)")                                                           \
    TRY(8, ".long 0x0c000000\n\taddq $31, $31, $31")                                                         \
    TRY(9, "call_pal 0xbf")                                                                                  \
    TRY(10, "call_pal 0x82")
#define DEFINE(n, text)                                                                                      \
    extern char place##n[];                                                                                  \
    __attribute__((noinline, noclone)) void try##n(void) {                                                   \
        cells[0] = n;                                                                                        \
        __asm__ volatile(".globl place" #n "\nplace" #n ":\t" text ::: "memory", "$16", "$0");               \
        cells[1] = cells[0];                                                                                 \
    }
EACH(DEFINE)

int main(int argc, char **argv) {
    const struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    (void)argv;
    goes_on = argc > 1;
    sigaction(SIGILL, &action, 0);
    sigaction(SIGTRAP, &action, 0);
    sigaction(SIGFPE, &action, 0);
#define CALL(n, text)                                                                                        \
    pc = address = number = cells[1] = 0;                                                                    \
    if (!sigsetjmp(away, 1))                                                                                 \
        try##n();                                                                                            \
    printf("%d: signal %d, code %d, pc %ld, address %ld, %ld\n", n, number, code,                            \
           pc ? (long)(pc - (unsigned long)place##n) : -1,                                                   \
           address ? (long)(address - (unsigned long)place##n) : -1, cells[1]);
    EACH(CALL)
    return 0;
}
