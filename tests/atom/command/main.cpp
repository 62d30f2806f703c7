// main.cpp: analysis code in C++.
#include <cmplrs/atom.anal.h>
#include <cstdio>
#include <vector>
static std::vector<long> calls;
extern "C" void Main(REGV n) { calls.push_back(2 * n); }
extern "C" void Words(const char *words, long objects) {
    printf("words %s, main %ld, objects %ld, heap %s\n", words, calls.empty() ? 0 : calls[0], objects, (unsigned long)calls.data() - AnalHeapBase() < 1 << 20 ? "there" : "elsewhere");
    printf("base %lx\n", AnalHeapBase());
}
