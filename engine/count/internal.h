/* internal.h: the flow of counts in one procedure, on its way through flow.c, sharing.c, placement.c,
   effects.c and promotion.c. */
#ifndef ATOMC_COUNT_INTERNAL_H
#define ATOMC_COUNT_INTERNAL_H

#include "engine/count/counting.h"
#include "engine/dataflow/dataflow.h"

/* Each block is an edge from its head to its end, so that a count of the block is a count of an edge. Node 0
   is what lies outside of the flow. */
enum { NODE_OUTSIDE = 0 };

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
    uint32_t value;   /* its number among the procedure's values, those counted first; NO_INDEX: none */
    uint64_t cost;    /* of counting it, by the static estimate */
    uint32_t next[2]; /* the next edge at .from and at .to */
};

struct flow {
    const struct rewrite *rewrite;
    const struct counting *counting;
    const struct procedure *procedure;
    struct arena *arena; /* the program's scratch one, which has all of it */
    uint32_t node_count, edge_count, edge_capacity;
    struct flow_edge *edges;
    uint32_t *first;          /* per node: an edge at it; then by edge.next */
    uint32_t *set;            /* per node: union-find */
    uint32_t *order, *parent; /* placement.c: nodes from the roots down, the edge that leads to each */
    bool *entered;            /* per block, for sharing.c */
    struct sharing *sharing;
    struct frequencies frequencies;
};

/* A transfer to a procedure's entry that is known when rewriting. */
struct shared_transfer {
    uint32_t block, target; /* blocks */
    uint32_t next;          /* of those to the target's procedure, NO_INDEX at the end */
    uint32_t value;  /* how often .block is executed, among its procedure's values; NO_INDEX: it is not known
                        yet, or not at all */
    uint32_t effect; /* of that value, and of others instead of it: the first of the places where the value of
                        the target that they change is told, NO_INDEX: none */
    uint64_t weight; /* how often it is likely to be */
};

struct shared_place {
    uint32_t place, next; /* in the stream of effects; of the same transfer */
};

struct sharing {
    struct arena *arena; /* of .places */
    struct shared_place *places;
    uint32_t place_count, place_capacity;
    struct shared_transfer *transfers; /* by block */
    uint32_t count, capacity;
    uint32_t *first;    /* per procedure, and one more: its first transfer */
    uint32_t *incoming; /* per procedure: a transfer to it, then by .next */
    uint32_t *order;    /* procedures, callers before whom they call, as far as that can be */
    uint64_t *weight;   /* per procedure: how often it is likely to be entered */
    uint8_t *placed;    /* per procedure */
};

/* ---- flow.c ---- */

/* `.sharing` and `.arena` are set. */
void flow_build(struct flow *flow, const struct rewrite *rewrite, const struct counting *counting,
                uint32_t procedure);

/* ---- events.c ---- */

/* Can the events be counted where they happen? */
bool can_count_executed(const struct counting *counting, uint32_t block);
bool can_count_taken(const struct program *program, const struct counting *counting, uint32_t block);
bool can_count_outside(const struct program *program, const struct counting *counting, uint32_t block);
/* Where the block's conditional branch goes, NO_INDEX: it has none. */
uint32_t taken_target(const struct program *program, uint32_t block);

/* ---- sharing.c ---- */

/* What it finds is in the program's scratch arena. */
void sharing_find(struct sharing *sharing, const struct counting *counting, const struct rewrite *rewrite);
/* The block of its own procedure that the transfer at the block's end enters, NO_INDEX: none. */
uint32_t sharing_enters_again(const struct flow *flow, uint32_t block);
/* The blocks of the procedure, by their numbers in it, that those placed before enter, each once: how many.
   `called` has room for all. */
uint32_t sharing_enter(struct flow *flow, uint32_t procedure, uint32_t *called);
/* Blocks whose executions are known anyway, and tell how often others are entered, are needed. */
void sharing_want(const struct flow *flow);
/* The procedure has been placed: its transfers' blocks have values, or not. */
void sharing_leave(const struct flow *flow);
/* The transfers to the block that have values, one after the other; `transfer` NO_INDEX: the first. */
uint32_t sharing_next(const struct sharing *sharing, const struct flow *flow, uint32_t target,
                      uint32_t transfer);

/* ---- placement.c ---- */

/* Chooses what is counted in the procedure, numbers its values and writes their effects. `updates`: those
   derived in it, in the order of their instructions. */
void placement_choose(struct counting *counting, struct flow *flow, const struct derived_update *updates,
                      uint32_t update_count);
/* The next edge at the node after `edge`; `edge` NO_INDEX: the first. */
uint32_t flow_next(const struct flow *flow, uint32_t node, uint32_t edge);
/* The edges whose values are the event's count, one after the other: control comes from outside along
   several. */
uint32_t flow_next_counting(const struct flow *flow, const struct derived_update *update, uint32_t edge);

/* ---- effects.c ---- */

/* Writes what becomes of the procedure's values when the program has ended. `equations`: derived values
   follow from others of the procedure. */
void effects_write(struct counting *counting, const struct flow *flow, uint32_t counted, uint32_t derived,
                   bool equations, const struct derived_update *updates, uint32_t update_count);
/* The effects of a transfer are on the derived value, of all. */
void effects_tell(struct counting *counting, const struct sharing *sharing, uint32_t transfer,
                  uint32_t value);

/* ---- promotion.c ---- */

/* Chooses those of the procedure whose counts have been placed. */
void promotion_choose(struct counting *counting, const struct flow *flow);

static inline uint32_t head_node(uint32_t local_block) {
    return 1 + 2 * local_block;
}

static inline uint32_t end_node(uint32_t local_block) {
    return 2 + 2 * local_block;
}

#endif
