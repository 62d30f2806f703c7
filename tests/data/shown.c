/* shown: procedures that tests give names which a terminal obeys, or a spreadsheet computes. */
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static char *leave(int size) {
    return malloc(size);
}
__attribute__((noinline)) int formula(int n) {
    for (int i = 0; i < n; i++)
        __asm__ volatile("" : : "r"(i));
    return n;
}
__attribute__((noinline)) int escape(int n) {
    volatile char *block = leave(16);
    int sum = formula(n) + formula(n + 1);
    for (int i = 0; i < n; i++)
        sum += block[i % 16 + 16]; /* after its end */
    return sum;
}
int main(void) {
    return escape(20) == 0;
}
