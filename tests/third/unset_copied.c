/* unset_copied: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    int *a = malloc(8), *b = malloc(8);
    a[0] = 1;
    b[0] = a[0];
    b[1] = a[1];
    int x = b[1] == 5; //! unset heap read
    free(a);
    free(b);
    return x;
}
