#include <cstdio>
int inner(int n, int (*callback)(int));
struct unwound { int n; ~unwound() { if (n % 10 == 9) puts("outer left"); } };
int outer(int n, int (*callback)(int)) {
    unwound here = {n};
    return inner(n, callback) + 1;
}
