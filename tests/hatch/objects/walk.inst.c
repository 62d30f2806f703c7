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
    Obj *obj;
    AddCallProto("Come(int, const char *, REGV)");
    AddCallProto("Go(int, REGV)");
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
        AddCallObj(obj, ObjAfter, "Go", number, REG_SP);
        AddCallObj(obj, ObjBefore, "Come", number, last_part(GetObjName(obj)), REG_SP);
        count(obj, number);
        WriteObj(obj);
    }
    AddCallProgram(ProgramAfter, "Print");
    return 0;
}
