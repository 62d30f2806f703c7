/* free_inside: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <signal.h>
#include <unistd.h>

static void leave(int s) {
    _exit(s != SIGABRT);
}

int main(void) {
    char *volatile a = malloc(100);
    signal(SIGABRT, leave);
    free(a + 16); //! free of no block
    free(a);      // where that has not ended the program
    return 0;
}
