#include <cmplrs/atom.inst.h>
unsigned InstrumentAll(int iargc, char **iargv) {
    Obj *obj = GetFirstObj();
    AddCallProto("F()");
    GetFirstObjProc(obj);
    AddCallObj(obj, ObjBefore, "F");
    WriteObj(obj);
    BuildObj(obj);
    BuildObj(obj);
    AddCallObj(obj, ObjBefore, "F");
    ReleaseObj(obj);
    WriteObj(obj);
    AddCallObj(obj, ObjBefore, "F");
    BuildObj(obj);
    return 0;
}
