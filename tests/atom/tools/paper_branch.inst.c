/* paper_branch.inst.c: figure 2 of "ATOM: A System for Building Customized Program Analysis Tools" (PLDI 1994), as printed
   but for the #include lines; the analysis file beside it has the paper's obvious typographical errors mended. */
#include <stdio.h>
#include <instrument.h>
Instrument(int iargc, char **iargv)
{
  Proc *p;
  Block *b;
  Inst *inst;
  int nbranch = 0;

  AddCallProto("OpenFile(int)");
  AddCallProto("CondBranch(int, VALUE)");
  AddCallProto("PrintBranch(int, long)");
  AddCallProto("CloseFile()");

  for(p=GetFirstProc(); p!=NULL;p=GetNextProc(p)){
    for(b=GetFirstBlock(p);b!=NULL;b=GetNextBlock(b)){
      inst = GetLastInst(b);
      if(IsInstType(inst, InstTypeCondBr)){
        AddCallInst(inst, InstBefore, "CondBranch",
                    nbranch,BrCondValue);
        AddCallProgram(ProgramAfter, "PrintBranch",
                        nbranch, InstPC(inst));
        nbranch++;
      }
    }
  }

  AddCallProgram(ProgramBefore, "OpenFile", nbranch);
  AddCallProgram(ProgramAfter, "CloseFile");
}
