/* internal.h: shared by the sources of compiler/ and grammar/. Requires compiler.h; no other folder
   includes it. */
#ifndef ATOMC_COMPILER_INTERNAL_H
#define ATOMC_COMPILER_INTERNAL_H

#include "compiler/compiler.h"

/* ---- parse.c: the state of one parse ---------------------------------------------------------- */

/* A location in the form of flex and bison: bytes [begin, end) of the source. */
struct text_range {
    uint32_t begin, end;
};

struct statement_list {
    struct statement *first, *last;
};

struct effect_list {
    struct effect *first, *last;
};

struct column_list {
    struct column *first, *last;
};

/* After `check`. */
struct checked_value {
    struct expression *condition;
    const char *text; /* NULL: none */
};

struct expression_list {
    struct expression *first, *last;
    uint32_t count;
};

/* After this many errors in the parser, or in the checker, the rest of the file is skipped. */
enum { EXPRESSION_DEPTH_LIMIT = 1000, ERROR_LIMIT = 100 };

struct parse {
    const struct source *source;
    struct arena *arena;
    struct diagnostics *diagnostics;
    uint32_t offset;                     /* of the scanner */
    struct text_range previous, current; /* the previous token, and the lookahead token */
    uint32_t *open_braces;               /* offsets of '{' not yet closed */
    size_t brace_count, brace_capacity;
    uint32_t open_literal; /* end of the last literal without a closing quote, or 0 */
    const char **misused;  /* words that were reported where another is needed */
    size_t misused_count, misused_capacity;
    unsigned errors_before; /* errors reported before this parse began */
    bool gave_up;           /* too many errors: the scanner returns the end of the file */
    bool too_deep;          /* reported */
    struct statement *statements;
};

struct source_span parse_span(const struct parse *parse, struct text_range range);
struct name parse_name(struct parse *parse, struct text_range range);
unsigned parse_errors(const struct parse *parse);
/* A text of the parse as a name. */
struct name text_name(const struct parse *parse, const char *text, struct text_range range);
void note_brace(struct parse *parse, char brace, uint32_t offset);

/* ---- tree.c: builds the tree of a page ------------------------------------------------------- */

/* `content` has all members but the places in the text. */
struct statement *new_statement(struct parse *parse, struct text_range range, struct text_range keyword,
                                struct statement content);
/* An action whose place is known; its effects are added later. */
struct statement *new_action(struct parse *parse, enum plan_when when, enum on_word on,
                             struct text_range keyword, struct name place);
/* Returns the statement, changed. */
struct statement *with_effects(struct parse *parse, struct statement *action, struct text_range range,
                               struct expression *guard, struct effect *effects);
void set_otherwise(struct statement *action, struct statement *otherwise);
struct statement_list one_statement(struct statement *statement);
/* `statement`: a list, or NULL. */
struct statement_list statements_with(struct statement_list list, struct statement *statement);
/* Of each statement in the list. */
void mark_per_thread(struct statement *counters);
void set_guards(struct statement *statements, struct expression *guard);
void set_files(struct statement *statements, struct name file);

struct expression *new_expression(struct parse *parse, enum expression_kind kind, struct text_range range);
/* An expression of a kind that has a name. */
struct expression *new_name(struct parse *parse, enum expression_kind kind, struct text_range range,
                            struct name name);
struct expression *new_integer(struct parse *parse, enum expression_kind kind, struct text_range range,
                               int64_t value);
struct expression *new_string(struct parse *parse, struct text_range range, const char *text);
struct expression *new_operator(struct parse *parse, enum plan_operator op, struct text_range range,
                                struct text_range operator_range, struct expression *first,
                                struct expression *second, struct expression *third);
struct expression *new_binary(struct parse *parse, enum plan_operator op, struct text_range range,
                              struct text_range operator_range, struct expression *left,
                              struct expression *right);
struct expression *new_unary(struct parse *parse, enum plan_operator op, struct text_range range,
                             struct text_range operator_range, struct expression *operand);
struct expression *new_attribute(struct parse *parse, struct text_range range, struct expression *of,
                                 struct name name);
/* A member of a structure, or elements of it. */
struct expression *new_field(struct parse *parse, struct text_range range, struct expression *of,
                             struct name name, struct expression_list elements);
/* Each returns the expression, changed. */
struct expression *with_operand(struct parse *parse, struct expression *expression,
                                struct expression *operand);
struct expression *with_arguments(struct parse *parse, struct expression *expression,
                                  struct expression_list arguments);
struct expression *in_parentheses(struct expression *expression);
struct expression *through_pointer(struct expression *expression);
/* The membership, completed with the value to search for. */
struct expression *of_member(struct parse *parse, struct text_range range, struct expression *value,
                             struct expression *membership);
struct expression_list one_expression(struct expression *expression);
struct expression_list expressions_with(struct expression_list list, struct expression *expression);

/* `content` has all members but the place in the text. */
struct effect *new_effect(struct parse *parse, struct text_range range, struct effect content);
struct effect *new_call(struct parse *parse, struct text_range range, struct name routine,
                        struct expression_list arguments);
/* The counter's name and cell are set by update_of(). */
struct effect *new_update(struct parse *parse, struct text_range range, struct text_range operator_range,
                          struct expression *amount);
/* Each returns the update, changed: a value is put into a histogram; the counter, and its cell. */
struct effect *put_of(struct effect *update, struct expression *value);
struct effect *update_of(struct parse *parse, struct text_range range, struct name name,
                         struct expression *cell, struct effect *update);
/* The list is not empty. */
struct effect_list effects_with(struct effect_list list, struct effect *effect);

struct report_form *new_report(struct parse *parse, struct expression *path, struct column *columns);
/* For `as PIECES`. */
struct report_form *new_text_report(struct parse *parse, struct name as, struct column *pieces);
struct column_list new_column(struct parse *parse, struct column content);
/* The lists are not empty. */
struct column_list columns_with(struct column_list list, struct column_list more);
struct bucket_form *new_buckets(struct parse *parse, struct bucket_form content);
struct report_clause *new_clause(struct parse *parse, struct name word, struct report_clause content);
/* Each returns the report, changed. */
struct report_form *with_clause(struct parse *parse, struct report_form *report,
                                struct report_clause *clause);
struct report_form *with_display(struct parse *parse, struct report_form *report,
                                 struct display_form *display);
struct report_form *join_report(struct parse *parse, struct report_form *head,
                                const struct report_form *tail);
struct display_form *new_display(struct parse *parse);
/* Each returns the display, changed. */
struct display_form *with_title(struct display_form *display, struct name word, struct name title);
struct display_form *with_kind(struct display_form *display, struct name word, struct name kind);

/* ---- syntax_errors.c: the text of syntax errors ------------------------------------------------ */

void note_misuse(struct parse *parse, const char *word);

/* An expected token of a syntax error. */
struct expected_token {
    const char *text; /* as printed: 'where', a name, ... */
    enum {
        EXPECTED_OPERATOR,
        EXPECTED_OPERAND,
        EXPECTED_STATEMENT,
        EXPECTED_PLAIN_WORD,
        EXPECTED_OTHER
    } role;
};
/* `text` is the token's name in grammar/atd.y. */
struct expected_token new_expected_token(const char *text);
/* A C routine that prints; a page can print without it. */
bool prints_text(const char *name);
extern const char print_hint[];
void diagnose_turn_order(struct parse *parse, struct name state, struct name name);
void report_syntax_error(struct parse *parse, bool at_end, const struct expected_token *expected,
                         size_t count);

/* ---- other_words.c: words and signs of other languages ---------------------------------------- */

/* The word of the language for a word of another language; NULL if there is none. */
const char *instead_of_word(const char *word);
/* The hint at typographic quotation marks, if `text` has any. */
void hint_at_quotation_marks(struct parse *parse, const char *text, struct text_range range);

/* ---- literals.c: constants as they are written ----------------------------------------------- */

/* Each reports errors and returns some value, so that parsing continues. */
int64_t integer_literal(struct parse *parse, struct text_range range);
int64_t character_literal(struct parse *parse, struct text_range range, bool terminated);
const char *string_literal(struct parse *parse, struct text_range range, bool terminated);

/* The same without reporting. NUMBER_IF_NEGATED: the number fits only after a minus sign; it is the least
   number. */
enum number_error { NUMBER_GOOD, NUMBER_BAD, NUMBER_LARGE, NUMBER_IF_NEGATED };
enum number_error read_number(const char *text, const char *end, int64_t *value);

/* ---- include.c: files that a file includes ----------------------------------------------------- */

/* Puts the statements of included files in the place of the include statements, each file once. */
void include_files(struct tool *tool, struct diagnostics *diagnostics);
const char *path_beside(struct arena *arena, const char *atd_path, const char *path);
struct statement *parse_file(const struct source *source, struct arena *arena,
                             struct diagnostics *diagnostics);

/* ---- names.c: names and their meanings -------------------------------------------------------- */

/* A map from names to numbers; the names are not copied. */
struct name_table;
struct name_table *name_table_create(void);
void name_table_destroy(struct name_table *table);
/* false: it exists already */
bool name_table_add(struct name_table *table, const char *name, uint32_t value);
bool name_table_find(const struct name_table *table, const char *name, uint32_t *value);

bool place_from_word(const char *word, enum plan_place *place); /* inst, insts, ... */
bool class_from_word(const char *word, int64_t *class);
bool register_from_word(const char *word, int64_t *number);    /* r0-r31, f0-f31, none (-1) */
bool is_name_of_register(const char *word);                    /* sp, a0, x0, ...: of one of the machines */
bool edge_kind_from_word(const char *word, int64_t *kind);     /* taken, fallthrough, table */
bool system_call_from_name(const char *name, int64_t *number); /* Linux's */
const char *nearest_system_call(const char *name);             /* NULL: none is similar */
const char *type_phrase(enum plan_type type);                  /* "an integer", "a block", ... */

/* ---- the state of one compilation ----------------------------------------------------------- */

enum { NO_SET = UINT32_MAX, NO_COUNTER = UINT32_MAX, NO_ROUTINE = UINT32_MAX };

/* A name defined by a later statement. */
struct declaration {
    enum statement_kind
        kind; /* STATEMENT_SET, STATEMENT_COUNTER, STATEMENT_SWITCH, STATEMENT_PARAMETER, STATEMENT_USE */
    struct source_span where;
    bool reached;   /* its statement */
    bool refused;   /* the language has the name already; that is reported */
    uint32_t index; /* number of the set, counter (or switch) or parameter, after its definition */
};

/* A loop around the statement being checked, or the candidate of a set. */
struct scope {
    struct plan_loop loop;
    struct source_span where;           /* of the variable */
    bool broken;                        /* its domain was wrong: errors about its uses are not reported */
    bool selecting;                     /* its own condition is being checked */
    uint32_t uses;                      /* uses of its variable so far */
    uint32_t choices;                   /* ... that choose places, or decide whether actions are done */
    uint32_t implicit_set;              /* set that numbers its places, or NO_SET */
    const struct plan_expression *cell; /* histogram with these buckets; NULL if it has only one bucket */
};

struct set_entry {
    struct plan_set set;
    bool broken;
};

struct counter_entry {
    struct plan_counter counter;
    bool broken;                /* its set was wrong: errors about its cells are not reported */
    bool used;                  /* by some update */
    bool read;                  /* by a report, an action, or C */
    bool read_early;            /* keyed: read, or keys removed, while the program runs */
    bool has_update;            /* an update of a known kind follows */
    struct source_span updated; /* the first update */
};

struct parameter_entry {
    const struct statement *statement;
    enum plan_type type; /* PLAN_TYPE_ERROR: broken, and reported */
    int64_t integer;
    const char *string;
};

struct routine_entry {
    struct plan_routine routine;
    bool broken; /* unknown, and reported */
};

/* An update of a keyed counter: constant_keys.c. */
struct constant_update {
    uint32_t action; /* its number */
    const struct plan_effect *effect;
};

/* The position of an expression, which determines whether it may be dynamic. */
struct expression_context {
    const char *static_role; /* "a 'where' condition": must be static; NULL: dynamic values may occur */
    bool report;             /* in a report: cells of counters may occur */
    bool replaces;           /* an argument of a routine that replaces a procedure */
    enum plan_when when;     /* of the action */
    enum plan_place place;   /* that it instruments */
    /* the runtime finds the event, at no instruction: events.c */
    bool is_event;
    enum command_event event;
};

struct compilation {
    const struct tool *tool;
    const struct prototypes *prototypes; /* NULL: calls are not checked */
    struct diagnostics *diagnostics;
    struct arena *arena;   /* the plan's */
    struct arena *scratch; /* for the compilation only */
    struct set_entry *sets;
    uint32_t set_count, set_capacity;
    struct name_table *variables; /* number of all loops so far, including closed ones */
    struct name_table *set_names; /* sets with names so far -> index */
    struct name_table *declared;  /* all named sets, counters, parameters -> declarations */
    struct declaration *declarations;
    uint32_t declaration_count, declaration_capacity;
    struct counter_entry *counters;
    uint32_t counter_count, counter_capacity;
    struct parameter_entry *parameters;
    uint32_t parameter_count, parameter_capacity;
    struct plan_function *functions; /* result PLAN_TYPE_ERROR: broken, and reported */
    uint32_t function_count, function_capacity;
    struct plan_array *arrays;
    uint32_t array_count, array_capacity;
    struct plan_need *needs;
    uint32_t need_count, need_capacity;
    struct plan_buffer *buffers;
    uint32_t buffer_count, buffer_capacity;
    struct plan_report *reports;
    uint32_t report_count, report_capacity;
    uint32_t all_sets[PLAN_PLACE_COUNT]; /* implicit sets of all places of a kind, or NO_SET */
    uint32_t implicit_count;
    struct scope *scopes; /* innermost last */
    uint32_t scope_count, scope_capacity;
    struct routine_entry *routines;
    uint32_t routine_count, routine_capacity;
    struct name_table *routine_names;
    struct plan_action *actions;
    uint32_t action_count, action_capacity;
    uint32_t action_statements; /* that made them */
    bool uses_stack;            /* `$stack` */
    struct constant_update *constants;
    uint32_t constant_count, constant_capacity;
    struct plan_action *watches; /* actions at the procedures whose unwinding is an event, in order */
    uint32_t watch_count, watch_capacity;
    bool prints_events;     /* an event compares texts, or prints */
    bool unwinds_signals;   /* `on unwind signal` */
    uint32_t attached;      /* the switch that `detach` turns off; NO_COUNTER: the tool has no `detach` */
    bool names_threads;     /* `$comm` */
    uint32_t address_names; /* `$symbol` and the like: bits of enum command_address_name */
    bool has_effect;        /* some action does more than count: a call, a print, a change of the program */
    struct expression_context context;
    unsigned choosing;      /* greater than 0: in a domain, or in a condition */
    unsigned errors_before; /* errors reported before this compilation began */
    bool gave_up;           /* ERROR_LIMIT was reached */
};

/* ---- expressions.c: names, types, the static/dynamic discipline, constant folding ------------- */

/* The typed form, in the plan's arena; type PLAN_TYPE_ERROR after a reported error. Never NULL. */
struct plan_expression *check_expression(struct compilation *compilation,
                                         const struct expression *expression);
/* The same for a condition: a boolean. `role`: for messages, the thing that must be static. */
struct plan_expression *check_condition(struct compilation *compilation, const struct expression *expression,
                                        const char *role);
struct plan_expression *make_expression(struct compilation *compilation, enum plan_operator op,
                                        enum plan_type type, const struct source_span *where);
/* The substitute for an expression after a reported error. */
struct plan_expression *error_expression(struct compilation *compilation,
                                         const struct expression *expression);
/* Checks the number of the function's arguments. Reports an error if it is wrong. */
bool require_arguments(struct compilation *compilation, const struct expression *expression, uint32_t least,
                       uint32_t most, const char *usage);
/* The arguments of address(), size() and data(): a name, and a pattern for its file, or NULL. False after
   reporting. */
bool check_data_name(struct compilation *compilation, const struct expression *expression,
                     const struct plan_expression *operand[2]);
/* PLAN_OP_DATA_ADDRESS, _SIZE. */
struct plan_expression *data_value(struct compilation *compilation, enum plan_operator op,
                                   const struct source_span *where, const struct plan_expression *name,
                                   const struct plan_expression *file);
/* The place whose number, or presence, in a set of places of one kind is required. */
bool require_member_kind(struct compilation *compilation, const struct plan_expression *place, uint32_t set);
/* Looks up a loop variable; returns false if there is none. */
bool find_scope(const struct compilation *compilation, const char *name, uint32_t *variable);
/* "line 5", or "line 5 of b.atd" if that is not the file of `here`. */
const char *spell_line(struct compilation *compilation, const struct source_span *where,
                       const struct source_span *here);
/* The source text of the expression. */
const char *spell_source(struct compilation *compilation, const struct source_span *where);
/* The definition under that name in the program's statements, NULL: none. */
struct declaration *find_declaration(const struct compilation *compilation, const char *name);
const char *declaration_phrase(const struct declaration *declaration); /* "a set", ... */

/* ---- members.c: `in`: sets, and values that are listed --------------------------------------- */

struct plan_expression *check_member(struct compilation *compilation, const struct expression *expression);

/* ---- operators.c: types of operators, and folding of constants -------------------------------- */

/* The operator on checked operands, folded if they are constants. */
struct plan_expression *check_operator(struct compilation *compilation, const struct expression *expression,
                                       struct plan_expression *const operand[3]);
struct plan_expression *to_boolean(struct compilation *compilation, struct plan_expression *expression,
                                   const char *role);
bool is_constant(const struct plan_expression *expression);
bool is_number(enum plan_type type); /* integers and booleans */
/* `left and right`; left may be NULL. */
struct plan_expression *both(struct compilation *compilation, struct plan_expression *left,
                             const struct plan_expression *right);
/* Contains a cell of a counter. */
bool has_cells(const struct plan_expression *expression);
struct plan_expression *make_operator(struct compilation *compilation, enum plan_operator op,
                                      enum plan_type type, const struct source_span *where,
                                      const struct plan_expression *left,
                                      const struct plan_expression *right);

/* ---- dynamic.c: the $ values, and where each has a meaning ----------------------------------- */

struct plan_expression *check_dynamic(struct compilation *compilation, const struct expression *expression);
/* True if it is the word of a value, `$` included. */
bool is_dynamic_word(const char *word);
/* True if it has a meaning only with parentheses after it. */
bool needs_operand(const char *word);
/* Reports a dynamic value that can have no meaning: in static expressions, and at the program. */
bool may_be_dynamic(struct compilation *compilation, const struct expression *expression, const char *word);

/* ---- sets.c: sets, domains, and the numbers of their members ---------------------------------- */

/* Resolves the domain of a selection into *scope->loop; reports, and marks the scope broken, on error. */
void check_domain(struct compilation *compilation, const struct selection *selection, struct scope *scope);
/* The set that an expression is: the name of a set or of a kind, for all its places, or | & - of sets. NO_SET
   after reporting. */
uint32_t check_set(struct compilation *compilation, const struct expression *expression);
/* index(place) without a set: the set that numbers it, NO_SET after reporting. */
uint32_t numbering_set(struct compilation *compilation, const struct plan_expression *place);
uint32_t add_set(struct compilation *compilation, struct plan_set set, bool broken);
/* The set of all places of a kind. */
uint32_t all_places(struct compilation *compilation, enum plan_place kind, const struct source_span *where);
/* The set of the places that one loop reaches. */
uint32_t add_selection(struct compilation *compilation, const char *name, const struct source_span *where,
                       const struct plan_loop *loop, bool broken);

/* ---- compile.c ------------------------------------------------------------------------------- */

/* Opens the scope of a loop or a set's candidate, without its condition; the caller closes it. */
struct scope *open_scope(struct compilation *compilation, const struct selection *selection);
/* A name that a statement defines: reports if it is taken. */
bool check_new_name(struct compilation *compilation, enum statement_kind kind, const struct name *name);
const char *copy_text(struct compilation *compilation, const char *text);
/* Reports the use of a name before its statement; silent if the statement was rejected. */
void report_used_early(struct compilation *compilation, const struct declaration *declaration,
                       const char *kind, const struct name *name);
/* True if names defined by statements of this kind are known before the statement. */
bool defines_name(enum statement_kind kind);

/* ---- fields.c: members of the program's structures ---------------------------------------------- */

/* True if it is a member of a structure, or $memory with a type. */
bool is_typed(const struct expression *expression);
/* True if .NAME after the expression is a member of a structure. */
bool has_members(const struct expression *expression);
/* The member that the expression leads to. */
struct plan_expression *check_field(struct compilation *compilation, const struct expression *expression);

/* ---- actions.c: actions at places -------------------------------------------------------------- */

void check_action(struct compilation *compilation, const struct statement *statement);
void check_replace(struct compilation *compilation, const struct statement *statement);

/* ---- counters.c: counters, their cells, and updates -------------------------------------------- */

/* Returns the counter's number. */
uint32_t check_counter_statement(struct compilation *compilation, const struct statement *statement);
/* Fills in the counter, cell or keys, and amount. */
void check_update(struct compilation *compilation, const struct effect *effect, struct plan_effect *action);
/* The same for a histogram. */
/* True for the registers of an instruction: `i.reads`, `i.writes`. */
static inline bool is_register_loop(const struct plan_loop *loop) {
    return loop->domain == PLAN_DOMAIN_READ || loop->domain == PLAN_DOMAIN_WRITTEN;
}
/* delete k[x], clear k */
void check_removal(struct compilation *compilation, const struct effect *effect, struct plan_effect *action);
void check_put(struct compilation *compilation, const struct effect *effect, struct plan_effect *action);
/* The histogram name[cell] (cell NULL: no brackets) and the number of the cell, NULL: the only one; *good is
   false after reporting. */
uint32_t find_histogram(struct compilation *compilation, const struct name *name,
                        const struct expression *cell, const struct plan_expression **number, bool *good);
/* A counter's name as the argument of a call after the program. */
struct plan_expression *check_passed_counter(struct compilation *compilation,
                                             const struct expression *expression);
/* name[place] or name in a report; cell NULL: no brackets. */
struct plan_expression *check_cell(struct compilation *compilation, const struct expression *expression,
                                   const struct expression *cell);
/* Reports the bare name of a counter or switch where it is no value. */
void report_cell_value(struct compilation *compilation, const struct declaration *declaration,
                       const struct name *name, const struct source_span *where);
/* $name[place] or $name of a counter or a switch in an action, into *result; false if there is none of that
   name. */
bool check_running_cell(struct compilation *compilation, const struct expression *expression,
                        struct plan_expression *result);
uint32_t add_counter(struct compilation *compilation, struct plan_counter counter);
void warn_unused_counters(struct compilation *compilation);

/* ---- keys.c: counters by keys and by thread ------------------------------------------------------ */

/* True if the statement declares keys, not cells. */
bool has_keys(const struct compilation *compilation, const struct statement *statement);
/* Keys, the thread and their limit; empty for a counter without any of these. False after reporting. */
bool check_key_declaration(struct compilation *compilation, const struct statement *statement,
                           struct plan_counter *counter);
/* A static number after `limit`, 0 after reporting. */
uint64_t check_limit_number(struct compilation *compilation, const struct expression *expression,
                            uint64_t most);
/* The keys in brackets after the counter's name, PLAN_OP_ARGUMENTs. */
const struct plan_expression *check_keys(struct compilation *compilation, const struct name *name,
                                         uint32_t counter, const struct expression *list, bool *good);
/* True if only the analysis side knows its value. */
bool needs_command(const struct plan_expression *expression);
struct command_buckets command_buckets(const struct plan_counter *counter);
bool calls_routines(const struct compilation *compilation);
bool begins_at_forks(const struct compilation *compilation);
/* The buffers of the counters' tables, when all of the tool has been checked. */
void fill_tables(struct compilation *compilation);
/* Reports: `row in opened`, `opened[row]`, row.key ... */
uint32_t keyed_of_row(const struct compilation *compilation, const struct plan_expression *place);
void check_key_loop(struct compilation *compilation, const struct name *name, uint32_t counter,
                    struct scope *scope);
struct plan_expression *check_row_cell(struct compilation *compilation, const struct expression *expression,
                                       uint32_t counter, const struct expression *cell);
struct plan_expression *key_row_attribute(struct compilation *compilation, uint32_t index,
                                          enum plan_attribute attribute, const struct expression *expression);

/* ---- print.c: the action `print` ----------------------------------------------------------------- */

void check_print(struct compilation *compilation, const struct effect *effect, struct plan_effect *print);
/* The pieces of a checked format; their texts are counted in bytes from the format's beginning. */
uint32_t format_pieces(const char *format, struct command_piece *pieces);

/* ---- commands.c: statements that the runtime executes -------------------------------------------- */

/* Makes the action, otherwise finished, a call of the runtime's that has these effects. */
void make_command(struct compilation *compilation, struct plan_action *action,
                  const struct plan_command *command);
/* The same for an event: a call before the program that gives the command to the runtime. */
void make_event_command(struct compilation *compilation, struct plan_action *action,
                        const struct plan_command *command, enum command_event event,
                        const struct plan_expression *number);
/* Adds actions before the program that open the files of the statement's actions, from number `first` on. */
void open_prints(struct compilation *compilation, uint32_t first);
/* For `$comm`: notes the first name before the program starts. */
void note_thread_name(struct compilation *compilation, const struct source_span *where);

uint32_t own_routine(struct compilation *compilation, const char *name);
/* The number, among all procedures, of the procedure that contains the action's place; NULL if there is none.
 */
const struct plan_expression *procedure_number(struct compilation *compilation,
                                               const struct plan_action *action,
                                               const struct source_span *where);
/* Checks the effect for a command. */
struct plan_effect check_effect(struct compilation *compilation, const struct effect *effect);

/* ---- events.c: actions at events that the runtime finds -------------------------------------------- */

/* The word of a place that is no loop's variable. */
extern const char signal_word[];
/* The event of a statement whose place is the procedure, or a signal; COMMAND_EVENTS: none. */
enum command_event event_of(const struct statement *statement, bool is_signal);
/* Gives the actions of the event to the runtime. */
void add_event(struct compilation *compilation, struct plan_action action, const struct effect *effects);
/* True if the value is known at the event; otherwise reports an error. */
bool check_event_value(struct compilation *compilation, const struct source_span *where, const char *word,
                       enum plan_value value);

/* ---- stacks.c: `$stack` -------------------------------------------------------------------------- */

/* True if it is one of the routines that follow calls. */
bool follows_stacks(const char *routine);
/* True if the tool needs procedures that are unwound, not only the stack. */
bool unwinds_stacks(const struct compilation *compilation);
/* Adds the actions that follow calls. */
void follow_stacks(struct compilation *compilation);
/* The statements of a text of the compiler's own. */
const struct statement *parsed_statement(struct compilation *compilation, const char *text);
/* Moves the actions from number `first` on before all others. Changes the numbers of the statements, too;
   they order the effects at one point. */
void move_last_actions(struct compilation *compilation, uint32_t first);

/* ---- constant_keys.c: updates of keyed counters whose keys are known for each place --------------- */

/* True if the update may be counted in cells of its places. The loops of the action are known. */
bool has_constant_keys(const struct compilation *compilation, const struct plan_action *action,
                       const struct plan_effect *effect);
/* Notes such an update of the action that is added next. */
void note_constant_keys(struct compilation *compilation, const struct plan_effect *effect);
/* Completes these actions, when all of the tool has been checked: if nothing reads the table while the
   program runs, they count in cells; otherwise they are commands. */
void settle_constant_keys(struct compilation *compilation);

/* ---- compile.c ---- */

/* Checks this statement and the following ones. */
void check_statements(struct compilation *compilation, const struct statement *statement);

/* ---- cells.c: how many cells a counter has ------------------------------------------------------- */

/* The brackets after the name that the statement defines: a set, or a number. Returns false after an
   error. */
bool check_cells(struct compilation *compilation, const struct statement *statement,
                 struct plan_counter *counter);

/* ---- histograms.c: histograms, and the buckets of their cells in reports ------------------------- */

void check_histogram_statement(struct compilation *compilation, const struct statement *statement);
/* `b in sizes[p]`: true if the domain is a histogram's buckets, or the cells of a counter; reports, and marks
 * the scope broken, on error. */
bool check_buckets(struct compilation *compilation, const struct selection *selection, struct scope *scope);
/* `bytes[b]` in a report: the value of the histogram in bucket `b` of another one with the same buckets;
   NULL if it is not a histogram's cell. */
struct plan_expression *check_other_bucket(struct compilation *compilation,
                                           const struct expression *expression,
                                           const struct expression *cell);
/* Attribute of the bucket that the loop variable `place` is. */
struct plan_expression *bucket_attribute(struct compilation *compilation, const struct plan_expression *place,
                                         enum plan_attribute attribute, const struct source_span *where);

/* ---- needs.c: requirements on the program -------------------------------------------------------- */

/* Requires all other statements to be checked. */
void check_needs(struct compilation *compilation);

/* ---- arrays.c: arrays for C ---------------------------------------------------------------------- */

void check_array_statement(struct compilation *compilation, const struct statement *statement);

/* ---- switches.c: switches, and sampling -------------------------------------------------------- */

void check_switch_statement(struct compilation *compilation, const struct statement *statement);
/* If a statement of the tool has `detach`: makes the hidden switch that it turns off. */
void find_detach(struct compilation *compilation);
/* detach: fills in the update. */
void check_detach(struct compilation *compilation, const struct effect *effect, struct plan_effect *action);
/* True while the tool is attached, and the condition holds; NULL: always. */
const struct plan_expression *while_attached(struct compilation *compilation,
                                             const struct plan_expression *condition);
/* Fills in the update. */
void check_turn(struct compilation *compilation, const struct effect *effect, struct plan_effect *action);
/* `sample N` of an action statement; place_known: action->place is valid. */
void check_sample(struct compilation *compilation, const struct expression *expression,
                  struct plan_action *action, bool place_known);

/* ---- functions.c: C functions called while instrumenting --------------------------------------- */

void check_use_statement(struct compilation *compilation, const struct statement *statement);
struct plan_expression *check_foreign(struct compilation *compilation, const struct expression *expression,
                                      const struct declaration *declaration);

/* ---- displays.c ------------------------------------------------------------------------------- */

/* For a report whose columns and loops are complete. */
void check_display(struct compilation *compilation, const struct display_form *form,
                   struct plan_report *report);

/* ---- reports.c -------------------------------------------------------------------------------- */

void check_report(struct compilation *compilation, const struct statement *statement);
/* When all statements are checked: no report has a file that a 'print' writes. */
void check_printed_files(struct compilation *compilation);
/* For a finished plan: checks that combined rows have only columns that can be combined. */
bool check_sums(const struct plan *plan, struct diagnostics *diagnostics);

/* ---- every.c -------------------------------------------------------------------------------- */

/* The words before a report that is written while the program runs. */
void check_every(struct compilation *compilation, const struct statement *statement,
                 struct plan_report *report);
void check_on_signal(struct compilation *compilation, const struct statement *statement,
                     struct plan_report *report);
/* The actions that call the runtime where these are due. Requires all statements to be checked. */
void add_reports_while_running(struct compilation *compilation);

/* ---- parameters.c: values of the command line --------------------------------------------------- */

void check_parameter(struct compilation *compilation, const struct statement *statement);
/* True if the parameters so far select the file of an analysis statement, or a need. */
bool is_wanted(struct compilation *compilation, const struct statement *statement);
/* Reports -D options that the tool has no parameter for. */
void check_definitions(struct compilation *compilation);
/* The parameter's value as a constant. */
struct plan_expression *parameter_value(struct compilation *compilation, const struct parameter_entry *entry,
                                        const struct source_span *where);

/* ---- calls.c: calls against their C prototypes ----------------------------------------------- */

/* The index of the routine in the plan; for an unknown one an entry marked broken, after reporting. */
uint32_t check_routine(struct compilation *compilation, const struct name *name);
/* Checks that the routine can replace a procedure. Reports the obstacle if there is one. */
void check_replacement(struct compilation *compilation, const struct name *name, uint32_t routine,
                       bool given);
/* The arguments that replace the procedure's. */
void check_given_arguments(struct compilation *compilation, const struct statement *statement,
                           struct plan_action *action);
/* True if the routine is known to be missing. Without prototypes no routine is known to be missing. */
bool is_missing(const struct compilation *compilation, const struct name *name);
/* Checks and lowers the arguments; the array is in the plan's arena. NO_ROUTINE: the arguments are not
   compared with a prototype. */
const struct plan_expression *const *check_arguments(struct compilation *compilation,
                                                     const struct effect *call, uint32_t routine);
/* True if the call passes values that only the runtime has, so that the runtime has to make it. Reports
   arguments that cannot be passed with them. */
bool pass_commanded(struct compilation *compilation, const struct plan_action *call);

#endif
