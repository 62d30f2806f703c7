/* internal.h: the flow of counts in one procedure, on its way through flow.c, sharing.c, placement.c,
   effects.c and promotion.c. */
#ifndef ATOMC_COUNT_INTERNAL_H
#define ATOMC_COUNT_INTERNAL_H

#include "engine/count/counting.h"
#include "engine/dataflow/dataflow.h"

/* Each block is an edge from its head to its end, so that a count of the block is a count of an edge. Node
   0 is everything outside of the flow. */
enum { NODE_OUTSIDE = 0 };

enum flow_kind {
    FLOW_EXECUTED, /* through the block itself */
    FLOW_THROUGH,  /* falls into the block */
    FLOW_OUTSIDE,  /* enters the block from outside */
    FLOW_TAKEN,    /* the block's conditional branch is taken */
    FLOW_BRANCH,   /* the only way from one block to another: equal to the block's own edge */
    FLOW_AGAIN,    /* the same, by a transfer to an entry of its own procedure */
    FLOW_CALLED,   /* enters the block from other procedures' blocks, where it is counted (sharing.c) */
    FLOW_LEAK,     /* to or from outside, an unknown number of times: no value can be derived across it */
};

struct flow_edge {
    uint32_t from, to; /* nodes */
    uint32_t block;    /* the block of the procedure that has the event */
    uint8_t kind;      /* enum flow_kind */
    bool wanted, tree, needed;
    bool known; /* its value follows from counts that are made anyway */
    /* its number among the procedure's values, counted values first; NO_INDEX if it has none */
    uint32_t value;
    uint64_t cost;    /* the estimated cost of counting it */
    uint32_t next[2]; /* the next edge at .from and at .to */
};

struct flow {
    const struct rewrite *rewrite;
    const struct counting *counting;
    const struct procedure *procedure;
    struct arena *arena; /* the program's scratch arena, which holds all of this */
    uint32_t node_count, edge_count, edge_capacity;
    struct flow_edge *edges;
    uint32_t *first;          /* per node: its first edge; the next edges by edge.next */
    uint32_t *set;            /* per node: union-find */
    uint32_t *order, *parent; /* placement.c: nodes from the roots down, and the edge that leads to each */
    bool *entered;            /* per block, for sharing.c */
    struct sharing *sharing;
    struct frequencies frequencies;
};

/* A transfer to a procedure's entry that is known statically. */
struct shared_transfer {
    uint32_t block, target; /* blocks */
    uint32_t next;          /* the next transfer to the same procedure, or NO_INDEX */
    /* the number of the value of .block's executions; NO_INDEX if it is not known yet, or not at all */
    uint32_t value;
    /* the effects of that value, and of values that replace it: the first place that holds the number of
       the target's value, or NO_INDEX */
    uint32_t effect;
    uint64_t weight; /* how often it is likely to happen */
};

struct shared_place {
    uint32_t place, next; /* position in the stream of effects; the next one of the same transfer */
};

struct sharing {
    struct arena *arena; /* of .places */
    struct shared_place *places;
    uint32_t place_count, place_capacity;
    struct shared_transfer *transfers; /* by block */
    uint32_t count, capacity;
    uint32_t *first;    /* per procedure, plus one: its first transfer */
    uint32_t *incoming; /* per procedure: the first transfer to it; the next transfers by .next */
    uint32_t *order;    /* procedures, callers before callees as far as possible */
    uint64_t *weight;   /* per procedure: an estimate of its entries */
    uint8_t *placed;    /* per procedure */
};

/* ---- flow.c ---- */

/* `.sharing` and `.arena` are set. */
void flow_build(struct flow *flow, const struct rewrite *rewrite, const struct counting *counting,
                uint32_t procedure);

/* ---- events.c ---- */

/* True if the events can be counted in place. */
bool can_count_executed(const struct counting *counting, uint32_t block);
bool can_count_taken(const struct program *program, const struct counting *counting, uint32_t block);
bool can_count_outside(const struct program *program, const struct counting *counting, uint32_t block);
/* The target of the block's conditional branch; NO_INDEX if it has none. */
uint32_t taken_target(const struct program *program, uint32_t block);

/* ---- sharing.c ---- */

/* Its results are in the program's scratch arena. */
void sharing_find(struct sharing *sharing, const struct counting *counting, const struct rewrite *rewrite);
/* The block of its own procedure that the transfer at the block's end enters, or NO_INDEX. */
uint32_t sharing_enters_again(const struct flow *flow, uint32_t block);
/* Lists the blocks of the procedure, by their numbers in it, that already placed procedures enter, each
   once; returns how many. `called` has room for all blocks. */
uint32_t sharing_enter(struct flow *flow, uint32_t procedure, uint32_t *called);
/* Marks as needed the blocks whose executions are counted or derived in any case, and determine the number of
   entries elsewhere. */
void sharing_want(const struct flow *flow);
/* The procedure has been placed: assigns values to its transfers' blocks, if they have any. */
void sharing_leave(const struct flow *flow);
/* The next transfer to the block that has a value, after `transfer`; NO_INDEX: the first. */
uint32_t sharing_next(const struct sharing *sharing, const struct flow *flow, uint32_t target,
                      uint32_t transfer);

/* ---- placement.c ---- */

/* Chooses which events of the procedure are counted, numbers its values and writes their effects.
   `updates`: the updates derived in it, in the order of their instructions. */
void placement_choose(struct counting *counting, struct flow *flow, const struct derived_update *updates,
                      uint32_t update_count);
/* The next edge at the node after `edge`; NO_INDEX: the first. */
uint32_t flow_next(const struct flow *flow, uint32_t node, uint32_t edge);
/* The next edge, after `edge`, whose value is part of the event's count: control arrives from outside along
   several. */
uint32_t flow_next_counting(const struct flow *flow, const struct derived_update *update, uint32_t edge);

/* ---- effects.c ---- */

/* Writes the effects of the procedure's values at the end of the program. `equations`: derived values follow
   from other values of the procedure. */
void effects_write(struct counting *counting, const struct flow *flow, uint32_t counted, uint32_t derived,
                   bool equations, const struct derived_update *updates, uint32_t update_count);
/* Sets the number, among all values, of the derived value that the transfer's effects change. */
void effects_tell(struct counting *counting, const struct sharing *sharing, uint32_t transfer,
                  uint32_t value);

/* ---- promotion.c ---- */

/* Chooses the counts of the procedure that are made in registers; they have been placed. */
void promotion_choose(struct counting *counting, const struct flow *flow);

static inline uint32_t head_node(uint32_t local_block) {
    return 1 + 2 * local_block;
}

static inline uint32_t end_node(uint32_t local_block) {
    return 2 + 2 * local_block;
}

#endif
