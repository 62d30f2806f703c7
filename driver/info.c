/* info.c: `atomc info`: what the language knows, printed from the tables that the checker uses.
   Requires nothing; docs/language.md quotes what is printed here, and tests/run/docs.sh compares the two. */
#include <stdio.h>
#include <string.h>

#include "driver/driver.h"

static const struct {
    enum plan_place place;
    const char *loop; /* as a loop names all of them */
    const char *contains;
    const char *help;
} places[] = {
    {PLAN_PROGRAM, "-", "procs blocks insts", "the whole run: before its first instruction, after its last"},
    {PLAN_PROCEDURE, "procs", "blocks insts", "before: each time it is entered; after: each time it is left"},
    {PLAN_BLOCK, "blocks", "insts", "a basic block: entered at its first instruction, left after its last"},
    {PLAN_INSTRUCTION, "insts", "-", "one instruction of the program"},
};

static const char *const class_help[] = {
#define CLASS(id, word, help) help,
#include "plan/classes.def"
#undef CLASS
};

static void print_places(void) {
    printf("%-8s %-7s %-19s %s\n", "place", "loop", "contains", "meaning");
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        printf("%-8s %-7s %-19s %s\n", plan_place_words[places[i].place], places[i].loop, places[i].contains,
               places[i].help);
}

static void print_attributes(void) {
    printf("%-8s %-14s %-9s %s\n", "place", "attribute", "type", "meaning");
    for (int i = 0; i < PLAN_ATTRIBUTE_COUNT; i++)
        printf("%-8s %-14s %-9s %s\n", plan_place_words[plan_attributes[i].place], plan_attributes[i].word,
               plan_type_name(plan_attributes[i].type), plan_attributes[i].help);
}

static void print_values(void) {
    printf("%-12s %-9s %s\n", "value", "type", "meaning");
    for (int i = 0; i < PLAN_VALUE_COUNT; i++) {
        const struct plan_value_info *value = &plan_values[i];
        const char *operand = !value->takes_operand ? "" : value->word[1] ? "(n)" : "(register)";
        printf("%s%-*s %-9s %s\n", value->word, 12 - (int)strlen(value->word), operand,
               plan_type_name(value->type), value->help);
    }
}

static void print_classes(void) {
    printf("%-10s %s\n", "class", "instructions (ATOM's name)");
    for (int i = 0; i < PLAN_CLASS_COUNT; i++)
        printf("%-10s %s\n", plan_class_words[i], class_help[i]);
}

static const struct {
    const char *name;
    void (*print)(void);
} tables[] = {
    {"places", print_places},
    {"attributes", print_attributes},
    {"values", print_values},
    {"classes", print_classes},
};

static bool print_table(const char *name) {
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (strcmp(name, tables[i].name) == 0) {
            tables[i].print();
            return true;
        }
    return false;
}

bool info_print(char *const *names, int count, struct diagnostics *diagnostics) {
    for (size_t i = 0; count == 0 && i < sizeof tables / sizeof tables[0]; i++) {
        printf("%s%s:\n", i ? "\n" : "", tables[i].name);
        tables[i].print();
    }
    for (int i = 0; i < count; i++)
        if (!print_table(names[i])) {
            diagnose(diagnostics, NULL, MESSAGE_NO_SUCH_TABLE, names[i]);
            diagnose_hint(diagnostics, "the tables are places, attributes, values and classes");
            return false;
        }
    return true;
}

void info_print_tool(const struct tool *tool, FILE *stream) {
    uint32_t count;
    const struct parameter_help *parameters = tool_parameters(tool, &count);
    fprintf(stream, "%s%s%s\n", tool->name, *tool->description ? ": " : "", tool->description);
    fputs(count ? "\nparameters, set by -D name=value:\n" : "", stream);
    int names = 0, types = 0, values = 0;
    for (uint32_t i = 0; i < count; i++) {
        int name = (int)strlen(parameters[i].name), type = (int)strlen(parameters[i].type);
        int value = (int)strlen(parameters[i].value);
        names = name > names ? name : names;
        types = type > types ? type : types;
        values = value > values ? value : values;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct parameter_help *parameter = &parameters[i];
        fprintf(stream, "  %-*s  %-*s = ", names, parameter->name, types, parameter->type);
        fprintf(stream, *parameter->help ? "%-*s  %s\n" : "%.*s%s\n",
                *parameter->help ? values : (int)strlen(parameter->value), parameter->value, parameter->help);
    }
}
