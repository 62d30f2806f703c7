/* raised.c: computes, and asks the system, in a thread or not, while raises.atd sends signals. Prints the
   result; how many have come is written to the file `came`. Use: raised [thread]; with THREADS defined. */
#ifdef THREADS
#include <pthread.h>
#endif
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROUNDS = 40, BYTES = 65536 };
static volatile long came;

/* It uses much of the stack below what it has interrupted, and all registers. */
static void count(int signal) {
    volatile char room[6000];
    memset((char *)room, signal, sizeof room);
    __sync_fetch_and_add(&came, 1);
}

static long __attribute__((noinline)) pick(long i) {
    switch (i) {
    case 0:
        return 11;
    case 1:
        return 7;
    case 2:
        return -4;
    case 3:
        return 100;
    case 4:
        return 3;
    default:
        return 1;
    }
}

/* How many signals the thread blocks. */
static long blocked(void) {
    sigset_t now;
    long count = 0;
    sigprocmask(SIG_SETMASK, NULL, &now);
    for (int signal = 1; signal <= SIGRTMAX; signal++)
        count += sigismember(&now, signal) == 1;
    return count;
}

static long __attribute__((noinline)) work(long rounds) {
    double all = 0.5;
    long sum = 0;
    for (long i = 0; i < rounds; i++) {
        char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memory[i] = (char)i;
        all = all * 1.25 + i;
        sched_yield();
        sum += memory[i] * pick(i % 6) + (getpid() > 0);
        sum += munmap(memory, BYTES) == 0;
        sum += 1000 * blocked();
        if (all > 1e6)
            all /= 3;
    }
    return sum + (long)all;
}

#ifdef THREADS
static void *thread(void *argument) {
    return (void *)work((long)argument);
}

static void work_twice(void) {
    pthread_t other;
    void *result;
    pthread_create(&other, NULL, thread, (void *)ROUNDS);
    printf("%ld\n", work(ROUNDS));
    pthread_join(other, &result);
    printf("%ld\n", (long)result);
}
#else
static void work_twice(void) {
}
#endif

int main(int argc, char **argv) {
    struct sigaction action = {.sa_handler = count};
    FILE *file;
    (void)argv;
    sigaction(SIGRTMIN + 1, &action, NULL);
    if (argc > 1)
        work_twice();
    else
        printf("%ld\n", work(ROUNDS));
    file = fopen("came", "w");
    fprintf(file, "%ld\n", came);
    fclose(file);
    return 0;
}
