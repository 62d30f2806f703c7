/* read_freed_list: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

struct node {
    struct node *next;
    long value;
};
int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        node->value = i;
        list = node;
    }
    long sum = 0;
    for (struct node *node = list; node;) {
        struct node *this = node;
        node = node->next;
        free(this);
        sum += this->value; //! read of freed memory
    }
    return sum == 99;
}
