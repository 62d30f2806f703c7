/* internal.h: a routine's machine code becomes a graph of values and a list of memory accesses without
   branches (lift.c); at a site, what is known there is filled in and folded (site.c), then the graph becomes
   instructions again, in registers that are free (lower.c, emit.c). */
#ifndef ATOMC_INLINE_INTERNAL_H
#define ATOMC_INLINE_INTERNAL_H

#include "engine/inline/inline.h"
#include "engine/routine/routine.h"

enum node_kind {
    NODE_CONSTANT, /* .number */
    NODE_ARGUMENT, /* of the routine: .number; in templates only */
    NODE_REGISTER, /* the program's register .number, 0-63 */
    NODE_VALUE,    /* what compute_value makes of the struct site_argument at .number */
    NODE_OPERATE,  /* .opcode, register form, of a and b */
    NODE_SELECT,   /* b if a passes the test .opcode (cmovne, cmovlt, cmovle, cmovlbs), else c */
    NODE_LOAD,     /* what access .number has loaded; .opcode is the access's */
    NODE_UNKNOWN,  /* what a register holds when the routine starts, besides arguments; .number */
};

/* An expression, which has no effects; the same expression is the same node. Operands come before it. */
struct node {
    uint8_t kind, zeros; /* zeros: so many of its lowest bits are known to be 0 */
    uint16_t opcode;
    uint32_t a, b, c;
    uint64_t number;
    uint64_t low, high; /* it is in this range, unsigned */
    uint32_t next;      /* in its hash chain */
};

enum access_kind {
    ACCESS_LOAD,
    ACCESS_STORE,
    ACCESS_BAIL_OUT, /* if the branch .opcode of .value goes, the routine itself has to be called */
    ACCESS_SKIP,     /* if the branch .opcode of .value goes, nothing more is done */
};

struct access {
    uint8_t kind;
    bool safe;        /* the address is good whatever the conditions that led here */
    uint16_t opcode;  /* ldq, stl, ldq_u ... */
    uint32_t address; /* nodes */
    uint32_t value;   /* stored; of a load, its NODE_LOAD */
    uint32_t origin;  /* the analysis image's instruction; NO_INDEX: none */
};

/* Why a routine is not inlined at its sites. */
enum inline_reason {
#define INLINE_REASON(id, text) INLINE_##id,
#include "engine/inline/inline_reasons.def"
#undef INLINE_REASON
    INLINE_REASON_COUNT
};

extern const char *const inline_reasons[INLINE_REASON_COUNT];

enum { GRAPH_BUCKETS = 256, MOST_NODES = 600, MOST_ACCESSES = 120 };

/* The same of a routine's graph, or at a site. */
struct slow_nodes {
    uint64_t entry;
    uint32_t count, nodes[REGISTER_ARGUMENTS]; /* NO_INDEX: none is passed */
};

struct graph {
    struct arena *arena;           /* set before anything is put into it */
    const struct rewrite *rewrite; /* for what the analysis image holds; NULL: nothing is known of memory */
    struct node *nodes;
    uint32_t node_count, load_count; /* load_count: numbers of NODE_LOAD given out */
    struct access *accesses;         /* in execution order */
    uint32_t access_count;
    uint32_t origin; /* of the accesses that are added */
    uint32_t buckets[GRAPH_BUCKETS];
    struct slow_nodes slow;
    struct slow_call slow_call; /* at a site: as far as it is known before registers are chosen */
    uint8_t failed;             /* enum inline_reason */
};

/* A condition: a node that passes a test, or does not. */
struct condition {
    uint16_t opcode; /* cmovne ... as in NODE_SELECT */
    bool negated;
    uint32_t node;
};

/* Copies values and accesses of one graph to another, or to itself: what was copied, and what takes the
   place of leaves, is in `map`, by node; NO_INDEX at first. */
struct graph_copy {
    const struct graph *from;
    struct graph *to;
    uint32_t *map;
};

/* What a routine adds to a variable at each call: sums.c. */
struct template_sum {
    uint64_t address;
    uint32_t sum;      /* index into inliner.sums */
    uint32_t argument; /* its number, whose value is added; NO_INDEX: .amount */
    int64_t amount;
};

/* A routine as a graph of its arguments. */
struct template {
    struct template_sum sums[MOST_SUMS];
    uint32_t sum_count;
    struct graph graph;
    struct graph skipping;          /* the same with a branch around what its last condition decides about */
    uint8_t reason;                 /* enum inline_reason: INLINE_NONE if it can be inlined */
    bool bails_out;                 /* it has an ACCESS_BAIL_OUT */
    uint32_t *lifted, lifted_count; /* blocks of the analysis image that are not slow paths */
    uint8_t *used_slowly;           /* nodes whose values slow paths use */
    bool skips;                     /* .skipping is there */
};

/* What a rewrite needs to put routines in. */
struct inliner {
    bool aligned_stack;         /* nothing in the program moves $30 by what is no multiple of 16 */
    bool *fixed_gp;             /* per procedure: $29 is nothing but its gp after the ldgp */
    struct template *templates; /* per routine of the plan */
    uint32_t template_count;
    struct graph graph; /* of the sites at hand */
    uint32_t map[MOST_NODES];
    struct steps steps[MOST_PIECES]; /* of the pieces at a point: insertion.c */
    struct atomc_sum sums[MOST_SUMS];
    struct atomc_sum
        taken_back[MOST_SUMS]; /* of the same variables, where slow paths are taken; .address 0: none */
    uint32_t sum_count;
    uint64_t cells_before; /* sums.c: in all */
    bool may_exit;         /* sums.c: the tool's C may end the program */
    uint64_t *passing;     /* addresses of cells that only pass values on: inline/passing.c */
    uint32_t passing_count;
    FILE *kept_sites; /* sums.c: as they were; NULL: none of them was changed */
    uint32_t site_count_before;
    uint64_t sums_taken_out;
    bool sums_undone;
};

/* What needs so few registers always finds them. */
enum { MOST_SURE_REGISTERS = 12 };

enum { MOST_BLOCKS_LIFTED = 64, MOST_SLOTS = 32, EXIT = 64, AGAIN = 65 };

/* The part of a routine that can be lifted; blocks numbered as they are found, sets of them as bits. */
struct lift {
    const struct program *program;
    struct graph *graph;
    uint32_t first;                      /* instruction */
    uint32_t blocks[MOST_BLOCKS_LIFTED]; /* indices into program->blocks */
    uint8_t next[MOST_BLOCKS_LIFTED];    /* where it falls or branches to; EXIT; AGAIN: back into a loop */
    uint8_t taken[MOST_BLOCKS_LIFTED];   /* the taken way of a conditional branch; else = next */
    uint64_t successors[MOST_BLOCKS_LIFTED], slow; /* slow: those that lead to nothing but a call */
    uint8_t join[MOST_BLOCKS_LIFTED];              /* where the ways of a branch meet again, or EXIT */
    uint8_t reasons[MOST_BLOCKS_LIFTED];           /* why a block cannot be lifted, or INLINE_NONE */
    uint32_t count;
    bool bails_out;
    bool skips; /* where one way of the last branch does nothing, what the other does stands after a branch */
    bool has_skipped;                /* there was such a branch */
    unsigned depth;                  /* of branches whose ways are being executed */
    uint64_t heads;                  /* of loops that are not lifted */
    bool no_searches;                /* all loops are cut at their heads */
    uint8_t used_slowly[MOST_NODES]; /* values that slow paths use as they have been computed before them */
};

/* ---- graph.c ---- */

void graph_clear(struct graph *graph);
uint32_t graph_constant(struct graph *graph, uint64_t number);
uint32_t graph_leaf(struct graph *graph, enum node_kind kind, uint64_t number);
uint32_t graph_add(struct graph *graph, struct node node); /* not folded */
void graph_fail(struct graph *graph, enum inline_reason reason);
/* Range and zeros of a NODE_OPERATE, from its operands. */
void node_find_facts(const struct graph *graph, struct node *node);

/* ---- fold.c ---- */

uint32_t graph_operate(struct graph *graph, enum alpha_opcode opcode, uint32_t a, uint32_t b);
/* What has the same low 32 bits, at less cost: sums need not be brought down to 32 bits. */
uint32_t graph_low_half(struct graph *graph, uint32_t node);

/* ---- choose.c ---- */

uint32_t graph_select(struct graph *graph, struct condition condition, uint32_t yes, uint32_t no);
/* The condition under which a conditional branch or move of this opcode goes, simplified. */
struct condition graph_condition(struct graph *graph, enum alpha_opcode opcode, uint32_t node);
bool graph_is_settled(const struct graph *graph, struct condition condition, bool *holds);
uint32_t graph_boolean(struct graph *graph, struct condition condition); /* 0 or 1 */

/* ---- memory.c ---- */

uint32_t graph_load(struct graph *graph, enum alpha_opcode opcode, uint32_t address);
void graph_store(struct graph *graph, enum alpha_opcode opcode, uint32_t address, uint32_t value);
void graph_bail_out(struct graph *graph, struct condition where);
/* False if nothing after it is ever done. */
bool graph_skip(struct graph *graph, struct condition unless);
uint32_t graph_copy_node(struct graph_copy *copy, uint32_t node);
bool graph_copy_access(struct graph_copy *copy, struct access access); /* false: the others are never made */
/* Removes stores that others overwrite unseen. */
void graph_drop_dead_stores(struct graph *graph);
/* What happened after the first `before` accesses, on the two ways that a branch went, becomes one sequence:
   the accesses from `before` to `between` are made if the condition holds, the rest if not. The nodes in
   `pairs`, values on one way and the other, become one each: in the first place. */
void graph_merge(struct graph *graph, struct condition condition, uint32_t before, uint32_t between,
                 uint32_t (*pairs)[2], uint32_t pair_count);
/* Moves stores after the last leave: the routine called then starts anew. False if they cannot be moved. */
bool graph_bail_out_first(struct graph *graph);

/* ---- lift.c ---- */

void template_make(struct template *template, const struct rewrite *rewrite, uint64_t address);

/* ---- lower.c ---- */

/* The graph's accesses and all that they need as steps. Registers in `fetched` cannot be read where they are.
   False if that is too much. */
bool steps_make(struct steps *steps, struct graph *graph, alpha_register_set fetched);

/* ---- lock.c ---- */

/* Does all that is read lie in variables that are read without the lock, and is nothing stored? */
bool only_looks(const struct rewrite *rewrite, const struct graph *graph);
/* Chooses where to take the lock; steps before that are not those that it is needed for. */
void lock_place(struct steps *steps);
/* Code for that, in two registers. */
void lock_take(struct rewrite *rewrite, unsigned base, unsigned owner, struct open_branches *branches);

/* ---- site.c ---- */

/* Is what the site's routine does to the variable made by another site? */
bool sum_is_taken_out(const struct inliner *inliner, const struct site *site, uint64_t address);
/* The same of an access of the routine's graph, whose sums other sites may make. */
bool inline_is_elsewhere(const struct rewrite *rewrite, const struct site *call, const struct graph *routine,
                         const struct access *access);
/* What the call does is added to the inliner's graph, with the values at the context's instruction. */
void graph_add_call(struct rewrite *rewrite, const struct site *call, const struct call_context *context);
/* Is one of the routine's sums at the address? */
bool template_adds_to(const struct template *template, uint64_t address);

/* ---- passing.c ---- */

/* Finds the counters that hold nothing from one statement to the next. */
void passing_find(struct inliner *inliner, struct rewrite *rewrite);
/* Of whole groups: their values need no memory. */
void passing_drop_stores(const struct inliner *inliner, struct graph *graph);

/* ---- flow.c ---- */

/* Finds the blocks and what is to be known of them; false, and the graph has failed, if nothing can be
 * lifted. */
bool find_flow(struct lift *lift);
/* Why an instruction is in no inlined code. */
enum inline_reason reason_against(uint32_t word);
/* Does the way lead to a call, into a loop, or to what cannot be lifted? */
bool is_slow(const struct lift *lift, uint8_t block);
/* Is nothing done from there on but to return? */
bool only_returns(const struct lift *lift, uint8_t block);
alpha_register_set read_on_slow_path(const struct lift *lift, uint8_t slow);
alpha_register_set read_from_block(const struct program *program, uint32_t block);
/* True if it is a loop, or the few instructions that prepare for it. Then what branches there asks whether it
 * runs at all. */
bool leads_into_loop(const struct lift *lift, uint8_t block);

static inline bool node_is_constant(const struct graph *graph, uint32_t node, uint64_t *number) {
    *number = graph->nodes[node].number;
    return graph->nodes[node].kind == NODE_CONSTANT;
}

static inline bool is(const struct graph *graph, uint32_t node, enum alpha_opcode opcode) {
    return graph->nodes[node].kind == NODE_OPERATE && graph->nodes[node].opcode == opcode;
}

static inline bool is_number(const struct graph *graph, uint32_t node, uint64_t number) {
    return graph->nodes[node].kind == NODE_CONSTANT && graph->nodes[node].number == number;
}

static inline bool is_boolean(const struct graph *graph, uint32_t node) {
    return graph->nodes[node].high <= 1;
}

static inline uint64_t all_below(uint64_t number) { /* the least 2^n - 1 that is not less */
    return number ? UINT64_MAX >> __builtin_clzll(number) : 0;
}

static inline uint8_t least(unsigned a, unsigned b) {
    return (uint8_t)(a < b ? a : b);
}

static inline uint32_t with_number(struct graph *graph, enum alpha_opcode opcode, uint32_t a,
                                   uint64_t number) {
    return graph_operate(graph, opcode, a, graph_constant(graph, number));
}

#endif
