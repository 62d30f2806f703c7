#include <cmplrs/atom.inst.h>
InstrumentInit(int iargc, char **iargv) {
    AddCallProto("(()");
    AddCallProto("((()");
    AddCallProto("(((()");
    AddCallProto("((((()");
    AddCallProto("(((((()");
    AddCallProto("((((((()");
    AddCallProto("(((((((()");
    AddCallProto("((((((((()");
    AddCallProto("(((((((((()");
    AddCallProto("((((((((((()");
    AddCallProto("(((((((((((()");
    AddCallProto("((((((((((((()");
    AddCallProto("(((((((((((((()");
    AddCallProto("((((((((((((((()");
    AddCallProto("(((((((((((((((()");
    AddCallProto("((((((((((((((((()");
    AddCallProto("(((((((((((((((((()");
    AddCallProto("((((((((((((((((((()");
    AddCallProto("(((((((((((((((((((()");
    AddCallProto("((((((((((((((((((((()");
    AddCallProto("(((((((((((((((((((((()");
    AddCallProto("((((((((((((((((((((((()");
    AddCallProto("(((((((((((((((((((((((()");
    AddCallProto("((((((((((((((((((((((((()");
    AddCallProto("(((((((((((((((((((((((((()");
    for (;;) AddCallProto("(");
}
