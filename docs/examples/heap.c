/* heap.c: allocates lists of numbers, frees some, and forgets others. */
#include <stdio.h>
#include <stdlib.h>

struct number {
    struct number *next;
    long value;
};

static struct number *make_list(int length) {
    struct number *list = NULL;
    for (int i = 0; i < length; i++) {
        struct number *number = malloc(sizeof *number);
        number->next = list;
        number->value = i;
        list = number;
    }
    return list;
}

static void free_list(struct number *list) {
    while (list) {
        struct number *next = list->next;
        free(list);
        list = next;
    }
}

int main(void) {
    long sum = 0;
    char *title = malloc(100);
    for (int round = 0; round < 10; round++) {
        struct number *list = make_list(round);
        for (struct number *number = list; number; number = number->next)
            sum += number->value;
        if (round != 5)
            free_list(list);
    }
    snprintf(title, 100, "the sum is %ld", sum);
    puts(title);
    return 0;
}
