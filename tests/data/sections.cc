// sections.cc: a program with what section headers describe and segments hold: constructors and destructors, constants, jump tables,
// exceptions, thread-local data, procedures that only data have the address of (tests/run/sections.sh).
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>

static const double limits[] = {-9223372036854775808.0, 0.5, 1e207};
static thread_local int depth = 3;
static int leaf(int value) {
    return value * 3 + 1;
}
static int other(int value) {
    return value ^ 5;
}
int (*volatile const table[])(int) = {leaf, other};

struct noisy {
    const char *name;
    explicit noisy(const char *name) : name(name) { std::printf("+%s\n", name); }
    ~noisy() { std::printf("-%s\n", name); }
};
static noisy global("global");

static int fail(int n) {
    noisy local("local");
    if (n == 0)
        throw std::runtime_error("zero");
    return fail(n - 1) + 1;
}
static const char *name(int n) {
    switch (n) {
    case 0: return "none";
    case 1: return "one";
    case 2: return "two";
    case 3: return "three";
    case 4: return "four";
    case 5: return "five";
    case 6: return "six";
    default: return "many";
    }
}

int main(int argc, char **argv) {
    std::map<std::string, int> counts;
    for (int i = 0; i < 12; i++)
        try {
            counts[name(i % 8)] += table[i % 2](i) + (i % 4 == 3 ? fail(i % 3) : 0);
        } catch (const std::exception &error) {
            counts[error.what()] += depth++;
        }
    for (const auto &count : counts)
        std::printf("%s %d\n", count.first.c_str(), count.second);
    std::printf("%g\n", limits[argc % 3]);
    return (int)counts.size() + (argv[0] == nullptr);
}
