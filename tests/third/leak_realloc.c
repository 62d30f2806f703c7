/* leak_realloc: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

static char *kept;
int main(void) {
    kept = malloc(10); //! leak
    kept = malloc(20);
    return 0;
}
