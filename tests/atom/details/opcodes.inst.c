/* opcodes.inst.c: the words of a procedure and their classes, on standard error their addresses, classes and types. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>
static char *names[] = {"ClassLoad", "ClassFload", "ClassStore", "ClassFstore", "ClassIbranch", "ClassFbranch", "ClassSubroutine",
    "ClassIarithmetic", "ClassImultiplyl", "ClassImultiplyq", "ClassIlogical", "ClassIshift", "ClassIcondmove", "ClassIcompare", "ClassFpop",
    "ClassFdivs", "ClassFdivd", "ClassNull", "ClassMem"};
Instrument(int iargc, char **iargv, Obj *obj) {
    Block *b; Inst *i;
    for (b = GetFirstBlock(FindProc(obj, "opcodes")); b; b = GetNextBlock(b))
        for (i = GetFirstInst(b); i; i = GetNextInst(i))
        {
            int type;
            printf("%u %s\n", (unsigned)GetInstInfo(i, InstBinary), names[GetInstClass(i)]);
            fprintf(stderr, "inst %lx %d ", InstPC(i), GetInstClass(i));
            for (type = InstTypeLoad; type <= InstTypeRet; type++) fputc(IsInstType(i, type) ? '1' : '0', stderr);
            fputc('\n', stderr);
        }
}
