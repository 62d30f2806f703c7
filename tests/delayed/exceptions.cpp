/* exceptions.cpp: a routine that catches exceptions is found by its own return addresses. */
#include <cstdio>
#include <stdexcept>
static long n;
static void deep(long a) {
    if (a % 64 == 0)
        throw std::runtime_error("deep");
    n++;
}
extern "C" void Try(long a) {
    try {
        deep(a);
    } catch (const std::exception &) {
        n += 1000;
    }
}
extern "C" void Rare(long a) {
    if (__builtin_expect((a & 0x1f8) == 0x30, 0))
        Try(a);
    n += 3;
}
extern "C" void End(void) {
    printf("caught %ld\n", n);
}
