/* internal.h: values and updates of cells, among the files that compute them. */
#ifndef ATOMC_SITE_INTERNAL_H
#define ATOMC_SITE_INTERNAL_H

#include "engine/site/site.h"

/* Registers that reading a cell, counting for sampling, and finding a bucket take besides the destination. */
enum { CELL_TEMPORARIES = 2, SAMPLE_TEMPORARIES = 3, BUCKET_TEMPORARIES = 2 };

/* ---- compute.c ---- */

/* The same of a value in a floating-point register, or an argument on the stack, into a floating-point
 * register. `word` is the instruction at hand. */
void compute_double(struct frame *frame, const struct site_argument *value, uint32_t word, unsigned to);
void compute(struct frame *frame, const struct site_expression *expression, unsigned to);
/* In registers for left, right, spare and zero; right is in none where it is a `literal`. */
void emit_operations(struct code *code, const struct operation *list, const unsigned registers[],
                     const struct site_expression *literal);
void expression_needs(const struct rewrite *rewrite, const struct site_expression *expression,
                      uint32_t instruction, struct needs *needs);
/* Adds those of a value. */
struct sources {
    const struct rewrite *rewrite;
    const struct call_context *context;
    alpha_register_set registers;
};
bool note_sources(const struct site_expression *expression, void *context);

/* ---- cells.c ---- */

/* The value of the cell that a PLAN_OP_CELL stands for. */
void compute_cell(struct frame *frame, const struct site_expression *expression, unsigned to);
/* The element of a table that a PLAN_OP_ELEMENT stands for. */
void compute_element(struct frame *frame, const struct site_expression *expression, unsigned to);
/* The update of a counter's cell. */
void compute_update(struct frame *frame, const struct site *site);
/* Where the frame is; in `scratch` if that is nowhere else (frame.c). */
unsigned frame_base(struct frame *frame, unsigned scratch);
/* Counts an event of the site's statement; not 0 in `to` if it is one that is done. */
void compute_sample(struct frame *frame, const struct site *site, unsigned to);
/* Adds it a constant that lda takes? */
bool adds_immediate(const struct site *site);
/* By a constant, in a known cell: it takes two registers. */
bool is_simple_update(const struct site *site);

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
/* Besides what computing the address needs. */
void memory_needs(const struct rewrite *rewrite, const struct site_expression *expression,
                  uint32_t instruction, struct needs *needs);
void routine_needs(struct needs *needs); /* of $static, of float parameters */

static inline struct code *frame_code(struct frame *frame) {
    return &frame->rewrite->code->copies;
}

#endif
