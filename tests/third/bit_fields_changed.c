/* bit_fields_changed: fields that are set, changed and read, of structures of one, two and eight bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *volatile kept;
struct bits { unsigned short n : 10; unsigned char red : 1; };
struct more { unsigned a : 3, b : 7, c : 5; signed d : 6; unsigned char e; };
struct tiny { unsigned char x : 3, y : 5; };
__attribute__((noinline)) static void set(struct bits *b, int x, int y) { b->n = x; b->red = y; }
__attribute__((noinline)) static void more(struct more *b, int x, int y) { b->a = x; b->c = y; b->d = x - y; b->b += 3; b->e++; }
__attribute__((noinline)) static void tiny(struct tiny *b, int x, int y) { b->x = x; b->y = y; b->x++; }
__attribute__((noinline)) static int get(struct bits *b) { return b->n == 3 && b->red; }
__attribute__((noinline)) static int gets2(struct more *b) { return b->a + b->b * b->c - b->d + b->e; }
__attribute__((noinline)) static int gett(struct tiny *b) { return b->x * b->y; }
int main(int n, char **v) {
    struct bits *b = calloc(1, sizeof *b); struct more *m = calloc(1, sizeof *m); struct tiny *t = calloc(1, 1);
    for (int i = 0; i < 3; i++) { set(b, i, n); more(m, i, n); tiny(t, i, n); printf("%d %d %d\n", get(b), gets2(m), gett(t)); }
    struct bits *c = malloc(sizeof *c);
    c->n = n; c->red = n;
    printf("%d\n", c->red + c->n);
    free(b); free(m); free(t); free(c);
    kept = malloc(3); //! leak
    kept = 0;
    return 0;
}
