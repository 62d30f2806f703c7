#include <stdio.h>

static volatile long sum;

__attribute__((noinline)) static void step(int amount) {
    sum += amount;
}

int main(void) {
    for (int c; (c = getchar()) != EOF;)
        step(c);
    return 0;
}
