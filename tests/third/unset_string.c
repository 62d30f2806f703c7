/* unset_string: what third must say of a line stands at its end. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    char *a = malloc(64);
    int n = strlen(a); //! unset heap read
    free(a);
    return n > 1000;
}
