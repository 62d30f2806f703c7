/* internal.h: computing values and updates of cells, shared by the sources of site/. */
#ifndef ATOMC_SITE_INTERNAL_H
#define ATOMC_SITE_INTERNAL_H

#include "engine/site/site.h"

/* Registers needed in addition to the destination to read a cell, to count for sampling, and to find a
   bucket. */
enum { CELL_TEMPORARIES = 2, SAMPLE_TEMPORARIES = 3, BUCKET_TEMPORARIES = 2 };

/* ---- compute.c ---- */

/* Offset of an argument on the stack, in bytes from the stack pointer at the procedure's entry. */
int stack_argument_offset(const struct machine *machine, const struct site_argument *value);
/* The same for a value in a floating-point register, or an argument on the stack; the result is in a
   floating-point register. `word`: the current instruction. */
void compute_double(struct frame *frame, const struct site_argument *value, unsigned to);
void compute(struct frame *frame, const struct site_expression *expression, unsigned to);
/* `registers`: for left, right, spare and zero; with a `literal`, right has none. */
void emit_operations(struct code *code, const struct operation *list, const unsigned registers[],
                     const struct site_expression *literal);
void expression_needs(const struct rewrite *rewrite, const struct site_expression *expression,
                      uint32_t instruction, struct needs *needs);
/* Adds the registers that a value reads. */
struct sources {
    const struct rewrite *rewrite;
    const struct call_context *context;
    register_set registers;
};
bool note_sources(const struct site_expression *expression, void *context);

/* ---- cells.c ---- */

/* The value of the cell of a PLAN_OP_CELL. */
void compute_cell(struct frame *frame, const struct site_expression *expression, unsigned to);
/* The table element of a PLAN_OP_ELEMENT. */
void compute_element(struct frame *frame, const struct site_expression *expression, unsigned to);
/* The update of a counter's cell. */
void compute_update(struct frame *frame, const struct site *site);
/* The base register of the frame. If there is none, `scratch`, loaded with the frame's address (frame.c). */
unsigned frame_base(struct frame *frame, unsigned scratch);
/* Counts an event of the site's statement; `to` becomes nonzero if this event is sampled. */
void compute_sample(struct frame *frame, const struct site *site, unsigned to);
/* True if the site adds a constant that one instruction adds. */
bool adds_immediate(const struct site *site);
/* True if the amount is constant and the cell known: two registers suffice. */
bool is_simple_update(const struct site *site);

/* ---- histograms.c ---- */

/* Sets `to`, a register other than `value`, to the number of the bucket for `value`. */
void compute_bucket(struct frame *frame, const struct plan_buckets *buckets, unsigned value, unsigned to);

/* ---- memory.c ---- */

/* A PLAN_OP_MEMORY: the contents of memory. */
void compute_memory(struct frame *frame, const struct site_expression *expression, unsigned to);
void compute_static(struct frame *frame, const struct site_expression *expression, unsigned to);
/* Rounds the value of a floating-point register or a stack argument to a float: in register format into a
   floating-point register, or in memory format into an integer register. */
void compute_single(struct frame *frame, const struct site_argument *value, unsigned to, bool on_stack);
/* Registers needed in addition to those for the address. */
void memory_needs(const struct rewrite *rewrite, const struct site_expression *expression,
                  uint32_t instruction, struct needs *needs);
void routine_needs(const struct rewrite *rewrite,
                   struct needs *needs); /* for $static, and for float parameters */

static inline struct code *frame_code(struct frame *frame) {
    return &frame->rewrite->code->copies;
}

#endif
