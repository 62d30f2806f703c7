/* unset_heap_argument: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

static int twice(int x) {
    return x > 1;
}
int main(void) {
    int *a = malloc(4 * sizeof *a);
    int x = twice(a[2]); //! unset heap read
    free(a);
    return x;
}
