/* globals.c: variables that threads, a signal handler and a C++-like cleanup write; it prints how often. With other.c. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern void write_other(int times);
extern long shared;

long total;                      /* by main */
volatile int flag;               /* by the handler */
long locked[4];                  /* by threads */
char text[16] = "text";
const char constant[] = "constant";
static volatile short same;      /* there is another one in other.c */
__thread volatile long own;
extern long alias __attribute__((alias("total")));
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void handle(int number) {
    (void)number;
    flag++;
}

static void *work(void *argument) {
    long number = (long)argument;
    for (int i = 0; i < 100 * (number + 1); i++) {
        pthread_mutex_lock(&mutex);
        *(volatile long *)&locked[number] += i;
        own++;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    static volatile long within; /* of a procedure: its symbol has a number */
    pthread_t threads[4];
    signal(SIGUSR1, handle);
    for (int i = 0; i < 30; i++)
        *(volatile long *)&total += i;
    for (int i = 0; i < 7; i++)
        raise(SIGUSR1);
    for (int i = 0; i < 5; i++)
        same = i, within = i;
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    write_other(11);
    strcpy(text, "changed");
    printf("total 30 flag %d locked %d same 5 within 5 other 11 shared %ld\n", flag, 1000, shared);
    printf("%ld %ld %s %s\n", total, alias, text, constant);
    fflush(stdout);
    return 0;
}
