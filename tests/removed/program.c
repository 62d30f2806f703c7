/* Adds and drops keys from four threads, from handlers of signals and in a child, and prints for each table the
   values that remain: TABLE KEY COUNT SUM. Only the procedures added, dropped, emptied and shared are instrumented. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, KEYS = 300, HANDLED = 5, COMMON = THREADS + 1 };
static struct value {
    long count, sum;
} values[THREADS + 2][KEYS]; /* one row for each thread, one for handlers, one that all threads share */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char names[THREADS + 2][KEYS][16];

__attribute__((noinline)) void added(long key, const char *name, long amount) {
    __asm__ volatile("" : : "r"(key), "r"(name), "r"(amount) : "memory");
}
__attribute__((noinline)) void dropped(long key, const char *name) {
    __asm__ volatile("" : : "r"(key), "r"(name) : "memory");
}
__attribute__((noinline)) void emptied(void) {
    __asm__ volatile("" : : : "memory");
}
__attribute__((noinline)) void mine(long add) { /* keys of the thread itself: 0 to 9 */
    __asm__ volatile("" : : "r"(add) : "memory");
}
__attribute__((noinline)) void mine_emptied(void) {
    __asm__ volatile("" : : : "memory");
}

static void operate(int row, long key, unsigned random) {
    struct value *value = &values[row][key];
    if (random % 3 == 0) {
        *value = (struct value){0, 0};
        dropped(1000 * row + key, names[row][key]);
    } else {
        value->count++;
        value->sum += random % 100;
        added(1000 * row + key, names[row][key], random % 100);
    }
}

static unsigned next_random(unsigned *seed) {
    return (*seed = *seed * 1103515245 + 12345) >> 8 & 0xffff;
}

/* Handlers run one at a time: only the first thread accepts the signals. */
static unsigned handled_seed = 99;
static sigset_t handled;
static void on_signal(int number) {
    (void)number;
    operate(THREADS, next_random(&handled_seed) % HANDLED, next_random(&handled_seed));
}

static void *work(void *argument) {
    int row = (int)(long)argument;
    unsigned seed = row + 1;
    if (row == 0)
        pthread_sigmask(SIG_UNBLOCK, &handled, NULL);
    for (int i = 0; i < 6000; i++) {
        unsigned key = next_random(&seed) % KEYS, random = next_random(&seed);
        operate(row, key, random);
        if (i % 8 == 0) {
            pthread_mutex_lock(&lock);
            operate(COMMON, key % 10, random);
            pthread_mutex_unlock(&lock);
        }
        mine(i % 10);
        if (i == 4000 && row % 2 == 0)
            mine_emptied();
        if (row == 0 && i % 50 == 0)
            raise(SIGUSR1);
    }
    return NULL;
}

static void report(void) {
    for (int row = 0; row < THREADS + 2; row++)
        for (int key = 0; key < KEYS; key++)
            if (values[row][key].count)
                printf("%d\t%s\t%ld\t%ld\n", 1000 * row + key, names[row][key], values[row][key].count,
                       values[row][key].sum);
    fflush(stdout);
}

static void phase(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

int main(int count, char **arguments) {
    sigaddset(&handled, SIGUSR1);
    sigaddset(&handled, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &handled, NULL);
    const struct sigaction action = {.sa_handler = on_signal, .sa_mask = handled, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    const struct itimerval often = {{0, 1500}, {0, 1500}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &often, NULL);
    for (int row = 0; row < THREADS + 2; row++)
        for (int key = 0; key < KEYS; key++)
            snprintf(names[row][key], sizeof names[row][key], "%c%d", "abcdef"[row], key);
    phase();
    emptied();
    memset(values, 0, sizeof values);
    phase();
    setitimer(ITIMER_REAL, &never, NULL);
    if (count > 1) { /* the child's counts begin at 0 */
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            unsigned seed = 7;
            memset(values, 0, sizeof values);
            for (int i = 0; i < 2000; i++) {
                unsigned key = next_random(&seed) % KEYS, random = next_random(&seed);
                operate(1, key, random);
            }
            if (!freopen(arguments[1], "w", stdout))
                return 1;
            report();
            return 0;
        }
        waitpid(child, NULL, 0);
    }
    report();
    return 0;
}
