#include <cmplrs/atom.inst.h>
Instrument(int iargc, char **iargv, Obj *obj) {
    undeclared = 5;
}
