/* locked_ways.c: goes through a locked sequence from its beginning, and from outside into its middle, to
   places whose addresses are in data. */
#include <stdio.h>

extern long ways(long *cell), into(long *cell, const char *place);
extern const char ways_second[], ways_third[];
const char *const places[] = {ways_second, ways_third};

int main(void) {
    long cell = 5, sum = 0;
    for (int i = 0; i < 5; i++)
        sum += ways(&cell) + into(&cell, places[0]) + into(&cell, places[1]) + into(&cell, places[1]);
    printf("%ld %ld\n", cell, sum);
    return 0;
}
