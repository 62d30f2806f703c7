/* inline.inst.c: call sites, recognised by hand as DEC's tool did, and how often each calls whom. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>
static int is_call(Inst *i) {
    int opcode = GetInstInfo(i, InstOpcode);
    return opcode == 0x34 || (opcode == 0x1a && (GetInstInfo(i, InstMemDisp) >> 14 & 3) == 1);
}
Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p; Block *b; Inst *i; ProcRes res; int n = 0;
    AddCallProto("Open(int)"); AddCallProto("Call(int)"); AddCallProto("Print(int, long, char *)");
    for (p = GetFirstObjProc(obj); p; p = GetNextProc(p))
        for (b = GetFirstBlock(p); b; b = GetNextBlock(b))
            if (is_call(i = GetLastInst(b))) {
                ResolveTargetProc(i, &res);
                AddCallInst(i, InstBefore, "Call", n);
                AddCallProgram(ProgramAfter, "Print", n++, InstPC(i), res.name ? res.name : "");
            }
    AddCallProgram(ProgramBefore, "Open", n);
    AddCallProgram(ProgramAfter, "Print", -1, 0, NULL);
}
