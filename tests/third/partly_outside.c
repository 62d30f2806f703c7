/* partly_outside: a line with an error ends with third's message; accesses that begin inside of a block. */
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) unaligned {
    int value;
};
static volatile long sink;
static volatile short small;

int main(void) {
    long *a = malloc(4);
    *a = 1;                                                   //! write outside a block
    sink = *a;                                                //! read outside a block
    char *b = malloc(6);
    *(int *)(b + 4) = 1;                                      //! write outside a block
    sink = *(int *)(b + 4);                                   //! read outside a block
    char *c = malloc(1);
    *(short *)c = 1;                                          //! write outside a block
    small = *(short *)c;                                      //! read outside a block
    sink = *(unsigned short *)c;                              //! read outside a block
    char *d = malloc(10);
    ((struct unaligned *)(d + 7))->value = 1;                 //! write outside a block
    sink = ((struct unaligned *)(d + 7))->value;              //! read outside a block
    double *e = malloc(7);
    *e = 1;                                                   //! write outside a block
    sink = *e == 1;                                           //! read outside a block
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
    return 0;
}
