// all.inst.cxx: InstrumentAll, which the headers declare with C's linkage.
#include <cmplrs/atom.inst.h>
unsigned InstrumentAll(int iargc, char **iargv) {
    AddCallProto("Enter(const char *, REGV)");
    AddCallProto("Print()");
    AddCallProgram(ProgramAfter, "Print");
    for (Obj *obj = GetFirstObj(); obj; obj = GetNextObj(obj)) {
        if (BuildObj(obj)) return 1;
        for (Proc *p = GetFirstObjProc(obj); p; p = GetNextProc(p))
            if (ProcName(p) && ProcFileName(p)) AddCallProc(p, ProcBefore, "Enter", ProcName(p), REG_ARG_1);
        WriteObj(obj);
    }
    return 0;
}
