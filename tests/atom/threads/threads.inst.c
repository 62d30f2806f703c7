/* threads.inst.c: calls of each thread, by ATOM's tables of threads. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>
/* As cache profilers for threads do it: what is to be excluded gets no calls. */
Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p = FindProc(obj, "step");
    if (ThreadExcludeObj(obj, THREAD_PTHREAD) != 0 || ThreadExcludeProc(obj, p, THREAD_PTHREAD) != 0)
        return;
    AddCallProto("Start()"); AddCallProto("Step(REGV, FREGV)"); AddCallProto("Print()");
    AddCallProgram(ProgramBefore, "Start");
    AddCallProc(p, ProcBefore, "Step", REG_ARG_1, FREG_ARG_2);
    AddCallProgram(ProgramAfter, "Print");
}
