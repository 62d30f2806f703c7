/* internal.h: lift.c turns a routine's machine code into a graph of values and a list of memory accesses
   without branches; site.c fills in and folds the values known at a site; lower.c and emit.c turn the graph
   into instructions again, in free registers. */
#ifndef ATOMC_INLINE_INTERNAL_H
#define ATOMC_INLINE_INTERNAL_H

#include "codegen/operators.h"
#include "engine/inline/inline.h"
#include "engine/routine/routine.h"

enum node_kind {
    NODE_CONSTANT, /* .number */
    NODE_ARGUMENT, /* argument .number of the routine; in templates only */
    NODE_REGISTER, /* the program's register .number, 0-63 */
    NODE_VALUE,    /* the result of compute_value for the struct site_argument at .number */
    NODE_OPERATE,  /* a .operation b: enum integer_operator */
    NODE_SELECT,   /* b if .operation, an enum branch_condition as in struct condition, holds for a; else c */
    NODE_LOAD,     /* the value loaded by access .number; .operation: the form of the access */
    NODE_UNKNOWN,  /* the value of register .number when the routine starts, if it is not an argument */
};

/* An expression without side effects; equal expressions are one node. Operands precede their users. */
struct node {
    uint8_t kind, zeros; /* zeros: the number of its lowest bits that are known to be 0 */
    uint16_t operation;
    uint32_t a, b, c;
    uint64_t number;
    uint64_t low, high; /* unsigned range of its value */
    uint32_t next;      /* next in its hash chain */
};

/* A load or a store, by the bytes it moves. Loads of bytes and words extend with zeros, loads of ints with
   the sign. */
enum access_form {
    FORM_BYTE = 1,
    FORM_WORD = 2,
    FORM_INT = 4,
    FORM_QUAD = 8,
    FORM_ROUNDED_QUAD = 8 | 16, /* of the quadword around the address: its three lowest bits are ignored */
};

static inline unsigned form_size(uint16_t form) {
    return form & 15;
}

enum access_kind {
    ACCESS_LOAD,
    ACCESS_STORE,
    ACCESS_BAIL_OUT, /* if the condition .operation holds for .value, the routine itself has to be called */
    ACCESS_SKIP,     /* if the condition .operation holds for .value, nothing more is done */
};

struct access {
    uint8_t kind;
    bool safe;          /* the address is valid even if the conditions that led here do not hold */
    uint16_t operation; /* enum access_form of a load or store; else enum branch_condition */
    uint32_t address;   /* nodes */
    uint32_t value;     /* the stored value; of a load, its NODE_LOAD */
    uint32_t origin;    /* the instruction of the analysis image; NO_INDEX: none */
};

/* The reason why a routine is not inlined at its sites. */
enum inline_reason {
#define INLINE_REASON(id, text) INLINE_##id,
#include "engine/inline/inline_reasons.def"
#undef INLINE_REASON
    INLINE_REASON_COUNT
};

extern const char *const inline_reasons[INLINE_REASON_COUNT];

enum { GRAPH_BUCKETS = 256, MOST_NODES = 600, MOST_ACCESSES = 120 };

/* The slow call of a routine's graph, or of a site. */
struct slow_nodes {
    uint64_t entry;
    uint32_t count, nodes[REGISTER_ARGUMENTS]; /* NO_INDEX: not passed */
};

struct graph {
    struct arena *arena;           /* set before any node is added */
    const struct rewrite *rewrite; /* for the analysis image's contents; NULL: nothing is known of memory */
    const struct machine *machine; /* for which it is lowered */
    struct node *nodes;
    uint32_t node_count, load_count; /* load_count: the number of NODE_LOADs */
    struct access *accesses;         /* in execution order */
    uint32_t access_count;
    uint32_t origin; /* for accesses that are added from now on */
    uint32_t buckets[GRAPH_BUCKETS];
    struct slow_nodes slow;
    struct slow_call slow_call; /* at a site: its known parts, before registers are chosen */
    uint8_t failed;             /* enum inline_reason */
};

/* A condition: a node passes a test, or does not pass it. */
struct condition {
    uint8_t test; /* enum branch_condition: nonzero, negative, not positive or odd */
    bool negated;
    uint32_t node;
};

/* Copies values and accesses of one graph to another, or to itself. `map`: by node, the copy, or the
   replacement of a leaf; NO_INDEX at first. */
struct graph_copy {
    const struct graph *from;
    struct graph *to;
    uint32_t *map;
};

/* An amount that a routine adds to a variable at each call: sums.c. */
struct template_sum {
    uint64_t address;
    uint32_t sum;      /* index into inliner.sums */
    uint32_t argument; /* the number of the argument that is added; NO_INDEX: .amount */
    int64_t amount;
};

/* A routine as a graph of its arguments. */
struct template {
    struct template_sum sums[MOST_SUMS];
    uint32_t sum_count;
    struct graph graph;
    /* the same with a branch around the code that its last condition guards */
    struct graph skipping;
    uint8_t reason;                 /* enum inline_reason: INLINE_NONE if it can be inlined */
    bool bails_out;                 /* it has an ACCESS_BAIL_OUT */
    uint32_t *lifted, lifted_count; /* blocks of the analysis image that are not on slow paths */
    uint8_t *used_slowly;           /* nodes whose values slow paths use */
    bool skips;                     /* .skipping is valid */
};

/* The state of inlining in a rewrite. */
struct inliner {
    /* no instruction of the program changes the stack pointer by anything but a multiple of 16 */
    bool aligned_stack;
    bool *fixed_gp;             /* per procedure: after its prologue, the data base is fixed */
    struct template *templates; /* per routine of the plan */
    uint32_t template_count;
    struct graph graph; /* of the current sites */
    uint32_t map[MOST_NODES];
    struct steps steps[MOST_PIECES]; /* of the pieces at a point: insertion.c */
    struct atomc_sum sums[MOST_SUMS];
    struct atomc_sum
        /* cells that undo the same sums where slow paths are taken; .address 0: none */
        taken_back[MOST_SUMS];
    uint32_t sum_count;
    uint64_t cells_before; /* sums.c: the number of cells before */
    bool may_exit;         /* sums.c: the tool's C may end the program */
    uint64_t *passing;     /* addresses of cells that only pass values on: inline/passing.c */
    uint32_t passing_count;
    FILE *kept_sites; /* sums.c: a copy of the sites before the change; NULL: no site was changed */
    uint32_t site_count_before;
    uint64_t sums_taken_out;
    bool sums_undone;
};

/* By the calling standards, the stack pointer is a multiple of it. */
enum { STACK_ALIGNMENT = 16 };
/* Steps that need at most this many registers always find them. */
enum { MOST_SURE_REGISTERS = 12 };

enum { MOST_BLOCKS_LIFTED = 64, MOST_SLOTS = 32, EXIT = 64, AGAIN = 65 };

/* The part of a routine that can be lifted; its blocks have numbers, and sets of them are bit sets. */
struct lift {
    const struct program *program;
    struct graph *graph;
    uint32_t first;                      /* instruction */
    uint32_t blocks[MOST_BLOCKS_LIFTED]; /* indices into program->blocks */
    /* its successor without a branch taken; EXIT; AGAIN: back into a loop */
    uint8_t next[MOST_BLOCKS_LIFTED];
    uint8_t taken[MOST_BLOCKS_LIFTED]; /* the taken successor of a conditional branch; else equal to next */
    uint64_t successors[MOST_BLOCKS_LIFTED], slow; /* slow: blocks that lead only to a call */
    uint8_t join[MOST_BLOCKS_LIFTED];              /* where the paths of a branch join, or EXIT */
    uint8_t reasons[MOST_BLOCKS_LIFTED];           /* why a block cannot be lifted, or INLINE_NONE */
    uint32_t count;
    bool bails_out;
    bool skips; /* if one path of the last branch has no effect, the code of the other follows a branch */
    bool has_skipped;                /* there was such a branch */
    unsigned depth;                  /* nesting of branches whose paths are being executed */
    uint64_t heads;                  /* heads of loops that are not lifted */
    bool no_searches;                /* all loops are cut at their heads */
    uint8_t used_slowly[MOST_NODES]; /* values computed before slow paths that these use */
};

/* ---- graph.c ---- */

void graph_clear(struct graph *graph);
uint32_t graph_constant(struct graph *graph, uint64_t number);
uint32_t graph_leaf(struct graph *graph, enum node_kind kind, uint64_t number);
uint32_t graph_add(struct graph *graph, struct node node); /* without folding */
void graph_fail(struct graph *graph, enum inline_reason reason);
/* Computes range and zeros of a NODE_OPERATE from its operands. */
void node_find_facts(const struct graph *graph, struct node *node);

/* ---- fold.c ---- */

uint32_t graph_operate(struct graph *graph, enum integer_operator operation, uint32_t a, uint32_t b);
/* A cheaper node with the same low 32 bits: sums need no narrowing to 32 bits. */
uint32_t graph_low_half(struct graph *graph, uint32_t node);

/* ---- choose.c ---- */

uint32_t graph_select(struct graph *graph, struct condition condition, uint32_t yes, uint32_t no);
/* The condition that the test holds for the node, simplified. */
struct condition graph_condition(struct graph *graph, enum branch_condition test, uint32_t node);
bool graph_is_settled(const struct graph *graph, struct condition condition, bool *holds);
uint32_t graph_boolean(struct graph *graph, struct condition condition); /* a node with value 0 or 1 */

/* ---- memory.c ---- */

uint32_t graph_load(struct graph *graph, enum access_form form, uint32_t address);
void graph_store(struct graph *graph, enum access_form form, uint32_t address, uint32_t value);
void graph_bail_out(struct graph *graph, struct condition where);
/* Returns false if the accesses after it are never made. */
bool graph_skip(struct graph *graph, struct condition unless);
uint32_t graph_copy_node(struct graph_copy *copy, uint32_t node);
/* false: the accesses after it are never made */
bool graph_copy_access(struct graph_copy *copy, struct access access);
/* Removes stores that are overwritten before anything reads them. */
void graph_drop_dead_stores(struct graph *graph);
/* Merges the accesses made on the two paths of a branch after the first `before` accesses into one sequence.
   The accesses from `before` to `between` are made if the condition holds, the rest if not. Each pair in
   `pairs`, with the values on one path and the other, becomes one node: in the first element. */
void graph_merge(struct graph *graph, struct condition condition, uint32_t before, uint32_t between,
                 uint32_t (*pairs)[2], uint32_t pair_count);
/* Moves stores after the last bail-out, because the routine that is called then starts from its beginning.
   Returns false if they cannot be moved. */
bool graph_bail_out_first(struct graph *graph);

/* ---- lift.c ---- */

void template_make(struct template *template, const struct rewrite *rewrite, uint64_t address);

/* ---- lower.c ---- */

/* Turns the graph's accesses, and all nodes that they need, into steps. Registers in `fetched` cannot be
   read in place. Returns false if there are too many. */
bool steps_make(struct steps *steps, struct graph *graph, register_set fetched);

/* ---- lock.c ---- */

/* True if all read variables may be read without the lock, and no variable is stored to. */
bool only_looks(const struct rewrite *rewrite, const struct graph *graph);
/* Chooses the step at which the lock is taken: the steps before do not need it. */
void lock_place(struct steps *steps);
/* Takes the lock, using two registers. */
void lock_take(struct rewrite *rewrite, unsigned base, unsigned owner, struct open_branches *branches);

/* ---- site.c ---- */

/* True if another site makes the routine's update of the variable. */
bool sum_is_taken_out(const struct inliner *inliner, const struct site *site, uint64_t address);
/* The same for an access of the routine's graph, whose sums other sites may make. */
bool inline_is_elsewhere(const struct rewrite *rewrite, const struct site *call, const struct graph *routine,
                         const struct access *access);
/* Adds the call's operations to the inliner's graph, with the values at the context's instruction. */
void graph_add_call(struct rewrite *rewrite, const struct site *call, const struct call_context *context);
/* True if one of the routine's sums is at the address. */
bool template_adds_to(const struct template *template, uint64_t address);

/* ---- passing.c ---- */

/* Finds the counters whose values are not used after the statement. */
void passing_find(struct inliner *inliner, struct rewrite *rewrite);
/* Drops stores to such cells for whole groups: their values need no memory. */
void passing_drop_stores(const struct inliner *inliner, struct graph *graph);

/* ---- flow.c ---- */

/* Finds the blocks and their properties; returns false, with the graph marked as failed, if no block can be
   lifted. */
bool find_flow(struct lift *lift);
/* The enum access_form of a load or store of one integer register; 0 for other instructions. */
uint16_t form_of_access(const struct facts *facts);
/* Why an instruction cannot be in inlined code. */
enum inline_reason reason_against(const struct program *program, uint32_t instruction);
/* True if the path leads to a call, into a loop, or to a block that cannot be lifted. */
bool is_slow(const struct lift *lift, uint8_t block);
/* True if from there on the routine only returns. */
bool only_returns(const struct lift *lift, uint8_t block);
register_set read_on_slow_path(const struct lift *lift, uint8_t slow);
register_set read_from_block(const struct program *program, uint32_t block);
/* True for a loop, or the few instructions that prepare it. Then a branch to it tests whether the loop runs
   at all. */
bool leads_into_loop(const struct lift *lift, uint8_t block);

static inline bool node_is_constant(const struct graph *graph, uint32_t node, uint64_t *number) {
    *number = graph->nodes[node].number;
    return graph->nodes[node].kind == NODE_CONSTANT;
}

static inline bool is(const struct graph *graph, uint32_t node, enum integer_operator operation) {
    return graph->nodes[node].kind == NODE_OPERATE && graph->nodes[node].operation == operation;
}

static inline bool is_number(const struct graph *graph, uint32_t node, uint64_t number) {
    return graph->nodes[node].kind == NODE_CONSTANT && graph->nodes[node].number == number;
}

static inline bool is_boolean(const struct graph *graph, uint32_t node) {
    return graph->nodes[node].high <= 1;
}

static inline uint64_t all_below(uint64_t number) { /* the least 2^n - 1 that is >= the number */
    return number ? UINT64_MAX >> __builtin_clzll(number) : 0;
}

static inline uint8_t least(unsigned a, unsigned b) {
    return (uint8_t)(a < b ? a : b);
}

static inline uint32_t with_number(struct graph *graph, enum integer_operator operation, uint32_t a,
                                   uint64_t number) {
    return graph_operate(graph, operation, a, graph_constant(graph, number));
}

#endif
