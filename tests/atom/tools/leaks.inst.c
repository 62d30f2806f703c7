/* leaks.inst.c: a leak checker: which blocks the program never gives back. What the allocator's procedures do to each other is
   their own matter: only outermost calls count. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>

static char *names[] = {"malloc", "calloc", "realloc", "free"};

Instrument(int iargc, char **iargv, Obj *obj)
{
    int k; Proc *p; Block *b; Inst *i;
    AddCallProto("Enter(int, REGV, REGV)");
    AddCallProto("Result(REGV)");
    AddCallProto("Leave()");
    AddCallProto("Print()");
    for (k = 0; k < 4; k++) {
        if ((p = GetNamedProc(names[k])) == NULL) continue;
        AddCallProc(p, ProcBefore, "Enter", k, REG_ARG_1, REG_ARG_2);
        for (b = GetFirstBlock(p); b != NULL; b = GetNextBlock(b))
            if (IsInstType(i = GetLastInst(b), InstTypeRet)) AddCallInst(i, InstBefore, "Result", REG_RETVAL);
        AddCallProc(p, ProcAfter, "Leave");
    }
    AddCallProgram(ProgramAfter, "Print");
}
