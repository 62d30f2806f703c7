/* quicksort.c: an extreme of the benchmark: short blocks, branches that no predictor knows, a load for each.
 */
#include <stdio.h>
#include <stdlib.h>

static void sort(int *low, int *high) {
    while (low < high) {
        int pivot = low[(high - low) / 2], *left = low, *right = high;
        do {
            while (*left < pivot)
                left++;
            while (*right > pivot)
                right--;
            if (left <= right) {
                int swapped = *left;
                *left++ = *right;
                *right-- = swapped;
            }
        } while (left <= right);
        sort(low, right);
        low = left;
    }
}

int main(int argc, char **argv) {
    long count = argc > 1 ? atol(argv[1]) : 100000;
    int *numbers = malloc(count * sizeof *numbers);
    unsigned long random = 12345, sum = 0;
    if (!numbers || count < 1)
        return 1;
    for (int round = 0; round < 4; round++) {
        for (long i = 0; i < count; i++) {
            random = random * 6364136223846793005 + 1442695040888963407;
            numbers[i] = (int)(random >> 33);
        }
        sort(numbers, numbers + count - 1);
        for (long i = 0; i < count; i++)
            sum = sum * 31 + numbers[i];
    }
    printf("%lx\n", sum);
    return 0;
}
