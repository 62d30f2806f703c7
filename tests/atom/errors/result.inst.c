#include <cmplrs/atom.inst.h>
unsigned InstrumentAll(int iargc, char **iargv) {
    return 1;
}
