/* counting.h: derived counts. An update by a constant amount depends on how often a block is executed, a
   branch is taken or a procedure is entered. These numbers follow from fewer counts than there are updates,
   because control leaves each block of a procedure as often as it enters it.
   docs/internals/how-it-works.md, "Counting less". This room only decides. copy/ emits the counts, and
   runtime/counts/counting.c derives the other numbers. */
#ifndef ATOMC_COUNTING_H
#define ATOMC_COUNTING_H

#include "engine/rewrite.h"
#include "engine/select/sites.h"

/* The needed events of a block, and obstacles to counting them (bit set). */
enum block_fact {
    WANT_EXECUTED = 1, /* how often it is executed, */
    WANT_TAKEN = 2,    /* ... its conditional branch is taken, */
    /* ... control enters it other than by a branch of its procedure or by falling into it */
    WANT_OUTSIDE = 4,
    WANTED = 7,
    LOCKED_HEAD = 8,    /* no code may be inserted before its first instruction, */
    LOCKED_BRANCH = 16, /* ... next to its last instruction, */
    LOCKED = 32,        /* ... anywhere in it: load-locked/store-conditional sequences */
    CALLS = 64,         /* sites that are not derived may leave the block for an analysis routine, */
    CALLS_ENTRY = 128,  /* ... where control enters it from outside, */
    CALLS_BRANCH = 256, /* ... after its branch */
    MAKES = 512,        /* some sites are not derived */
    /* Its number of entries follows from its callers' counts (sharing.c): */
    SHARES = 1024, /* the transfer at its end skips the count of entries of the block that it enters, */
    SHARED = 2048, /* ... and this is such a block */
};

/* The cells in which events of a block are counted; NO_INDEX if an event is not counted. */
struct block_counts {
    uint32_t executed; /* counted anywhere in the block */
    uint32_t through;  /* counted where control falls into it from the block before */
    uint32_t outside;  /* counted where control enters it from outside */
    uint32_t taken;    /* counted after its conditional branch, on the taken way */
};

/* A derived update: when the program ends, `cell` += `amount` * the count of the event. */
struct derived_update {
    uint32_t block;
    /* the event executes the first instruction of this block directly after; NO_INDEX: the event is not an
       execution of the block */
    uint32_t instruction;
    bool also_after; /* ... also just after the instruction before it */
    uint32_t cell;
    int32_t amount;
    uint16_t event; /* one of the WANT_ bits */
    int16_t each;   /* if not 0: the amount for each of the block's chosen instructions that is reached */
    const uint8_t *chosen; /* a bit for each instruction that is chosen; NULL: all are */
};

struct byte_stream {
    struct arena *arena; /* of .chosen */
    uint8_t *bytes;
    size_t count, capacity;
};

/* Registers that hold counts in a part of a procedure: the set's own count, which is added to its cell
   where control leaves that part, and the counts of its parent set. Set 0 is empty. */
struct promoted_set {
    uint32_t parent; /* less than its own number */
    uint32_t cell;
    uint8_t reg;
    register_set registers; /* including the counts of its parents */
};

struct counting {
    struct arena *arena;
    struct arena *deriving;             /* holds .updates, which may be many, and is freed early */
    struct block_counts *blocks;        /* NULL: no count is derived */
    struct promoted_set *promoted_sets; /* promotion.c */
    uint32_t promoted_count, promoted_capacity;
    uint32_t *promoted_in;                 /* per block: its set */
    register_set promoted_registers;       /* the union of all sets */
    struct atomc_promoted *promoted_table; /* ranges of the copies */
    uint32_t promoted_table_count, promoted_table_capacity;
    uint16_t *facts; /* per block: enum block_fact */
    bool *observed;  /* per counter: its value is needed while the program runs */
    /* per counter: all its updates are derived except updates of cells in .left; NULL: no counter has derived
       updates */
    bool *settled;
    uint32_t *left, left_count;
    size_t left_capacity;
    uint8_t *locked; /* a bit per instruction: is_locked() */
    struct derived_update *updates;
    uint32_t update_count, update_capacity;
    uint64_t cells; /* the counters' own cells, then cells of counted values, then cells of derived values */
    uint64_t derived_values;
    struct byte_stream effects;               /* effects of the values: runtime/interface.h */
    struct atomc_counted *counted_procedures; /* one more than there are procedures; the last entry marks the
                                                 end */
    uint32_t counted_procedure_count, counted_procedure_capacity;
    struct byte_stream ranges;
    /* The latest values, as the next ones are stored as differences. */
    uint32_t last_address, last_node, last_cell, last_instruction;
    uint64_t counted;      /* events that are counted in place, statically, */
    uint64_t promoted;     /* ... in registers */
    uint64_t shared;       /* transfers that are not counted where they enter */
    uint8_t *procedures;   /* per procedure: true if it has counts */
    uint8_t *replaced;     /* per procedure: true if a routine replaces it, so that no count is derived in
                              it */
    register_set reserved; /* registers that may hold no counts */
    bool open;             /* the latest range covers code of a procedure */
};

/* ---- events.c ---- */

/* True if control falls from the block into the next one of its procedure. */
bool falls_through(const struct program *program, uint32_t block);

/* ---- promotion.c ---- */

/* A round of copying begins: promoted counts lose registers that are preserved everywhere. */
void promotion_start(struct rewrite *rewrite);
register_set promoted_registers(const struct rewrite *rewrite, uint32_t block);
/* True if control that moves from one block to the other leaves or enters a part with counts in registers. */
bool promoted_changes(const struct rewrite *rewrite, uint32_t from, uint32_t to);
/* The register that holds the count in the block, or NO_INDEX if it is in memory. */
unsigned promoted_register(const struct rewrite *rewrite, uint32_t block, uint32_t cell);
/* The set of counts in registers in the block; 0 if there are none. */
uint32_t promoted_set_of(const struct rewrite *rewrite, uint32_t block);

/* ---- print.c ---- */

void counting_print(const struct rewrite *rewrite, FILE *stream); /* --dump=counts */
/* Checks that each derived update has an event, and each count a cell. Returns a description of the error,
   or NULL. */
const char *counting_verify(const struct rewrite *rewrite);

/* ---- counting.c ---- */

/* True if the site's code stays in the copy and calls nothing. */
bool site_stays(const struct site *site);
/* Removes the updates that can be derived from the rewrite's sites. `reserved`: registers that may hold no
   counts. */
void counting_plan(struct rewrite *rewrite, register_set reserved);
/* Frees the updates and keeps their number: the values' effects have replaced them. */
void counting_settle(struct rewrite *rewrite);
void counting_free(struct counting *counting);
/* True if each thread counts in cells of its own, where two registers are free. */
bool counts_by_thread(const struct rewrite *rewrite);
/* Finds the two, if counts are made so and `live` registers are not free: the first is $0, or saves $0
   meanwhile. */
bool registers_of_thread_count(const struct rewrite *rewrite, register_set live, unsigned found[2]);
/* True if counts are derived, or reported on a signal, and other threads have to be stopped for that. */
bool counting_stops(const struct rewrite *rewrite);

/* ---- stream.c ---- */

void stream_unsigned(struct byte_stream *stream, uint64_t value);             /* LEB128 */
void stream_signed(struct byte_stream *stream, int64_t value);                /* zigzag */
void stream_word(struct byte_stream *stream, uint32_t value, unsigned bytes); /* lowest byte first */

/* True if no code may be inserted before the instruction: it is in a load-locked/store-conditional
   sequence. */
static inline bool is_locked(const struct counting *counting, uint32_t instruction) {
    return counting->locked[instruction / 8] >> instruction % 8 & 1;
}

#endif
