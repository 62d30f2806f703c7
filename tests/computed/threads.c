/* threads.c: four threads that update the same numbers, of which they load 80,000. */
#include <pthread.h>
#include <stdio.h>
long numbers[4096];
static void *work(void *argument) {
    for (long i = 0; i < 20000; i++)
        numbers[(i * 5 + (long)argument) % 4096] += i;
    return NULL;
}
int main(void) {
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    puts("done");
    return 0;
}
