/* order.c: one of two tools, NAME, with the same routine and helper. */
#include <stdio.h>

int counter = 0;

void helper(void) {
    counter++;
}

void Say(const char *where, long value) {
    helper();
    printf("NAME %d %s %ld\n", counter, where, value);
}
