/* unset_returned: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

static int forget(int c) {
    int x;
    if (c == 77)
        x = 1;
    return x; //! unset stack read
}
int main(int argc, char **argv) {
    (void)argv;
    return forget(argc) == 12345;
}
