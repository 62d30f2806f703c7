/* unset_string: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    char *a = malloc(64);
    int n = strlen(a); //! unset heap read
    free(a);
    return n > 1000;
}
