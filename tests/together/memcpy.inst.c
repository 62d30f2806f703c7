/* memcpy.inst.c: a tool in ATOM's interface, whose analysis code calls what only such tools have. */
#include <cmplrs/atom.inst.h>

void Instrument(int iargc, char **iargv, Obj *obj) {
    int numbers[2] = {5, 7};
    AddCallProto("OpenFile(int)");
    AddCallProto("Count()");
    AddCallProto("CloseFile(char *, int[2])");
    AddCallProc(FindProc(obj, "memcpy"), ProcBefore, "Count");
    AddCallProgram(ProgramBefore, "OpenFile", -1);
    AddCallProgram(ProgramAfter, "CloseFile", "memcpy.out", numbers);
}
