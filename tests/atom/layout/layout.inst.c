/* layout.inst.c: room in the bss, other names, first and last procedures. Words: the output's name, a library that the program needs,
   and another one that it gets. */
#include <stdio.h>
#include <string.h>
#include <alpha/atom.inst.h>

unsigned InstrumentAll(int iargc, char **iargv) {
    Obj *obj = GetFirstObj();
    long room, end;
    if (BuildObj(obj)) return 1;
    end = GetObjInfo(obj, ObjUninitDataStartAddress) + GetObjInfo(obj, ObjUninitDataSize);
    room = ExtendBSS(obj, 100000);
    printf("end %lx\nroom %ld\nthen %ld\n", end, room - end < 16 && room % 16 == 0, GetObjInfo(obj, ObjUninitDataStartAddress) + GetObjInfo(obj, ObjUninitDataSize) - room);
    printf("next %d\n", ExtendBSS(obj, 8) == room + 100000);
    if (iargc > 1) {
        ReplaceObjOutputName(obj, iargv[1]);
        printf("names %s %s\n", GetObjOutName(obj), GetOutName());
    }
    if (iargc > 3) UpdateObjLiblist(obj, iargv[2], iargv[3]);
    printf("first %s\nlast %s\n", ProcName(GetFirstInitProc(obj)), ProcName(GetLastFiniProc(obj)));
    printf("offset %ld %ld\n", GetOffset(FindInst(obj, "main"), FindInst(obj, "_init")), GetOffset(FindInst(obj, "_init"), FindInst(obj, "main")));
    AddCallProto("Fill(long, int)"); AddCallProto("Check(long, int)"); AddCallProto("Order(int)");
    AddCallProgram(ProgramBefore, "Fill", room, 100000);
    AddCallProc(GetFirstInitProc(obj), ProcBefore, "Order", 1);
    AddCallProc(FindProc(obj, "main"), ProcBefore, "Order", 2);
    AddCallProc(GetLastFiniProc(obj), ProcBefore, "Order", 3);
    AddCallProgram(ProgramAfter, "Check", room, 100000);
    WriteObj(obj);
    return 0;
}
