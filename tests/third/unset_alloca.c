/* unset_alloca: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int *a = __builtin_alloca(argc * 40);
    a[0] = 1;
    return a[3] == 12345; //! unset stack read
}
