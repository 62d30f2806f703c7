/* thread_faults.c HOW THREADS: threads fault, by a store (s), a call (c), or a signal that they send themselves (r); the handler gives the
   signal its default action and sends it again, as those do that say where a program crashed. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int how;
static void handle(int signal_number) {
    write(2, "handler\n", 8);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}
static void *work(void *nothing) {
    if (how == 's')
        *(volatile int *)0 = 1;
    if (how == 'c')
        ((void (*volatile)(void))0)();
    raise(SIGSEGV);
    return nothing;
}
int main(int argc, char **argv) {
    long count = argc > 2 ? atol(argv[2]) : 1;
    pthread_t threads[8];
    how = argc > 1 ? *argv[1] : 's';
    signal(SIGSEGV, handle);
    for (long i = 0; i < count; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (long i = 0; i < count; i++)
        pthread_join(threads[i], 0);
    if (!count)
        work(0);
    return 0;
}
