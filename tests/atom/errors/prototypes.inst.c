#include <cmplrs/atom.inst.h>
InstrumentInit(int iargc, char **iargv) {
    AddCallProto("F(");
    AddCallProto("F(int");
    AddCallProto("F(int,)");
    AddCallProto("(int)");
    AddCallProto("F(double)");
    AddCallProto("F(int *)");
    AddCallProto("F(int[])");
    AddCallProto("F(int[0])");
    AddCallProto("F(int[3)");
    AddCallProto("F(VALUE[3])");
    AddCallProto("F(XLATE)");
    AddCallProto("F(const int)");
    AddCallProto("F(stable free char *)");
    AddCallProto("F(int) G");
    AddCallProto(0);
    AddCallProto("F()");
    AddCallProto("F()");
    AddCallProto("F(int)");
}
