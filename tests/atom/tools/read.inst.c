/* read.inst.c: the first tool of the USENIX paper, by its description; the routines are those it would have. */
#include <stdio.h>
#include <instrument.h>

Instrument(int iargc, char **iargv)
{
    static char *names[] = {"read", "__read", "__libc_read", 0};
    Proc *p;
    int i;
    AddCallProto("RecordRead(REGV)");
    AddCallProto("Print()");
    for (i = 0; names[i]; i++) {
        p = GetNamedProc(names[i]);
        if (p == NULL)
            continue;
        AddCallProc(p, ProcAfter, "RecordRead", RET_RES_1);
        break; /* all are names of one procedure */
    }
    AddCallProgram(ProgramAfter, "Print");
}
