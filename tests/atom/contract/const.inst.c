#include <cmplrs/atom.inst.h>
InstrumentInit(int iargc, char **iargv) {
    AddCallProto("Write(const char *)"); AddCallProto("WriteArray(const int[2])");
    { static int two[2]; if (iargc > 1) AddCallProgram(ProgramBefore, "WriteArray", two); else AddCallProgram(ProgramBefore, "Write", "constant"); }
}
