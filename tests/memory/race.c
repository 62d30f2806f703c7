/* race.c: a page comes and goes, by one thread, while another has it looked at: race LOOKS. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static char *page;
static volatile int done;
volatile long kept;

__attribute__((noipa)) void look(const char *at) {
    kept = (long)at;
}

static void *come_and_go(void *argument) {
    while (!done) {
        mprotect(page, 8192, PROT_NONE);
        mprotect(page, 8192, PROT_READ);
    }
    return argument;
}

static void on_fault(int signal) {
    _exit(signal);
}

int main(int count, char **words) {
    pthread_t thread;
    signal(SIGSEGV, on_fault);
    page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 8192; i++)
        page[i] = 0x55;
    pthread_create(&thread, 0, come_and_go, 0);
    for (long i = 0; i < (count > 1 ? atol(words[1]) : 1000); i++)
        look(page + i % 8185);
    done = 1;
    pthread_join(thread, 0);
    puts("done");
    return 0;
}
