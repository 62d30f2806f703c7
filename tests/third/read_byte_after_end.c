/* read_byte_after_end: what third must say of a line stands at its end. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    char *a = calloc(1, 21);
    int x = a[21]; //! read outside a block
    free(a);
    return x == 77;
}
