/* info.c: `atomc info`: the places, attributes, values and classes, from the tables of the checker.
   docs/reference.md quotes this output, and tests/run/docs.sh compares the two. */
#include <stdio.h>
#include <string.h>

#include "codegen/isa.h"
#include "codegen/machines.h"
#include "driver/json.h"

static const char *const place_help[PLAN_BUCKET] = {
    [PLAN_PROGRAM] =
        "the whole run: before its first instruction, when it has ended; on fork: in the new process",
    [PLAN_OBJECT] =
        "the program itself, or an instrumented library: when it is loaded, before it is unloaded",
    [PLAN_PROCEDURE] =
        ("before: each time it is entered; after: each time it is left; on unwind: each time it is left "
         "otherwise than by a return or a branch"),
    [PLAN_ENTRY] = "where a procedure is entered: its first instruction, and alternate entries",
    [PLAN_LOOP] = "a natural loop: on entry, from outside; on back, from inside; on exit, when it is left",
    [PLAN_BLOCK] = "a basic block: entered at its first instruction, left after its last",
    [PLAN_EDGE] = "an edge between blocks of one procedure: each time control takes it",
    [PLAN_CALLSITE] = "a call instruction: before it, and after it has returned",
    [PLAN_SYSTEM_CALL] = "a system call instruction: before it, and after it has returned",
    [PLAN_INSTRUCTION] = "one instruction of the program",
    [PLAN_DATA] =
        "an object of the program's data, by its symbol: a global or static variable; nothing is done there",
    [PLAN_POSITION] = ("a source line that has code in a basic block, or from which a call was inlined; "
                       "nothing is done there"),
};

static const char *const class_help[] = {
#define CLASS(id, word, help) help,
#include "codegen/classes.def"
#undef CLASS
};

/* A place of which there are no loops: the checker knows its word (compiler/events.c). */
const struct info_event info_signal = {"signal",
                                       {"before", "after", "on unwind"},
                                       "a signal for which the program has a handler: before it is called, "
                                       "after it has returned; on unwind: when it is "
                                       "left otherwise"};

const char *info_place_help(enum plan_place place) {
    return place_help[place];
}

const char *info_class_help(enum instruction_class class) {
    return class_help[class];
}

static const char *contents_of_place(enum plan_place outer, char *text, size_t size) {
    size_t length = 0;
    for (int i = 0; i < PLAN_BUCKET; i++)
        if (plan_contains(outer, (enum plan_place)i))
            length += (size_t)snprintf(text + length, size - length, "%s%s", length ? " " : "",
                                       plan_place_plurals[i]);
    return length ? text : "-";
}

const char *const info_words[] = {
#include "grammar/words.h"
    NULL};

/* The rows to print: all rows of a table, or the rows that have a word in one of their first two columns. */
struct rows {
    const char *word;  /* NULL: all */
    const char *title; /* title of the table; NULL: it is the only table */
    bool later;        /* another was printed before */
    char heading[100];
    unsigned count; /* number of rows printed so far, in this table */
};

/* True if the printed cell represents the word. Parentheses and $ may be omitted. */
static bool cell_means(const char *cell, const char *word) {
    cell += *cell == '$';
    word += *word == '$';
    size_t length = strlen(word);
    return strncmp(cell, word, length) == 0 && (cell[length] == '\0' || cell[length] == '(');
}

/* The table's title and heading are printed before its first row. */
static bool print_info_row(struct rows *rows, const char *first, const char *second) {
    if (rows->word && !cell_means(first, rows->word) && !cell_means(second, rows->word))
        return false;
    if (rows->count++ == 0) {
        if (rows->title)
            printf("%s%s:\n", rows->later ? "\n" : "", rows->title);
        fputs(rows->heading, stdout);
    }
    return true;
}

static void print_signal(void) {
    char when[40];
    snprintf(when, sizeof when, "%s, %s, %s", info_signal.when[0], info_signal.when[1], info_signal.when[2]);
    printf("%-8s %-9s %-30s %s\n", info_signal.word, "-", when, info_signal.help);
}

static void print_places(struct rows *rows) {
    char text[200];
    snprintf(rows->heading, sizeof rows->heading, "%-8s %-9s %-30s %s\n", "place", "loop", "when", "meaning");
    for (int i = 0; i < PLAN_BUCKET; i++) {
        size_t length = 0;
        if (!print_info_row(rows, plan_place_words[i], plan_place_plurals[i]))
            continue;
        for (int k = 0; k < PLAN_WHEN_COUNT; k++)
            if (plan_allows((enum plan_place)i, (enum plan_when)k))
                length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", length ? ", " : "",
                                           plan_when_words((enum plan_place)i, (enum plan_when)k));
        printf("%-8s %-9s %-30s %s\n", plan_place_words[i], i == PLAN_PROGRAM ? "-" : plan_place_plurals[i],
               length ? text : "-", place_help[i]);
        if (i == PLAN_PROGRAM && !rows->word)
            print_signal();
    }
    if (rows->word && print_info_row(rows, info_signal.word, ""))
        print_signal();
    struct rows contained = {.word = rows->word};
    snprintf(contained.heading, sizeof contained.heading, "\n%-8s %s\n", "place", "contains");
    for (int i = 0; i < PLAN_BUCKET; i++)
        if (print_info_row(&contained, plan_place_words[i], plan_place_plurals[i]))
            printf("%-8s %s%s\n", plan_place_words[i],
                   contents_of_place((enum plan_place)i, text, sizeof text),
                   i == PLAN_BLOCK ? "; succs preds, which are blocks" : "");
}

static void print_attributes(struct rows *rows) {
    snprintf(rows->heading, sizeof rows->heading, "%-8s %-14s %-9s %s\n", "place", "attribute", "type",
             "meaning");
    for (int i = 0; i < PLAN_ATTRIBUTE_COUNT; i++) {
        const struct plan_attribute_info *attribute = &plan_attributes[i];
        const char *place = plan_place_words[attribute->place];
        bool plural = rows->word && strcmp(rows->word, plan_place_plurals[attribute->place]) == 0;
        if (print_info_row(rows, plural ? rows->word : place, attribute->word))
            printf("%-8s %s%-*s %-9s %s\n", place, attribute->word, 14 - (int)strlen(attribute->word),
                   attribute->takes_register ? "(r)" : "", plan_type_name(attribute->type), attribute->help);
    }
    const char *name = plan_type_name(PLAN_TYPE_REGISTER);
    if (print_info_row(rows, name, plan_register_attribute.word))
        printf("%-8s %-14s %-9s %s\n", name, plan_register_attribute.word,
               plan_type_name(plan_register_attribute.type), plan_register_attribute.help);
}

static void print_values(struct rows *rows) {
    snprintf(rows->heading, sizeof rows->heading, "%-15s %-9s %s\n", "value", "type", "meaning");
    for (int i = 0; i < PLAN_VALUE_COUNT; i++) {
        const struct plan_value_info *value = &plan_values[i];
        const char *operand = value->operands == 0                              ? ""
                              : value->operands == 2                            ? "(a,n)"
                              : i == PLAN_VALUE_REGISTER || i == PLAN_VALUE_OLD ? "(register)"
                                                                                : "(n)";
        if (print_info_row(rows, value->word, ""))
            printf("%s%-*s %-9s %s\n", value->word, 15 - (int)strlen(value->word), operand,
                   plan_type_name(value->type), value->help);
    }
}

static void print_classes(struct rows *rows) {
    snprintf(rows->heading, sizeof rows->heading, "%-10s %s\n", "class", "instructions (ATOM's name)");
    for (int i = 0; i < CLASS_COUNT; i++)
        if (print_info_row(rows, plan_class_words[i], ""))
            printf("%-10s %s\n", plan_class_words[i], class_help[i]);
}

const char *info_register_names(const struct architecture *architecture, register_set set, char *text,
                                size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (unsigned r = 0; r < 64; r++)
        if (set & REGISTER_BIT(r))
            length += (size_t)snprintf(text + length, size - length, "%s%s", length ? " " : "",
                                       architecture->register_name(r));
    return text;
}

static void print_machines(struct rows *rows) {
    char arguments[200], results[200];
    snprintf(rows->heading, sizeof rows->heading, "%-8s %-13s %-27s %-8s %-6s %-5s %s\n", "machine",
             "emulator", "arguments", "results", "return", "stack", "tools");
    const struct architecture *architecture;
    for (unsigned i = 0; (architecture = architecture_number(i)); i++) {
        const struct machine_names *names = machine_called(architecture->machine);
        const struct conventions_of_machine *registers = &architecture->registers;
        if (print_info_row(rows, names->name, names->short_name))
            printf("%-8s %-13s %-27s %-8s %-6s %-5s %s\n", names->name, names->emulator,
                   info_register_names(architecture, registers->arguments, arguments, sizeof arguments),
                   info_register_names(architecture, registers->results & registers->integers, results,
                                       sizeof results),
                   architecture->register_name(registers->link),
                   architecture->register_name(registers->stack),
                   rewrite_takes_c(architecture) ? "all" : "those without C");
    }
}

static void print_displays(struct rows *rows) {
    snprintf(rows->heading, sizeof rows->heading, "%-40s %s\n", "display", "picture");
    for (int i = 0; i < PLAN_DISPLAY_COUNT; i++) {
        char form[100];
        plan_display_form((enum plan_display_kind)i, form, sizeof form);
        if (print_info_row(rows, plan_displays[i].word, ""))
            printf("%-40s %s\n", form, plan_displays[i].help);
    }
}

static void print_words(struct rows *rows) {
    snprintf(rows->heading, sizeof rows->heading, "word\n");
    for (int i = 0; info_words[i] && !rows->word; i++)
        if (print_info_row(rows, info_words[i], ""))
            puts(info_words[i]);
}

/* Always prints all: they are not words of the language. */
static void print_passes(struct rows *rows) {
    if (!rows->word && print_info_row(rows, "", ""))
        passes_print();
}

static const struct {
    const char *name;
    void (*print)(struct rows *rows);
} tables[] = {
    {"places", print_places},   {"attributes", print_attributes}, {"values", print_values},
    {"classes", print_classes}, {"displays", print_displays},     {"passes", print_passes},
    {"words", print_words},     {"machines", print_machines},
};
enum { TABLES = sizeof tables / sizeof tables[0] };

static int table_named(const char *name) {
    for (int i = 0; i < TABLES; i++)
        if (strcmp(name, tables[i].name) == 0)
            return i;
    return -1;
}

/* Searches the word in the given tables; `several`: prints their titles. Returns false if no table has the
   word. */
static bool print_tables(const bool *given, const char *word, bool several) {
    bool any = false;
    for (int i = 0; i < TABLES; i++) {
        if (!given[i])
            continue;
        struct rows rows = {.word = word, .title = several ? tables[i].name : NULL, .later = any};
        tables[i].print(&rows);
        any |= rows.count > 0;
    }
    return any;
}

static bool no_such_table(const char *name, struct diagnostics *diagnostics) {
    diagnose(diagnostics, NULL, MESSAGE_NO_SUCH_TABLE, name);
    const char *names[TABLES];
    for (int i = 0; i < TABLES; i++)
        names[i] = tables[i].name;
    const char *nearest = nearest_name(name, names, TABLES);
    if (nearest)
        diagnose_hint(diagnostics, "did you mean '%s'?", nearest);
    else
        diagnose_hint(diagnostics,
                      "the tables are places, attributes, values, classes, displays, passes, words and "
                      "machines");

    return false;
}

/* Prints whole tables: a reader of JSON selects rows itself. */
static bool info_document(const struct options *options, char *const *names, int count,
                          struct diagnostics *diagnostics) {
    for (int i = 0; i < (count ? count : TABLES); i++) {
        const char *name = count ? names[i] : tables[i].name;
        json_t *table = info_json(name);
        if (!table)
            return no_such_table(name, diagnostics);
        json_object_set_new(options->document, name, table);
    }
    return true;
}

bool info_print(const struct options *options, char *const *names, int count,
                struct diagnostics *diagnostics) {
    if (options->document)
        return info_document(options, names, count, diagnostics);
    bool given[TABLES] = {false}, any_table = false, any_word = false;
    unsigned table_count = 0;
    for (int i = 0; i < count; i++) {
        int table = table_named(names[i]);
        any_word |= table < 0;
        if (table >= 0 && !given[table])
            table_count++;
        if (table >= 0)
            given[table] = any_table = true;
    }
    if (!any_table)
        memset(given, true, sizeof given);
    if (!any_word) {
        print_tables(given, NULL, table_count != 1);
        return true;
    }
    for (int i = 0; i < count; i++)
        if (table_named(names[i]) < 0 && !print_tables(given, names[i], table_count != 1))
            return no_such_table(names[i], diagnostics);
    return true;
}

/* The comment at the beginning of the file, without its first paragraph: usage, output, a sample. */
static void print_heading(const struct source *source, FILE *stream) {
    bool after = false;
    for (const char *at = source->text; *at == '#';) {
        size_t length = strcspn(at, "\n"), skipped = length > 1 && at[1] == ' ' ? 2 : 1;
        after |= length == 1;
        if (after) {
            put_line_part(at + skipped, length - skipped, stream);
            fputc('\n', stream);
        }
        at += length + (at[length] != '\0');
    }
}

void info_print_tool(const struct tool *tool, const char *path, FILE *stream) {
    if (!tool) {
        put_line_text(path, stream);
        fputs(": instrumentation code in C; -toolargs gives its arguments\n", stream);
        return;
    }
    uint32_t count;
    const struct parameter_help *parameters = tool_parameters(tool, &count);
    fprintf(stream, "%s%s", tool->name, *tool->description ? ": " : "");
    put_line_text(tool->description, stream);
    fprintf(stream, "\n\n  atomc run %s", tool->is_stock ? "-t " : "");
    put_line_text(tool->asked ? tool->asked : path, stream);
    fputs(" -- PROGRAM\n", stream);
    print_heading(tool->source, stream);
    if (tool->objects)
        fprintf(stream, "\nof a dynamic program, --objects=%s is the default\n", tool->objects);
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
        put_line_text(parameter->value, stream);
        if (*parameter->help) {
            fprintf(stream, "%*s  ", values - (int)strlen(parameter->value), "");
            put_line_text(parameter->help, stream);
        }
        fputc('\n', stream);
    }
}
