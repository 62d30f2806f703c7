#include <cmplrs/atom.inst.h>
static int first(Block *b) { return *(int *)(long)(b != 0); }
Instrument(int iargc, char **iargv, Obj *obj) {
    AddCallProto("F()");
    return first(GetFirstBlock(GetFirstObjProc(obj)));
}
