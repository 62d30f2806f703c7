/* unset_heap_pointer: what third must say of a line stands at its end. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

struct node {
    struct node *next;
    long value;
};
int main(void) {
    struct node *node = malloc(sizeof *node);
    node->value = 1;
    int end = node->next == NULL; //! unset heap read
    free(node);
    return end;
}
