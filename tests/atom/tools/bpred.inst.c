/* bpred.inst.c: how well counters of two bits predict the conditional branches; how many there are is a word of -toolargs. */
#include <stdio.h>
#include <stdlib.h>
#include <cmplrs/atom.inst.h>

Instrument(int iargc, char **iargv, Obj *obj)
{
    Proc *p; Block *b; Inst *i; int n = 0;

    AddCallProto("Open(int, int)");
    AddCallProto("Predict(int, REGV, VALUE)");
    AddCallProto("Print(int, long)");
    AddCallProto("Total()");
    for (p = GetFirstObjProc(obj); p != NULL; p = GetNextProc(p))
        for (b = GetFirstBlock(p); b != NULL; b = GetNextBlock(b)) {
            i = GetLastInst(b);
            if (!IsInstType(i, InstTypeCondBr)) continue;
            AddCallInst(i, InstBefore, "Predict", n, REG_PC, BrCondValue);
            AddCallProgram(ProgramAfter, "Print", n, InstPC(i));
            n++;
        }
    AddCallProgram(ProgramBefore, "Open", n, iargc > 1 ? atoi(iargv[1]) : 1024);
    AddCallProgram(ProgramAfter, "Total");
}
