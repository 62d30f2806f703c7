#include <stdio.h>
extern int outside(int, int);
__attribute__((noinline)) int leaf(int a) { return a * 3 + 1; }
static int taken(int a) { return a + 2; }
int (*volatile pointer)(int) = taken;
__attribute__((noinline)) int saves(int a, int b) {
    int sum = 0;
    for (int i = 0; i < a; i++)
        sum += pointer(i) + leaf(b);
    printf("%d %g\n", sum, sum / 3.0);
    return sum;
}
int main(void) { return saves(3, 4) == 0; }
