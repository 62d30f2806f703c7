/* label_differences.c: computed gotos by sums of a label's address and differences of labels, kept in memory.
 */
#include <stdio.h>

static void *held[4];
static int steps;
__attribute__((noinline, noclone)) int run(const signed char *code, int n) {
    static const int b[] = {&&inc - &&stop, &&dbl - &&stop, &&dec - &&stop, 0};
    int x = 1;
    for (int i = 0; i < 4; i++)
        held[i] = &&stop + b[i];
    goto *held[*code++];
inc:
    x++;
    steps++;
    goto *held[*code++];
dbl:
    x *= 2;
    steps++;
    goto *held[*code++];
dec:
    x--;
    goto *held[*code++];
stop:
    return x;
}
int main(void) {
    static const signed char c[] = {0, 1, 1, 2, 0, 1, 3};
    printf("%d\n", run(c, 7));
    printf("%d\n", steps);
    return 0;
}
