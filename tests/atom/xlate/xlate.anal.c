/* xlate.anal.c: the routines of xlate.inst.c. */
#include <stdio.h>
#include <cmplrs/atom.anal.h>
static long checked, wrong;
Check(XLATE *table, int n, REGV ipc) { checked++; if (XlateAddr(table, n) + XlateLoadShift(table) != ipc) wrong++; }
Text(XLATE *table, int n) {
    printf("text %lx %lx %ld\n", XlateInstTextStart(table), XlateInstTextSize(table), XlateLoadShift(table));
    printf("table %d %lu %lu\n", XlateNum(table) - n, XlateAddr(table, n), XlateAddr(table, -1));
}
Entries(XLATE *table, long *pcs) {
    unsigned i;
    for (i = 0; i < XlateNum(table); i++) printf("entry %lx %lx\n", pcs[i], XlateAddr(table, i));
    printf("checked %d, wrong %ld\n", checked > 200, wrong);
}
