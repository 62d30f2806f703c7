/* thread_overflow: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

#include <pthread.h>
static void *run(void *a) {
    ((int *)a)[6] = 1; //! write outside a block
    return a;
}
int main(void) {
    pthread_t thread;
    int *a = calloc(6, sizeof *a);
    pthread_create(&thread, NULL, run, a);
    pthread_join(thread, NULL);
    free(a);
    return 0;
}
