/* header.c: writes the header by which the C of a tool uses the tool, and a first version of that C.
   Requires a plan, compiled with or without prototypes. */
#include "compiler/compiler.h"
#include "plan/names.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- names of C -------------------------------------------------------------------------------- */

static bool is_c_name(const char *name) {
    static const char *const words[] = {
        "auto",     "break",  "case",     "char",   "const",    "continue", "default", "do",
        "double",   "else",   "enum",     "extern", "float",    "for",      "goto",    "if",
        "inline",   "int",    "long",     "main",   "register", "restrict", "return",  "short",
        "signed",   "sizeof", "static",   "struct", "switch",   "typedef",  "typeof",  "union",
        "unsigned", "void",   "volatile", "while",  "asm"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(name, words[i]) == 0)
            return false;
    for (const char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_')
            return false; /* a set without a name */
    return true;
}

static void print_c_string(const char *text, FILE *stream) {
    fputc('"', stream);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        if (*at == '"' || *at == '\\')
            fprintf(stream, "\\%c", *at);
        else if (*at < ' ' || *at > '~')
            fprintf(stream, "\\%03o", *at);
        else
            fputc(*at, stream);
    fputc('"', stream);
}

/* ---- the header --------------------------------------------------------------------------------- */

static void print_constant_definition(const struct plan_constant *constant, FILE *stream) {
    const char *name = constant->name;
    if (constant->type == PLAN_TYPE_STRING) {
        fprintf(stream, "static const char %s[] __attribute__((unused)) = ", name);
        print_c_string(constant->string, stream);
        fputs(";", stream);
    } else if (constant->integer == (int32_t)constant->integer) {
        fprintf(stream, "enum { %s = %" PRId64 " };", name, constant->integer);
    } else if (constant->integer == INT64_MIN) {
        fprintf(stream, "static const long %s __attribute__((unused)) = -0x7fffffffffffffff - 1;", name);
    } else {
        fprintf(stream, "static const long %s __attribute__((unused)) = %" PRId64 ";", name,
                constant->integer);
    }
    if (*constant->help && !strstr(constant->help, "*/"))
        fprintf(stream, " /* %s */", constant->help);
    fputc('\n', stream);
}

/* A variable that the engine fills in; each C file may define it, and all definitions are one variable. */
static void print_variable(const char *type, const char *name, const char *suffix, const char *kind,
                           FILE *stream) {
    fprintf(stream, "%s%s%s __asm__(\"%s%s\") __attribute__((weak, section(\".data\")));\n", type, name,
            suffix, kind, name);
}

static void print_sets(const struct plan *plan, FILE *stream) {
    bool first = true;
    for (uint32_t i = 0; i < plan->set_count; i++) {
        const char *name = plan->sets[i].name;
        if (!is_c_name(name))
            continue;
        fputs(first ? "\n/* The number of members of each set in the program. */\n" : "", stream);
        first = false;
        fprintf(stream, "long count_%s __asm__(\"%s%s\") __attribute__((weak, section(\".data\")));\n", name,
                SYMBOL_OF_COUNT, name);
    }
}

static void print_counters(const struct plan *plan, FILE *stream) {
    bool first = true;
    for (uint32_t i = 0; i < plan->counter_count; i++) {
        const struct plan_counter *counter = &plan->counters[i];
        if (plan_is_keyed(counter) || (counter->kind != PLAN_COUNTER && counter->kind != PLAN_HISTOGRAM) ||
            !is_c_name(counter->name))
            continue;
        fputs(first ? "\n/* The cells of counters and histograms, read-only. */\n" : "", stream);
        first = false;
        print_variable("const volatile long *", counter->name, "", SYMBOL_OF_CELLS, stream);
        if (counter->size && counter->size->op == PLAN_OP_INTEGER)
            fprintf(stream, "enum { %s_cells = %" PRId64 " };\n", counter->name, counter->size->integer);
        if (counter->kind == PLAN_HISTOGRAM)
            fprintf(stream, "enum { %s_buckets = %" PRIu32 " }; /* cells %s */\n", counter->name,
                    counter->buckets.count,
                    counter->set != PLAN_SINGLE_CELL ? "for each member"
                    : counter->size                  ? "for each"
                                                     : "in all");
    }
}

void header_print(const struct plan *plan, FILE *stream) {
    fprintf(stream,
            "/* atomc.h: declarations of the tool '%s' for its analysis routines. Made by atomc. */\n",
            plan->name);
    fputs(
        "#ifndef ATOMC_H\n#define ATOMC_H\n\n#include \"table.h\" /* tables and files, where reports go */\n"
        "#include \"addresses.h\" /* addresses of libraries */\n",
        stream);
    fputs("\n/* Threads read the variable, defined before, without the lock. */\n"
          "#define atomc_unlocked(variable) \\\n"
          "    static __typeof__(variable) atomc_unlocked_##variable \\\n"
          "        __asm__(\"" SYMBOL_OF_UNLOCKED "\" #variable) __attribute__((alias(#variable), used))\n",
          stream);
    for (uint32_t i = 0; i < plan->constant_count; i++) {
        fputs(i == 0 ? "\n/* Parameters. */\n" : "", stream);
        if (is_c_name(plan->constants[i].name))
            print_constant_definition(&plan->constants[i], stream);
    }
    print_sets(plan, stream);
    print_counters(plan, stream);
    fputs("\n#endif\n", stream);
}

/* ---- a first version of the C ------------------------------------------------------------------- */

/* The C type for the argument. Each type in this order accepts all values of the earlier ones. */
enum stub_type {
    STUB_NONE,
    STUB_INT,
    STUB_LONG,
    STUB_DOUBLE,
    STUB_STRING,
    STUB_NUMBERS,
    STUB_STRINGS,
    STUB_KEYED
};
static const char *const stub_types[] = {[STUB_INT] = "int ",
                                         [STUB_LONG] = "long ",
                                         [STUB_DOUBLE] = "double ",
                                         [STUB_STRING] = "const char *",
                                         [STUB_NUMBERS] = "const long *",
                                         [STUB_STRINGS] = "const char *const *",
                                         [STUB_KEYED] = "struct atomc_keyed *"};

static enum stub_type stub_type_of(const struct plan *plan, const struct plan_expression *argument) {
    if (argument->op == PLAN_OP_BUFFER)
        return STUB_KEYED;
    switch (argument->type) {
    case PLAN_TYPE_STRING:
        return STUB_STRING;
    case PLAN_TYPE_DOUBLE:
        return STUB_DOUBLE;
    case PLAN_TYPE_ARRAY:
        return argument->op == PLAN_OP_ARRAY && plan->arrays[argument->array].value->type == PLAN_TYPE_STRING
                   ? STUB_STRINGS
                   : STUB_NUMBERS;
    case PLAN_TYPE_BOOLEAN:
    case PLAN_TYPE_REGISTER:
        return STUB_INT;
    default:
        break;
    }
    bool small = argument->op == PLAN_OP_INDEX || argument->op == PLAN_OP_COUNT ||
                 (argument->op == PLAN_OP_INTEGER && argument->integer == (int32_t)argument->integer);
    return small ? STUB_INT : STUB_LONG;
}

static const char *name_of_keyed(const struct plan *plan, uint32_t table) {
    for (uint32_t i = 0; i < plan->counter_count; i++)
        if (plan_is_keyed(&plan->counters[i]) && plan->counters[i].table == table)
            return plan->counters[i].name;
    return "";
}

/* A name for the argument, or "". */
static const char *argument_name(const struct plan *plan, const struct plan_expression *argument) {
    switch (argument->op) {
    case PLAN_OP_ATTRIBUTE:
        return plan_attributes[argument->attribute].word;
    case PLAN_OP_INDEX:
        return "number";
    case PLAN_OP_COUNT:
        return "count";
    case PLAN_OP_ARRAY:
        return plan->arrays[argument->array].name;
    case PLAN_OP_FIELD:
        return "field";
    case PLAN_OP_MEMORY:
        return plan_values[PLAN_VALUE_MEMORY].word + 1;
    case PLAN_OP_STATIC:
        return plan_values[PLAN_VALUE_STATIC].word + 1;
    case PLAN_OP_CELL:
    case PLAN_OP_CELLS:
    case PLAN_OP_KEYED:
        return plan->counters[argument->counter].name;
    case PLAN_OP_BUFFER:
        return name_of_keyed(plan, argument->buffer);
    case PLAN_OP_VALUE:
        return argument->value == PLAN_VALUE_REGISTER       ? "contents"
               : argument->value == PLAN_VALUE_RETURN       ? "result"
               : argument->value == PLAN_VALUE_FLOAT_RETURN ? "result"
               : argument->value == PLAN_VALUE_ARGUMENT     ? "argument"
                                                            : plan_values[argument->value].word + 1;
    default:
        return "";
    }
}

struct stub_parameter {
    enum stub_type type;
    char *name;
};

/* A name that differs from the names of earlier parameters. */
static char *unique_name(const struct stub_parameter *parameters, uint32_t count, const char *name) {
    char *made = format_string("%s", *name && is_c_name(name) ? name : "value");
    for (uint32_t i = 0, next = 2; i < count; i++)
        if (strcmp(parameters[i].name, made) == 0) {
            free(made);
            made = format_string("%s%u", *name && is_c_name(name) ? name : "value", next++);
            i = UINT32_MAX; /* from the first again */
        }
    return made;
}

/* The arguments that the action passes to the routine, directly or by a command; NULL: it does not call it.
 */
static const struct plan_expression *const *passed_to(const struct plan_action *action, uint32_t routine,
                                                      uint32_t *count) {
    if (action->kind != PLAN_ACTION_CALL)
        return NULL;
    *count = action->argument_count;
    if (action->routine == routine)
        return action->arguments;
    for (uint32_t i = 0; action->command && i < action->command->effect_count; i++) {
        const struct plan_effect *effect = &action->command->effects[i];
        *count = effect->value_count;
        if (effect->kind == PLAN_EFFECT_CALL && effect->routine == routine)
            return effect->values;
    }
    return NULL;
}

/* Combines all calls of the routine; the first call determines the names of the parameters. */
static struct stub_parameter *find_parameters(const struct plan *plan, uint32_t routine, uint32_t *count) {
    struct stub_parameter *parameters = NULL;
    uint32_t capacity = 0;
    *count = 0;
    for (uint32_t i = 0; i < plan->action_count; i++) {
        uint32_t passed = 0;
        const struct plan_expression *const *arguments = passed_to(&plan->actions[i], routine, &passed);
        for (uint32_t k = 0; arguments && k < passed; k++) {
            enum stub_type type = stub_type_of(plan, arguments[k]);
            if (k == *count) {
                VECTOR_RESERVE(parameters, *count, capacity);
                parameters[k] = (struct stub_parameter){
                    STUB_NONE, unique_name(parameters, k, argument_name(plan, arguments[k]))};
                ++*count;
            }
            if (type > parameters[k].type)
                parameters[k].type = type;
        }
    }
    return parameters;
}

static bool is_called_by_plan(const struct plan *plan, uint32_t routine) {
    uint32_t ignored;
    for (uint32_t i = 0; i < plan->action_count; i++)
        if ((plan->actions[i].kind == PLAN_ACTION_CALL && plan->actions[i].routine == routine) ||
            passed_to(&plan->actions[i], routine, &ignored))
            return true;
    return false;
}

static void print_prototype(const struct plan *plan, uint32_t routine, FILE *stream) {
    uint32_t count;
    if (!is_called_by_plan(plan, routine)) {
        fprintf(
            stream,
            "\n/* %s replaces a procedure: it takes the procedure's arguments and returns its result. */\n",
            plan->routines[routine].name);
        return;
    }
    struct stub_parameter *parameters = find_parameters(plan, routine, &count);
    fprintf(stream, "\nvoid %s(", plan->routines[routine].name);
    for (uint32_t i = 0; i < count; i++)
        fprintf(stream, "%s%s%s", i ? ", " : "", stub_types[parameters[i].type], parameters[i].name);
    fputs(count ? ") {\n" : "void) {\n", stream);
    for (uint32_t i = 0; i < count; i++)
        fprintf(stream, "%s(void)%s%s", i ? ", " : "    ", parameters[i].name, i + 1 == count ? ";\n" : "");
    fputs("}\n", stream);
    for (uint32_t i = 0; i < count; i++)
        free(parameters[i].name);
    free(parameters);
}

void stub_print(const struct plan *plan, FILE *stream) {
    fprintf(stream, "/* The analysis routines of the tool '%s'. */\n#include \"atomc.h\"\n", plan->name);
    for (uint32_t i = 0; i < plan->routine_count; i++)
        if (!plan->routines[i].own)
            print_prototype(plan, i, stream);
}
