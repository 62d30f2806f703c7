// shapes.cc: a program in C++ for the workbench's tests: virtual calls, templates, exceptions.
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace shapes {
struct Shape {
    virtual ~Shape() = default;
    virtual long area() const = 0;
};
template <int sides>
struct Regular : Shape {
    explicit Regular(long length) : length(length) {}
    long area() const override {
        if (length % 97 == 0)
            throw std::runtime_error("a length of 97");
        return sides * length * length / 4;
    }
    long length;
};
} // namespace shapes

static volatile long most = 1000;

int main() {
    std::vector<std::unique_ptr<shapes::Shape>> all;
    std::map<std::string, long> sums;
    if (most < 200)
        return 1;
    for (long i = 1; i <= 200; i++)
        if (i % 2)
            all.push_back(std::make_unique<shapes::Regular<3>>(i));
        else
            all.push_back(std::make_unique<shapes::Regular<4>>(i));
    for (const auto &shape : all)
        try {
            sums[shape->area() % 2 ? "odd" : "even"] += shape->area();
        } catch (const std::exception &error) {
            sums[error.what()]++;
        }
    for (const auto &[name, sum] : sums)
        std::printf("%s %ld\n", name.c_str(), sum);
}
