/* unset_loop: unset values are summed, and the sum decides. */
#include <stdio.h>

__attribute__((noinline)) static void sum(const int *p, int n) {
    int s = 0;
    // clang-format off
    for (int i = 0; i <= n; i++) s += p[i]; if (s > 10) puts("big"); //! unset stack read
    // clang-format on
}

int main(void) {
    int u[4];
    u[0] = 1;
    sum(u, 3);
    return 0;
}
