/* sparse.h: the strategy for tools with few places: the program's own text runs where it is, and only the
   procedures with places are copied. docs/how-it-works.md, "Copying little". */
#ifndef ATOMC_SPARSE_H
#define ATOMC_SPARSE_H

#include "engine/rewrite.h"

/* A word of the program's text that becomes a branch to a hop. */
struct sparse_patch {
    uint32_t instruction, word;
};
/* Words of the text that nobody runs. */
struct sparse_run {
    uint32_t first, count;
};
/* Where the hops of an object are. */
struct sparse_room {
    uint64_t address, end;
    uint32_t *hops;
    uint32_t count, capacity; /* words */
    bool
        narrow; /* hops do not fit there: they stand in the copied procedures' own words, which nobody runs */
    struct sparse_run *runs; /* of such words, not yet used */
    uint32_t run_count, run_capacity, run_next;
};
struct sparse {
    uint8_t *copied;            /* per procedure */
    uint32_t copied_count;      /* of them */
    uint64_t instruction_count; /* in them */
    bool grew;                  /* in this round: another round is needed */
    const char *obstacle;       /* why it cannot be done, NULL: it can */
    struct sparse_room *rooms;  /* per object */
    uint32_t room_count;
    struct sparse_patch *patches;
    uint32_t patch_count, patch_capacity;
};

/* Sets rewrite->sparse if the program can be treated so. */
void sparse_plan(struct rewrite *rewrite);
/* Is the instruction's procedure copied? */
bool is_copied(const struct rewrite *rewrite, uint32_t instruction);
/* From now on its procedure is, too: no register is free to go there. */
void sparse_copy_too(struct rewrite *rewrite, uint32_t instruction);
/* Is there an entry where no register is free, so that its hop has to go over the stack? */
bool sparse_needs_landings(const struct rewrite *rewrite);
/* After the copies are made: the ways from the original text to them. False if there is an obstacle. */
bool sparse_finish(struct rewrite *rewrite);
/* The bytes of the image at the address, with the patches applied where there are some. */
const void *sparse_bytes(const struct rewrite *rewrite, uint64_t address, uint64_t size, const void *bytes);
struct atomc_image;
/* For the runtime, which tells the program's instructions from others. */
void sparse_write_patched(struct rewrite *rewrite, struct atomc_image *image);
void sparse_free(struct sparse *sparse);

#endif
