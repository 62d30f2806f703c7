/* unset_copied_block: a line with an error ends with third's message; what the C library's routines copy is as unset as it was. */
/* options: -fno-builtin */
#include <stdlib.h>
#include <string.h>

int main(void) {
    long *a = malloc(24), *b = malloc(24), x = 0;
    char *c = malloc(27);
    a[1] = 1;
    memcpy(b, a, 24);
    x += b[0] == 1;      //! unset heap read
    x += b[1] == 1;
    x += b[2] == 1;      //! unset heap read
    memmove(b + 1, b, 16);
    x += b[1] == 1;      //! unset heap read
    x += b[2] == 1;
    memcpy(c + 3, a, 24);
    memcpy(b, c + 3, 24);
    x += b[0] == 1;      //! unset heap read
    x += b[1] == 1;
    memset(c, 0, 27);
    memcpy(b, c + 3, 24);
    x += b[0] == 1;
    x += strlen((char *)(a + 2)); //! unset heap read
    free(a);
    free(b);
    free(c);
    return x > 1000;
}
