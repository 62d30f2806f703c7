/* icount.inst.c: instructions executed, by class, from two arrays for each procedure: sizes of blocks are static, an int[]
   whose length changes from procedure to procedure; classes are counted at each block. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>

static char *names[] = {"load", "fload", "store", "fstore", "ibranch", "fbranch", "subroutine", "iarith", "mull", "mulq",
    "ilogical", "ishift", "icondmove", "icompare", "fpop", "fdivs", "fdivd", "null", "mem"};

Instrument(int iargc, char **iargv, Obj *obj)
{
    Proc *p; Block *b; Inst *i; int k, n; char proto[80];
    AddCallProto("Count(const int[19])");
    AddCallProto("Print(int, const char *)");
    AddCallProto("Check(const int[1], int, int)");
    for (p = GetFirstObjProc(obj); p; p = GetNextProc(p)) {
        static int sizes[65536];
        n = 0;
        for (b = GetFirstBlock(p); b; b = GetNextBlock(b)) {
            int classes[19];
            for (k = 0; k < 19; k++) classes[k] = 0;
            for (i = GetFirstInst(b); i; i = GetNextInst(i)) classes[GetInstClass(i)]++;
            AddCallBlock(b, BlockBefore, "Count", classes);
            if (n < 65536) sizes[n++] = GetBlockInfo(b, BlockNumberInsts);
        }
        sprintf(proto, "Check(const int[%d], int, int)", n);
        AddCallProto(proto);
        AddCallProgram(ProgramBefore, "Check", sizes, n, (int)GetProcInfo(p, ProcNumberInsts));
    }
    for (k = 0; k < 19; k++) AddCallProgram(ProgramAfter, "Print", k, names[k]);
}
