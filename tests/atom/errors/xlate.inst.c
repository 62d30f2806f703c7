#include <cmplrs/atom.inst.h>
#include <stddef.h>
Instrument(int iargc, char **iargv, Obj *obj) {
    Inst *i = FindInst(obj, "main");
    Xlate *table = CreateXlate(obj, 1);
    CreateXlate((Obj *)i, 1);
    AddXlateAddress(table, i);
    AddXlateAddress(table, i);
    AddXlateEntry(NULL, FindEntry(obj, "main"));
    AddXlateEntry((Xlate *)i, FindEntry(obj, "main"));
    AddXlateEntry(table, (Entry *)i);
    AddCallProto("G(XLATE *)");
    AddCallInst(i, InstBefore, "G", 5);
    AddCallInst(i, InstBefore, "G", (Xlate *)i);
    AddCallInst(i, InstBefore, "G", NULL);
    AddCallInst(i, InstBefore, "G", "text");
}
