/* copy.h: copying one procedure; between rewrite.c and the copy_*.c files. */
#ifndef ATOMC_COPY_H
#define ATOMC_COPY_H

#include "engine/rewrite.h"

/* A call that waits for the end of a locked sequence. */
struct pending_call {
    const struct site *site;
    uint32_t instruction; /* of its site */
    uint32_t from; /* first instruction executed after its point: registers written from here on are lost */
    int taken;
};

/* Code placed after the procedure: calls, then a branch to where control goes on. */
struct stub {
    uint32_t fixup;  /* of the branch to re-aim at the stub; NO_INDEX: the stub is an entry, for the map */
    uint32_t target; /* instruction at which to go on */
    uint8_t kind;    /* enum fixup_kind of that */
    uint32_t last;   /* instruction executed last before the stub */
    alpha_register_set live;
    uint32_t first_call, call_count; /* in copy.calls */
};

/* Registers saved for the sites from one instruction of a block to another; NO_INDEX: for none. */
struct borrowed {
    uint32_t first, last;
    alpha_register_set registers; /* 0: none after all */
};

struct copy {
    struct rewrite *rewrite;
    uint32_t procedure;
    uint32_t block;             /* at hand */
    uint32_t slot;              /* its instruction before which it is counted, or NO_INDEX */
    uint32_t site;              /* next in rewrite->sites */
    alpha_register_set *before; /* liveness of the block at hand */
    uint32_t before_capacity;
    alpha_register_set *own; /* without what sites observe */
    uint32_t own_capacity;
    struct borrowed borrowed;
    uint32_t locked_end; /* last instruction of the locked sequence that we are in, or NO_INDEX */
    struct pending_call *pending;
    uint32_t pending_count, pending_capacity;
    struct pending_call *calls; /* of stubs */
    uint32_t call_count, call_capacity;
    struct stub *stubs;
    uint32_t stub_count, stub_capacity;
};

/* Sites of one instruction, by point. */
struct point_sites {
    const struct site *first;
    uint32_t count;
};

/* ---- borrow.c ---- */

/* Chooses the next stretch of the block from this instruction on. */
void borrow_plan(struct copy *copy, uint32_t from);
/* Where the block is counted: where it was to be, or, if that takes saving, at the beginning of a stretch. */
uint32_t borrow_slot(const struct copy *copy);
/* Saves the registers if the stretch begins at the instruction; restores them if it ends behind it, and
   chooses the next. */
void borrow_begin(struct copy *copy, uint32_t instruction);
void borrow_end(struct copy *copy, uint32_t instruction);

/* ---- copy/instruction.c ---- */

/* Copies one instruction, transfers of control translated. `live_after`: live on any way out. Returns the
   word index of a conditional branch, for a stub to re-aim, or NO_INDEX; `has_stub`: there will be one.
   `on_ways`: sites that stand on both ways of a conditional branch; then there is no stub. */
uint32_t copy_instruction(struct rewrite *rewrite, uint32_t instruction, uint32_t block,
                          alpha_register_set live_after, bool has_stub, const struct point_sites *on_ways);
/* Will transfers go over the stack for want of a register, as far as can be told before anything is copied?
 */
bool transfers_spill(const struct rewrite *rewrite);
/* Must the runtime see the system call that ends the block? */
bool call_is_gated(const struct rewrite *rewrite, const struct basic_block *block);

/* ---- copy/jumps.c ---- */

/* A register that holds nothing that is needed, or NO_INDEX. */
unsigned free_register(alpha_register_set live);
/* The word at hand is to be aimed at the target's copy. */
void add_fixup(struct rewrite *rewrite, uint32_t target, enum fixup_kind kind);
/* Words that a branch is let be from its target: some fewer than it reaches, for what is put in between. */
enum { FARTHEST_BRANCH = 1040000 };
/* Is the target's copy too far for a branch from here, as far as is known yet? */
bool is_far(const struct rewrite *rewrite, uint32_t target);
/* A branch to the instruction's copy. */
void emit_jump(struct rewrite *rewrite, uint32_t target, enum fixup_kind kind);
/* A jump to it, however far. */
void emit_far_jump(struct rewrite *rewrite, uint32_t target, enum fixup_kind kind);
/* $28 to the stack that inserted code uses; the landing at the target takes it back. Until then nothing may
   be stored below $30. */
void emit_spill(struct rewrite *rewrite);
/* Where transfers and far branches that have spilled $28 arrive, from outside or inside the procedure. */
void emit_landing(struct rewrite *rewrite, uint32_t instruction, enum fixup_kind kind);
/* Applies fixups; false if some do not reach. */
bool apply_fixups(struct rewrite *rewrite);

/* ---- islands.c ---- */

/* Will islands be put behind the procedure at hand? */
bool islands_due(struct rewrite *rewrite, uint32_t procedure);
void islands_emit(struct rewrite *rewrite, uint32_t procedure);

/* ---- copy/after.c ---- */

/* Does the site want what the register that the instruction overwrites held? */
bool wants_old(const struct site *site, uint32_t word);
/* Keeps what the sites after the instruction need and it overwrites; the context tells where. */
void keep_old(struct copy *copy, struct point_sites after, alpha_register_set live,
              struct call_context *context);
/* The instruction's copy where keep_old has moved the stack pointer. */
void copy_moved(struct rewrite *rewrite, uint32_t instruction);
void emit_after(struct copy *copy, struct point_sites after, const struct call_context *context);

/* ---- copy/ways.c ---- */

/* Do the sites before the instruction stand on its ways? */
bool stands_on_ways(const struct rewrite *rewrite, const struct point_sites *sites, uint32_t instruction);
/* Their code where the branch is taken, a branch to its target to follow; and where it is not. `kind`: of a
   fixup to the target. */
void emit_taken_way(struct rewrite *rewrite, const struct point_sites *sites, uint32_t instruction,
                    alpha_register_set live_after, enum fixup_kind kind);
void emit_on_way(struct rewrite *rewrite, const struct point_sites *sites, uint32_t instruction, bool taken,
                 alpha_register_set live_after);

/* ---- copy/procedure.c ---- */
void copy_procedure(struct copy *copy, uint32_t procedure);

#endif
