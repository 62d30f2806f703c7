/* tail_results.c: for tail_results.sh: says itself what procedures return that go on in others: always
   (outer), or sometimes (mixed); in recursion, with a result in a floating-point register, and through
   others. */
#include <stdio.h>
#define OUT __attribute__((noipa))
static long results[6], calls[6];
static long note(int which, long result) {
    results[which] += result * ++calls[which];
    return result;
}
OUT long inner(long x) {
    return x * 2 + 1;
}
OUT long outer(long x) {
    return inner(x + 1);
}
OUT long mixed(long x) {
    return x & 1 ? inner(x * 3) : x - 7;
}
OUT long down(long x) { /* calls itself, and goes on in another one; note() of inner ones is here */
    if (x == 0)
        return 5;
    long below = down(x - 1);
    note(3, below);
    return x & 1 ? inner(below) : below + 1;
}
OUT double inner_float(double x) {
    return x * 4;
}
OUT double outer_float(double x) {
    return inner_float(x + 1);
}
OUT long between(long x) {
    return inner(x + 2);
}
OUT long chain(long x) {
    return between(x ^ 3);
}
int main(void) {
    volatile long sink = 0;
    for (long i = 0; i < 100; i++) {
        sink += note(0, outer(i));
        sink += note(1, mixed(i));
        sink += note(1, mixed(i * 5));
        sink += note(3, down(i % 9));
        note(4, (long)outer_float((double)i));
        sink += note(5, chain(i));
    }
    printf("outer %ld %ld\nmixed %ld %ld\ndown %ld %ld\nouter_float %ld %ld\nchain %ld %ld\n", results[0],
           calls[0], results[1], calls[1], results[3], calls[3], results[4], calls[4], results[5], calls[5]);
    return 0;
}
