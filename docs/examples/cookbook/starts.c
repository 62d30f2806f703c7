/* starts.c: starts another program, and waits for it. */
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    if (fork() == 0)
        execl("/bin/true", "true", "quietly", (char *)0);
    wait((int *)0);
    return 0;
}
