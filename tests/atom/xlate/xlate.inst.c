/* xlate.inst.c: two tables: of main's instructions, each of which then passes its number and REG_IPC; of all procedures' first
   entries, in a table without a size. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>
Instrument(int iargc, char **iargv, Obj *obj) {
    Proc *p = FindProc(obj, "main"); Block *b; Inst *i; int n = 0;
    Xlate *sized = CreateXlate(obj, (unsigned)GetProcInfo(p, ProcNumberInsts)), *open = CreateXlate(obj, XLATE_NOSIZE);
    AddCallProto("Check(*XLATE, int, REGV)");
    AddCallProto("Entries(XLATE *, long[1])");
    AddCallProto("Text(XLATE *, int)");
    for (b = GetFirstBlock(p); b; b = GetNextBlock(b))
        for (i = GetFirstInst(b); i; i = GetNextInst(i)) {
            AddCallInst(i, InstBefore, "Check", sized, n++, REG_IPC);
            AddXlateAddress(sized, i);
        }
    AddCallProgram(ProgramBefore, "Text", sized, n);
    { static long pcs[100000]; char proto[80]; n = 0;
      for (p = GetFirstObjProc(obj); p; p = GetNextProc(p)) { AddXlateEntry(open, GetFirstEntry(p)); pcs[n++] = ProcPC(p); }
      sprintf(proto, "Entries(XLATE *, long[%d])", n);
      AddCallProto(proto);
      AddCallProgram(ProgramAfter, "Entries", open, pcs); }
}
