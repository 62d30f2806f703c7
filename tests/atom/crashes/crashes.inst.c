/* crashes.inst.c: functions that crash, end atomc, or misuse ATOM's routines. */
#include <atom.inst.h>
#include <stdlib.h>
#include <string.h>

int bad_address(Block *block) {
    int *nowhere = (int *)8;
    return *nowhere + (block != 0);
}
int in_library(Block *block) {
    return strlen((char *)8) + (block != 0);
}
int recursion(Block *block) {
    volatile char much[65536];
    much[0] = recursion(block) + 1;
    return much[0];
}
int ends(Block *block) {
    if (block)
        exit(0);
    return 1;
}
int aborts(Block *block) {
    if (block)
        abort();
    return 1;
}
int zero(Block *block) {
    volatile int none = 0;
    return (block != 0) / none;
}
int misuse(Block *block) {
    int sum = IsInstType((Inst *)block, InstTypeLoad);
    sum += GetBlockInfo(block, 17);
    sum += GetInstRegEnum(GetFirstInst(block), InstBrDisp);
    return sum + (GetNextProc(0) != 0) + (GetPrevInst((Inst *)&sum) != 0);
}
int many(Block *block) {
    int i;
    for (i = 0; i < 100; i++)
        GetNextProc(0);
    GetNextProc((Proc *)block);
    return 0;
}
int asks(Block *block) { /* a function of an expression */
    AddCallProto("F()");
    return WriteObj(GetFirstObj()), block != 0;
}
