#include <cmplrs/atom.inst.h>
Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p = GetNamedProc("main");
    AddCallProto("Count(int, VALUE)");
    AddCallProc(p, ProcBefore, "Count", 0, EffAddrValue);
    AddCallProc(p, ProcBefore, "Count", "main");
    GetNextBlock((Block *)p);
}
