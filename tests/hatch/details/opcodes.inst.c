/* opcodes.inst.c: the words of a procedure and their classes. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>
static char *names[] = {"ClassLoad", "ClassFload", "ClassStore", "ClassFstore", "ClassIbranch", "ClassFbranch", "ClassSubroutine",
    "ClassIarithmetic", "ClassImultiplyl", "ClassImultiplyq", "ClassIlogical", "ClassIshift", "ClassIcondmove", "ClassIcompare", "ClassFpop",
    "ClassFdivs", "ClassFdivd", "ClassNull", "ClassMem"};
Instrument(int iargc, char **iargv, Obj *obj) {
    Block *b; Inst *i;
    for (b = GetFirstBlock(FindProc(obj, "opcodes")); b; b = GetNextBlock(b))
        for (i = GetFirstInst(b); i; i = GetNextInst(i))
            printf("%u %s\n", (unsigned)GetInstInfo(i, InstBinary), names[GetInstClass(i)]);
}
