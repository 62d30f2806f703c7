/* unset_counted: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    long *a = malloc(16);
    a[0] = 0;
    a[0]++;
    a[1]++;
    int x = a[0] == 77;
    x += a[1] == 77; //! unset heap read
    free(a);
    return x;
}
