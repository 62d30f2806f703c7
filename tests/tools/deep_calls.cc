// deep_calls.cc: for tools_deep_calls.sh: threads recur 300 calls deep through two procedures, and leave there by returns, by longjmp,
// by exceptions; a signal is handled there; a child of fork goes on there. These procedures call no others.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static __thread jmp_buf place;
static volatile long sink;

extern "C" {
__attribute__((noipa)) void leaf(long n) {
    for (long i = 0; i < 8; i++)
        sink += n;
}
__attribute__((noipa)) void handler(int) {
    leaf(1);
}
__attribute__((noipa)) long odd(long n, int way);
__attribute__((noipa)) long even(long n, int way) {
    leaf(n);
    if (n == 0 && way == 1)
        longjmp(place, 1);
    if (n == 0 && way == 2)
        throw 1;
    if (n == 0 && way == 3)
        raise(SIGUSR1);
    if (n == 0 && way == 4 && fork() > 0)
        wait(NULL);
    long sum = n > 0 ? odd(n - 1, way) + 1 : 0;
    leaf(sum);
    return sum;
}
__attribute__((noipa)) long odd(long n, int way) {
    long sum = even(n - 1, way) + (n % 3 == 0 ? even(n % 8, 0) : 0);
    leaf(sum);
    return sum + 1;
}
__attribute__((noipa)) void *work(void *) {
    for (int way = 0; way < 4; way++) {
        if (setjmp(place) == 0)
            try {
                even(300, way);
            } catch (int) {
                leaf(2);
            }
        leaf(3);
    }
    return NULL;
}
}
int main() {
    signal(SIGUSR1, handler);
#ifdef THREADS
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        pthread_join(thread, NULL);
    }
#endif
    work(NULL);
    even(300, 4);
    return 0;
}
