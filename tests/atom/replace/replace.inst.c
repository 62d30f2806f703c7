/* replace.inst.c: replaces procedures in each of ATOM's ways. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>
Instrument(int iargc, char **iargv, Obj *obj) {
    ReplaceProcedure(FindProc(obj, "plain"), "Plain");
    ReplaceProcedure(GetNamedProc("half"), "Half");
    ReplaceProto("Kept(VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, const char *, int)");
    ReplaceEntry(FindEntry(obj, "kept"), "Kept", ReplAddrValue, ArgValue, ArgValue, ArgValue, ArgValue, ArgValue, ArgValue, ArgValue,
                 ArgValue, ProcName(FindProc(obj, "kept")), -4);
    ReplaceAndRetainEntry(FindEntry(obj, "mixed"), "Mixed");
    ReplaceAndRetainEntry(FindEntry(obj, "recursive"), "Recursive");
    ReplaceProto("Total(VALUE, VALUE)");
    ReplaceEntry(FindEntry(obj, "total"), "Total", ArgValue, ArgVectorValue);
    ReplaceProto("Chosen(REGV, const int[2], REGV, REGV, FREGV, char)");
    { int two[2]; two[0] = 30, two[1] = 12;
      ReplaceEntry(FindEntry(obj, "chosen"), "Chosen", REG_ARG_2, two, REG_PC, REG_SP, FREG_ZERO, 'x'); }
    ReplaceAndRetainEntry(FindEntry(obj, "malloc"), "Malloc");
    AddCallProto("Print()");
    AddCallProto("Note(REGV)");
    AddCallProc(FindProc(obj, "recursive"), ProcAfter, "Note", REG_RETVAL);
    AddCallProc(FindProc(obj, "plain"), ProcBefore, "Note", REG_ARG_1);
    AddCallProgram(ProgramAfter, "Print");
}
