#include <cmplrs/atom.inst.h>
Instrument(int iargc, char **iargv, Obj *obj) {
    BuildObj(obj);
    WriteObj(obj);
    ReleaseObj(obj);
    ThreadForkCall("F");
    GetErrantShlibName(0);
    ThreadExitCall("F");
    GetErrantShlibErr(3);
}
