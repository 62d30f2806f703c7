/* branch.inst.c: a branch counter that names procedures and sources; walks procedures backwards, calls are numbered
   forwards all the same. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>

static char *name_of(Proc *p) {
    static char name[64];
    sprintf(name, "proc_at_0x%lx", ProcPC(p));
    return name;
}

InstrumentInit(int iargc, char **iargv) {
    AddCallProto("OpenFile(int)");
    AddCallProto("CondBranch(int, VALUE)");
    AddCallProto("PrintBranch(int, long, const char *, const char *, int)");
    AddCallProto("CloseFile()");
}

static int n;
extern char *source_of();

Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p;
    Block *b;
    Inst *i;
    for (p = GetFirstObjProc(obj); p; p = GetNextProc(p))
        for (b = GetFirstBlock(p); b; b = GetNextBlock(b)) {
            i = GetLastInst(b);
            if (GetInstClass(i) != ClassFbranch && !(GetInstClass(i) == ClassIbranch && !IsInstType(i, InstTypeUncondBr)))
                continue;
            AddCallInst(i, InstBefore, "CondBranch", n, BrCondValue);
            AddCallProgram(ProgramAfter, "PrintBranch", n, InstPC(i), ProcName(p) ? ProcName(p) : name_of(p),
                           source_of(p, i), InstLineNo(i));
            n++;
        }
}

/* The file of the instruction is the procedure's, unless it is of an inlined one: then the stock tool says another. */
char *source_of(p, i) Proc *p; Inst *i; { return ProcFileName(p) && InstLineNo(i) ? ProcFileName(p) : ""; }

InstrumentFini() {
    AddCallProgram(ProgramBefore, "OpenFile", n);
    AddCallProgram(ProgramAfter, "CloseFile");
}
