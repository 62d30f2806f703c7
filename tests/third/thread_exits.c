/* thread_exits: what third must say of a line stands at its end; a thread ends the program while others wait. */
#include <pthread.h>
#include <stdlib.h>

static void *end(void *argument) {
    int *lost = malloc(30); //! leak
    lost = argument;
    exit(lost[0]);
}
int main(void) {
    pthread_t thread;
    int *kept = calloc(5, sizeof *kept), *in_stack = malloc(10);
    pthread_create(&thread, NULL, end, kept);
    pthread_join(thread, NULL);
    free(in_stack);
    return 0;
}
