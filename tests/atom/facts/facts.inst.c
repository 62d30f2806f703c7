/* facts.inst.c: prints what ATOM's routines say of a program, for atom_facts.sh to hold against other programs; what can be
   checked from inside (there and back again) is checked here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmplrs/atom.inst.h>

static long wrong;
#define MUST(condition) do { if (!(condition)) { printf("wrong line %d\n", __LINE__); wrong++; } } while (0)

static void one_inst(Obj *obj, Block *b, Inst *i) {
    int type, k;
    InstRegUsageVec usage;
    Inst *target;
    GetInstRegUsage(i, &usage);
    printf("inst %lx %08x %d ", InstPC(i), (unsigned)GetInstInfo(i, InstBinary), GetInstClass(i));
    for (type = InstTypeLoad; type <= InstTypeRet; type++) putchar(IsInstType(i, type) ? '1' : '0');
    printf(" %d %d %d %lx %lx\n", GetInstRegEnum(i, InstRA), GetInstRegEnum(i, InstRB), GetInstRegEnum(i, InstRC),
           UseRegBitVec(&usage)[0], DestRegBitVec(&usage)[0]);
    MUST(GetInstBinary(InstPC(i)) == GetInstInfo(i, InstBinary));
    MUST((unsigned)GetInstInfo(i, InstBinary) == GetObjInstArray(obj)[(InstPC(i) - GetObjInfo(obj, ObjTextStartAddress)) / 4]);
    MUST(GetInstInfo(i, InstOpcode) == (int)((unsigned)GetInstInfo(i, InstBinary) >> 26));
    MUST(GetInstBlock(i) == b);
    printf("fields %lx %d %d %d %d %d\n", InstPC(i), GetInstInfo(i, InstMemDisp), GetInstInfo(i, InstBrDisp), GetInstInfo(i, InstRA),
           GetInstInfo(i, InstRB), GetInstInfo(i, InstRC));
    for (k = InstRA; k <= InstRC; k++)
        if (GetInstRegEnum(i, k) != REG_NOTUSED) MUST(GetInstInfo(i, k) == (GetInstRegEnum(i, k) & 31));
    if (IsInstType(i, InstTypeLoad) || IsInstType(i, InstTypeStore)) printf("disp %lx %d\n", InstPC(i), GetInstInfo(i, InstMemDisp));
    if (IsInstType(i, InstTypeCondBr) || IsInstType(i, InstTypeUncondBr)) {
        target = GetInstBranchTarget(i);
        printf("target %lx %lx\n", InstPC(i), target ? InstPC(target) : 0L);
        MUST(!target || InstPC(target) == InstPC(i) + 4 + 4 * GetInstInfo(i, InstBrDisp));
        MUST(GetTargetInst(i) == target);
        if (target) MUST(GetInstInfo(i, InstIpBr) == (GetBlockProc(GetInstBlock(target)) != GetBlockProc(b)));
    }
    if (GetInstClass(i) == ClassSubroutine && !IsInstType(i, InstTypeRet)) {
        ProcRes res;
        ResolveTargetProc(i, &res);
        MUST(res.proc == GetTargetProc(i) && res.proc == GetProcCalled(i));
        MUST(res.proc ? res.obj == obj && GetTargetObj(i) == obj : !res.obj && !GetTargetObj(i));
        MUST(res.name == GetTargetName(i) && res.name == GetInstProcCalled(i));
        MUST(!res.proc || res.inst == GetTargetInst(i));
        if (GetInstInfo(i, InstOpcode) == 0x34) printf("callee %lx %s\n", InstPC(i), res.name ? res.name : "?");
    }
}

static void one_proc(Obj *obj, Proc *p) {
    Block *b, *last = NULL; Inst *i, *end; Entry *e; long blocks = 0, insts = 0, entries = 0;
    printf("proc %lx %s %ld %ld\n", ProcPC(p), ProcName(p) ? ProcName(p) : "?", GetProcInfo(p, ProcNumberInsts),
           GetProcInfo(p, ProcSymRes));
    MUST(GetProcObj(p) == obj && FindProc(obj, "no such procedure") == NULL);
    for (b = GetFirstBlock(p); b; last = b, b = GetNextBlock(b)) {
        MUST(GetBlockProc(b) == p && GetPrevBlock(b) == last && BlockPC(b) == InstPC(GetFirstInst(b)));
        MUST(GetPrevInst(GetFirstInst(b)) == NULL && GetNextInst(GetLastInst(b)) == NULL);
        for (end = NULL, i = GetFirstInst(b); i; end = i, i = GetNextInst(i), insts++) {
            MUST(GetPrevInst(i) == end);
            one_inst(obj, b, i);
        }
        MUST(end == GetLastInst(b));
        MUST(GetBlockInfo(b, BlockNumberInsts) == (InstPC(end) - BlockPC(b)) / 4 + 1);
        blocks++;
    }
    MUST(last == GetLastBlock(p) && blocks == GetProcInfo(p, ProcNumberBlocks) && insts == GetProcInfo(p, ProcNumberInsts));
    for (e = GetFirstEntry(p); e; e = GetNextEntry(e)) {
        MUST(GetEntryProc(e) == p && EntryPC(e) == BlockPC(GetEntryBlock(e)) && GetEntryInfo(e, EntryIsRedundant) == 0);
        MUST(GetNextEntry(e) ? GetPrevEntry(GetNextEntry(e)) == e : e == GetLastEntry(p));
        MUST(GetInstInfo(GetFirstInst(GetEntryBlock(e)), InstEntryPoint));
        entries++;
    }
    MUST(entries == GetProcInfo(p, ProcNumberEntries) && (entries > 1) == GetProcInfo(p, ProcHasAltEntries));
    MUST(EntryPC(GetFirstEntry(p)) == ProcPC(p));
    MUST(!ProcName(p) || !strcmp(EntryName(GetFirstEntry(p)), ProcName(p)));
}

static void known(Obj *obj) { /* of facts.c */
    Proc *p = FindProc(obj, "saves"), *leaf = FindProc(obj, "leaf"), *taken = FindProc(obj, "taken"); Inst *i; Block *b; ProcRes res;
    printf("saves %lx %ld %ld %ld %ld %ld %ld\n", GetProcInfo(p, ProcIRegMask), GetProcInfo(p, ProcFrameSize), GetProcInfo(p, ProcPcReg),
           GetProcInfo(p, ProcgpPrologue), GetProcInfo(p, ProcgpUsed), GetProcInfo(p, ProcLineLow), GetProcInfo(p, ProcLineHigh));
    printf("leaf %lx %ld %ld %ld %ld %ld\n", GetProcInfo(leaf, ProcIRegMask), GetProcInfo(leaf, ProcFrameSize), GetProcInfo(leaf, ProcIsRegFrame),
           GetProcInfo(leaf, ProcgpPrologue), GetProcInfo(leaf, ProcSpSetOffset), GetProcInfo(leaf, ProcFRegMask));
    MUST(GetProcInfo(taken, ProcAddrTaken) && GetProcInfo(taken, ProcSymRes) == SYMRES_STATIC);
    MUST(GetProcInfo(p, ProcFrameReg) == REG_SP && !GetProcInfo(p, ProcIsRegFrame) && GetProcInfo(p, ProcEntryLengthOffset) == GetProcInfo(p, ProcgpPrologue));
    MUST(strstr(ProcFileName(p), "facts.c") && ProcGP(p) == ProcGP(FindProc(obj, "main")));
    for (b = GetFirstBlock(p); b; b = GetNextBlock(b)) for (i = GetFirstInst(b); i; i = GetNextInst(i)) printf("line %lx %ld\n", InstPC(i), InstLineNo(i));
    ResolveNamedProc("saves", &res); MUST(res.proc == p && res.obj == obj && !strcmp(res.name, "saves"));
    ResolveObjNamedProc(obj, "none", &res); MUST(!res.proc && !res.obj && !strcmp(res.name, "none"));
    res.name = "leaf"; ReResolveProc(&res); MUST(res.proc == leaf);
    MUST(GetNamedProc("leaf") == leaf && GetNamedProcObj("leaf") == obj && GetNamedProcObj("none") == NULL && FindEntry(obj, "leaf") == GetFirstEntry(leaf));
    MUST(FindInst(obj, "leaf") == GetFirstInst(GetFirstBlock(leaf)));
    MUST(FindObj(GetObjName(obj)) == obj && FindObj("none") == NULL && FindObjDepthFirst(obj, "facts") == obj);
}

void InstrumentInit(int iargc, char **iargv) {
    MUST(iargc == 4 && !strcmp(iargv[1], "one") && !strcmp(iargv[2], "two words") && !strcmp(iargv[3], "") && !iargv[4]);
    MUST(!IsObjBuilt(GetFirstObj()) && GetObjInfo(GetFirstObj(), ObjUninitDataStartAddress) != 0);
    MUST(!strcmp(iargv[0], "facts") && !strcmp(GetProgramName(), "facts") && !strcmp(GetOutName(), "facts.atom"));
}

Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p, *last = NULL; long k, procs = 0;
    static int info[] = {ObjTextStartAddress, ObjTextSize, ObjInitDataStartAddress, ObjInitDataSize, ObjUninitDataStartAddress, ObjUninitDataSize};
    MUST(GetFirstObj() == obj && GetLastObj() == obj && !GetNextObj(obj) && !GetPrevObj(obj) && IsObjBuilt(obj));
    MUST(GetProgInfo(ProgNumberObjects) == 1 && GetProgInfo(ProgNumInstObjects) == 1 && GetProgInfo(ProgNumErrantShlibs) == 0);
    MUST(!strcmp(GetObjName(obj), "facts") && !strcmp(GetObjOutName(obj), "facts.atom"));
    MUST(GetObjInfo(obj, ObjID) == 0 && GetObjInfo(obj, ObjModifyHint) == OBJ_WRITEABLE && GetObjInfo(obj, ObjSymResolution) == OBJ_STANDARD && GetObjInfo(obj, ObjShared) == OBJ_NON_SHARED);
    for (k = 0; k < 6; k++) { printf("object %ld %lx\n", k, GetObjInfo(obj, info[k])); MUST(GetProgramInfo(k) == GetObjInfo(obj, info[k])); }
    for (p = GetFirstObjProc(obj); p; last = p, p = GetNextProc(p)) { MUST(GetPrevProc(p) == last && GetProcInfo(p, ProcID) == procs); one_proc(obj, p); procs++; }
    MUST(last == GetLastObjProc(obj) && GetFirstProc() == GetFirstObjProc(obj) && GetLastProc() == last);
    MUST(procs == GetObjInfo(obj, ObjNumberProcs) && GetProgramInfo(ProgramNumberProcs) == procs);
    MUST(GetObjInstCount(obj) == GetObjInfo(obj, ObjNumberInsts) && GetProgramInstCount() == GetObjInstCount(obj) && GetProgramInstArray() == GetObjInstArray(obj));
    known(obj);
}

void InstrumentFini() { printf("wrong %ld\n", wrong); }
