/* inline.h: analysis routines put in at their sites. A routine's machine code becomes a graph of values and a
   list of memory accesses without branches (inline/lift.c); at a site, what is known there is filled in and
   folded (inline/site.c), then the graph becomes instructions again, in registers that are free
   (inline/lower.c, inline/emit.c). Between these files, points.c and rewrite.c. */
#ifndef ATOMC_INLINE_H
#define ATOMC_INLINE_H

#include "engine/site/site.h"

/* ---- values --------------------------------------------------------------------------------------------------- */

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
    ACCESS_LEAVE, /* if .value is not 0, the routine itself has to be called */
    ACCESS_SKIP,  /* if the branch .opcode of .value goes, nothing more is done */
};
struct access {
    uint8_t kind;
    bool safe;        /* the address is good whatever the conditions that led here */
    uint16_t opcode;  /* ldq, stl, ldq_u ... */
    uint32_t address; /* nodes */
    uint32_t value;   /* stored; of a load, its NODE_LOAD */
};

/* Why a routine is not put in at its sites. */
enum inline_reason {
#define INLINE_REASON(id, text) INLINE_##id,
#include "engine/inline/inline_reasons.def"
#undef INLINE_REASON
    INLINE_REASON_COUNT
};
extern const char *const inline_reasons[INLINE_REASON_COUNT];

enum { GRAPH_BUCKETS = 256, MOST_NODES = 600, MOST_ACCESSES = 120 };
struct graph {
    const struct rewrite *rewrite; /* for what the analysis image holds; NULL: nothing is known of memory */
    struct node *nodes;
    uint32_t node_count, load_count; /* load_count: numbers of NODE_LOAD given out */
    struct access *accesses;         /* in execution order */
    uint32_t access_count, access_capacity;
    uint32_t buckets[GRAPH_BUCKETS];
    uint8_t failed; /* enum inline_reason */
};

/* A condition: a node that passes a test, or does not. */
struct condition {
    uint16_t opcode; /* cmovne ... as in NODE_SELECT */
    bool negated;
    uint32_t node;
};

/* ---- inline/graph.c ---- */

void graph_clear(struct graph *graph);
void graph_free(struct graph *graph);
uint32_t graph_constant(struct graph *graph, uint64_t number);
uint32_t graph_leaf(struct graph *graph, enum node_kind kind, uint64_t number);
uint32_t graph_add(struct graph *graph, struct node node); /* not folded */
static inline bool node_is_constant(const struct graph *graph, uint32_t node, uint64_t *number) {
    *number = graph->nodes[node].number;
    return graph->nodes[node].kind == NODE_CONSTANT;
}
void graph_fail(struct graph *graph, enum inline_reason reason);

/* ---- inline/fold.c ---- */

uint32_t graph_operate(struct graph *graph, enum alpha_opcode opcode, uint32_t a, uint32_t b);
/* What has the same low 32 bits, at less cost: sums need not be brought down to 32 bits. */
uint32_t graph_low_half(struct graph *graph, uint32_t node);

/* ---- inline/choose.c ---- */

uint32_t graph_select(struct graph *graph, struct condition condition, uint32_t yes, uint32_t no);
/* The condition under which a conditional branch or move of this opcode goes, simplified. */
struct condition graph_condition(struct graph *graph, enum alpha_opcode opcode, uint32_t node);
bool graph_is_settled(const struct graph *graph, struct condition condition, bool *holds);
uint32_t graph_boolean(struct graph *graph, struct condition condition); /* 0 or 1 */

/* ---- inline/memory.c ---- */

uint32_t graph_load(struct graph *graph, enum alpha_opcode opcode, uint32_t address);
void graph_store(struct graph *graph, enum alpha_opcode opcode, uint32_t address, uint32_t value);
void graph_leave(struct graph *graph, uint32_t value);
/* False if nothing behind it is ever done. */
bool graph_skip(struct graph *graph, struct condition unless);
/* Copies values and accesses of one graph to another, or to itself: what was copied, and what is put in the
   place of leaves, is in `map`, by node; NO_INDEX at first. */
struct graph_copy {
    const struct graph *from;
    struct graph *to;
    uint32_t *map;
};
uint32_t graph_copy_node(struct graph_copy *copy, uint32_t node);
bool graph_copy_access(struct graph_copy *copy, struct access access); /* false: the others are never made */
/* Removes stores that others overwrite unseen. */
void graph_drop_dead_stores(struct graph *graph);
/* What happened after the first `before` accesses, on the two ways that a branch went, becomes one sequence:
   the accesses from `before` to `between` are made if the condition holds, the rest if not. The nodes in
   `pairs`, values on one way and the other, become one each: in the first place. */
void graph_merge(struct graph *graph, struct condition condition, uint32_t before, uint32_t between,
                 uint32_t (*pairs)[2], uint32_t pair_count);
/* Moves stores behind the last leave: the routine called then starts anew. False if they cannot be moved. */
bool graph_leave_first(struct graph *graph);

/* ---- inline/lift.c ---- */

/* What a routine adds to a variable at each call: sums.c. */
struct template_sum {
    uint64_t address;
    uint32_t sum;      /* index into inliner.sums */
    uint32_t argument; /* its number, whose value is added; NO_INDEX: .amount */
    int64_t amount;
};
enum { MOST_SUMS = 16 };

/* A routine as a graph of its arguments. */
struct template {
    struct template_sum sums[MOST_SUMS];
    uint32_t sum_count;
    struct graph graph;
    struct graph skipping; /* the same with a branch around what its last condition decides about */
    uint8_t reason;        /* enum inline_reason: INLINE_NONE if it can be put in */
    bool leaves;           /* it has an ACCESS_LEAVE */
    bool skips;            /* .skipping is there */
};
void template_free(struct template *template);
void template_make(struct template *template, const struct rewrite *rewrite, uint64_t address);

/* ---- instructions with registers still to be chosen ----------------------------------------------------------- */

/* A register of the program as it is, a literal, or what a step has computed. */
enum { OPERAND_LITERAL = 0x100, OPERAND_TEMPORARY = 0x200 };
typedef uint16_t operand;

enum step_kind {
    STEP_OPERATE,  /* .opcode, register form: a, b */
    STEP_SELECT,   /* .opcode is the conditional move that takes b; a is tested; else c */
    STEP_ADDRESS,  /* lda or ldah: a, displacement */
    STEP_CONSTANT, /* number */
    STEP_LOAD,     /* a, displacement */
    STEP_STORE,    /* b to a, displacement */
    STEP_LEAVE,    /* go to the call if b is not 0 */
    STEP_SKIP,     /* go to the end by the branch .opcode of b */
    STEP_FETCH,    /* the program's register .number, from where it is now */
    STEP_VALUE,    /* compute_value of the struct site_argument at .number */
};
struct step {
    uint8_t kind;
    uint16_t opcode;
    operand a, b, c;
    operand result; /* a temporary, or 0 */
    int32_t displacement;
    uint64_t number;
};

/* Pieces at a point that are emitted with one frame, and sites put in as one piece. */
enum { MOST_STEPS = 160, MOST_PIECES = 8, MOST_JOINED = 4 };
struct steps {
    struct step list[MOST_STEPS];
    uint32_t count, temporaries;
    uint32_t lock; /* before this step the lock is taken, to be released after the last; NO_INDEX: never */
    bool leaves;
    alpha_register_set sources; /* the program's registers that they read */
    struct needs needs;         /* registers to compute in, and what is changed */
    uint8_t own; /* a register besides the frame's that nobody needs once the steps have read it; 0: none */
};

/* ---- inline/lower.c ---- */

/* The graph's accesses and all that they need as steps. Registers in `fetched` cannot be read where they are.
   False if that is too much. */
bool steps_make(struct steps *steps, struct graph *graph, alpha_register_set fetched);

/* ---- inline/emit.c ---- */

/* The register is the steps' own, if nothing else at the site reads it. */
void steps_own(struct steps *steps, unsigned reg);
/* How many registers the steps need at once. */
unsigned steps_pressure(const struct steps *steps);
/* How many of them before the first branch to the end; NO_INDEX: there is none, or what is done up to there
   needs the site's frame. */
unsigned steps_pressure_before_skip(const struct steps *steps);
/* Branches that are still to be aimed: word indices. */
struct open_branches {
    uint32_t leaves[MOST_STEPS], leave_count; /* to a call out of line */
    uint32_t skips[MOST_STEPS], skip_count;   /* to the end */
    uint32_t refused[2];                      /* to calls out of line, where the lock cannot be had at once */
    uint32_t locked;                          /* behind this the lock is held; NO_INDEX: it is not taken */
};
/* Aims them at where the code ends now. */
void branches_to_here(struct code *code, const uint32_t *branches, uint32_t count);
/* Emits them, in the frame's temporaries. */
void steps_emit(const struct steps *steps, struct frame *frame, struct open_branches *branches);

/* ---- inline/lock.c: where there may be threads ---- */

/* Chooses where to take the lock; steps before that are not those that it is needed for. */
void lock_place(struct steps *steps);
/* Code for that, in two registers. */
void lock_take(struct rewrite *rewrite, unsigned base, unsigned owner, struct open_branches *branches);
/* Out of line, where the branches lead that find it held: another attempt if it is released soon. */
void lock_wait(struct rewrite *rewrite, const uint32_t *refused);
/* In one. It is held from the word index `from` on to here. */
void lock_release(struct rewrite *rewrite, unsigned base, uint32_t from);
struct atomc_image;
void lock_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- inline/site.c ---- */

/* What a rewrite needs to put routines in. */
struct inliner {
    bool aligned_stack;         /* nothing in the program moves $30 by what is no multiple of 16 */
    bool *fixed_gp;             /* per procedure: $29 is nothing but its gp after the ldgp */
    struct template *templates; /* per routine of the plan */
    uint32_t template_count;
    struct graph graph; /* of the sites at hand */
    uint32_t map[MOST_NODES];
    struct steps steps[MOST_PIECES]; /* of the pieces at a point: points.c */
    struct slow_call *slow_calls;    /* waiting to be emitted: points.c */
    uint32_t slow_call_count, slow_call_capacity;
    struct atomc_sum sums[MOST_SUMS];
    uint32_t sum_count;
    uint64_t *passing; /* addresses of cells that only pass values on: inline/passing.c */
    uint32_t passing_count;
};
struct inliner *inliner_create(struct rewrite *rewrite);
void inliner_destroy(struct inliner *inliner);
/* Why the routine is called where it is. */
const char *inline_reason(const struct rewrite *rewrite, uint32_t routine);
/* Is the guard of the group a test that is rarely passed, or much to be done if it is? Or does its last
   routine's last condition decide about much? Then that becomes a branch, and the statement stands alone. */
bool inline_skips(const struct rewrite *rewrite, const struct site *const *sites, uint32_t count);
/* Can it be tried? */
bool inline_possible(const struct rewrite *rewrite, const struct site *site);
/* The steps of a run of sites at one point, in order; `fetched` are registers that cannot be read where they
   are. False if it cannot be done. */
bool inline_sites(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                  const struct call_context *context, alpha_register_set fetched, struct steps *steps);

/* ---- sums.c ---- */

/* What needs so few registers always finds them. */
enum { MOST_SURE_REGISTERS = 12 };
/* Finds sums in routines, and adds sites that make them. */
void sums_find(struct rewrite *rewrite);
/* If one of the routines had to be called after all: the sites as they were. */
bool sums_undo(struct rewrite *rewrite);
/* Is what the site's routine does to the variable made by another site? */
bool sum_is_taken_out(const struct inliner *inliner, const struct site *site, uint64_t address);
void sums_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- inline/passing.c ---- */

/* Finds the counters that hold nothing from one statement to the next. */
void passing_find(struct inliner *inliner, struct rewrite *rewrite);
/* Of whole groups: their values need no memory. */
void passing_drop_stores(const struct inliner *inliner, struct graph *graph);

#endif
