/* unset_after_realloc: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    int *a = calloc(4, sizeof *a);
    a = realloc(a, 400);
    if (a[3] == 1)
        puts("no");
    if (a[4] == 1) //! unset heap read
        puts("yes");
    free(a);
    return 0;
}
