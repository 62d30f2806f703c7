/* call_interrupted: a line with an error ends with third's message; a handler makes system calls while another waits, which then
 * goes on, and has what it has brought seen; or never goes on. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static int ends[2];
static sigjmp_buf out;
static void answer(int signal) {
    (void)signal;
    if (write(ends[1], "abc", 4) != 4)
        abort();
}
static void leave(int signal) {
    (void)signal;
    siglongjmp(out, 1);
}
static void come(void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct itimerval timer = {{0, 0}, {0, 20000}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}
int main(void) {
    char *buffer = malloc(16), *other = malloc(16);
    int seen = 0;
    if (pipe(ends) != 0)
        abort();
    come(answer);
    if (read(ends[0], buffer, 16) == 4 && strcmp(buffer, "abc") == 0)
        seen++;
    if (sigsetjmp(out, 1) == 0) {
        come(leave);
        if (read(ends[0], other, 16) == 4)
            seen++;
    }
    if (other[3] == 'c') //! unset heap read
        seen++;
    write(ends[1], "d", 2);
    if (read(ends[0], other, 2) == 2 && other[0] == 'd' && other[1] == 0)
        seen++;
    free(buffer);
    free(other);
    return seen != 2;
}
