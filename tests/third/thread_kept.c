/* thread_kept: a line with an error ends with third's message; what only threads point to is no leak. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static __thread int *in_thread_data;
static sem_t ready;
static pthread_key_t key;

static void *wait_forever(void *argument) {
    int *on_stack = malloc(100);
    in_thread_data = malloc(200);
    pthread_setspecific(key, malloc(300));
    char *lost = malloc(400); //! leak
    lost = NULL;
    sem_post(&ready);
    pause();
    return on_stack == argument ? lost : NULL;
}
int main(void) {
    pthread_t threads[3];
    in_thread_data = malloc(500);
    sem_init(&ready, 0, 0);
    pthread_key_create(&key, NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, wait_forever, malloc(600));
    for (int i = 0; i < 3; i++)
        sem_wait(&ready);
    exit(0);
}
