#include <cmplrs/atom.inst.h>
unsigned InstrumentAll(int iargc, char **iargv) {
    Obj *obj = GetFirstObj();
    if (BuildObj(obj)) return 1;
    AddCallProto("F()");
    AddCallProc(GetFirstObjProc(obj), ProcBefore, "F");
    return 0;
}
