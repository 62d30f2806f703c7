/* unset_heap_double: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    double sum = 0, *a = malloc(4 * sizeof *a);
    a[0] = a[1] = a[2] = 1;
    for (int i = 0; i < 4; i++)
        sum += a[i]; //! unset heap read
    free(a);
    return sum > 1000;
}
