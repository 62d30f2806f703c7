/* calls.c: checks each call against the prototype of its C routine, and lowers the arguments. Requires
   prototypes from the DWARF of the analysis code; without them calls are not checked. */
#include "compiler/internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "CondBranch(int n, long taken)", as a C reader expects it. */
static const char *spell_prototype(struct compilation *compilation, const struct plan_routine *routine) {
    struct arena *arena = compilation->scratch;
    const char *text = arena_format(arena, "%s(", routine->name);
    for (uint32_t i = 0; i < routine->parameter_count; i++) {
        const struct plan_parameter *parameter = &routine->parameters[i];
        const char *spelled = parameter->spelled, *name = parameter->name ? parameter->name : "";
        bool tight = !*name || spelled[strlen(spelled) - 1] == '*';
        text = arena_format(arena, "%s%s%s%s%s", text, i ? ", " : "", spelled, tight ? "" : " ", name);
    }
    if (routine->variadic)
        text = arena_format(arena, "%s%s...", text, routine->parameter_count ? ", " : "");
    else if (routine->parameter_count == 0)
        text = arena_format(arena, "%svoid", text);
    return arena_format(arena, "%s)", text);
}

/* "branch.c:12", or a phrase if the debug information has no position. */
static const char *spell_position(struct compilation *compilation, const struct plan_routine *routine) {
    if (!routine->file)
        return "unknown C file";
    return arena_format(compilation->scratch, "%s:%" PRIu32, routine->file, routine->line);
}

/* ---- routines ------------------------------------------------------------------------------- */

static bool is_part_of_name(char character) {
    return isalnum((unsigned char)character) || character == '_';
}

/* "file.c:12" for a static function of that name in the tool's C; NULL if there is none. */
static const char *has_static(struct compilation *compilation, const char *name) {
    size_t length = strlen(name);
    for (uint32_t i = 0; i < compilation->tool->analysis_count; i++) {
        const char *path = compilation->tool->analysis[i].path;
        size_t size;
        char *text = read_file(path, &size), *line = text;
        for (uint32_t number = 1; line; number++) {
            char *end = strchr(line, '\n');
            if (end)
                *end = '\0';
            const char *at = strncmp(line, "static ", 7) == 0 ? strstr(line, name) : NULL;
            if (at && !is_part_of_name(at[-1]) && at[length + strspn(at + length, " ")] == '(') {
                free(text);
                return arena_format(compilation->scratch, "%s:%u", path, number);
            }
            line = end ? end + 1 : NULL;
        }
        free(text);
    }
    return NULL;
}

static void report_unknown_routine(struct compilation *compilation, const struct name *name) {
    struct diagnostics *diagnostics = compilation->diagnostics;
    const struct plan_routine *hidden = prototypes_find_static(compilation->prototypes, name->text);
    if (hidden) {
        diagnose(diagnostics, &name->where, MESSAGE_STATIC_ROUTINE, name->text,
                 spell_position(compilation, hidden));
        diagnose_hint(diagnostics, "remove 'static' there");
        return;
    }
    const char *source = has_static(compilation, name->text);
    if (source) { /* the compiler has removed the function, since no code calls it */
        diagnose(diagnostics, &name->where, MESSAGE_STATIC_ROUTINE, name->text, source);
        diagnose_hint(diagnostics, "remove 'static' there");
        return;
    }
    size_t count;
    const char *const *names = prototypes_names(compilation->prototypes, &count);
    const char *nearest = nearest_name(name->text, names, count);
    diagnose(diagnostics, &name->where, MESSAGE_UNKNOWN_ROUTINE, name->text);
    if (!nearest && prints_text(name->text)) {
        diagnose_hint(diagnostics, "%s", print_hint);
        return;
    }
    if (nearest)
        diagnose_hint(diagnostics, "did you mean '%s' (%s)?", nearest,
                      spell_position(compilation, prototypes_find(compilation->prototypes, nearest)));
    else if (count == 0)
        diagnose_hint(diagnostics, "no C function was found (an 'inline' one is none): name the C file in an "
                                   "analysis statement, or on the command line");
    else
        diagnose_hint(diagnostics,
                      "a routine is a function of the C that is neither 'static' nor only 'inline'");
}

/* The plan must outlive the prototypes: copies all that the routine points to. */
static struct plan_routine copy_routine(struct arena *arena, const struct plan_routine *routine) {
    struct plan_routine copy = *routine;
    struct plan_parameter *parameters = arena_allocate(arena, routine->parameter_count * sizeof *parameters);
    copy.name = arena_string(arena, routine->name, strlen(routine->name));
    copy.file = routine->file ? arena_string(arena, routine->file, strlen(routine->file)) : NULL;
    for (uint32_t i = 0; i < routine->parameter_count; i++) {
        parameters[i] = routine->parameters[i];
        parameters[i].spelled = arena_string(arena, parameters[i].spelled, strlen(parameters[i].spelled));
        if (parameters[i].name)
            parameters[i].name = arena_string(arena, parameters[i].name, strlen(parameters[i].name));
    }
    copy.parameters = parameters;
    return copy;
}

bool is_missing(const struct compilation *compilation, const struct name *name) {
    return compilation->prototypes && !prototypes_find(compilation->prototypes, name->text);
}

uint32_t check_routine(struct compilation *compilation, const struct name *name) {
    uint32_t index;
    if (compilation->uses_stack && follows_stacks(name->text))
        return own_routine(compilation, copy_text(compilation, name->text));
    if (name_table_find(compilation->routine_names, name->text, &index)) {
        if (compilation->routines[index].broken)
            report_unknown_routine(compilation, name);
        return index;
    }
    struct routine_entry entry = {.routine = {.name = name->text, .result = PLAN_C_VOID}};
    const struct plan_routine *known = &entry.routine;
    if (compilation->prototypes) {
        known = prototypes_find(compilation->prototypes, name->text);
        entry.broken = known == NULL;
        if (entry.broken) {
            report_unknown_routine(compilation, name);
            known = &entry.routine;
        }
    }
    entry.routine = copy_routine(compilation->arena, known);
    VECTOR_RESERVE(compilation->routines, compilation->routine_count, compilation->routine_capacity);
    compilation->routines[compilation->routine_count] = entry;
    name_table_add(compilation->routine_names, entry.routine.name, compilation->routine_count);
    return compilation->routine_count++;
}

/* ---- arguments ------------------------------------------------------------------------------ */

/* An argument beside its parameter. */
struct match {
    struct compilation *compilation;
    const struct plan_routine *routine;
    const struct plan_parameter *parameter; /* NULL: unchecked, or among the `...` */
    uint32_t number;                        /* from 1 */
    const struct plan_expression *argument;
};

static void report_type(const struct match *match, const char *passed, const char *hint) {
    struct compilation *compilation = match->compilation;
    diagnose(compilation->diagnostics, &match->argument->where, MESSAGE_ARGUMENT_TYPE, match->number,
             match->routine->name, spell_position(compilation, match->routine), match->parameter->spelled,
             passed);
    if (hint)
        diagnose_hint(compilation->diagnostics, "%s", hint);
    else
        diagnose_hint(compilation->diagnostics, "the C routine is %s",
                      spell_prototype(compilation, match->routine));
}

/* Smallest and largest value of a parameter of at most 32 bits. */
static void parameter_range(const struct plan_parameter *parameter, int64_t *least, int64_t *most) {
    int bits = parameter->type == PLAN_C_CHAR ? 8 : parameter->type == PLAN_C_SHORT ? 16 : 32;
    *least = parameter->is_unsigned ? 0 : -(INT64_C(1) << (bits - 1));
    *most = (INT64_C(1) << (parameter->is_unsigned ? bits : bits - 1)) - 1;
}

/* An integer to an integer parameter: constants must fit, addresses should. */
static void check_integer(const struct match *match) {
    struct compilation *compilation = match->compilation;
    const struct plan_expression *argument = match->argument;
    if (match->parameter->type == PLAN_C_LONG)
        return;
    int64_t least, most;
    parameter_range(match->parameter, &least, &most);
    if (is_constant(argument) && (argument->integer < least || argument->integer > most)) {
        diagnose(compilation->diagnostics, &argument->where, MESSAGE_ARGUMENT_RANGE,
                 (long long)argument->integer, match->parameter->spelled, match->number, match->routine->name,
                 spell_position(compilation, match->routine));
        diagnose_hint(compilation->diagnostics, "it holds %lld to %lld", (long long)least, (long long)most);
        return;
    }
    bool address = false;
    if (argument->op == PLAN_OP_VALUE)
        address = argument->value == PLAN_VALUE_ADDRESS || argument->value == PLAN_VALUE_PC ||
                  argument->value == PLAN_VALUE_TARGET || argument->value == PLAN_VALUE_BASE;
    else if (argument->op == PLAN_OP_ATTRIBUTE) {
        const char *word = plan_attributes[argument->attribute].word;
        address = strcmp(word, "pc") == 0 || strcmp(word, "target_pc") == 0 || strcmp(word, "entry") == 0 ||
                  strcmp(word, "base") == 0;
    }
    if (address) {
        diagnose(compilation->diagnostics, &argument->where, MESSAGE_ADDRESS_TRUNCATED, match->number,
                 match->routine->name, spell_position(compilation, match->routine),
                 match->parameter->spelled);
        diagnose_hint(compilation->diagnostics, "addresses have 64 bits: make the parameter a long");
    }
}

static bool is_void_pointer(const struct plan_parameter *parameter) {
    return parameter->type == PLAN_C_POINTER && strstr(parameter->spelled, "void *") &&
           !strstr(parameter->spelled, "**") && !strchr(parameter->spelled, '(');
}

/* True for a choice made when instrumenting, between values that are passed unchanged. */
static bool is_static_choice(const struct plan_expression *argument) {
    return argument->op == PLAN_OP_CONDITIONAL && argument->dynamic && !argument->operand[0]->dynamic;
}

/* True if it can be passed to a double or a float: a value in a floating-point register, or a static
   integer. For such a parameter $arg(n) and $ret mean floating-point registers, as in C. */
static bool is_double(const struct plan_expression *argument) {
    if (!argument->dynamic)
        return is_number(argument->type);
    return argument->type == PLAN_TYPE_DOUBLE ||
           (argument->op == PLAN_OP_VALUE &&
            (argument->value == PLAN_VALUE_REGISTER || argument->value == PLAN_VALUE_ARGUMENT ||
             argument->value == PLAN_VALUE_RETURN || argument->value == PLAN_VALUE_VALUE));
}

/* An array passed to a pointer: the pointer's element type must be able to hold all elements. */
static void match_array(const struct match *match) {
    const struct plan_array *array = &match->compilation->arrays[match->argument->array];
    enum plan_c_type element = match->parameter->element;
    bool pointer = match->parameter->type == PLAN_C_POINTER || match->parameter->type == PLAN_C_STRING;
    bool string = array->value->type == PLAN_TYPE_STRING;
    bool integer = element >= PLAN_C_CHAR && element <= PLAN_C_LONG;
    if (pointer && (string ? element == PLAN_C_STRING : integer))
        return;
    report_type(match, string ? "an array of strings" : "an array of integers",
                string ? "make the parameter const char *const *"
                       : "make the parameter const long *, or a pointer to smaller integers");
}

/* The cells of a counter. */
static void match_cells(const struct match *match) {
    if (match->parameter->type != PLAN_C_POINTER || match->parameter->element != PLAN_C_LONG)
        report_type(match, "an array of a counter's cells", "make the parameter const long *");
}

/* A counter with keys. */
static void match_keyed(const struct match *match) {
    if (match->parameter->type != PLAN_C_POINTER ||
        !strstr(match->parameter->spelled, "struct atomc_keyed *"))
        report_type(match, "a counter with keys", "make the parameter struct atomc_keyed *");
}

/* A single value: no array, no counter. */
static void match_value(const struct match *match) {
    const struct plan_expression *argument = match->argument;
    bool string = argument->type == PLAN_TYPE_STRING;
    bool is_value =
        argument->dynamic && (argument->op == PLAN_OP_VALUE || argument->type == PLAN_TYPE_INTEGER);
    switch (match->parameter->type) {
    case PLAN_C_CHAR:
    case PLAN_C_SHORT:
    case PLAN_C_INT:
    case PLAN_C_LONG:
        if (string)
            report_type(match, "a string", NULL);
        else
            check_integer(match);
        break;
    case PLAN_C_STRING:
        if (!string && !is_value && !(is_constant(argument) && argument->integer == 0))
            report_type(match, type_phrase(argument->type), NULL);
        break;
    case PLAN_C_POINTER:
        if (string && !is_void_pointer(match->parameter))
            report_type(match, "a string", NULL);
        else if (!string && is_constant(argument) && argument->integer != 0)
            report_type(match, "an integer constant", NULL);
        else if (argument->type == PLAN_TYPE_BOOLEAN && !is_constant(argument))
            report_type(match, "a boolean", NULL);
        break;
    case PLAN_C_FLOAT:
    case PLAN_C_DOUBLE:
        if (!is_double(argument))
            report_type(match, type_phrase(argument->type),
                        argument->dynamic && argument->type != PLAN_TYPE_DOUBLE
                            ? "what is computed is an integer: make the parameter a long"
                            : NULL);
        break;
    default:
        report_type(match, type_phrase(argument->type),
                    "parameters can be integers, float, double, pointers and strings");
    }
}

static void match_parameter(const struct match *match) {
    const struct plan_expression *argument = match->argument;
    if (argument->op == PLAN_OP_BUFFER) {
        match_keyed(match);
        return;
    }
    if (argument->op == PLAN_OP_CELLS) {
        match_cells(match);
        return;
    }
    if (argument->type == PLAN_TYPE_ARRAY) {
        match_array(match);
        return;
    }
    if (is_static_choice(argument)) {
        for (int i = 1; i < 3; i++) {
            struct match branch = *match;
            branch.argument = argument->operand[i];
            match_parameter(&branch);
        }
        return;
    }
    enum plan_c_type wanted = match->parameter->type;
    if (argument->type == PLAN_TYPE_DOUBLE && wanted != PLAN_C_DOUBLE && wanted != PLAN_C_FLOAT) {
        report_type(match, type_phrase(argument->type),
                    "make the parameter a double, or pass the register's 64 bits: $(f0), $(f16) to $(f21)");
        return;
    }
    match_value(match);
}

/* $stack: a text that is never freed, whose address is the number of the calling context. */
static bool is_stack(const struct plan_expression *argument) {
    return argument->op == PLAN_OP_VALUE && argument->value == PLAN_VALUE_STACK;
}

/* Values that no parameter of any type accepts. */
static bool check_passable(struct compilation *compilation, const struct plan_expression *argument) {
    if (argument->type == PLAN_TYPE_ERROR)
        return false;
    if (needs_command(argument) && argument->type == PLAN_TYPE_STRING && !is_stack(argument)) {
        const char *text = spell_source(compilation, &argument->where);
        diagnose(compilation->diagnostics, &argument->where, MESSAGE_COMMAND_PASSED, text);
        if (strncmp(text, "$string", 7) == 0)
            diagnose_hint(compilation->diagnostics, "C is given the address: a parameter 'const char *'");
        return false;
    }
    bool kind = argument->type == PLAN_TYPE_EDGE_KIND;
    if (argument->type >= PLAN_TYPE_PROGRAM || argument->type == PLAN_TYPE_CLASS || kind) {
        diagnose(compilation->diagnostics, &argument->where, MESSAGE_NOT_PASSABLE,
                 type_phrase(argument->type));
        diagnose_hint(compilation->diagnostics,
                      argument->type == PLAN_TYPE_CLASS ? "compare the class here, or pass the mnemonic"
                      : kind                            ? "compare it here: e.kind == taken"
                             : "pass its number, index(v), or one of its attributes, for instance its pc");
        return false;
    }
    if (is_static_choice(argument))
        return check_passable(compilation, argument->operand[1]) &&
               check_passable(compilation, argument->operand[2]);
    return true;
}

static bool check_argument_count(struct compilation *compilation, const struct effect *call,
                                 const struct plan_routine *routine) {
    uint32_t wanted = routine->parameter_count, given = call->argument_count;
    if (!routine->prototyped || given == wanted || (routine->variadic && given > wanted))
        return true;
    diagnose(compilation->diagnostics, &call->name.where, MESSAGE_ARGUMENT_COUNT, routine->name,
             spell_position(compilation, routine), routine->variadic ? "at least " : "", wanted,
             wanted == 1 ? "" : "s", given, given == 1 ? "is" : "are");
    diagnose_hint(compilation->diagnostics, "the C routine is %s", spell_prototype(compilation, routine));
    return false;
}

/* A counter by its name, when all has been counted: its cells, or the table of its keys. */
static struct plan_expression *check_routine_argument(struct compilation *compilation,
                                                      const struct expression *expression) {
    uint32_t ignored;
    const struct declaration *declaration = NULL;
    if (expression->kind == EXPRESSION_NAME && compilation->context.place == PLAN_PROGRAM &&
        compilation->context.when == PLAN_AFTER && !find_scope(compilation, expression->name.text, &ignored))
        declaration = find_declaration(compilation, expression->name.text);
    if (!declaration || declaration->kind != STATEMENT_COUNTER)
        return check_expression(compilation, expression);
    return check_passed_counter(compilation, expression);
}

const struct plan_expression *const *check_arguments(struct compilation *compilation,
                                                     const struct effect *call, uint32_t routine) {
    const struct routine_entry *entry = routine == NO_ROUTINE ? NULL : &compilation->routines[routine];
    const struct plan_expression **arguments =
        arena_allocate(compilation->arena, call->argument_count * sizeof *arguments);
    bool compare = entry && !entry->broken && check_argument_count(compilation, call, &entry->routine);
    uint32_t number = 0;
    for (const struct expression *at = call->arguments; at; at = at->next) {
        struct plan_expression *argument = check_routine_argument(compilation, at);
        arguments[number++] = argument;
        if (!check_passable(compilation, argument) || !compare)
            continue;
        if (!entry->routine.prototyped || number > entry->routine.parameter_count)
            continue;
        struct match match = {compilation, &entry->routine, &entry->routine.parameters[number - 1], number,
                              argument};
        if (!is_stack(argument) || match.parameter->type != PLAN_C_LONG)
            match_parameter(&match);
    }
    return arguments;
}

/* The kind of argument that the runtime cannot pass; NULL if it can pass the argument. */
static const char *not_passed_on(const struct plan_expression *argument,
                                 const struct plan_parameter *parameter) {
    bool floating = parameter && (parameter->type == PLAN_C_DOUBLE || parameter->type == PLAN_C_FLOAT);
    if (floating || argument->type == PLAN_TYPE_DOUBLE)
        return "a floating-point number";
    return argument->type == PLAN_TYPE_ARRAY ? "an array" : NULL;
}

bool pass_commanded(struct compilation *compilation, const struct plan_action *call) {
    const struct routine_entry *entry = &compilation->routines[call->routine];
    const struct plan_expression *commanded = NULL;
    for (uint32_t i = 0; i < call->argument_count && !commanded; i++)
        if (needs_command(call->arguments[i]))
            commanded = call->arguments[i];
    for (uint32_t i = 0; commanded && i < call->argument_count; i++) {
        const struct plan_expression *argument = call->arguments[i];
        if (!argument || argument->type == PLAN_TYPE_ERROR)
            continue;
        const struct plan_parameter *parameter =
            i < entry->routine.parameter_count ? &entry->routine.parameters[i] : NULL;
        const char *other = not_passed_on(argument, parameter);
        if (!other || needs_command(argument))
            continue;
        diagnose(compilation->diagnostics, &argument->where, MESSAGE_COMMAND_PASSES, other,
                 spell_source(compilation, &commanded->where));
        diagnose_hint(compilation->diagnostics, "pass it in a call of its own");
    }
    return commanded != NULL;
}

/* ---- replacements --------------------------------------------------------------------------- */

/* The reason why the routine cannot take a procedure's arguments; NULL if it can. */
static const char *why_not_replaced(struct compilation *compilation, const struct plan_routine *routine) {
    if (!routine->prototyped)
        return "it has no prototype: declare its parameters, or (void)";
    if (routine->variadic)
        return "it takes variable arguments";
    if (routine->parameter_count > 6)
        return "it has more than six parameters";
    if (routine->result == PLAN_C_OTHER)
        return "its result is neither an integer, a pointer, a float nor a double";
    for (uint32_t i = 0; i < routine->parameter_count; i++)
        if (routine->parameters[i].type == PLAN_C_OTHER)
            return arena_format(compilation->scratch, "parameter %u is '%s'", i + 1,
                                routine->parameters[i].spelled);
    return NULL;
}

/* The same, of one that is given arguments. */
static const char *given_problem(struct compilation *compilation, const struct plan_routine *routine) {
    for (uint32_t i = 6; i < routine->parameter_count; i++)
        if (routine->parameters[i].type == PLAN_C_DOUBLE || routine->parameters[i].type == PLAN_C_FLOAT)
            return arena_format(compilation->scratch, "parameter %u, which is on the stack, is '%s'", i + 1,
                                routine->parameters[i].spelled);
    return routine->result == PLAN_C_OTHER
               ? "its result is neither an integer, a pointer, a float nor a double"
               : NULL;
}

/* Values of registers are passed unchanged: the entry computes no values. */
static void check_given(struct compilation *compilation, const struct plan_expression *argument) {
    bool held = argument->op == PLAN_OP_VALUE &&
                (argument->value == PLAN_VALUE_REGISTER || argument->value == PLAN_VALUE_ARGUMENT ||
                 argument->value == PLAN_VALUE_FLOAT_ARGUMENT || argument->value == PLAN_VALUE_PC ||
                 argument->value == PLAN_VALUE_CYCLES);
    if (argument->type == PLAN_TYPE_ERROR || held ||
        (!argument->dynamic && argument->type != PLAN_TYPE_ARRAY))
        return;
    diagnose(compilation->diagnostics, &argument->where, MESSAGE_REPLACE_COMPUTED);
    diagnose_hint(compilation->diagnostics,
                  "$original, $arg(n), $farg(n), $(register), $pc, $cycles, and static values");
}

void check_given_arguments(struct compilation *compilation, const struct statement *statement,
                           struct plan_action *action) {
    const struct effect *call = statement->effects;
    compilation->context =
        (struct expression_context){.when = PLAN_BEFORE, .place = PLAN_PROCEDURE, .replaces = true};
    action->arguments = check_arguments(compilation, call, action->routine);
    action->argument_count = call->argument_count;
    action->has_arguments = true;
    for (uint32_t i = 0; i < action->argument_count; i++) {
        action->retains |= action->arguments[i]->op == PLAN_OP_REPLACED;
        check_given(compilation, action->arguments[i]);
    }
}

void check_replacement(struct compilation *compilation, const struct name *name, uint32_t routine,
                       bool given) {
    const struct routine_entry *entry = &compilation->routines[routine];
    if (entry->broken || !compilation->prototypes)
        return;
    const char *problem =
        given ? given_problem(compilation, &entry->routine) : why_not_replaced(compilation, &entry->routine);
    if (problem)
        diagnose(compilation->diagnostics, &name->where, MESSAGE_REPLACE_ROUTINE, name->text,
                 spell_position(compilation, &entry->routine), problem);
}
