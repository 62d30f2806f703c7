/* walk.inst.c: goes from object to object itself, and counts what each executes, as tests/data/comings.atd does. */
#include <stdio.h>
#include <string.h>
#include <cmplrs/atom.inst.h>

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void count(Obj *obj, int number) {
    Proc *p;
    Block *b;
    for (p = GetFirstObjProc(obj); p; p = GetNextProc(p))
        for (b = GetFirstBlock(p); b; b = GetNextBlock(b))
            AddCallBlock(b, BlockBefore, "Count", number, (int)GetBlockInfo(b, BlockNumberInsts));
}

unsigned InstrumentAll(int iargc, char **iargv) {
    Obj *obj, *linker = FindObj("ld-linux.so.2");
    long first = linker ? GetObjInfo(linker, ObjTextStartAddress) : 0, size = linker ? GetObjInfo(linker, ObjTextSize) : 0;
    AddCallProto("Come(int, const char *, REGV, REGV, long, long)");
    AddCallProto("Go(int, REGV, REGV)");
    AddCallProto("Count(int, int)");
    AddCallProto("Print()");
    for (obj = GetFirstObj(); obj; obj = GetNextObj(obj)) {
        int number = GetObjInfo(obj, ObjID);
        if (BuildObj(obj) != 0)
            return 1;
        if (GetObjInfo(obj, ObjModifyHint) == OBJ_READONLY) {
            ReleaseObj(obj);
            continue;
        }
        AddCallObj(obj, ObjAfter, "Go", number, REG_SP, REG_PC);
        AddCallObj(obj, ObjBefore, "Come", number, last_part(GetObjName(obj)), REG_SP, REG_PC, number > 0 && obj != linker ? first : 0L, size);
        count(obj, number);
        WriteObj(obj);
    }
    AddCallProgram(ProgramAfter, "Print");
    return 0;
}
