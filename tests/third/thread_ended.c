/* thread_ended: a line with an error ends with third's message; what the C library keeps of ended threads is no leak, nor is
 * what it frees of them an error. */
#include <pthread.h>
#include <stdlib.h>

static __thread int *in_thread_data;

static void *work(void *argument) {
    char *blocks[20];
    in_thread_data = malloc(100); //! leak
    for (int i = 0; i < 20; i++)
        blocks[i] = malloc(8 + 16 * (i % 5));
    for (int i = 0; i < 20; i++)
        free(blocks[i]);
    return argument;
}
static void wipe(void) {
    volatile char a[500];
    for (int i = 0; i < 500; i++)
        a[i] = 0;
}
int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    wipe();
    return 0;
}
