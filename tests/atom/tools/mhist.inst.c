/* mhist.inst.c: a histogram of the sizes that malloc is asked for. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>

Instrument(int iargc, char **iargv, Obj *obj)
{
    ProcRes malloc;
    AddCallProto("Ask(REGV)");
    AddCallProto("Print()");
    ResolveNamedProc("malloc", &malloc);
    if (malloc.proc == NULL) { fprintf(stderr, "no malloc\n"); return; }
    AddCallProc(malloc.proc, ProcBefore, "Ask", REG_ARG_1);
    AddCallProgram(ProgramAfter, "Print");
}
