/* registers.h: Alpha's registers, sets of them, and their use by the calling standard (Calling Standard for
   Alpha Systems, register usage). For C on the host and on Alpha, including stock tools; the assembler uses
   only the numbers. */
#ifndef ATOMC_REGISTERS_H
#define ATOMC_REGISTERS_H

#include "../register_set.h"

#ifndef __ASSEMBLER__

enum {
    ALPHA_V0 = 0,
    ALPHA_S0 = 9,
    ALPHA_FP = 15,
    ALPHA_A0 = 16,
    ALPHA_A3 = 19,
    ALPHA_A4 = 20,
    ALPHA_A5 = 21,
    ALPHA_RA = 26,
    ALPHA_PV = 27,
    ALPHA_AT = 28,
    ALPHA_GP = 29,
    ALPHA_SP = 30,
    ALPHA_ZERO = 31,
};

/* $31 and $f31 are never members. */
typedef register_set alpha_register_set;

#define ALL_REGISTERS            (INTEGER_REGISTERS | FLOAT_REGISTERS(0, 30))
#define INTEGER_REGISTERS        REGISTERS(0, 30)
#define ARGUMENT_REGISTERS       REGISTERS(ALPHA_A0, ALPHA_A5)
#define FLOAT_ARGUMENT_REGISTERS FLOAT_REGISTERS(ALPHA_A0, ALPHA_A5)
#define RESULT_REGISTERS         (REGISTER_BIT(ALPHA_V0) | FLOAT_REGISTERS(0, 1))
/* The registers that a procedure preserves for its caller, and the registers that it may change. */
#define CALLEE_SAVED_INTEGERS REGISTERS(ALPHA_S0, ALPHA_FP)
#define CALLEE_SAVED          (CALLEE_SAVED_INTEGERS | REGISTER_BIT(ALPHA_SP) | FLOAT_REGISTERS(2, 9))
#define CALLER_SAVED          (ALL_REGISTERS & ~CALLEE_SAVED)

#endif
#endif
