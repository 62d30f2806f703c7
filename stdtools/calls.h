/* calls.h: for analysis routines that follow calls: a stack of activations for each thread, from the calls in
 * calls.inc. */
#ifndef ATOMC_CALLS_H
#define ATOMC_CALLS_H

#include "allocated.h"

struct procedure {
    long pc, size;
    const char *name, *file;
    int line;
    int whole; /* its number, or the number of the procedure to which the .cold part belongs */
};
extern struct procedure *procedures;
extern int procedure_count;
const char *shown_procedure(int number); /* its name as people write it */
void find_wholes(void);                  /* NAME.cold is a part of NAME */

/* An activation of a procedure. */
struct frame {
    int procedure; /* plus WATCHED: on_pop is called when it is left */
    long sp, ra;   /* stack pointer and return address when it was entered */
    void *item;    /* the tool's own */
    long begun;    /* the tool's own, of one that is watched */
};
enum { WATCHED = 1 << 30 };
static inline int is_watched(const struct frame *frame) {
    return frame->procedure >= WATCHED;
}
static inline int procedure_of_frame(const struct frame *frame) {
    return is_watched(frame) ? frame->procedure - WATCHED : frame->procedure;
}
/* The first frame is not an activation: its procedure is -1, and it is never left. */
struct thread {
    long id, number;
    struct frame *frames, *top, *end; /* end: of the room for them */
    void *watched;                    /* the tool's own, about frames that are watched */
    struct thread *next;
};
extern struct thread *threads;

/* A stack that is not a thread's current one. */
struct stack {
    struct frame *frames, *top, *end;
    void *watched;
};

/* The tool, which includes calls.c, defines these functions. first_item: for the first frame. on_push sets
   the frame's item; called: the frame was entered by a call. A tool may set WATCHED for the frame:
   on_watched_cost is called after on_cost while it is the top frame, and on_pop before it is left. is_known:
   a call of this procedure from `top` was among the recent calls; then push_known does the work of on_push
   for the frame above. Neither function is used for a watched frame, or for a frame below a watched one. */
static inline void *first_item(const struct thread *thread);
static inline void on_push(struct thread *thread, int called);
static inline int is_known(const struct frame *top, int procedure);
static inline void push_known(struct frame *top, int procedure);
static inline void on_cost(struct frame *frame, long cost);
static inline void on_watched_cost(struct thread *thread, long cost);
static inline void on_pop(struct thread *thread);

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
