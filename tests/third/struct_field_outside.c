/* struct_field_outside: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

struct big {
    long a, b, c;
};
int main(void) {
    struct big *b = malloc(sizeof(long) * 2);
    b->a = b->b = 1;
    b->c = 1; //! write outside a block
    free(b);
    return 0;
}
