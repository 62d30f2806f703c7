/* kept.c: calls of the runtime leave all registers and the memory below the stack pointer as they are
   (kept.S), also while signals arrive and where the instruction faults. Prints what differs, and what
   kept.atd counts and prints: in table.out how often x7 had which low bits, in expected.out the lines, on
   standard output the rest. */
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/time.h>

enum {
    TIMES = 60,
    SIGNALS = 40,
    LONGEST_VECTOR = 256,
    PREDICATES = 17,
    NEAREST_SPILL = 1024, /* bytes below the stack pointer; with frames there, nothing below is compared */
};
struct state {
    uint64_t general[32], vectors[32][2], nzcv, fpcr, fpsr, below[256];
};
_Static_assert(offsetof(struct state, vectors) == 256 && offsetof(struct state, nzcv) == 768, "kept.S");

void general(const struct state *before, struct state *after);
void scalable(const void *before, void *after);
uint64_t vector_bytes(void);
long load(const long *address);

static long differences, faults, calls, by_register[16], scalable_calls;
static volatile long arrived;
static FILE *lines;
static long *memory;

static uint64_t random_word(void) {
    static uint64_t state = 88172645463325252;
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static void fill(void *to, size_t bytes) {
    uint64_t *words = to;
    for (size_t i = 0; i < bytes / 8; i++)
        words[i] = random_word();
}

static void compare(const char *what, int number, const void *before, const void *after, size_t bytes) {
    if (memcmp(before, after, bytes) == 0)
        return;
    differences++;
    if (differences < 20)
        printf("%s %d differs\n", what, number);
}

static void try_general(void) {
    static struct state before, after;
    fill(&before, sizeof before);
    before.nzcv &= 15ul << 28;
    before.fpcr &= 0x03c00000;
    before.fpsr &= 0x0800009f;
    general(&before, &after);
    by_register[before.general[7] & 15]++;
    const uint64_t *x = before.general;
    fprintf(lines, "%d %lx %#lx %s %c %5ld|%-6d|%u\n", (int)(x[7] & 15), x[30], before.vectors[31][0],
            "general", 'A' + (int)(x[3] & 7), (long)x[2], (int)(x[1] & 255), 1);
    for (int i = 0; i < 31; i++)
        compare("x", i, &before.general[i], &after.general[i], 8);
    for (int i = 0; i < 32; i++)
        compare("v", i, before.vectors[i], after.vectors[i], 16);
    compare("nzcv", 0, &before.nzcv, &after.nzcv, 8);
    compare("fpcr", 0, &before.fpcr, &after.fpcr, 8);
    compare("fpsr", 0, &before.fpsr, &after.fpsr, 8);
    compare("stack", 0, before.below + 256 - NEAREST_SPILL / 8, after.below + 256 - NEAREST_SPILL / 8,
            NEAREST_SPILL);
}

static void try_scalable(void) {
    enum { HAS_SVE = 1 << 22 };
    static uint8_t before[32 * LONGEST_VECTOR + PREDICATES * LONGEST_VECTOR / 8], after[sizeof before];
    if (!(getauxval(AT_HWCAP) & HAS_SVE))
        return;
    size_t length = vector_bytes();
    fill(before, sizeof before);
    uint8_t *faulted = before + 32 * length + 16 * length / 8; /* ones, then zeros */
    memset(faulted, 0xff, length / 16);
    memset(faulted + length / 16, 0, length / 16);
    scalable(before, after);
    scalable_calls++;
    for (int i = 0; i < 32; i++)
        compare("z", i, before + i * length, after + i * length, length);
    for (int i = 0; i < PREDICATES; i++)
        compare("p", i, before + 32 * length + i * length / 8, after + 32 * length + i * length / 8,
                length / 8);
}

static void on_fault(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    faults += info->si_addr == (void *)memory;
    mprotect(memory, 65536, PROT_READ | PROT_WRITE);
}

__attribute__((noipa)) long called(long number, double fraction, const char *text) {
    printf("called %ld %.3f %s\n", number, fraction, text);
    calls++;
    return number + 1;
}

__attribute__((noipa)) void interrupted(void) {
    arrived++;
}

static void alarm_soon(void) {
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 2000}}, NULL);
}

static void on_alarm(int number) {
    (void)number;
    interrupted();
    if (arrived < SIGNALS)
        alarm_soon();
}

int main(int argc, char **argv) {
    struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO},
                     alarm = {.sa_handler = on_alarm, .sa_flags = SA_ONSTACK};
    static char stack[65536];
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    lines = fopen("expected.out", "w");
    sigaction(SIGSEGV, &fault, NULL);
    sigaction(SIGALRM, &alarm, NULL);
    memory = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < TIMES; i++) {
        try_general();
        try_scalable();
        *memory = i;
        mprotect(memory, 65536, PROT_NONE);
        differences += load(memory) != i;
        differences += load(memory) != i;
    }
    for (long i = 0; i < 4; i++)
        called(i * i - 2, (double)i / 7, i % 2 ? "odd" : "even");
    printf("%ld differ, %ld faults, %ld calls, ", differences, faults, calls);
    if (argc > 1 && strcmp(argv[1], "signals") == 0) {
        alarm_soon();
        for (int i = 0; arrived < SIGNALS; i++)
            if (i % 2)
                try_scalable();
            else
                try_general();
    }
    sigset_t now;
    int blocked = 0;
    sigprocmask(SIG_SETMASK, NULL, &now);
    for (int signal = 1; signal < NSIG; signal++)
        blocked += sigismember(&now, signal) == 1;
    printf("%ld interrupted, %ld differ, %d blocked\n", arrived, differences, blocked);
    FILE *table = fopen("table.out", "w");
    for (int i = 0; i < 16 && table; i++)
        fprintf(table, "%d\t%ld\t%ld\n", i, 1001 * (by_register[i] + (i == 3) * scalable_calls),
                7 * by_register[i]);
    return !table || fclose(table) || fclose(lines);
}
