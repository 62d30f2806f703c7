// words.cpp: the same in C++, as today's compilers have it; each overload of an argument's kind.
#include <cstdio>
#include <string>
#include <cmplrs/atom.inst.h>
extern "C" unsigned InstrumentAll(int iargc, char **iargv) {
    std::string all;
    for (int i = 1; i < iargc; i++) all += std::string(i > 1 ? " [" : "[") + iargv[i] + "]";
    AddCallProto("Words(const char *, long)");
    AddCallProto("Main(REGV)");
    AddCallProto("Kinds(char, int, long, char[3], int[2], long[2], const char *)");
    for (Obj *obj = GetFirstObj(); obj; obj = GetNextObj(obj)) {
        if (BuildObj(obj)) return 1;
        int ints[] = {1, 2};
        unsigned long longs[] = {3, 4};
        const long constant[] = {5, 6};
        char text[] = "ab";
        AddCallProc(FindProc(obj, "main"), ProcBefore, "Main", REG_ARG_1);
        AddCallObj(obj, ObjBefore, "Kinds", 'c', -1, 1L << 40, text, ints, longs, (void *)0);
        AddCallObj(obj, ObjBefore, "Kinds", true, (short)-1, -1, text, (const int *)ints, constant, nullptr);
        WriteObj(obj);
    }
    AddCallProgram(ProgramAfter, "Words", all.c_str(), 11);
    return 0;
}
