/* isa.h: the engine's interface to instruction sets: the facts of one instruction, and the registers and
   conventions of a machine. Each machine has a folder beside this file, which fills both. Knows no ELF. */
#ifndef ATOMC_ISA_H
#define ATOMC_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codegen/classes.h"
#include "codegen/operators.h"
#include "codegen/register_set.h"

/* The bit of a machine's flags in sets (register_set.h); no register. */
enum { REGISTER_FLAGS = 31, REGISTER_NONE = 255 };

/* How an instruction transfers control. */
enum transfer {
    TRANSFER_NONE,
    TRANSFER_COND_BRANCH,
    TRANSFER_BRANCH, /* a direct branch; with a link, control may return, as from a call, or the code may only
                        read its own address */
    TRANSFER_CALL,   /* direct or through a register, with a link */
    TRANSFER_RETURN, /* through a register, as the machine's returns do */
    TRANSFER_JUMP,   /* through a register, otherwise */
    TRANSFER_SYSTEM_CALL,
    TRANSFER_TRAP, /* also a word that is no instruction */
};

enum fact_flag {
    FACT_LOAD = 1 << 0, /* reads memory; prefetches are included */
    FACT_STORE = 1 << 1,
    FACT_PREFETCH = 1 << 2, /* a load whose result is dropped */
    FACT_WHOLE_REGISTER =
        1 << 3, /* a load or a store as registers are saved by: all bits, unchanged, at any address */
    FACT_EXCLUSIVE_BEGIN = 1 << 4, /* a load-locked */
    FACT_EXCLUSIVE_END = 1 << 5,   /* a store-conditional */
    FACT_FLOAT = 1 << 6,           /* computes in floating-point registers, loads, stores, or tests them */
    FACT_NOP = 1 << 7,             /* no effect on registers, memory or control */
    FACT_INDIRECT = 1 << 8,        /* the target is in a register */
    FACT_HALTS = 1 << 9,           /* ends the process, as abort() does at last */
    FACT_CONSTANT = 1 << 10,       /* puts a constant into its result */
    FACT_MOVE = 1 << 11,           /* copies an integer register (source_of_move()) into operand[2] */
    FACT_ADDS_CONSTANT = 1 << 12,  /* operand[0] becomes operand[1] plus a constant */
    /* FACT_CONSTANT or FACT_ADDS_CONSTANT with the upper part of a number: a later instruction adds the rest
     */
    FACT_HIGH_PART = 1 << 13,
    FACT_ROUNDS_DOWN = 1 << 14,  /* accesses memory at the address rounded down to a multiple of the size */
    FACT_FLOAT_STATUS = 1 << 15, /* may change the floating-point control register, exception bits included */
    FACT_READS_THREAD = 1 << 16, /* reads the thread pointer */
    FACT_SETS_THREAD = 1 << 19,  /* sets the thread pointer */
    FACT_SYNCHRONIZES_TEXT = 1 << 17, /* makes changed text visible to later instruction fetches */
    FACT_REPEATABLE =
        1 << 18, /* a runtime can execute it step by step, and memory is all that it can fault by */
    /* operand[0] becomes an address near the instruction's own, or, with FACT_HIGH_PART, the upper part of
       one; a load or a prefetch accesses it. relative_address() is the address. */
    FACT_PC_RELATIVE = 1 << 20,
    FACT_AUTHENTICATES =
        1 << 21, /* an indirect transfer to the address that its register has the signed form of */
};

/* The conditions of a branch on the flags, after a comparison of two unsigned numbers a and b. */
enum flags_condition { FLAGS_OTHER, FLAGS_BELOW, FLAGS_NOT_BELOW, FLAGS_ABOVE, FLAGS_NOT_ABOVE };

enum writeback { WRITEBACK_NONE, WRITEBACK_BEFORE, WRITEBACK_AFTER };

struct memory_operand {
    uint8_t base, index;   /* REGISTER_NONE: none; the register that always holds 0 is a base like any
                              other */
    uint8_t data;          /* the register that is loaded or stored; FLOAT_REGISTER(): a floating-point
                              register */
    uint8_t size, count;   /* bytes of an element; elements that are moved */
    bool is_signed;        /* an integer that is loaded is extended with its sign */
    uint8_t shift, extend; /* of the index */
    uint8_t writeback;     /* enum writeback */
};

enum { MEMORY_OPERANDS = 2, FIELD_REGISTERS = 3 };

/* The facts of one instruction, without its constants: programs have a few thousand different ones. */
struct facts {
    uint32_t flags;          /* enum fact_flag */
    uint16_t opcode;         /* the machine's own number of it */
    uint16_t major;          /* the opcode field, as i.opcode shows it */
    uint8_t class;           /* enum instruction_class */
    uint8_t transfer;        /* enum transfer */
    uint8_t target;          /* for an indirect transfer: the register */
    uint8_t link;            /* the register that receives the return address; REGISTER_NONE: none */
    uint8_t condition;       /* enum branch_condition */
    uint8_t flags_condition; /* enum flags_condition, if the branch tests the flags */
    uint8_t tested; /* the register that a conditional branch tests; FLOAT_REGISTER(): a floating-point
                       register */
    uint8_t memory_count;
    uint8_t operand[FIELD_REGISTERS];    /* registers by their fields, as i.ra, i.rb and i.rc show them;
                                            REGISTER_NONE */
    uint8_t fields_read, fields_written; /* bit f: operand[f] is read, is written */
    register_set read, written;
    struct memory_operand memory[MEMORY_OPERANDS];
};

/* The constants in an instruction. */
struct constants {
    int64_t value; /* bytes from a direct transfer to its target; of FACT_CONSTANT and FACT_ADDS_CONSTANT */
    int32_t displacement; /* in the units of assembly: memory operands in bytes, branches in words; else 0 */
    int32_t literal;      /* a small constant in place of the second operand; -1: none */
};

/* True if control may go elsewhere than to the next instruction and remain in the program. */
static inline bool branches_or_jumps(const struct facts *facts) {
    return facts->transfer != TRANSFER_NONE && facts->transfer < TRANSFER_SYSTEM_CALL;
}

/* True if one of the fields names the register, as is the stack pointer's only trace where no set has it.
   Fields are bits as in fields_read and fields_written. */
static inline bool names_register(const struct facts *facts, unsigned fields, unsigned reg) {
    bool names = false;
    for (unsigned f = 0; f < FIELD_REGISTERS; f++)
        names |= (fields >> f & 1) && facts->operand[f] == reg;
    return names;
}

/* True if it adds a constant to a register, which may be the register that is always 0. */
static inline bool adds_constant(const struct facts *facts) {
    return facts->flags & (FACT_CONSTANT | FACT_ADDS_CONSTANT) && facts->operand[1] != REGISTER_NONE;
}

/* True if it accesses memory, or computes an address, at a constant distance from base_register(). */
static inline bool has_base(const struct facts *facts) {
    return facts->memory_count || adds_constant(facts);
}
static inline unsigned base_register(const struct facts *facts) {
    return facts->memory_count ? facts->memory[0].base : facts->operand[1];
}

/* True if registers, a constant and the instruction's own address determine the address of its access: no
   vector, and not the length of vectors. */
static inline bool address_is_known(const struct facts *facts) {
    const struct memory_operand *memory = &facts->memory[0];
    bool has_start = memory->base != REGISTER_NONE || facts->flags & FACT_PC_RELATIVE;
    return facts->memory_count && memory->size > 0 && has_start &&
           (memory->index == REGISTER_NONE || memory->index < 32);
}

/* The set of one register; empty for REGISTER_NONE. */
static inline register_set set_of(unsigned reg) {
    return reg < 64 ? REGISTER_BIT(reg) : 0;
}

/* The base that it writes back; from its new value the address is computed. */
static inline register_set written_back(const struct facts *facts) {
    return facts->memory_count && facts->memory[0].writeback ? set_of(facts->memory[0].base) : 0;
}

/* True if the load or store changes a register of its address other than by writing its base back. */
static inline bool address_is_overwritten(const struct facts *facts) {
    const register_set parts = set_of(facts->memory[0].base) | set_of(facts->memory[0].index);
    return facts->memory_count && facts->written & ~written_back(facts) & parts;
}

/* The register whose old value code after the instruction can have: the only one that it changes, apart from
   the flags and, if there is another, from a base that it writes back. REGISTER_NONE: none, or several. */
static inline unsigned kept_register(const struct facts *facts) {
    register_set written = facts->written & ~REGISTER_BIT(REGISTER_FLAGS);
    if (written & (written - 1))
        written &= ~written_back(facts);
    return written == 0 || written & (written - 1) ? REGISTER_NONE : (unsigned)__builtin_ctzll(written);
}

/* The register that a move copies; `zero`: the machine's. */
static inline unsigned source_of_move(const struct facts *facts, unsigned zero) {
    return facts->operand[1] == zero ? facts->operand[0] : facts->operand[1];
}

/* The integer operations of instructions through which addresses, indices and their limits are followed. */
enum computation_kind {
    COMPUTES_NOTHING,    /* the result does not depend on integer registers alone, or only under a
                            condition */
    COMPUTES_UNKNOWN,    /* something that is not followed, but for its limit */
    COMPUTES_OFFSET,     /* a + constant, where `a` is an address rather than an index */
    COMPUTES_SUM,        /* scale * a + b */
    COMPUTES_DIFFERENCE, /* a - b */
    COMPUTES_PRODUCT,    /* scale * a */
    COMPUTES_OR,
    COMPUTES_SUM_32, /* the sum's low 32 bits, extended */
    COMPUTES_LOW_32, /* the low 32 bits of `a` */
    COMPUTES_AND,
    COMPUTES_BELOW, /* 1 if a < b, unsigned, else 0 */
    COMPUTES_BELOW_OR_EQUAL,
    COMPUTES_FLAGS,     /* the flags, by a comparison of a and b */
    COMPUTES_ENTRY_SUM, /* scale * (the low `bytes` bytes of a, extended) + b */
};
struct computation {
    uint8_t kind;      /* enum computation_kind */
    uint8_t operation; /* enum integer_operator: the result is a OPERATION b; OPERATOR_NONE: something else */
    uint8_t
        condition; /* enum branch_condition of a conditional move: b becomes the result if it holds for a */
    uint8_t result, a, b; /* registers; b REGISTER_NONE: the constant */
    uint8_t scale;
    uint8_t bytes;  /* of COMPUTES_ENTRY_SUM */
    bool is_signed; /* they are extended with their sign */
    int64_t constant;
    uint64_t limit; /* the result is below it, for all values of the registers; 0: unknown */
};

/* The arithmetic operation of an instruction, for i.is_add and similar attributes. */
enum arithmetic {
    ARITHMETIC_NONE,
    ARITHMETIC_ADD,
    ARITHMETIC_SUBTRACT,
    ARITHMETIC_MULTIPLY,
    ARITHMETIC_DIVIDE
};

enum pipeline_value { PIPELINE_CYCLES, PIPELINE_STALLS, PIPELINE_LAST_STALLS };

/* Registers by their use in the calling standard, compilers and the kernel. A register that a machine does
   not have is REGISTER_NONE; a set of such registers is empty. */
struct conventions_of_machine {
    uint8_t stack, frame, link; /* stack pointer, frame pointer, return address */
    uint8_t zero;               /* always 0 */
    uint8_t data_base;          /* base of a procedure's table of addresses: Alpha's $gp */
    uint8_t procedure_value;    /* the address of a procedure that is called through a pointer */
    uint8_t spill;              /* used by inserted code if no register is free, and to reach code */
    uint8_t result, float_result;
    uint8_t system_call_number, system_call_error; /* not 0 if the call failed */
    uint8_t first_argument, first_float_argument, arguments_in_registers;
    /* Integer and floating-point arguments have numbers of their own, structures of more than 16 bytes are
       passed by their address, and the address of a result in memory is no argument (AAPCS64 6.8.2).
       Otherwise all arguments have one numbering, and structures are passed as their 8-byte parts. */
    bool counts_floats_apart;
    register_set all, integers;
    register_set arguments, float_arguments, results;
    register_set callee_saved; /* registers that a procedure preserves for its caller, including the stack
                                  pointer */
    register_set fixed;   /* registers for returns, calls, data and the stack: tools may not change them */
    register_set landing; /* registers that an unwinder passes to a landing pad */
    register_set static_chain; /* register that a nested function receives in addition to its arguments */
    register_set linkage;      /* registers in which linkage code computes */
    /* Temporaries that assembly keeps over a call through the linkage code, as it knows the callees. */
    register_set kept_over_calls;
    register_set rare_arguments; /* arguments of system calls that few calls have */
    register_set thread_pointer; /* registers that are changed by reading the thread pointer */
    register_set counting;       /* registers in which counts may be kept */
    const uint8_t *free_order;   /* the order in which free registers are taken, `free_count` of them */
    /* The order in which analysis routines use registers, `rename_count` of them: registers that programs
       seldom use are first. */
    const uint8_t *rename_order;
    uint8_t rename_count;
    uint8_t free_count, temporary_count; /* the first are temporaries */
};

/* True for the flags, on a machine that has them. */
static inline bool is_flags(const struct conventions_of_machine *registers, unsigned reg) {
    return reg == REGISTER_FLAGS && registers->all & REGISTER_BIT(REGISTER_FLAGS);
}

/* Registers that a procedure need not preserve for its caller. */
static inline register_set caller_saved(const struct conventions_of_machine *registers) {
    return registers->all & ~registers->callee_saved;
}

/* The use of a relocation's place, in a linked file whose relocations are kept. */
enum reference_kind {
    REFERENCE_UNKNOWN,
    REFERENCE_NONE,      /* belongs to another, concerns only code, or thread-local data */
    REFERENCE_BRANCH,    /* an instruction's direct target */
    REFERENCE_ADDRESS,   /* 8 bytes with an address */
    REFERENCE_ADDRESS_4, /* 4 bytes with an address */
    REFERENCE_PLACE_4,   /* 4 bytes: the distance from the place */
    REFERENCE_DATA_4,    /* 4 bytes: the distance from the data base */
    REFERENCE_DATA_2,    /* 2 bytes: the same */
    REFERENCE_TABLE,     /* 2 bytes: the distance of a slot with an address from the data base */
    REFERENCE_HIGH,      /* 2 bytes: the upper half of a distance from the data base */
    REFERENCE_LOW,       /* 2 bytes: its lower half */
};

/* Relocations of objects by type, and a tag of dynamic ones. */
struct object_conventions {
    enum reference_kind (*reference)(uint32_t type);
    uint32_t none, copy, relative, jump_slot;
    uint32_t indirect;   /* the word will hold the result of the procedure at the addend; 0: there is none */
    bool addend_in_word; /* `relative`: the base is added to the word in the file */
    uint64_t program_base;      /* where linkers put position-dependent programs */
    uint64_t read_only_linkage; /* the procedure linkage table in memory is that of the file */
};

/* Questions about words whose program is not decoded yet. */
struct word_questions {
    bool (*is_instruction)(uint32_t word);
    bool (*is_branch)(uint32_t word); /* a direct branch or call */
    bool (*ends_path)(uint32_t word); /* control does not continue after it */
    bool (*begins_procedure)(uint32_t first, uint32_t second);
    /* True if the word, a system call's, is one that is executed, and no constant that has its value. */
    bool (*is_system_call)(const uint32_t *words, size_t count, size_t at);
};

/* An encoding that a runtime executes step by step: words with `match` under `mask`. */
struct stepped_encoding {
    uint32_t match, mask;
    uint16_t opcode; /* number of the operation in its runtime */
    uint16_t format;
};

struct architecture {
    uint16_t machine; /* e_machine: machines.h has its name, and the names of its tools */
    uint8_t instruction_bytes;
    uint32_t page, largest_page; /* bytes: of the usual kernel, and the most that a kernel may have */
    uint32_t system_call;        /* the word of a system call */
    struct conventions_of_machine registers;
    struct object_conventions objects;
    struct word_questions words;

    void (*decode)(uint32_t word, struct facts *facts);
    /* The bits that hold a constant: words that differ only in these bits have the same facts. */
    uint32_t (*constant_bits)(uint32_t word);
    struct constants (*constants)(uint32_t word);
    int64_t (*distance)(uint32_t word); /* of a direct transfer: .value of its constants, at once */
    /* The address that a word at `address` makes or accesses, with FACT_PC_RELATIVE. NULL: there are no such
       instructions. */
    uint64_t (*relative_address)(uint32_t word, uint64_t address);
    struct computation (*compute)(uint32_t word);
    const char *(*mnemonic)(uint16_t opcode);
    /* The name of the register with this number, as in the language; NULL if there is none. */
    const char *(*register_name)(int64_t number);
    /* Other names of registers, after the last one an empty name. */
    const struct register_alias {
        char name[8];
        uint8_t number;
    } * register_aliases;
    enum arithmetic (*arithmetic)(uint16_t opcode);
    /* In the assembler's syntax, with branch targets as addresses; at most `size` bytes, including the
       NUL. */
    size_t (*print)(uint32_t word, uint64_t address, char *text, size_t size);
    /* The encodings that a runtime executes, inserted code's among them, in the order in which it searches;
       `encodings` NULL: only their number. */
    size_t (*stepped)(struct stepped_encoding *encodings);
    /* Cycles of a straight line of instructions on the machine that the pipeline's table describes. */
    int64_t (*pipeline)(const uint32_t *words, uint32_t count, uint64_t address, enum pipeline_value wanted);
};

/* The number of the register that the machine calls so; false if there is none. */
bool register_named(const struct architecture *architecture, const char *name, int64_t *number);

/* By e_machine. NULL: atomc does not instrument programs for it. */
const struct architecture *architecture_of(uint16_t machine);
/* All of them, numbered from 0; NULL: there are no more. */
const struct architecture *architecture_number(unsigned number);
#endif
