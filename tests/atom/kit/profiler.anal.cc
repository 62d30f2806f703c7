// profiler.anal.cc: the routines of profiler.inst.cc.
#include <cmplrs/atom.anal.h>
#include <fstream>
#include <unordered_map>
#include <vector>
struct Statistics {
    long references[2] = {0, 0}, misses = 0;
};
static std::unordered_map<const char *, Statistics> procedures;
static std::vector<long> tags(2048, -1);
extern "C" void csReference(long address, int write, const char *name) {
    Statistics &s = procedures[name];
    long line = address >> 5;
    s.references[write]++;
    if (tags[line & 2047] != line) {
        tags[line & 2047] = line;
        s.misses++;
    }
}
extern "C" void csPrint() {
    Statistics all;
    for (auto &each : procedures) {
        all.references[0] += each.second.references[0];
        all.references[1] += each.second.references[1];
        all.misses += each.second.misses;
    }
    std::ofstream("kit.out") << all.references[0] + all.references[1] << ' ' << all.misses << '\n';
}
