/* thread_exits: a line with an error ends with third's message; a thread ends the program while others wait. */
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
