/* alpha.h: the Alpha instruction set for C: decode, register use, encode, print. Everything is generated
   from codegen/alpha/Alpha.td, or checked against it. It does not depend on ELF. */
#ifndef ATOMC_ALPHA_H
#define ATOMC_ALPHA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codegen/isa.h"
#include "codegen/alpha/fields.h"
#include "codegen/alpha/registers.h"
#include "codegen/alpha/words.h"

/* One enumerator per encoding, ALPHA_<name in Alpha.td>: ALPHA_LDQ, ALPHA_ADDQr (register form),
   ALPHA_ADDQi (8-bit literal form), ALPHA_BEQ, ALPHA_RET, ALPHA_CALL_PAL ...; ALPHA_INVALID is 0. */
#include "alpha_opcodes.h" /* generated: enum alpha_opcode */

enum alpha_format {
    ALPHA_FORMAT_INVALID,
    ALPHA_FORMAT_PAL,             /* 26-bit function */
    ALPHA_FORMAT_MEMORY,          /* ra, disp16(rb) */
    ALPHA_FORMAT_MEMORY_FUNCTION, /* ra, rb, 16-bit function: mb, fetch, rpcc ... */
    ALPHA_FORMAT_JUMP,            /* ra, (rb), hint14 */
    ALPHA_FORMAT_BRANCH,          /* ra, disp21 in words */
    ALPHA_FORMAT_OPERATE,         /* ra, rb, rc */
    ALPHA_FORMAT_LITERAL,         /* ra, lit8, rc */
    ALPHA_FORMAT_FLOAT,           /* fa, fb, fc */
};

enum alpha_extension { ALPHA_BASE, ALPHA_BWX, ALPHA_MVI, ALPHA_FIX, ALPHA_CIX };

enum alpha_flag {
    ALPHA_LOAD = 1 << 0,      /* reads memory (including prefetches to $31/$f31: see alpha_is_prefetch) */
    ALPHA_STORE = 1 << 1,     /* writes memory */
    ALPHA_LOCKED = 1 << 2,    /* ldl_l ldq_l stl_c stq_c */
    ALPHA_UNALIGNED = 1 << 3, /* ldq_u stq_u: the address is rounded down to a multiple of 8 */
    ALPHA_COND_BRANCH = 1 << 4,
    ALPHA_UNCOND_BRANCH = 1 << 5, /* br */
    ALPHA_CALL = 1 << 6,          /* bsr jsr jsr_coroutine */
    ALPHA_INDIRECT = 1 << 7,      /* jmp jsr ret jsr_coroutine: target in rb */
    ALPHA_RETURN = 1 << 8,        /* ret */
    ALPHA_FLOATING = 1 << 9,      /* floating-point instruction, including loads, stores and branches */
    ALPHA_READS_FPCR = 1 << 10,   /* mf_fpcr and every operation whose rounding or traps depend on it */
    ALPHA_WRITES_FPCR = 1 << 11,  /* mt_fpcr and every operation that may set its exception bits */
    ALPHA_COND_MOVE = 1 << 12,    /* reads rc, too */
    ALPHA_BARRIER = 1 << 13,      /* mb wmb trapb excb */
};

struct alpha_descriptor {
    const char *mnemonic;              /* with qualifiers: "addt/su"; for call_pal "call_pal" */
    uint32_t match, mask;              /* word & mask == match */
    uint16_t opcode_id;                /* enum alpha_opcode */
    uint16_t flags;                    /* enum alpha_flag */
    uint8_t format;                    /* enum alpha_format */
    uint8_t extension;                 /* enum alpha_extension */
    uint8_t class;                     /* enum instruction_class */
    uint8_t memory_size;               /* number of bytes moved by a load or store, else 0 */
    uint8_t ra_role, rb_role, rc_role; /* enum alpha_role */
};
/* The role of a register field of an instruction. Float roles name $f0-$f31. */
enum alpha_role {
    ALPHA_ROLE_NONE, /* not an operand (literal, hint, ignored) */
    ALPHA_ROLE_READ,
    ALPHA_ROLE_WRITE,
    ALPHA_ROLE_READ_WRITE,
    ALPHA_ROLE_FLOAT_READ,
    ALPHA_ROLE_FLOAT_WRITE,
    ALPHA_ROLE_FLOAT_READ_WRITE,
};

/* ---- decode: tables generated into alpha_table.c by codegen/alpha/make_tables.cpp ------------------------ */

/* Indexed by primary opcode, word<31:26>: the opcode number is alpha_slots[base + (word >> shift & mask)],
   if the word matches that opcode's descriptor. */
struct alpha_dispatch {
    uint16_t base;
    uint16_t shift;
    uint32_t mask;
};
extern const struct alpha_descriptor alpha_descriptors[ALPHA_OPCODE_COUNT];
extern const struct alpha_dispatch alpha_dispatch[64];
extern const uint16_t alpha_slots[];

/* Never NULL: for undefined words, returns the descriptor of ALPHA_INVALID (class unknown). */
static inline const struct alpha_descriptor *alpha_decode(uint32_t word) {
    const struct alpha_dispatch *dispatch = &alpha_dispatch[alpha_primary(word)];
    const struct alpha_descriptor *descriptor =
        &alpha_descriptors[alpha_slots[dispatch->base + (word >> dispatch->shift & dispatch->mask)]];

    return (word & descriptor->mask) == descriptor->match ? descriptor : &alpha_descriptors[ALPHA_INVALID];
}
const struct alpha_descriptor *alpha_describe(enum alpha_opcode opcode);

/* Register sets, as in registers.h. call_pal: only the registers of the unprivileged PALcode itself:
   callsys reads $0 $16-$21 and writes $0 $19 $20; rduniq writes $0; wruniq and gentrap read $16. Unknown
   PAL functions and invalid words read and write everything. */
struct alpha_registers {
    alpha_register_set read, written;
};
struct alpha_registers alpha_registers(uint32_t word, const struct alpha_descriptor *descriptor);
alpha_register_set alpha_registers_read(uint32_t word);
alpha_register_set alpha_registers_written(uint32_t word);
bool alpha_is_nop(
    uint32_t word); /* no effect on registers, memory or control: bis $31,$31,$31; unop; fnop; lda $31 */
bool alpha_is_prefetch(uint32_t word); /* a load whose destination is $31 or $f31 */

/* How the instruction transfers control. */
enum transfer alpha_transfer(uint32_t word, const struct alpha_descriptor *descriptor);
static inline enum transfer transfer_of(uint32_t word) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    const unsigned transfers =
        ALPHA_COND_BRANCH | ALPHA_UNCOND_BRANCH | ALPHA_CALL | ALPHA_INDIRECT | ALPHA_RETURN;
    return descriptor->flags & transfers || descriptor->format <= ALPHA_FORMAT_PAL
               ? alpha_transfer(word, descriptor)
               : TRANSFER_NONE;
}

/* ---- encode: fields into the word that MC encoded; a value out of range is an assertion failure ---- */

bool alpha_branch_reaches(int64_t displacement_words); /* fits 21 bits */
uint32_t alpha_memory(enum alpha_opcode opcode, unsigned ra, int displacement, unsigned rb);
uint32_t alpha_memory_function(enum alpha_opcode opcode, unsigned ra,
                               unsigned rb); /* fetch ecb wh64: ra = 31 */
uint32_t alpha_branch(enum alpha_opcode opcode, unsigned ra, int64_t displacement_words);
uint32_t alpha_jump(enum alpha_opcode opcode, unsigned ra, unsigned rb, unsigned hint);
uint32_t alpha_operate(enum alpha_opcode opcode, unsigned ra, unsigned rb, unsigned rc); /* float too */
uint32_t alpha_literal(enum alpha_opcode opcode, unsigned ra, unsigned literal, unsigned rc);
/* For the register form of an integer operate instruction: its literal form. */
enum alpha_opcode alpha_literal_form(enum alpha_opcode opcode);
/* The opcode of the same operation on registers. */
enum alpha_opcode alpha_register_form(const struct alpha_descriptor *descriptor);
uint32_t alpha_pal(uint32_t function);
uint32_t alpha_plain(
    enum alpha_opcode opcode); /* mb, trapb ...: no operands; ignored fields have the assembler's values */
#define ALPHA_NOP 0x47ff041fu  /* bis $31,$31,$31; checked against MC by a test */

/* ---- evaluate ---------------------------------------------------------------------------------- */

/* The operator of an integer operate instruction (register form, without traps); OPERATOR_NONE for all other
   opcodes, including conditional moves. */
enum integer_operator alpha_operator(enum alpha_opcode opcode);
/* The condition of an integer conditional branch or move (register form); CONDITION_NONE for other opcodes.
 */
enum branch_condition alpha_condition_of(enum alpha_opcode opcode);
/* The result of an integer operate instruction (register form, without traps) for Ra and Rb; false for all
   other opcodes, including conditional moves. */
bool alpha_evaluate(enum alpha_opcode opcode, uint64_t a, uint64_t b, uint64_t *result);
/* True if the integer conditional branch or move (register form) is taken for this value of Ra. Returns
   false for other opcodes. */
bool alpha_condition(enum alpha_opcode opcode, uint64_t value, bool *holds);

/* ---- through MC (codegen/alpha/mc.h has the whole facade) ----------------------------------------------- */

/* Disassembles `word` in the assembler's syntax; branch targets are absolute hexadecimal addresses relative
   to `address`. Writes at most `size` bytes including the NUL; returns the length. */
size_t alpha_print(uint32_t word, uint64_t address, char *text, size_t size);

#endif
