/* options.c: command lines are read, and their help is written, by the table options.def. */
#define _GNU_SOURCE
#include "support/options.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum value_kind {
    VALUE_ANY,
    VALUE_NEEDED,
    VALUE_NEXT,
    VALUE_CHOICE,
    VALUE_WHOLE,
    VALUE_NUMBER,
    VALUE_PERCENT,
    VALUE_OPEN_FILE,
    VALUE_LIST
};

enum row_kind { ROW_OPTION, ROW_SECTION, ROW_WORDS };

struct row {
    enum row_kind kind;
    enum option_id id;
    uint32_t commands; /* a bit for each */
    const char *names; /* name of an option; the title of a section; the words */
    const char *argument;
    struct value {
        enum value_kind kind;
        const char *text; /* the required text, or the choices */
        double least, most;
    } value;
    const char *help;
};

#define IN(id) (1U << COMMAND_##id)
#define ANY                                                                                                  \
    { VALUE_ANY, NULL, 0, 0 }
#define NEEDS(what)                                                                                          \
    { VALUE_NEEDED, what, 0, 0 }
#define NEXT(what)                                                                                           \
    { VALUE_NEXT, what, 0, 0 }
#define ONE_OF(words)                                                                                        \
    { VALUE_CHOICE, words, 0, 0 }
#define WHOLE(least, most)                                                                                   \
    { VALUE_WHOLE, "a whole number", least, most }
#define NUMBER(least, most)                                                                                  \
    { VALUE_NUMBER, "a number", least, most }
#define PERCENT(least, most)                                                                                 \
    { VALUE_PERCENT, "a number of per cent", least, most }
#define OPEN_FILE                                                                                            \
    { VALUE_OPEN_FILE, NULL, 0, 0 }
#define LIST                                                                                                 \
    { VALUE_LIST, NULL, 0, 0 }

static const struct row rows[] = {
#define OPTION(id, commands, names, argument, value, help)                                                   \
    {ROW_OPTION, OPTION_##id, commands, names, argument, value, help},
#define ALSO(id, commands, names, argument, value, help)                                                     \
    {ROW_OPTION, OPTION_##id, commands, names, argument, value, help},
#define SECTION(commands, title)       {ROW_SECTION, OPTION_END, commands, title, NULL, ANY, ""},
#define WORDS(commands, spelled, help) {ROW_WORDS, OPTION_END, commands, spelled, NULL, ANY, help},
#include "support/options.def"
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const struct command_row {
    const char *name, *program, *summary, *usage, *about, *end;
} command_rows[] = {
#define COMMAND(id, name, program, summary, usage, about, end) {name, program, summary, usage, about, end},
#include "support/options.def"
};

/* ---- reading ------------------------------------------------------------------------------------------ */

static bool report(struct diagnostics *diagnostics, enum command_id command, const char *format,
                   va_list arguments) {
    char *message = NULL;
    const char *name = command_rows[command].name;
    if (!diagnostics)
        return false;
    if (vasprintf(&message, format, arguments) < 0)
        abort();
    diagnose(diagnostics, NULL, MESSAGE_USAGE, message);
    diagnose_hint(diagnostics, *name ? "atomc %s --help" : "atomc%s --help", name);
    free(message);
    return false;
}

bool usage_error(struct diagnostics *diagnostics, enum command_id command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report(diagnostics, command, format, arguments);
    va_end(arguments);
    return false;
}

static enum option_id wrong(const struct option_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static enum option_id wrong(const struct option_reader *reader, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report(reader->diagnostics, reader->command, format, arguments);
    va_end(arguments);
    return OPTION_WRONG;
}

/* The next of several names that are separated by `separator`; NULL: there is none. */
static const char *next_name(const char **names, char separator, size_t *length) {
    const char *name = *names;
    if (!*name)
        return NULL;
    *length = strcspn(name, (const char[]){separator, '\0'});
    *names += *length + (name[*length] == separator);
    return name;
}

static const char *last_name(const char *names) {
    const char *blank = strrchr(names, ' ');
    return blank ? blank + 1 : names;
}

/* The ways in which a word may name an option. A name that is the whole word has priority: -debug does not
   mean -d. */
enum naming { NAMED_ALONE, NAMED_WITH_VALUE, NAMED_JOINED, NAMINGS };

/* `value`: in the same word; NULL: there is none. */
static bool is_named(const struct row *row, enum naming naming, const char *name, size_t length,
                     const char *word, const char **value) {
    char separator = row->value.kind == VALUE_LIST ? ',' : '=';
    bool has_argument = row->argument && row->value.kind != VALUE_NEXT;
    if (strncmp(word, name, length) != 0)
        return false;
    *value = naming == NAMED_ALONE ? NULL : word + length + (naming == NAMED_WITH_VALUE);
    return naming == NAMED_ALONE        ? !word[length]
           : naming == NAMED_WITH_VALUE ? word[length] == separator && row->value.kind != VALUE_NEXT
                                        : length == 2 && has_argument && word[length];
}

/* The option that the word names; NULL: none. */
static const struct row *find_row(uint32_t commands, const char *word, const char **value) {
    for (enum naming naming = NAMED_ALONE; naming < NAMINGS; naming++)
        for (size_t i = 0; i < ROWS; i++) {
            const char *names = rows[i].names, *name;
            size_t length;
            if (rows[i].kind != ROW_OPTION || !(rows[i].commands & commands))
                continue;
            while ((name = next_name(&names, ' ', &length)))
                if (is_named(&rows[i], naming, name, length, word, value))
                    return &rows[i];
        }
    return NULL;
}

static uint32_t other_commands(enum command_id command) {
    return command == COMMAND_RUN ? IN(ATOMC) : 0;
}

/* "a, b or c" */
static void put_choices(const char *choices, FILE *stream) {
    const char *choice, *before = "";
    size_t length;
    while ((choice = next_name(&choices, '|', &length))) {
        fprintf(stream, "%s%.*s", before, (int)length, choice);
        before = strchr(choices, '|') ? ", " : " or ";
    }
}

static enum option_id no_such_choice(const struct option_reader *reader, const char *choices) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    put_choices(choices, stream);
    fclose(stream);
    wrong(reader, "%s=%s: the value is %s", reader->name, reader->value, text);
    free(text);
    return OPTION_WRONG;
}

static bool read_choice(struct option_reader *reader, const char *choices) {
    const char *choice;
    size_t length;
    for (reader->choice = 0; (choice = next_name(&choices, '|', &length)); reader->choice++)
        if (strlen(reader->value) == length && strncmp(reader->value, choice, length) == 0)
            return true;
    return false;
}

static bool read_number(struct option_reader *reader, const struct value *value) {
    const char *text = reader->value;
    char *end;
    reader->number = strtod(text, &end);
    if (value->kind == VALUE_PERCENT && end > text)
        end += *end == '%';
    if (value->kind == VALUE_WHOLE && text[strspn(text, "0123456789")])
        return false;
    return *text && !*end && reader->number >= value->least && reader->number <= value->most;
}

static bool read_open_file(struct option_reader *reader) {
    const struct value numbers = {VALUE_WHOLE, NULL, 0, INT_MAX};
    return read_number(reader, &numbers) && fcntl((int)reader->number, F_GETFD) >= 0;
}

static enum option_id check_value(struct option_reader *reader, const struct row *row) {
    const struct value *value = &row->value;
    switch (value->kind) {
    case VALUE_NEEDED:
        if (!*reader->value)
            return wrong(reader, "%.*s needs %s", (int)strcspn(row->names, " "), row->names, value->text);
        break;
    case VALUE_CHOICE:
        if (!read_choice(reader, value->text))
            return no_such_choice(reader, value->text);
        break;
    case VALUE_WHOLE:
    case VALUE_NUMBER:
    case VALUE_PERCENT:
        if (!read_number(reader, value))
            return wrong(reader, "%s=%s: the value is %s from %.0f to %.0f", reader->name, reader->value,
                         value->text, value->least, value->most);
        break;
    case VALUE_OPEN_FILE:
        if (!read_open_file(reader))
            return wrong(reader, "%s=%s: the value is the number of an open file", reader->name,
                         reader->value);
        break;
    case VALUE_ANY:
    case VALUE_NEXT:
    case VALUE_LIST:
        break;
    }
    return row->id;
}

/* Long names of the commands' options. */
static size_t list_names(uint32_t commands, const char **names, size_t count) {
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].kind == ROW_OPTION && (rows[i].commands & commands) &&
            strncmp(last_name(rows[i].names), "--", 2) == 0)
            names[count++] = last_name(rows[i].names);
    return count;
}

static enum option_id no_such_option(const struct option_reader *reader) {
    const char *names[2 * ROWS], *word = reader->word;
    size_t count =
        list_names(other_commands(reader->command), names, list_names(1U << reader->command, names, 0));
    wrong(reader, "there is no option '%s'", word);
    char *name = format_string("%.*s", (int)strcspn(word, "="), word);
    const char *nearest = strncmp(word, "--", 2) == 0 ? nearest_name(name, names, count) : NULL;
    if (nearest && reader->diagnostics)
        diagnose_hint(reader->diagnostics, "did you mean '%s'?", nearest);
    free(name);
    return OPTION_WRONG;
}

enum option_id next_option(struct option_reader *reader) {
    const char *value;
    reader->value = reader->name = NULL;
    if (reader->at < reader->count && !reader->only_words && strcmp(reader->words[reader->at], "--") == 0) {
        reader->only_words = true;
        reader->at++;
    }
    if (reader->at >= reader->count)
        return OPTION_END;
    reader->word = reader->words[reader->at++];
    if (reader->only_words || reader->word[0] != '-' || !reader->word[1])
        return OPTION_WORD;
    const struct row *row = find_row(1U << reader->command, reader->word, &value);
    if (!row)
        row = find_row(other_commands(reader->command), reader->word, &value);
    if (!row)
        return no_such_option(reader);
    reader->name = last_name(row->names);
    if (!row->argument)
        return value ? wrong(reader, "%s takes no value", reader->name) : row->id;
    bool is_last = reader->at == reader->count;
    if (!value && row->value.kind == VALUE_NEXT && is_last)
        return wrong(reader, "%s needs %s", reader->name, row->value.text);
    if (!value)
        value = is_last ? "" : reader->words[reader->at++];
    reader->value = value;
    return check_value(reader, row);
}

/* ---- help --------------------------------------------------------------------------------------------- */

enum { TEXT_COLUMN = 23, LINE_COLUMNS = 100 };

/* Prints lines, the first after `first`, the others after `others`; lines that begin with a blank are printed
   without them. */
static void put_lines(const char *lines, const char *first, const char *others, FILE *stream) {
    const char *line;
    size_t length;
    for (const char *front = first; (line = next_name(&lines, '\n', &length)); front = others)
        fprintf(stream, "%s%.*s\n", *line == ' ' ? "       " : front, (int)length, line);
}

/* Prints the words of the text from the column on, and starts a new line if there is no room. */
static void put_wrapped(const char *text, size_t column, FILE *stream) {
    const char *word;
    size_t length, at = column;
    while ((word = next_name(&text, ' ', &length))) {
        if (at > column && at + 1 + length > LINE_COLUMNS) {
            fprintf(stream, "\n%*s", (int)column, "");
            at = column;
        } else if (at > column) {
            fputc(' ', stream);
            at++;
        }
        fprintf(stream, "%.*s", (int)length, word);
        at += length;
    }
    fputc('\n', stream);
}

/* "-t, --tool=NAME" */
static char *spell(const struct row *row) {
    const char *last = last_name(row->names), *argument = row->argument ? row->argument : "";
    bool is_brief = strcspn(row->names, " ") == 2, is_long = strlen(last) > 2;
    if (row->kind == ROW_WORDS)
        return duplicate_string(row->names);
    return format_string("%.*s%s%s%s%s", is_brief ? 2 : 0, row->names, is_brief && is_long ? ", " : "",
                         is_long ? last : "",
                         !row->argument ? ""
                         : is_long      ? "="
                                        : " ",
                         argument);
}

static void put_row(const struct row *row, FILE *stream) {
    char *spelled = spell(row);
    size_t length = strlen(spelled);
    if (!*row->help)
        fprintf(stream, "  %s\n", spelled);
    else if (2 + length + 1 >= TEXT_COLUMN)
        fprintf(stream, "  %s\n%*s", spelled, TEXT_COLUMN, "");
    else
        fprintf(stream, "  %-*s", TEXT_COLUMN - 2, spelled);
    if (*row->help)
        put_wrapped(row->help, TEXT_COLUMN, stream);
    free(spelled);
}

void print_help(enum command_id command, FILE *stream) {
    const struct command_row *about = &command_rows[command];
    uint32_t rows_before = 0;
    put_lines(about->usage, "usage: atomc ", "       atomc ", stream);
    fprintf(stream, "%s%s", *about->about ? "\n" : "", about->about);
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *row = &rows[i];
        if (!(row->commands & 1U << command) || !row->help)
            continue;
        if (rows_before++ == 0 || row->kind == ROW_SECTION)
            fputc('\n', stream);
        if (row->kind != ROW_SECTION)
            put_row(row, stream);
        else if (*row->names)
            fprintf(stream, "%s\n", row->names);
    }
    fprintf(stream, "%s%s", *about->end ? "\n" : "", about->end);
}

static void print_row(const struct row *row, const char *name, const char *section, FILE *stream) {
    const char *last = last_name(row->names);
    bool is_brief = strcspn(row->names, " ") == 2;
    if (row->kind == ROW_WORDS)
        fprintf(stream, "words\t%s\t%s\t%s\n", name, row->names, row->help);
    else
        fprintf(stream, "option\t%s\t%s\t%.*s\t%s\t%s\t%s\n", name, section, is_brief ? 2 : 1,
                is_brief ? row->names : "-", strlen(last) > 2 ? last : "-",
                row->argument ? row->argument : "-", row->help);
}

void print_options(FILE *stream) {
    for (unsigned command = 0; command < COMMAND_COUNT; command++) {
        const char *name = command == COMMAND_ATOMC ? "atomc" : command_rows[command].name, *section = "";
        if (command_rows[command].summary)
            fprintf(stream, "command\t%s\t%s\n", name, command_rows[command].summary);
        for (size_t i = 0; i < ROWS && *name; i++)
            if (!(rows[i].commands & 1U << command) || !rows[i].help)
                continue;
            else if (rows[i].kind == ROW_SECTION)
                section = rows[i].names;
            else
                print_row(&rows[i], name, section, stream);
    }
}

enum command_id command_named(const char *name) {
    unsigned command = 0;
    while (command < COMMAND_COUNT && (!*name || strcmp(command_rows[command].name, name) != 0))
        command++;
    return (enum command_id)command;
}

const char *command_name(enum command_id command) {
    return command_rows[command].name;
}

const char *command_program(enum command_id command) {
    return command_rows[command].program;
}
