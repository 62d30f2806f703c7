/* fate.h: instructions as fate.c and fate_parts.c represent them when they read the program's code. */
#ifndef ATOMC_FATE_H
#define ATOMC_FATE_H

#include "../codegen/alpha/fields.h"
#include "../codegen/alpha/registers.h"
#include "shadow.h"

enum { FP = FLOAT_REGISTER(0), NONE = -1 };

/* The use of values in an instruction; fate.inc has the same numbers. */
enum kind {
    OTHER,
    ADDRESS, /* lda, ldah */
    LOAD,    /* and other instructions with an address in rb that change ra */
    STORE,
    GOTO,     /* br without link */
    DIRECT,   /* bsr, and br with link */
    INDIRECT, /* jmp, jsr */
    RETURN,
    CONDITIONAL, /* branches */
    CONSTANT,    /* lda of a number */
    /* The following kinds have operands in ra and rb, and a result in rc. */
    SELECT = 16, /* moves that depend on ra: which value they take is unknown here */
    USE,         /* the result is computed from the operands */
    MOVE,        /* of floating-point registers */
    PASS,        /* the value only passes: logic, shifts, zap */
    ADD,         /* the value passes with a number added or subtracted */
    SIGN,        /* addl $31: the sign of 32 bits is extended */
    COPY,        /* bis */
    INSERT,      /* insbl to insql: bytes to the position given by an address */
    SHIFT_RIGHT, /* sra */
    /* for extract and insert: the part beyond a quadword; the use of the value is determined from extql and
       insql */
    HIGH_PART,
    HIGH_QUAD,  /* extqh */
    SHIFT_LEFT, /* sll */
    SHIFT_DOWN, /* srl */
    AND,        /* and, for these three with a literal: the bits or bytes that are kept */
    AND_NOT,    /* bic */
    KEEP,       /* zapnot */
    /* Plus the logarithm of the number of bytes. */
    EXTRACT = 32, /* bytes from the position given by an address */
    MASK_LOW = 36,
    MASK_HIGH = 40,
    KINDS = 63,
    /* Bits: the register is a floating-point one. */
    FLOAT_A = 64,
    FLOAT_C = 128
};
struct instruction {
    unsigned word;
    int kind; /* with the bits */
};

static inline int kind_of(struct instruction instruction) {
    return instruction.kind & KINDS;
}
static inline int is_operation(struct instruction instruction) {
    return kind_of(instruction) >= SELECT;
}
static inline int is_mask(struct instruction instruction) {
    return kind_of(instruction) >= MASK_LOW;
}
static inline int ra_of(struct instruction instruction) {
    return (int)alpha_ra(instruction.word) + (instruction.kind & FLOAT_A ? FP : 0);
}
static inline int rb_of(struct instruction instruction) {
    if (!is_operation(instruction))
        return (int)alpha_rb(instruction.word);
    if (!(instruction.kind & (FLOAT_A | FLOAT_C)) && alpha_has_literal(instruction.word))
        return NONE;
    return (int)alpha_rb(instruction.word) + (instruction.kind & FLOAT_C ? FP : 0);
}
static inline int rc_of(struct instruction instruction) {
    return (int)alpha_rc(instruction.word) + (instruction.kind & FLOAT_C ? FP : 0);
}

/* True if the other side of a call or return reads the register. */
static inline int is_passed(int number, int returns) {
    const alpha_register_set seen =
        returns ? REGISTER_BIT(ALPHA_V0) | FLOAT_BIT(0) : ARGUMENT_REGISTERS | FLOAT_ARGUMENT_REGISTERS;
    return seen >> number & 1;
}
static inline int survives_call(int number) {
    return CALLEE_SAVED >> number & 1;
}

static inline unsigned long target_of(unsigned long at, unsigned word) {
    return at + 4 + 4 * (long)alpha_branch_displacement(word);
}

/* OTHER: the address has no instruction of the program. */
struct instruction instruction_at(unsigned long pc);
/* Signed bytes and shorts are moved by extqh to the high end and shifted down from there: returns the
   number of bits; 0 for other code. */
int brings_signed(unsigned long at);
/* The last instruction before pc in its procedure that writes the integer register, in straight-line code,
   and its address. OTHER: there is none, or it computes an address. */
struct instruction writer(unsigned long *pc, int reg);
/* True if the register holds a constant at pc that was loaded by lda. */
int is_constant(unsigned long at, int reg, unsigned long *number);
/* Sets the part of the loaded value that is used. */
void find_part(struct load_fate *fate, unsigned long pc, int size, int unaligned);

#endif
