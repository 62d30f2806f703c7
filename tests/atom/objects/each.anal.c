/* each.anal.c: the routine of each.inst.c. */
#include <stdio.h>
void Work(long what) {
    fprintf(stderr, "%s\n", what == 0 ? "comes" : what == 1 ? "goes" : "works");
}
