/* predict.inst.c: each conditional branch: taken, not taken, and how often a table of two-bit counters is wrong. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>
static int n;
void InstrumentInit(int iargc, char **iargv) {
    AddCallProto("Open(int)"); AddCallProto("Branch(int, REGV, VALUE)"); AddCallProto("Print(int, long)"); AddCallProto("Close()");
}
Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p; Block *b; Inst *i;
    for (p = GetFirstObjProc(obj); p != NULL; p = GetNextProc(p))
        for (b = GetFirstBlock(p); b != NULL; b = GetNextBlock(b)) {
            i = GetLastInst(b);
            if (!IsInstType(i, InstTypeCondBr)) continue;
            AddCallInst(i, InstBefore, "Branch", n, REG_PC, BrCondValue);
            AddCallProgram(ProgramAfter, "Print", n++, InstPC(i));
        }
}
void InstrumentFini() { AddCallProgram(ProgramBefore, "Open", n); AddCallProgram(ProgramAfter, "Close"); }
