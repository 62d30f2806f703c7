/* calls.h: for analysis routines that follow calls: a stack of activations for each thread, from the calls in
 * calls.inc. */
#ifndef ATOMC_CALLS_H
#define ATOMC_CALLS_H

struct procedure {
    long pc, size;
    const char *name, *file;
    int line;
    int whole; /* its number, or that of the procedure that it is the .cold part of */
};
extern struct procedure *procedures;
extern int procedure_count;
void find_wholes(void);                 /* NAME.cold is a part of NAME */
void *allocated(long count, long size); /* zeroed; without memory, the process ends */

/* An activation of a procedure. */
struct frame {
    int procedure;
    long sp, ra; /* stack pointer and return address when it was entered */
    void *item;  /* the tool's own */
};
struct thread {
    long id, number;
    struct frame *frames;
    int depth, room;
    struct thread *next;
};
extern struct thread *threads;

/* Defined by the tool, which includes calls.c. In on_push, thread->depth includes the frame. called: entered
 * by a call. */
static inline void on_push(struct thread *thread, struct frame *frame, int called);
static inline void on_cost(struct frame *frame, long cost);

/* At the end: ends all activations. */
void end_calls(void);
extern int in_cycles; /* the unit of costs: cycles or instructions */

/* Calls between two procedures, for write_callgrind (callgrind.c): total is their cost with all that they
 * call. */
struct arc {
    int caller, callee; /* caller -1: none */
    int next;           /* the tool's own */
    long calls, self, total;
};
void write_callgrind(const char *out, const char *program, const char *event, const long *self,
                     const struct arc *arcs, int arc_count);

#endif
