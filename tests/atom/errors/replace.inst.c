#include <cmplrs/atom.inst.h>
#include <stddef.h>
Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p = FindProc(obj, "main");
    Entry *e = GetFirstEntry(p), *other = FindEntry(obj, "sum");
    ReplaceProcedure((Proc *)e, "F");
    ReplaceProcedure(p, NULL);
    ReplaceProcedure(p, "Missing");
    ReplaceProcedure(p, "Seven");
    ReplaceProcedure(p, "Variable");
    ReplaceProcedure(p, "Structure");
    ReplaceProcedure(FindProc(obj, "__divq"), "F");
    ReplaceProcedure(p, "F");
    ReplaceProcedure(p, "F");
    ReplaceAndRetainEntry(e, "F");
    ReplaceAndRetainEntry((Entry *)p, "F");
    ReplaceProto("G(VALUE, long)");
    ReplaceProto("G(VALUE)");
    ReplaceProto("G(double)");
    ReplaceEntry(other, "F");
    ReplaceEntry(other, "G", ArgValue);
    ReplaceEntry(other, "G", EffAddrValue, 5);
    ReplaceEntry(other, "G", 9, 5);
    ReplaceEntry(other, "G", ArgValue, "text");
    AddCallProto("G(VALUE)");
    AddCallProc(p, ProcBefore, "G", ArgVectorValue);
}
