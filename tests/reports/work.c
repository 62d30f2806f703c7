/* work.c: procedures that are called a known number of times with known arguments.
   Arguments: f, a child does more; d, it goes to the root directory; s, it ends with status 3; k, a signal
   ends it. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

volatile int sum;

__attribute__((noinline)) void twice(long n) {
    sum += 2 * (int)n;
}

__attribute__((noinline)) void thrice(long n) {
    sum += 3 * (int)n;
}

__attribute__((noinline)) void never(long n) {
    sum -= (int)n;
}

int main(int count, char **words) {
    const char *how = count > 1 ? words[1] : "";
    for (long n = 0; n < 6; n++)
        twice(10 * n - 7);
    thrice(-2);
    thrice(-4);
    if (count > 5)
        never(1);
    if (strchr(how, 'd') && chdir("/") != 0)
        return 1;
    if (strchr(how, 'f')) {
        if (fork() == 0)
            thrice(5);
        else
            wait(NULL);
    }
    if (strchr(how, 'k'))
        abort();
    return strchr(how, 's') ? 3 : 0;
}
