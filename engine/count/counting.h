/* counting.h: counts that are derived. An update by a constant amount is a number of times that a block is
   executed, a branch taken or a procedure entered; these follow from fewer counts than there are updates, by
   what control does in a procedure: it leaves each block as often as it comes.
   docs/internals/how-it-works.md, "Counting less". This room decides only; copy/ emits, and
   runtime/counts/counting.c derives. */
#ifndef ATOMC_COUNTING_H
#define ATOMC_COUNTING_H

#include "engine/rewrite.h"
#include "engine/select/sites.h"

/* What is to be known of a block, and what stands in the way (bit set). */
enum block_fact {
    WANT_EXECUTED = 1, /* how often it is executed, */
    WANT_TAKEN = 2,    /* ... its conditional branch is taken, */
    WANT_OUTSIDE = 4,  /* ... control enters it otherwise than by its procedure's branches and falls */
    WANTED = 7,
    LOCKED_HEAD = 8,    /* nothing may be put before its first instruction, */
    LOCKED_BRANCH = 16, /* ... around its last, */
    LOCKED = 32,        /* ... anywhere in it: load-locked/store-conditional sequences */
    CALLS = 64,         /* sites that stay may leave the block for an analysis routine, */
    CALLS_ENTRY = 128,  /* ... where control enters it from outside, */
    CALLS_BRANCH = 256, /* ... after its branch */
    MAKES = 512,        /* some sites stay */
    /* How often it is entered follows from its callers' counts (sharing.c): */
    SHARES = 1024, /* the transfer at its end goes past the count of entries of the block entered, */
    SHARED = 2048, /* ... which is this one */
};

/* The cells in which events of a block are counted; NO_INDEX: they are not. */
struct block_counts {
    uint32_t executed; /* anywhere in the block */
    uint32_t through;  /* where control falls into it from the block before */
    uint32_t outside;  /* where it is entered from outside */
    uint32_t taken;    /* after its conditional branch, on the taken way */
};

/* An update that is derived: when the program ends, `cell` += `amount` * the count of the event. */
struct derived_update {
    uint32_t block;
    uint32_t instruction; /* executed just after it; NO_INDEX: the event is no execution of the block */
    bool behind;          /* ... and just after the one before that */
    uint32_t cell;
    int32_t amount;
    uint16_t event; /* one of the WANT_ bits */
    int16_t each;   /* not 0: the amount is so much for each of the block's chosen instructions, and those
                       that are not reached do not count */
    const uint8_t *chosen; /* a bit for each of them; NULL: all */
};

struct byte_stream {
    struct arena *arena; /* of the bytes */
    uint8_t *bytes;
    size_t count, capacity;
};

/* What registers hold in a part of a procedure: a count, which is added to its cell where control leaves that
   part, and what the set's parent tells. Set 0: none. */
struct promoted_set {
    uint32_t parent; /* less than its own number */
    uint32_t cell;
    uint8_t reg;
    alpha_register_set registers; /* all of them */
};

struct counting {
    struct arena *arena;
    struct arena *deriving;             /* of .updates: there may be many, and they go first */
    struct block_counts *blocks;        /* NULL: nothing is derived */
    struct promoted_set *promoted_sets; /* promotion.c */
    uint32_t promoted_count, promoted_capacity;
    uint32_t *promoted_in;                 /* per block: the set */
    alpha_register_set promoted_registers; /* in any set */
    struct atomc_promoted *promoted_table; /* of the copies */
    uint32_t promoted_table_count, promoted_table_capacity;
    uint16_t *facts; /* per block: enum block_fact */
    bool *observed;  /* per counter: its value matters while the program runs */
    bool *settled;   /* per counter: its updates are derived, but for those of cells in .left; NULL: no
                        counter's */
    uint32_t *left, left_count;
    size_t left_capacity;
    uint8_t *locked; /* a bit per instruction: is_locked() */
    struct derived_update *updates;
    uint32_t update_count, update_capacity;
    uint64_t cells; /* all: the counters' own, then the values counted, then those derived */
    uint64_t derived_values;
    struct byte_stream effects;               /* of the values: runtime/interface.h */
    struct atomc_counted *counted_procedures; /* one more than there are, the last where they end */
    uint32_t counted_procedure_count, counted_procedure_capacity;
    struct byte_stream ranges;
    /* The latest, from which the next one's numbers are told. */
    uint32_t last_address, last_node, last_cell, last_instruction;
    uint64_t counted;    /* events counted where they happen, statically, */
    uint64_t promoted;   /* ... in registers */
    uint64_t shared;     /* transfers that are not counted where they arrive */
    uint8_t *procedures; /* per procedure: something is counted in it */
    uint8_t *replaced;   /* per procedure: a routine is entered in its stead, and nothing is derived in it */
    alpha_register_set reserved; /* no count may be in one of these */
    bool open;                   /* the latest range is of a procedure's code */
};

/* ---- events.c ---- */

/* Does control fall from the block into the next of its procedure? */
bool falls_through(const struct program *program, uint32_t block);

/* ---- promotion.c ---- */

/* A round of copying begins: none of the registers may be one that is kept everywhere. */
void promotion_start(struct rewrite *rewrite);
alpha_register_set promoted_registers(const struct rewrite *rewrite, uint32_t block);
/* Does control, going from one block to another, leave or enter a part with counts in registers? */
bool promoted_changes(const struct rewrite *rewrite, uint32_t from, uint32_t to);
/* The register in which the count is made in the block, or NO_INDEX: in memory. */
unsigned promoted_register(const struct rewrite *rewrite, uint32_t block, uint32_t cell);
/* The set of counts that registers hold in the block; 0: none. */
uint32_t promoted_set_of(const struct rewrite *rewrite, uint32_t block);

/* ---- print.c ---- */

void counting_print(const struct rewrite *rewrite, FILE *stream); /* --dump=counts */
/* Has each derived update an event, and each count a cell? What is wrong, or NULL. */
const char *counting_verify(const struct rewrite *rewrite);

/* ---- counting.c ---- */

/* Does the site's code stay in the copy, and call nothing? */
bool site_stays(const struct site *site);
/* Takes the updates that can be derived out of the rewrite's sites. `reserved`: registers that no count may
 * be in. */
void counting_plan(struct rewrite *rewrite, alpha_register_set reserved);
/* Forgets the updates, but for their number: the values' effects tell them. */
void counting_settle(struct rewrite *rewrite);
void counting_free(struct counting *counting);
/* Does each thread make counts in cells of its own where two registers are free? */
bool counts_by_thread(const struct rewrite *rewrite);
/* The two, if so, where those registers are live: the first is $0, or keeps it meanwhile. */
bool registers_of_thread_count(const struct rewrite *rewrite, alpha_register_set live, unsigned found[2]);
/* Counts are derived, or shown on a signal, and other threads have to stop for that. */
bool counting_stops(const struct rewrite *rewrite);

/* ---- stream.c ---- */

void stream_unsigned(struct byte_stream *stream, uint64_t value);             /* LEB128 */
void stream_signed(struct byte_stream *stream, int64_t value);                /* zigzag */
void stream_word(struct byte_stream *stream, uint32_t value, unsigned bytes); /* the lowest byte first */

/* Nothing may be put before the instruction: it is in a load-locked/store-conditional sequence. */
static inline bool is_locked(const struct counting *counting, uint32_t instruction) {
    return counting->locked[instruction / 8] >> instruction % 8 & 1;
}

#endif
