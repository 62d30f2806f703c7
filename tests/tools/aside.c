/* aside.c: registers that the program is done with keep what they hold, which audit asks for much later: over calls, signal handlers
   that change them, ways out of handlers, contexts, children, and code that the program makes. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

/* hold: into temporaries, which nobody needs. again: the same loads; redundant, if they are what they were. pass: loads and
   branches meanwhile, in other registers. touch: what a load would take from no address at all. */
void hold(const long *value), again(const long *value), touch(void);
long pass(const long *values, long count);
__asm__(".text; .set noreorder; .set noat; .set nomacro\n"
        "hold: ldq $22,0($16); ldq $24,0($16); addq $24,0,$25; ldq $28,0($16); ret $31,($26)\n"
        "again: ldq $22,0($16); ldq $24,0($16); ldq $25,0($16); ldq $28,0($16); ret $31,($26)\n"
        "pass: bis $31,$31,$0\n"
        "1: ldq $1,0($16); ldq $2,8($16); addq $1,$2,$1; addq $0,$1,$0; subq $17,1,$17; bgt $17,1b; ret $31,($26)\n"
        "touch: ldq $1,0($31); ret $31,($26)\n"
        ".set macro; .set at; .set reorder\n");

static const long values[] = {7, 9, 11};
static sigjmp_buf out;
static int leaves;

static void handle(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)info;
    hold(&values[2]);
    pass(values, 2);
    again(&values[2]);
    if (leaves)
        siglongjmp(out, 1);
    ((ucontext_t *)context)->uc_mcontext.sc_pc += 4;
}

int main(void) {
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigaction(SIGSEGV, &action, 0);
    long sum = 0;
    for (int round = 0; round < 20; round++) {
        hold(&values[round & 1]);
        sum += pass(values, 3);
        again(&values[round >> 1 & 1]);
        touch(); /* the handler's values are gone when it returns */
        sum += pass(values, 3);
        again(&values[round & 1]);
        leaves = 1; /* and stay, when it does not */
        if (!sigsetjmp(out, 1))
            touch();
        again(&values[2]);
        leaves = 0;
    }
    for (int round = 0; round < 3; round++) {
        pid_t child = vfork();
        if (child == 0) {
            hold(&values[round & 1]);
            _exit(0);
        }
        again(&values[0]);
        waitpid(child, 0, 0);
    }
    uint32_t *code = mmap(0, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED)
        return 1;
    code[0] = 0xa7100008; /* ldq $24,8($16) */
    code[1] = 0x6bfa8001; /* ret */
    __asm__ volatile("call_pal 0x86" ::: "memory");
    void (*volatile made)(const long *) = (void (*)(const long *))code;
    for (int round = 0; round < 10; round++) {
        hold(&values[0]);
        made(values);
        pass(values, 3);
        again(&values[0]); /* not $24 */
    }
    printf("%ld\n", sum);
    return 0;
}
