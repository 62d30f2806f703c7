/* pipe.inst.c: functions that pipe.atd calls while instrumenting. */
#include <cmplrs/atom.inst.h>
#include <stdio.h>

/* Loads whose register the next instruction reads: each costs a simple pipe a cycle. */
int stalls(Block *block) {
    Inst *inst, *next;
    int count = 0;
    for (inst = GetFirstInst(block); inst; inst = next) {
        InstRegUsageVec load, use;
        next = GetNextInst(inst);
        if (!next || !IsInstType(inst, InstTypeLoad))
            continue;
        GetInstRegUsage(inst, &load);
        GetInstRegUsage(next, &use);
        count += (DestRegBitVec(&load)[0] & UseRegBitVec(&use)[0]) != 0;
    }
    return count;
}

/* In a buffer that every call writes again: strings are copied. */
char *label(Proc *proc, long scale, char *prefix, int negative) {
    static char text[200];
    sprintf(text, "%s%s/%ld/%d/%d", prefix, ProcName(proc) ? ProcName(proc) : "?", ProcPC(proc) % scale, negative,
            is_first(GetFirstBlock(proc)));
    return text;
}

is_first(block) Block *block; { return GetPrevBlock(block) == NULL; }

long pc(Inst *inst) { return InstPC(inst); }
