/* dynamic.c: the $ values, and the places and times at which each of them has a meaning. Requires
   compilation->context, which describes the position of the expression. */
#include "compiler/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/isa.h"

enum { LAST_ARGUMENT = 255 }; /* that is available */

/* A dynamic word: a value, and the number of its register or argument if the word implies one. */
struct dynamic_word {
    enum plan_value value;
    int operand; /* -1: no register is implied */
};
enum { STACK_POINTER = 64 }; /* the register that the machine calls "sp" */

static bool find_dynamic_word(const char *word, struct dynamic_word *found) {
    for (int i = 0; i < PLAN_VALUE_COUNT; i++)
        if (strcmp(word, plan_values[i].word) == 0) {
            *found = (struct dynamic_word){(enum plan_value)i, -1};
            return true;
        }
    if (word[1] == 'a' && word[2] >= '0' && word[2] <= '5' && word[3] == '\0') {
        *found = (struct dynamic_word){PLAN_VALUE_ARGUMENT, word[2] - '0'};
        return true;
    }
    /* The result is in register 0 of each machine. */
    bool result = strcmp(word, "$v0") == 0;
    if (result || strcmp(word, "$sp") == 0) {
        *found = (struct dynamic_word){PLAN_VALUE_REGISTER, result ? 0 : STACK_POINTER};
        return true;
    }
    return false;
}

bool is_dynamic_word(const char *word) {
    struct dynamic_word ignored;
    return find_dynamic_word(word, &ignored) || strcmp(word, "$(register)") == 0;
}

bool needs_operand(const char *word) {
    struct dynamic_word found;
    return find_dynamic_word(word, &found) && found.operand < 0 && plan_values[found.value].operands > 0;
}

/* True if it is written `$NAME(...)`, as `$arg(6)` is, but names a counter with cells. */
static bool takes_operand(struct compilation *compilation, const char *name) {
    for (uint32_t i = 0; i < compilation->counter_count; i++) {
        const struct plan_counter *counter = &compilation->counters[i].counter;
        if (counter->name && strcmp(counter->name, name) == 0)
            return counter->set != PLAN_SINGLE_CELL;
    }
    struct dynamic_word word;
    const char *text = arena_format(compilation->scratch, "$%s", name);
    return find_dynamic_word(text, &word) && plan_values[word.value].operands == 1;
}

/* `$i` for a loop's variable, or a word of another tool; NULL: neither. */
static const char *word_meant(struct compilation *compilation, const char *word) {
    static const char *const words[][2] = {{"$mem", "$memory($addr, 8)"},
                                           {"$reg", "$(a0)"},
                                           {"$time", "$ns"},
                                           {"$caller", "$stack', or '$(ra)"}};
    uint32_t variable;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i][0]) == 0)
            return words[i][1];
    return find_scope(compilation, word + 1, &variable) ? word + 1 : NULL;
}

static void report_unknown_value(struct compilation *compilation, const struct expression *expression) {
    const char **words = allocate((PLAN_VALUE_COUNT + compilation->counter_count) * sizeof *words);
    const char *word = expression->name.text;
    int64_t number;
    size_t count = 0;
    for (uint32_t i = 0; i < compilation->counter_count; i++)
        if (compilation->counters[i].counter.name)
            words[count++] = arena_format(compilation->scratch, "$%s", compilation->counters[i].counter.name);
    for (int i = 0; i < PLAN_VALUE_COUNT; i++)
        if (plan_values[i].word[1]) /* not the single $ of $(register) */
            words[count++] = plan_values[i].word;
    diagnose(compilation->diagnostics, &expression->name.where, MESSAGE_UNKNOWN_DYNAMIC, word);
    const char *nearest = nearest_name(word, words, count);
    free(words);
    size_t letters = strcspn(word, "0123456789");
    const char *meant = word_meant(compilation, word);
    if (meant)
        diagnose_hint(compilation->diagnostics, "did you mean '%s'?", meant);
    else if (strncmp(word, "$a", 2) == 0 && letters == 2 && word[letters])
        diagnose_hint(compilation->diagnostics, "arguments are $a0 to $a5, or $arg(%s)", word + letters);
    else if (strcmp(plan_values[PLAN_VALUE_MEMORY].word, nearest ? nearest : "") == 0 && word[letters])
        diagnose_hint(compilation->diagnostics, "for instance $memory($addr, %s)", word + letters);
    else if (word[letters] && nearest && strlen(nearest) == letters && strncmp(word, nearest, letters) == 0 &&
             takes_operand(compilation, nearest + 1))
        diagnose_hint(compilation->diagnostics, "did you mean '%s(%s)'?", nearest, word + letters);
    else if ((register_from_word(word + 1, &number) && number >= 0) || is_name_of_register(word + 1))
        diagnose_hint(compilation->diagnostics, "a register is written $(%s)", word + 1);
    else if (nearest)
        diagnose_hint(compilation->diagnostics, "did you mean '%s'?", nearest);
    else
        diagnose_hint(compilation->diagnostics, "the values are listed by: atomc info values");
}

/* ---- where a value has a meaning ------------------------------------------------------------ */

/* The reason why the value has no meaning at the action's place; NULL if it may have one. */
static const char *no_meaning_hint(enum plan_value value, enum plan_when when, enum plan_place place) {
    switch (value) {
    case PLAN_VALUE_ADDRESS:
        return place == PLAN_INSTRUCTION ? NULL
                                         : "$addr is the address of a load or store: use it at an inst";
    case PLAN_VALUE_TAKEN:
        return place == PLAN_INSTRUCTION && when == PLAN_BEFORE
                   ? NULL
                   : "$taken is the outcome of a conditional branch: use it before an inst";
    case PLAN_VALUE_TARGET:
        return (place == PLAN_INSTRUCTION || place == PLAN_CALLSITE) && when == PLAN_BEFORE
                   ? NULL
                   : "$target is where a call, jump or return goes: use it before an inst";
    case PLAN_VALUE_RETURN:
        return (place == PLAN_PROCEDURE || place == PLAN_CALLSITE || place == PLAN_SYSTEM_CALL) &&
                       when == PLAN_AFTER
                   ? NULL
                   : "$ret is the result of a procedure: use it after a proc, a callsite or a syscall, or "
                     "$v0 for the register";
    case PLAN_VALUE_FLOAT_RETURN:
        return (place == PLAN_PROCEDURE || place == PLAN_CALLSITE) && when == PLAN_AFTER
                   ? NULL
                   : "$fret is the result of a procedure: use it after a proc or a callsite";
    case PLAN_VALUE_VALUE:
        return place == PLAN_INSTRUCTION ? NULL : "$value is what a load or store moves: use it at an inst";
    case PLAN_VALUE_OLD:
        return place == PLAN_INSTRUCTION && when == PLAN_AFTER
                   ? NULL
                   : "$old(r) is what a register held before an instruction: use it after an inst, or $(r) "
                     "for "
                     "what it holds";
    case PLAN_VALUE_ARGUMENT:
    case PLAN_VALUE_FLOAT_ARGUMENT:
        return (place == PLAN_PROCEDURE || place == PLAN_CALLSITE) && when == PLAN_AFTER
                   ? "the register has been used for something else by then: keep the argument before, as in "
                     "before p kept = $arg(0), where kept is a thread counter; $(a0) is the register"
                   : NULL;
    case PLAN_VALUE_ORIGINAL:
        return "$original is what a routine replaces: replace p with ROUTINE($original, $arg(0))";
    case PLAN_VALUE_SIGNAL:
    case PLAN_VALUE_HANDLER:
        return "it belongs to a signal that is handled: use it before, after or on unwind of signal";
    case PLAN_VALUE_BASE:
        return place == PLAN_OBJECT
                   ? NULL
                   : "$base is where an object is in memory: use it before or after an object";
    default:
        return NULL;
    }
}

/* Takes a register, no number. */
static bool is_of_register(enum plan_value value) {
    return value == PLAN_VALUE_REGISTER || value == PLAN_VALUE_OLD;
}

bool may_be_dynamic(struct compilation *compilation, const struct expression *expression, const char *word) {
    const struct expression_context *context = &compilation->context;
    struct diagnostics *diagnostics = compilation->diagnostics;
    if (context->static_role) {
        diagnose(diagnostics, &expression->where, MESSAGE_DYNAMIC_IN_STATIC, word, context->static_role);
        diagnose_hint(diagnostics, context->report && !is_dynamic_word(word)
                                       ? "in a report the value of a counter is written without $"
                                       : "a value known when instrumenting is written without $");
        return false;
    }
    bool before = context->when == PLAN_BEFORE;
    if (context->is_event)
        return true;
    if (context->place == PLAN_PROGRAM && context->when == PLAN_ON) {
        diagnose(diagnostics, &expression->where, MESSAGE_DYNAMIC_PLACE, word, "on", "a fork");
        diagnose_hint(diagnostics,
                      "no instruction of the new process has been executed: pass constants, counts "
                      "and attributes");
    } else if (context->place == PLAN_PROGRAM) {
        diagnose(diagnostics, &expression->where, MESSAGE_DYNAMIC_PLACE, word, before ? "before" : "after",
                 "the program");
        diagnose_hint(diagnostics, "the program %s: pass constants, counts and attributes",
                      before ? "has not started yet" : "has ended");
    } else if (context->place == PLAN_OBJECT && strcmp(word, plan_values[PLAN_VALUE_BASE].word) != 0) {
        diagnose(diagnostics, &expression->where, MESSAGE_DYNAMIC_PLACE, word, before ? "before" : "after",
                 type_phrase(PLAN_TYPE_OBJECT));
        diagnose_hint(diagnostics,
                      "no instruction of it is executed then: pass constants, counts, attributes "
                      "and $base");
    } else {
        return true;
    }
    return false;
}

static bool check_meaning(struct compilation *compilation, const struct expression *expression,
                          enum plan_value value) {
    const struct expression_context *context = &compilation->context;
    struct diagnostics *diagnostics = compilation->diagnostics;
    const char *word = expression->name.text[1] ? expression->name.text : "$(register)";
    enum plan_place at = context->place == PLAN_PLACE_COUNT ? PLAN_PROGRAM : context->place;
    const char *when = plan_when_words(at, context->when);
    if (at == PLAN_LOOP)
        when = arena_format(compilation->scratch, "%s of", when);
    if (!may_be_dynamic(compilation, expression, word))
        return false;
    if (context->place == PLAN_PLACE_COUNT)
        return true; /* the place itself was reported */
    if (context->is_event)
        return check_event_value(compilation, &expression->where, word, value);
    bool original = value == PLAN_VALUE_ORIGINAL && context->replaces;
    const char *hint = original ? NULL : no_meaning_hint(value, context->when, context->place);
    if (hint) {
        diagnose(diagnostics, &expression->where, MESSAGE_DYNAMIC_PLACE, word, when,
                 type_phrase(plan_place_type(context->place)));
        diagnose_hint(diagnostics, "%s", hint);
    }
    return hint == NULL;
}

/* ---- operands ------------------------------------------------------------------------------- */

/* Of the program's machine; of the one with most of them, if the program is not known yet. */
static int register_arguments(const struct tool *tool) {
    int most = 0;
    if (tool->architecture)
        return tool->architecture->registers.arguments_in_registers;
    for (unsigned i = 0; architecture_number(i); i++)
        if (architecture_number(i)->registers.arguments_in_registers > most)
            most = architecture_number(i)->registers.arguments_in_registers;
    return most;
}

/* The register of $(register), or the number of $arg(n). NULL after reporting. */
static struct plan_expression *check_operand(struct compilation *compilation,
                                             const struct expression *expression, enum plan_value value) {
    struct expression_context saved = compilation->context;
    bool is_register = is_of_register(value);
    bool on_stack = !is_register && saved.place == PLAN_PROCEDURE && saved.when == PLAN_BEFORE;
    compilation->context.static_role = value == PLAN_VALUE_OLD ? "the register of $old"
                                       : is_register           ? "the register of $(register)"
                                                               : "the number of an argument";
    struct plan_expression *operand = check_expression(compilation, expression->arguments);
    compilation->context = saved;
    if (operand->type == PLAN_TYPE_ERROR)
        return NULL;
    if (is_register && operand->type != PLAN_TYPE_REGISTER) {
        diagnose(compilation->diagnostics, &operand->where, MESSAGE_NO_REGISTER, type_phrase(operand->type));
        if (is_constant(operand) && operand->type == PLAN_TYPE_INTEGER && operand->integer >= 0 &&
            operand->integer < 32)
            diagnose_hint(compilation->diagnostics, "integer register %d is written $(r%d)",
                          (int)operand->integer, (int)operand->integer);
        else
            diagnose_hint(compilation->diagnostics,
                          "for instance $(sp) or $(i.ra); 'atomc info machines' has the names of a machine");
        return NULL;
    }
    if (is_register && is_constant(operand) && operand->integer < 0) {
        diagnose(compilation->diagnostics, &operand->where, MESSAGE_REGISTER_NONE);
        return NULL;
    }
    if (!is_register && operand->type != PLAN_TYPE_INTEGER) {
        diagnose(compilation->diagnostics, &operand->where, MESSAGE_NO_ARGUMENT_NUMBER,
                 type_phrase(operand->type));
        return NULL;
    }
    if (value == PLAN_VALUE_ARGUMENT && saved.place == PLAN_SYSTEM_CALL && saved.when == PLAN_AFTER &&
        is_constant(operand) && (operand->integer == 3 || operand->integer == 4)) {
        char word[8];
        snprintf(word, sizeof word, "$arg(%d)", (int)operand->integer);
        diagnose(compilation->diagnostics, &operand->where, MESSAGE_DYNAMIC_PLACE, word, "after",
                 "a system call");
        diagnose_hint(compilation->diagnostics,
                      "the kernel has put a result in the register: $(a%d) is the register",
                      (int)operand->integer);
        return NULL;
    }
    const int in_registers = is_register ? 0 : register_arguments(compilation->tool);
    if (!is_register && is_constant(operand) &&
        (operand->integer < 0 || operand->integer > (on_stack ? LAST_ARGUMENT : in_registers - 1))) {
        diagnose(compilation->diagnostics, &operand->where, MESSAGE_ARGUMENT_NUMBER,
                 (long long)operand->integer);
        diagnose_hint(compilation->diagnostics, "$arg(0) to $arg(%d) are in registers%s", in_registers - 1,
                      operand->integer >= in_registers && !on_stack
                          ? "; the others are available only before a proc"
                          : "");
        return NULL;
    }
    return operand;
}

/* The address and the size of $memory; the size is static. False after reporting. */
static bool check_memory(struct compilation *compilation, const struct expression *expression,
                         struct plan_expression *result) {
    struct diagnostics *diagnostics = compilation->diagnostics;
    struct expression_context saved = compilation->context;
    if (expression->argument_count != 2) {
        diagnose(diagnostics, &expression->where, MESSAGE_MEMORY_OPERANDS, expression->argument_count,
                 expression->argument_count == 1 ? "is" : "are");
        diagnose_hint(diagnostics, "for instance $memory($addr, 8) or $memory($a0 + 16, 4)");
        return false;
    }
    struct plan_expression *address = check_expression(compilation, expression->arguments);
    compilation->context.static_role = "the size of '$memory'";
    struct plan_expression *size = check_expression(compilation, expression->arguments->next);
    compilation->context = saved;
    bool bad_address = address->type != PLAN_TYPE_INTEGER, bad_size = size->type != PLAN_TYPE_INTEGER;
    int64_t bytes = size->integer;
    if (bad_address && address->type != PLAN_TYPE_ERROR)
        diagnose(diagnostics, &address->where, MESSAGE_MEMORY_ADDRESS, type_phrase(address->type));
    if (bad_size && size->type != PLAN_TYPE_ERROR) {
        diagnose(diagnostics, &size->where, MESSAGE_MEMORY_SIZE_TYPE, type_phrase(size->type));
    } else if (!bad_size && is_constant(size) && bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
        diagnose(diagnostics, &size->where, MESSAGE_MEMORY_SIZE, (long long)bytes);
        bad_size = true;
    }
    result->op = PLAN_OP_MEMORY;
    result->operand[0] = address;
    result->operand[1] = size;
    return !bad_address && !bad_size;
}

/* The address of $string, and the number of bytes, if it is given. False after reporting. */
static bool check_string(struct compilation *compilation, const struct expression *expression,
                         struct plan_expression *result) {
    static const char *const roles[] = {"the address", "the number of bytes"};
    if (expression->argument_count < 1 || expression->argument_count > 2) {
        diagnose(compilation->diagnostics, &expression->where, MESSAGE_STRING_OPERANDS);
        diagnose_hint(compilation->diagnostics, "for instance $string($arg(0)) or $string($arg(1), $arg(2))");
        return false;
    }
    bool good = true;
    uint32_t i = 0;
    for (const struct expression *at = expression->arguments; at && i < 2; at = at->next, i++) {
        result->operand[i] = check_expression(compilation, at);
        enum plan_type type = result->operand[i]->type;
        good &= type == PLAN_TYPE_INTEGER;
        if (type != PLAN_TYPE_INTEGER && type != PLAN_TYPE_ERROR)
            diagnose(compilation->diagnostics, &result->operand[i]->where, MESSAGE_STRING_OPERAND, roles[i],
                     type_phrase(type));
    }
    result->op = PLAN_OP_TEXT;
    return good;
}

/* The address of $static, or of a name. False after reporting. */
static bool check_address(struct compilation *compilation, const struct expression *expression,
                          struct plan_expression *result) {
    if (expression->argument_count != 1) {
        diagnose(compilation->diagnostics, &expression->where, MESSAGE_DYNAMIC_NEEDS_OPERAND,
                 expression->name.text);
        diagnose_hint(compilation->diagnostics, "for instance %s($(ra)), of the return address",
                      expression->name.text);
        return false;
    }
    struct plan_expression *address = check_expression(compilation, expression->arguments);
    if (address->type != PLAN_TYPE_INTEGER) {
        if (address->type != PLAN_TYPE_ERROR)
            diagnose(compilation->diagnostics, &address->where, MESSAGE_STATIC_ADDRESS, expression->name.text,
                     type_phrase(address->type));
        if (address->type > PLAN_TYPE_PROGRAM)
            diagnose_hint(compilation->diagnostics, "the address of a place is its attribute pc");
        return false;
    }
    result->operand[0] = address;
    return true;
}

/* A name of an address. */
static bool is_address_name(enum plan_value value) {
    return value == PLAN_VALUE_SYMBOL || value == PLAN_VALUE_OBJECT_NAME || value == PLAN_VALUE_LINE;
}

/* $static, or a name: in reports names are looked up when the report is written. */
static struct plan_expression *check_of_address(struct compilation *compilation,
                                                const struct expression *expression, enum plan_value value,
                                                struct plan_expression *result) {
    bool named = is_address_name(value), in_report = named && compilation->context.report;
    if (!(in_report || check_meaning(compilation, expression, value)) ||
        !check_address(compilation, expression, result))
        return result;
    result->op = named ? PLAN_OP_NAMED : PLAN_OP_STATIC;
    result->type = plan_values[value].type;
    result->dynamic = !in_report;
    if (named) {
        result->value = value;
        compilation->address_names |= 1u << command_address_name(value);
    }
    return result;
}

/* True for a declaration that has a value while the program runs, written with $. */
static bool names_running(const struct declaration *declaration) {
    return declaration && (declaration->kind == STATEMENT_COUNTER ||
                           declaration->kind == STATEMENT_HISTOGRAM || declaration->kind == STATEMENT_SWITCH);
}

/* Counters are often called depth or line: then the word is the counter, as it was before there was such a
   value. */
static bool is_hidden(struct compilation *compilation, enum plan_value value) {
    const char *name = plan_values[value].word + 1;
    bool is_late = value == PLAN_VALUE_DEPTH || value == PLAN_VALUE_SIGNAL || value == PLAN_VALUE_HANDLER ||
                   value == PLAN_VALUE_NANOSECONDS || value == PLAN_VALUE_THREAD_NAME ||
                   is_address_name(value);
    const struct declaration *declaration = is_late ? find_declaration(compilation, name) : NULL;
    return names_running(declaration);
}

/* Reports `$value[...]` of a value that is no counter. */
static void report_no_cells(struct compilation *compilation, const struct expression *expression,
                            enum plan_value value) {
    diagnose(compilation->diagnostics, &expression->operand[0]->where, MESSAGE_NO_CELLS,
             expression->name.text);
    if (plan_values[value].operands == 1)
        diagnose_hint(compilation->diagnostics, "an operand has parentheses: %s(...)", expression->name.text);
    else if (names_running(find_declaration(compilation, expression->name.text + 1)))
        diagnose_hint(compilation->diagnostics,
                      "'%s' has a meaning of its own: give the counter '%s' another name",
                      expression->name.text, expression->name.text + 1);
}

/* Checks the value's operand, an argument or part of the word like the 0 in $arg0. Returns false after an
   error. */
static bool check_word_operand(struct compilation *compilation, const struct expression *expression,
                               const struct dynamic_word *word, struct plan_expression *result) {
    uint32_t wanted = word->operand < 0 ? plan_values[word->value].operands : 0;
    if (expression->argument_count != wanted) {
        diagnose(compilation->diagnostics, &expression->where,
                 wanted ? MESSAGE_DYNAMIC_NEEDS_OPERAND : MESSAGE_DYNAMIC_NO_OPERAND, expression->name.text);
        if (wanted)
            diagnose_hint(compilation->diagnostics, "for instance %s",
                          word->value == PLAN_VALUE_OLD ? "$old(i.ra)" : "$arg(0), the first argument");
        return false;
    }
    if (!check_meaning(compilation, expression, word->value))
        return false;
    if (wanted) {
        result->operand[0] = check_operand(compilation, expression, word->value);
        if (!result->operand[0])
            return false;
    } else if (word->operand >= 0) {
        bool is_register = word->value == PLAN_VALUE_REGISTER;
        struct plan_expression *operand =
            make_expression(compilation, PLAN_OP_INTEGER,
                            is_register ? PLAN_TYPE_REGISTER : PLAN_TYPE_INTEGER, &expression->where);
        operand->integer = word->operand;
        if (is_register && word->operand == STACK_POINTER) {
            operand->op = PLAN_OP_REGISTER;
            operand->string = "sp";
        }
        result->operand[0] = operand;
    }
    return true;
}

struct plan_expression *check_dynamic(struct compilation *compilation, const struct expression *expression) {
    struct plan_expression *result =
        make_expression(compilation, PLAN_OP_VALUE, PLAN_TYPE_ERROR, &expression->where);
    struct dynamic_word word;
    if (!find_dynamic_word(expression->name.text, &word) || is_hidden(compilation, word.value)) {
        if (!check_running_cell(compilation, expression, result))
            report_unknown_value(compilation, expression);
        return result;
    }
    if (expression->operand[0]) {
        report_no_cells(compilation, expression, word.value);
        return result;
    }
    const struct plan_value_info *info = &plan_values[word.value];
    if (word.value == PLAN_VALUE_STATIC || is_address_name(word.value))
        return check_of_address(compilation, expression, word.value, result);
    if (word.value == PLAN_VALUE_STRING) {
        if (check_meaning(compilation, expression, word.value) &&
            check_string(compilation, expression, result)) {
            result->type = info->type;
            result->dynamic = true;
        }
        return result;
    }
    if (is_typed(expression))
        return check_field(compilation, expression);
    if (word.value == PLAN_VALUE_MEMORY) {
        if (check_meaning(compilation, expression, word.value) &&
            check_memory(compilation, expression, result)) {
            result->type = info->type;
            result->dynamic = true;
        }
        return result;
    }
    if (!check_word_operand(compilation, expression, &word, result))
        return result;
    result->type = info->type;
    if (word.value == PLAN_VALUE_ORIGINAL) { /* known when instrumenting */
        result->op = PLAN_OP_REPLACED;
        result->integer = PLAN_REPLACED_ADDRESS;
        return result;
    }
    result->value = word.value;
    result->dynamic = true;
    return result;
}
