/* string_without_room: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    char *a = malloc(5);
    for (int i = 0; i < 5; i++)
        a[i] = "hello"[i];
    a[5] = 0; //! write outside a block
    free(a);
    return 0;
}
