/* values.c: structures that are passed by value, in argument registers and on the stack: prints their members as values.atd does. */
#include <stdio.h>

struct small {
    short low;
    signed char middle;
    unsigned char high;
};
struct node {
    int value;
    struct node *next;
};
struct large {
    unsigned first : 3;
    int second : 9;
    unsigned char bytes[3];
    const struct node *node;
    struct small inner;
    unsigned word;
    long last;
};

__attribute__((noinline)) long visit(struct small small, int number, struct large large, struct small on_stack) {
    printf("%d %d %d\n", small.low, small.middle, small.high);
    printf("%d %d %d %d %d\n", large.first, large.second, large.bytes[1], large.node->next->value, large.inner.middle);
    printf("%u %ld\n", large.word, large.last);
    return number + on_stack.low;
}

int main(void) {
    struct node two = {-22, NULL}, one = {11, &two};
    for (int i = 0; i < 4; i++) {
        struct small small = {(short)(i * -9999), (signed char)(i * 77), (unsigned char)(200 + i)};
        struct large large = {(unsigned)i, -i * 50, {1, (unsigned char)(250 + i), 3}, &one, {1, (signed char)-i, 2}, 3000000000u + (unsigned)i,
                              i * -0x123456789abcL};
        visit(small, i, large, small);
    }
    return 0;
}
