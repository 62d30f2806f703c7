/* paper_block.inst.c: figure 2(a) of "FIT: a Flexible Instrumentation Toolkit" (PASTE 2004), with #include lines. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>

void InstrumentInit(int p1, char **p2) {
    AddCallProto("ProgEnd()");
    AddCallProto("ProgBegin(int)");
    AddCallProto("RecordBlock(int)");
    AddCallProto("PrintBlock(long,int)");
}

void Instrument(int argc, char **argv, Obj *obj){
    int nblocks=0; Proc *p; Block *b;

    for (p=GetFirstObjProc(obj);p!=NULL;p=GetNextProc(p))
        for (b=GetFirstBlock(p); b!=NULL;b=GetNextBlock(b)){
            AddCallBlock(b,BlockBefore,"RecordBlock",nblocks);
            AddCallProgram(ProgramAfter,"PrintBlock",BlockPC(b),
                nblocks++);
        }

    AddCallProgram(ProgramBefore,"ProgBegin",nblocks);
    AddCallProgram(ProgramAfter,"ProgEnd");
}
