/* unset_alloca: what third must say of a line stands at its end. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int *a = __builtin_alloca(argc * 40);
    a[0] = 1;
    return a[3] == 12345; //! unset stack read
}
