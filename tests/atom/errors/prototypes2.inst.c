#include <cmplrs/atom.inst.h>
InstrumentInit(int iargc, char **iargv) {
    AddCallProto("S(const char *, int[2], long[3])");
    AddCallProto("S(const char *, int[5], long[1])");
    AddCallProto(" S ( const char * name , int a[ 0x10 ], long[3] ) ; ");
    AddCallProto("S(const char *, int[5], const long[1])");
    AddCallProto("S(const char *, int[5], int)");
    AddCallProto("S(const char *, int[5])");
    AddCallProto("F(int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int)");
}
