/* predictor.c: a peer of branch with its 2-bit predictor. Requires: tests/bench/plugins/branches.c. */
#define PREDICTOR
#include "tests/bench/plugins/branches.c"
