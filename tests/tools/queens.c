/* queens.c: for pages.sh: the example of the manual with what HTML has to escape, a line that is in two
 * procedures, and one that is not executed. */
#include <stdio.h>

#define SIZE 6

static int column_of[SIZE];
static inline void put(int row, int column) {
    column_of[row] = column;
}

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
            put(row, column);
            ways += place(row + 1);
        }
    return ways;
}

int main(int argc, char **argv) {
    put(argc - 1, argc);
    if (argc > 1)
        printf("%s never\n", argv[1]);
    printf("%d <i>ways</i> &amp;\n", place(0));
    return 0;
}
