/* machine.h: the machine-specific part of the runtime: system calls, registers and contexts, memory
   accesses that may fault, instructions that the runtime executes itself, and the meaning of instruction
   words. The rooms of the runtime name no register and no instruction of a machine but by this header and
   words.h, and calls.h, which it includes. Sources: machine/alpha/, machine/aarch64/. */
#ifndef ATOMC_RUNTIME_MACHINE_H
#define ATOMC_RUNTIME_MACHINE_H

#ifndef ATOMC_AARCH64
#include "codegen/alpha/alpha.h"
#endif
#include "plan/system_calls.h"
#include "runtime/entries.h"
#include "runtime/interface.h"
#ifdef ATOMC_AARCH64
#include "runtime/machine/aarch64/layout.h"
#include "runtime/machine/aarch64/marks.h"
#include "runtime/machine/aarch64/words.h"
#else
#include "runtime/machine/alpha/marks.h"
#include "runtime/machine/alpha/words.h"
#endif

/* ---- memcpy.c: memcpy for the analysis side and its C library ---- */

/* ---- primitives.S ---- */

/* Makes a system call that bypasses the gates. Returns its result, or -errno. */
long atomc_raw_system_call(long number, long a0, long a1, long a2, long a3, long a4, long a5);
#define RAW(number, a, b, c, d, e, f)                                                                        \
    atomc_raw_system_call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#define SIGNAL_BIT(signal) (1L << ((signal)-1))
/* SIGNAL_<name> for each of the signals of Linux on the machine. */
enum {
#define SIGNAL(number, name, use) SIGNAL_##name = number,
#include SIGNAL_NUMBERS
#undef SIGNAL
};
struct saved_context; /* a thread's registers, which the kernel saves for a signal's handler */
/* Passes a context to the kernel in which execution continues. */
void atomc_enter_program(const struct saved_context *context) __attribute__((noreturn));

#ifdef ATOMC_AARCH64
#include "runtime/machine/aarch64/calls.h"
#else
#include "runtime/machine/alpha/calls.h"
#endif

/* The private C library's thread pointer; 0 until that library has started. */
extern long atomc_private_thread_pointer;

/* The lock of analysis routines: [0] is 0, or the holder's thread pointer + 1, or the mark of inlined code;
   [1] is how often the holder has taken it. These functions do not follow C's calling convention:
   atomc_call_lock calls them. */
extern long atomc_lock_owner[2];
void atomc_lock(void);
void atomc_unlock(void);

void atomc_on_private_stack(long stack, void (*routine)(long), long argument);
/* Calls a routine with `count` arguments of 8 bytes. The first six are passed in both integer and
   floating-point registers: the routine reads the registers that it expects. `arguments` has room for at
   least six. */
void atomc_call(long routine, long arguments, long count);

/* Return false if the memory cannot be accessed. The address is a multiple of the size: 8, or 1, 2, 4 or
   8. */
int atomc_try_load(unsigned long address, long *value);
int atomc_try_store(long address, long value, long bytes);
extern const uint32_t atomc_tries[], atomc_tries_end[], atomc_try_failed[];
/* $memory loads at the first two addresses; after a fault there, execution continues at the third. */
extern const uint32_t atomc_read_low[], atomc_read_high[], atomc_read_failed[];

/* Executes an instruction of the program on seven operands. Each operation is an instruction and a return;
   after a trap, execution continues at atomc_operate_failed. */
int atomc_operate(const uint32_t *operation, long *operands);
extern const uint32_t atomc_operations[], atomc_operate_begin[], atomc_operate_end[], atomc_operate_failed[];
/* Reads the word of an instruction that is executed step by step. The test oracle watches this load. */
uint32_t atomc_read_stepped(const uint32_t *pc);

/* Sets the kernel's mask and makes a system call; returns its result, or 1 if a signal arrived between the
   two. Then execution continues at atomc_masked_again. */
long atomc_masked_call(const long *mask, const long *call);
extern const uint32_t atomc_masked_begin[], atomc_masked_end[], atomc_masked_again[];
/* The return address of atomc's own handlers. */
extern void atomc_signal_return(void);

/* ---- entry.S: the kernel and the program enter the runtime here; process/start.c alone names these places,
   and others find them in atomc_entries ---- */

extern const uint32_t atomc_signal_entry[], atomc_entry_blocked[], atomc_entry_known[];
extern const uint32_t atomc_returns[], atomc_returns_end[];
void atomc_object_gate(void);
void atomc_call_failed(void);
void atomc_call_ends(void);

/* ---- stepping.c ---- */

/* The state of execution by the runtime. */
struct atomc_stepper {
    struct saved_context *context;
    unsigned long locked; /* the address locked by ldq_l or ldl_l; 0 if none is */
    uint64_t locked_value;
    int interrupt_flag; /* flag of rs and rc: a signal clears it */
};

/* Executes the instruction at the pc. Returns 0 and does nothing if inserted code has no such instruction,
   or if it would fault. */
int atomc_step(struct atomc_stepper *stepper);
/* The same, but executes this word in place of the word at the pc. */
int atomc_step_as(struct atomc_stepper *stepper, uint32_t word);
/* .opcode is ALPHA_INVALID if the runtime does not execute such instructions. For machine/alpha/. */
const struct atomc_kind *atomc_kind_of(uint32_t word);

/* ---- effects.c: the effects of one instruction of the analysis side, as far as a walk to its return needs them --- */

enum atomc_instruction_effect_kind {
    EFFECT_NONE,     /* it changes no register that the walk follows */
    EFFECT_FORGETS,  /* .forgotten have unknown values */
    EFFECT_SETS,     /* .reg becomes .value */
    EFFECT_MOVES,    /* .reg becomes register .from */
    EFFECT_LOADS,    /* .reg becomes .bytes at .address, which is known */
    EFFECT_STORES,   /* the whole of .reg is stored at .address, which is known */
    EFFECT_CALLS,    /* a call: at its return .forgotten have unknown values */
    EFFECT_GOES,     /* control goes to .target, and .reg becomes .value */
    EFFECT_BRANCHES, /* control goes to .target if a condition holds: .holds, if .is_certain */
    EFFECT_JUMPS,    /* control goes to the address in .reg */
    EFFECT_ENDS,     /* control does not go on */
};
struct atomc_instruction_effect {
    enum atomc_instruction_effect_kind kind;
    unsigned reg, from; /* NO_REGISTER: none */
    uint32_t forgotten; /* bit N: general register N */
    long value, address, target;
    unsigned bytes;          /* 1, 2, 4 or 8 */
    int is_whole, is_signed; /* loads: a register as a routine saves it; its sign is extended */
    int holds, is_certain;
};
/* `values`: of the general registers, of which those in `known` are right. An instruction may have several
   effects: NEXT_EFFECT() is the pc with which this is called for the next one, or that of the next
   instruction. */
struct atomc_instruction_effect atomc_instruction_effect_of(uint32_t word, long pc, const long *values,
                                                            uint32_t known);
/* ---- code.c: questions about an instruction word of the program or of the copies --- */

int atomc_is_access(uint32_t word); /* a load or store of any kind */
/* True if signals of the instruction have the pc of the next one: arithmetic, bpt, bugchk, gentrap. (Alpha
   Architecture Reference Manual, 4.7.8: a trap's pc is after the instruction.) */
int atomc_traps_behind(uint32_t word);
/* True if execution may not continue after it: a transfer, a system call, or a word that is no instruction
   known here. A conditional branch is one. */
int atomc_ends_block(uint32_t word);
int atomc_is_conditional_branch(uint32_t word);
/* True if the instruction computes or loads the register's value. Some such instructions are not known here,
   which is safe. */
int atomc_sets_register(uint32_t word, unsigned reg);
/* The source of a move to `reg`; NO_REGISTER for other instructions. */
unsigned atomc_moved_register(uint32_t word, unsigned reg);
/* True if the word sets its register to a constant. */
int atomc_loads_constant(uint32_t word, long *value);
/* True if the word loads an address from the table of addresses of its object, by a register that points into
   the table: *slot becomes its place there. */
int atomc_loads_from_table(uint32_t word, const long *registers, unsigned long *slot);
/* True if the word begins to compute the object's table from the return address, LINK_REGISTER. */
int atomc_computes_table(uint32_t word);
/* True if a system call's word in a text is one, not a constant of its value. */
int atomc_is_system_call(const uint32_t *words, unsigned long count, unsigned long at);
/* The address to which a springboard jumps, if code that computes a constant address, and jumps there, is at
   the pc; it may store SCRATCH_REGISTER before. 0: it is no such code. */
unsigned long atomc_springboard_target(const struct saved_context *context);
/* entry.S has executed so many words of the entry for a signal: executes those that keep what the kernel has
   passed, with the context's mask. */
void atomc_complete_entry(struct saved_context *context, long words);
/* The beginning of the code that calls the gate, for a system call of the copies; 0: it is not found. */
const uint32_t *atomc_gate_begins(const uint32_t *system_call);
/* A load for $memory in the copies has faulted: its result is 0. Returns false for other instructions. */
int atomc_finish_memory_read(struct saved_context *context);

/* ---- stubs.c: code of other objects' system calls, which go to the gate; spills ---- */

/* True if the word lowers or raises the stack pointer for a spill far below the first stack. */
int atomc_is_far_spill(uint32_t word);
int atomc_lowers_far(uint32_t word);      /* ... lowers */
uint32_t atomc_near_spill(uint32_t word); /* the same for a spill near the stack pointer */
/* Parts of a stub (text/stubs.c); each returns the end of its code. The frame of a call of the gate, which
   answers in the scratch register; and the jump to the address in the scratch register. */
uint32_t *atomc_write_gate_entry(uint32_t *code, void (*gate)(void));
uint32_t *atomc_write_gate_exit(uint32_t *code);
uint32_t *atomc_write_stub_return(uint32_t *code);
/* The gate's answer: it has made the call; the call makes a thread or a process; it may wait. And the result
   of the call: it is the child's; it has not failed. */
enum stub_condition { STUB_MADE, STUB_CLONES, STUB_WAITS, STUB_IN_CHILD, STUB_SUCCEEDED };
/* The word at `from` that branches to `to` if the condition holds. */
uint32_t atomc_stub_branch(enum stub_condition condition, const uint32_t *from, const uint32_t *to);

/* ---- lookups.c: jumps of the copies, which look up their target in the map. Requires the code that
   engine/machine/alpha/transfers.c emits ---- */

struct atomc_lookup {
    unsigned target; /* the register with the original target */
    long map;        /* distance of the map that it reads: that of landings, or 0 */
    int is_spilled;  /* SCRATCH_REGISTER is on the stack, and control arrives at a landing */
};
/* A jump of the copies whose link is in the register. Returns its address; 0: the register has no such link.
 */
unsigned long atomc_find_lookup(unsigned link, const long *registers, struct atomc_lookup *lookup);
/* The load of a lookup faulted, since its target is not in the text. Executes the code up to the jump:
   returns its address; *target: where it would go. 0: the pc is at no such load. */
unsigned long atomc_finish_jump(struct saved_context *context, long *target, int *is_spilled);

/* atomc_find_conflict() (text/text.h), for machines on which it is not LOOKS_UP_BY_LOW_HALF. */
long atomc_find_lookup_conflict(long begin, long length, struct atomc_own_range *taken, long *conflict);

/* ---- counts.c: counts of each thread in the copies (engine/machine/alpha/emit.c emits them) ---- */

struct atomc_count {
    uint32_t *begin, *end;
    long offset;    /* of the value from the beginning of the thread's values */
    unsigned value; /* the register that it is counted in */
    uint32_t add;   /* the instruction that adds */
};
int atomc_begins_count(uint32_t word); /* a count may begin there */
int atomc_is_count(uint32_t *code, const uint32_t *end, struct atomc_count *count);
enum { LONGEST_COUNT = 8 /* words */ };
uint64_t atomc_amount_of(const struct atomc_count *count, const long *registers);
/* Makes the same count in the cell at the address, for any thread. */
void atomc_make_atomic(const struct atomc_count *count, uint64_t address);

#endif
