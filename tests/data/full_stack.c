/* full_stack.c: recursion without end, in small frames: the process ends when the stack is full, with a block that is lost, and one that is not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *kept;

static long __attribute__((noinline)) recurse(long n) {
    volatile long room[4];
    room[n % 4] = n;
    return recurse(n + 1) + room[1];
}

static void __attribute__((noinline)) lose(void) {
    char *volatile lost = malloc(50);
    memset(lost, 1, 50);
    lost = NULL;
}

int main(void) {
    kept = malloc(100);
    lose();
    puts("start");
    fflush(stdout);
    return (int)recurse(1);
}
