/* words.h: the registers and the instruction words of Alpha by the names that the rooms of the runtime use:
   each machine has these names. */
#ifndef ATOMC_RUNTIME_WORDS_H
#define ATOMC_RUNTIME_WORDS_H

#include "codegen/alpha/words.h"

enum { ELF_MACHINE = 0x9026 }; /* e_machine of its files */

/* ---- registers, by their numbers in a context and in a gate's frame ------------ */

enum {
    NUMBER_REGISTER = ALPHA_V0, /* a system call's number, */
    RESULT_REGISTER = ALPHA_V0, /* its result, */
    ERROR_REGISTER = ALPHA_A3,  /* and 1 if it failed: then the result is the positive number of the error */
    SECOND_RESULT = 20,         /* of fork: 1 in the child */
    FIRST_ARGUMENT = 16,        /* six registers, in order */
    THREAD_ARGUMENT = 20,       /* of clone: the new thread's pointer */
    LINK_REGISTER = ALPHA_RA,
    CALLEE_REGISTER = ALPHA_PV,  /* the address of the called routine */
    SCRATCH_REGISTER = ALPHA_AT, /* a system call need not preserve it: the link of stubs, and spilled code */
    STACK_REGISTER = ALPHA_SP,
    GENERAL_REGISTERS = 31,   /* registers with lower numbers hold values */
    NO_REGISTER = ALPHA_ZERO, /* an operand that an instruction does not have */
    FIRST_FLOATING = 32,      /* in tables of all registers */
    FLOATING_REGISTERS = 31,
};

/* The value of a register that an instruction names. */
#define REGISTER_VALUE(registers, reg) ((registers)[reg])

/* The registers that atomc_private_gate stores at a system call of the analysis side, and loads afterwards.
 */
struct atomc_private_call {
    long number, a[6], link, scratch, base;
};
static inline void set_private_result(struct atomc_private_call *call, long result) {
    call->a[ERROR_REGISTER - FIRST_ARGUMENT] = result < 0 && result > -4096;
    call->number = call->a[ERROR_REGISTER - FIRST_ARGUMENT] ? -result : result;
}

/* ---- addresses ---- */

/* True if the address is that of a word of the map that is MAP_UNFORESEEN: ldl extends the sign. */
static inline int is_unforeseen_address(unsigned long pc) {
    return pc >> 31 == ~0ul >> 31;
}

/* Copies look addresses up by their low 32 bits (text/code_places.c). */
#define LOOKS_UP_BY_LOW_HALF 1

/* ---- what a word is ---- */

enum { SYSTEM_CALL_WORD = ALPHA_PAL_CALLSYS };
static inline int is_system_call_word(uint32_t word) {
    return word == SYSTEM_CALL_WORD;
}
/* After it, instruction fetch sees the stored words. */
static inline int is_barrier_word(uint32_t word) {
    return word == ALPHA_PAL_IMB;
}
/* An indirect jump, call or return; jump_register() has the target. */
static inline int is_jump_word(uint32_t word) {
    return ALPHA_IS_LIKE(word, JMP);
}
static inline unsigned jump_register(uint32_t word) {
    return alpha_rb(word);
}
/* Where the transfer goes. */
static inline long jump_target(uint32_t word, const long *registers) {
    return jump_register(word) == NO_REGISTER ? 0 : registers[jump_register(word)];
}
/* An unconditional branch, or a call by one. */
static inline int is_branch_word(uint32_t word) {
    return ALPHA_IS(word, BR) || ALPHA_IS(word, BSR);
}
/* In words, from the next instruction. */
static inline long branch_distance(uint32_t word) {
    return alpha_branch_displacement(word);
}
/* The register that receives the address after the transfer; NO_REGISTER: none, or no transfer. */
static inline unsigned link_of(uint32_t word) {
    return is_jump_word(word) || is_branch_word(word) ? alpha_ra(word) : NO_REGISTER;
}
/* A call of a routine, by the calling standard. */
static inline int is_call_word(uint32_t word) {
    return (ALPHA_IS(word, BSR) || ALPHA_IS(word, JSR)) && alpha_ra(word) == ALPHA_RA;
}
/* It enters the kernel. */
static inline int is_kernel_entry(uint32_t word) {
    return ALPHA_IS(word, CALL_PAL);
}

/* ---- loads and stores: base register, displacement, and the register that is loaded or stored ---- */

static inline unsigned access_base(uint32_t word) {
    return alpha_rb(word);
}
static inline long access_displacement(uint32_t word) {
    return alpha_memory_displacement(word);
}
static inline unsigned access_register(uint32_t word) {
    return alpha_ra(word);
}
static inline int is_store_word(uint32_t word) {
    return ALPHA_IS(word, STQ) || ALPHA_IS(word, STL) || ALPHA_IS(word, STQ_U) || ALPHA_IS(word, STB) ||
           ALPHA_IS(word, STW) || ALPHA_IS(word, STT) || ALPHA_IS(word, STS);
}
/* It stores, or loads, the whole of an integer register. */
static inline int is_whole_store(uint32_t word) {
    return ALPHA_IS(word, STQ);
}
static inline int is_whole_load(uint32_t word) {
    return ALPHA_IS(word, LDQ);
}
/* It stores the whole of a register at the stack pointer or near it, as a spill does. */
static inline int is_spill_store(uint32_t word) {
    return (ALPHA_IS(word, STQ) || ALPHA_IS(word, STT)) && alpha_rb(word) == ALPHA_SP;
}
static inline int is_locked_load(uint32_t word) {
    return ALPHA_IS(word, LDL_L) || ALPHA_IS(word, LDQ_L);
}
static inline int is_conditional_store(uint32_t word) {
    return ALPHA_IS(word, STL_C) || ALPHA_IS(word, STQ_C);
}

/* ---- instructions that inserted code has ---- */

/* The number that the word adds to the stack pointer; 0: it adds no constant to it. */
static inline long stack_change(uint32_t word) {
    if (alpha_ra(word) != ALPHA_SP || alpha_rb(word) != ALPHA_SP)
        return 0;
    return ALPHA_IS(word, LDA)    ? alpha_memory_displacement(word)
           : ALPHA_IS(word, LDAH) ? alpha_memory_displacement(word) * 65536L
                                  : 0;
}
/* True if the word makes this address, whose low half is 0, in its access_register(). */
static inline int makes_address(uint32_t word, uint32_t address) {
    return word == ALPHA_MEMORY_WORD(LDAH, alpha_ra(word), address >> 16, ALPHA_ZERO);
}
/* A branch of a library's text, in place of a system call, to a stub: its link is SCRATCH_REGISTER. */
static inline uint32_t stub_branch(long distance) {
    return ALPHA_BRANCH_WORD(BR, ALPHA_AT, distance);
}
static inline int is_stub_branch(uint32_t word) {
    return ALPHA_IS(word, BR) && alpha_ra(word) == ALPHA_AT;
}
/* A branch without a link; the distance in words that each branch reaches. */
static inline uint32_t plain_branch(long distance) {
    return ALPHA_BRANCH_WORD(BR, ALPHA_ZERO, distance);
}
static inline int is_plain_branch(uint32_t word) {
    return ALPHA_IS(word, BR) && alpha_ra(word) == ALPHA_ZERO;
}
enum { BRANCH_REACH = 1 << 20 };

/* The pc of the next effect (effects.c). */
#define NEXT_EFFECT(word, pc) ((pc) + 4)

/* ---- the machine's own actions ---- */

/* Makes new code visible to instruction fetch. */
static inline void flush_instructions(void) {
    __asm__ volatile("call_pal %0" : : "i"(ALPHA_PAL_IMB) : "memory");
}

static inline long cycle_counter(void) {
    long cycles;
    __asm__ volatile("rpcc %0" : "=r"(cycles));
    return cycles;
}

static inline long thread_pointer(void) {
    register long value __asm__("$0");
    __asm__ volatile("call_pal %1" : "=r"(value) : "i"(ALPHA_PAL_RDUNIQ));
    return value;
}
static inline void set_thread_pointer(long value) {
    register long argument __asm__("$16") = value;
    __asm__ volatile("call_pal %1" : : "r"(argument), "i"(ALPHA_PAL_WRUNIQ) : "memory");
}

/* Takes or releases the lock of analysis routines for the current thread pointer: `routine` is atomc_lock or
   atomc_unlock. */
static inline void call_locker(void (*routine)(void)) {
    register long thread __asm__("$0") = thread_pointer();
    long base;
    __asm__ volatile("mov $29, %1\n\tmov %2, $28\n\tjsr $28, ($28)\n\tmov %1, $29"
                     : "+r"(thread), "=&r"(base)
                     : "r"(routine)
                     : "$1", "$27", "$28", "memory");
}

/* True if one of 16 pairs of words may contain an instruction whose highest byte is 0, like that of a system
   call. */
enum { PAIRS_TESTED = 16 };
static inline int may_have_system_call(const uint64_t __attribute__((may_alias)) * pairs) {
    uint64_t zeros = 0;
#pragma GCC unroll 16
    for (int i = 0; i < PAIRS_TESTED; i++)
        zeros |= (uint64_t)__builtin_alpha_cmpbge(0, (long)pairs[i]);
    return (zeros & 0x88) != 0;
}

/* Stores the floating-point registers that a gate leaves as they are: [0] is the first of all. */
static inline void store_kept_floating(long *registers) {
#define STORE(f) __asm__ volatile("stt $f" #f ",%0" : "=m"(registers[f]))
    STORE(2);
    STORE(3);
    STORE(4);
    STORE(5);
    STORE(6);
    STORE(7);
    STORE(8);
    STORE(9);
#undef STORE
}

#endif
