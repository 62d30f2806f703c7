/* wide_tail: wide characters beyond the end of blocks whose sizes are no multiples of theirs. */
#include <stdlib.h>
#include <wchar.h>

int main(void) {
    wchar_t *d = malloc(20), *e = malloc(22);
    wchar_t f[6];
    wmemset(e, 0, 5);
    e[5] = 1; //! write outside a block
    volatile int last = e[5]; //! read outside a block
    (void)last;
    wmemset(f, 7, 6);
    wcsncpy(d, L"Four", 5);
    free(d);
    free(e);
    return f[5] != 7;
}
