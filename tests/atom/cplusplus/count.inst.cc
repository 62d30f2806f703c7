// count.inst.cc: instrumentation code in C++, whose entry points have C++'s own linkage, as the headers do not declare them.
#include <cmplrs/atom.inst.h>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

static std::map<std::string, int> numbers; // made before anything is called
static std::vector<std::string> said{"begin"};

void InstrumentInit(int iargc, char **iargv) {
    AddCallProto("Enter(const char *, REGV)");
    AddCallProto("Print()");
    AddCallProgram(ProgramAfter, "Print");
    for (int i = 1; i < iargc; i++) said.push_back(iargv[i]);
}
#ifdef OLD
void Instrument(int iargc, char **iargv) {
    for (Proc *p = GetFirstProc(); p; p = GetNextProc(p))
#else
int Instrument(int iargc, char **iargv, Obj *obj) {
    for (Proc *p = GetFirstObjProc(obj); p; p = GetNextProc(p))
#endif
        try {
            if (!ProcName(p) || !ProcFileName(p)) throw std::runtime_error("no name");
            numbers[ProcName(p)] = GetProcInfo(p, ProcNumberInsts);
            AddCallProc(p, ProcBefore, "Enter", ProcName(p), REG_ARG_1);
        } catch (const std::exception &) {
            numbers["nameless"]++;
        }
#ifndef OLD
    return 0;
#endif
}
void InstrumentFini() {
    for (auto &each : said) std::cout << each << ' ';
    std::cout << (numbers.size() > 2 && numbers.count("main") && numbers["nameless"] ? "good" : "bad") << std::endl;
}
