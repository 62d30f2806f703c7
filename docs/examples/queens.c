/* queens.c: in how many ways six queens stand on a board of six by six, none attacking another. */
#include <stdio.h>

#define SIZE 6

static int column_of[SIZE];

static __attribute__((noinline)) int is_safe(int row, int column) {
    for (int other = 0; other < row; other++) {
        int distance = column_of[other] - column;
        if (distance == 0 || distance == row - other || distance == other - row)
            return 0;
    }
    return 1;
}

static __attribute__((noinline)) int place(int row) {
    int ways = 0;
    if (row == SIZE)
        return 1;
    for (int column = 0; column < SIZE; column++)
        if (is_safe(row, column)) {
            column_of[row] = column;
            ways += place(row + 1);
        }
    return ways;
}

int main(void) {
    printf("%d ways\n", place(0));
    return 0;
}
