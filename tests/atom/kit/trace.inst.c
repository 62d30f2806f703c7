/* trace.inst.c: the sequence of procedures entered and of addresses accessed, each as a sum that depends on the order. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>
void InstrumentInit(int iargc, char **iargv) {
    AddCallProto("Procedure(REGV)"); AddCallProto("Address(VALUE)"); AddCallProto("Print()");
    AddCallProgram(ProgramAfter, "Print");
}
Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p; Block *b; Inst *i;
    for (p = GetFirstObjProc(obj); p != NULL; p = GetNextProc(p)) {
        AddCallProc(p, ProcBefore, "Procedure", REG_PC);
        for (b = GetFirstBlock(p); b != NULL; b = GetNextBlock(b))
            for (i = GetFirstInst(b); i != NULL; i = GetNextInst(i)) {
                RegvType to = GetInstRegEnum(i, InstRA);
                if (IsInstType(i, InstTypeStore) || (IsInstType(i, InstTypeLoad) && to != REG_ZERO && to != FREG_ZERO))
                    AddCallInst(i, InstBefore, "Address", EffAddrValue);
            }
    }
}
