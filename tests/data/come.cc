/* come.cc: opened and closed by comings.cc; NUMBER makes several that differ. */
#include <cstdio>
#ifndef NUMBER
#define NUMBER 0
#endif
extern "C" long host_throws(long n);
static long constructed, destroyed;
static struct counted {
    counted() { constructed++; }
    ~counted() {
        destroyed++;
        if (constructed != destroyed)
            puts("a library is not as it should be");
    }
} state;
#ifdef MISSING
extern "C" long nobody_has_this(long n);
extern "C" long come_work(long n) { return nobody_has_this(n); }
#else
extern "C" long come_work(long n) {
    if (n % 3 == 0)
        throw n + NUMBER;
    return host_throws(n) + NUMBER;
}
#endif
