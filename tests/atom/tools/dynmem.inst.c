/* dynmem.inst.c: the dynamic memory tool of the USENIX paper: bytes asked for and given back, and what leaks. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>
unsigned InstrumentAll(int iargc, char **iargv) {
    Obj *obj; Proc *p; ProcRes res;
    AddCallProto("Malloc(REGV)"); AddCallProto("Malloced(REGV)"); AddCallProto("Free(REGV)"); AddCallProto("Print()");
    for (obj = GetFirstObj(); obj; obj = GetNextObj(obj)) {
        if (BuildObj(obj)) return 1;
        ResolveNamedProc("malloc", &res);
        if (res.proc) { AddCallProc(res.proc, ProcBefore, "Malloc", REG_ARG_1); AddCallProc(res.proc, ProcAfter, "Malloced", REG_RETVAL); }
        p = FindProc(obj, "free");
        if (p) AddCallProc(p, ProcBefore, "Free", REG_ARG_1);
        WriteObj(obj);
    }
    AddCallProgram(ProgramAfter, "Print");
    return 0;
}
