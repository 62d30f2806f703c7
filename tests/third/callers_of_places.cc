/* callers_of_places: by which calls each place was reached: other ways, recursion, longjmp, exceptions, handlers of signals, threads. The
 * lines of expected rows: error, place, its callers as the column has them, and of the block. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static volatile int sink;
static jmp_buf buffer;

static char *make(int size) {
    return (char *)malloc(size); //! leak
}
static char *other(int size) {
    return make(size); // callers: leak < other:16 < main:83
}
// callers: leak < main:81
// callers: leak < main:84
// callers: leak < handler:39
// callers: leak < worker:72 < start_thread < thread_start

static void look(char *block) {
    sink += block[3]; //! read outside a block
}
static void deep(char *block, int depth) {
    if (depth == 0)
        look(block); // callers: read outside a block < deep:28 < deep:30 < deep:30 < main:88 / main:85
    else
        deep(block, depth - 1);
}
static void leave(char *block, int depth) {
    if (depth > 0)
        leave(block, depth - 1);
    else
        longjmp(buffer, 1);
}
static void handler(int) {
    sink += make(40) != 0;
}
static void thrown(int depth) {
    if (depth > 0)
        thrown(depth - 1);
    throw depth;
}
static void caught(char *block) {
    try {
        thrown(5);
    } catch (int) {
        look(block); // callers: read outside a block < caught:50 < main:92 / main:85
    }
}
static void again(char *block, int depth) {
    if (depth > 0) {
        if (setjmp(buffer) == 0)
            leave(block, 4);
        else
            look(block); // callers: read outside a block < again:58 < again:59 < main:90 / main:85
        again(block, depth - 1); // callers: read outside a block < again:58 < main:90 / main:85
    }
}
static void wipe() {
    volatile char a[800];
    memset((char *)a, 0, sizeof a);
}
static void clean(int depth) {
    wipe();
    if (depth > 0)
        clean(depth - 1);
}
static void *worker(void *) {
    sink += make(50) != 0;
    clean(5);
    return nullptr;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handler);
    char *block;
    make(10);
    for (int i = 0; i < 3; i++)
        other(20);
    make(30);
    block = make(3);
    memset(block, 0, 3);

    deep(block, 2);

    again(block, 2);

    caught(block);
    raise(SIGUSR1);
    pthread_create(&thread, nullptr, worker, nullptr);
    pthread_join(thread, nullptr);
    free(block);
    clean(5);
    return 0;
}
