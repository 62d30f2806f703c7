/* wrong.inst.c: what is misused where there are several objects, of which the first is not to be instrumented. */
#include <cmplrs/atom.inst.h>
static Proc *first;
unsigned InstrumentAll(int iargc, char **iargv) {
    Obj *obj = GetFirstObj(), *next = GetNextObj(obj);
    AddCallProto("Work(long)");
    BuildObj(next);
    GetFirstProc(); /* of the only one that is built */
    GetNamedProc("main");
    BuildObj(obj);
    GetFirstProc();
    GetNamedProc("main");
    GetProgramName();
    GetOutName();
    GetProgramInfo(TextSize);
    GetProgramInstCount();
    ReleaseObj(next);
    first = GetFirstObjProc(obj);
    AddCallProc(first, ProcBefore, "Work", 0L);
    AddCallObj(obj, ObjBefore, "Work", 0L);
    ReplaceProcedure(FindProc(obj, "main"), "Work");
    GetFirstObjProc(next);
    AddCallObj(next, ObjAfter, "Work", 0L);
    WriteObj(next);
    ReleaseObj(obj);
    GetFirstObjProc(obj);
    BuildObj(next);
    BuildObj(next);
    AddCallObj(next, ObjBefore, "Work", 0L);
    AddCallBlock(GetFirstBlock(GetFirstObjProc(next)), ObjBefore, "Work", 0L);
    ReleaseObj(next);
    WriteObj(next);
    AddCallInst(GetFirstInst(GetFirstBlock(first)), InstBefore, "Work", 0L);
    GetNextObj((Obj *)first);
    return 0;
}
