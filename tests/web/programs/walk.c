/* walk.c: looks numbers up, one after the other; compare.mjs changes that into halves. */
#include <stdio.h>

static int numbers[512];

__attribute__((noinline)) static int linear(int wanted) {
    int at = 0;
    while (at < 512 && numbers[at] < wanted)
        at++;
    return at;
}

__attribute__((noinline)) static int binary(int wanted) {
    int low = 0, high = 512;
    while (low < high) {
        int middle = (low + high) / 2;
        if (numbers[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__attribute__((noinline)) static int search(int wanted, int halves) {
    return halves ? binary(wanted) : linear(wanted);
}

__attribute__((noinline)) static long sum(void) {
    long all = 0;
    for (int i = 0; i < 512; i++)
        all += search(numbers[i], 0);
    return all;
}

int main(void) {
    for (int i = 0; i < 512; i++)
        numbers[i] = 3 * i;
    printf("%ld\n", sum());
    return 0;
}
