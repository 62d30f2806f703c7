/* register_set.h: sets of registers, for any machine. For C on the host and for the instrumented process. */
#ifndef ATOMC_REGISTER_SET_H
#define ATOMC_REGISTER_SET_H

/* The number of arguments in registers, of each kind of register; the others are on the stack. The same for
   all machines so far (architecture.convention has it too; AArch64 has 8, and needs the machine's number at
   each use). */
#define REGISTER_ARGUMENTS 6

#ifndef __ASSEMBLER__
#include <stdint.h>

/* Bit r = integer register r, 0 to 30; bit 32 + r = floating-point register r. Bit 31 represents the flags of
   a machine that has flags. A register that always holds 0 is never a member. */
typedef uint64_t register_set;

#define FLOAT_REGISTER(r)            (32 + (r))
#define REGISTER_BIT(r)              (UINT64_C(1) << (r))
#define FLOAT_BIT(r)                 REGISTER_BIT(FLOAT_REGISTER(r))
#define REGISTERS(first, last)       ((UINT64_C(2) << (last)) - (UINT64_C(1) << (first)))
#define FLOAT_REGISTERS(first, last) (REGISTERS(first, last) << 32)

#endif
#endif
