/* other_tools.c: the names of tools of Valgrind, Pin, perf and others, and the stock tools for the same
   purposes. Requires nothing. */
#include <string.h>

#include "driver/driver.h"

const char *instead_of_tool(const char *name) {
    static const struct {
        const char *name, *instead;
    } others[] = {
        {"memcheck", "what memcheck finds, third finds: -t third"},
        {"valgrind", "what memcheck finds, third finds: -t third"},
        {"asan", "a memory checker is third: -t third"},
        {"massif", "allocations by their calls: -t dynmem -D callers=30 (totals and the peak, without a "
                   "course in time)"},
        {"dhat", "allocations by their calls, with lifetimes: -t dynmem -D callers=30"},
        {"heaptrack", "allocations by their calls, with lifetimes: -t dynmem -D callers=30"},
        {"cachegrind", "a data cache: -t cache; with -D cachegrind=true, cg_annotate reads it"},
        {"callgrind", "a profile with calls: -t hiprof; with -D callgrind=true, callgrind_annotate reads it"},
        {"lackey", "instructions, loads and stores, counted: -t dyninst; listed: -t trace -D data=true"},
        {"drcachesim", "a data cache: -t cache; caches and translation buffers by procedure: -t memsys"},
        {"drcov", "lines and branches that were executed: -t coverage"},
        {"lcov", "lines and branches that were executed: -t coverage"},
        {"gcov", "lines and branches that were executed: -t coverage"},
        {"pinatrace", "the addresses of loads and stores: -t trace -D data=true"},
        {"inscount", "instructions executed: -t dyninst; by procedure: -t prof"},
        {"inscount0", "instructions executed: -t dyninst; by procedure: -t prof"},
        {"perf", "by procedure: -t prof; counts of the whole run: -t dyninst; cycles: -t pipe"},
        {"perf stat", "counts of the whole run: -t dyninst; by procedure: -t prof; cycles: -t pipe"},
        {"stat", "counts of the whole run: -t dyninst; by procedure: -t prof; cycles: -t pipe"},
        {"strace", "system calls, counted: -t syscall; of files: -t io"},
        {"ltrace", "which procedure calls which: -t callgraph"},
        {"helgrind", "atomc has no checker of threads; a memory checker is third: -t third"},
        {"drd", "atomc has no checker of threads; a memory checker is third: -t third"},
        {"simpoint", "its vectors: -t bbv"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].name, name) == 0)
            return others[i].instead;
    return NULL;
}
