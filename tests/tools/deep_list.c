/* deep_list.c: for tools_deep_calls.sh: a list of 300 elements is walked by recursion; hash() is called for each. */
#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
__attribute__((noinline)) unsigned hash(int n) { unsigned h = n; for (int i = 0; i < 8; i++) h = h * 31 + i; return h; }
__attribute__((noinline)) unsigned last(int n) { unsigned h = n; for (int i = 0; i < 1000; i++) h = h * 31 + i; return h; }
__attribute__((noinline)) unsigned walk(struct node *n) { return n ? hash(n->value) + walk(n->next) + 1 : last(7); }
int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 300; i++) { struct node *n = malloc(sizeof *n); n->value = i; n->next = list; list = n; }
    printf("%u\n", walk(list));
    return 0;
}
