/* bit_fields: of the eight bytes that are loaded and stored, two are the block's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *volatile kept;
struct bits { unsigned short n : 10; unsigned char red : 1; };   /* 2 bytes */
__attribute__((noinline)) static void set(struct bits *b) { b->n = 3; b->red = 1; }
int main(void) {
    struct bits *b = malloc(sizeof *b);
    memset(b, 0, sizeof *b);
    set(b);
    printf("%d %d\n", b->n, b->red);        /* read */
    struct bits *c = malloc(sizeof *c);
    c->n = 0;                               /* write */
    c->red = 1;
    printf("%d\n", c->red);
    short *s = malloc(sizeof *s);
    *s = 1;
    printf("%d\n", *s);
    free(s); free(b); free(c);
    kept = malloc(3); //! leak
    kept = 0;
    return 0;
}
