/* audit.inst.c: the compiler auditor of the USENIX paper, by its description. */
#include <stdio.h>
#include <instrument.h>

Instrument(int iargc, char **iargv)
{
    Proc *p; Block *b; Inst *i; int n = 0;
    AddCallProto("OpenFile(int)");
    AddCallProto("SaveLoad(REGV)");
    AddCallProto("CheckLoad(int, REGV)");
    AddCallProto("PrintLoad(int, long)");
    AddCallProto("CloseFile()");
    for (p = GetFirstProc(); p != NULL; p = GetNextProc(p))
        for (b = GetFirstBlock(p); b != NULL; b = GetNextBlock(b))
            for (i = GetFirstInst(b); i != NULL; i = GetNextInst(i)) {
                int opcode = GetInstInfo(i, InstOpcode);
                if (!IsInstType(i, InstTypeLoad) || opcode == 0x2a || opcode == 0x2b) /* not ldl_l, ldq_l */
                    continue;
                if (GetInstRegEnum(i, InstRA) == REG_ZERO || GetInstRegEnum(i, InstRA) == FREG_ZERO)
                    continue; /* a prefetch */
                AddCallInst(i, InstBefore, "SaveLoad", GetInstRegEnum(i, InstRA));
                AddCallInst(i, InstAfter, "CheckLoad", n, GetInstRegEnum(i, InstRA));
                AddCallProgram(ProgramAfter, "PrintLoad", n, InstPC(i));
                n++;
            }
    AddCallProgram(ProgramBefore, "OpenFile", n);
    AddCallProgram(ProgramAfter, "CloseFile");
}
