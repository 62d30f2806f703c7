/* unset_stack_condition: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

static void fill(void) {
    volatile char a[200];
    for (int i = 0; i < 200; i++)
        a[i] = 7;
}
static int use(int c) {
    int x;
    if (c > 1)
        x = 2;
    if (x > 3) //! unset stack read
        return 1;
    return 0;
}
int main(int argc, char **argv) {
    (void)argv;
    fill();
    return use(argc) > 5;
}
