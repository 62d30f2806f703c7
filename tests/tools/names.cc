/* names.cc: for demangle.sh: templates, members, parts that only exceptions reach, and a C name that is a type's in C++. */
#include <cstdio>
#include <stdexcept>
#include <vector>

template <class T> T __attribute__((noinline)) sum(const std::vector<T> &of) {
    T all = 0;
    for (T one : of)
        all += one;
    return all;
}

struct Shape {
    Shape();
    virtual int __attribute__((noinline)) sides(int n) const;
};
Shape::Shape() {
}
int Shape::sides(int n) const {
    if (n > 3)
        throw std::runtime_error("too many");
    return n;
}

extern "C" int __attribute__((noinline)) i(int n) {
    return n + 1;
}

int main() {
    Shape shape;
    int total = 0;
    for (int n = 0; n < 5; n++)
        try {
            total += shape.sides(n);
        } catch (std::exception &) {
            total += i(1);
        }
    std::printf("%d %ld\n", total, sum(std::vector<long>{1, 2, 3}));
}
