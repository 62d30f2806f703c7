#include <cmplrs/atom.inst.h>
#include <stddef.h>
Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p = FindProc(obj, "main");
    Inst *i = FindInst(obj, "main");
    InstRegUsageVec usage;
    GetProgInfo(9);
    GetObjInfo(obj, 99);
    GetObjInfo((Obj *)p, ObjTextSize);
    GetProcInfo(p, -1);
    GetEntryInfo(GetFirstEntry(p), 5);
    GetBlockInfo(GetFirstBlock(p), 2);
    IsInstType(i, 55);
    GetInstInfo(i, 55);
    GetInstInfo(i, InstBrDisp); /* bits, no errors */
    GetInstInfo(i, InstRC);
    GetInstRegEnum(i, InstOpcode);
    GetInstBinary(12);
    GetInstBranchTarget(i);
    ResolveTargetProc(i, NULL);
    GetTargetProc(i);
    FindProc(obj, NULL);
    GetInstRegUsage(i, NULL);
}
