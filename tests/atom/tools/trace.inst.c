/* trace.inst.c: a trace of addresses, folded into sums: of all references, their number, and what registers hold at
   the first instruction of main. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>
Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p; Block *b; Inst *i;
    AddCallProto("traceinst(int, long, VALUE, REGV)");
    AddCallProto("main_entered(REGV, REGV, REGV, REGV, REGV)");
    AddCallProto("traceend(char[6], long[2], int)");
    for (p = GetFirstObjProc(obj); p; p = GetNextProc(p))
        for (b = GetFirstBlock(p); b; b = GetNextBlock(b))
            for (i = GetFirstInst(b); i; i = GetNextInst(i))
                if (IsInstType(i, InstTypeMem))
                    AddCallInst(i, InstBefore, "traceinst", -1, -1, EffAddrValue, REG_PC);
    p = GetNamedProc("main");
    AddCallProc(p, ProcBefore, "main_entered", REG_ARG_1, REG_SP, REG_ZERO, REG_RA, REG_PC);
    { char word[6]; long numbers[2]; sprintf(word, "trace"); numbers[0] = -5; numbers[1] = ProcPC(p);
      AddCallProgram(ProgramAfter, "traceend", word, numbers, 'e'); }
}
