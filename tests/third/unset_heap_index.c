/* unset_heap_index: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

static int table[1000];
int main(void) {
    unsigned char *a = malloc(10);
    int x = table[a[4]]; //! unset heap read
    free(a);
    return x;
}
