/* tlb.inst.c: a translation buffer for data: entries and bytes of a page are words of -toolargs. */
#include <stdio.h>
#include <stdlib.h>
#include <cmplrs/atom.inst.h>

static char *words[] = {"", "64", "8192"};

InstrumentInit(iargc, iargv)
int iargc;
char **iargv;
{
    int k;
    for (k = 1; k < 3 && k < iargc; k++) words[k] = iargv[k];
    AddCallProto("Init(int, long)");
    AddCallProto("Refer(VALUE)");
    AddCallProto("Report(const char *)");
    AddCallProgram(ProgramBefore, "Init", atoi(words[1]), atol(words[2]));
    AddCallProgram(ProgramAfter, "Report", "tlb.out");
}

Instrument(int iargc, char **iargv, Obj *obj)
{
    Proc *p; Block *b; Inst *i;
    for (p = GetFirstObjProc(obj); p != NULL; p = GetNextProc(p))
        for (b = GetFirstBlock(p); b != NULL; b = GetNextBlock(b))
            for (i = GetFirstInst(b); i != NULL; i = GetNextInst(i)) {
                RegvType to = GetInstRegEnum(i, InstRA);
                if (IsInstType(i, InstTypeStore) || (IsInstType(i, InstTypeLoad) && to != REG_ZERO && to != FREG_ZERO))
                    AddCallInst(i, InstBefore, "Refer", EffAddrValue);
            }
}
