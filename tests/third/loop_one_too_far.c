/* loop_one_too_far: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    int sum = 0, *a = malloc(5 * sizeof *a);
    for (int i = 0; i < 5; i++)
        a[i] = i;
    for (int i = 0; i <= 5; i++)
        sum += a[i]; //! read outside a block
    free(a);
    return sum == 99;
}
