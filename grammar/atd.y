/* atd.y: the statements and expressions of the .atd language. Requires the scanner of atd.l; builds the
   tree of compiler/compiler.h in the parse's arena. Lines with OPERATOR_ are repeated for each operator of
   plan/operators.def: operators.awk. */

%require "3.8"
%define api.pure full
%define api.prefix {atd_}
%define api.location.type {struct text_range}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param {void *scanner}
%parse-param {struct parse *parse}

%code requires {
#include "compiler/internal.h"
}

%code provides {
int atd_lex(ATD_STYPE *value, ATD_LTYPE *location, void *scanner);
void atd_run(struct parse *parse);
}

%code {
#define YYLLOC_DEFAULT(current, rhs, count)                                                                  \
    do {                                                                                                     \
        (current).begin = (count) ? YYRHSLOC(rhs, 1).begin : YYRHSLOC(rhs, 0).end;                           \
        (current).end = YYRHSLOC(rhs, count).end;                                                            \
    } while (0)

static void yyerror(struct text_range *location, void *scanner, struct parse *parse, const char *text);

/* The content of a statement, an effect or a clause, by the names of its members. */
#define STATEMENT(word, ...) ((struct statement){.kind = STATEMENT_##word, __VA_ARGS__})
#define CLAUSE(word, ...) ((struct report_clause){.kind = CLAUSE_##word, __VA_ARGS__})
#define EFFECT(word, ...) ((struct effect){.kind = EFFECT_##word, __VA_ARGS__})
}

%union {
    int64_t integer;
    const char *string;
    struct name name;
    struct selection selection;
    struct statement *statement;
    struct statement_list statements;
    struct expression *expression;
    struct expression_list expressions;
    struct effect *effect;
    struct effect_list effects;
    struct report_form *report;
    struct report_clause *clause;
    struct display_form *display;
    struct column_list columns;
    enum plan_column_format format;
    struct checked_value check;
    struct bucket_form *buckets;
}
/* Semantic values are in the arena: the parser can discard them without freeing. */

%token END 0 "end of file"
%token <name> TOOL "'tool'" NEEDS "'needs'" ANALYSIS "'analysis'" SET "'set'" FOR "'for'" IN "'in'" WHERE "'where'"
%token <name> BEFORE "'before'" AFTER "'after'" CALL "'call'" WHEN "'when'" ELSE "'else'"
%token <name> COUNTER "'counter'" REPORT "'report'" EVERY "'every'" PARAM "'param'" INCLUDE "'include'"
%token <name> SORTED "'sorted'" BY "'by'" ASCENDING "'ascending'" DESCENDING "'descending'" HEX "'hex'" PERCENT "'percent'"
%token <name> GROUPED "'grouped'" AS "'as'" GREATEST "'greatest'" REAL "'real'"
%token <name> TOP "'top'" TOTAL "'total'" CHECK "'check'"
%token <name> ON "'on'" ENTRY "'entry'" BACK "'back'" EXIT "'exit'" UNWIND "'unwind'" DETACH "'detach'"
%token <name> SAMPLE "'sample'" SWITCH "'switch'" TURN "'turn'" USE "'use'" FROM "'from'"
%token <name> REPLACE "'replace'" WITH "'with'" ARRAY "'array'" HISTOGRAM "'histogram'" LOG2 "'log2'" LINEAR "'linear'" WEIGHT "'weight'" CHANGES "'changes'" SKIP "'skip'"
%token <name> THREAD_COUNTER "'thread counter'" THREAD_HISTOGRAM "'thread histogram'" PRINT "'print'" TO "'to'" LIMIT "'limit'" PER "'per'"
%token <name> DELETE "'delete'" CLEAR "'clear'"
%token <name> UNIT "'unit'" DISPLAY "'display'" AGAINST "'against'"
%token <name> TRUE "'true'" FALSE "'false'"
%token <name> OPERATOR_WORD "'OPERATOR_TEXT'"
%token <name> NAME "a name" DYNAMIC "a $ value"
%token <integer> INTEGER "a number"
%token <string> STRING "a string"
%token OPERATOR_SYMBOL "'OPERATOR_TEXT'"
%token NOT_MATCH "'!~'"
%token INCREMENT "'++'" DECREMENT "'--'" ADD_TO "'+='" SUBTRACT_FROM "'-='" RANGE "'..'" ARROW "'->'"

%type <name> title_word display_kind word name other_name plain_name switch_state string_name effect_name removal_name held
%type <selection> selection
%type <expression> domain set set_part set_difference one_set members one_member
%type <statement> otherwise
%type <statement> statement analysis_file counter include_file switch histogram function
%type <statements> statements block listing analysis_files counters include_files file_statements switches histograms functions
%type <effect> effect update plain_update print
%type <effects> effects effect_list
%type <report> columns_and_clauses report_head
%type <clause> clause row_clause
%type <display> display titles
%type <columns> columns column pieces piece
%type <format> format
%type <integer> direction changes
%type <expression> guard sample weight limit print_file
%type <expressions> cells print_values
%type <buckets> buckets
%type <check> check
%type <expression> where expression disjunction conjunction negation comparison
%type <expression> bit_or bit_xor bit_and shift sum product prefix postfix primary dynamic
%type <expressions> arguments some_arguments elements some_elements
%type <string> description objects unit
%type <statement> at_place

%%

file
  : file_statements                   { parse->statements = $1.first; }
  ;

/* An extra '}' is reported, unless its '{' was lost in an earlier syntax error. */
file_statements
  : statements                        { $$ = $1; }
  | file_statements '}' statements
    {
        $$ = statements_with($1, $3.first);
        if (parse_errors(parse) == 0) {
            struct source_span span = parse_span(parse, @2);
            diagnose(parse->diagnostics, &span, MESSAGE_STRAY_BRACE);
        }
    }
  ;

statements
  : %empty                            { $$ = (struct statement_list){0}; }
  | statements ';'                    { $$ = $1; }
  | statements statement              { $$ = statements_with($1, $2); }
  | statements listing                { $$ = statements_with($1, $2.first); }
  | statements error                  { $$ = $1; } /* continues at the next word that begins a statement */
  ;

statement
  : tool_word name description changes
    { $$ = new_statement(parse, @$, @1, STATEMENT(TOOL, .name = $2, .description = $3, .changes = $4)); }
  | needs_word name STRING objects guard
    { $$ = new_statement(parse, @$, @1, STATEMENT(NEEDS, .name = $2, .description = $3, .objects = $4, .guard = $5)); }
  | set_word name '=' selection
    { $$ = new_statement(parse, @$, @1, STATEMENT(SET, .name = $2, .selection = $4)); }
  | for_word name IN domain where block
    {
        $$ = new_statement(parse, @$, @1,
                           STATEMENT(FOR, .selection = (struct selection){$2, $4, $5}, .body = $6.first));
    }
  | at_place guard sample effects otherwise
    {
        $$ = with_effects(parse, $1, @$, $2, $4.first);
        $$->sample = $3;
        set_otherwise($$, $5);
    }
  | replace_word name WITH name
    { $$ = new_statement(parse, @$, @1, STATEMENT(REPLACE, .place = $2, .name = $4)); }
  | replace_word name WITH name '(' arguments ')'
    {
        $$ = new_statement(parse, @$, @1,
                           STATEMENT(REPLACE, .place = $2, .name = $4, .effects = new_call(parse, @$, $4, $6)));
    }
  | array_word name '[' name IN domain where ']' '=' expression
    {
        $$ = new_statement(parse, @$, @1,
                           STATEMENT(ARRAY, .name = $2, .selection = (struct selection){$4, $6, $7}, .value = $10));
    }
  | report_word report_head columns_and_clauses
    { $$ = new_statement(parse, @$, @1, STATEMENT(REPORT, .report = join_report(parse, $2, $3))); }
  | every_word expression name report_word report_head columns_and_clauses
    {
        $$ = new_statement(parse, @$, @1,
                           STATEMENT(REPORT, .report = join_report(parse, $5, $6), .value = $2, .name = $3));
    }
  | every_word expression name name report_word report_head columns_and_clauses
    {
        $$ = new_statement(parse, @$, @1,
                           STATEMENT(REPORT, .report = join_report(parse, $6, $7), .value = $2, .name = $3,
                                     .every = new_name(parse, EXPRESSION_NAME, @4, $4)));
    }
  | on_word plain_name STRING report_word report_head columns_and_clauses
    {
        $$ = new_statement(parse, @$, @1,
                           STATEMENT(REPORT, .report = join_report(parse, $5, $6), .name = $2,
                                     .signal = text_name(parse, $3, @3)));
    }
  | param_word name name '=' expression description check
    {
        $$ = new_statement(parse, @$, @1,
                           STATEMENT(PARAMETER, .type = $2, .name = $3, .value = $5, .description = $6,
                                     .check = $7.condition, .check_text = $7.text));
    }
  ;

/* Statements that declare several things. */
listing
  : analysis_word analysis_files guard
    { $$ = $2; set_guards($2.first, $3); }
  | counter_word counters             { $$ = $2; }
  | thread_counter_word counters      { $$ = $2; mark_per_thread($2.first); }
  | thread_histogram_word histograms  { $$ = $2; mark_per_thread($2.first); }
  | include_word include_files        { $$ = $2; }
  | use_word functions FROM string_name
    { $$ = $2; set_files($2.first, $4); }
  | switch_word switches              { $$ = $2; }
  | histogram_word histograms         { $$ = $2; }
  ;

/* The tool may change the program's behaviour. */
changes
  : %empty                            { $$ = 0; }
  | CHANGES                           { $$ = 1; }
  ;

/* The objects to search, in the syntax of --objects. */
objects
  : %empty                            { $$ = NULL; }
  | FROM STRING                       { $$ = $2; }
  ;

description
  : %empty                            { $$ = ""; }
  | STRING                            { $$ = $1; }
  ;

analysis_files
  : analysis_file                     { $$ = one_statement($1); }
  | analysis_files ',' analysis_file  { $$ = statements_with($1, $3); }
  ;

analysis_file
  : string_name
    { $$ = new_statement(parse, @$, @1, STATEMENT(ANALYSIS, .name = $1)); }
  ;

string_name
  : STRING                            { $$ = text_name(parse, $1, @1); }
  ;

counters
  : counter                           { $$ = one_statement($1); }
  | counters ',' counter              { $$ = statements_with($1, $3); }
  ;

/* `total`, `taken[branches]`: a cell for each member, `state[256]`: a number of cells, or `opened[string,
   int]`: one for each key; the checker distinguishes them. */
counter
  : name cells held limit
    { $$ = new_statement(parse, @$, @1, STATEMENT(COUNTER, .name = $1, .set = $2.first, .type = $3, .limit = $4)); }
  ;

/* The type of the values: an integer if none is given. */
held
  : %empty                            { $$ = (struct name){0}; }
  | AS other_name                     { $$ = $2; }
  ;

cells
  : %empty                            { $$ = (struct expression_list){0}; }
  | '[' some_arguments ']'            { $$ = $2; }
  ;

limit
  : %empty                            { $$ = NULL; }
  | LIMIT expression                  { $$ = $2; }
  ;

switches
  : switch                            { $$ = one_statement($1); }
  | switches ',' switch               { $$ = statements_with($1, $3); }
  ;

/* `roi`, initially off, or `roi = on`. */
switch
  : name
    { $$ = new_statement(parse, @$, @1, STATEMENT(SWITCH, .name = $1)); }
  | name '=' switch_state
    { $$ = new_statement(parse, @$, @1, STATEMENT(SWITCH, .name = $1, .state = $3)); }
  ;

/* `int stalls(Block)`: C functions, with the types of their parameters. */
functions
  : function                          { $$ = one_statement($1); }
  | functions ',' function            { $$ = statements_with($1, $3); }
  ;

function
  : name name '(' arguments ')'
    { $$ = new_statement(parse, @$, @1, STATEMENT(USE, .type = $1, .name = $2, .parameters = $4.first)); }
  ;

/* The checker reports words other than `on` and `off`. */
switch_state
  : name | ON | TRUE | FALSE
  ;

histograms
  : histogram                         { $$ = one_statement($1); }
  | histograms ',' histogram          { $$ = statements_with($1, $3); }
  ;

histogram
  : name cells buckets limit
    {
        $$ = new_statement(parse, @$, @1,
                           STATEMENT(HISTOGRAM, .name = $1, .set = $2.first, .buckets = $3, .limit = $4));
    }
  ;

buckets
  : LOG2
    { $$ = new_buckets(parse, (struct bucket_form){.logarithmic = true}); }
  | LINEAR expression RANGE expression BY expression
    { $$ = new_buckets(parse, (struct bucket_form){.low = $2, .high = $4, .step = $6}); }
  ;

include_files
  : include_file                      { $$ = one_statement($1); }
  | include_files ',' include_file    { $$ = statements_with($1, $3); }
  ;

include_file
  : string_name
    { $$ = new_statement(parse, @$, @1, STATEMENT(INCLUDE, .name = $1)); }
  ;

check
  : %empty                            { $$ = (struct checked_value){NULL, NULL}; }
  | CHECK expression                  { $$ = (struct checked_value){$2, NULL}; }
  | CHECK expression STRING           { $$ = (struct checked_value){$2, $3}; }
  ;

guard
  : %empty                            { $$ = NULL; }
  | WHEN expression                   { $$ = $2; }
  ;

sample
  : %empty                            { $$ = NULL; }
  | SAMPLE expression                 { $$ = $2; }
  ;

/* Its place is that of the statement. */
otherwise
  : %empty                            { $$ = NULL; }
  | ELSE guard effects otherwise
    {
        $$ = new_statement(parse, @$, @1, STATEMENT(ACTION, .otherwise = $4));
        $$ = with_effects(parse, $$, @$, $2, $3.first);
    }
  ;

/* A print's values are a list up to the statement's end. */
effects
  : effect_list
  | effect_list ',' print             { $$ = effects_with($1, $3); }
  | print                             { $$ = (struct effect_list){$1, $1}; }
  ;

effect_list
  : effect                            { $$ = (struct effect_list){$1, $1}; }
  | effect_list ',' effect            { $$ = effects_with($1, $3); }
  ;

print
  : PRINT print_file STRING print_values limit
    {
        $$ = new_effect(parse, @$,
                        EFFECT(PRINT, .name = $1, .cell = $2, .format = text_name(parse, $3, @3), .amount = $5,
                               .arguments = $4.first, .argument_count = $4.count));
    }
  | PRINT print_file STRING print_values LIMIT expression PER name
    {
        $$ = new_effect(parse, @$,
                        EFFECT(PRINT, .name = $1, .cell = $2, .format = text_name(parse, $3, @3), .amount = $6,
                               .operator = $8, .arguments = $4.first, .argument_count = $4.count));
    }
  ;

print_file
  : %empty                            { $$ = NULL; }
  | TO expression                     { $$ = $2; }
  ;

print_values
  : %empty                            { $$ = (struct expression_list){0}; }
  | ',' some_arguments                { $$ = $2; }
  ;

effect
  : CALL name '(' arguments ')'
    { $$ = new_call(parse, @$, $2, $4); }
  | TURN name switch_state
    { $$ = new_effect(parse, @$, EFFECT(TURN, .name = $2, .operator = $3)); }
  | TURN ON name
    {
        diagnose_turn_order(parse, $2, $3);
        $$ = new_effect(parse, @$, EFFECT(TURN, .name = $3, .operator = $2));
    }
  | SET dynamic '=' expression
    { $$ = new_effect(parse, @$, EFFECT(SET, .name = $1, .value = $2, .amount = $4)); }
  | SKIP                              { $$ = new_effect(parse, @$, EFFECT(SKIP, .name = $1)); }
  | DETACH                            { $$ = new_effect(parse, @$, EFFECT(DETACH, .name = $1)); }
  | EXIT expression                   { $$ = new_effect(parse, @$, EFFECT(EXIT, .name = $1, .amount = $2)); }
  | DELETE name cells
    { $$ = new_effect(parse, @$, EFFECT(DELETE, .name = $2, .operator = $1, .cell = $3.first)); }
  | CLEAR name cells
    { $$ = new_effect(parse, @$, EFFECT(CLEAR, .name = $2, .operator = $1, .cell = $3.first)); }
  | removal_name plain_update         { $$ = update_of(parse, @$, $1, NULL, $2); }
  | removal_name DECREMENT            { $$ = update_of(parse, @$, $1, NULL, new_update(parse, @2, @2, NULL)); }
  | removal_name '[' some_arguments ']' update
    { $$ = update_of(parse, @$, $1, $3.first, $5); }
  | effect_name '(' arguments ')'     { $$ = new_effect(parse, @$, EFFECT(BARE_CALL, .name = $1)); }
  | effect_name name '(' arguments ')'
    { $$ = new_effect(parse, @$, EFFECT(BARE_CALL, .name = $2, .operator = $1)); }
  | effect_name update                { $$ = update_of(parse, @$, $1, NULL, $2); }
  | EXIT plain_update                 { $$ = update_of(parse, @$, $1, NULL, $2); }
  | DETACH plain_update               { $$ = update_of(parse, @$, $1, NULL, $2); }
  | DETACH DECREMENT                  { $$ = update_of(parse, @$, $1, NULL, new_update(parse, @2, @2, NULL)); }
  | DETACH '[' some_arguments ']' update
    { $$ = update_of(parse, @$, $1, $3.first, $5); }
  | effect_name '[' some_arguments ']' update
    { $$ = update_of(parse, @$, $1, $3.first, $5); }
  ;

/* After `exit`, an expression is the status; a counter may have this name. */
effect_name
  : plain_name | ENTRY | BACK | UNWIND | EVERY
  ;

/* Before a name these words are actions; counters may have the words as names. */
removal_name
  : DELETE | CLEAR
  ;

/* `max` and `min` are plain names: the checker reports other names. */
update
  : plain_update
  | DECREMENT                         { $$ = new_update(parse, @$, @1, NULL); }
  | name '=' expression
    { $$ = new_update(parse, @$, ((struct text_range){@1.begin, @2.end}), $3); }
  ;

plain_update
  : INCREMENT                         { $$ = new_update(parse, @$, @1, NULL); }
  | ADD_TO expression                 { $$ = new_update(parse, @$, @1, $2); }
  | SUBTRACT_FROM expression          { $$ = new_update(parse, @$, @1, $2); }
  | '=' expression                    { $$ = new_update(parse, @$, @1, $2); }
  | SHIFT_LEFT expression weight      { $$ = put_of(new_update(parse, @$, @1, $3), $2); }
  ;

weight
  : %empty                            { $$ = NULL; }
  | WEIGHT expression                 { $$ = $2; }
  ;

/* Clauses may be before or after the columns; `for` only before them, where no statement can begin. */
report_head
  : expression                        { $$ = new_report(parse, $1, NULL); }
  | report_head row_clause            { $$ = with_clause(parse, $1, $2); }
  ;

row_clause
  : FOR name IN domain where
    { $$ = new_clause(parse, $1, CLAUSE(FOR, .row = {$2, $4, $5})); }
  | clause
  ;

clause
  : GROUPED BY some_arguments         { $$ = new_clause(parse, $1, CLAUSE(GROUPED, .value = $3.first)); }
  | SORTED BY expression direction    { $$ = new_clause(parse, $1, CLAUSE(SORTED, .value = $3, .descending = $4)); }
  | TOP expression                    { $$ = new_clause(parse, $1, CLAUSE(TOP, .value = $2)); }
  | TOTAL                             { $$ = new_clause(parse, $1, CLAUSE(TOTAL, .value = NULL)); }
  ;

direction
  : %empty                            { $$ = 0; }
  | ASCENDING                         { $$ = 0; }
  | DESCENDING                        { $$ = 1; }
  ;

columns_and_clauses
  : columns                           { $$ = new_report(parse, NULL, $1.first); }
  | AS pieces                         { $$ = new_text_report(parse, $1, $2.first); }
  | columns_and_clauses clause        { $$ = with_clause(parse, $1, $2); }
  | columns_and_clauses display       { $$ = with_display(parse, $1, $2); }
  ;

/* compiler/displays.c checks the columns and words of a kind. */
display
  : DISPLAY display_kind              { $$ = with_kind(new_display(parse), $1, $2); }
  | DISPLAY display_kind titles       { $$ = with_kind($3, $1, $2); }
  ;

display_kind : other_name | HISTOGRAM ;

titles
  : string_name                       { $$ = with_title(new_display(parse), (struct name){0}, $1); }
  | titles title_word string_name     { $$ = with_title($1, $2, $3); }
  ;

title_word : BY | AGAINST | FROM | TO ;

columns
  : column
  | columns ',' column                { $$ = columns_with($1, $3); }
  ;

column
  : STRING format expression unit
    {
        $$ = new_column(parse, (struct column){
            .title = $1, .format = $2, .format_where = parse_span(parse, @2), .value = $3, .unit = $4});
    }
  ;

unit
  : %empty                            { $$ = NULL; }
  | UNIT STRING                       { $$ = $2; }
  ;

pieces
  : piece
  | pieces ',' piece                  { $$ = columns_with($1, $3); }
  ;

piece
  : format expression
    {
        $$ = new_column(parse, (struct column){
            .title = "", .format = $1, .format_where = parse_span(parse, @1), .value = $2});
    }
  ;

format
  : %empty                            { $$ = PLAN_COLUMN_DECIMAL; }
  | HEX                               { $$ = PLAN_COLUMN_HEXADECIMAL; }
  | PERCENT                           { $$ = PLAN_COLUMN_PERCENT; }
  | GREATEST                          { $$ = PLAN_COLUMN_GREATEST; }
  | REAL                              { $$ = PLAN_COLUMN_REAL; }
  ;

/* `inst i where ...` selects from the whole program, `i in branches where ...` from a set. */
selection
  : name other_name where
    {
        $$ = (struct selection){$2, new_name(parse, EXPRESSION_NAME, @1, $1), $3};
    }
  | name IN domain where                 { $$ = (struct selection){$1, $3, $4}; }
  | set                               { $$ = (struct selection){.domain = $1}; }
  ;

domain
  : set
  | name '[' expression ']'           /* the buckets of a histogram's cell */
    { $$ = with_operand(parse, new_name(parse, EXPRESSION_CELL, @$, $1), $3); }
  ;

/* Operators in sets have the same precedence as in expressions. */
set
  : set_part
  | set '|' set_part                  { $$ = new_binary(parse, PLAN_OP_BIT_OR, @$, @2, $1, $3); }
  ;

set_part
  : set_difference
  | set_part '&' set_difference       { $$ = new_binary(parse, PLAN_OP_BIT_AND, @$, @2, $1, $3); }
  ;

set_difference
  : one_set
  | set_difference '-' one_set        { $$ = new_binary(parse, PLAN_OP_SUBTRACT, @$, @2, $1, $3); }
  ;

one_set
  : name                              { $$ = new_name(parse, EXPRESSION_NAME, @1, $1); }
  | name '.' word
    { $$ = new_attribute(parse, @$, new_name(parse, EXPRESSION_NAME, @1, $1), $3); }
  | '(' set ')'                       { $$ = $2; }
  ;

where
  : %empty                            { $$ = NULL; }
  | WHERE expression                  { $$ = $2; }
  ;

block
  : '{' statements '}'                { $$ = $2; }
  ;

/* The keyword of a statement ends the recovery from an earlier error: following errors are reported
   again. */
tool_word     : TOOL                  { yyerrok; } ;
needs_word    : NEEDS                 { yyerrok; } ;
analysis_word : ANALYSIS              { yyerrok; } ;
set_word      : SET                   { yyerrok; } ;
for_word      : FOR                   { yyerrok; } ;
counter_word  : COUNTER               { yyerrok; } ;
thread_counter_word   : THREAD_COUNTER   { yyerrok; } ;
thread_histogram_word : THREAD_HISTOGRAM { yyerrok; } ;
report_word   : REPORT                { yyerrok; } ;
every_word    : EVERY                 { yyerrok; } ;
param_word    : PARAM                 { yyerrok; } ;
include_word  : INCLUDE               { yyerrok; } ;
switch_word   : SWITCH                { yyerrok; } ;
use_word      : USE                   { yyerrok; } ;
histogram_word : HISTOGRAM            { yyerrok; } ;
array_word    : ARRAY                 { yyerrok; } ;
replace_word  : REPLACE               { yyerrok; } ;

/* The place of an action. A place named back or exit is only possible after before and after. */
at_place
  : before_word word                  { $$ = new_action(parse, PLAN_BEFORE, ON_NOTHING, @1, $2); }
  | after_word word                   { $$ = new_action(parse, PLAN_AFTER, ON_NOTHING, @1, $2); }
  | on_word plain_name                { $$ = new_action(parse, PLAN_ON, ON_NOTHING, @1, $2); }
  | on_word ENTRY name                { $$ = new_action(parse, PLAN_BEFORE, ON_ENTRY, @1, $3); }
  | on_word BACK name                 { $$ = new_action(parse, PLAN_BACK, ON_BACK, @1, $3); }
  | on_word EXIT name                 { $$ = new_action(parse, PLAN_AFTER, ON_EXIT, @1, $3); }
  | on_word UNWIND name               { $$ = new_action(parse, PLAN_ON, ON_UNWIND, @1, $3); }
  ;
before_word   : BEFORE                { yyerrok; } ;
after_word    : AFTER                 { yyerrok; } ;
on_word       : ON                    { yyerrok; } ;

/* Words with a meaning in only one context can also be names. */
name
  : other_name | EVERY
  ;

/* The names after which a statement with 'every' may begin. */
other_name
  : plain_name | ENTRY | BACK | EXIT | DELETE | CLEAR | UNWIND | DETACH
  ;

plain_name
  : NAME | TOP | TOTAL | CHECK | FROM | WITH | LOG2 | LINEAR | WEIGHT | TO | LIMIT | PER | CHANGES | UNIT | DISPLAY | AGAINST
  ;

/* After a dot, and where only a name is possible, keywords are ordinary words. */
word
  : NAME | TOOL | NEEDS | ANALYSIS | SET | FOR | IN | WHERE | BEFORE | AFTER | CALL | WHEN | ELSE
  | COUNTER | REPORT | EVERY | PARAM | INCLUDE | SORTED | BY | ASCENDING | DESCENDING | HEX | PERCENT | GROUPED | AS | GREATEST | REAL
  | TOP | TOTAL | CHECK
  | SAMPLE | SWITCH | TURN | USE | FROM | REPLACE | WITH | ARRAY | HISTOGRAM | LOG2 | LINEAR | WEIGHT | CHANGES | SKIP | PRINT | TO | LIMIT | PER | UNIT | DISPLAY | AGAINST | ON | ENTRY | BACK | EXIT | DELETE | CLEAR | UNWIND | DETACH
  | TRUE | FALSE
  | OPERATOR_WORD
  ;

arguments
  : %empty                            { $$ = (struct expression_list){0}; }
  | some_arguments                    { $$ = $1; }
  ;

some_arguments
  : expression                        { $$ = one_expression($1); }
  | some_arguments ',' expression     { $$ = expressions_with($1, $3); }
  ;

/* Levels from the lowest to the highest precedence. As in C, but `&`, `^` and `|` have higher precedence than
   comparisons, which cannot be chained. */
expression
  : disjunction
  | disjunction '?' expression ':' expression
    { $$ = new_operator(parse, PLAN_OP_CONDITIONAL, @$, @2, $1, $3, $5); }
  ;

disjunction
  : conjunction
  | disjunction OPERATOR_TOKEN conjunction { $$ = new_binary(parse, PLAN_OP_OPERATOR_ID, @$, @2, $1, $3); }
  ;

conjunction
  : negation
  | conjunction OPERATOR_TOKEN negation { $$ = new_binary(parse, PLAN_OP_OPERATOR_ID, @$, @2, $1, $3); }
  ;

negation
  : comparison
  | OPERATOR_TOKEN negation           { $$ = new_unary(parse, PLAN_OP_OPERATOR_ID, @$, @1, $2); }
  ;

comparison
  : bit_or
  | bit_or OPERATOR_TOKEN bit_or      { $$ = new_binary(parse, PLAN_OP_OPERATOR_ID, @$, @2, $1, $3); }
  | bit_or NOT LIKE bit_or
    { $$ = new_unary(parse, PLAN_OP_NOT, @$, @2, new_binary(parse, PLAN_OP_LIKE, @$, @3, $1, $4)); }
  | bit_or NOT_MATCH bit_or
    { $$ = new_unary(parse, PLAN_OP_NOT, @$, @2, new_binary(parse, PLAN_OP_MATCH, @$, @2, $1, $3)); }
  | bit_or IN members                 { $$ = of_member(parse, @$, $1, $3); }
  | bit_or NOT IN members
    { $$ = new_unary(parse, PLAN_OP_NOT, @$, @2, of_member(parse, @$, $1, $4)); }
  ;

/* The sets, or the values, of a membership test. */
members
  : one_member
    { $$ = with_arguments(parse, new_expression(parse, EXPRESSION_MEMBER, @$), one_expression($1)); }
  | '(' some_arguments ')'
    { $$ = in_parentheses(with_arguments(parse, new_expression(parse, EXPRESSION_MEMBER, @$), $2)); }
  ;

one_member
  : name                              { $$ = new_name(parse, EXPRESSION_NAME, @1, $1); }
  | name '.' word
    { $$ = new_attribute(parse, @$, new_name(parse, EXPRESSION_NAME, @1, $1), $3); }
  | name '(' arguments ')'
    { $$ = with_arguments(parse, new_name(parse, EXPRESSION_FUNCTION, @$, $1), $3); }
  ;

bit_or
  : bit_xor
  | bit_or OPERATOR_TOKEN bit_xor     { $$ = new_binary(parse, PLAN_OP_OPERATOR_ID, @$, @2, $1, $3); }
  ;

bit_xor
  : bit_and
  | bit_xor OPERATOR_TOKEN bit_and    { $$ = new_binary(parse, PLAN_OP_OPERATOR_ID, @$, @2, $1, $3); }
  ;

bit_and
  : shift
  | bit_and OPERATOR_TOKEN shift      { $$ = new_binary(parse, PLAN_OP_OPERATOR_ID, @$, @2, $1, $3); }
  ;

shift
  : sum
  | shift OPERATOR_TOKEN sum          { $$ = new_binary(parse, PLAN_OP_OPERATOR_ID, @$, @2, $1, $3); }
  ;

sum
  : product
  | sum OPERATOR_TOKEN product        { $$ = new_binary(parse, PLAN_OP_OPERATOR_ID, @$, @2, $1, $3); }
  ;

product
  : prefix
  | product OPERATOR_TOKEN prefix     { $$ = new_binary(parse, PLAN_OP_OPERATOR_ID, @$, @2, $1, $3); }
  ;

prefix
  : postfix
  | '!' prefix                        { $$ = new_unary(parse, PLAN_OP_NOT, @$, @1, $2); }
  | OPERATOR_TOKEN prefix             { $$ = new_unary(parse, PLAN_OP_OPERATOR_ID, @$, @1, $2); }
  | DECREMENT prefix
    { $$ = new_unary(parse, PLAN_OP_NEGATE, @$, @1, new_unary(parse, PLAN_OP_NEGATE, @$, @1, $2)); }
  | NOT_MATCH prefix
    { $$ = new_unary(parse, PLAN_OP_NOT, @$, @1, new_unary(parse, PLAN_OP_COMPLEMENT, @$, @1, $2)); }
  ;

postfix
  : primary
  | postfix '.' word                  { $$ = new_attribute(parse, @$, $1, $3); }
  | postfix '.' word '(' arguments ')'
    { $$ = in_parentheses(with_arguments(parse, new_attribute(parse, @$, $1, $3), $5)); }
  | postfix '.' word some_elements    { $$ = new_field(parse, @$, $1, $3, $4); }
  | postfix ARROW word elements       { $$ = through_pointer(new_field(parse, @$, $1, $3, $4)); }
  ;

elements
  : %empty                            { $$ = (struct expression_list){0}; }
  | some_elements
  ;

some_elements
  : '[' expression ']'                { $$ = one_expression($2); }
  | some_elements '[' expression ']'  { $$ = expressions_with($1, $3); }
  ;

dynamic
  : DYNAMIC                           { $$ = new_name(parse, EXPRESSION_DYNAMIC, @$, $1); }
  | DYNAMIC '(' arguments ')'
    { $$ = with_arguments(parse, new_name(parse, EXPRESSION_DYNAMIC, @$, $1), $3); }
  | DYNAMIC '[' some_arguments ']'
    { $$ = with_operand(parse, new_name(parse, EXPRESSION_DYNAMIC, @$, $1), $3.first); }
  | '$' '(' expression ')'
    { $$ = with_arguments(parse, new_name(parse, EXPRESSION_DYNAMIC, @$, parse_name(parse, @1)), one_expression($3)); }
  ;

primary
  : INTEGER                           { $$ = new_integer(parse, EXPRESSION_INTEGER, @$, $1); }
  | TRUE                              { $$ = new_integer(parse, EXPRESSION_BOOLEAN, @$, 1); }
  | FALSE                             { $$ = new_integer(parse, EXPRESSION_BOOLEAN, @$, 0); }
  | STRING                            { $$ = new_string(parse, @$, $1); }
  | name                              { $$ = new_name(parse, EXPRESSION_NAME, @$, $1); }
  | CALL                              { $$ = new_name(parse, EXPRESSION_NAME, @$, $1); } /* the class */
  | name '(' arguments ')'
    { $$ = with_arguments(parse, new_name(parse, EXPRESSION_FUNCTION, @$, $1), $3); }
  | name '[' some_arguments ']'
    { $$ = with_operand(parse, new_name(parse, EXPRESSION_CELL, @$, $1), $3.first); }
  | dynamic
  | '(' expression ')'                { $$ = $2; }
  ;

%%

/* Called only if the parser itself fails, because its stack has reached its limit. */
static void yyerror(struct text_range *location, void *scanner, struct parse *parse, const char *text) {
    (void)scanner, (void)text;
    struct source_span span = parse_span(parse, *location);
    diagnose(parse->diagnostics, &span, MESSAGE_NESTED_TOO_DEEPLY);
}

static int yyreport_syntax_error(const yypcontext_t *context, void *scanner, struct parse *parse) {
    (void)scanner;
    yysymbol_kind_t symbols[YYNTOKENS];
    struct expected_token expected[YYNTOKENS];
    int count = yypcontext_expected_tokens(context, symbols, YYNTOKENS);
    size_t kept = 0;
    for (int i = 0; i < count; i++)
        expected[kept++] = new_expected_token(yysymbol_name(symbols[i]));
    report_syntax_error(parse, yypcontext_token(context) == YYSYMBOL_YYEOF, expected, kept);
    return 0;
}
