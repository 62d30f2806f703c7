/* double_free: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <signal.h>
#include <unistd.h>

static void leave(int s) {
    _exit(s != SIGABRT);
}

int main(void) {
    void *volatile a = malloc(2000), *volatile b = malloc(10);
    free(a);
    free(b);
    signal(SIGABRT, leave);
    free(a); //! double free
    return 0;
}
