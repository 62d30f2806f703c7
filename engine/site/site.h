/* site.h: the frame of a site and the registers that its code computes in; between points.c, calls.c,
 * compute.c, cells.c. */
#ifndef ATOMC_FRAME_H
#define ATOMC_FRAME_H

#include "engine/rewrite.h"

#define REGISTER_BIT(r) (UINT64_C(1) << (r))

/* The frame of a site: [stack arguments][a floating-point scratch slot][saved registers]. Without saved
   registers, calls and floating-point values there is none, and the stack is not touched. */
struct frame {
    struct rewrite *rewrite;
    const struct call_context *context;
    bool present;
    bool late;         /* it is entered behind the first branch to the end: until then nothing needs it */
    uint32_t outgoing; /* bytes of stack arguments */
    uint32_t scratch;  /* offset of the scratch slot */
    uint32_t lowered;  /* so many bytes is the stack pointer, a multiple of 16; 0 on a stack of its own */
    alpha_register_set saved;
    alpha_register_set gone;      /* registers that no longer hold the program's value */
    alpha_register_set temporary; /* registers to compute in that are free now */
    uint8_t slot[64];             /* of saved registers: offset / 8 */
};

/* ---- compute.c ---- */

/* Loads the program's value of an integer or floating-point register into an integer register. */
void frame_fetch(struct frame *frame, unsigned source, unsigned to);
unsigned frame_take(struct frame *frame); /* a register to compute in */
void frame_give_back(struct frame *frame, unsigned temporary);
/* Computes a dynamic value or expression into a register. */
void compute_value(struct frame *frame, const struct site_argument *value, unsigned to);
/* The same of a value in a floating-point register, or an argument on the stack, into a floating-point
 * register. `word` is the instruction at hand. */
void compute_double(struct frame *frame, const struct site_argument *value, uint32_t word, unsigned to);
void compute(struct frame *frame, const struct site_expression *expression, unsigned to);
/* ---- cells.c ---- */

/* The value of the cell that a PLAN_OP_CELL stands for. */
void compute_cell(struct frame *frame, const struct site_expression *expression, unsigned to);
/* The update of a counter's cell. */
void compute_update(struct frame *frame, const struct site *site);
/* Counts an event of the site's statement; not 0 in `to` if it is one that is done. */
void compute_sample(struct frame *frame, const struct site *site, unsigned to);

/* ---- histograms.c ---- */

/* The number of the bucket that `value` is in into `to`, another register. */
void compute_bucket(struct frame *frame, const struct plan_buckets *buckets, unsigned value, unsigned to);

/* ---- memory.c ---- */

/* A PLAN_OP_MEMORY: what is in memory. */
void compute_memory(struct frame *frame, const struct site_expression *expression, unsigned to);
void compute_static(struct frame *frame, const struct site_expression *expression, unsigned to);
/* The value of a floating-point register or an argument on the stack rounded to a float: into a
   floating-point register as that holds one, or into an integer register as memory does. */
void compute_single(struct frame *frame, const struct site_argument *value, unsigned to, bool on_stack);

/* Registers that reading a cell, counting for sampling, and finding a bucket take besides the destination. */
enum { CELL_TEMPORARIES = 2, SAMPLE_TEMPORARIES = 3, BUCKET_TEMPORARIES = 2 };
/* By a constant, in a known cell: it takes two registers. */
bool is_simple_update(const struct site *site);

/* What computing needs: registers besides the destination, and particular ones. */
struct needs {
    unsigned temporaries;
    alpha_register_set clobbers;  /* changed on the way: nothing can be computed in them */
    alpha_register_set destroyed; /* changed by a call */
    bool frame;
};
void value_needs(const struct rewrite *rewrite, const struct site_argument *value, uint32_t instruction,
                 struct needs *needs);
/* Besides what computing the address needs. */
void memory_needs(const struct rewrite *rewrite, const struct site_expression *expression,
                  uint32_t instruction, struct needs *needs);
void routine_needs(struct needs *needs); /* of $static, of float parameters */
void expression_needs(const struct rewrite *rewrite, const struct site_expression *expression,
                      uint32_t instruction, struct needs *needs);
/* Registers of the program that the value or expression reads; the outcome of a branch needs none where it is
 * settled. */
alpha_register_set value_sources(const struct rewrite *rewrite, const struct site_argument *value,
                                 const struct call_context *context);
alpha_register_set expression_sources(const struct rewrite *rewrite, const struct site_expression *expression,
                                      const struct call_context *context);

/* ---- calls.c ---- */

/* What the sites of one group do, if their guard holds and this is one of those that are sampled. */
void emit_group(struct frame *frame, const struct site *const *sites, uint32_t count,
                alpha_register_set needed);
/* Registers that the site's code computes in, and changes. */
void site_needs(const struct rewrite *rewrite, const struct site *site, uint32_t instruction,
                alpha_register_set needed, struct needs *needs);
/* While `held` more registers are in use. */
void need_at_least(struct needs *needs, const struct needs *other, unsigned held);
/* Registers to compute in, dead ones first: so many, or fewer if there are no more. What is changed on the
   way is to be avoided, and what FRAME_AVOIDS names in any case. */
alpha_register_set frame_choose(unsigned count, alpha_register_set avoid, alpha_register_set needed);
#define FRAME_AVOIDS (REGISTER_BIT(ALPHA_RA) | REGISTER_BIT(ALPHA_SP) | REGISTER_BIT(ALPHA_ZERO))
/* False if there are too few registers to compute in; not in `sources`, which are read where they are. */
bool frame_lay_out(struct frame *frame, const struct needs *needs, alpha_register_set needed,
                   alpha_register_set sources);
void frame_enter(struct frame *frame);
void frame_leave(struct frame *frame);

#endif
