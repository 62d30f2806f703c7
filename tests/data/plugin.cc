/* plugin.cc: opened and closed by objects.cc. */
#include <cstdio>
static struct counted {
    int calls = 0;
    counted() { puts("plugin comes"); }
    ~counted() { printf("plugin goes after %d\n", calls); }
} state;
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" int plugin_run(int n, int (*add)(int, int)) {
    state.calls++;
    if (n % 7 == 3)
        throw n;
    return add(fibonacci(n % 10), n);
}
