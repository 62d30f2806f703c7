/* compiler.h: from the text of an .atd file to a plan: syntax tree, C prototypes, checking, lowering.
   Requires support.h and plan.h; does not depend on Alpha instructions, nor on ELF except the DWARF of the
   analysis code.
 */
#ifndef ATOMC_COMPILER_H
#define ATOMC_COMPILER_H

#include "plan/plan.h"
#include "support/support.h"

/* A driver makes four calls, and tool_define() after the first if the command line sets parameters:

       struct tool *tool = tool_parse(path, arena, diagnostics);           NULL: errors were reported
       ... compile and link tool->analysis[] and the C files of the command line ...
       struct prototypes *prototypes = prototypes_read(image, diagnostics); NULL: an error was reported
       struct plan *plan = tool_compile(tool, prototypes, diagnostics);     NULL: errors were reported

   The spans in diagnostics and plan point into the tool's arena, so it is freed last. */

/* ---- the syntax tree, made by grammar/atd.y ------------------------------------------------- */

struct name {
    const char *text; /* NULL: absent */
    struct source_span where;
};

enum expression_kind {
    EXPRESSION_INTEGER,   /* .integer; includes character constants */
    EXPRESSION_BOOLEAN,   /* .integer: true or false */
    EXPRESSION_STRING,    /* .string */
    EXPRESSION_NAME,      /* .name: a loop variable, program, a class, a register */
    EXPRESSION_ATTRIBUTE, /* operand[0] . name, arguments: i.reads(sp) */
    EXPRESSION_FUNCTION,  /* name(arguments): index, count */
    EXPRESSION_CELL,      /* name[operand[0]]: of a counter */
    EXPRESSION_OPERATOR,  /* .op of operand[] */
    EXPRESSION_MEMBER,    /* operand[0] in one of .arguments: sets, or values */
    /* .name including its `$`, arguments: $addr, $arg(n); `$` alone is $(register); operand[0]:
       $counter[place] */
    EXPRESSION_DYNAMIC,
    /* operand[0] -> name [arguments] or, if .op is not PLAN_OP_MEMORY, operand[0] . name [arguments] */
    EXPRESSION_FIELD,
};

struct expression {
    enum expression_kind kind;
    uint32_t depth;                    /* depth of the tree below, bounded by the parser */
    struct source_span where;          /* all of it */
    struct source_span operator_where; /* EXPRESSION_OPERATOR: the operator itself */
    enum plan_operator op;
    int64_t integer;
    const char *string;
    struct name name;
    struct expression *operand[3];
    struct expression *arguments; /* EXPRESSION_FUNCTION, _DYNAMIC, _ATTRIBUTE, _MEMBER: a list */
    /* EXPRESSION_ATTRIBUTE, _MEMBER: it has parentheses for arguments, even if they are empty */
    bool has_parentheses;
    uint32_t argument_count;
    struct expression *next; /* next in a list of arguments */
};

/* variable in domain where condition: in a set or a loop. The domain is a set (check_set() in internal.h), or
   the places inside another loop's place, an attribute in form: `p.blocks`. */
struct selection {
    struct name variable; /* .text NULL: only a set is given */
    struct expression *domain;
    struct expression *condition; /* NULL: all */
};

/* The effect of an action. */
enum effect_kind {
    EFFECT_CALL,
    EFFECT_UPDATE,
    EFFECT_PUT, /* an update of a histogram: `<<` */
    EFFECT_SET, /* .value, a register, becomes .amount */
    EFFECT_SKIP,
    EFFECT_EXIT,   /* .amount, the status */
    EFFECT_DELETE, /* of the keys .cell, .operator: the word */
    EFFECT_CLEAR,
    EFFECT_DETACH,
    EFFECT_TURN, /* .name, a switch, .operator: on, off */
    /* .format, .arguments; .cell: the file, .amount: the limit, .operator: the unit of time */
    EFFECT_PRINT,
    EFFECT_BARE_CALL /* a clause without its word: the parser reports it */
};
struct effect {
    enum effect_kind kind;
    struct source_span where;
    struct name name;             /* the routine, or the counter */
    struct expression *arguments; /* EFFECT_CALL: a list */
    uint32_t argument_count;
    struct expression *cell;   /* EFFECT_UPDATE: name[cell], a list of keys; NULL: none given */
    struct name format;        /* EFFECT_PRINT */
    struct name operator;      /* "++", "--", "+=", "-=", "=", or a name and "=" */
    struct expression *amount; /* NULL after ++ and --, and without a weight */
    struct expression *value;  /* EFFECT_PUT */
    struct effect *next;
};

struct column {
    const char *title;
    enum plan_column_format format; /* PLAN_COLUMN_DECIMAL: not given */
    struct source_span format_where;
    struct expression *value;
    const char *unit; /* NULL: not given */
    struct column *next;
};

/* display KIND TITLE WORD TITLE ... */
struct display_form {
    struct source_span where; /* `display` */
    struct name kind;
    uint32_t count;                           /* if it is greater than the array, the rest is not stored */
    struct name titles[PLAN_DISPLAY_COLUMNS]; /* of columns */
    struct name words[PLAN_DISPLAY_COLUMNS];  /* the word before each column; the first column has none */
};

enum clause_kind { CLAUSE_FOR, CLAUSE_GROUPED, CLAUSE_SORTED, CLAUSE_TOP, CLAUSE_TOTAL, CLAUSE_COUNT };
struct report_clause {
    struct report_clause *next; /* CLAUSE_FOR: the loop inside of this one */
    enum clause_kind kind;
    struct source_span word;  /* `for`, `sorted`, ... */
    struct selection row;     /* CLAUSE_FOR */
    struct expression *value; /* CLAUSE_SORTED, CLAUSE_TOP; CLAUSE_GROUPED: a list */
    bool descending;          /* CLAUSE_SORTED */
};

struct report_form {
    struct expression *path;
    struct report_clause *clauses[CLAUSE_COUNT]; /* NULL: not given; CLAUSE_FOR: a list */
    struct column *columns;                      /* a list; after `as` pieces of text, without titles */
    bool is_text;                                /* `as` */
    struct source_span as;
    struct display_form *display; /* NULL: not given */
};

/* log2, or linear low .. high by step. */
struct bucket_form {
    bool logarithmic;
    struct expression *low, *high, *step;
};

enum statement_kind {
    STATEMENT_TOOL,
    STATEMENT_NEEDS,
    STATEMENT_ANALYSIS,
    STATEMENT_INCLUDE,
    STATEMENT_PARAMETER,
    STATEMENT_SET,
    STATEMENT_COUNTER,
    STATEMENT_SWITCH,
    STATEMENT_USE,
    STATEMENT_HISTOGRAM,
    STATEMENT_ARRAY,
    STATEMENT_REPLACE, /* .place by the routine .name; .effects, if it is given arguments, its call */
    STATEMENT_FOR,
    STATEMENT_ACTION,
    STATEMENT_REPORT,
};

/* `on e`; `on entry l`, `on back l`, `on exit l` are for loops, `on unwind p` for procedures. */
enum on_word { ON_NOTHING, ON_ENTRY, ON_BACK, ON_EXIT, ON_UNWIND };

struct statement {
    enum statement_kind kind;
    struct source_span where;   /* all of it */
    struct source_span keyword; /* its first word */
    struct name name;           /* the name that it defines; STATEMENT_ANALYSIS, STATEMENT_INCLUDE: a file */
    const char *description;    /* STATEMENT_TOOL, STATEMENT_PARAMETER, "" if absent; STATEMENT_NEEDS */
    const char *objects;        /* STATEMENT_NEEDS: in the syntax of --objects; NULL: not given */
    bool changes;               /* STATEMENT_TOOL: the program, on purpose */
    /* STATEMENT_COUNTER, STATEMENT_HISTOGRAM: the set that numbers its cells, or their number, or a list of
       the types of its keys; NULL: a single cell */
    struct expression *set;
    struct expression *limit;      /* ... the maximum number of keys; NULL: not given */
    bool per_thread;               /* ... each thread has its own cells */
    struct bucket_form *buckets;   /* STATEMENT_HISTOGRAM */
    struct name state;             /* STATEMENT_SWITCH: on or off; .text NULL: not given */
    struct name type;              /* STATEMENT_PARAMETER: int, string, boolean; STATEMENT_USE: type of the
                                      result */
    struct expression *value;      /* STATEMENT_PARAMETER: the default; STATEMENT_ARRAY: an element */
    struct expression *check;      /* STATEMENT_PARAMETER: condition that must hold, NULL: none */
    struct expression *parameters; /* STATEMENT_USE: their types, a list of names */
    struct name file;              /* STATEMENT_USE */
    uint32_t use;                  /* STATEMENT_USE: number of its file in tool.uses */
    const char *check_text;        /* the tool's message if the condition does not hold; NULL: none */
    struct selection selection;    /* STATEMENT_SET, STATEMENT_FOR, STATEMENT_ARRAY */
    struct statement *body;        /* STATEMENT_FOR: a list */
    enum plan_when when;           /* STATEMENT_ACTION: before, after, on ... */
    enum on_word on;               /* ... and the word after `on` ... */
    struct name place;             /* ... `program` or a loop variable ... */
    struct expression
        *guard; /* ... the condition; NULL: always; also for STATEMENT_ANALYSIS, STATEMENT_NEEDS ... */
    struct expression *sample;   /* ... only every n-th time, NULL: every time ... */
    struct effect *effects;      /* ... this list, at least one ... */
    struct statement *otherwise; /* ... done where the condition does not hold; NULL: nothing */
    struct report_form *report;  /* STATEMENT_REPORT; with `every` .value and the unit in .name are given, */
    struct expression *every;    /* ... and after `of` the counter */
    struct name signal;          /* ... or with `on` .name, and the following word; .text NULL: not given */
    struct statement *next;
};

/* ---- parse.c -------------------------------------------------------------------------------- */

/* An analysis "file.c" statement. */
struct analysis_file {
    const char *path; /* ready to open: a relative name is taken from the directory of the .atd file */
    struct source_span where;
    const struct statement *statement;
};

/* A C file of `use` statements; each once. */
struct used_file {
    const char *path;
    struct source_span where;
    const struct prototypes *prototypes; /* index of the loaded file, tool_use(); NULL: not checked */
};

/* The value of a parameter of the tool on the command line: -D name=value. */
struct parameter_definition {
    const char *name, *value;
};

/* A parsed .atd file, including the files that it includes. */
struct tool {
    const struct source *source;
    struct statement *statements; /* a list, in the order written */
    const char *name;             /* description of the tool statement, or "" */
    const char *asked;            /* the name that the user gave: the path, or the name of a stock tool */
    bool is_stock;                /* true if it was chosen as a stock tool by its name */
    const struct architecture *architecture; /* of the program; NULL: the program is not known yet */
    bool is_page; /* the page may have no tool statement: its name is "page" then */
    const char *description;
    uint32_t analysis_count;
    const struct analysis_file *analysis;
    uint32_t named_count; /* parameters may exclude some of them: tool_choose_files() */
    const struct analysis_file *named;
    /* the objects that it examines, in the syntax of --objects: tool_choose_files(); NULL: the program */
    const char *objects;
    uint32_t use_count;
    struct used_file *uses;
    uint32_t definition_count; /* tool_define() */
    const struct parameter_definition *definitions;
    struct arena *arena; /* owns the tool, its source and everything in it */
};

/* Reads and parses; reports all syntax errors, missing analysis files, and returns NULL after any. */
struct tool *tool_parse(const char *path, struct arena *arena, struct diagnostics *diagnostics);
/* The same for a text in memory (which is copied): for editors, tests and fuzzers. */
struct tool *tool_parse_text(const char *path, const char *text, size_t length, struct arena *arena,
                             struct diagnostics *diagnostics);
/* A page from the command line or from standard input, in which the tool statement may be omitted. */
struct tool *tool_parse_page(const char *path, const char *text, size_t length, struct arena *arena,
                             struct diagnostics *diagnostics);
/* The tool's C files, in the order written. */
const struct analysis_file *tool_analysis_files(const struct tool *tool, uint32_t *count);

/* Sets the values of parameters, for tool_compile(), which checks them; the last value for a name counts. The
   array and its strings are not copied. */
void tool_define(struct tool *tool, const struct parameter_definition *definitions, uint32_t count);

/* Excludes the analysis files whose condition does not hold for the present parameters, and finds the
   objects. tool_compile() reports conditions that are wrong. */
void tool_choose_files(struct tool *tool);

/* Sets the prototypes of the functions in used file number `file`. */
void tool_use(struct tool *tool, uint32_t file, const struct prototypes *prototypes);

/* A parameter as --help shows it. */
struct parameter_help {
    const char *type, *name;
    const char *value;                 /* the default, as written */
    const char *help;                  /* "" if absent */
    const struct expression *fallback; /* the default */
    /* Its check, as written, and the tool's message if it fails; NULL if there is none. */
    const char *check, *check_text;
    /* The values that the check permits: the values in an `or` of `name == "..."`; bounds in an `and` of
       `name >= n` and similar comparisons. */
    const char **choices;
    uint32_t choice_count;
    bool has_least, has_greatest;
    int64_t least, greatest;
};
/* The tool's parameters, in the order written; in the tool's arena. */
const struct parameter_help *tool_parameters(const struct tool *tool, uint32_t *count);

/* The same without checking that its C files exist: for output that is made before them. */
struct tool *tool_parse_alone(const char *path, struct arena *arena, struct diagnostics *diagnostics);

/* ---- header.c ------------------------------------------------------------------------------- */

/* Writes the header atomc.h, which declares parameters, counts of sets and cells of counters for the tool's
   C. */
void header_print(const struct plan *plan, FILE *stream);
/* The routines that the tool calls, with parameters of fitting types, empty. */
void stub_print(const struct plan *plan, FILE *stream);

/* ---- prototypes.c --------------------------------------------------------------------------- */

/* The C functions that an executable (or, see prototypes.c, an object file) defines, from its DWARF. */
struct prototypes;
struct prototypes *prototypes_read(const char *elf_path, struct diagnostics *diagnostics);
struct prototypes *prototypes_none(void); /* prototypes of a tool without analysis code */
void prototypes_destroy(struct prototypes *prototypes);
/* The external function of that name, or NULL. */
const struct plan_routine *prototypes_find(const struct prototypes *prototypes, const char *name);
/* The file-local function of that name, or NULL: for the message that explains why it cannot be called. */
const struct plan_routine *prototypes_find_static(const struct prototypes *prototypes, const char *name);
/* Names of all external functions, sorted. */
const char *const *prototypes_names(const struct prototypes *prototypes, size_t *count);

/* ---- compile.c ------------------------------------------------------------------------------ */

/* Checks names, types and the static/dynamic discipline, and lowers to a plan. Reports all errors; returns
   NULL after any. If prototypes == NULL, calls are not compared with C, and all routines are without
   prototype.
 */
struct plan *tool_compile(const struct tool *tool, const struct prototypes *prototypes,
                          struct diagnostics *diagnostics);

#endif
