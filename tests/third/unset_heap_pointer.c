/* unset_heap_pointer: a line with an error ends with third's message. */
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
