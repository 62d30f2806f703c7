/* cache.inst.c: the data cache of the USENIX paper. The line's and the cache's size are words of -toolargs. */
#include <stdio.h>
#include <stdlib.h>
#include <cmplrs/atom.inst.h>

void Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p; Block *b; Inst *i;
    long line = iargc > 1 ? atoi(iargv[1]) : 32, size = iargc > 2 ? atoi(iargv[2]) : 65536;
    AddCallProto("Init(long, long)");
    AddCallProto("Reference(VALUE)");
    AddCallProto("Print(const char *)");
    for (p = GetFirstObjProc(obj); p; p = GetNextProc(p))
        for (b = GetFirstBlock(p); b; b = GetNextBlock(b))
            for (i = GetFirstInst(b); i; i = GetNextInst(i)) {
                if (!IsInstType(i, InstTypeMem))
                    continue;
                if (IsInstType(i, InstTypeLoad) && (GetInstRegEnum(i, InstRA) & 31) == 31)
                    continue;
                AddCallInst(i, InstBefore, "Reference", EffAddrValue);
            }
    AddCallProgram(ProgramBefore, "Init", size, line);
    AddCallProgram(ProgramAfter, "Print", "cache.out");
}
