/* primes.c: counts the primes below 1000. */
#include <stdio.h>

static int is_prime(int n) {
    for (int d = 2; d * d <= n; d++)
        if (n % d == 0)
            return 0;
    return n > 1;
}

int main(void) {
    int count = 0;
    for (int n = 0; n < 1000; n++)
        if (is_prime(n))
            count++;
    printf("%d primes\n", count);
    return 0;
}
