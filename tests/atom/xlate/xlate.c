#include <stdio.h>
int squares[20];
__attribute__((noinline)) int square(int n) { return n * n; }
int main(void) {
    int i, sum = 0;
    for (i = 0; i < 20; i++) squares[i] = square(i);
    for (i = 0; i < 20; i++) if (squares[i] % 3) sum += squares[i];
    printf("%d\n", sum);
    return 0;
}
