/* machine.h: the only interface to the machine for which code is inserted: the words of a new text section,
   and functions (verbs) that append instructions to them. The rooms below decide which code is inserted. Only
   machine/alpha/ and machine/aarch64/ encode it. Requires addresses below 2 GB.

   Registers are numbered as in register sets: 0 to 31 integer registers, 32 on floating-point registers. A
   verb changes only the registers that its comment names as destinations or temporaries. It changes memory
   only if its comment mentions it. "One instruction" in a comment is a fact that callers may use for this
   machine's costs. If lengths differ, the comment has all possible lengths. */
#ifndef ATOMC_MACHINE_H
#define ATOMC_MACHINE_H

#include "codegen/operators.h"
#include "engine/program.h"
#include "plan/plan.h"
#include "runtime/interface.h" /* struct atomc_addresses */

/* Represents a missing register. */
enum { NO_REGISTER = 255 };

/* Constants from 0 to this one can be the second operand of each. */
enum { LARGEST_OPERAND = 255 };

/* Words of one new text section, or of a section of data. */
struct code {
    struct arena *arena;           /* of the words */
    const struct machine *machine; /* the machine that it is for */
    uint32_t address;              /* of words[0] */
    uint32_t *words;
    uint32_t count, capacity;
    const char *folder;       /* file for many words; NULL: words are not written to a file */
    struct file_memory *file; /* buffer that has them; NULL: they are in the arena */
};

/* The amount that is added to a cell: a register's content, or, if it is NO_REGISTER, the constant. */
struct cell_amount {
    unsigned reg;
    int constant;
};
/* The update of the cell at `displacement` from `base`. */
struct cell_update {
    enum plan_update kind;
    struct cell_amount amount; /* constants can only be summed */
    unsigned base;
    int displacement;
    unsigned value; /* a register for the value of the cell, unless it is set */
    unsigned test;  /* a register for comparing, for a maximum or minimum */
};

/* Verbs that add instructions. */
struct emit_verbs {
    /* ---- values ---- */
    void (*move)(struct code *code, unsigned from, unsigned to);
    void (*clear)(struct code *code, unsigned to);
    bool (*constant)(struct code *code, int64_t value, unsigned to);
    void (*address)(struct code *code, uint32_t address, unsigned to);
    int (*address_base)(struct code *code, uint32_t address, unsigned to);
    void (*address_fixed)(struct code *code, uint32_t address, unsigned to);
    void (*add_constant)(struct code *code, unsigned from, int64_t amount, unsigned to);
    void (*operate)(struct code *code, enum integer_operator operation, unsigned a, unsigned b, unsigned to);
    void (*operate_constant)(struct code *code, enum integer_operator operation, unsigned a, unsigned number,
                             unsigned to);
    void (*select)(struct code *code, enum branch_condition condition, unsigned tested, unsigned from,
                   unsigned to);
    void (*select_constant)(struct code *code, enum branch_condition condition, unsigned tested,
                            unsigned number, unsigned to);
    void (*exchange)(struct code *code, unsigned a, unsigned b);
    void (*extend)(struct code *code, unsigned size, unsigned to);
    void (*bit_length)(struct code *code, unsigned value, unsigned to, unsigned helper, unsigned table,
                       uint32_t lengths);
    void (*condition_value)(struct code *code, uint32_t branch, unsigned to, unsigned helper);
    void (*divide)(struct code *code, bool remainder, unsigned a, unsigned b, unsigned to);
    /* ---- memory ---- */
    void (*load)(struct code *code, unsigned size, unsigned to, unsigned base, int displacement);
    void (*load_rounded)(struct code *code, unsigned to, unsigned base, int displacement);
    void (*store)(struct code *code, unsigned size, unsigned from, unsigned base, int displacement);
    void (*store_rounded)(struct code *code, unsigned from, unsigned base, int displacement);
    void (*save)(struct code *code, register_set set, unsigned base, uint32_t offset);
    void (*restore)(struct code *code, register_set set, unsigned base, uint32_t offset);
    void (*load_anywhere)(struct code *code, unsigned size, unsigned to, unsigned low, unsigned high);
    /* ---- cells ---- */
    void (*update_cell)(struct code *code, const struct cell_update *update, bool atomic);
    void (*count_cell_to)(struct code *code, const struct cell_update *update, bool atomic,
                          struct cell_amount limit, unsigned to);
    uint32_t (*after_update)(const struct code *code, uint32_t begin);
    uint32_t (*thread_add)(struct code *code, int64_t distance, struct cell_amount amount, unsigned value,
                           unsigned keeper);
    int (*thread_record)(struct code *code, int distance, unsigned scale, unsigned base, unsigned helper);
    /* ---- the lock ---- */
    uint32_t (*lock)(struct code *code, uint32_t address, unsigned base, unsigned owner);
    void (*lock_again)(struct code *code, uint32_t address, uint32_t refusal, unsigned base, unsigned count,
                       unsigned times);
    void (*unlock)(struct code *code, uint32_t address, unsigned base);
    /* ---- control ---- */
    void (*branch)(struct code *code, int64_t words);
    void (*branch_if)(struct code *code, enum branch_condition condition, unsigned reg, int64_t words);
    void (*jump)(struct code *code, unsigned target);
    void (*return_to)(struct code *code, unsigned target);
    void (*call)(struct code *code, unsigned link, unsigned target);
    void (*near_call)(struct code *code, uint32_t address);
    void (*call_helper)(struct code *code, uint32_t address);
    void (*call_locker)(struct code *code, uint32_t flag, uint32_t routine);
    void (*wrap)(struct code *code, uint32_t routine, uint32_t caller, uint32_t words);
    void (*no_operation)(struct code *code);
    /* ---- the system ---- */
    void (*system_call)(struct code *code);
    void (*thread_pointer)(struct code *code, unsigned to);
    void (*set_thread_pointer)(struct code *code);
    void (*cycles)(struct code *code, unsigned to);
    void (*set_flags)(struct code *code, unsigned from);
    void (*save_float_control)(struct code *code, unsigned by, unsigned base, int displacement);
    void (*restore_float_control)(struct code *code, unsigned by, unsigned base, int displacement);
};

/* Verbs for transfers of control of the program's that are translated, and for its instructions in other
   places. */
struct transfer_verbs {
    void (*look_up)(struct code *code, unsigned target, unsigned to);
    void (*look_up_landing)(struct code *code, unsigned target, unsigned to);
    void (*go_to_copy)(struct code *code, unsigned copy, bool returns);
    void (*trap)(struct code *code, unsigned target);
    void (*authenticate)(struct code *code, uint32_t transfer, unsigned to);
    void (*go_authenticated)(struct code *code, uint32_t transfer);
    uint32_t (*with_displacement)(uint32_t access, int displacement);
    uint32_t (*with_destination)(uint32_t instruction, unsigned to);
    uint32_t (*with_base)(uint32_t access, unsigned base);
    uint32_t (*with_operand)(uint32_t instruction, unsigned field, unsigned reg);
    int32_t (*access_distance)(int64_t address);
    uint64_t (*map_address)(uint64_t text_address);
    uint32_t (*with_literal_base)(uint32_t access, unsigned base);
};

/* Words of code that calls the gate for a system call of the analysis side, on a machine where one word
   cannot. */
enum { GATE_STUB_WORDS = 4 };

/* Words that exist already: branches and addresses that are aimed later. */
struct word_verbs {
    bool (*aim)(uint32_t *word, int64_t words);
    void (*aim_address)(uint32_t *words, uint32_t address);
    bool (*reaches)(int64_t words);
    uint32_t (*reach)(uint32_t branch);
    uint32_t (*branch)(int64_t words);
    uint32_t (*invert)(uint32_t branch);
    bool (*is_conditional)(uint32_t word, int64_t words);
    uint32_t (*call)(unsigned link, int64_t words);
    uint32_t (*address)(unsigned to);
    uint32_t (*address_base)(uint32_t address, unsigned to);
    uint32_t (*load_literal)(unsigned to); /* of 32 bits, aimed like a branch; NULL: there is none */
    uint32_t (*add_distance)(uint32_t word, uint32_t distance);
    void (*table_jump)(uint32_t words[3], unsigned address);
    unsigned (*condition_temporaries)(uint32_t branch);
    bool (*is_spill)(uint32_t word);
    void (*gate_stub)(uint32_t words[GATE_STUB_WORDS], uint64_t address, uint64_t gate, uint64_t back);
};

/* A machine: its registers with a task in inserted code, and its verbs. */
struct machine {
    const struct architecture *architecture;        /* its facts, */
    const struct conventions_of_machine *registers; /* and its conventions */
    const struct atomc_addresses *layout;           /* where additions to its programs are */
    /* Words that a branch may span: fewer than it reaches, which leaves room for code inserted between. */
    uint32_t farthest_branch;
    /* Programs end below this address; 0: they begin above all additions. */
    uint64_t programs_end;
    bool only_counts; /* there are no tools with C, and no code for static addresses and threads: refused.c */
    /* Instructions that a count in a register costs each time that control enters and leaves its loop, as
       make bench-quick and bench-aarch64-quick find it best (engine/count/promotion.c). */
    uint8_t promotion_cost;
    bool spills_far; /* spills may be SPILL_FAR below the stack pointer */
    /* Words that only the runtime knows: a trap for jumps that were not foreseen; marks of a load that finds
       a switch of stacks, by whether registers are spilled there. */
    uint32_t unresolved_trap, stack_marks[2];
    uint8_t helper_left;             /* the same as it would be in memory */
    uint8_t helper_right;            /* */
    uint8_t helper_result;           /* its result, */
    uint8_t helper_encoded;          /* and the same as memory would hold it */
    register_set locker_changes;     /* that verbs.call_locker may change */
    register_set helper_changes;     /* all that it may change */
    register_set constant_registers; /* registers that are always 0 */
    const struct emit_verbs *emit;
    const struct word_verbs *words;
    const struct transfer_verbs *transfers;
};

/* ---- machines.c ---- */

/* The machine of an architecture: there is one for each that architecture_of() knows. */
const struct machine *machine_for(const struct architecture *architecture);

extern const struct machine alpha_machine, aarch64_machine; /* machines.c only */

/* ---- buffer.c ---- */

/* The number of words that are released at a time (code_leave). */
enum { WORDS_LEFT = 1 << 20 };

/* Makes room for another word. */
void code_grow(struct code *code);
/* These words are not used for now. If the words are in a file, they take no memory until they are used
   again. */
void code_leave(const struct code *code, uint32_t begin, uint32_t end);

static inline uint32_t code_position(const struct code *code) { /* words so far */
    return code->count;
}

static inline uint32_t code_address(const struct code *code) { /* index of the next word */
    return code->address + 4 * code->count;
}

static inline void emit(struct code *code, uint32_t word) {
    if (code->count >= code->capacity)
        code_grow(code);
    code->words[code->count++] = word;
}

/* ---- emit.c: values ---- */

/* One instruction; none if both are the same integer register. Both registers are of one kind. */
static inline void machine_move(struct code *code, unsigned from, unsigned to) {
    if (from != to || from >= 32)
        code->machine->emit->move(code, from, to);
}
/* Sets a register of either kind to 0: one instruction. */
static inline void machine_clear(struct code *code, unsigned to) {
    code->machine->emit->clear(code, to);
}
/* A constant in one or two instructions. Returns false, without adding an instruction, if more are needed. */
static inline bool machine_constant(struct code *code, int64_t value, unsigned to) {
    return code->machine->emit->constant(code, value, to);
}
/* An address below layout->end: one or two instructions. */
static inline void machine_address(struct code *code, uint32_t address, unsigned to) {
    code->machine->emit->address(code, address, to);
}
/* The part of such an address that an access cannot add: one instruction. Returns the rest, which is the
   displacement of an access with base `to`. */
static inline int machine_address_base(struct code *code, uint32_t address, unsigned to) {
    return code->machine->emit->address_base(code, address, to);
}
/* The same as machine_address, always as long as the longest: two instructions, which can be aimed again. */
static inline void machine_address_fixed(struct code *code, uint32_t address, unsigned to) {
    code->machine->emit->address_fixed(code, address, to);
}
/* to = from + amount. The amount has 16 bits, or is a multiple of 65536 that has 32 bits: one instruction,
   also for 0. */
static inline void machine_add_constant(struct code *code, unsigned from, int64_t amount, unsigned to) {
    code->machine->emit->add_constant(code, from, amount, to);
}
/* to = a OPERATION b; NO_REGISTER represents 0: one instruction. */
static inline void machine_operate(struct code *code, enum integer_operator operation, unsigned a, unsigned b,
                                   unsigned to) {
    code->machine->emit->operate(code, operation, a, b, to);
}
/* The same with a constant, at most LARGEST_OPERAND. */
static inline void machine_operate_constant(struct code *code, enum integer_operator operation, unsigned a,
                                            unsigned number, unsigned to) {
    code->machine->emit->operate_constant(code, operation, a, number, to);
}
/* to = from if the condition holds for `tested`; NO_REGISTER represents 0. One instruction. */
static inline void machine_select(struct code *code, enum branch_condition condition, unsigned tested,
                                  unsigned from, unsigned to) {
    code->machine->emit->select(code, condition, tested, from, to);
}
/* The same with a constant, at most LARGEST_OPERAND. */
static inline void machine_select_constant(struct code *code, enum branch_condition condition,
                                           unsigned tested, unsigned number, unsigned to) {
    code->machine->emit->select_constant(code, condition, tested, number, to);
}
/* Three instructions, without another register. */
static inline void machine_exchange(struct code *code, unsigned a, unsigned b) {
    code->machine->emit->exchange(code, a, b);
}
/* Extends the value as a load of `bytes` bytes would: one instruction, none for 8 bytes. */
static inline void machine_extend(struct code *code, unsigned size, unsigned to) {
    code->machine->emit->extend(code, size, to);
}
/* 1 + the bit length of `value`, 1 for 0, and 0 for negative values. `lengths`: the address of the bit
   lengths of 0 to 255, 8 bytes each. Also changes `helper` and `table`. */
static inline void machine_bit_length(struct code *code, unsigned value, unsigned to, unsigned helper,
                                      unsigned table, uint32_t lengths) {
    code->machine->emit->bit_length(code, value, to, helper, table, lengths);
}
/* Sets a register to 1 if the conditional branch will be taken, else to 0. `to` has the value that the branch
   tests, as bits if it is a floating-point register's; `helper`: machine_condition_temporaries() registers.
   Changes no flag. */
static inline void machine_condition_value(struct code *code, uint32_t branch, unsigned to, unsigned helper) {
    code->machine->emit->condition_value(code, branch, to, helper);
}

/* True if the machine has instructions for machine_divide(); else a helper is called (machine_call_helper).
 */
static inline bool machine_divides(const struct machine *machine) {
    return machine->emit->divide;
}
/* to = a / b or a % b, signed, rounded to 0; 0 if b is 0. */
static inline void machine_divide(struct code *code, bool remainder, unsigned a, unsigned b, unsigned to) {
    code->machine->emit->divide(code, remainder, a, b, to);
}

/* ---- emit.c: memory ---- */

/* 8 bytes into a register of either kind: one instruction. */
static inline void machine_load(struct code *code, unsigned to, unsigned base, int displacement) {
    code->machine->emit->load(code, 8, to, base, displacement);
}
/* 4 bytes, sign-extended, or a float: one instruction. */
static inline void machine_load_4(struct code *code, unsigned to, unsigned base, int displacement) {
    code->machine->emit->load(code, 4, to, base, displacement);
}
/* 1, 2, 4 or 8 bytes into an integer register; 1 and 2 are extended with zeros, 4 with the sign: one
   instruction. */
static inline void machine_load_size(struct code *code, unsigned size, unsigned to, unsigned base,
                                     int displacement) {
    code->machine->emit->load(code, size, to, base, displacement);
}
/* The 8 bytes around the address: its three lowest bits are ignored. One instruction. */
static inline void machine_load_rounded(struct code *code, unsigned to, unsigned base, int displacement) {
    code->machine->emit->load_rounded(code, to, base, displacement);
}
/* Stores 1, 2, 4 or 8 bytes of an integer register: one instruction. */
static inline void machine_store_size(struct code *code, unsigned size, unsigned from, unsigned base,
                                      int displacement) {
    code->machine->emit->store(code, size, from, base, displacement);
}
/* Stores to the 8 bytes around the address: one instruction. */
static inline void machine_store_rounded(struct code *code, unsigned from, unsigned base, int displacement) {
    code->machine->emit->store_rounded(code, from, base, displacement);
}
/* Stores 8 bytes from a register of either kind; NO_REGISTER represents 0. One instruction. */
static inline void machine_store(struct code *code, unsigned from, unsigned base, int displacement) {
    code->machine->emit->store(code, 8, from, base, displacement);
}
/* Move registers to and from memory, 8 bytes each, from base + offset on, in order of their numbers. If the
   base is one of the registers, it is the last. */
static inline void machine_save(struct code *code, register_set set, unsigned base, uint32_t offset) {
    code->machine->emit->save(code, set, base, offset);
}
static inline void machine_restore(struct code *code, register_set set, unsigned base, uint32_t offset) {
    code->machine->emit->restore(code, set, base, offset);
}
/* Loads 1, 2, 4 or 8 bytes at the address in `to`, with any alignment. Loads only the quadwords that contain
   these bytes, and marks the loads for the runtime (READ_MARK). Also changes `low` and `high`. */
static inline void machine_load_anywhere(struct code *code, unsigned size, unsigned to, unsigned low,
                                         unsigned high) {
    code->machine->emit->load_anywhere(code, size, to, low, high);
}
/* Reserves room on the program's stack: one instruction, none for 0 bytes. The stack pointer is never above
   stored values, because the kernel stores a signal's frame below it. */
static inline void machine_lower_stack(struct code *code, uint32_t bytes) {
    if (bytes)
        machine_add_constant(code, code->machine->registers->stack, -(int64_t)bytes,
                             code->machine->registers->stack);
}
static inline void machine_raise_stack(struct code *code, uint32_t bytes) {
    if (bytes)
        machine_add_constant(code, code->machine->registers->stack, bytes, code->machine->registers->stack);
}

/* ---- emit.c: cells ---- */

/* `atomic`: other threads may update the cell, too. The code locks the cell, and repeats the update until it
   succeeds. */
static inline void machine_update_cell(struct code *code, const struct cell_update *update, bool atomic) {
    code->machine->emit->update_cell(code, update, atomic);
}
/* Adds the amount, and resets the cell to 0 when it reaches the limit. A constant limit is at most
   LARGEST_OPERAND. `to`: 1 if the limit is reached. */
static inline void machine_count_cell_to(struct code *code, const struct cell_update *update, bool atomic,
                                         struct cell_amount limit, unsigned to) {
    code->machine->emit->count_cell_to(code, update, atomic, limit, to);
}
/* The address after the last update that was added from position `begin` on: saved registers may be restored
   after it. */
static inline uint32_t machine_after_update(const struct code *code, uint32_t begin) {
    return code->machine->emit->after_update(code, begin);
}
/* Adds to the thread's own value at the distance from the beginning of its values (runtime/interface.h).
   Changes the result register and `value`; keeps the result register in `keeper`, unless the two are the
   same. Returns the address after the store. Not of each machine: counts_by_thread(). */
static inline uint32_t machine_thread_add(struct code *code, int64_t distance, struct cell_amount amount,
                                          unsigned value, unsigned keeper) {
    return code->machine->emit->thread_add(code, distance, amount, value, keeper);
}
/* Computes the address of this thread's record at the distance, in `base` plus the displacement that is
   returned. Also changes `helper` and the registers of registers->thread_pointer. */
static inline int machine_thread_record(struct code *code, int distance, unsigned scale, unsigned base,
                                        unsigned helper) {
    return code->machine->emit->thread_record(code, distance, scale, base, helper);
}

/* ---- emit.c: the lock ---- */

/* Takes the lock in the 8 bytes at the address if they are 0: stores a value there that is no thread's, and
   orders the accesses after it. Returns the position of a branch without a target, which is taken if another
   thread has the lock. Changes both registers. */
static inline uint32_t machine_lock(struct code *code, uint32_t address, unsigned base, unsigned owner) {
    return code->machine->emit->lock(code, address, base, owner);
}
/* Where that branch leads: reads the lock at most `times` times, and takes it again once it is free. The code
   after it is executed if it is never free. Changes both registers. */
static inline void machine_lock_again(struct code *code, uint32_t address, uint32_t refusal, unsigned base,
                                      unsigned count, unsigned times) {
    code->machine->emit->lock_again(code, address, refusal, base, count, times);
}
/* Orders the accesses before it, and stores 0. Changes the register. */
static inline void machine_unlock(struct code *code, uint32_t address, unsigned base) {
    code->machine->emit->unlock(code, address, base);
}

/* ---- emit.c: control ---- */

/* A branch over `words` words, or back. One instruction. */
static inline void machine_branch(struct code *code, int64_t words) {
    code->machine->emit->branch(code, words);
}
static inline void machine_branch_if(struct code *code, enum branch_condition condition, unsigned reg,
                                     int64_t words) {
    code->machine->emit->branch_if(code, condition, reg, words);
}
/* To the position. */
static inline void machine_branch_to(struct code *code, uint32_t position) {
    machine_branch(code, (int64_t)position - code_position(code) - 1);
}
static inline void machine_branch_if_to(struct code *code, enum branch_condition condition, unsigned reg,
                                        uint32_t position) {
    machine_branch_if(code, condition, reg, (int64_t)position - code_position(code) - 1);
}
/* A branch without a target yet. Returns its position, for machine_aim_here(). */
static inline uint32_t machine_branch_forward(struct code *code) {
    machine_branch(code, 0);
    return code_position(code) - 1;
}
static inline uint32_t machine_branch_if_forward(struct code *code, enum branch_condition condition,
                                                 unsigned reg) {
    machine_branch_if(code, condition, reg, 0);
    return code_position(code) - 1;
}
/* Jumps to the address in a register, with no return address: one instruction, like the following jumps. */
static inline void machine_jump(struct code *code, unsigned target) {
    code->machine->emit->jump(code, target);
}
/* The same, predicted as a return. */
static inline void machine_return_to(struct code *code, unsigned target) {
    code->machine->emit->return_to(code, target);
}
/* Calls the routine at the address in a register, the link register among them. */
static inline void machine_call(struct code *code, unsigned target) {
    code->machine->emit->call(code, code->machine->registers->link, target);
}
/* The same with the return address in another register. */
static inline void machine_call_by(struct code *code, unsigned link, unsigned target) {
    code->machine->emit->call(code, link, target);
}
/* Calls the code at the address, using no register but the link: one to three instructions. */
static inline void machine_near_call(struct code *code, uint32_t address) {
    code->machine->emit->near_call(code, address);
}
/* Calls a routine that takes and changes machine->helper_... only: division, and such of the runtime. */
static inline void machine_call_helper(struct code *code, uint32_t address) {
    code->machine->emit->call_helper(code, address);
}
/* Calls the runtime's lock or unlock routine with the thread pointer, unless the flag, 4 bytes, is 0. Changes
   the callee's register, the spilled one, and the result register. */
static inline void machine_call_locker(struct code *code, uint32_t flag, uint32_t routine) {
    code->machine->emit->call_locker(code, flag, routine);
}
/* True if the runtime has code that calls routines and keeps all registers: sites and wrappers need not. */
static inline bool machine_keeps_registers(const struct machine *machine) {
    return machine->emit->wrap;
}
/* A whole wrapper: goes to that code, which calls the routine with the arguments in registers and with as
   many words of arguments at the stack pointer, and returns. Changes nothing. */
static inline void machine_wrap(struct code *code, uint32_t routine, uint32_t caller, uint32_t words) {
    code->machine->emit->wrap(code, routine, caller, words);
}
static inline void machine_no_operation(struct code *code) {
    code->machine->emit->no_operation(code);
}

/* ---- emit.c: the system ---- */

/* One instruction. */
static inline void machine_system_call(struct code *code) {
    code->machine->emit->system_call(code);
}
/* Copies the thread pointer: one instruction, or two. Also changes machine->registers->thread_pointer. */
static inline void machine_thread_pointer(struct code *code, unsigned to) {
    code->machine->emit->thread_pointer(code, to);
}
/* Copies machine->registers->first_argument to the thread pointer: one instruction. */
static inline void machine_set_thread_pointer(struct code *code) {
    code->machine->emit->set_thread_pointer(code);
}
/* Reads the cycle counter: one instruction. */
static inline void machine_cycles(struct code *code, unsigned to) {
    code->machine->emit->cycles(code, to);
}
/* Sets the flags to bits of a register, on a machine that has flags: one instruction. */
static inline void machine_set_flags(struct code *code, unsigned from) {
    code->machine->emit->set_flags(code, from);
}
/* Moves the floating-point control register to and from memory, through a floating-point register. */
static inline void machine_save_float_control(struct code *code, unsigned by, unsigned base,
                                              int displacement) {
    code->machine->emit->save_float_control(code, by, base, displacement);
}
static inline void machine_restore_float_control(struct code *code, unsigned by, unsigned base,
                                                 int displacement) {
    code->machine->emit->restore_float_control(code, by, base, displacement);
}

/* ---- emit.c: words ---- */

/* Aims the branch at that position at another; false if it does not reach, and then it is unchanged. */
static inline bool machine_aim(struct code *code, uint32_t position, int64_t target) {
    return code->machine->words->aim(&code->words[position], target - position - 1);
}
/* The branch's target is the code that is added next; the distance must be in range. */
static inline void machine_aim_here(struct code *code, uint32_t position) {
    machine_aim(code, position, code_position(code));
}
/* Aims the instructions of machine_address_fixed() at that position at another address. */
static inline void machine_aim_address(struct code *code, uint32_t position, uint32_t address) {
    code->machine->words->aim_address(&code->words[position], address);
}
/* True if a branch reaches over `words` words. */
static inline bool machine_reaches(const struct machine *machine, int64_t words) {
    return machine->words->reaches(words);
}
/* The number of words that a branch may span, in either direction: more than farthest_branch, or the reach of
   a conditional branch that is short. */
static inline uint32_t machine_reach(const struct machine *machine, uint32_t branch) {
    return machine->words->reach(branch);
}
/* The word of a branch, and that of the conditional branch that is taken when the given one is not. */
static inline uint32_t machine_branch_word(const struct machine *machine, int64_t words) {
    return machine->words->branch(words);
}
static inline uint32_t machine_invert(const struct machine *machine, uint32_t branch) {
    return machine->words->invert(branch);
}
/* True if the word is a conditional branch over `words` words, counted from the next one. */
static inline bool machine_is_conditional(const struct machine *machine, uint32_t word, int64_t words) {
    return machine->words->is_conditional(word, words);
}
/* The word of a call over `words` words, whose return address is in `link`. */
static inline uint32_t machine_call_word(const struct machine *machine, unsigned link, int64_t words) {
    return machine->words->call(link, words);
}
/* A word that represents an address in a register until machine_address() makes it. */
static inline uint32_t machine_address_word(const struct machine *machine, unsigned to) {
    return machine->words->address(to);
}
/* The word of machine_address_base(). */
static inline uint32_t machine_address_base_word(const struct machine *machine, uint32_t address,
                                                 unsigned to) {
    return machine->words->address_base(address, to);
}
/* Words of a jump to the copy that a table has for an address in a register: two words look the copy up, in
   the spilled register; the third is the jump. The table's distance is still 0; machine_add_distance() adds
   it to each of the two. */
static inline void machine_table_jump(const struct machine *machine, uint32_t words[3], unsigned address) {
    machine->words->table_jump(words, address);
}
static inline uint32_t machine_add_distance(const struct machine *machine, uint32_t word, uint32_t distance) {
    return machine->words->add_distance(word, distance);
}
/* Registers that machine_condition_value() takes as helpers: 0 or 1. */
static inline unsigned machine_condition_temporaries(const struct machine *machine, uint32_t branch) {
    return machine->words->condition_temporaries(branch);
}
/* True if a system call of the analysis side becomes a branch to a stub, in place of a call of the gate. */
static inline bool machine_has_gate_stubs(const struct machine *machine) {
    return machine->words->gate_stub;
}
/* The words of the stub at the address. It calls the gate with all registers as they are but for the link,
   and goes back, with the link restored. The gate keeps all registers but that of the result. */
static inline void machine_gate_stub(const struct machine *machine, uint32_t words[GATE_STUB_WORDS],
                                     uint64_t address, uint64_t gate, uint64_t back) {
    machine->words->gate_stub(words, address, gate, back);
}
/* True if the runtime would take the program's instruction for one that spills far (code->spills_far). */
static inline bool machine_is_spill(const struct machine *machine, uint32_t word) {
    return machine->words->is_spill(word);
}

/* ---- transfers.c ---- */

/* Computes the address of the copy for an indirect transfer, from the map's word for the original address in
   `target`: two instructions. `to` may be `target`. */
static inline void machine_look_up(struct code *code, unsigned target, unsigned to) {
    code->machine->transfers->look_up(code, target, to);
}
/* The same with the map of landings: three instructions. */
static inline void machine_look_up_landing(struct code *code, unsigned target, unsigned to) {
    code->machine->transfers->look_up_landing(code, target, to);
}
/* Jumps to the copy whose address is in the register, and sets the register to the address of the jump. If no
   transfer to the copy was expected, the runtime identifies the jump by this address. One instruction. */
static inline void machine_go_to_copy(struct code *code, unsigned copy, bool returns) {
    code->machine->transfers->go_to_copy(code, copy, returns);
}
/* Faults, so that the runtime jumps to the original address in the register. The register becomes the link:
   one instruction. */
static inline void machine_transfer_trap(struct code *code, unsigned target) {
    code->machine->transfers->trap(code, target);
}
/* Of a transfer that is FACT_AUTHENTICATES: its target, authenticated, in a register that it does not read;
   two instructions. And the transfer itself, to the original address, without its link. */
static inline void machine_authenticate(struct code *code, uint32_t transfer, unsigned to) {
    code->machine->transfers->authenticate(code, transfer, to);
}
static inline void machine_go_authenticated(struct code *code, uint32_t transfer) {
    code->machine->transfers->go_authenticated(code, transfer);
}
/* The word of a load, a store or an addition of a constant, changed to another displacement or base. */
static inline uint32_t machine_with_displacement(const struct machine *machine, uint32_t access,
                                                 int displacement) {
    return machine->transfers->with_displacement(access, displacement);
}
static inline uint32_t machine_with_base(const struct machine *machine, uint32_t access, unsigned base) {
    return machine->transfers->with_base(access, base);
}
/* The word with another register in a field, by the numbers of facts->operand; of the same kind. */
static inline uint32_t machine_with_operand(const struct machine *machine, uint32_t instruction,
                                            unsigned field, unsigned reg) {
    return machine->transfers->with_operand(instruction, field, reg);
}
/* The part of an address that an access can add: machine_address_base() makes the rest. */
static inline int32_t machine_access_distance(const struct machine *machine, int64_t address) {
    return machine->transfers->access_distance(address);
}
/* The address of the map's word for the first instruction of a text. */
static inline uint64_t machine_map_address(const struct machine *machine, uint64_t text_address) {
    return machine->transfers->map_address(text_address);
}
/* The word of an access to memory near the instruction, as an access at a base without a displacement. */
static inline uint32_t machine_with_literal_base(const struct machine *machine, uint32_t access,
                                                 unsigned base) {
    return machine->transfers->with_literal_base(access, base);
}
/* The word of an instruction that writes one register with another one. */
static inline uint32_t machine_with_destination(const struct machine *machine, uint32_t instruction,
                                                unsigned to) {
    return machine->transfers->with_destination(instruction, to);
}

#endif
