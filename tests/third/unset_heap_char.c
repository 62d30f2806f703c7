/* unset_heap_char: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    char *a = malloc(20);
    a[0] = 'a';
    if (a[1] == 'b') //! unset heap read
        puts("b");
    free(a);
    return 0;
}
