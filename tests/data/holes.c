/* holes.c: of three blocks, one is reached from initialised data, one from other data, one is lost. */
#include <stdio.h>
#include <stdlib.h>
char *kept;
char *initialised[2] = {"a"};
int main(void) {
    kept = malloc(10);
    initialised[1] = malloc(20);
    char *volatile lost = malloc(30);
    *lost = 1;
    lost = 0;
    puts("done");
    return 0;
}
