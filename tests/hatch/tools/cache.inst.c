/* cache.inst.c: the data cache of the USENIX paper; the routines are those of stdtools/cache.c. The line's and the cache's
   size are words of -toolargs. */
#include <stdio.h>
#include <stdlib.h>
#include <cmplrs/atom.inst.h>

void Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p; Block *b; Inst *i;
    int line = iargc > 1 ? atoi(iargv[1]) : 32, size = iargc > 2 ? atoi(iargv[2]) : 65536, n = 0;
    AddCallProto("Init(const char *, int)");
    AddCallProto("Level(int, long, long, long)");
    AddCallProto("Policy(int, int)");
    AddCallProto("Reference(VALUE, int, int)");
    AddCallProto("Print(const char *, const char *)");
    for (p = GetFirstObjProc(obj); p; p = GetNextProc(p))
        for (b = GetFirstBlock(p); b; b = GetNextBlock(b))
            for (i = GetFirstInst(b); i; i = GetNextInst(i)) {
                if (!IsInstType(i, InstTypeMem))
                    continue;
                if (IsInstType(i, InstTypeLoad) && (GetInstRegEnum(i, InstRA) & 31) == 31)
                    continue;
                AddCallInst(i, InstBefore, "Reference", EffAddrValue, n++, IsInstType(i, InstTypeStore) != 0);
            }
    AddCallProgram(ProgramBefore, "Init", "L1", n);
    AddCallProgram(ProgramBefore, "Level", 1, size, line, 1);
    AddCallProgram(ProgramBefore, "Policy", 1, 1);
    AddCallProgram(ProgramBefore, "Level", 2, 0, 64, 1);
    AddCallProgram(ProgramAfter, "Print", "cache", "cache.out");
}
