// profiler.inst.cc: a cache profiler for programs with threads, in C++: references and misses by procedure. What is to be excluded
// gets no calls.
#include <cmplrs/atom.inst.h>
#include <string>
unsigned InstrumentAll(int iargc, char **iargv) {
    const unsigned long flags = THREAD_PTHREAD | THREAD_FORK;
    AddCallProto("csReference(VALUE, int, const char *)");
    AddCallProto("csPrint()");
    AddCallProgram(ProgramAfter, "csPrint");
    for (Obj *o = GetFirstObj(); o != NULL; o = GetNextObj(o)) {
        if (BuildObj(o) != 0) return 1;
        if (GetObjInfo(o, ObjModifyHint) == OBJ_READONLY || ThreadExcludeObj(o, flags) != 0) continue;
        for (Proc *p = GetFirstObjProc(o); p != NULL; p = GetNextProc(p)) {
            if (ThreadExcludeProc(o, p, flags) != 0) continue;
            std::string name = ProcName(p) ? ProcName(p) : "proc_at_" + std::to_string(ProcPC(p));
            for (Block *b = GetFirstBlock(p); b != NULL; b = GetNextBlock(b))
                for (Inst *i = GetFirstInst(b); i != NULL; i = GetNextInst(i)) {
                    RegvType to = GetInstRegEnum(i, InstRA);
                    if (IsInstType(i, InstTypeStore)) AddCallInst(i, InstBefore, "csReference", EffAddrValue, 1, name.c_str());
                    else if (IsInstType(i, InstTypeLoad) && to != REG_ZERO && to != FREG_ZERO)
                        AddCallInst(i, InstBefore, "csReference", EffAddrValue, 0, name.c_str());
                }
        }
        WriteObj(o);
    }
    return 0;
}
