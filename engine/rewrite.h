/* rewrite.h: the program's copies: every procedure copied to new text below 2 GB, calls put in at the sites,
   and a map from original to copied instructions. docs/how-it-works.md tells the scheme. */
#ifndef ATOMC_REWRITE_H
#define ATOMC_REWRITE_H

#include "engine/image/image.h"
#include "engine/program.h"
#include "engine/select/sites.h"
#include "runtime/interface.h" /* LAYOUT_... */

/* Reasons for not making a call at a site. */
enum skip_reason {
#define SKIP(id, lost, text) SKIP_##id,
#include "engine/select/skips.def"
#undef SKIP
    SKIP_COUNT
};
extern const char *const skip_texts[SKIP_COUNT];

/* Calls of one statement that one reason prevented. */
struct skip {
    uint32_t statement, reason; /* of its action; enum skip_reason */
    uint32_t example;           /* an instruction index */
    uint64_t count;
};

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

/* ---- rewrite.c ---- */

/* Copies and instruments. NULL after an error. Takes out of `sites` those whose effect follows from others'
   counts (counting.h). `analysis` gets its struct atomc_image filled in. */
struct rewrite *rewrite_program(struct program *program, const struct plan *plan, struct sites *sites,
                                struct analysis_image *analysis, const struct rewrite_options *options,
                                struct diagnostics *diagnostics);
void rewrite_destroy(struct rewrite *rewrite);
void rewrite_print(const struct rewrite *rewrite, FILE *stream); /* --dump=code */
/* --dump=map: a line for each instruction that has a copy, with the addresses of copy and original. */
void rewrite_print_map(const struct rewrite *rewrite, FILE *stream);

/* ---- code.c ---- */

static inline uint32_t code_position(const struct code *code) { /* words so far */
    return code->count;
}
static inline uint32_t code_address(const struct code *code) { /* of the next word */
    return code->address + 4 * code->count;
}
static inline void emit(struct code *code, uint32_t word) {
    VECTOR_RESERVE(code->words, code->count, code->capacity);
    code->words[code->count++] = word;
}
void emit_move(struct code *code, unsigned from, unsigned to);            /* integer registers */
void emit_address(struct code *code, uint32_t address, unsigned to);      /* ldah/lda; below LAYOUT_END */
void emit_address_pair(struct code *code, uint32_t address, unsigned to); /* always two */
/* Any 64-bit constant: 1 to 2 instructions or a load from the pool. */
void emit_constant(struct rewrite *rewrite, struct code *code, int64_t value, unsigned to);
uint32_t pool_constant(struct rewrite *rewrite, uint64_t value); /* its address */
/* An address of the object that the instruction is in, as it is when that is loaded. */
void emit_original(struct rewrite *rewrite, struct code *code, uint32_t instruction, uint64_t address,
                   unsigned to);
uint32_t table_bytes(struct rewrite *rewrite, const void *bytes,
                     size_t size);                                  /* in tables, 8-aligned: its address */
uint32_t table_string(struct rewrite *rewrite, const char *string); /* the same address for the same string */

uint32_t table_array(struct rewrite *rewrite, struct site_array *array); /* in arrays.c */

/* To the stack that inserted code uses, with room for `bytes`, and back to the program's. */
void emit_enter_stack(const struct rewrite *rewrite, struct code *code, uint32_t bytes);
void emit_leave_stack(const struct rewrite *rewrite, struct code *code, uint32_t bytes);

/* ---- library_tables.c ---- */

struct atomc_image;

/* Takes out what is to be done in a program of which only libraries are instrumented. */
void libraries_leave_out(const struct program *program, struct sites *sites);
/* What the runtime does to libraries when they are loaded. */
void libraries_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- buffers.c ---- */

/* Puts the plan's buffers into tables and data; their addresses are the same in every round. */
void buffers_place(struct rewrite *rewrite);
/* Fills in the tables of addresses, once all is copied. */
void buffers_translate(struct rewrite *rewrite);

/* ---- copy/instruction.c ---- */

/* The address of the instruction's copy, with what is inserted before it. */
void emit_copy_address(struct rewrite *rewrite, uint32_t instruction, unsigned to);

/* ---- points.c ---- */

#define OLD_ROOM 16
/* The fixed place, behind LAYOUT_SCRATCH: halves of its address. */
enum { OLD_STACK_HIGH = LAYOUT_SCRATCH >> 16, OLD_STACK_LOW = 8 };
struct call_context {
    uint32_t instruction;    /* whose values are meant */
    alpha_register_set live; /* where the calls are put */
    int taken;               /* outcome of its branch where that is settled: 0 or 1; else -1 */
    /* If sites want what the register that the instruction overwrites held before: the register, integer or
       floating-point, that keeps it (else 0), or whether it is in the OLD_ROOM bytes just above the stack
       pointer of inserted code, also where that is the program's own, which has been moved. */
    uint8_t old;
    bool old_on_stack, moved;
    bool old_in_cell; /* at a fixed place instead: of the stack pointer */
};
/* Emits the calls of `count` sites, all at one point; of each group, those given are done under one guard. */
void calls_emit(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                const struct call_context *context);
/* Emits calls that wait out of line, if any do; at the end of each procedure. */
bool calls_wait(const struct rewrite *rewrite);
void calls_finish(struct rewrite *rewrite);
/* Registers whose values the site needs, at an instruction; the outcome of a branch needs none where it is
 * settled. */
alpha_register_set site_sources(const struct rewrite *rewrite, const struct site *site,
                                const struct call_context *context);

/* ---- memory.c ---- */

/* Does what the site computes depend on what is in memory? */
bool site_reads_memory(const struct site *site);
bool site_asks_runtime(const struct site *site); /* by a call of one of its routines */

/* ---- wrappers.c ---- */

/* Counts are derived, and other threads have to stop for that when one ends the program. */
bool rewrite_stops(const struct rewrite *rewrite);
/* Calls lock or unlock if the program has threads: a test of a flag that the runtime sets at the first clone.
 */
void emit_lock(struct rewrite *rewrite, struct code *code, const char *symbol);
/* Puts the private C library's thread pointer in the place of the program's, which is kept at an offset from
   the stack pointer; $16 is kept at another meanwhile. */
void emit_thread_pointer_swap(struct rewrite *rewrite, struct code *code, uint32_t argument,
                              uint32_t thread_pointer);
/* The floating-point control register to a place on the stack and back, by a floating-point register. */
void emit_control_saved(struct code *code, unsigned by, uint32_t offset);
void emit_control_restored(struct code *code, unsigned by, uint32_t offset);
/* The wrapper of a routine that saves (at least) these registers; made when first asked for. */
uint32_t wrapper_address(struct rewrite *rewrite, uint32_t routine, alpha_register_set saves);
/* Everything that a call of the routine through its wrapper may change. */
alpha_register_set wrapper_clobbers(const struct rewrite *rewrite, uint32_t routine);

/* ---- called_routines.c ---- */

/* A routine as sites call it: itself, or its adapted copy (routine/internal.h). */
struct called_routine;
const struct called_routine *routine_called(const struct rewrite *rewrite, uint32_t routine);
void called_routines_create(struct rewrite *rewrite);
void called_routines_destroy(struct rewrite *rewrite);
void called_routines_start(struct rewrite *rewrite); /* of a round */
/* Emits the copy, if there is one and it is not there yet; before any call of it. */
void routine_place(struct rewrite *rewrite, uint32_t routine);
void routine_emit_call(struct rewrite *rewrite, struct code *code, uint32_t routine);
/* The first copy behind an address, NULL if there is none. */
const struct called_routine *routine_copy_behind(const struct rewrite *rewrite, uint32_t address);
/* bsr, or jsr through $26 itself. */
void emit_near_call(struct code *code, uint32_t address);
/* What -v says of the routine's copy; NULL: nothing. */
const char *routine_copy_text(const struct rewrite *rewrite, uint32_t routine);

/* ---- replacements.c ---- */

struct atomc_image;

/* Registers that replacements read: the arguments of the procedures, whatever these read themselves. */
alpha_register_set replacement_arguments(const struct rewrite *rewrite);
/* What stands in for the procedure where it is entered at this instruction, or NULL. */
const struct site_replacement *replacement_at(const struct rewrite *rewrite, uint32_t procedure,
                                              uint32_t instruction);
/* Code that analysis routines call to enter the procedure itself, up to the branch there: the word of that,
   which is to be filled in. *address: where it begins. */
uint32_t emit_retained(struct rewrite *rewrite, uint32_t instruction, uint32_t *address);
/* Enters the routine as a call of the procedure would have, and returns from that; `retained`: the address of
   the code above, if there is any. */
void emit_replacement(struct rewrite *rewrite, const struct site_replacement *replacement,
                      uint32_t instruction, uint32_t retained);
/* The names of the entries that are retained, for the runtime. */
void retained_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- reports.c ---- */

/* Writes the tables of the plan's reports, and where counters' cells do not start at 0. False after an error.
 */
bool reports_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- groups.c ---- */

/* The groups of a report's rows. */
struct group_numbers {
    uint64_t *rows; /* the group of each row */
    size_t row_count, row_capacity;
    uint32_t count;   /* of groups */
    uint64_t *values; /* of each group */
    uint32_t *slots;  /* hash table: group + 1, 0: free */
    uint32_t slot_count;
};
void groups_start(struct group_numbers *groups);
/* The next row: its group is the one of these values. */
void groups_add(struct group_numbers *groups, const uint64_t *values, uint32_t width);
void groups_release(struct group_numbers *groups);

/* ---- observations.c ---- */

/* What sites read of registers that the program is done with becomes live in the program. */
void observations_find(struct rewrite *rewrite, struct program *program);

/* ---- program_calls.c ---- */

/* The address of struct atomc_program_call[]. */
uint64_t program_calls_write(struct rewrite *rewrite, const struct site_list *sites);

/* ---- heap.c ---- */

/* Where the analysis side's heap begins. */
uint64_t heap_base(const struct rewrite *rewrite);
/* Reports if it cannot begin there. */
bool heap_check(struct rewrite *rewrite);

/* ---- skips.c ---- */

/* The call at the site is not made, at or behind this instruction. */
void rewrite_skip(struct rewrite *rewrite, enum skip_reason reason, const struct site *site,
                  uint32_t instruction);
/* A warning, or an error if options say so, for each action that loses events. */
void skips_report(const struct rewrite *rewrite);

/* ---- crash_places.c ---- */

void crash_places_write(struct rewrite *rewrite, struct atomc_image *image);

/* ---- locked.c ---- */

/* Last instruction of the load-locked/store-conditional sequence that starts at `instruction`, inside which
   nothing may be put; NO_INDEX if there is none. */
uint32_t locked_sequence_end(const struct program *program, uint32_t instruction);

/* ---- elf_output.c ---- */

/* Writes the instrumented program to `path`: whole or not at all. False after an error. */
bool output_write(const struct rewrite *rewrite, const char *path, struct diagnostics *diagnostics);

#endif
