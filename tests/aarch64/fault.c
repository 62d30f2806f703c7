/* fault.c: loads that fault, and are made again after the handler has made the memory readable; prints how many, and the addresses. */
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

enum { BYTES = 65536, LOADS = 50 };
static char *memory;
static long faults, addresses;

static void on_fault(int number, siginfo_t *info, void *context) {
    (void)number;
    (void)context;
    faults++;
    addresses += (char *)info->si_addr - memory;
    mprotect(memory, BYTES, PROT_READ | PROT_WRITE);
}

__attribute__((noipa)) long get(const long *at) {
    return *at;
}

/* The last two are on the stack. */
__attribute__((noipa)) long take(long a, long b, long c, long d, long e, long f, long g, long h, long i, int j) {
    return a + b + c + d + e + f + g + h + i + j;
}

int main(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long sum = 0;
    for (int i = 0; i < LOADS; i++) {
        ((long *)memory)[i] = i * i;
        mprotect(memory, BYTES, PROT_NONE);
        sum += get((long *)memory + i);
        sum += get((long *)memory + i);
        sum += take(0, 0, 0, 0, 0, 0, 0, 0, -1000L * i, i);
    }
    printf("%ld %ld %ld\n", sum, faults, addresses);
    return 0;
}
