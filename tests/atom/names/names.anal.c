/* names.anal.c: the routines of names.inst.c: where calls go, as the dynamic linker has decided. */
#include <stdio.h>
#include <cmplrs/atom.anal.h>
extern unsigned long atomc_static(unsigned long);
static long went, wrong;
void Goes(long pc, REGV target, long expected) {
    long at = atomc_static(target);
    went++;
    if (at != expected && at != expected - 8 && wrong++ < 5) fprintf(stderr, "the call at %lx goes to %lx, not %lx\n", pc, at, expected);
}
void Print() {
    FILE *file = fopen("names.out", "w");
    fprintf(file, went > 0 ? "wrong %ld\n" : "nothing is known\n", wrong);
    fclose(file);
}
