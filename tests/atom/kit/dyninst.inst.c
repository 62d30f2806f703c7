/* dyninst.inst.c: instructions, blocks, loads, stores and calls executed, in all and by procedure; calls of each procedure. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>
static int n;
void InstrumentInit(int iargc, char **iargv) {
    AddCallProto("Open(int)"); AddCallProto("Block(int, const int[4])"); AddCallProto("Enter(int)"); AddCallProto("Print(int, long, const char *)");
    AddCallProto("Close()");
}
Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p; Block *b; Inst *i; char name[40];
    for (p = GetFirstObjProc(obj); p != NULL; p = GetNextProc(p), n++) {
        AddCallProc(p, ProcBefore, "Enter", n);
        for (b = GetFirstBlock(p); b != NULL; b = GetNextBlock(b)) {
            int counts[4];
            counts[0] = GetBlockInfo(b, BlockNumberInsts); counts[1] = counts[2] = counts[3] = 0;
            for (i = GetFirstInst(b); i != NULL; i = GetNextInst(i)) {
                counts[1] += IsInstType(i, InstTypeLoad) && !IsInstType(i, InstTypeNop);
                counts[2] += IsInstType(i, InstTypeStore);
                counts[3] += GetInstInfo(i, InstOpcode) == 0x34 || (GetInstInfo(i, InstOpcode) == 0x1a && (GetInstInfo(i, InstMemDisp) >> 14 & 1));
            }
            AddCallBlock(b, BlockBefore, "Block", n, counts);
        }
        sprintf(name, "proc_at_0x%lx", ProcPC(p));
        AddCallProgram(ProgramAfter, "Print", n, ProcPC(p), ProcName(p) ? ProcName(p) : name);
    }
}
void InstrumentFini() { AddCallProgram(ProgramBefore, "Open", n); AddCallProgram(ProgramAfter, "Close"); }
