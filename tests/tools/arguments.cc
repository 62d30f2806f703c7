/* arguments.cc: parameters of each kind, in registers and in memory (tests/run/tools_args.sh). */
#include <stdio.h>
#include <string>
struct big {
    long a, b, c;
};
struct small {
    int x;
};
__attribute__((noipa)) big make(int n, small s) {
    return big{n, s.x, 3};
}
__attribute__((noipa)) long sum(big b, int last) {
    return b.a + b.b + b.c + last;
}
__attribute__((noipa)) long len(std::string s, long double d, int z) {
    return s.size() + (long)d + z;
}
struct K {
    int v;
    __attribute__((noipa)) int get(int plus) {
        return v + plus;
    }
};
__attribute__((noipa)) int var(int n, ...) {
    return n;
}
__attribute__((noipa)) int none() {
    return 7;
}
__attribute__((noipa)) double flt(double a, int b) {
    return a + b;
}
struct tidy { // its destructor is not of its own: it is passed by value
    long a, b;
    ~tidy() = default;
};
__attribute__((noipa)) long total(tidy t, int last) {
    return t.a + t.b + last;
}
int main() {
    K k{3};
    big b = make(4, small{9});
    printf("%ld %ld %d %d %d %g\n", sum(b, 77), len("abc", 2, 55), k.get(44), var(2, 5), none(), flt(1, 66) + total(tidy{20, 40}, 88));
}
