/* hints.anal.c: the routine of hints.inst.c. */
#include <stdio.h>
Address(long address) { fprintf(stderr, "%lx\n", address); }
