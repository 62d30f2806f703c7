/* contract.inst.c: what the manual page promises: order and scopes, returns, copies of arguments, the cycle counter's example. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmplrs/atom.inst.h>

static char reused[40];
static int numbers[3];
static long stable_numbers[2];

static char *owned(char *text) { char *copy = (char *)malloc(strlen(text) + 1); strcpy(copy, text); return copy; }

InstrumentInit(int iargc, char **iargv)
{
    AddCallProto("Note(const char *)");
    AddCallProto("After(int)");
    AddCallProto("Start(REGV)");
    AddCallProto("Stop(REGV)");
    AddCallProto("Strings(char *, const char *, stable char *, stable const char *, free char *, const free char *)");
    AddCallProto("Arrays(char[3], int[3], long[2], const stable long[2], free int[2], const char[4])");
    AddCallProto("Small(char, char, int, int, long, long)");
    AddCallProto("Totals()");
}

Instrument(int iargc, char **iargv, Obj *obj)
{
    Proc *p = FindProc(obj, "main"), *q; Block *b = GetFirstBlock(p); Inst *i = GetFirstInst(b), *call; int k; int *given;
    /* Inner scopes first, and each twice: the order is that of the scopes, then that of adding. */
    AddCallInst(i, InstBefore, "Note", "inst 1");
    AddCallInst(i, InstBefore, "Note", "inst 2");
    AddCallBlock(b, BlockBefore, "Note", "block 1");
    AddCallProc(p, ProcBefore, "Note", "proc 1");
    AddCallObj(obj, ObjBefore, "Note", "object 1");
    AddCallProgram(ProgramBefore, "Note", "program 1");
    AddCallBlock(b, BlockBefore, "Note", "block 2");
    AddCallProc(p, ProcBefore, "Note", "proc 2");
    AddCallObj(obj, ObjBefore, "Note", "object 2");
    AddCallProgram(ProgramBefore, "Note", "program 2");
    AddCallProgram(ProgramAfter, "Note", "program after");
    AddCallObj(obj, ObjAfter, "Note", "object after");
    /* Returns, and what never returns. */
    AddCallProc(FindProc(obj, "several"), ProcAfter, "After", 0);
    q = FindProc(obj, "leaves");
    AddCallProc(q, ProcBefore, "After", 1);
    AddCallProc(q, ProcAfter, "After", 2);
    for (b = GetFirstBlock(q); b; b = GetNextBlock(b)) {
        call = GetLastInst(b);
        if (GetInstClass(call) != ClassSubroutine || !GetTargetName(call)) continue;
        k = strstr(GetTargetName(call), "longjmp") ? 3 : !strcmp(GetTargetName(call), "exit") ? 5 : 0;
        if (!k) continue;
        AddCallInst(call, InstBefore, "After", k);
        AddCallInst(call, InstAfter, "After", k + 1);
        AddCallBlock(b, BlockAfter, "After", k + 1);
    }
    /* The manual page's example. */
    q = FindProc(obj, "timed");
    AddCallProc(q, ProcBefore, "Start", REG_CC);
    AddCallProc(q, ProcAfter, "Stop", REG_CC);
    /* Buffers: copied at the call, but for stable ones; free ones are given away. */
    strcpy(reused, "first");
    stable_numbers[0] = -1;
    for (k = 0; k < 3; k++) numbers[k] = k + 1;
    given = (int *)malloc(2 * sizeof *given);
    given[0] = 40, given[1] = 2;
    AddCallProgram(ProgramAfter, "Strings", reused, reused, reused, ProcName(p), owned("mine"), owned("constant"));
    AddCallProgram(ProgramAfter, "Arrays", "abc", numbers, stable_numbers, stable_numbers, given, "wxyz");
    strcpy(reused, "later");
    numbers[0] = 100;
    stable_numbers[0] = 70, stable_numbers[1] = 7;
    AddCallProgram(ProgramAfter, "Small", 'x', 255, -1, 0x7fffffff, -1, 1L << 40);
    AddCallProgram(ProgramAfter, "Totals");
}
