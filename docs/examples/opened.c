/* opened.c: reads files whose names it makes up, some of them in two threads. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_barrier_t all_there;

static __attribute__((noinline)) int look(const char *name, int flags) {
    int file = open(name, flags);
    if (file >= 0)
        close(file);
    return file >= 0;
}

static void *look_often(void *folder) {
    char name[40];
    pthread_barrier_wait(&all_there);
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "%s/%d", (const char *)folder, i % 3);
        look(name, O_RDONLY);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_barrier_init(&all_there, NULL, 2);
    pthread_create(&threads[0], NULL, look_often, "/none");
    pthread_create(&threads[1], NULL, look_often, "/other");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", look("/dev/null", O_RDWR) + look(NULL, O_RDONLY));
    return 0;
}
