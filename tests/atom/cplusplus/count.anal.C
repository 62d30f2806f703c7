// count.anal.C: analysis code in C++: static constructors, exceptions, standard containers and streams.
#include <cmplrs/atom.anal.h>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Table {
    std::map<std::string, std::vector<long>> calls;
    std::string made;
    Table() : made("constructed") { std::cerr << "table " << made << std::endl; }
    ~Table() { std::cerr << "table destroyed after " << calls.size() << std::endl; }
};
static Table table;
static long thrown, finally;

struct Finally {
    ~Finally() { finally++; }
};
static void __attribute__((noinline)) refuse(long argument) {
    Finally here;
    if (argument % 3 == 0) throw std::out_of_range("a multiple of three");
    if (argument % 3 == 1) throw argument;
}
extern "C" void Enter(const char *name, REGV argument) {
    try {
        refuse(argument & 0xffff);
        table.calls[name].push_back(0);
    } catch (const std::exception &e) {
        thrown++;
        table.calls[name].push_back(std::string(e.what()).size());
    } catch (long value) {
        thrown += 1000;
        table.calls[name].push_back(value % 3);
    }
}
extern "C" void Print() {
    std::ostringstream text;
    for (auto &each : table.calls) {
        long sum = 0;
        for (long n : each.second) sum += n;
        text << each.first << ' ' << each.second.size() << ' ' << sum << '\n';
    }
    std::cout << text.str() << table.made << ' ' << thrown << ' ' << (finally > 0) << std::endl;
    try {
        throw std::runtime_error("caught after the program");
    } catch (std::exception &e) {
        std::cout << e.what() << std::endl;
    }
}
