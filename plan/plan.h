/* plan.h: the instrumentation plan, the interface between the .atd compiler (or C that instruments) and the
   engine. It contains neither an AST nor instructions: only places, selections of places, and actions
   there. */
#ifndef ATOMC_PLAN_H
#define ATOMC_PLAN_H

#include "codegen/classes.h"
#include "plan/commands.h"
#include "plan/operators.h"
#include "support/support.h"

/* Kinds of place, outermost scope first (ATOM's scope hierarchy, atom_application_instrumentation(5)). */
enum plan_place {
    PLAN_PROGRAM,
    PLAN_OBJECT, /* the contents of one file */
    PLAN_PROCEDURE,
    PLAN_ENTRY, /* an entry of a procedure */
    PLAN_LOOP,  /* a natural loop */
    PLAN_BLOCK,
    PLAN_EDGE,     /* a transition from block to block inside a procedure */
    PLAN_CALLSITE, /* a call instruction */
    PLAN_SYSTEM_CALL,
    PLAN_INSTRUCTION,
    PLAN_DATA,     /* an object of the program's data: no actions */
    PLAN_POSITION, /* a source line in a block: no actions */
    PLAN_BUCKET,   /* bucket of a histogram, or a cell of a counter: only in rows of reports */
    PLAN_PLACE_COUNT
};

enum plan_when {
    PLAN_BEFORE, /* for a loop: when control enters it from outside */
    PLAN_AFTER,  /* for a loop: when control leaves it along an edge */
    PLAN_ON,     /* on an edge; for the program: in the child of a fork, before it continues */
    PLAN_BACK,   /* a loop: when control returns to its header */
    PLAN_WHEN_COUNT
};

/* The ways in which control goes along an edge. */
enum plan_edge_kind {
    PLAN_EDGE_FALLTHROUGH, /* to the next instruction; after a call when it returns */
    PLAN_EDGE_TAKEN,       /* by a branch */
    PLAN_EDGE_TABLE,       /* by a jump through a table */
    PLAN_EDGE_COUNT
};

/* Types of static and dynamic values. */
enum plan_type {
    PLAN_TYPE_ERROR, /* the checker's mark for a reported error; never in a finished plan */
    PLAN_TYPE_BOOLEAN,
    PLAN_TYPE_INTEGER, /* signed 64 bits */
    PLAN_TYPE_STRING,
    PLAN_TYPE_CLASS,     /* an instruction class, enum instruction_class */
    PLAN_TYPE_REGISTER,  /* 0-31 integer, 32-63 floating point, -1 not used */
    PLAN_TYPE_EDGE_KIND, /* enum plan_edge_kind */
    PLAN_TYPE_ARRAY,     /* a plan_array: can only be passed */
    PLAN_TYPE_DOUBLE,    /* a floating-point number of the program: can only be passed */
    PLAN_TYPE_PROGRAM,   /* places, in the order of enum plan_place: handles that the engine assigns */
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

/* Static attributes of places. attributes.def is the only table: the checker, `atomc info`, the manual and
   the engine's evaluation are generated from it or checked against it. */
enum plan_attribute {
#define ATTRIBUTE(id, place, word, type, help)          PLAN_ATTRIBUTE_##id,
#define REGISTER_ATTRIBUTE(id, place, word, type, help) PLAN_ATTRIBUTE_##id,
#include "attributes.def"
#undef ATTRIBUTE
#undef REGISTER_ATTRIBUTE
    PLAN_ATTRIBUTE_COUNT
};

/* Values known only when the program runs ($ words): values.def. PLAN_VALUE_MEMORY and _STATIC take
   expressions; in plans they are PLAN_OP_MEMORY and _STATIC. */
enum plan_value {
#define VALUE(id, word, type, operand, help) PLAN_VALUE_##id,
#include "values.def"
#undef VALUE
    PLAN_VALUE_COUNT
};

struct plan_attribute_info {
    enum plan_place place;
    const char *word;    /* the word after the dot */
    bool takes_register; /* in parentheses after the word */
    enum plan_type type;
    const char *help;
};
struct plan_value_info {
    const char *word; /* as written, including `$` */
    enum plan_type type;
    uint8_t operands; /* number of operands: `$(register)` and the like */
    const char *help;
};
extern const struct plan_attribute_info plan_attributes[PLAN_ATTRIBUTE_COUNT];
extern const struct plan_value_info plan_values[PLAN_VALUE_COUNT];
extern const char *const plan_class_words[CLASS_COUNT];
extern const char *const plan_place_words[PLAN_PLACE_COUNT];
extern const char *const plan_place_plurals[PLAN_PLACE_COUNT];
extern const char *const plan_edge_words[PLAN_EDGE_COUNT];
struct plan_expression;
/* True if both expressions are equal. NULL is equal to NULL. */
bool plan_same_expression(const struct plan_expression *a, const struct plan_expression *b);
/* True if it is an address, or an offset from one. */
bool plan_attribute_is_address(enum plan_attribute attribute);
/* True if a place of kind `outer` contains places of kind `inner`, over which a loop can run. */
bool plan_contains(enum plan_place outer, enum plan_place inner);
/* "before", "on entry", ... */
const char *plan_when_words(enum plan_place place, enum plan_when when);
/* True if places of this kind can have actions before, after ... */
bool plan_allows(enum plan_place place, enum plan_when when);
static inline enum plan_type plan_place_type(enum plan_place place) {
    return (enum plan_type)(PLAN_TYPE_PROGRAM + (int)place);
}
/* The kind of place for a type from PLAN_TYPE_PROGRAM on. */
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

/* The integers or strings in a user's file, in order. */
struct plan_list {
    const char *path; /* as written in the tool */
    uint32_t count;
    const int64_t *integers; /* NULL: strings */
    const char *const *strings;
};

/* From a value of the program to a member of a structure, by types from its debug information. */
enum plan_step_kind {
    PLAN_STEP_POINTER, /* ->name */
    PLAN_STEP_MEMBER,  /* .name */
    PLAN_STEP_ELEMENT  /* [index] */
};
struct plan_step {
    enum plan_step_kind kind;
    const char *name;
    int64_t index;
    struct source_span where;
};
struct plan_path {
    const char *
        type; /* of the value at the address; NULL: the value is a parameter or a result, with its own type */
    const char *text; /* the steps as written */
    uint32_t count;
    const struct plan_step *steps;
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
        uint32_t routine;
        uint32_t array;
        const struct plan_list *list;
        const struct plan_path *path;
    };
    const struct plan_expression *operand[3];
};

/* One level of iteration: each place of `kind` in the domain for which `condition` holds. */
enum plan_domain {
    PLAN_DOMAIN_ALL,          /* all places in the program */
    PLAN_DOMAIN_SET,          /* the members of .set, in number order */
    PLAN_DOMAIN_CONTAINED,    /* the places of `kind` inside the place of loop .container */
    PLAN_DOMAIN_SUCCESSORS,   /* the blocks to which control may go from the block of loop .container */
    PLAN_DOMAIN_PREDECESSORS, /* the blocks from which it may arrive */
    /* the registers that the instruction of loop .container reads, or writes: the variable is a register */
    PLAN_DOMAIN_READ,
    PLAN_DOMAIN_WRITTEN,
    PLAN_DOMAIN_ONE,  /* the place with number .set */
    PLAN_DOMAIN_KEYS, /* for a report, outermost: the keys of counter .histogram */
    /* the buckets of histogram .histogram, in the order of their values; for a counter with a number of
       cells, its cells */
    PLAN_DOMAIN_BUCKETS
};
/* The loops over places that belong to another but are not in it: `for s in b.succs`. */
enum { PLAN_RELATED_COUNT = 4 };
struct plan_related {
    enum plan_place outer; /* the place before the dot */
    const char *word;      /* after the dot */
    enum plan_domain domain;
    enum plan_type type; /* of the variable: a place, or PLAN_TYPE_REGISTER */
};
extern const struct plan_related plan_related[PLAN_RELATED_COUNT];
/* The word after the dot for a domain of that table. */
const char *plan_related_word(enum plan_domain domain);
/* The only attribute of a register. */
extern const struct plan_register_attribute {
    const char *word;
    enum plan_type type;
    const char *help;
} plan_register_attribute;

struct plan_loop {
    const char *name; /* the variable, for the printed form */
    enum plan_place kind;
    enum plan_domain domain;
    uint32_t set;
    uint32_t container;
    uint32_t histogram;
    const struct plan_expression *condition; /* NULL: always true */
};

/* A set of places of one kind: the places that the innermost of some loops reaches, or a combination of two
   earlier sets. Members are numbered densely in address order. */
enum plan_set_form { PLAN_SET_SELECTION, PLAN_SET_UNION, PLAN_SET_INTERSECTION, PLAN_SET_DIFFERENCE };
struct plan_set {
    const char *name;
    struct source_span where;
    enum plan_place kind; /* the kind of its members */
    enum plan_set_form form;
    uint32_t loop_count; /* PLAN_SET_SELECTION: outermost first; indexed by PLAN_OP_VARIABLE */
    const struct plan_loop *loops;
    uint32_t left, right; /* otherwise: numbers of sets */
};

enum plan_c_type { /* parameter types of analysis routines, from their DWARF */
                   PLAN_C_VOID,
                   PLAN_C_CHAR, /* 8 bits; signedness is separate */
                   PLAN_C_SHORT,
                   PLAN_C_INT,  /* 32 bits */
                   PLAN_C_LONG, /* 64 bits */
                   PLAN_C_POINTER,
                   PLAN_C_STRING, /* char * */
                   PLAN_C_FLOAT,
                   PLAN_C_DOUBLE,
                   PLAN_C_OTHER, /* structures and other types that cannot be passed */
};
struct plan_parameter {
    enum plan_c_type type;
    bool is_unsigned;
    enum plan_c_type element; /* PLAN_C_POINTER, PLAN_C_STRING: the type pointed to; PLAN_C_STRING: char * */
    bool element_unsigned;
    const char *name;    /* may be NULL */
    const char *spelled; /* the C spelling, for messages */
};
struct plan_routine {
    const char *name; /* the name of its symbol: with several tools TOOL.NAME */
    const char *file; /* C source file and line of the definition; may be NULL, 0 */
    uint32_t line;
    bool prototyped; /* false: (), so arguments are not checked */
    bool variadic;
    bool own; /* routine of the runtime: for a command */
    enum plan_c_type result;
    uint32_t parameter_count;
    const struct plan_parameter *parameters;
};

/* C functions of the user that static expressions call; the code that loads them fills in .call and the
   members after it.
 */
enum { PLAN_FUNCTION_PARAMETERS = 6 };
struct plan_argument {
    const char *string;
    int64_t integer; /* also the index of a place */
};
struct plan_function {
    const char *name;
    uint32_t file;         /* the number of its C file in the tool */
    enum plan_type result; /* PLAN_TYPE_INTEGER, _BOOLEAN or _STRING */
    enum plan_c_type result_c;
    uint32_t parameter_count;
    enum plan_type parameters[PLAN_FUNCTION_PARAMETERS];
    struct plan_argument (*call)(const struct plan_function *function, const struct plan_argument *arguments);
    const struct atom_library *library;
    void *address;
};

/* Memory of the instrumented program whose address routines receive. */
struct plan_buffer {
    const void *bytes;
    uint32_t size;
    bool writable;
    bool own; /* data of a command or a keyed counter */
    /* Instead of .bytes, a table of the addresses of instructions in the instrumented program. */
    bool translates;
    uint32_t translation_count;
    const struct plan_translation *translations;
};
struct plan_translation {
    uint32_t instruction; /* the instruction's number */
    bool entry;           /* the address at which control from outside enters the procedure */
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

/* A read-only static array, with an element for each place that the loop selects, in order. Its elements
   are of the C type that a parameter points to. */
struct plan_array {
    const char *name;
    struct source_span where;
    struct plan_loop loop;
    const struct plan_expression
        *value; /* an integer, boolean, register or string; variable 0 is that of the loop */
};

/* A set that must have members, in a program that contains all that the tool needs. */
struct plan_need {
    const char *tool, *what;
    struct source_span where;
    bool is_stock; /* the tool is a stock tool */
    uint32_t set;
};

/* Counters: signed 64-bit cells, updated by the engine without a call. One cell for each member of a set, a
   number of cells that the tool gives, or a single one. All updates of a counter are of one kind: += (and ++,
   -=), max=, min= or =. Cells start at 0. Cells of max= and min= start at the least and greatest integer, and
   read as 0 if they were never updated. */
enum plan_counter_kind {
    PLAN_COUNTER,
    PLAN_SWITCH,    /* a single cell, 0 or 1, that actions set */
    PLAN_SAMPLE,    /* a single cell, without a name: the events since the last one that `sample` selected */
    PLAN_HISTOGRAM, /* for each member one cell for each bucket */
};
/* The buckets of a histogram, in the order of their values. Logarithmic: negative values, 0, and [2^n,
   2^(n+1)) for each n from 0 to 62. Linear: values below .low, `count - 2` buckets of .step values each
   (the last may be cut), values from .high on. */
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
/* the most cells that a tool can request by number: they must have room */
enum { PLAN_MOST_CELLS = 1 << 23 };
struct plan_counter {
    const char *name;
    struct source_span where;
    enum plan_counter_kind kind;
    uint32_t set; /* the set whose members number its cells, or PLAN_SINGLE_CELL */
    /* static: the number of cells, with PLAN_SINGLE_CELL in .set; NULL: not given */
    const struct plan_expression *size;
    enum plan_update update;
    int64_t initial;             /* the initial state of a switch */
    struct plan_buckets buckets; /* of a histogram */
    bool live;                   /* code other than sites reads it while the program runs */
    bool forks;                  /* in a child it starts at the fork, because the tool's C has no counts of
                                    its own */
    uint32_t key_count;          /* the number of its keys, with these types; then it has no cells */
    enum plan_type keys[PLAN_MOST_KEYS];
    bool holds_text; /* keyed: its values are texts, all by PLAN_UPDATE_SET */
    /* some update sets it to `$stack`; some other update does not */
    bool holds_stacks, holds_others;
    /* some update uses `$stack` as the key; some other update does not */
    bool stacks[PLAN_MOST_KEYS], others[PLAN_MOST_KEYS];
    bool per_thread;   /* the thread is a key as well */
    bool sums_lengths; /* keyed: cells may be corrected after a fault, so their memory is not used again */
    uint32_t limit;    /* the most keys */
    uint32_t table;    /* the number of its buffer */
};
/* True if its values are in a table of the runtime. */
static inline bool plan_is_keyed(const struct plan_counter *counter) {
    return counter->key_count > 0 || counter->per_thread;
}
/* The type of its values. */
static inline enum plan_type plan_held_type(const struct plan_counter *counter) {
    return counter->holds_text ? PLAN_TYPE_STRING : PLAN_TYPE_INTEGER;
}
/* True if it has several cells. */
static inline bool plan_has_cells(const struct plan_counter *counter) {
    return counter->set != PLAN_SINGLE_CELL || counter->size;
}
/* The initial value of the counter's cells. For max= and min=, a cell with the initial value reads as 0. */
int64_t plan_initial(const struct plan_counter *counter);
bool plan_initial_means_zero(const struct plan_counter *counter);

/* One table, written after the program (after all calls `after program`), row by row over the places that
   the loop selects. */
enum plan_column_format {
    PLAN_COLUMN_TEXT,
    PLAN_COLUMN_DECIMAL,
    PLAN_COLUMN_HEXADECIMAL,
    PLAN_COLUMN_PERCENT,
    PLAN_COLUMN_GREATEST, /* decimal; for a group the greatest, where other columns are summed */
    PLAN_COLUMN_REAL      /* .value is a PLAN_OP_QUOTIENT */
};
struct plan_column {
    const char *title;
    enum plan_column_format format;
    const struct plan_expression *value; /* static expressions, PLAN_OP_CELL and operators over them;
                                            variables are the report's loops */
    const char *unit;                    /* as written in the tool; NULL: not given */
};

/* A chart of a table. */
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
    PLAN_NEED_STACK /* a text key of a keyed counter: frames separated by ; */
};
struct plan_display_info {
    const char *word, *help;
    struct {
        const char *word; /* the word before the column; "" for the first */
        enum plan_display_need need;
    } columns[PLAN_DISPLAY_COLUMNS];
};
extern const struct plan_display_info plan_displays[PLAN_DISPLAY_COUNT];
/* The written form: bars COLUMN by COLUMN. Returns the length, like snprintf(). */
size_t plan_display_form(enum plan_display_kind kind, char *text, size_t size);
struct plan_display {
    enum plan_display_kind kind;
    uint32_t columns[PLAN_DISPLAY_COLUMNS]; /* columns of the report; their number depends on the kind */
};

struct plan_report {
    struct source_span where;
    const char *tool;              /* the tool of the report */
    const char *stock_tool;        /* its name, if it is a stock tool; else NULL */
    const char *path;              /* file name; "-": standard output, "!": standard error */
    uint32_t loop_count;           /* 0: a single row */
    const struct plan_loop *loops; /* outermost first: a row for each iteration of the innermost */
    const struct plan_expression
        *filter; /* a condition on rows, evaluated when the report is written; NULL: all rows */
    /* static expressions: rows with equal values are combined; 0: rows are not combined */
    uint32_t group_count;
    const struct plan_expression *const *groups;
    const struct plan_expression *key; /* the rows are sorted by it; NULL: in the order of the places */
    bool descending;
    bool total;     /* a last line with the sums of the numeric columns */
    uint32_t limit; /* the maximum number of rows; 0: all */
    bool is_text;   /* the columns' values are printed as text, without a table */
    bool joins;     /* written to the file of the report before it */
    uint32_t column_count;
    const struct plan_column *columns;
    const struct plan_display *display; /* NULL: the reader chooses */
    /* Whether it is also written while the program runs, with a first column for the time: */
    enum plan_every {
        PLAN_EVERY_END,          /* no, only at the end */
        PLAN_EVERY_MILLISECONDS, /* after this many; tested when one of its counters is updated */
        PLAN_EVERY_EVENTS,       /* after this many counts of a counter */
        PLAN_EVERY_SIGNAL        /* on signal .every_count */
    } every;
    int64_t every_count;
    /* Counters of one cell, except for signals: when the first reaches the second, the runtime is called.
     */
    uint32_t every_counter, every_due;
};

enum plan_action_kind {
    PLAN_ACTION_CALL,
    PLAN_ACTION_UPDATE,
    PLAN_ACTION_SET,    /* a register of the program, .value, is set to .amount */
    PLAN_ACTION_SKIP,   /* the instruction is not executed */
    PLAN_ACTION_REPLACE /* a procedure, or one entry: .routine replaces it */
};

/* An effect that the runtime executes, for the printed form; the executable form is in a buffer
   (plan/commands.h). */
struct plan_effect {
    enum plan_effect_kind {
        PLAN_EFFECT_UPDATE,
        PLAN_EFFECT_PRINT,
        PLAN_EFFECT_EXIT,
        PLAN_EFFECT_CALL, /* of .routine with .values, some of which only the runtime knows */
        /* removes the value of the keys from a keyed counter; all its values */
        PLAN_EFFECT_DELETE,
        PLAN_EFFECT_CLEAR
    } kind;
    uint32_t counter, routine;
    const struct plan_expression *keys;                  /* PLAN_OP_ARGUMENTs; NULL: none */
    const struct plan_expression *cell, *amount, *value; /* as in an action */
    const char *format, *file;                           /* PLAN_EFFECT_PRINT; file: as in a report */
    struct source_span where;
    uint32_t value_count;
    const struct plan_expression *const *values;
    uint64_t limit; /* the maximum number of lines; 0: all */
    bool per_second;
    bool is_length; /* the amount may count instructions that the block executes, and is added */
    bool notes;     /* ... and depends on values known only on the analysis side: the command records them */
    uint32_t first_noted; /* ... the command's record, from 0, of the first value that it depends on */
};
struct plan_command {
    /* the part of the condition that is not in the action's guard; NULL: none */
    const struct plan_expression *guard;
    int64_t sample; /* as in an action */
    uint32_t effect_count;
    const struct plan_effect *effects;
    /* Records (engine/select/records.c) for effects that are lengths: for each effect the cell that it has
       changed, then values that amounts depend on. */
    uint32_t record_count,
        /* 0: there are no records; otherwise the number of the argument with the number of the first
           record */
        records_argument;
};

/* An action at each place that the loops select. Actions are applied in the order of the plan; at one
   point, outer scopes go first, then this order (docs/language.md). Actions of one statement are
   consecutive and differ only in their effect: at a place they are executed together, and their condition
   is evaluated once.
 */
/* Hidden actions that follow calls: before all others of the tool, or after them. */
enum plan_follower { PLAN_NO_FOLLOWER, PLAN_FOLLOWER_FIRST, PLAN_FOLLOWER_LAST };
/* The calls that the runtime follows for the tool: none; the stack, for `$stack` and `$depth`; and also
   procedures that are unwound. */
enum plan_follows { PLAN_FOLLOWS_NOTHING, PLAN_FOLLOWS_CALLS, PLAN_FOLLOWS_UNWINDING };

struct plan_action {
    struct source_span where;
    const char *stock_tool; /* the stock tool of the action; NULL: a user's tool */
    uint32_t statement;     /* the number of its statement */
    uint32_t loop_count;
    const struct plan_loop *loops; /* outermost first; PLAN_OP_VARIABLE indexes these */
    enum plan_place place;         /* kind of the place instrumented */
    uint32_t place_variable;       /* index of its loop; meaningless for PLAN_PROGRAM */
    enum plan_when when;
    enum plan_action_kind kind;
    enum plan_follower follower;
    const struct plan_expression *guard; /* `when`: static or dynamic; NULL: always */
    int64_t sample; /* n: executed at every n-th of the statement's events for which the guard holds; 0: at
                       each */
    uint32_t sample_counter; /* the counter of these events */
    /* PLAN_ACTION_UPDATE: updates cell number .cell (NULL: the single cell) of counter .counter by .amount;
       for a histogram, the bucket of .value in this cell. All may be dynamic. */
    uint32_t counter;
    const struct plan_expression *cell, *amount, *value;
    uint32_t routine; /* PLAN_ACTION_CALL, PLAN_ACTION_REPLACE: index into plan.routines */
    uint32_t argument_count;
    const struct plan_expression *const *arguments;
    const struct plan_command *command; /* PLAN_ACTION_CALL of a runtime routine: its purpose; else NULL */
    const char *event; /* the event at which the runtime executes the command: "on unwind proc"; NULL: none */
    /* PLAN_ACTION_REPLACE: the routine receives .arguments, not the procedure's own arguments; analysis code
       can still call the procedure. */
    bool has_arguments, retains;
};

struct plan {
    const char *name; /* name of the tool */
    const char *description;
    uint32_t set_count;
    const struct plan_set *sets;
    uint32_t routine_count;
    const struct plan_routine *routines; /* the routines that are called */
    uint32_t buffer_count;
    const struct plan_buffer *buffers;
    uint32_t function_count;
    const struct plan_function *functions;
    uint32_t constant_count; /* the tool's parameters, for its C */
    const struct plan_constant *constants;
    uint32_t tool_count; /* one for each merged tool */
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
    enum plan_follows follows;
    bool prints_events;                     /* an event compares texts, or prints */
    const struct plan_expression *attached; /* a cell: false after `detach`; NULL: the tool has no `detach` */
    uint32_t address_names; /* the names of addresses that are used: bits 1 << enum command_address_name */
    struct arena *arena;    /* owns all of this */
};

/* ---- plan.c ---- */

/* The printed form before its operand. */
void plan_print_prefix(enum plan_operator op, FILE *stream);
/* For static expressions: false, and a message, if the operator has no meaning for this operand. */
bool plan_operand_fits(enum plan_operator op, int64_t operand, enum message *complaint);
const char *plan_update_word(enum plan_update update);
void plan_print(const struct plan *plan, FILE *stream); /* --dump=plan */
void plan_destroy(struct plan *plan);
/* The size of an element of an array of this type. */
unsigned c_type_bits(enum plan_c_type type);

/* The number in the runtime's tables of the name that a PLAN_OP_NAMED gives: enum command_address_name. */
uint32_t command_address_name(enum plan_value value);

/* ---- lengths.c ---- */

/* True if the amount is computed from b.ninsts, b.nloads or b.nstores. In conditions and comparisons these
   are properties of the block, not amounts. */
bool plan_counts_length(const struct plan_expression *amount);
/* The values on which such an amount depends at run time, in order. Returns their number. */
typedef void plan_visitor(const struct plan_expression *value, void *context);
uint32_t plan_noted_values(const struct plan_expression *amount, plan_visitor *visit, void *context);

/* ---- merge.c ---- */

/* Merges the plans of several tools. Their actions are in the order of the tools, and the names of sets,
   counters and routines get a prefix and a dot. Calls are followed once, for all tools that need it.
   The parts are not changed, and must outlive the result. Returns NULL after an error: two tools write one
   file. */
struct plan *plans_merge(const struct plan *const *parts, const char *const *prefixes, uint32_t count,
                         struct diagnostics *diagnostics);
/* The runtime's routine that executes events of unwinding. */
const char *plan_unwind_routine(bool with_texts);

#endif
