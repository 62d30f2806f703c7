/* leak_realloc: what third must say of a line stands at its end. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

static char *kept;
int main(void) {
    kept = malloc(10); //! leak
    kept = malloc(20);
    return 0;
}
