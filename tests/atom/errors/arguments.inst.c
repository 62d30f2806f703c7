#include <cmplrs/atom.inst.h>
#include <stddef.h>
Instrument(int iargc, char **iargv, Obj *obj) {
    int ints[2];
    AddCallProto("F()");
    AddCallProto("G(long)");
    AddCallProto("S(const char *, int[2], long[1])");
    AddCallProto("Missing()");
    AddCallProgram(ProgramBefore, "F", 1);
    AddCallProgram(ProgramBefore, "G");
    AddCallProgram(ProgramBefore, "G", "text");
    AddCallProgram(ProgramBefore, "G", 1.5);
    AddCallProgram(ProgramBefore, "S", 5, ints, ints);
    AddCallProgram(ProgramBefore, "S", NULL, 0, NULL);
    AddCallProgram(ProgramBefore, "Missing");
    AddCallProgram(ProgramBefore, "H");
    AddCallProgram(ProgramBefore, NULL);
    AddCallProgram(ProcBefore, "F");
    AddCallProgram(77, "F");
    AddCallObj(obj, ProgramAfter, "F");
    AddCallProc(GetFirstObjProc(obj), InstBefore, "F");
    AddCallBlock(GetFirstBlock(GetFirstObjProc(obj)), ObjAfter, "F");
    AddCallInst(NULL, InstBefore, "F");
    AddCallEntry(GetFirstEntry(GetFirstObjProc(obj)), ProcBefore, "F");
}
