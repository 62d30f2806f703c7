// Structures by value: padding, empty classes, parts that have no value yet, and what is behind a small one in a block.
#include <cstdlib>
#include <optional>

struct __attribute__((aligned(16))) wide {
    long first, second;
    int third; // 12 bytes of padding behind it
};
struct three {
    int a, b, c;
};
static __attribute__((noipa)) void set(wide *to) {
    to->first = to->second = to->third = 1;
}
static __attribute__((noipa)) long take(wide of) {
    return of.first + of.second + of.third;
}
static __attribute__((noipa)) long get(std::optional<long> of) {
    return of ? *of : 0;
}
static __attribute__((noipa)) int sum(three of) {
    return of.a + of.b + of.c;
}
static __attribute__((noipa)) long number(long of) {
    return of;
}
template <class F> static __attribute__((noipa)) int apply(int value, F function) {
    return function(value);
}

int main(int, char **) {
    wide padded;
    long unset;
    set(&padded);
    three *small = (three *)malloc(sizeof *small);
    small->a = small->b = small->c = 1;
    take(padded);
    get(std::nullopt);
    apply(1, [](int x) { return x; });
    apply(2, [](int x) { return x + 1; });
    sum(*small);
    number(unset); //! unset stack read
    free(small);
    return 0;
}
