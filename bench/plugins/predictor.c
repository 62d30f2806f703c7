/* predictor.c: a peer of branch with its 2-bit predictor. Requires: bench/plugins/branches.c. */
#define PREDICTOR
#include "bench/plugins/branches.c"
