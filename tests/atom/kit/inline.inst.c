/* inline.inst.c: how often each call is made, told by opcode and hint as DEC's tool tells it. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>
static int n;
void InstrumentInit(int iargc, char **iargv) { AddCallProto("Open(int)"); AddCallProto("Call(int)"); AddCallProto("Print(int, long, const char *)"); AddCallProto("Close()"); }
Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p; Block *b; Inst *i; ProcRes res;
    for (p = GetFirstObjProc(obj); p != NULL; p = GetNextProc(p))
        for (b = GetFirstBlock(p); b != NULL; b = GetNextBlock(b)) {
            i = GetLastInst(b);
            if (GetInstInfo(i, InstOpcode) != 0x34 && !(GetInstInfo(i, InstOpcode) == 0x1a && ((GetInstInfo(i, InstMemDisp) >> 14) & 3) == 1)) continue;
            ResolveTargetProc(i, &res);
            AddCallInst(i, InstBefore, "Call", n);
            AddCallProgram(ProgramAfter, "Print", n++, InstPC(i), res.name ? res.name : "?");
        }
}
void InstrumentFini() { AddCallProgram(ProgramBefore, "Open", n); AddCallProgram(ProgramAfter, "Close"); }
