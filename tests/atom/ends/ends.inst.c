/* ends.inst.c: calls the routine that the first word of -toolargs names. Another word is a directory to change to meanwhile. */
#include <stdio.h>
#include <unistd.h>
#include <cmplrs/atom.inst.h>
Instrument(int iargc, char **iargv, Obj *obj) {
    char proto[80];
    sprintf(proto, "%s(REGV)", iargv[1]);
    AddCallProto(proto); AddCallProto("Print()");
    AddCallProc(FindProc(obj, "step"), ProcBefore, iargv[1], REG_ARG_1);
    AddCallProgram(ProgramAfter, "Print");
    if (iargc > 2) chdir(iargv[2]);
}
