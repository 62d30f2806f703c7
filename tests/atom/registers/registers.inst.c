/* registers.inst.c: passes every register at each kind of place, one by one and many at once. */
#include <stdio.h>
#include <cmplrs/atom.inst.h>

#define MANY REG_0, REG_1, REG_2, REG_3, REG_4, REG_5, REG_6, REG_7, REG_8, REG_9, REG_10, REG_11, REG_12, REG_13, REG_14, \
    REG_15, REG_16, REG_17, REG_18, REG_19, REG_20, REG_21, REG_22, REG_23, REG_24, REG_25, REG_26, REG_27, REG_28, REG_29

Instrument(int iargc, char **iargv, Obj *obj) {
    int r; Proc *p = FindProc(obj, "main"); Inst *i; Block *b;
    AddCallProto("Register(int, int, REGV)");
    AddCallProto("Float(int, int, FREGV)");
    AddCallProto("Many(int, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV,"
                 "REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV)");
    AddCallProto("Named(int, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV, REGV)");
    AddCallProto("NamedFloat(int, FREGV, FREGV, FREGV, FREGV, FREGV, FREGV, FREGV, FREGV)");
    AddCallProto("Cycles(REGV)");
    i = GetFirstInst(GetFirstBlock(FindProc(obj, "set") ? FindProc(obj, "set") : p));
    for (b = GetFirstBlock(p); b; b = GetNextBlock(b))
        for (i = GetFirstInst(b); i; i = GetNextInst(i))
            if (GetInstInfo(i, InstBinary) == 0x43ff053f) { /* subq $31, $31, $31 */
                for (r = REG_0; r <= REG_IPC; r++) AddCallInst(i, InstBefore, "Register", 2, r, r);
                for (r = FREG_0; r <= FREG_31; r++) AddCallInst(i, InstAfter, "Float", 3, r, r);
                AddCallInst(i, InstBefore, "Many", 2, MANY);
                AddCallInst(i, InstBefore, "Named", 2, REG_RA, REG_GP, REG_ZERO, REG_ARG_1, REG_ARG_2, REG_ARG_3, REG_ARG_4,
                            REG_ARG_5, REG_ARG_6, REG_RETVAL, RET_RES_1);
                AddCallInst(i, InstBefore, "NamedFloat", 2, FREG_ZERO, FREG_ARG_1, FREG_ARG_2, FREG_ARG_3, FREG_ARG_4, FREG_ARG_5,
                            FREG_ARG_6, FREG_RETVAL);
                AddCallInst(i, InstBefore, "Cycles", REG_CC);
                AddCallInst(i, InstAfter, "Cycles", REG_CC);
            }
    AddCallProc(p, ProcBefore, "Register", 1, REG_SP, REG_SP);
    for (r = REG_0; r <= REG_IPC; r++) {
        AddCallProgram(ProgramBefore, "Register", 0, r, r);
        AddCallObj(obj, ObjBefore, "Register", 10, r, r);
        AddCallObj(obj, ObjAfter, "Register", 14, r, r);
        AddCallProgram(ProgramAfter, "Register", 4, r, r);
    }
    AddCallProgram(ProgramBefore, "Many", 0, MANY);
    AddCallProgram(ProgramAfter, "Many", 4, MANY);
    AddCallProgram(ProgramBefore, "Cycles", REG_CC);
    AddCallProgram(ProgramAfter, "Cycles", REG_CC);
}
