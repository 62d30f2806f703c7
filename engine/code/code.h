/* code.h: new code and data in the making: words, constants, tables, branches that are still to be aimed, and
   which procedures are copied. Requires addresses below 2 GB. */
#ifndef ATOMC_CODE_H
#define ATOMC_CODE_H

#include "engine/rewrite.h"

struct sparse;

#define OLD_ROOM 16

/* The fixed place, behind LAYOUT_SCRATCH: halves of its address. */
enum { OLD_STACK_HIGH = LAYOUT_SCRATCH >> 16, OLD_STACK_LOW = 8 };

/* Words that a branch is let be from its target: some fewer than it reaches, for what is put in between. */
enum { FARTHEST_BRANCH = 1040000 };

/* ---- fixups.c ---- */

/* The word at hand is to be aimed at the target's copy. */
void add_fixup(struct rewrite *rewrite, uint32_t target, enum fixup_kind kind);
/* Is the target's copy too far for a branch from here, as far as is known yet? */
bool is_far(const struct rewrite *rewrite, uint32_t target);
/* Applies fixups; false if some do not reach. */
bool apply_fixups(struct rewrite *rewrite);
/* The address of the instruction's copy, with what is inserted before it. */
void emit_copy_address(struct rewrite *rewrite, uint32_t instruction, unsigned to);

/* ---- coverage.c ---- */

/* Is the instruction's procedure copied? */
bool is_copied(const struct rewrite *rewrite, uint32_t instruction);
/* From now on its procedure is, too: no register is free to go there. */
void sparse_copy_too(struct rewrite *rewrite, uint32_t instruction);
/* The same by number, while it is chosen what is copied. */
void procedure_copy_too(struct sparse *sparse, const struct program *program, uint32_t procedure);

/* ---- tables.c ---- */

uint32_t table_string(struct rewrite *rewrite, const char *string); /* the same address for the same string */
uint32_t table_bytes(struct rewrite *rewrite, const void *bytes,
                     size_t size); /* in tables, 8-aligned: its address */
uint32_t table_array(struct rewrite *rewrite, struct site_array *array); /* in arrays.c */

/* ---- code.c ---- */

void emit_move(struct code *code, unsigned from, unsigned to);            /* integer registers */
void emit_address(struct code *code, uint32_t address, unsigned to);      /* ldah/lda; below LAYOUT_END */
void emit_address_pair(struct code *code, uint32_t address, unsigned to); /* always two */
/* To the stack that inserted code uses, with room for `bytes`, and back to the program's. */
void emit_enter_stack(const struct rewrite *rewrite, struct code *code, uint32_t bytes);
void emit_leave_stack(const struct rewrite *rewrite, struct code *code, uint32_t bytes);
/* bsr, or jsr through $26 itself. */
void emit_near_call(struct code *code, uint32_t address);

/* ---- pool.c ---- */

/* Any 64-bit constant: 1 to 2 instructions or a load from the pool. */
void emit_constant(struct rewrite *rewrite, struct code *code, int64_t value, unsigned to);
uint32_t pool_constant(struct rewrite *rewrite, uint64_t value); /* its address */
/* An address of the object that the instruction is in, as it is when that is loaded. */
void emit_original(struct rewrite *rewrite, struct code *code, uint32_t instruction, uint64_t address,
                   unsigned to);

static inline uint32_t code_position(const struct code *code) { /* words so far */
    return code->count;
}

static inline uint32_t code_address(const struct code *code) { /* of the next word */
    return code->address + 4 * code->count;
}

static inline void emit(struct code *code, uint32_t word) {
    VECTOR_RESERVE(code->words, code->count, code->capacity);
    code->words[code->count++] = word;
}

#endif
