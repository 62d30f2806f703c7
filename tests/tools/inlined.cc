// inlined.cc: lines that are executed, whose instructions are those of the functions that are called there, and others
// that never are. In comments: how often.
#include <cstdio>
#include <memory>
#include <vector>

struct Shape {
    virtual ~Shape() = default;
    virtual long area() const = 0;
};
template <int sides>
struct Regular : Shape {
    explicit Regular(long length) : length(length) {}
    long area() const override { return sides * length; }
    long length;
};
static volatile long limit = 1000, total;

static inline __attribute__((always_inline)) void add(long value) {
    total = total + value;
}
static inline __attribute__((always_inline)) void add_all(long value) {
    do
        total = total + 1;
    while (--value > 0);
}

int main() {
    std::vector<std::unique_ptr<Shape>> all;
    for (long i = 1; i <= 200; i++)
        if (i > limit)
            all.push_back(std::make_unique<Regular<5>>(i)); // 0
        else if (i % 4)
            all.push_back(std::make_unique<Regular<3>>(i)); // 150
        else
            all.push_back(std::make_unique<Regular<4>>(i)); // 50
    for (const auto &shape : all) {
        if (shape->area() % 2 == 0)
            add(7); // 100
        if (shape->area() > limit * 10)
            add(1); // 0
        if (shape->area() == 3)
            add_all(40); // 1
    }
    std::printf("%ld\n", total);
}
