/* hints.inst.c: the addresses of ClassMem. */
#include <cmplrs/atom.inst.h>
Instrument(int iargc, char **iargv, Obj *obj) {
    Block *b; Inst *i;
    AddCallProto("Address(VALUE)");
    for (b = GetFirstBlock(FindProc(obj, "main")); b; b = GetNextBlock(b))
        for (i = GetFirstInst(b); i; i = GetNextInst(i))
            if (GetInstClass(i) == ClassMem && IsInstType(i, InstTypeMem)) AddCallInst(i, InstBefore, "Address", EffAddrValue);
}
