/* passed.inst.c: what -I, -Wci and -Wli pass on. */
#include <cmplrs/atom.inst.h>
#include <folder_given.h>
extern int linked_here();
Instrument(int iargc, char **iargv, Obj *obj) {
    AddCallProto("Say(int, int)");
    AddCallProgram(ProgramAfter, "Say", GIVEN, COMPILED + linked_here());
}
