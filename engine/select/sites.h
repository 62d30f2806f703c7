/* sites.h: the plan applied to one program: the calls to make at each point of the text, with all static
   expressions folded. Made by select.c from the plan; used by the rewriter. */
#ifndef ATOMC_SITES_H
#define ATOMC_SITES_H

#include "engine/program.h"
#include "plan/plan.h"
#include "engine/machine/machine.h"

struct rewrite;

/* The cell's address in memory. */
static inline uint64_t cell_address(const struct machine *machine, uint64_t cell) {
    return machine->layout->cells + 8 * cell;
}

/* Reasons for omitting a call at a site. */
enum skip_reason {
#define SKIP(id, lost, text) SKIP_##id,
#include "engine/select/skips.def"
#undef SKIP
    SKIP_COUNT
};

extern const char *const skip_texts[SKIP_COUNT];

/* Calls of one statement that one reason prevented. */
struct skip {
    uint32_t statement, reason; /* index of its action; enum skip_reason */
    uint32_t example;           /* an instruction index */
    uint64_t count;
};

/* Calls that the copies could not make, in the latest round. */
struct skips {
    struct skip *list;
    uint32_t count, capacity;
    uint64_t calls[SKIP_COUNT];   /* the number of omitted calls, for each reason, */
    uint32_t example[SKIP_COUNT]; /* ... and an instruction */
};

/* The points at one instruction where calls are made; in execution order. */
enum site_point {
    SITE_ENTRY, /* control enters the procedure from outside here (its first instruction, the instruction
                   after the ldgp, and other alternate entries), not by a branch from inside; not by falling
                   through the ldgp */
    /* each time before the first instruction of a block to which only one path leads, before everything at
       SITE_BEFORE */
    SITE_ARRIVE,
    SITE_BEFORE, /* each time before the instruction executes */
    SITE_AFTER,  /* each time after it: for calls, on return; for conditional branches, on both outgoing
                    paths; for unconditional transfers, just before the transfer, after all sites at
                    SITE_BEFORE */
    /* where it transfers control, after all sites at SITE_AFTER: for conditional branches only if taken */
    SITE_TAKEN,
    SITE_FALLTHROUGH, /* where control continues with the next instruction, after all sites at SITE_AFTER; for
                         a call on return */
};

enum site_argument_kind {
    SITE_CONSTANT,
    SITE_STRING,
    SITE_VALUE,
    SITE_COMPUTED,
    SITE_ARRAY,
    SITE_BUFFER,
    SITE_ROUTINE, /* the address of routine .constant of the plan */
    SITE_REPLACED /* enum plan_replaced in .constant; of replacements only */
};

/* An array for C, folded. */
struct site_array {
    uint32_t array; /* index into plan.arrays */
    enum plan_c_type element;
    uint32_t count;
    const void *bytes; /* the elements, in memory format; NULL: strings */
    const char *const *strings;
    uint32_t address; /* address in the tables of the rewriter, which sets it; 0: not yet */
    struct site_array *next;
};

struct site_argument {
    uint8_t kind;  /* enum site_argument_kind */
    uint8_t value; /* enum plan_value, if kind is SITE_VALUE */
    /* PLAN_VALUE_REGISTER: its number, 0-63, also for arguments in registers and results;
       PLAN_VALUE_ARGUMENT: its number, from 6, also for floating-point numbers */
    uint8_t operand;
    bool floating; /* passed as floating point: a constant's 64 bits, or a floating-point register */
    bool single;   /* for a float parameter: the value has to be rounded */
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
    uint32_t count;     /* a cell with a number outside of these does not exist: it reads as 0 */
    bool unset_is_zero; /* a cell that holds .initial reads as 0 */
    int64_t initial;
};

/* A dynamic expression whose static parts are folded: operators over constants and values. PLAN_OP_INTEGER,
   PLAN_OP_VALUE (in .leaf, as an argument), PLAN_OP_CELL, PLAN_OP_MEMORY (operand[0] its address, .leaf its
   size), PLAN_OP_STATIC if there are libraries, PLAN_OP_ELEMENT (.leaf an array of PLAN_C_INT; a number out
   of range gives element 0), and the operators from PLAN_OP_NOT to PLAN_OP_CONDITIONAL, on signed 64-bit
   integers; comparisons and logic give 0 or 1. Divisors and shift counts may have any value; division by zero
   gives 0. */
struct site_expression {
    enum plan_operator op;
    struct site_argument leaf;
    const struct site_expression *operand[3];
    const struct site_cell *cell; /* PLAN_OP_CELL: operand[0] is the number of the cell */
};

/* The instructions of a block that add the same amount to a sum over it. */
struct site_length_part {
    int64_t each;
    const uint8_t *chosen; /* a bit for each of the block's instructions that counts; NULL: all count */
    uint64_t count;        /* the number of these */
};
/* An amount computed from the executed part of a block and from run-time values: postfix code
   (plan/commands.h) whose arguments are the numbers of executed instructions, loads and stores, then the
   values.
 */
struct site_amount {
    uint32_t code_count, noted_count;
    const struct command_instruction *code;
    const struct site_expression *const *noted; /* the values, as of when the sum is made */
    const uint8_t *loads, *stores;              /* a bit for each of the block's instructions */
};
/* How a sum's amount depends on the block that begins here: by parts, or by a computed amount. */
struct site_lengths {
    uint64_t part_count;
    const struct site_length_part *parts;
    const struct site_amount *amount;
};

/* The common part of a site's data: shared where equal. */
struct slow_call;
struct site_action {
    uint32_t statement; /* number in the plan's action: the order within a scope */
    const struct site_expression
        *guard;           /* NULL: always. A static guard is folded. If it is false, there is no site */
    int64_t sample;       /* n: executed every n-th time that the guard holds; 0: each time */
    uint64_t sample_cell; /* the counter for this: its number among all cells of the plan */
    uint32_t counter;     /* PLAN_ACTION_UPDATE: index into plan.counters */
    uint32_t cell_count;  /* index of the counter; an update of a dynamic number out of range is not made */
    const struct site_expression *cell; /* dynamic; NULL: the cell is known */
    const struct site_expression *amount;
    /* For a histogram: .cell selects a group of cells, one cell for each bucket; .value selects the
       bucket. */
    const struct plan_buckets *buckets; /* NULL: it is a counter */
    const struct site_expression *value;
    const struct site_lengths *lengths; /* for a sum over its block; NULL: it is not a sum */
    uint32_t routine;                   /* PLAN_ACTION_CALL: index into plan.routines */
    uint32_t argument_count;
    /* called instead of the routine (site.h); NULL: the routine itself */
    const struct slow_call *slow;
    const struct plan_command *command;     /* ... that has sums over its block; else NULL */
    const struct site_lengths *const *sums; /* ... for each of its effects, like .lengths */
};

/* A program may have millions of sites: 32 bytes each. */
struct site {
    uint32_t instruction;
    /* Sites of one group are consecutive: they are the effects of one statement at one place, and share
       guard and sampling, which are evaluated once. */
    uint32_t group;
    const struct site_action *action;
    union {
        /* for an update: the number of its cell among all cells of the plan; with .action->cell, the number
           of its first cell */
        uint64_t cell_base;
        const struct site_argument *arguments; /* arguments of a call; shared where equal */
    };
    uint8_t point;  /* enum site_point */
    uint8_t scope;  /* enum plan_place of the action: outer scopes are earlier */
    uint8_t kind;   /* enum plan_action_kind */
    uint8_t update; /* enum plan_update, of an update */
    /* For a sum that depends on run-time values: 1 + the number of its first record. For a site that records:
       the record that it sets. Else 0. */
    uint16_t record;
    bool notes : 1;   /* an update that sets a record for a later sum: records.c */
    bool skips : 1;   /* the group skips the instruction: it is the last before it */
    bool counted : 1; /* a call that is certain to be inlined, and whose sums other sites make: sums.c */
};

/* An effect that the plan requests and that is impossible at some point. */
struct site_skip {
    uint32_t statement; /* of the action */
    uint32_t instruction;
    uint32_t count; /* of its actions */
    uint8_t reason; /* enum skip_reason (rewrite.h) */
};

/* A procedure that a routine replaces. */
struct site_replacement {
    uint32_t procedure, routine; /* index into plan.routines */
    /* an instruction: only for control that enters at the instruction; NO_INDEX: everywhere */
    uint32_t entry;
    bool retains;       /* analysis routines can still call it */
    bool has_arguments; /* the routine receives these arguments; else the procedure's arguments */
    uint32_t argument_count;
    const struct site_argument *arguments;
};

/* Effects at an event of an object, not at an instruction, in order: their values are constants, strings
   and, alone, registers and $base. */
struct site_list {
    struct site *list;
    uint32_t count;
    size_t capacity;
};

struct object_events {
    struct site_list before, after;
    struct site_list forked; /* after forks of the program: in a new process */
};

struct sites {
    uint32_t count, capacity;
    struct site *sites; /* sorted by instruction, point, scope, action, then loop order */
    /* before its first instruction, after its last; including the calls of its own object */
    struct object_events program;
    uint32_t library_count;
    struct object_events *libraries; /* after one has been loaded, and before it is unloaded */
    uint32_t skip_count;
    struct site_skip *skips;
    struct skips skipped;
    uint32_t replacement_count;
    struct site_replacement *replacements; /* sorted by procedure */
    uint32_t records;                      /* the most records of the sums of a block (records.c), */
    uint64_t first_record;                 /* ... as cells; only if there are no threads */
    struct site_array *arrays;   /* a list: one for each array and type of element that calls pass */
    uint64_t cells;              /* of all counters, in the order of plan.counters */
    uint64_t *cell_bases;        /* per counter, plus one: the number of its first cell */
    uint64_t places_matched;     /* places selected, counted once per action */
    bool told_of_stock_tool;     /* a warning was given that a stock tool finds nothing in the program */
    struct shared_table *shared; /* all shared data: sites_share() */
    struct arena *arena;         /* holds all of this, and the struct itself */
};

/* ---- share.c ---- */

/* The bytes in the arena of the sites: equal ones if they were shared before. Equal shared data have one
 * address. */
const void *sites_share(struct sites *sites, const void *bytes, size_t size);
/* Frees the table of shared data; the data remain. */
void sites_end_sharing(struct sites *sites);

/* ---- expressions.c ---- */

/* A predicate of expressions. A visitor returns false to continue. */
typedef bool expression_predicate(const struct site_expression *expression, void *context);
/* True if it holds for the expression, or for one inside of it. */
bool expression_any(const struct site_expression *expression, expression_predicate *holds, void *context);
/* True if its value is always from 0 to below the count. */
bool expression_is_below(const struct site_expression *number, uint64_t count);
/* A value that is an argument is passed to the predicate as a PLAN_OP_VALUE. */
bool argument_any(const struct site_argument *argument, expression_predicate *holds, void *context);
/* True if it holds for a part of the site: guard, cell, amount, a histogram's value, arguments. */
bool site_any(const struct site *site, expression_predicate *holds, void *context);

/* ---- records.c ---- */

/* For sums at blocks' beginnings whose condition, cell or amount depends on run-time values: these values are
   stored in records, in case the block is not executed to its end. Each thread has its own records, valid
   until another block is executed. The records of a sum: the number of its cell among .cell_count,
   ATOMC_NO_RECORD if none; for a histogram the value; the values that the amount is computed from. Returns
   false after an error: a block has more records than a site can name. */
bool records_add(const struct program *program, const struct plan *plan, struct sites *sites,
                 struct diagnostics *diagnostics);
/* The number of the sum's records. */
uint32_t records_of(const struct site *site);

/* ---- skips.c ---- */

/* The call at the site is omitted, at or after this instruction. */
void rewrite_skip(struct rewrite *rewrite, enum skip_reason reason, const struct site *site,
                  uint32_t instruction);
/* Reports a warning, or an error if options require, for each action that loses events. */
void skips_report(const struct rewrite *rewrite);
void skips_start(struct rewrite *rewrite);                     /* initializes for a new round */
void skips_print(const struct rewrite *rewrite, FILE *stream); /* --dump=skips */
/* Adds skips that the selection could not place, after the other skips of the round. */
void skips_of_selection(struct rewrite *rewrite);

/* ---- select.c ---- */

/* Applies the plan. Reports actions whose selection is empty (a warning with a possible reason), and
   dynamic values without a meaning at a site ($addr at an instruction other than a load or store, $taken
   other than before a conditional branch ...: errors at the .atd line, with the first such address).
   Returns NULL after an error. */
struct sites *sites_select(const struct plan *plan, struct program *program, struct diagnostics *diagnostics);
void sites_destroy(struct sites *sites);
/* The copies are made: the sites in the text are no longer needed. */
void sites_forget(struct sites *sites);

/* ---- print.c ---- */

/* --dump=sites; `wanted`, by procedure: procedures to print; NULL: all, including sites outside of
   procedures. */
void sites_print(const struct sites *sites, const struct plan *plan, const struct program *program,
                 const bool *wanted, FILE *stream);
/* The site's effect, in one line. */
void site_print_effect(const struct sites *sites, const struct site *site, const struct plan *plan,
                       FILE *stream);
extern const char *const site_point_words[]; /* by enum site_point */

/* ---- targets.c ---- */

/* Merges sites of one statement that each compare the target of an indirect jump, where possible. */
void sites_merge_targets(const struct program *program, struct sites *sites);

/* ---- verify.c ---- */

/* Checks that the sites are sorted and inside of blocks. Returns a description of the error, or NULL. */
const char *sites_verify(const struct sites *sites, const struct program *program);

#endif
