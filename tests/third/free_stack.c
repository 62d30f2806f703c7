/* free_stack: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <signal.h>
#include <unistd.h>

static void leave(int s) {
    _exit(s != SIGABRT);
}

int main(void) {
    long array[4] = {0};
    void *volatile a = array;
    signal(SIGABRT, leave);
    free(a); //! free of no block
    return 0;
}
