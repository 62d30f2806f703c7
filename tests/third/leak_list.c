/* leak_list: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

struct node {
    struct node *next;
};
static void lose(void) {
    struct node *list = NULL;
    for (int i = 0; i < 5; i++) {
        struct node *node = malloc(sizeof *node); //! leak
        node->next = list;
        list = node;
    }
}
static void wipe(void) {
    volatile char a[500];
    memset((char *)a, 0, sizeof a);
}
int main(void) {
    lose();
    wipe();
    return 0;
}
