#include <cmplrs/atom.inst.h>

int stalls(Block *block) {
    int count = 0;
    for (Inst *load = GetFirstInst(block); GetNextInst(load); load = GetNextInst(load)) {
        InstRegUsageVec written, read;
        GetInstRegUsage(load, &written);
        GetInstRegUsage(GetNextInst(load), &read);
        if (IsInstType(load, InstTypeLoad) && DestRegBitVec(&written)[0] & UseRegBitVec(&read)[0])
            count++;
    }
    return count;
}
