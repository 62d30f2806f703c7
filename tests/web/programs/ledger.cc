// ledger.cc: a program in C++ whose memory is looked at: entries that are kept, more with each turn, rows that are freed, and entries that
// are forgotten. make() allocates for both kinds of entries.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

namespace ledger {
struct Entry {
    long number;
    char text[40];
};
static std::map<long, std::unique_ptr<Entry>> entries;

__attribute__((noinline)) static Entry *make(long number) {
    return new Entry{number, ""};
}
__attribute__((noinline)) static void keep(long number) {
    entries[number].reset(make(number));
}
__attribute__((noinline)) static long look(long number) {
    std::vector<long> row(number % 7 + 1, number);
    return row.back() + static_cast<long>(row.size());
}
__attribute__((noinline)) static void forget(long number) {
    if (number % 10 == 3)
        std::printf("%ld\n", make(number)->number);
}
} // namespace ledger

int main(int count, char **words) {
    long turns = count > 1 ? std::atol(words[1]) : 100, sum = 0;
    for (long number = 0; number < turns; number++) {
        ledger::keep(number);
        sum += ledger::look(number);
        ledger::forget(number);
    }
    std::printf("%ld\n", sum);
    return 0;
}
