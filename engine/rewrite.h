/* rewrite.h: the state of a rewrite, with one part for each room that has results. A room knows the internals
   of its own part and of the parts above it in engine/rooms. docs/internals/how-it-works.md describes the
   scheme. */
#ifndef ATOMC_REWRITE_H
#define ATOMC_REWRITE_H

#include "engine/program.h"
#include "plan/plan.h"

/* The stack of routines and of site frames: a separate stack (runtime/entries.h), or the program's. In a
   program that may make threads, sites have their frames on its stack in either case. */
enum call_stack { CALL_STACK_OWN, CALL_STACK_PROGRAM };

/* The ways to call analysis routines, the cheapest last; automatic: the cheapest that is possible. */
enum call_tier { CALL_AUTOMATIC, CALL_WRAPPER, CALL_DIRECT, CALL_INLINE };

/* The machine that the program will run on. It changes estimates of cost, not results. */
enum execution { MACHINE_HARDWARE, MACHINE_QEMU };

/* The part that is copied: the whole program, or only procedures with places; automatic: the latter if they
   are few. */
enum copy_strategy { COPY_AUTOMATIC, COPY_ALL, COPY_SPARSE };

/* Passes that may be left out, by name (rewrite.c). */
enum optional_pass {
#define OPTIONAL_PASS(id, name, without) WITHOUT_##id,
#include "engine/optional_passes.def"
#undef OPTIONAL_PASS
    OPTIONAL_PASS_COUNT
};
extern const char *const optional_pass_names[OPTIONAL_PASS_COUNT];
extern const char *const optional_pass_effects[OPTIONAL_PASS_COUNT]; /* the effect of leaving each out */

struct rewrite_options {
    enum copy_strategy copy;
    enum call_tier call;
    enum call_stack stack;
    enum execution machine;
    bool without[OPTIONAL_PASS_COUNT]; /* passes that are left out */
    /* for tests: at each site, registers that liveness considers dead are overwritten */
    bool poison;
    bool run;         /* `atomc run` starts the program */
    bool quiet;       /* the program does not print the names of the files that it wrote */
    bool strict;      /* calls that cannot be made are errors */
    uint64_t heap;    /* address of the analysis side's heap; 0: the default address */
    bool heap_at_end; /* or after the program and its own heap */
    bool large;       /* a large program: tables that no site refers to are above 2 GB */
    bool tight;       /* calls are kept short from the beginning */
    bool print_map;   /* map_print() will be called: places are noted */
    const struct rewrite_pass *last_pass; /* engine.h: the rewrite stops after this pass; NULL: it runs all
                                             passes */
};

/* Counts of this round's results, in the text. */
struct rewrite_statistics {
    uint64_t blocks;            /* memory of the program; the rewrite frees it before output */
    uint64_t calls_made;        /* calls inserted, in the text */
    uint64_t replacements;      /* entries of procedures that are replaced by a routine */
    uint64_t updates_made;      /* updates of counters inserted, in the text */
    uint64_t updates_by_thread; /* counts in thread-local cells */
    uint64_t calls_inlined,
        calls_direct;        /* inlined calls, not counted in calls_made; calls without a wrapper */
    uint64_t bail_outs;      /* slow paths of inlined calls */
    uint64_t calls_unlocked; /* inlined calls that only read, in programs where other calls take the lock */
    uint64_t calls_together; /* inlined calls with one guard for several, ahead of them */
    uint64_t words_inlined;  /* instructions of inlined code */
    uint64_t wrappers;
    uint64_t registers_saved;                /* number of calls by sites and wrappers, statically */
    uint64_t transfers;                      /* indirect ones */
    uint64_t spilled_transfers;              /* entries without a free register: a register is spilled to the
                                                stack */
    uint64_t transfers_without_register;     /* entries that jump by a fault */
    uint64_t far_branches, spilled_branches; /* far branches; far branches that spill a register */
};

/* How a routine of the plan is called, as text. */
struct routine_calls {
    uint64_t inlined, called;
    const char *reason; /* the reason why called routines are not inlined; NULL: the tier, or threads */
    const char *copy;   /* a remark about its copy; NULL if there is none */
};

struct rewrite {
    struct arena *arena; /* for data that lives as long as the rewrite, and this struct */
    struct arena *round; /* for data that each round of copies makes again */
    struct program *program;
    const struct plan *plan;
    struct sites *sites;             /* select/sites.h */
    struct analysis_image *analysis; /* image/image.h */
    const struct rewrite_options *options;
    struct diagnostics *diagnostics;
    /* Registers that a site reads after the program's last use: their values are preserved everywhere.
       Emission adds to them, and the next round preserves them. */
    register_set observed;
    bool is_tight;                 /* there is little room for copies: calls are not inlined */
    struct counting *counting;     /* count/counting.h */
    const struct machine *machine; /* machine/machine.h: the machine of inserted code */
    struct code_space *code;       /* code/code.h */
    struct routines *routines;     /* routine/routine.h */
    struct inliner *inliner;       /* inline/internal.h; NULL if no call is inlined */
    struct copying *copying;       /* copy/copy.h */
    uint64_t *renamed_values;      /* from program->renamed: offsets in the file */
};

/* The registers of the program's machine. */
static inline const struct conventions_of_machine *machine_registers(const struct rewrite *rewrite) {
    return &rewrite->program->architecture->registers;
}

#endif
