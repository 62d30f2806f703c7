/* plan.h: the instrumentation plan, the seam between the .atd compiler (or the C escape hatch) and the
   engine. It knows neither an AST nor an instruction: places, selections over them, and what to do there. */
#ifndef ATOMC_PLAN_H
#define ATOMC_PLAN_H

#include "codegen/classes.h"
#include "plan/commands.h"
#include "plan/operators.h"
#include "support/support.h"

/* Kinds of place, outermost scope first (ATOM's scope hierarchy, atom_application_instrumentation(5)). */
enum plan_place {
    PLAN_PROGRAM,
    PLAN_OBJECT, /* what was linked into one file */
    PLAN_PROCEDURE,
    PLAN_ENTRY, /* where a procedure is entered */
    PLAN_LOOP,  /* a natural loop */
    PLAN_BLOCK,
    PLAN_EDGE,     /* a way from block to block inside a procedure */
    PLAN_CALLSITE, /* a call instruction */
    PLAN_SYSTEM_CALL,
    PLAN_INSTRUCTION,
    PLAN_DATA,     /* an object of the program's data: nothing is done there */
    PLAN_POSITION, /* a source line in a block: nothing is done there */
    PLAN_BUCKET,   /* of a histogram, or a cell of a counter: rows of reports only */
    PLAN_PLACE_COUNT
};

enum plan_when {
    PLAN_BEFORE, /* of a loop: when control reaches it from outside */
    PLAN_AFTER,  /* of a loop: when control leaves it along an edge */
    PLAN_ON,     /* an edge; of the program: in a process that has come out of a fork, before it goes on */
    PLAN_BACK,   /* a loop: when control goes back to its header */
    PLAN_WHEN_COUNT
};

/* How control goes along an edge. */
enum plan_edge_kind {
    PLAN_EDGE_FALLTHROUGH, /* to the next instruction; after a call when it returns */
    PLAN_EDGE_TAKEN,       /* by a branch */
    PLAN_EDGE_TABLE,       /* by a jump through a table */
    PLAN_EDGE_COUNT
};

/* Types of static and dynamic values. */
enum plan_type {
    PLAN_TYPE_ERROR, /* the checker's "already reported"; never in a finished plan */
    PLAN_TYPE_BOOLEAN,
    PLAN_TYPE_INTEGER, /* signed 64 bits */
    PLAN_TYPE_STRING,
    PLAN_TYPE_CLASS,     /* an instruction class, enum instruction_class */
    PLAN_TYPE_REGISTER,  /* 0-31 integer, 32-63 floating point, -1 not used */
    PLAN_TYPE_EDGE_KIND, /* enum plan_edge_kind */
    PLAN_TYPE_ARRAY,     /* a plan_array: to be passed only */
    PLAN_TYPE_DOUBLE,    /* a floating-point number of the program: to be passed only */
    PLAN_TYPE_PROGRAM,   /* places, in the order of enum plan_place: handles given out by the engine */
    PLAN_TYPE_OBJECT,
    PLAN_TYPE_PROCEDURE,
    PLAN_TYPE_ENTRY,
    PLAN_TYPE_LOOP,
    PLAN_TYPE_BLOCK,
    PLAN_TYPE_EDGE,
    PLAN_TYPE_CALLSITE,
    PLAN_TYPE_SYSTEM_CALL,
    PLAN_TYPE_INSTRUCTION,
    PLAN_TYPE_DATA,
    PLAN_TYPE_POSITION,
    PLAN_TYPE_BUCKET,
};

/* Static attributes of places: attributes.def is the one table; the checker, `atomc info`, the manual
   and the engine's evaluation are generated from it or checked against it. */
enum plan_attribute {
#define ATTRIBUTE(id, place, word, type, help)          PLAN_ATTRIBUTE_##id,
#define REGISTER_ATTRIBUTE(id, place, word, type, help) PLAN_ATTRIBUTE_##id,
#include "attributes.def"
#undef ATTRIBUTE
#undef REGISTER_ATTRIBUTE
    PLAN_ATTRIBUTE_COUNT
};

/* Values known only when the program runs ($ words): values.def. PLAN_VALUE_MEMORY and _STATIC, which are of
   expressions, are PLAN_OP_MEMORY and _STATIC in plans. */
enum plan_value {
#define VALUE(id, word, type, operand, help) PLAN_VALUE_##id,
#include "values.def"
#undef VALUE
    PLAN_VALUE_COUNT
};

struct plan_attribute_info {
    enum plan_place place;
    const char *word;    /* as written after the dot */
    bool takes_register; /* in parentheses after the word */
    enum plan_type type;
    const char *help;
};
struct plan_value_info {
    const char *word; /* as written, `$` included */
    enum plan_type type;
    uint8_t operands; /* how many: `$(register)` and the like */
    const char *help;
};
extern const struct plan_attribute_info plan_attributes[PLAN_ATTRIBUTE_COUNT];
extern const struct plan_value_info plan_values[PLAN_VALUE_COUNT];
extern const char *const plan_class_words[CLASS_COUNT];
extern const char *const plan_place_words[PLAN_PLACE_COUNT];
extern const char *const plan_place_plurals[PLAN_PLACE_COUNT];
extern const char *const plan_edge_words[PLAN_EDGE_COUNT];
struct plan_expression;
/* Do they say the same? NULL is equal to NULL. */
bool plan_same_expression(const struct plan_expression *a, const struct plan_expression *b);
/* True if it is the address of something, or what is added to one. */
bool plan_attribute_is_address(enum plan_attribute attribute);
/* Does a place of kind `outer` contain places of kind `inner`, to loop over? */
bool plan_contains(enum plan_place outer, enum plan_place inner);
/* "before", "on entry", ... */
const char *plan_when_words(enum plan_place place, enum plan_when when);
/* Has it a meaning to do something before, after ... a place of this kind? */
bool plan_allows(enum plan_place place, enum plan_when when);
static inline enum plan_type plan_place_type(enum plan_place place) {
    return (enum plan_type)(PLAN_TYPE_PROGRAM + (int)place);
}
/* The kind of place of a type from PLAN_TYPE_PROGRAM on. */
static inline enum plan_place plan_type_place(enum plan_type type) {
    return (enum plan_place)((int)type - PLAN_TYPE_PROGRAM);
}
const char *plan_type_name(enum plan_type type);
static inline bool plan_type_is_text(enum plan_type type) {
    return type == PLAN_TYPE_STRING || type == PLAN_TYPE_CLASS || type == PLAN_TYPE_EDGE_KIND;
}

enum plan_replaced {
    PLAN_REPLACED_ARGUMENTS, /* the address of its arguments, 8 bytes each; floating-point ones 48 bytes below
                              */
    PLAN_REPLACED_ADDRESS    /* an address to call it by all the same */
};

/* What a file of the user's lists: integers, or strings; in order. */
struct plan_list {
    const char *path; /* as the tool has it */
    uint32_t count;
    const int64_t *integers; /* NULL: strings */
    const char *const *strings;
};

struct plan_expression {
    enum plan_operator op;
    enum plan_type type;
    bool dynamic; /* contains a PLAN_OP_VALUE or _MEMORY, or in an action a PLAN_OP_CELL */
    struct source_span where;
    union {
        int64_t integer;
        const char *string;
        uint32_t variable;
        enum plan_attribute attribute;
        uint32_t set;
        enum plan_value value;
        uint32_t counter;
        uint32_t function;
        uint32_t buffer;
        uint32_t array;
        const struct plan_list *list;
    };
    const struct plan_expression *operand[3];
};

/* One level of iteration: every place of `kind` in the domain for which `condition` holds. */
enum plan_domain {
    PLAN_DOMAIN_ALL,          /* all of the program */
    PLAN_DOMAIN_SET,          /* the members of .set, in number order */
    PLAN_DOMAIN_CONTAINED,    /* the places of `kind` inside the place of loop .container */
    PLAN_DOMAIN_SUCCESSORS,   /* the blocks that control may go on to from the block of loop .container */
    PLAN_DOMAIN_PREDECESSORS, /* those that it may come from */
    PLAN_DOMAIN_ONE,          /* the place number .set */
    PLAN_DOMAIN_KEYS,         /* of a report, the outermost: the keys of counter .histogram */
    PLAN_DOMAIN_BUCKETS /* the buckets of histogram .histogram, in the order of their values; of a counter
                           with a number of cells, these */
};
struct plan_loop {
    const char *name; /* the variable, for the printed form */
    enum plan_place kind;
    enum plan_domain domain;
    uint32_t set;
    uint32_t container;
    uint32_t histogram;
    const struct plan_expression *condition; /* NULL: always true */
};

/* A set of places of one kind: what the innermost of some loops reaches, or made of two sets before it.
   Members are numbered densely in address order. */
enum plan_set_form { PLAN_SET_SELECTION, PLAN_SET_UNION, PLAN_SET_INTERSECTION, PLAN_SET_DIFFERENCE };
struct plan_set {
    const char *name;
    struct source_span where;
    enum plan_place kind; /* of its members */
    enum plan_set_form form;
    uint32_t loop_count; /* PLAN_SET_SELECTION: outermost first; PLAN_OP_VARIABLE indexes these */
    const struct plan_loop *loops;
    uint32_t left, right; /* otherwise: sets */
};

enum plan_c_type { /* parameter types of analysis routines, from their DWARF */
                   PLAN_C_VOID,
                   PLAN_C_CHAR, /* 8 bits; signedness beside */
                   PLAN_C_SHORT,
                   PLAN_C_INT,  /* 32 bits */
                   PLAN_C_LONG, /* 64 bits */
                   PLAN_C_POINTER,
                   PLAN_C_STRING, /* char * */
                   PLAN_C_FLOAT,
                   PLAN_C_DOUBLE,
                   PLAN_C_OTHER, /* structures and what else can't be passed */
};
struct plan_parameter {
    enum plan_c_type type;
    bool is_unsigned;
    enum plan_c_type element; /* PLAN_C_POINTER, PLAN_C_STRING: what it points to; PLAN_C_STRING: char * */
    bool element_unsigned;
    const char *name;    /* may be NULL */
    const char *spelled; /* the C spelling, for messages */
};
struct plan_routine {
    const char *name; /* of its symbol: with several tools TOOL.NAME */
    const char *file; /* C source file and line of the definition; may be NULL, 0 */
    uint32_t line;
    bool prototyped; /* false: (), arguments are not checked */
    bool variadic;
    bool own; /* the runtime's: for a command */
    enum plan_c_type result;
    uint32_t parameter_count;
    const struct plan_parameter *parameters;
};

/* C functions of the user's that static expressions call; whoever loads them fills in .call and what follows.
 */
enum { PLAN_FUNCTION_PARAMETERS = 6 };
struct plan_argument {
    const char *string;
    int64_t integer; /* also the index of a place */
};
struct plan_function {
    const char *name;
    uint32_t file;         /* number of its C file among the tool's */
    enum plan_type result; /* PLAN_TYPE_INTEGER, _BOOLEAN or _STRING */
    enum plan_c_type result_c;
    uint32_t parameter_count;
    enum plan_type parameters[PLAN_FUNCTION_PARAMETERS];
    struct plan_argument (*call)(const struct plan_function *function, const struct plan_argument *arguments);
    const struct atom_library *library;
    void *address;
};

/* Memory of the instrumented program that routines get the address of. */
struct plan_buffer {
    const void *bytes;
    uint32_t size;
    bool writable;
    bool own; /* a command's or a keyed counter's */
    /* Not .bytes, but a table of the addresses of instructions in the instrumented program. */
    bool translates;
    uint32_t translation_count;
    const struct plan_translation *translations;
};
struct plan_translation {
    uint32_t instruction; /* its number */
    bool entry;           /* where control from outside enters the procedure there */
};

/* A parameter with its value. */
struct plan_constant {
    const char *name, *help;
    enum plan_type type; /* PLAN_TYPE_INTEGER, PLAN_TYPE_BOOLEAN, PLAN_TYPE_STRING */
    int64_t integer;
    const char *string;
};

/* A tool of the plan, with its parameters. */
struct plan_tool {
    const char *name;
    uint32_t constant_count;
    const struct plan_constant *constants;
};

/* A read-only array, an element for each place that the loop selects, in that order; static. Its elements are
   of the C type that a parameter points to. */
struct plan_array {
    const char *name;
    struct source_span where;
    struct plan_loop loop;
    const struct plan_expression
        *value; /* an integer, boolean, register or string; variable 0 is the loop's */
};

/* The set must have members, in a program that shows all that it has. */
struct plan_need {
    const char *tool, *what;
    struct source_span where;
    bool is_stock; /* the tool comes with atomc */
    uint32_t set;
};

/* Counters: signed 64-bit cells, updated by the engine without a call. One cell for each member of a set, a
   number of them that the tool gives, or a single one. A counter is updated in one way only: += (and ++, -=),
   max=, min= or =. Cells start at 0; those
   of max= and min= at the least and greatest integer, and read as 0 if they were never updated. */
enum plan_counter_kind {
    PLAN_COUNTER,
    PLAN_SWITCH, /* a single cell, 0 or 1, that actions set */
    PLAN_SAMPLE, /* a single cell, without a name: what `sample` has counted since the last that was done */
    PLAN_HISTOGRAM, /* for each member as many cells as there are buckets */
};
/* The buckets of a histogram, in the order of their values. Logarithmic: negative values, 0, and [2^n,
   2^(n+1)) for each n from 0 to 62. Linear: what is below .low, `count - 2` of .step values each (the last
   may be cut), what is at least .high. */
struct plan_buckets {
    bool logarithmic;
    int64_t low, high, step;
    uint32_t count;
};
enum { PLAN_LOGARITHMIC_BUCKETS = 65, PLAN_MOST_BUCKETS = 1 << 16 };
uint32_t plan_bucket_of(const struct plan_buckets *buckets, int64_t value);
int64_t plan_bucket_low(const struct plan_buckets *buckets, uint32_t bucket); /* the least value in it */
int64_t plan_bucket_high(const struct plan_buckets *buckets, uint32_t bucket);

enum { PLAN_MOST_KEYS = COMMAND_MOST_KEYS - 1 };
enum plan_update { PLAN_UPDATE_ADD, PLAN_UPDATE_MAXIMUM, PLAN_UPDATE_MINIMUM, PLAN_UPDATE_SET };
#define PLAN_SINGLE_CELL UINT32_MAX
enum { PLAN_MOST_CELLS = 1 << 23 }; /* that a tool can ask for by number: they must have room */
struct plan_counter {
    const char *name;
    struct source_span where;
    enum plan_counter_kind kind;
    uint32_t set;                       /* whose members number its cells, or PLAN_SINGLE_CELL */
    const struct plan_expression *size; /* static: so many cells, .set is PLAN_SINGLE_CELL; NULL: not given */
    enum plan_update update;
    int64_t initial;             /* what a switch starts with */
    struct plan_buckets buckets; /* of a histogram */
    bool live;                   /* what it holds is wanted while the program runs, by others than sites */
    bool forks;                  /* in a child it begins at the fork: no C of the tool's counts besides */
    uint32_t key_count;          /* keyed by so many values, of these types; it has no cells then */
    enum plan_type keys[PLAN_MOST_KEYS];
    bool stacks[PLAN_MOST_KEYS], others[PLAN_MOST_KEYS]; /* some update has `$stack` for it; another value */
    bool per_thread;                                     /* and by the thread */
    uint32_t limit;                                      /* of keys */
    uint32_t table;                                      /* its buffer */
};
/* Are its values in a table that the runtime has? */
static inline bool plan_is_keyed(const struct plan_counter *counter) {
    return counter->key_count > 0 || counter->per_thread;
}
/* True if it has cells to choose from. */
static inline bool plan_has_cells(const struct plan_counter *counter) {
    return counter->set != PLAN_SINGLE_CELL || counter->size;
}
/* What the counter's cells start with. Those of max= and min= mean 0 as long as they hold it. */
int64_t plan_initial(const struct plan_counter *counter);
bool plan_initial_means_zero(const struct plan_counter *counter);

/* One table, written after the program (after all calls `after program`), row by row over the places that the
 * loop selects. */
enum plan_column_format {
    PLAN_COLUMN_TEXT,
    PLAN_COLUMN_DECIMAL,
    PLAN_COLUMN_HEXADECIMAL,
    PLAN_COLUMN_PERCENT,
    PLAN_COLUMN_GREATEST, /* decimal; of a group the greatest, where others are summed */
    PLAN_COLUMN_REAL      /* .value is a PLAN_OP_QUOTIENT */
};
struct plan_column {
    const char *title;
    enum plan_column_format format;
    const struct plan_expression *value; /* static expressions, PLAN_OP_CELL and operators over them;
                                            variables are the report's loops */
    const char *unit;                    /* as the tool says it; NULL: it does not */
};

/* How a table is shown as a picture. */
enum plan_display_kind {
#define DISPLAY(identifier, ...) PLAN_DISPLAY_##identifier,
#include "plan/displays.def"
#undef DISPLAY
    PLAN_DISPLAY_COUNT
};
enum { PLAN_DISPLAY_COLUMNS = 3 };
enum plan_display_need {
    PLAN_NEED_NONE,
    PLAN_NEED_NUMBER,
    PLAN_NEED_KEY,  /* a text or a number */
    PLAN_NEED_STACK /* a text key of a keyed counter: frames with ; between them */
};
struct plan_display_info {
    const char *word, *help;
    struct {
        const char *word; /* before the column; of the first "" */
        enum plan_display_need need;
    } columns[PLAN_DISPLAY_COLUMNS];
};
extern const struct plan_display_info plan_displays[PLAN_DISPLAY_COUNT];
/* As it is written: bars COLUMN by COLUMN. The length, as snprintf() returns it. */
size_t plan_display_form(enum plan_display_kind kind, char *text, size_t size);
struct plan_display {
    enum plan_display_kind kind;
    uint32_t columns[PLAN_DISPLAY_COLUMNS]; /* of the report, as many as the kind needs */
};

struct plan_report {
    struct source_span where;
    const char *tool;              /* whose report it is */
    const char *stock_tool;        /* that, if it comes with atomc; else NULL */
    const char *path;              /* file name; "-" standard output, "!" standard error */
    uint32_t loop_count;           /* 0: a single row */
    const struct plan_loop *loops; /* outermost first: a row for each turn of the innermost */
    const struct plan_expression
        *filter;          /* rows for which it holds, evaluated when the report is written; NULL: all */
    uint32_t group_count; /* static expressions: rows in which all are equal are one; 0: each for itself */
    const struct plan_expression *const *groups;
    const struct plan_expression *key; /* sorted by it; NULL: in the order of the places */
    bool descending;
    bool total;     /* a last line with the sums of the numeric columns */
    uint32_t limit; /* at most so many rows, 0: all */
    bool is_text;   /* a row is its columns' values as they are, no table */
    bool joins;     /* it goes on in the file of the report before */
    uint32_t column_count;
    const struct plan_column *columns;
    const struct plan_display *display; /* NULL: readers choose */
    /* Written while the program runs, too, with a first column that tells when: */
    enum plan_every {
        PLAN_EVERY_END,          /* no, at its end only */
        PLAN_EVERY_MILLISECONDS, /* so many pass; looked at where a counter of its is updated */
        PLAN_EVERY_EVENTS,       /* so many are counted by a counter */
        PLAN_EVERY_SIGNAL        /* the signal .every_count comes */
    } every;
    int64_t every_count;
    /* Counters of one cell, but not of signals: when the first has reached the second, the runtime is called.
     */
    uint32_t every_counter, every_due;
};

enum plan_action_kind {
    PLAN_ACTION_CALL,
    PLAN_ACTION_UPDATE,
    PLAN_ACTION_SET,    /* a register of the program, .value, becomes .amount */
    PLAN_ACTION_SKIP,   /* the instruction is not executed */
    PLAN_ACTION_REPLACE /* a procedure, or one entry: .routine is entered in its stead */
};

/* What an action does on the analysis side, as the tool says it; how, is in a buffer (plan/commands.h). */
struct plan_effect {
    enum plan_effect_kind { PLAN_EFFECT_UPDATE, PLAN_EFFECT_PRINT } kind;
    uint32_t counter;
    const struct plan_expression *keys;                  /* PLAN_OP_ARGUMENTs, NULL: it has none */
    const struct plan_expression *cell, *amount, *value; /* as in an action */
    const char *format, *file;                           /* PLAN_EFFECT_PRINT; file: as a report's */
    struct source_span where;
    uint32_t value_count;
    const struct plan_expression *const *values;
    uint64_t limit; /* lines; 0: all */
    bool per_second;
    bool is_length; /* an amount that may count what the block executes is added */
    bool notes;     /* ... and depends on what is known on the analysis side only: the command notes it */
    uint32_t first_noted; /* ... the record of the first value that it depends on, of the command's from 0 */
};
struct plan_command {
    const struct plan_expression *guard; /* what the action's own does not decide; NULL: nothing */
    int64_t sample;                      /* as in an action */
    uint32_t effect_count;
    const struct plan_effect *effects;
    /* Records (engine/select/records.c) for effects that are lengths: first, for each effect, which cell it
       has changed, then values that amounts depend on. */
    uint32_t record_count,
        records_argument; /* 0: there is none of these; which argument is the number of the first record */
};

/* What is done at each place that the loops select. Actions are applied in the order of the plan;
   at one point, outer scopes go first, then this order (docs/language.md). Actions of one statement follow
   each other and differ in what is done only: at a place they are done together, and whether is decided once.
 */
struct plan_action {
    struct source_span where;
    const char *stock_tool; /* the tool that comes with atomc whose it is; NULL: it is the user's */
    uint32_t statement;     /* its number */
    uint32_t loop_count;
    const struct plan_loop *loops; /* outermost first; PLAN_OP_VARIABLE indexes these */
    enum plan_place place;         /* kind of the place instrumented */
    uint32_t place_variable;       /* index of its loop; meaningless for PLAN_PROGRAM */
    enum plan_when when;
    enum plan_action_kind kind;
    const struct plan_expression *guard; /* `when`: static or dynamic; NULL: always */
    int64_t
        sample; /* n: done at every n-th of the statement's events for which the guard holds; 0: at each */
    uint32_t sample_counter; /* that counts them */
    /* PLAN_ACTION_UPDATE: cell number .cell (NULL: the single cell) of counter .counter, by .amount; of a
       histogram the bucket there that .value is in. All may be dynamic. */
    uint32_t counter;
    const struct plan_expression *cell, *amount, *value;
    uint32_t routine; /* PLAN_ACTION_CALL, PLAN_ACTION_REPLACE: index into plan.routines */
    uint32_t argument_count;
    const struct plan_expression *const *arguments;
    const struct plan_command *command; /* PLAN_ACTION_CALL of the runtime's: what it is for; else NULL */
    /* PLAN_ACTION_REPLACE: the routine gets .arguments, not what the procedure would have got as it is; the
       procedure can still be called. */
    bool has_arguments, retains;
};

struct plan {
    const char *name; /* of the tool */
    const char *description;
    uint32_t set_count;
    const struct plan_set *sets;
    uint32_t routine_count;
    const struct plan_routine *routines; /* those called */
    uint32_t buffer_count;
    const struct plan_buffer *buffers;
    uint32_t function_count;
    const struct plan_function *functions;
    uint32_t constant_count; /* the tool's parameters, for its C */
    const struct plan_constant *constants;
    uint32_t tool_count; /* of tools that were merged, each */
    const struct plan_tool *tools;
    uint32_t need_count;
    const struct plan_need *needs;
    uint32_t array_count;
    const struct plan_array *arrays;
    uint32_t counter_count;
    const struct plan_counter *counters;
    uint32_t report_count;
    const struct plan_report *reports;
    uint32_t action_count;
    const struct plan_action *actions;
    struct arena *arena; /* owns everything above */
};

/* ---- plan.c ---- */

/* As it is printed before its operand. */
void plan_print_prefix(enum plan_operator op, FILE *stream);
/* Static expressions report an operand for which an operator has no meaning: false, and with what message. */
bool plan_operand_fits(enum plan_operator op, int64_t operand, enum message *complaint);
const char *plan_update_word(enum plan_update update);
void plan_print(const struct plan *plan, FILE *stream); /* --dump=plan */
void plan_destroy(struct plan *plan);
/* Of an element of an array of this type. */
unsigned c_type_bits(enum plan_c_type type);

/* ---- lengths.c ---- */

/* Is the amount computed of b.ninsts, b.nloads or b.nstores? In conditions and comparisons these say what the
 * block is. */
bool plan_counts_length(const struct plan_expression *amount);
/* What such an amount depends on at run time: the values that these are computed with, in order. Returns how
 * many there are. */
typedef void plan_visitor(const struct plan_expression *value, void *context);
uint32_t plan_noted_values(const struct plan_expression *amount, plan_visitor *visit, void *context);

/* ---- merge.c ---- */

/* The plans of several tools as one: their actions in the order of the tools, the names of sets, counters and
   routines with a prefix and a dot before them. The parts stay as they are, and must outlive it. NULL after
   an error: two that write one file. */
struct plan *plans_merge(const struct plan *const *parts, const char *const *prefixes, uint32_t count,
                         struct diagnostics *diagnostics);

#endif
