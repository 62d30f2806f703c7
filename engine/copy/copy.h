/* copy.h: procedures to their copies. Only those with places are copied where they are few: the program's own
   text runs where it is (docs/internals/how-it-works.md, "Copying little"). Requires sites, counts placed and
   liveness.
 */
#ifndef ATOMC_COPY_H
#define ATOMC_COPY_H

#include "engine/code/code.h"

/* A word of the program's text that becomes a branch to a springboard. */
struct sparse_patch {
    uint32_t instruction, word;
};

/* Words of the text that never execute, but by a jump that was not foreseen. */
struct sparse_run {
    uint32_t first, count;
};

/* Where the springboards of an object are. */
struct sparse_room {
    struct arena *arena;
    uint64_t address, end;
    uint32_t *springboards;
    uint32_t count, capacity; /* words */
    uint32_t own_words_from;  /* block: springboards of this one and of those after it do not fit there, or it
                                 is too far: they stand in the copied procedures' own words, which never
                                 execute. NO_INDEX: all fit */
    struct sparse_run *runs;  /* of such words, not yet used */
    uint32_t run_count, run_capacity, run_next;
};

struct sparse {
    struct arena *arena;       /* of the round */
    const char *obstacle;      /* why it cannot be done, NULL: it can */
    uint32_t obstructed;       /* of which object, as object_number() has them */
    struct sparse_room *rooms; /* per object */
    uint32_t room_count;
    struct sparse_patch *patches;
    uint32_t patch_count, patch_capacity;
    struct sparse_run *traps; /* words of the program's own that nothing foresees control to come to */
    uint32_t trap_count, trap_capacity;
};

/* Sums made at the beginning of their blocks: early_sums.c. */
struct early_sum {
    uint32_t address; /* after it the sum has been made */
    const struct site *site;
    const struct site_lengths *lengths;  /* its, or of an effect of its command, */
    const struct site_length_part *part; /* ... of it; NULL: the amount is computed */
    uint32_t effect;                     /* of the command */
};
struct early_block {
    uint32_t block, sum; /* the first of its sums */
    uint32_t end;        /* address after its copy */
};
struct early_sums {
    struct early_sum *sums; /* by address */
    uint32_t count, capacity;
    struct early_block *blocks;
    uint32_t block_count, block_capacity;
    bool open; /* what is made now is at the beginning of the block; */
    uint32_t block, first;
};

/* What copying notes besides the copies. */
struct copying {
    struct sparse *sparse;        /* NULL: everything is copied */
    uint32_t waiting_fixup;       /* the first that may wait for its target's copy: islands.c */
    struct atomc_inside *islands; /* where they are, and where they lead to */
    uint32_t island_count, island_capacity;
    uint32_t *moved; /* copies of instructions that are executed with the stack pointer OLD_ROOM lower */
    uint32_t moved_count, moved_capacity;
    struct atomc_retained *retained; /* entries that are replaced and can still be called */
    uint32_t retained_count, retained_capacity;
    struct bail_out *bail_outs; /* waiting to be emitted: insertion.c */
    uint32_t bail_out_count, bail_out_capacity;
    struct early_sums early;
};

/* ---- indirect_jumps.c ---- */

/* Will transfers go over the stack for want of a register, as far as can be told before anything is copied?
 */
bool transfers_spill(const struct rewrite *rewrite);

/* ---- procedure.c ---- */

void copying_create(struct rewrite *rewrite);
void copying_start(struct rewrite *rewrite); /* of a round */
/* One round: every procedure that is copied. */
void copy_all(struct rewrite *rewrite);

/* ---- partial_copies.c ---- */

/* Sets rewrite->copying->sparse, and what is copied, if the program can be treated so. */
void sparse_plan(struct rewrite *rewrite);
/* Can the program not be copied as a whole instead? */
bool sparse_is_needed(const struct rewrite *rewrite);
/* Everything is copied after all. */
void sparse_drop(struct rewrite *rewrite);

/* ---- springboards.c ---- */

/* True if there is an entry where no register is free, so that its springboard has to go over the stack. */
bool sparse_needs_landings(const struct rewrite *rewrite);
/* After the copies are made: the ways from the original text to them. False if there is an obstacle. */
bool sparse_finish(struct rewrite *rewrite);
/* Changes those of the bytes, which the program has at the address, where there are traps and patches. */
void sparse_change(const struct rewrite *rewrite, uint64_t address, uint64_t size, uint8_t *bytes);
/* For the runtime, which tells the program's instructions from others. */
void sparse_write_patched(struct rewrite *rewrite, struct atomc_image *image);
void sparse_write_traps(struct rewrite *rewrite, struct atomc_image *image);

/* ---- promoted_counts.c ---- */

void promotion_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- early_sums.c ---- */

void early_sums_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- count_code.c ---- */

/* Ranges of the copies, by which the runtime knows what has been counted where a signal arrives. */
void range_start(struct rewrite *rewrite); /* of a round */

/* ---- replacements.c ---- */

/* Registers that replacements read: the arguments of the procedures, whatever these read themselves. */
alpha_register_set replacement_arguments(const struct rewrite *rewrite);
/* The names of the entries that are retained, for the runtime. */
void retained_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- observations.c ---- */

/* What sites read of registers that the program is done with becomes live in the program. */
void observations_find(struct rewrite *rewrite, struct program *program);
/* None of it is set aside after all. */
void observations_in_registers(struct program *program);

#endif
