/* details.inst.c: prints what ATOM's routines say of details.cpp and odd.S, for atom_details.sh. */
#include <stdio.h>
#include <string.h>
#include <cmplrs/atom.inst.h>

static long wrong;
#define MUST(condition) do { if (!(condition)) { printf("wrong line %d\n", __LINE__); wrong++; } } while (0)

static void registers(Obj *obj, char *name) {
    Proc *p = FindProc(obj, name);
    printf("saved %s %lx %ld %lx %ld %ld %ld %ld\n", name, GetProcInfo(p, IRegMask), GetProcInfo(p, IRegOffset), GetProcInfo(p, FRegMask),
           GetProcInfo(p, FRegOffset), GetProcInfo(p, FrameSize), GetProcInfo(p, FrameReg), GetProcInfo(p, ProcSpSetOffset));
    MUST(GetProcInfo(p, ProcIRegOffset) == GetProcInfo(p, IRegOffset) && GetProcInfo(p, ProcFRegOffset) == GetProcInfo(p, FRegOffset));
    MUST(GetProcInfo(p, LocalOffset) == 0 && GetProcInfo(p, ProcLocalOffset) == 0 && GetProcInfo(p, PcReg) == REG_RA);
}

static void all(Obj *obj) {
    Proc *p; Block *b; Inst *i; Entry *e; long blocks = 0, insts = 0, entries = 0, id = 0;
    for (p = GetFirstObjProc(obj); p; p = GetNextProc(p)) {
        printf("proc %lx %ld %ld %ld %s\n", ProcPC(p), GetProcInfo(p, ProcIpBrJmp), GetProcInfo(p, ProcExceptionFrame), GetProcInfo(p, ProcSymRes),
               ProcName(p) ? ProcName(p) : "?");
        for (e = GetFirstEntry(p); e; e = GetNextEntry(e), entries++)
            if (e != GetFirstEntry(p)) printf("alternate %lx %s\n", EntryPC(e), EntryName(e) ? EntryName(e) : "?");
        for (b = GetFirstBlock(p); b; b = GetNextBlock(b), blocks++) {
            MUST(GetBlockInfo(b, BlockID) == id); id++;
            printf("block %lx %d\n", BlockPC(b), IsBranchTarget(b) != 0);
            for (i = GetFirstInst(b); i; i = GetNextInst(i), insts++) {
                Entry *target;
                MUST(GetInstInfo(i, InstContext) == CONTEXT_UNKNOWN && !GetInstInfo(i, InstStackPtrValid) &&
                     !GetInstInfo(i, InstFramePtrValid) && !GetInstInfo(i, InstRaRegValid));
                if (GetInstInfo(i, InstIpJmp)) printf("ipjmp %lx\n", InstPC(i));
                if (GetInstInfo(i, InstAddrTaken)) printf("taken %lx\n", InstPC(i));
                if (GetInstInfo(i, InstOpcode) == 0x34) {
                    target = GetTargetEntry(i);
                    printf("bsr %lx %lx\n", InstPC(i), target ? EntryPC(target) : 0L);
                }
            }
        }
    }
    MUST(GetObjInfo(obj, ObjNumberBlocks) == blocks && GetProgramInfo(ProgramNumberBlocks) == blocks);
    MUST(GetObjInfo(obj, ObjNumberInsts) == insts && GetProgramInfo(ProgramNumberInsts) == insts && GetObjInfo(obj, ObjNumberEntries) == entries);
    MUST(GetProgramInfo(TextStartAddress) == GetObjInfo(obj, ObjTextStartAddress) && GetProgramInfo(TextSize) == GetObjInfo(obj, ObjTextSize));
}

Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p; Block *b; Entry *e; int n = 0;
    all(obj);
    if (!FindProc(obj, "many")) { printf("wrong %ld\n", wrong); return; } /* stripped */
    registers(obj, "few"); registers(obj, "many"); registers(obj, "floats"); registers(obj, "varies"); registers(obj, "odd");
    MUST(strstr(GetAnalName(), "details.anal.c") != NULL);
    MUST(ThreadExcludeObj(obj, THREAD_PTHREAD | THREAD_FORK | THREAD_FLOAT) == 0);
    MUST(ThreadCreationObj() == obj && ThreadTerminationObj() == obj);
    printf("creation %lx\ntermination %lx\n", ProcPC(ThreadCreationProc()), ProcPC(ThreadTerminationProc()));
    MUST(FindInst(obj, "odd_inside") == GetNextInst(FindInst(obj, "odd")) || InstPC(FindInst(obj, "odd_inside")) == InstPC(FindInst(obj, "odd")) + 4);
    MUST(FindEntry(obj, "odd_inside") == GetNextEntry(FindEntry(obj, "odd")) && FindProc(obj, "odd_inside") == NULL);
    MUST(FindProc(obj, "__start") == FindProc(obj, "_start") && FindProc(obj, "_start") != NULL);
    MUST(FindProc(obj, "__libc_malloc") == FindProc(obj, "malloc") && FindProc(obj, "malloc") != NULL);
    AddCallProto("Count(int)"); AddCallProto("Print(int, const char *)");
    p = FindProc(obj, "odd");
    for (e = GetFirstEntry(p); e; e = GetNextEntry(e)) {
        AddCallEntry(e, EntryBefore, "Count", n);
        AddCallProgram(ProgramAfter, "Print", n++, EntryName(e));
    }
    AddCallProc(p, ProcBefore, "Count", n); AddCallProgram(ProgramAfter, "Print", n++, "ProcBefore");
    AddCallProc(p, ProcAfter, "Count", n); AddCallProgram(ProgramAfter, "Print", n++, "ProcAfter");
    for (b = GetFirstBlock(FindProc(obj, "many")); b; b = GetNextBlock(b)) {
        AddCallBlock(b, BlockBefore, "Count", n);
        AddCallBlock(b, BlockAfter, "Count", n + 1);
        AddCallInst(GetLastInst(b), InstAfter, "Count", n + 2);
    }
    AddCallProgram(ProgramAfter, "Print", n++, "BlockBefore");
    AddCallProgram(ProgramAfter, "Print", n++, "BlockAfter");
    AddCallProgram(ProgramAfter, "Print", n++, "InstAfter");
    printf("wrong %ld\n", wrong);
}
