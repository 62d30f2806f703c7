#include <cmplrs/atom.inst.h>
Instrument(int iargc, char **iargv, Obj *obj) {
    BuildObj(obj);
    WriteObj(obj);
    ReleaseObj(obj);
    ThreadForkCall(obj, THREAD_FORK, "F", "G");
    GetErrantShlibName(0);
    ThreadExitCall(obj, THREAD_PTHREAD, "F");
    GetErrantShlibErr(3);
}
