/* unset_heap_condition: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    int *a = malloc(10 * sizeof *a);
    a[0] = 1;
    if (a[3] > 5) //! unset heap read
        puts("large");
    free(a);
    return 0;
}
