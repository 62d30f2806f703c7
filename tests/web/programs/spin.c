/* spin.c: a program that never ends, for what stops runs; it writes now and then. */
#include <stdio.h>

int main(void) {
    for (unsigned long n = 1;; n++)
        if (n % 20000000 == 0) {
            printf("%lu \033[31mmillions\033[0m\n", n / 1000000);
            fflush(stdout);
        }
}
