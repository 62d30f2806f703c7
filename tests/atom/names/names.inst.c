/* names.inst.c: of each call: its address, the callee's name and object. Where the procedure is known, each call checks that control
   goes there. Objects are built at once, so that procedures of all are known. */
#include <stdio.h>
#include <string.h>
#include <cmplrs/atom.inst.h>

static int is_linker; /* until libraries are loaded, it calls its own procedures of the same names */

static void one(Inst *i) {
    ProcRes res;
    ResolveTargetProc(i, &res);
    printf("callee %lx %s %d\n", InstPC(i), res.name ? res.name : "?", res.obj ? (int)GetObjInfo(res.obj, ObjID) : -1);
    if (GetTargetProc(i) != res.proc || GetTargetObj(i) != res.obj || GetTargetInst(i) != res.inst ||
        (res.name ? strcmp(res.name, GetTargetName(i)) : GetTargetName(i) != NULL) || GetProcCalled(i) != res.proc)
        printf("wrong at %lx\n", InstPC(i));
    if (res.proc && GetInstInfo(i, InstOpcode) == 0x1a && !is_linker)
        AddCallInst(i, InstBefore, "Goes", InstPC(i), GetInstRegEnum(i, InstRB), InstPC(res.inst));
}

static void all(Obj *obj) {
    Proc *p; Block *b; Inst *i;
    for (p = GetFirstObjProc(obj); p; p = GetNextProc(p))
        for (b = GetFirstBlock(p); b; b = GetNextBlock(b)) {
            i = GetLastInst(b);
            if (GetInstInfo(i, InstOpcode) == 0x34 || (GetInstInfo(i, InstOpcode) == 0x1a && (GetInstInfo(i, InstMemDisp) >> 14 & 3) == 1)) one(i);
        }
}

unsigned InstrumentAll(int iargc, char **iargv) {
    Obj *obj;
    AddCallProto("Goes(long, REGV, long)"); AddCallProto("Print()");
    AddCallProgram(ProgramAfter, "Print");
    for (obj = GetFirstObj(); obj; obj = GetNextObj(obj)) if (BuildObj(obj)) return 1;
    printf("found %d\n", FindObj("malloc") ? (int)GetObjInfo(FindObj("malloc"), ObjID) : -1);
    for (obj = GetFirstObj(); obj; obj = GetNextObj(obj)) {
        is_linker = strstr(GetObjName(obj), "/ld-linux") != NULL;
        all(obj);
    }
    for (obj = GetFirstObj(); obj; obj = GetNextObj(obj)) WriteObj(obj);
    return 0;
}
