/* between.cc: a library that is not instrumented, between comings.cc and what it opens. Exceptions go through it. */
#include <atomic>
extern "C" {
long between_left;
long between(long (*inner)(long), long n);
}
static std::atomic<long> left;
static struct at_end {
    ~at_end() { between_left = -1; }
} end;
struct leaving {
    ~leaving() { between_left = ++left; }
};
long between(long (*inner)(long), long n) {
    leaving here;
    return inner(n) + 1;
}
