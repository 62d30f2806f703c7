/* dcache64.c: a peer of the stock tool cache: 64 KB, direct-mapped, lines of 32 bytes. */
#define DCACHE_BYTES 65536
#include "tests/bench/plugins/dcache.c"
