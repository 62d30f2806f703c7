/* options: -msmall-text */
/* callers_of_recursion: an access right after the call of the procedure itself, or of one that calls it; a
 * block that is allocated by a call which mostly calls the procedure itself. */
#include <stdlib.h>
#pragma GCC optimize("O1")

static __attribute__((noinline)) int behind(int depth, volatile int *block) {
    if (depth == 0)
        return 0;
    behind(depth - 1, block);
    return block[2]; //! read outside a block
}
// callers: read outside a block < behind:10 < behind:10 < main:46 / main
// callers: read outside a block < behind:10 < main:46 / main
// callers: read outside a block < main:46 / main

static __attribute__((noinline)) int odd(int depth, volatile int *block);
static __attribute__((noinline)) int even(int depth, volatile int *block) {
    if (depth == 0)
        return 0;
    odd(depth - 1, block);
    return block[3]; //! read outside a block
}
static __attribute__((noinline)) int odd(int depth, volatile int *block) {
    even(depth - 1, block);
    return block[4]; //! read outside a block
}
// callers: read outside a block < even:21 < odd:25 < even:21 < main:47 / main
// callers: read outside a block < odd:25 < even:21 < main:47 / main
// callers: read outside a block < even:21 < main:47 / main
// callers: read outside a block < main:47 / main

typedef void *routine(unsigned long);
static void *deeper(unsigned long);
static routine *volatile routines[] = {malloc, deeper, deeper, deeper};
static __attribute__((noinline)) void *deeper(unsigned long size) {
    char *block = routines[size - 17](size - 1); //! leak
    *(volatile char *)block = 1;
    return block;
}
// callers: leak < deeper:37 < deeper:37 < deeper:37 < main:48

int main(void) {
    int *block = calloc(2, sizeof *block);
    int sum = 0;
    sum += behind(3, block);
    sum += even(4, block);
    sum += deeper(20) != NULL;
    free(block);
    return sum == 77;
}
