/* faults.c: accesses that fault, in the way its argument says; everything that the program can see of them is printed. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { PAGE = 8192 };
static char *page;
static volatile int faults;
static int skips, protection = PROT_READ | PROT_WRITE;
static long at[8], counter[8];

extern char load_here[], store_here[], next_load[], next_store[];

/* The registers are looked at, too. */
__attribute__((noipa)) long load(const void *from, long other) {
    register long t0 __asm__("$1") = other, t1 __asm__("$2") = ~other, result __asm__("$0") = 77;
    __asm__ volatile("load_here: ldq %0, 0(%3)\nnext_load: xor %1, %2, %1" : "+r"(result), "+r"(t0), "+r"(t1) : "r"(from));
    return result * 3 + (t0 == -1);
}
__attribute__((noipa)) long store(void *to, long value) {
    register long t0 __asm__("$1") = value, t1 __asm__("$2") = ~value;
    __asm__ volatile("store_here: stl %0, 4(%2)\nnext_store: xor %0, %1, %0" : "+r"(t0), "+r"(t1) : "r"(to) : "memory");
    return t0 == -1;
}
/* To the zero register: touches nothing. */
__attribute__((noipa)) void prefetch(const void *from) {
    __asm__ volatile("ldl $31, 0(%0)\n\tlds $f31, 4(%0)" : : "r"(from));
}

static void on_fault(int signal, siginfo_t *info, void *context) {
    ucontext_t *user = context;
    long pc = (long)user->uc_mcontext.sc_pc;
    at[faults] = pc == (long)load_here ? 1 : pc == (long)store_here ? 2 : 0;
    counter[faults++] = ((char *)info->si_addr - page) / 8 * 1000 + signal;
    if (faults > 6)
        _exit(9);
    if (skips)
        user->uc_mcontext.sc_pc += 4;
    else
        mprotect(page, PAGE, protection);
}

static void show(const char *what, long value) {
    printf("%s: %ld, %d faults, at %ld %ld, %ld %ld\n", what, value, faults, at[0], at[1], counter[0], counter[1]);
    fflush(stdout);
    faults = 0;
    memset(at, 0, sizeof at);
    memset(counter, 0, sizeof counter);
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "";
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    sigset_t blocked;
    page = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(page + PAGE, PAGE, PROT_NONE);
    ((long *)page)[3] = 1000;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGSEGV);
    action.sa_sigaction = on_fault;
    if (!strcmp(way, "once"))
        action.sa_flags |= SA_RESETHAND;
    skips = !strcmp(way, "skips");
    if (strcmp(way, "blocked") && strcmp(way, "default"))
        sigaction(SIGSEGV, &action, 0);
    else
        sigprocmask(SIG_BLOCK, &blocked, 0);
    prefetch(page + 64);
    prefetch((void *)16);
    show("prefetched", 0);
    show("stored at the end", store(page + PAGE - 8, 3));
    if (skips) { /* not aligned, and half of it in a page that cannot be read */
        sigaction(SIGBUS, &action, 0);
        page[PAGE - 2] = 17;
        page[PAGE - 1] = 34;
        show("stored across the end", store(page + PAGE - 6, 7));
    }
    mprotect(page, PAGE, PROT_NONE);
    prefetch(page);
    if (!strcmp(way, "default"))
        sigprocmask(SIG_UNBLOCK, &blocked, 0);
    show("loaded", load(page + 24, 5));
    mprotect(page, PAGE, PROT_READ);
    if (!strcmp(way, "once"))
        sigaction(SIGSEGV, &action, 0);
    show("stored", store(page + 24, 7));
    mprotect(page, PAGE, PROT_READ);
    show("loaded again", load(page + 24, 6));
    if (!strcmp(way, "once"))
        load((void *)64, 1);
    return 0;
}
