/* each.inst.c: looks at each object in its turn; says nothing but what does not depend on versions of libraries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmplrs/atom.inst.h>

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void check(int good, const char *what, Obj *obj) {
    if (!good)
        printf("%s: %s\n", last_part(GetObjName(obj)), what);
}

void InstrumentInit(int iargc, char **iargv) {
    Obj *obj, *last = NULL;
    int count = 0;
    for (obj = GetFirstObj(); obj; last = obj, obj = GetNextObj(obj), count++) {
        check(GetPrevObj(obj) == last, "GetPrevObj", obj);
        check(!IsObjBuilt(obj), "is built already", obj);
        check(FindObj(GetObjName(obj)) == obj && FindObj(last_part(GetObjName(obj))) == obj, "FindObj", obj);
        check(GetObjInfo(obj, ObjID) == count, "ObjID", obj);
    }
    check(GetLastObj() == last && GetProgInfo(ProgNumberObjects) == count, "GetLastObj", last);
    printf("objects %s, %ld to instrument\n", count > 3 ? "many" : count > 1 ? "few" : "one",
           count > 3 ? 0 : GetProgInfo(ProgNumInstObjects));
}

static void check_text(Obj *obj) {
    long start = GetObjInfo(obj, ObjTextStartAddress), size = GetObjInfo(obj, ObjTextSize), covered = 0, procs = 0;
    const unsigned *words = GetObjInstArray(obj);
    Proc *p, *last = NULL;
    for (p = GetFirstObjProc(obj); p; last = p, p = GetNextProc(p)) {
        Inst *i = GetFirstInst(GetFirstBlock(p));
        long pc = ProcPC(p);
        check(GetProcObj(p) == obj && GetPrevProc(p) == last, "a procedure", obj);
        check(pc == start + covered && pc < start + size, "ProcPC", obj);
        check(InstPC(i) == pc && GetInstInfo(i, InstBinary) == (int)words[(pc - start) / 4], "a word", obj);
        covered += 4 * GetProcInfo(p, ProcNumberInsts);
        procs++;
    }
    check(last == GetLastObjProc(obj) && covered == size, "ObjTextSize", obj);
    check(procs == GetObjInfo(obj, ObjNumberProcs) && size == 4 * GetObjInfo(obj, ObjNumberInsts) &&
              size == 4 * GetObjInstCount(obj), "counts", obj);
}

static void find(Obj *obj, const char *name) {
    ProcRes found;
    Proc *p = FindProc(obj, name);
    ResolveNamedProc(name, &found);
    check(found.proc == p && (!p || (found.obj == obj && strcmp(ProcName(p), name) == 0)), "ResolveNamedProc", obj);
    if (p)
        printf(" %s", name);
}

void Instrument(int iargc, char **iargv, Obj *obj) {
    static const char *const shared[] = {"alone", "needing others", "shared"};
    static int turn;
    Obj *other;
    Proc *p = FindProc(obj, "come_work");
    printf("%s: %s, %s, out %s, has", last_part(GetObjName(obj)),
           GetObjInfo(obj, ObjShared) == OBJ_NON_SHARED    ? shared[0]
           : GetObjInfo(obj, ObjShared) == OBJ_CALL_SHARED ? shared[1]
                                                           : shared[2],
           GetObjInfo(obj, ObjSymResolution) == OBJ_SYMBOLIC ? "symbolic" : "standard",
           *GetObjOutName(obj) ? last_part(GetObjOutName(obj)) : "none");
    find(obj, "main");
    find(obj, "host_throws");
    find(obj, "come_work");
    find(obj, "between");
    find(obj, "puts");
    find(obj, "nobody");
    printf("%s\n", GetObjInfo(obj, ObjModifyHint) == OBJ_WRITEABLE ? "" : ", read only");
    for (other = GetFirstObj(); other; other = GetNextObj(other))
        check(IsObjBuilt(other) == (other == obj), "is built in another's turn", other);
    check_text(obj);
    if (turn++ == 0)
        AddCallProto("Work(long)");
    if (p) {
        AddCallProc(p, ProcBefore, "Work", ProcPC(p));
        AddCallObj(obj, ObjBefore, "Work", 0L);
        AddCallObj(obj, ObjAfter, "Work", 1L);
    }
}

void InstrumentFini(void) {
    Obj *libc = FindObjDepthFirst(GetFirstObj(), "libc.so.6.1");
    if (libc)
        printf("the C library is one of them\n");
}
