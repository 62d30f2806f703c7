/* sites.h: the plan applied to one program: for each point of the text, the calls to make there, with every
   static expression folded. Made by select.c from the plan; consumed by the rewriter. */
#ifndef ATOMC_SITES_H
#define ATOMC_SITES_H

#include "engine/program.h"
#include "plan/plan.h"
#include "runtime/interface.h" /* LAYOUT_CELLS */

struct rewrite;

/* In memory. */
static inline uint64_t cell_address(uint64_t cell) {
    return LAYOUT_CELLS + 8 * cell;
}

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

/* Calls that the copies could not make, of the latest round. */
struct skips {
    struct skip *list;
    uint32_t count, capacity;
    uint64_t calls[SKIP_COUNT];   /* not made, for each reason, */
    uint32_t example[SKIP_COUNT]; /* ... and an instruction */
};

/* Where, at one instruction, calls are made; in execution order. */
enum site_point {
    SITE_ENTRY,  /* control enters the procedure from outside here (its first instruction, the one after the
                    ldgp,  and other alternate entries), not by a branch back from inside; the ldgp's
                    fallthrough excluded */
    SITE_ARRIVE, /* each time before the first instruction of a block to which only one way leads, before
                    everything at SITE_BEFORE */
    SITE_BEFORE, /* each time before the instruction executes */
    SITE_AFTER,  /* each time after it: for calls, on return; for conditional branches, on both ways out;
                    for unconditional transfers, just before the transfer, after everything at SITE_BEFORE */
    SITE_TAKEN, /* where it transfers control, after everything at SITE_AFTER: of conditional branches only if
                   taken */
    SITE_FALLTHROUGH, /* where control goes on to the next instruction, likewise; of a call on return */
};

enum site_argument_kind {
    SITE_CONSTANT,
    SITE_STRING,
    SITE_VALUE,
    SITE_COMPUTED,
    SITE_ARRAY,
    SITE_BUFFER,
    SITE_REPLACED /* enum plan_replaced in .constant; of replacements only */
};

/* An array for C, folded. */
struct site_array {
    uint32_t array; /* index into plan.arrays */
    enum plan_c_type element;
    uint32_t count;
    const void *bytes; /* the elements, as they are in memory; NULL: strings */
    const char *const *strings;
    uint32_t address; /* in the tables of the rewriter, which sets it; 0: not there yet */
    struct site_array *next;
};

struct site_argument {
    uint8_t kind;    /* enum site_argument_kind */
    uint8_t value;   /* enum plan_value, if kind is SITE_VALUE */
    uint8_t operand; /* PLAN_VALUE_REGISTER: its number, 0-63, into which arguments in registers and results
                        are turned already; PLAN_VALUE_ARGUMENT: its number, from 6 */
    bool floating;   /* passed as floating point: a constant's 64 bits, or a floating-point register */
    bool single;     /* to a float parameter: has to be rounded to one */
    union {
        int64_t constant; /* SITE_CONSTANT: already converted to the parameter's C type; SITE_BUFFER: its
                             number */
        const char *string;
        const struct site_expression *computed; /* SITE_COMPUTED */
        struct site_array *array;               /* SITE_ARRAY */
    };
};

/* The cells of a counter. */
struct site_cell {
    uint32_t counter;   /* index into plan.counters */
    uint64_t base;      /* number of the first among all cells of the plan */
    uint32_t count;     /* there is no cell of a number outside: it reads as 0 */
    bool unset_is_zero; /* a cell that holds .initial reads as 0 */
    int64_t initial;
};

/* A dynamic expression with everything static in it folded: operators over constants and values.
   PLAN_OP_INTEGER, PLAN_OP_VALUE (in .leaf, as an argument), PLAN_OP_CELL, PLAN_OP_MEMORY (operand[0] its
   address, .leaf its size), PLAN_OP_STATIC where there are libraries, PLAN_OP_ELEMENT (.leaf an array of
   PLAN_C_INT; a number outside has element 0), and the operators from PLAN_OP_NOT to PLAN_OP_CONDITIONAL, on
   signed 64-bit integers; comparisons and logic give 0 or 1. Divisors and shift counts may be anything;
   division by zero gives 0. */
struct site_expression {
    enum plan_operator op;
    struct site_argument leaf;
    const struct site_expression *operand[3];
    const struct site_cell *cell; /* PLAN_OP_CELL: which of them is operand[0] */
};

/* Those of a block's instructions that add the same to a sum of what the block executes. */
struct site_length_part {
    int64_t each;
    const uint8_t *chosen; /* a bit for each of the block's instructions; NULL: all */
    uint64_t count;        /* how many they are */
};
/* An amount that is computed of what the block executes and of values at run time: postfix code
   (plan/commands.h) whose arguments are the instructions, loads and stores that are executed, then the
   values.
 */
struct site_amount {
    uint32_t code_count, noted_count;
    const struct command_instruction *code;
    const struct site_expression *const *noted; /* the values, as they are when the sum is made */
    const uint8_t *loads, *stores;              /* a bit for each of the block's instructions */
};
/* How a sum's amount depends on the block that begins there: either parts, or an amount. */
struct site_lengths {
    uint64_t part_count;
    const struct site_length_part *parts;
    const struct site_amount *amount;
};

/* What is done at a site, but for what is another thing at each: shared where equal. */
struct slow_call;
struct site_action {
    uint32_t statement; /* of the plan's action: the order within a scope */
    const struct site_expression
        *guard;           /* NULL: always. A static guard is folded: false, and there is no site */
    int64_t sample;       /* n: done at every n-th time that the guard holds; 0: at each */
    uint64_t sample_cell; /* that counts them: its number among all cells of the plan */
    uint32_t counter;     /* PLAN_ACTION_UPDATE: index into plan.counters */
    uint32_t cell_count;  /* of the counter; a dynamic cell number outside it is not counted */
    const struct site_expression *cell; /* dynamic; NULL: it is known which */
    const struct site_expression *amount;
    /* Of a histogram: .cell chooses among groups of as many cells as there are buckets, .value the bucket. */
    const struct plan_buckets *buckets; /* NULL: of a counter */
    const struct site_expression *value;
    const struct site_lengths *lengths; /* of a sum of what its block executes; NULL: it is none */
    uint32_t routine;                   /* PLAN_ACTION_CALL: index into plan.routines */
    uint32_t argument_count;
    const struct slow_call *slow;           /* instead of the routine (site.h); NULL: the routine itself */
    const struct plan_command *command;     /* ... that has sums of what its block executes; else NULL */
    const struct site_lengths *const *sums; /* ... for each of its effects, as .lengths */
};

/* There may be millions: 32 bytes each. */
struct site {
    uint32_t instruction;
    /* Sites of one group follow each other: they are what one statement does at one place, and have guard and
       sampling in common, which are decided once. */
    uint32_t group;
    const struct site_action *action;
    union {
        uint64_t cell_base; /* of an update: the number, among all cells of the plan, of its cell, or, with
                               .action->cell, of its first */
        const struct site_argument *arguments; /* of a call; shared where equal */
    };
    uint8_t point;  /* enum site_point */
    uint8_t scope;  /* enum plan_place of the action: outer scopes go first */
    uint8_t kind;   /* enum plan_action_kind */
    uint8_t update; /* enum plan_update, of an update */
    /* Of a sum that depends on values at run time: 1 + the number of its first record; of what notes it: of
       the one that it sets; else 0. */
    uint16_t record;
    bool notes : 1;   /* an update that sets a record for a sum after it: records.c */
    bool skips : 1;   /* the group leaves the instruction out: it is the last before it */
    bool counted : 1; /* a call which is sure to be inlined, and whose sums other sites make: sums.c */
};

/* What a plan asks for and cannot be had at some point. */
struct site_skip {
    uint32_t statement; /* of the action */
    uint32_t instruction;
    uint32_t count; /* of its actions */
    uint8_t reason; /* enum skip_reason (rewrite.h) */
};

/* A procedure in whose stead a routine is entered. */
struct site_replacement {
    uint32_t procedure, routine; /* index into plan.routines */
    uint32_t entry;              /* instruction: only who enters there; NO_INDEX: everywhere */
    bool retains;                /* it can still be called */
    bool has_arguments;          /* the routine gets these, else what the procedure would have got */
    uint32_t argument_count;
    const struct site_argument *arguments;
};

/* What is done at an event of an object, not at an instruction, in order: there are constants, strings and,
   alone, registers and $base. */
struct site_list {
    struct site *list;
    uint32_t count;
    size_t capacity;
};

struct object_events {
    struct site_list before, after;
    struct site_list forked; /* of the program: in a new process */
};

struct sites {
    uint32_t count, capacity;
    struct site *sites;           /* sorted by instruction, point, scope, action, then loop order */
    struct object_events program; /* before its first instruction, after its last; its own object's, too */
    uint32_t library_count;
    struct object_events *libraries; /* when one has been loaded, and before it is unloaded */
    uint32_t skip_count;
    struct site_skip *skips;
    struct skips skipped;
    uint32_t replacement_count;
    struct site_replacement *replacements; /* sorted by procedure */
    uint32_t records;                      /* so many at most for the sums of a block (records.c), */
    uint64_t first_record;                 /* ... as cells; only where there are no threads */
    struct site_array *arrays;   /* a list: one for each array and type of element that calls pass */
    uint64_t cells;              /* of all counters, in the order of plan.counters */
    uint64_t *cell_bases;        /* per counter, and one more: its first cell among all */
    uint64_t places_matched;     /* places selected, counted once per action */
    bool told_of_stock_tool;     /* a warning was given that one finds nothing in the program */
    struct shared_bytes *shared; /* what was made lately: sites_share() */
    struct arena *arena;         /* of all that, and itself */
};

/* ---- share.c ---- */

/* The bytes in the arena of the sites: those that were given lately, if they are equal. */
const void *sites_share(struct sites *sites, const void *bytes, size_t size);

/* ---- expressions.c ---- */

/* Does it hold of an expression? A visitor says no and goes on. */
typedef bool expression_predicate(const struct site_expression *expression, void *context);
/* Of it, or of one inside of it? */
bool expression_any(const struct site_expression *expression, expression_predicate *holds, void *context);
/* Is its value from 0 to below the count, whatever it depends on? */
bool expression_is_below(const struct site_expression *number, uint64_t count);
/* A value that is an argument is asked about as a PLAN_OP_VALUE. */
bool argument_any(const struct site_argument *argument, expression_predicate *holds, void *context);
/* Of what the site computes: guard, cell, amount, a histogram's value, arguments? */
bool site_any(const struct site *site, expression_predicate *holds, void *context);

/* ---- records.c ---- */

/* Sums at blocks' beginnings whose condition, cell or amount depends on values at run time: what these were
   is left in records, for the case that the block is not executed to its end. They are of each thread, and
   hold until another block is executed. Of a sum they are: which of its .cell_count cells, ATOMC_NO_RECORD if
   none; of a histogram the value; the values that the amount is computed of. False after an error: a block
   has more records than a site can name. */
bool records_add(const struct program *program, const struct plan *plan, struct sites *sites,
                 struct diagnostics *diagnostics);
/* How many records the sum has. */
uint32_t records_of(const struct site *site);

/* ---- skips.c ---- */

/* The call at the site is not made, at or after this instruction. */
void rewrite_skip(struct rewrite *rewrite, enum skip_reason reason, const struct site *site,
                  uint32_t instruction);
/* A warning, or an error if options say so, for each action that loses events. */
void skips_report(const struct rewrite *rewrite);
void skips_start(struct rewrite *rewrite);                     /* of a round */
void skips_print(const struct rewrite *rewrite, FILE *stream); /* --dump=skips */
/* What the selection could not place; after the others of the round. */
void skips_of_selection(struct rewrite *rewrite);

/* ---- select.c ---- */

/* Expands the plan. Reports actions whose selection is empty (a warning that says why it may be), dynamic
   values that have no meaning at a site ($addr at an instruction that is no load or store, $taken elsewhere
   than before a conditional branch ...: errors at the .atd line, with the first offending address), NULL
   after an error. */
struct sites *sites_select(const struct plan *plan, struct program *program, struct diagnostics *diagnostics);
void sites_destroy(struct sites *sites);
/* The copies are made: what is done in the text is not asked any more. */
void sites_forget(struct sites *sites);

/* ---- print.c ---- */

/* --dump=sites; `wanted`, by procedure: those to print, NULL: all, and what is in no procedure. */
void sites_print(const struct sites *sites, const struct plan *plan, const struct program *program,
                 const bool *wanted, FILE *stream);
/* What is done there, a line. */
void site_print_effect(const struct sites *sites, const struct site *site, const struct plan *plan,
                       FILE *stream);
extern const char *const site_point_words[]; /* by enum site_point */

/* ---- targets.c ---- */

/* Sites of one statement that each compare the target of an indirect jump become one, where they can. */
void sites_merge_targets(const struct program *program, struct sites *sites);

/* ---- verify.c ---- */

/* Are the sites sorted and inside of blocks? What is wrong, or NULL. */
const char *sites_verify(const struct sites *sites, const struct program *program);

#endif
