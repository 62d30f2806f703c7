/* copy.h: copying procedures. If few procedures have places, only these procedures are copied: the program's
   other code runs at its original address (docs/internals/how-it-works.md, "Copying little"). Requires sites,
   counts placed and liveness.
 */
#ifndef ATOMC_COPY_H
#define ATOMC_COPY_H

#include "engine/code/code.h"

/* A word of the program's text that becomes a branch to a springboard. */
struct sparse_patch {
    uint32_t instruction, word;
};

/* Words of the text that execute only after an unresolved jump. */
struct sparse_run {
    uint32_t first, count;
};

/* The room for the springboards of an object. */
struct sparse_room {
    struct arena *arena;
    uint64_t address, end;
    uint32_t *springboards;
    uint32_t count, capacity; /* words */
    /* a block: from this block on, springboards do not fit into the room, or the room is too far away. They
       are put into the copied procedures' own words, which are never executed otherwise. NO_INDEX: all fit */
    uint32_t own_words_from;
    struct sparse_run *runs; /* runs of such words that are not used yet */
    uint32_t run_count, run_capacity, run_next;
};

struct sparse {
    struct arena *arena;       /* lives for a round */
    const char *obstacle;      /* why sparse copying is impossible; NULL if it is possible */
    uint32_t obstructed;       /* the object with the obstacle, in the numbering of object_number() */
    struct sparse_room *rooms; /* per object */
    uint32_t room_count;
    struct sparse_patch *patches;
    uint32_t patch_count, patch_capacity;
    struct sparse_run *traps; /* words of the program's own that no known control flow reaches */
    uint32_t trap_count, trap_capacity;
};

/* Sums made at the beginning of their blocks: early_sums.c. */
struct early_sum {
    uint32_t address; /* the sum has been made once control is past this address */
    const struct site *site;
    /* the lengths that the sum depends on, or that an effect of its command depends on, */
    const struct site_lengths *lengths;
    const struct site_length_part *part; /* ... and the chosen part of the instructions; NULL: the amount is
                                            computed */
    uint32_t effect;                     /* the number of the effect */
};
struct early_block {
    uint32_t block, sum; /* the first of the block's sums */
    uint32_t end;        /* address after the block's copy */
};
struct early_sums {
    struct early_sum *sums; /* sorted by address */
    uint32_t count, capacity;
    struct early_block *blocks;
    uint32_t block_count, block_capacity;
    bool open; /* code that is emitted now belongs to the beginning of the block; */
    uint32_t block, first;
};

/* Records that copying makes in addition to the copies. */
struct copying {
    struct sparse *sparse;        /* NULL if everything is copied */
    uint32_t waiting_fixup;       /* the oldest fixup that may still wait for its target's copy: islands.c */
    struct atomc_inside *islands; /* addresses of islands, and their targets */
    uint32_t island_count, island_capacity;
    uint32_t *moved; /* copies of instructions that execute with the stack pointer lowered by OLD_ROOM */
    uint32_t moved_count, moved_capacity;
    struct atomc_retained *retained; /* replaced entries whose procedures can still be called */
    uint32_t retained_count, retained_capacity;
    struct bail_out *bail_outs; /* not emitted yet: insertion.c */
    uint32_t bail_out_count, bail_out_capacity;
    struct early_sums early;
};

/* ---- indirect_jumps.c ---- */

/* True if some transfers will spill a register to the stack, as far as this can be determined before
   copying.
 */
bool transfers_spill(const struct rewrite *rewrite);

/* ---- procedure.c ---- */

void copying_create(struct rewrite *rewrite);
void copying_start(struct rewrite *rewrite); /* initializes for a new round */
/* One round: copies every procedure that is to be copied. */
void copy_all(struct rewrite *rewrite);

/* ---- partial_copies.c ---- */

/* Sets rewrite->copying->sparse and chooses the procedures to copy, if sparse copying is possible. */
void sparse_plan(struct rewrite *rewrite);
/* True if the program cannot be copied as a whole. */
bool sparse_is_needed(const struct rewrite *rewrite);
/* Abandons sparse copying: all procedures are copied. */
void sparse_drop(struct rewrite *rewrite);

/* ---- springboards.c ---- */

/* True if an entry has no free register, so that its springboard has to spill a register to the stack. */
bool sparse_needs_landings(const struct rewrite *rewrite);
/* After copying: makes the springboards from the original text to the copies. Returns false if the
   springboards cannot be made. */
bool sparse_finish(struct rewrite *rewrite);
/* Writes traps and patches into `bytes`, the program's bytes at the address. */
void sparse_change(const struct rewrite *rewrite, uint64_t address, uint64_t size, uint8_t *bytes);
/* Write the tables by which the runtime distinguishes the program's instructions from patches and traps. */
void sparse_write_patched(struct rewrite *rewrite, struct atomc_image *image);
void sparse_write_traps(struct rewrite *rewrite, struct atomc_image *image);

/* ---- promoted_counts.c ---- */

void promotion_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- early_sums.c ---- */

void early_sums_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- count_code.c ---- */

/* Ranges of the copies, by which the runtime determines the counts that have been made when a signal
   arrives. */
void range_start(struct rewrite *rewrite); /* of a round */

/* ---- replacements.c ---- */

/* Registers that replacements read: the arguments of the procedures, even if the procedures themselves do
   not read them. */
register_set replacement_arguments(const struct rewrite *rewrite);
/* Writes the names of the retained entries for the runtime. */
void retained_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- observations.c ---- */

/* Makes registers live in the program that sites read after the program's last use. */
void observations_find(struct rewrite *rewrite, struct program *program);
/* Keeps no register in the shadow frame after all. */
void observations_in_registers(struct program *program);

#endif
