/* words.h: the registers and the instruction words of AArch64 by the names that the rooms of the runtime use:
   each machine has these names. */
#ifndef ATOMC_RUNTIME_WORDS_H
#define ATOMC_RUNTIME_WORDS_H

#include "codegen/aarch64/fields.h"
#include "codegen/register_set.h"

enum { ELF_MACHINE = 183 }; /* e_machine of its files */

/* ---- registers, by their numbers in a context and in a gate's frame ------------ */

enum {
    NUMBER_REGISTER = 8, /* a system call's number, */
    RESULT_REGISTER = 0, /* and its result: the negative number of an error */
    FIRST_ARGUMENT = 0,  /* six registers, in order */
    THREAD_ARGUMENT = 3, /* of clone: the new thread's pointer */
    FRAME_REGISTER = 29,
    LINK_REGISTER = 30,
    CALLEE_REGISTER = 17,  /* no routine expects its address in a register: any that a call may change */
    SCRATCH_REGISTER = 16, /* the link of stubs, and spilled code */
    STACK_REGISTER = 31,
    GENERAL_REGISTERS = 31, /* registers with lower numbers hold values */
    NO_REGISTER = 253,      /* an operand that an instruction does not have, and xzr */
    FIRST_FLOATING = 32,    /* in tables of all registers */
    FLOATING_REGISTERS = 32,
};

/* The value of a register that an instruction names. */
#define REGISTER_VALUE(registers, reg) ((reg) <= STACK_REGISTER ? (registers)[reg] : 0)

/* The registers that atomc_private_gate stores at a system call of the analysis side, and loads afterwards.
 */
struct atomc_private_call {
    long number, a[6], link;
};
static inline void set_private_result(struct atomc_private_call *call, long result) {
    call->a[RESULT_REGISTER] = result;
}

/* ---- addresses ---- */

/* True if the address is that of a word of the map that is MAP_UNFORESEEN. */
static inline int is_unforeseen_address(unsigned long pc) {
    return pc >> 31 == 1;
}
/* Where the map has the word for the address. */
static inline unsigned long map_place(unsigned long address) {
    return address ^ (unsigned long)AARCH64_MAP_BITS;
}

/* Copies look addresses up with some bits flipped (lookups.c). */
#define LOOKS_UP_BY_LOW_HALF 0

/* ---- what a word is ---- */

enum { SYSTEM_CALL_WORD = (int)AARCH64_SVC };
static inline int is_system_call_word(uint32_t word) {
    return word == AARCH64_SVC;
}
/* After it, instruction fetch sees the stored words. */
static inline int is_barrier_word(uint32_t word) {
    return word == AARCH64_ISB;
}
/* An indirect jump, call or return; jump_register() has the target. */
static inline int is_jump_word(uint32_t word) {
    return AARCH64_IS(word, BR) || AARCH64_IS(word, BLR) || AARCH64_IS(word, RET) || AARCH64_IS(word, SIGNED);
}
static inline unsigned jump_register(uint32_t word) {
    return AARCH64_IS(word, SIGNED) ? aarch64_signed_target(word) : aarch64_rn(word);
}
/* The address without its signature; another one, if it was not signed like that. */
static inline long authenticate(long address, long modifier, int by_key_b) {
    register long result __asm__("x17") = address, other __asm__("x16") = modifier;
    if (by_key_b)
        __asm__("hint #14 // autib1716" : "+r"(result) : "r"(other));
    else
        __asm__("hint #12 // autia1716" : "+r"(result) : "r"(other));
    return result;
}
/* Where the transfer goes. */
static inline long jump_target(uint32_t word, const long *registers) {
    unsigned target = jump_register(word), modifier = aarch64_modifier(word);
    long address = target == AARCH64_FIELD_ALL_ONES ? 0 : registers[target];
    if (!AARCH64_IS(word, SIGNED))
        return address;
    return authenticate(address, aarch64_has_modifier(word) ? registers[modifier] : 0,
                        aarch64_signed_by_key_b(word));
}
/* An unconditional branch, or a call by one. */
static inline int is_branch_word(uint32_t word) {
    return AARCH64_IS(word, B) || AARCH64_IS(word, BL);
}
/* In words, from the next instruction. */
static inline long branch_distance(uint32_t word) {
    return aarch64_branch_distance(word) - 1;
}
/* A call of a routine, by the calling standard. */
static inline int is_call_word(uint32_t word) {
    return AARCH64_IS(word, BL) || AARCH64_IS(word, BLR) ||
           (AARCH64_IS(word, SIGNED) && aarch64_signed_links(word));
}
/* The register that receives the address after the transfer; NO_REGISTER: none, or no transfer. */
static inline unsigned link_of(uint32_t word) {
    return is_call_word(word) ? LINK_REGISTER : NO_REGISTER;
}
/* It enters the kernel. */
static inline int is_kernel_entry(uint32_t word) {
    return AARCH64_IS(word, EXCEPTION);
}

/* ---- loads and stores: base register, displacement, and the register that is loaded or stored ---- */

/* A register by its field, where 31 is the stack pointer, as its number in a context is; and where it is
   xzr. */
static inline unsigned register_or_zero(unsigned field) {
    return field == AARCH64_FIELD_ALL_ONES ? NO_REGISTER : field;
}
static inline int is_access_word(uint32_t word) {
    return AARCH64_IS(word, ACCESS) || AARCH64_IS(word, ACCESS_NEAR) || AARCH64_IS(word, ACCESS_INDEX) ||
           AARCH64_IS(word, ATOMIC) || AARCH64_IS(word, PAIR) || AARCH64_IS(word, EXCLUSIVE);
}
static inline unsigned access_base(uint32_t word) {
    return is_access_word(word) ? aarch64_rn(word) : NO_REGISTER;
}
/* Of the first byte that is accessed. */
static inline long access_displacement(uint32_t word) {
    if (AARCH64_IS(word, ACCESS))
        return (long)aarch64_bits(word, 10, 12) << aarch64_access_scale(word);
    if (AARCH64_IS(word, ACCESS_NEAR))
        return aarch64_bits(word, 10, 2) == 1 ? 0 : aarch64_signed_bits(word, 12, 9);
    if (AARCH64_IS(word, PAIR))
        return aarch64_bits(word, 23, 2) == 1
                   ? 0
                   : aarch64_signed_bits(word, 15, 7) * (1L << aarch64_pair_scale(word));
    return 0;
}
static inline unsigned access_register(uint32_t word) {
    return register_or_zero(aarch64_rd(word));
}
static inline int is_store_word(uint32_t word) {
    if (AARCH64_IS(word, EXCLUSIVE))
        return !aarch64_bits(word, 22, 1);
    return is_access_word(word) && !AARCH64_IS(word, ATOMIC) && !aarch64_loads(word);
}
/* It stores, or loads, the whole of an integer register. */
static inline int is_whole_access(uint32_t word) {
    return (AARCH64_IS(word, ACCESS) || AARCH64_IS(word, ACCESS_NEAR)) && !aarch64_is_vector_access(word) &&
           aarch64_access_scale(word) == 3;
}
static inline int is_whole_store(uint32_t word) {
    return is_whole_access(word) && is_store_word(word);
}
static inline int is_whole_load(uint32_t word) {
    return is_whole_access(word) && aarch64_bits(word, 22, 2) == 1;
}
/* It stores the whole of a register, or of two, at the stack pointer or near it, as a spill does. */
static inline int is_spill_store(uint32_t word) {
    return (is_whole_store(word) || (AARCH64_IS(word, PAIR) && is_store_word(word))) &&
           aarch64_rn(word) == STACK_REGISTER;
}
/* ldxr, ldaxr, ldxp, ldaxp. */
static inline int is_locked_load(uint32_t word) {
    return AARCH64_IS(word, EXCLUSIVE) && !aarch64_bits(word, 23, 1) && aarch64_bits(word, 22, 1);
}
/* stxr and the like. */
static inline int is_conditional_store(uint32_t word) {
    return AARCH64_IS(word, EXCLUSIVE) && aarch64_bits(word, 22, 2) == 0;
}

/* ---- instructions that inserted code has ---- */

/* The number that the word adds to the stack pointer; 0: it adds no constant to it. */
static inline long stack_change(uint32_t word) {
    if (!AARCH64_IS(word, ADD_CONSTANT) || aarch64_bits(word, 29, 3) % 2 || !aarch64_is_wide(word) ||
        aarch64_rd(word) != STACK_REGISTER || aarch64_rn(word) != STACK_REGISTER)
        return 0;
    return aarch64_bits(word, 30, 1) ? -aarch64_add_constant(word) : aarch64_add_constant(word);
}
/* True if the word makes this address, whose low half is 0, in its access_register(). */
static inline int makes_address(uint32_t word, uint32_t address) {
    return word == aarch64_movz(aarch64_rd(word), address >> 16, 16);
}
/* A branch of a library's text, in place of a system call, to a stub. */
static inline uint32_t stub_branch(long distance) {
    return aarch64_b(distance + 1);
}
static inline int is_stub_branch(uint32_t word) {
    return AARCH64_IS(word, B);
}
/* A branch without a link; the distance in words that each branch reaches. */
static inline uint32_t plain_branch(long distance) {
    return aarch64_b(distance + 1);
}
static inline int is_plain_branch(uint32_t word) {
    return AARCH64_IS(word, B);
}
enum { BRANCH_REACH = 1 << 25 };

/* The pc of the next effect (effects.c): an access of two registers, or one whose base changes, has up to
   three, whose numbers are the two lowest bits. */
enum { EFFECT_PARTS = 3 };
static inline unsigned long next_effect(uint32_t word, unsigned long pc) {
    int has_parts = AARCH64_IS(word, PAIR) || AARCH64_IS(word, ACCESS_NEAR);
    return has_parts && (pc & 3) < EFFECT_PARTS - 1 ? pc + 1 : (pc & ~3ul) + 4;
}
#define NEXT_EFFECT(word, pc) next_effect(word, pc)

/* ---- the machine's own actions ---- */

/* Makes new code visible to instruction fetch, wherever it is: the kernel does that for whole pages whose
   protection becomes executable; this is for the pipeline of the calling thread. */
static inline void flush_instructions(void) {
    __asm__ volatile("dsb ish\n\tisb" : : : "memory");
}

static inline long cycle_counter(void) {
    long cycles;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(cycles));
    return cycles;
}

static inline long thread_pointer(void) {
    long value;
    __asm__ volatile("mrs %0, tpidr_el0" : "=r"(value));
    return value;
}
static inline void set_thread_pointer(long value) {
    __asm__ volatile("msr tpidr_el0, %0" : : "r"(value) : "memory");
}

/* Takes or releases the lock of analysis routines for the current thread pointer: `routine` is atomc_lock or
   atomc_unlock. */
static inline void call_locker(void (*routine)(void)) {
    register long thread __asm__("x0") = thread_pointer();
    __asm__ volatile("blr %1" : "+r"(thread) : "r"(routine) : "x1", "x16", "x17", "x30", "memory");
}

/* True if one of 16 pairs of words contains a system call. */
enum { PAIRS_TESTED = 16 };
static inline int may_have_system_call(const uint64_t __attribute__((may_alias)) * pairs) {
    int found = 0;
    for (int i = 0; i < PAIRS_TESTED; i++)
        found |= (uint32_t)pairs[i] == AARCH64_SVC || (uint32_t)(pairs[i] >> 32) == AARCH64_SVC;
    return found;
}

/* Stores the floating-point registers that a gate leaves as they are: there are none. */
static inline void store_kept_floating(long *registers) {
    (void)registers;
}

#endif
