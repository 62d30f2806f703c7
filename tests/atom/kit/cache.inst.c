/* cache.inst.c: a cache of 64 KB, or with a word the translation buffer of so many pages. */
#include <stdlib.h>
#include <stdio.h>
#include <cmplrs/atom.inst.h>
void InstrumentInit(int iargc, char **iargv) {
    AddCallProto("Reference(VALUE)"); AddCallProto("Buffer(VALUE)"); AddCallProto("Print(int)");
    AddCallProgram(ProgramAfter, "Print", iargc > 1);
}
Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p; Block *b; Inst *i;
    for (p = GetFirstObjProc(obj); p != NULL; p = GetNextProc(p))
        for (b = GetFirstBlock(p); b != NULL; b = GetNextBlock(b))
            for (i = GetFirstInst(b); i != NULL; i = GetNextInst(i)) {
                RegvType to = GetInstRegEnum(i, InstRA);
                if (IsInstType(i, InstTypeStore) || (IsInstType(i, InstTypeLoad) && to != REG_ZERO && to != FREG_ZERO))
                    AddCallInst(i, InstBefore, iargc > 1 ? "Buffer" : "Reference", EffAddrValue);
            }
}
