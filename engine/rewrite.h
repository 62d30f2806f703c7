/* rewrite.h: the program's copies: every procedure copied to new text below 2 GB, calls put in at the sites,
   and a map from original to copied instructions. docs/how-it-works.md tells the scheme. */
#ifndef ATOMC_REWRITE_H
#define ATOMC_REWRITE_H

#include "engine/image/image.h"
#include "engine/program.h"
#include "engine/select/sites.h"
#include "runtime/interface.h" /* LAYOUT_... */

/* Where the frames of inserted calls go: on a stack of their own, a fixed distance below the program's
   (runtime/interface.h), or below its stack pointer. */
enum call_stack { CALL_STACK_AUTOMATIC, CALL_STACK_OWN, CALL_STACK_PROGRAM };

/* How analysis routines are called, cheapest last; automatic: whatever costs least. */
enum call_tier { CALL_AUTOMATIC, CALL_WRAPPER, CALL_DIRECT, CALL_INLINE };

/* What is copied: the whole program, or the procedures with places; automatic: these if they are few. */
enum copy_strategy { COPY_AUTOMATIC, COPY_ALL, COPY_SPARSE };

/* Why the program is taken to make threads. */
enum threads_reason {
    THREADS_NONE,
    THREADS_SYMBOL,  /* it contains a routine for that */
    THREADS_LIBRARY, /* it asks for one in a library, or for a library that is not known */
    THREADS_FLAGS    /* it has no symbols, and computes clone's flags for that */
};

struct rewrite_options {
    enum copy_strategy copy;
    enum call_tier call;
    enum call_stack stack; /* automatic: the program's if it may make threads */
    bool no_borrowing;     /* each site saves what it computes in */
    bool no_observations;  /* registers that sites observe are kept everywhere */
    bool no_liveness;  /* every register is taken to be live: save all that is clobbered, at transfers too */
    bool poison;       /* registers that liveness calls dead are overwritten at each site */
    bool strict;       /* calls that cannot be made are errors */
    uint64_t heap;     /* where the analysis side's begins, 0: at its usual place */
    bool heap_at_end;  /* or behind the program and room for its own */
    bool no_placement; /* every update is made where it stands: nothing is derived */
    bool no_promotion; /* every count is made in memory */
    bool no_sharing;   /* each procedure counts its entries itself */
    bool no_delay;     /* calls on rare ways of analysis routines save nothing themselves */
    bool no_renaming;  /* analysis routines keep the registers that the compiler chose */
    bool no_branches;  /* what is put in at a site has no branches around what is rarely done */
    bool no_splitting; /* what is to be done before a branch is done there, whichever way it goes */
    bool print_map;    /* rewrite_print_map() will be called */
};

struct rewrite_statistics {
    uint64_t instructions_in, instructions_out, procedures, blocks;
    uint64_t calls_made;   /* calls inserted, in the text */
    uint64_t replacements; /* entries of procedures that go to a routine */
    uint64_t updates_made; /* updates of counters, likewise */
    uint64_t calls_inlined,
        calls_direct;         /* calls put in, not counted in calls_made; calls without a wrapper */
    uint64_t slow_calls;      /* calls that those put in leave to */
    uint64_t words_put_in;    /* instructions of what is put in */
    uint64_t updates_derived; /* updates asked for that are computed when the program ends, */
    uint64_t updates_counted; /* from so many of those made, */
    uint64_t counts_promoted; /* ... these in registers */
    uint64_t entries_shared;  /* transfers to procedures that their blocks' counts tell */
    uint64_t calls_skipped[SKIP_COUNT];
    uint32_t skip_example[SKIP_COUNT]; /* an instruction index */
    uint64_t wrappers;
    uint64_t registers_saved;                /* by sites and wrappers, static sum */
    uint64_t transfers;                      /* indirect ones */
    uint64_t spilled_transfers;              /* those without a free register: one goes over the stack */
    uint64_t transfers_without_register;     /* those that go by a fault */
    uint64_t far_branches, spilled_branches; /* those of them over the stack */
};

/* How a routine of the plan is called, in the text. */
struct routine_calls {
    uint64_t put_in, called;
};

/* Words of one new text section, and a symbol table of it. */
struct code {
    uint32_t address; /* of words[0] */
    uint32_t *words;
    uint32_t count, capacity;
};
struct code_symbol {
    const char *name;
    uint32_t address, size;
};

struct wrapper {
    uint32_t routine;
    alpha_register_set saves;
    uint32_t address;
    uint32_t next; /* in its hash chain, NO_INDEX at the end */
};

struct table_string {
    const char *string; /* NULL: free */
    uint32_t address;
};

enum fixup_kind {
    FIXUP_INSIDE,     /* branch to the instruction's copy, as from inside its procedure */
    FIXUP_OUTSIDE,    /* branch to where control enters from outside: entry calls come first */
    FIXUP_STUB,       /* branch to word index .target of the copies */
    FIXUP_FAR_INSIDE, /* ldah/lda pair */
    FIXUP_FAR_OUTSIDE,
    FIXUP_FAR_INSIDE_LANDING, /* the same to the target's landings */
    FIXUP_FAR_OUTSIDE_LANDING,
};
struct fixup {
    uint32_t position; /* word index in copies */
    uint32_t target;   /* instruction index */
    uint8_t kind;
};

struct rewrite {
    const struct program *program;
    const struct plan *plan;
    struct sites *sites;
    struct analysis_image *analysis;
    const struct rewrite_options *options;
    struct diagnostics *diagnostics;

    struct code copies, wrappers;
    uint32_t *inside; /* per instruction: word index in copies where a branch from inside goes */
    uint32_t *map;    /* per instruction: address of its copy, for entry from outside */
    uint32_t *placed; /* per instruction: word index in copies of the instruction itself, behind all calls;
                         NULL unless rewrite_print_map() is to print it */
    /* Registers that a site reads although the program is done with them: they are kept everywhere. */
    alpha_register_set observed;
    bool keeps_stack; /* some instruction's old stack pointer is kept at the fixed place */
    uint32_t
        borrowed; /* words above OLD_ROOM on a stack of its own that hold registers just now (borrow.c) */
    /* Per instruction, if any transfer needs it: address of a landing, which takes $28 back off the stack. */
    uint32_t *landings;
    uint32_t *inside_landings; /* the same for far branches from inside the procedure */
    uint64_t *pool;            /* constants at LAYOUT_POOL */
    uint32_t pool_count, pool_capacity;
    uint8_t *pool_objects; /* of each: the number of the library that it is an address of, or 0 */
    uint32_t pool_object_capacity;
    struct code tables;           /* words of program calls and strings at LAYOUT_TABLES */
    uint32_t *buffer_addresses;   /* per plan buffer: constant ones in tables, writable ones in data */
    struct code data;             /* writable, behind the cells */
    struct table_string *strings; /* those in tables: open addressing */
    uint32_t string_count, string_table_size;
    uint32_t bit_lengths;            /* address of histograms.c's table; 0: none yet */
    struct atomc_retained *retained; /* entries that are replaced and can still be called */
    uint32_t retained_count, retained_capacity;
    struct fixup *fixups;
    uint32_t fixup_count, fixup_capacity;
    struct slow_call *slow_calls; /* waiting to be emitted: points.c */
    uint32_t slow_call_count, slow_call_capacity;
    uint32_t waiting_fixup;       /* the first that may wait for its target's copy: islands.c */
    struct atomc_inside *islands; /* where they are, and where they lead to */
    uint32_t island_count, island_capacity;
    struct code_symbol *symbols;
    uint32_t symbol_count, symbol_capacity;
    struct wrapper *wrapper_list;
    uint32_t wrapper_count, wrapper_capacity;
    uint32_t wrapper_hash[1024];
    uint32_t copying;                /* the instruction at hand; those before it are in their places */
    const uint32_t *previous_blocks; /* of blocks in the round before, to know which branches are far; NULL in
                                        the first */
    uint32_t far_words;              /* farther than this needs a far branch */
    uint64_t *routine_addresses;     /* per plan routine */
    struct routine_summary *summaries;         /* of them as they are */
    struct called_routine *called;             /* likewise, as sites call them */
    struct called_helpers *helpers;            /* what they call */
    struct routine_calls *routine_calls;       /* per plan routine */
    uint32_t *routine_arguments;               /* the most that any call passes */
    struct inliner *inliner;                   /* NULL: nothing is put in */
    uint64_t address_table, address_table_end; /* the analysis image's .got */
    int shadow; /* 65536ths of ATOMC_SHADOW_DISTANCE if calls use a stack of their own, else 0 */
    enum threads_reason thread_reason;
    bool threads;              /* the program may have threads: wrappers lock when it has */
    struct counting *counting; /* counting.h */
    struct sparse *sparse;     /* sparse.h; NULL: everything is copied */
    struct rewrite_statistics statistics;
    uint32_t *moved; /* copies of instructions that are executed with the stack pointer OLD_ROOM lower */
    uint32_t moved_count, moved_capacity;
    struct site *sites_before; /* sums.c: as they were */
    uint32_t site_count_before;
    uint64_t sums_taken_out;
    bool sum_called;                   /* a routine without its sums has to be called after all */
    struct atomc_exclusive *exclusive; /* instructions that are executed with the lock: inline/lock.c */
    uint32_t exclusive_count, exclusive_capacity;
    struct skip *skips;
    uint32_t skip_count, skip_capacity;
    struct arena *arena;
};

#endif
