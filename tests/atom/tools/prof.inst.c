/* prof.inst.c: the profiler of the USENIX paper, with the routines of prof.anal.c. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>

Instrument(iargc, iargv, obj)
int iargc;
char **iargv;
Obj *obj;
{
    Proc *p;
    Block *b;
    char name[64];
    int n = 0;

    AddCallProto("OpenFile(int)");
    AddCallProto("Execute(int, int)");
    AddCallProto("AddProcedure(int, long, const char *)");
    AddCallProto("CloseFile()");
    AddCallProgram(ProgramBefore, "OpenFile", GetObjInfo(obj, ObjNumberProcs));
    for (p = GetFirstObjProc(obj); p; p = GetNextProc(p)) {
        for (b = GetFirstBlock(p); b; b = GetNextBlock(b))
            AddCallBlock(b, BlockBefore, "Execute", n, GetBlockInfo(b, BlockNumberInsts));
        sprintf(name, "proc_at_0x%lx", ProcPC(p)); /* one buffer for all: strings are copied */
        AddCallProgram(ProgramAfter, "AddProcedure", n++, ProcPC(p), ProcName(p) ? ProcName(p) : name);
    }
    AddCallProgram(ProgramAfter, "CloseFile");
}
