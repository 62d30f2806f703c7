/* rewrite.h: a rewrite at work: what it is made of, and one part for each room that makes something. A room
   knows the insides of its own part and of those above it in engine/rooms. docs/internals/how-it-works.md
   tells the scheme. */
#ifndef ATOMC_REWRITE_H
#define ATOMC_REWRITE_H

#include "engine/program.h"
#include "plan/plan.h"

/* Where routines run, and frames of sites are: on a stack of their own (runtime/entries.h), or on the
   program's. Sites of a program that may make threads have their frames on its stack all the same. */
enum call_stack { CALL_STACK_OWN, CALL_STACK_PROGRAM };

/* How analysis routines are called, cheapest last; automatic: whatever costs least. */
enum call_tier { CALL_AUTOMATIC, CALL_WRAPPER, CALL_DIRECT, CALL_INLINE };

/* What the program will run on, where costs differ: results do not. */
enum machine { MACHINE_HARDWARE, MACHINE_QEMU };

/* What is copied: the whole program, or the procedures with places; automatic: these if they are few. */
enum copy_strategy { COPY_AUTOMATIC, COPY_ALL, COPY_SPARSE };

/* Passes that may be left out, by name (rewrite.c). */
enum optional_pass {
#define OPTIONAL_PASS(id, name, without) WITHOUT_##id,
#include "engine/optional_passes.def"
#undef OPTIONAL_PASS
    OPTIONAL_PASS_COUNT
};
extern const char *const optional_pass_names[OPTIONAL_PASS_COUNT];
extern const char *const optional_pass_effects[OPTIONAL_PASS_COUNT]; /* what is done without it */

struct rewrite_options {
    enum copy_strategy copy;
    enum call_tier call;
    enum call_stack stack;
    enum machine machine;
    bool without[OPTIONAL_PASS_COUNT]; /* passes that are left out */
    bool poison;                       /* registers that liveness calls dead are overwritten at each site */
    bool run;                          /* `atomc run` starts the program */
    bool quiet;                        /* the program does not say what files of results it has written */
    bool strict;                       /* calls that cannot be made are errors */
    uint64_t heap;                     /* where the analysis side's begins, 0: at its usual place */
    bool heap_at_end;                  /* or after the program and room for its own */
    bool large;                        /* a large program: tables that no site refers to are above 2 GB */
    bool tight;                        /* calls take little room from the beginning */
    bool print_map;                    /* map_print() will be called */
    const struct rewrite_pass *last_pass; /* engine.h: the rewrite stops after it; NULL: it does not */
};

/* What has been made in this round, in the text. */
struct rewrite_statistics {
    uint64_t blocks;            /* of the program, which are forgotten before it is written */
    uint64_t calls_made;        /* calls inserted, in the text */
    uint64_t replacements;      /* entries of procedures that go to a routine */
    uint64_t updates_made;      /* updates of counters, likewise */
    uint64_t updates_by_thread; /* counts in cells of the thread's own */
    uint64_t calls_inlined,
        calls_direct;        /* inlined calls, not counted in calls_made; calls without a wrapper */
    uint64_t bail_outs;      /* slow paths of inlined calls */
    uint64_t calls_unlocked; /* inlined calls that only look, where others take the lock */
    uint64_t calls_together; /* inlined calls that are asked for together with others, ahead of them */
    uint64_t words_inlined;  /* instructions of inlined code */
    uint64_t wrappers;
    uint64_t registers_saved;                /* by sites and wrappers, static sum */
    uint64_t transfers;                      /* indirect ones */
    uint64_t spilled_transfers;              /* those without a free register: one goes over the stack */
    uint64_t transfers_without_register;     /* those that go by a fault */
    uint64_t far_branches, spilled_branches; /* those of them over the stack */
};

/* How a routine of the plan is called, in the text. */
struct routine_calls {
    uint64_t inlined, called;
    const char *reason; /* why those called are not inlined; NULL: the tier, or threads */
    const char *copy;   /* what there is to say of its copy, NULL: nothing */
};

struct rewrite {
    struct arena *arena; /* of what lives until it ends, and itself */
    struct arena *round; /* of what each round of copies makes anew */
    struct program *program;
    const struct plan *plan;
    struct sites *sites;             /* select/sites.h */
    struct analysis_image *analysis; /* image/image.h */
    const struct rewrite_options *options;
    struct diagnostics *diagnostics;
    /* Registers that a site reads although the program is done with them: they are kept everywhere. Emission
       adds to them, and the next round keeps them. */
    alpha_register_set observed;
    bool is_tight;             /* there is little room for copies: calls are not inlined */
    struct counting *counting; /* count/counting.h */
    struct code_space *code;   /* code/code.h */
    struct routines *routines; /* routine/routine.h */
    struct inliner *inliner;   /* inline/internal.h; NULL: nothing is inlined */
    struct copying *copying;   /* copy/copy.h */
    uint64_t *renamed_values;  /* of program->renamed, in the file */
};

#endif
