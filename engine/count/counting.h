/* counting.h: counts that are derived. An update by a constant amount is a number of times that a block is
   executed, a branch taken or a procedure entered; these follow from fewer counts than there are updates, by
   what control does in a procedure: it leaves each block as often as it comes. docs/how-it-works.md,
   "Counting less". Shared by counting.c, flow.c, placement.c and counts.c; the runtime's side is
   runtime/counting.c. */
#ifndef ATOMC_COUNTING_H
#define ATOMC_COUNTING_H

#include "engine/dataflow/frequency.h"
#include "engine/rewrite.h"

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
    uint32_t cell;
    int32_t amount;
    uint16_t event; /* one of the WANT_ bits */
};

struct byte_stream {
    uint8_t *bytes;
    size_t count, capacity;
};

/* What registers hold in a part of a procedure: a count, which is added to its cell where control leaves that
   part, and what the set's parent tells. Set 0: none. */
struct held_set {
    uint32_t parent; /* less than its own number */
    uint32_t cell;
    uint8_t reg;
    alpha_register_set registers; /* all of them */
};

struct counting {
    struct block_counts *blocks; /* NULL: nothing is derived */
    struct held_set *held;       /* promotion.c */
    uint32_t held_count, held_capacity;
    uint32_t *held_in;                     /* per block: the set */
    alpha_register_set promoted_registers; /* in any set */
    struct atomc_held *held_table;         /* of the copies */
    uint32_t held_table_count, held_table_capacity;
    uint16_t *facts; /* per block: enum block_fact */
    bool *observed;  /* per counter: its value matters while the program runs */
    uint8_t *locked; /* a bit per instruction: is_locked() */
    struct derived_update *updates;
    uint32_t update_count, update_capacity;
    uint64_t cells;               /* all, the values after the counters' own */
    struct byte_stream equations; /* runtime/interface.h */
    struct byte_stream stretches;
    /* The latest, from which the next one's numbers are told. */
    uint32_t last_address, last_node, last_cell, last_instruction;
    uint64_t counted;    /* events counted where they happen, statically, */
    uint64_t promoted;   /* ... in registers */
    uint64_t shared;     /* transfers that are not counted where they arrive */
    uint8_t *procedures; /* per procedure: something is counted in it */
    uint8_t *replaced;   /* per procedure: a routine is entered in its stead, and nothing is derived in it */
    bool threads;        /* the program may have some */
    alpha_register_set reserved; /* no count may be in one of these */
    bool open;           /* the latest stretch is of a procedure's code */
};

/* ---- flow.c: the flow of control of one procedure ---- */

/* Each block is an edge from its head to its end, so that a count of the block is a count of an edge. Node 0
   is what lies outside of the flow. */
enum { NODE_OUTSIDE = 0 };
static inline uint32_t head_node(uint32_t local_block) {
    return 1 + 2 * local_block;
}
static inline uint32_t end_node(uint32_t local_block) {
    return 2 + 2 * local_block;
}

enum flow_kind {
    FLOW_EXECUTED, /* through the block itself */
    FLOW_THROUGH,  /* falls into the block */
    FLOW_OUTSIDE,  /* enters the block from outside */
    FLOW_TAKEN,    /* the block's conditional branch is taken */
    FLOW_BRANCH,   /* the only way from one block to another: like the block's own edge */
    FLOW_AGAIN,    /* the same, by a transfer to an entry of its own procedure */
    FLOW_CALLED,   /* enters the block from others' blocks that are counted there (sharing.c) */
    FLOW_LEAK,     /* an unknown number of times, to or from outside: nothing can be derived across it */
};
struct flow_edge {
    uint32_t from, to; /* nodes */
    uint32_t block;    /* in the procedure, whose event it is */
    uint8_t kind;      /* enum flow_kind */
    bool wanted, tree, needed;
    bool known;       /* its value follows from what is counted anyway */
    uint32_t value;   /* its number among the procedure's values, NO_INDEX: none */
    uint64_t cost;    /* of counting it, by the static estimate */
    uint32_t next[2]; /* the next edge at .from and at .to */
};
struct flow {
    const struct rewrite *rewrite;
    const struct counting *counting;
    const struct procedure *procedure;
    uint32_t node_count, edge_count, edge_capacity;
    struct flow_edge *edges;
    uint32_t *first;          /* per node: an edge at it; then by edge.next */
    uint32_t *set;            /* per node: union-find */
    uint32_t *order, *parent; /* placement.c: nodes from the roots down, the edge that leads to each */
    uint32_t node_capacity;
    bool *entered; /* per block, for sharing.c */
    struct sharing *sharing;
    struct frequencies frequencies;
};
/* `.sharing` is set. */
void flow_build(struct flow *flow, const struct rewrite *rewrite, const struct counting *counting,
                uint32_t procedure);
void flow_free(struct flow *flow);
/* The edge along which the block is entered by transfers that their blocks' counts tell. */
void flow_add_called(struct flow *flow, uint32_t local_block);
/* May control enter the block otherwise than by branches and falls of its procedure? */
bool entered_from_outside(const struct program *program, uint32_t block);
/* Does the entry from outside lie in line, where the block before ends? */
bool outside_in_line(const struct program *program, uint32_t block);
/* Does control fall from the block into the next of its procedure? */
bool falls_through(const struct program *program, uint32_t block);
/* Can the events be counted where they happen? */
bool can_count_executed(const struct counting *counting, uint32_t block);
bool can_count_taken(const struct program *program, const struct counting *counting, uint32_t block);
bool can_count_outside(const struct program *program, const struct counting *counting, uint32_t block);

/* ---- sharing.c: entries that callers' counts tell ---- */

/* A transfer to a procedure's entry that is known when rewriting. */
struct shared_transfer {
    uint32_t block, target; /* blocks */
    uint32_t next;          /* of those to the target's procedure, NO_INDEX at the end */
    uint32_t cell;   /* the value that is how often .block is executed; NO_INDEX: it is not known yet, or
                        not at all */
    uint64_t weight; /* how often it is likely to be */
};
struct sharing {
    struct shared_transfer *transfers; /* by block */
    uint32_t count, capacity;
    uint32_t *first;    /* per procedure, and one more: its first transfer */
    uint32_t *incoming; /* per procedure: a transfer to it, then by .next */
    uint32_t *order;    /* procedures, callers before whom they call, as far as that can be */
    uint64_t *weight;   /* per procedure: how often it is likely to be entered */
    uint8_t *placed;    /* per procedure */
};
void sharing_find(struct sharing *sharing, const struct counting *counting, const struct rewrite *rewrite);
void sharing_free(struct sharing *sharing);
/* The block of its own procedure that the transfer at the block's end enters, NO_INDEX: none. */
uint32_t sharing_enters_again(const struct flow *flow, uint32_t block);
/* Adds the edges by which those placed before enter the procedure. */
void sharing_enter(struct flow *flow, uint32_t procedure);
/* Blocks whose executions are known anyway, and tell how often others are entered, are needed. */
void sharing_want(const struct flow *flow);
/* The procedure has been placed: its transfers' blocks have values, or not. */
void sharing_leave(const struct counting *counting, const struct flow *flow);
/* The transfers to the block that have values, one after the other; `transfer` NO_INDEX: the first. */
uint32_t sharing_next(const struct sharing *sharing, const struct flow *flow, uint32_t target,
                      uint32_t transfer);

/* ---- placement.c: where to count, and how the rest follows ---- */

/* Chooses what is counted in the procedure, numbers its values from counting.cells on and appends to the
   equations. `updates`: those derived in it, in the order of their instructions. */
void placement_choose(struct counting *counting, struct flow *flow, const struct derived_update *updates,
                      uint32_t update_count);

/* ---- promotion.c: counts that loops keep in registers ---- */

/* Chooses those of the procedure whose counts have been placed. */
void promotion_choose(struct counting *counting, const struct flow *flow);
/* A round of copying begins: none of the registers may be one that is kept everywhere. */
void promotion_start(struct rewrite *rewrite);
alpha_register_set held_registers(const struct rewrite *rewrite, uint32_t block);
/* Does control, going from one block to another, leave or enter a part with counts in registers? */
bool held_changes(const struct rewrite *rewrite, uint32_t from, uint32_t to);
/* Code for that. `live`: what else is live. */
void held_pass(struct rewrite *rewrite, uint32_t from, uint32_t to, alpha_register_set live);
/* From here on what follows is the block's; NO_INDEX: of none with counts in registers. */
void held_note(struct rewrite *rewrite, uint32_t block);
/* For the runtime. */
struct atomc_image;
void promotion_write(struct rewrite *rewrite, struct atomc_image *image);
/* The register in which the count is made in the block, or NO_INDEX: in memory. */
unsigned held_register(const struct rewrite *rewrite, uint32_t block, uint32_t cell);

/* ---- counting.c ---- */

/* Does the site's code stay in the copy, and call nothing? */
bool site_stays(const struct site *site);
/* Takes the updates that can be derived out of the rewrite's sites. `reserved`: registers that no count may be in. */
void counting_plan(struct rewrite *rewrite, alpha_register_set reserved);
void counting_free(struct counting *counting);
void stream_unsigned(struct byte_stream *stream, uint64_t value); /* LEB128 */
void stream_signed(struct byte_stream *stream, int64_t value);    /* zigzag */

/* ---- counts.c: counting in the copies ---- */

/* Nothing may be put before the instruction: it is in a load-locked/store-conditional sequence. */
static inline bool is_locked(const struct counting *counting, uint32_t instruction) {
    return counting->locked[instruction / 8] >> instruction % 8 & 1;
}
/* Registers that a count may take. */
static inline alpha_register_set count_registers(alpha_register_set live) {
    const alpha_register_set allowed = (UINT64_C(1) << ALPHA_SP) - 1 - (UINT64_C(1) << ALPHA_RA);
    return allowed & ~live;
}
struct copy;
/* The instruction of the block before which it is counted, NO_INDEX: it is not. `before`: the registers live
   before each of its instructions; `limit`: not behind this instruction. */
uint32_t count_slot(const struct rewrite *rewrite, uint32_t block, const alpha_register_set *before,
                    uint32_t limit);
/* Where a block begins: counts of falling in and of coming from outside, as far as they are in line. */
void count_arrivals(struct rewrite *rewrite, uint32_t block, alpha_register_set live);
void count_executed(struct rewrite *rewrite, uint32_t block, alpha_register_set live);
/* Is there something to count on the taken way of the block's branch, or to be done with counts in registers?
   It is done there, and stretch_untaken tells where that way is left again. */
bool counts_taken(const struct rewrite *rewrite, uint32_t block);
void count_taken(struct rewrite *rewrite, uint32_t block, uint32_t target);
/* The block ends with a branch there: counts in registers that end with it, or begin there. */
void count_leaving(struct rewrite *rewrite, uint32_t block, uint32_t target);
void stretch_untaken(struct rewrite *rewrite, uint32_t block);
/* The entries from outside that are not in line, behind the procedure. */
bool counts_entries(const struct rewrite *rewrite, uint32_t procedure);
void count_entries(struct rewrite *rewrite, uint32_t procedure);

/* How the transfer at the block's end enters a procedure: past the count of entries if the block's own count
   tells of it. */
enum fixup_kind entry_kind(const struct rewrite *rewrite, uint32_t from_block);
/* Do such transfers come to the block? */
bool is_shared(const struct rewrite *rewrite, uint32_t block);

/* Stretches of the copies, by which the runtime knows what has been counted where a signal arrives. */
void stretch_start(struct rewrite *rewrite); /* of a round */
void stretch_procedure(struct rewrite *rewrite, uint32_t procedure);
void stretch_body(struct rewrite *rewrite, uint32_t block, uint32_t slot);
void stretch_landing(struct rewrite *rewrite, uint32_t block, bool inside);

#endif
