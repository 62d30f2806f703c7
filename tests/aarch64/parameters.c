/* parameters.c: a procedure for each rule by which AAPCS64 passes parameters: prints what parameters.atd finds in the integer registers. */
#include <stdio.h>
#include <string.h>

struct two {
    int first;
    short second;
};
struct pair {
    long first, second;
};
struct large {
    long first, second, third;
};
struct point {
    float x, y;
};
struct mixed {
    float x;
    int y;
};
#define KEPT __attribute__((noipa))

KEPT void floats(double d, int n, float g, long m) {
    printf("floats %d %ld\n", n, m);
    (void)d;
    (void)g;
}
KEPT void parts(int n, struct two two, struct pair pair, long last) {
    printf("parts %d %d %d %ld %ld %ld\n", n, two.first, two.second, pair.first, pair.second, last);
}
KEPT void large(struct large large, int n) {
    printf("large %ld %ld %d\n", large.first, large.third, n);
}
KEPT void equal(struct point point, struct mixed mixed, int n) {
    printf("equal %d %d\n", mixed.y, n);
    (void)point;
}
KEPT void wide(int n, __int128 number, int last) {
    printf("wide %d %ld %d\n", n, (long)number, last);
}
KEPT void many(long a, long b, long c, long d, long e, long f, long g, struct pair pair, long last) {
    printf("many %ld %ld\n", g, last);
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)pair;
}
KEPT struct large result(int n) {
    printf("result %d\n", n);
    struct large large = {n, n, n};
    return large;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct two two = {-i, (short)(i * 5)};
        struct pair pair = {i * 1000000007L, -i};
        struct large whole = {i, 2 * i, 3 * i};
        struct point point = {1, 2};
        struct mixed mixed = {3, i + 40};
        floats(i, i + 1, 2, -i);
        parts(i, two, pair, 77);
        large(whole, i);
        equal(point, mixed, i);
        wide(i, i * -7, 9);
        many(1, 2, 3, 4, 5, 6, i, pair, i + 1);
        result(i);
    }
    return 0;
}
