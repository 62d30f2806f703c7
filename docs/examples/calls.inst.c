#include <stdio.h>
#include <cmplrs/atom.inst.h>

Instrument(int iargc, char **iargv, Obj *obj)
{
    Proc *p;
    int n = 0;

    AddCallProto("Open(int)");
    AddCallProto("Count(int, REGV)");
    AddCallProto("Print(int, const char *)");
    for (p = GetFirstObjProc(obj); p != NULL; p = GetNextProc(p))
        if (ProcFileName(p) != NULL) {
            AddCallProc(p, ProcBefore, "Count", n, REG_ARG_1);
            AddCallProgram(ProgramAfter, "Print", n++, ProcName(p));
        }
    AddCallProgram(ProgramBefore, "Open", n);
}
