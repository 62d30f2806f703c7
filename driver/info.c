/* info.c: `atomc info`: the places, attributes, values and classes, from the tables of the checker.
   Requires nothing; docs/language.md quotes what is printed here, and tests/run/docs.sh compares the two. */
#include <stdio.h>
#include <string.h>

#include "driver/json.h"

static const char *const place_help[PLAN_BUCKET] = {
    [PLAN_PROGRAM] = "the whole run: before its first instruction, when it has ended",
    [PLAN_OBJECT] =
        "the program itself, or an instrumented library: when it is loaded, before it is unloaded",
    [PLAN_PROCEDURE] = "before: each time it is entered; after: each time it is left",
    [PLAN_ENTRY] = "where a procedure is entered: its first instruction, and alternate entries",
    [PLAN_LOOP] = "a natural loop: on entry, from outside; on back, from inside; on exit, when it is left",
    [PLAN_BLOCK] = "a basic block: entered at its first instruction, left after its last",
    [PLAN_EDGE] = "an edge between blocks of one procedure: each time control takes it",
    [PLAN_CALLSITE] = "a call instruction: before it, and after it has returned",
    [PLAN_SYSTEM_CALL] = "a system call instruction: before it, and after it has returned",
    [PLAN_INSTRUCTION] = "one instruction of the program",
};

static const char *const class_help[] = {
#define CLASS(id, word, help) help,
#include "plan/classes.def"
#undef CLASS
};

const char *info_place_help(enum plan_place place) {
    return place_help[place];
}

const char *info_class_help(enum plan_class class) {
    return class_help[class];
}

static const char *contents(enum plan_place outer, char *text, size_t size) {
    size_t length = 0;
    for (int i = 0; i < PLAN_BUCKET; i++)
        if (plan_contains(outer, (enum plan_place)i))
            length += (size_t)snprintf(text + length, size - length, "%s%s", length ? " " : "",
                                       plan_place_plurals[i]);
    return length ? text : "-";
}

static void print_places(void) {
    char text[200];
    printf("%-8s %-9s %-30s %s\n", "place", "loop", "when", "meaning");
    for (int i = 0; i < PLAN_BUCKET; i++) {
        size_t length = 0;
        for (int k = 0; k < PLAN_WHEN_COUNT; k++)
            if (plan_allows((enum plan_place)i, (enum plan_when)k))
                length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", length ? ", " : "",
                                           plan_when_words((enum plan_place)i, (enum plan_when)k));
        printf("%-8s %-9s %-30s %s\n", plan_place_words[i], i == PLAN_PROGRAM ? "-" : plan_place_plurals[i],
               text, place_help[i]);
    }
    printf("\n%-8s %s\n", "place", "contains");
    for (int i = 0; i < PLAN_BUCKET; i++)
        printf("%-8s %s%s\n", plan_place_words[i], contents((enum plan_place)i, text, sizeof text),
               i == PLAN_BLOCK ? "; succs preds, which are blocks" : "");
}

static void print_attributes(void) {
    printf("%-8s %-14s %-9s %s\n", "place", "attribute", "type", "meaning");
    for (int i = 0; i < PLAN_ATTRIBUTE_COUNT; i++)
        printf("%-8s %s%-*s %-9s %s\n", plan_place_words[plan_attributes[i].place], plan_attributes[i].word,
               14 - (int)strlen(plan_attributes[i].word), plan_attributes[i].takes_register ? "(r)" : "",
               plan_type_name(plan_attributes[i].type), plan_attributes[i].help);
}

static void print_values(void) {
    printf("%-15s %-9s %s\n", "value", "type", "meaning");
    for (int i = 0; i < PLAN_VALUE_COUNT; i++) {
        const struct plan_value_info *value = &plan_values[i];
        const char *operand = value->operands == 0                              ? ""
                              : value->operands == 2                            ? "(a,n)"
                              : i == PLAN_VALUE_REGISTER || i == PLAN_VALUE_OLD ? "(register)"
                                                                                : "(n)";
        printf("%s%-*s %-9s %s\n", value->word, 15 - (int)strlen(value->word), operand,
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
    {"places", print_places},   {"attributes", print_attributes}, {"values", print_values},
    {"classes", print_classes}, {"passes", passes_print},
};

static bool print_table(const char *name) {
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (strcmp(name, tables[i].name) == 0) {
            tables[i].print();
            return true;
        }
    return false;
}

bool info_print(const struct options *options, char *const *names, int count,
                struct diagnostics *diagnostics) {
    bool all = count == 0;
    for (size_t i = 0; all && i < sizeof tables / sizeof tables[0]; i++) {
        if (options->document)
            json_object_set_new(options->document, tables[i].name, info_json(tables[i].name));
        else {
            printf("%s%s:\n", i ? "\n" : "", tables[i].name);
            tables[i].print();
        }
    }
    for (int i = 0; i < count; i++) {
        json_t *table = options->document ? info_json(names[i]) : NULL;
        if (table)
            json_object_set_new(options->document, names[i], table);
        if (table || (!options->document && print_table(names[i])))
            continue;
        diagnose(diagnostics, NULL, MESSAGE_NO_SUCH_TABLE, names[i]);
        diagnose_hint(diagnostics, "the tables are places, attributes, values, classes and passes");
        return false;
    }
    return true;
}

/* The comment at the beginning of the file, without its first paragraph: usage, output, a sample. */
static void print_heading(const struct source *source, FILE *stream) {
    bool behind = false;
    for (const char *at = source->text; *at == '#';) {
        size_t length = strcspn(at, "\n"), skipped = length > 1 && at[1] == ' ' ? 2 : 1;
        behind |= length == 1;
        if (behind)
            fprintf(stream, "%.*s\n", (int)(length - skipped), at + skipped);
        at += length + (at[length] != '\0');
    }
}

void info_print_tool(const struct tool *tool, const char *path, FILE *stream) {
    if (!tool) {
        fprintf(stream, "%s: instrumentation code in C; -toolargs gives its arguments\n", path);
        return;
    }
    uint32_t count;
    const struct parameter_help *parameters = tool_parameters(tool, &count);
    fprintf(stream, "%s%s%s\n", tool->name, *tool->description ? ": " : "", tool->description);
    print_heading(tool->source, stream);
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
