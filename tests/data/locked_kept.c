/* kept.c: what add_all does, told by the program itself: sums of the cells' addresses and of what is stored. */
#include <stdio.h>

struct cell {
    struct cell *next;
    long number;
};
extern long add_all(struct cell *first);

static struct cell cells[100];

int main(void) {
    unsigned long addresses = 0;
    long stored = 0;
    for (int i = 0; i < 100; i++)
        cells[i] = (struct cell){i < 99 ? &cells[i + 1] : NULL, i * i};
    printf("Cells\t%ld\n", add_all(cells));
    for (int i = 0; i < 100; i++) {
        addresses += (unsigned long)&cells[i];
        stored += cells[i].number;
    }
    printf("Addresses\t%lu\nStored\t%ld\n", addresses, stored);
    return 0;
}
