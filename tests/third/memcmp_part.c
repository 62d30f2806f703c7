/* memcmp_part: the last byte alone is unset, and equal in both. */
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *a = calloc(1, 64), *b = malloc(64);
    memset(b, 0, 8);
    int differs = memcmp(a, b, 8) != 0;
    differs += memcmp(a, b, 9) > 1; //! unset heap read
    free(a);
    free(b);
    return differs > 1;
}
