/* probes.c: addresses to look at by $memory: at every offset around the ends of pages that can be read, at none, in pages
   that cannot; with SIGSEGV at its default, blocked, ignored or handled; by threads. Prints what is there, by its own
   reckoning: probes WAY THREADS. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 8192, PAGES = 6 };
static unsigned char *pages; /* 1 and 3 can be read, 4 is a file's beyond its end, 0, 2 and 5 not at all */
static volatile int faults;
volatile unsigned long kept;

/* What the tool sees: an address, and what the 1, 2, 4 and 8 bytes there are. */
__attribute__((noipa)) void probe(const void *at, unsigned long one, unsigned long two, unsigned long four,
                                  unsigned long eight, long ordinal) {
    kept = (unsigned long)at + one + two + four + eight + (unsigned long)ordinal;
}

static unsigned long there(unsigned long at, int size, int known) {
    unsigned long value = 0;
    for (int i = size; i-- > 0;) {
        unsigned long offset = at + (unsigned)i - (unsigned long)pages;
        if (!known || offset >= PAGES * PAGE || (offset / PAGE != 1 && offset / PAGE != 3))
            return 0;
        value = value << 8 | pages[offset];
    }
    return value;
}

static void look(unsigned long at, int known, long ordinal) {
    probe((const void *)at, there(at, 1, known), there(at, 2, known), there(at, 4, known), there(at, 8, known),
          ordinal);
}

static void *look_everywhere(void *argument) {
    static const unsigned long nowhere[] = {0, 1, 7, 8, 4095, -1UL, -2UL, -4UL, -8UL, -9UL, 1UL << 63, (1UL << 63) - 1,
                                            1UL << 43, 0xfffffc0000000000, 0x7ffffffffffffff8, (1UL << 42) - 1};
    long ordinal = 0;
    for (int page = 1; page < PAGES; page++)
        for (long offset = -17; offset < 17; offset++)
            look((unsigned long)pages + (unsigned long)(page * PAGE + offset), 1, ++ordinal);
    for (unsigned i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++)
        look(nowhere[i], 0, ++ordinal);
    return argument;
}

static void on_fault(int signal) {
    faults++;
    _exit(signal);
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "";
    int threads = count > 2 ? atoi(words[2]) : 0;
    sigset_t blocked;
    FILE *file = tmpfile();
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGSEGV);
    sigaddset(&blocked, SIGBUS);
    pages = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < PAGES * PAGE; i++)
        pages[i] = (unsigned char)(i * 7 + i / PAGE + 129);
    for (int i = 0; i < PAGES; i++)
        if (i != 1 && i != 3 && i != 4)
            mprotect(pages + i * PAGE, PAGE, PROT_NONE);
    if (!file || ftruncate(fileno(file), PAGE) != 0 ||
        mmap(pages + 4 * PAGE, PAGE, PROT_READ, MAP_SHARED | MAP_FIXED, fileno(file), 0) == MAP_FAILED ||
        ftruncate(fileno(file), 0) != 0)
        return 1;
    if (!strcmp(way, "blocked"))
        sigprocmask(SIG_BLOCK, &blocked, 0);
    if (!strcmp(way, "ignored"))
        signal(SIGSEGV, SIG_IGN), signal(SIGBUS, SIG_IGN);
    if (!strcmp(way, "handled"))
        signal(SIGSEGV, on_fault), signal(SIGBUS, on_fault);
    pthread_t thread[8];
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], 0, look_everywhere, 0);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], 0);
    if (!threads)
        look_everywhere(0);
    sigset_t mask;
    sigprocmask(SIG_SETMASK, 0, &mask);
    printf("%d faults, blocked %d %d\n", faults, sigismember(&mask, SIGSEGV), sigismember(&mask, SIGBUS));
    return 0;
}
