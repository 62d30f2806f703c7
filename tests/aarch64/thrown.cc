// thrown.cc: exceptions that pass several frames, also out of a comparison that qsort calls.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

struct noted {
    const char *name;
    ~noted() { std::printf("left %s\n", name); }
};

__attribute__((noinline)) static int deeper(int depth) {
    noted here = {depth % 2 ? "odd" : "even"};
    if (depth == 0)
        throw std::runtime_error("the end");
    return deeper(depth - 1) + 1;
}

static int compare(const void *left, const void *right) {
    int a = *static_cast<const int *>(left), b = *static_cast<const int *>(right);
    if (a == 5 || b == 5)
        throw std::string("five");
    return (a > b) - (a < b);
}

int main() {
    int numbers[] = {3, 1, 4, 1, 5, 9, 2, 6};
    try {
        deeper(4);
    } catch (const std::exception &error) {
        std::printf("%s\n", error.what());
    }
    try {
        std::qsort(numbers, 8, sizeof *numbers, compare);
    } catch (const std::string &text) {
        std::printf("%s\n", text.c_str());
    }
    return 0;
}
