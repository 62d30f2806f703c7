/* malloc.inst.c: sizes of blocks by powers of two, and what is never freed: malloc, calloc, realloc and free by their names, in whatever
   object they are. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>
void InstrumentInit(int iargc, char **iargv) {
    AddCallProto("Enter(int, REGV, REGV)"); AddCallProto("Result(REGV)"); AddCallProto("Leave()"); AddCallProto("Print()");
    AddCallProgram(ProgramAfter, "Print");
}
Instrument(int iargc, char **iargv, Obj *obj) {
    static char *names[] = {"malloc", "calloc", "realloc", "free"};
    ProcRes res; Block *b; Inst *i; int k;
    for (k = 0; k < 4; k++) {
        ResolveNamedProc(names[k], &res);
        if (res.proc == NULL) continue;
        AddCallProc(res.proc, ProcBefore, "Enter", k, REG_ARG_1, REG_ARG_2);
        for (b = GetFirstBlock(res.proc); b != NULL; b = GetNextBlock(b))
            if (IsInstType(i = GetLastInst(b), InstTypeRet)) AddCallInst(i, InstBefore, "Result", REG_RETVAL);
        AddCallProc(res.proc, ProcAfter, "Leave");
    }
}
