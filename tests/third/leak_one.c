/* leak_one: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

static void lose(void) {
    char *a = malloc(100); //! leak
    a[0] = 1;
}
static void wipe(void) {
    volatile char a[500];
    memset((char *)a, 0, sizeof a);
}
int main(void) {
    lose();
    wipe();
    return 0;
}
