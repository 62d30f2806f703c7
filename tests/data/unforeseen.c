/* unforeseen.c KIND OFFSET: a jump of some kind to OFFSET bytes after the beginning of `victim` (unforeseen.s), whose
   only foreseen place is its first instruction. Its handlers must not see what is atomc's matter. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

extern char victim[];
extern long by_jump(long target), by_return(long target), by_call(long target), by_link(long target),
    computed(long n);

static void caught(int signal) {
    printf("caught %d\n", signal);
    exit(9);
}

/* Code that the program makes: `jmp $31,($16)`. */
static long by_own_code(long target) {
    unsigned *code = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    code[0] = 0x47ff0400; /* clr $0 */
    code[1] = 0x6bf00000;
    __asm__ volatile("imb");
    return ((long (*)(long))code)(target);
}

int main(int argc, char **argv) {
    const char *kind = argc > 1 ? argv[1] : "jump";
    long target = (long)victim + (argc > 2 ? atol(argv[2]) : 0), result = 0;
    signal(SIGSEGV, caught);
    signal(SIGABRT, caught);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGABRT);
    sigprocmask(SIG_BLOCK, &set, NULL);
    for (long n = 0; n < 8; n++)
        result += computed(n) * (n + 1);
    printf("%ld\n", result);
    fflush(stdout);
    if (strcmp(kind, "jump") == 0)
        result = by_jump(target);
    else if (strcmp(kind, "return") == 0)
        result = by_return(target);
    else if (strcmp(kind, "call") == 0)
        result = by_call(target);
    else if (strcmp(kind, "link") == 0)
        result = by_link(target);
    else if (strcmp(kind, "own-code") == 0)
        result = by_own_code(target);
    printf("%ld\n", result);
    return 0;
}
