#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    void *volatile block = malloc(1000);
    if (fork() == 0)
        block = malloc(20);
    else
        wait(NULL);
    return block == NULL;
}
