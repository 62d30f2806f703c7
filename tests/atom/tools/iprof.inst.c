/* iprof.inst.c: calls of each procedure, from wherever it is entered, and how often it returns; ObjAfter comes before
   ProgramAfter. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>
InstrumentInit(int iargc, char **iargv) {
    AddCallProto("Enter(int)"); AddCallProto("Leave(int)"); AddCallProto("Print(int, stable const char *)"); AddCallProto("End(char)");
    AddCallProgram(ProgramAfter, "End", 'x');
}
Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p;
    for (p = GetFirstObjProc(obj); p; p = GetNextProc(p)) {
        AddCallProc(p, ProcBefore, "Enter", (int)GetProcInfo(p, ProcID));
        AddCallProc(p, ProcAfter, "Leave", (int)GetProcInfo(p, ProcID));
        if (ProcName(p)) AddCallObj(obj, ObjAfter, "Print", (int)GetProcInfo(p, ProcID), ProcName(p));
    }
}
