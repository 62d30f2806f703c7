#include <cmplrs/atom.inst.h>
Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p = FindProc(obj, "main");
    Block *b = GetFirstBlock(p);
    Inst *i = FindInst(obj, "main");
    AddCallProto("G(VALUE)");
    AddCallProto("F(REGV)");
    AddCallProto("S(FREGV)");
    AddCallInst(i, InstBefore, "G", EffAddrValue);
    AddCallInst(i, InstBefore, "G", BrCondValue);
    AddCallInst(i, InstAfter, "G", BrCondValue);
    AddCallBlock(b, BlockBefore, "G", EffAddrValue);
    AddCallProc(p, ProcBefore, "G", 17);
    AddCallProc(p, ProcBefore, "F", REG_NOTUSED);
    AddCallProc(p, ProcBefore, "F", 99);
    AddCallProc(p, ProcBefore, "S", REG_PC);
    AddCallProgram(ProgramBefore, "F", REG_NOTUSED);
}
