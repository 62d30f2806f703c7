/* words.c: instruments main, and tells the words that it got. */
#include <cmplrs/atom.inst.h>
extern char *joined();
InstrumentInit(iargc, iargv) int iargc; char **iargv; {
    AddCallProto("Words(const char *, long)");
    AddCallProto("Main(REGV)");
    AddCallProgram(ProgramAfter, "Words", joined(iargc, iargv), GetProgInfo(ProgNumInstObjects) * 10 + GetObjInfo(GetFirstObj(), ObjModifyHint));
}
Instrument(int iargc, char **iargv, Obj *obj) { AddCallProc(GetNamedProc("main"), ProcBefore, "Main", REG_ARG_1); }
