/* thread_reads: a line with an error ends with third's message; system calls of several threads overlap. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int pipes[3][2];

static void *read_one(void *argument) {
    long number = (long)argument;
    char *line = malloc(8);
    if (read(pipes[number][0], line, 4) == 4 && line[3] == 'd')
        number = 0;
    if (line[5] == 'e') //! unset heap read
        number = 0;
    free(line);
    return (void *)number;
}
int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) {
        pipe(pipes[i]);
        pthread_create(&threads[i], NULL, read_one, (void *)i);
    }
    usleep(100000);
    for (int i = 0; i < 3; i++)
        write(pipes[i][1], "abcd", 4);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
