/* main.c: the command line of atomc-results, which atomc merge, diff, export, annotate and collect start.
   Exit status as atomc's: 0, 1 for the user's errors, 2 for ours. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runs/results/results.h"

static const char merge_help[] =
    "usage: atomc merge [--by=TITLE,...] [--force] [--format=FORM] [-o OUTPUT] FILE.rows|FOLDER ...\n"
    "\n"
    "Puts the rows of several processes or runs together: what was counted is added, shares and\n"
    "ratios are computed anew. Of folders, all files of rows below them are taken.\n"
    "\n"
    "  --by=TITLE,...   rows are one if these columns are equal; default: the address of their place\n"
    "  --force          also those of other programs or parameters\n"
    "  --format=FORM    text (the default), csv, json or rows; or the ending of OUTPUT says it\n"
    "  -o, --output=FILE\n"
    "\n"
    "Manual: docs/results.md.\n";
static const char diff_help[] =
    "usage: atomc diff [--by=TITLE,...] [--threshold=PERCENT] [--program=FILE ...] [--format=FORM]\n"
    "                  [-o OUTPUT] A B\n"
    "\n"
    "Compares the results A and B, each a file of rows or a folder with such files: first what is more\n"
    "in B, then what is less, the largest differences first.\n"
    "\n"
    "  --by=TITLE,...        rows are compared if these columns are equal; default: the address of\n"
    "                        their place; of another build, that in procedures with the same\n"
    "                        instructions, and procedure and file of others\n"
    "  --program=FILE        a build of the program, where it is not as run.json says, and not here under\n"
    "                        its name\n"
    "  --threshold=PERCENT   smaller differences, in per cent of the column's sum, are only counted;\n"
    "                        default 0.1\n"
    "  --format=FORM         text (the default), csv or json; or the ending of OUTPUT says it\n"
    "  -o, --output=FILE\n"
    "\n"
    "Manual: docs/results.md.\n";
static const char export_help[] =
    "usage: atomc export --format=FORM [--no-demangle] [--force] [-o OUTPUT] FILE.rows|FOLDER ...\n"
    "\n"
    "Writes results in the form of another program. Several runs are put together as atomc merge does.\n"
    "\n"
    "  --format=FORM    speedscope or folded: trees of calls, and call stacks, for flame graphs\n"
    "                   callgrind: procedures and calls, for callgrind_annotate and KCachegrind\n"
    "                   lcov: executed lines, procedures and branches, for genhtml\n"
    "  --no-demangle    C++ names as the linker has them\n"
    "  --force          also results of other programs or parameters together\n"
    "  -o, --output=FILE\n"
    "\n"
    "Manual: docs/results.md.\n";
static const char chart_help[] =
    "usage: atomc chart [--report=NAME] [--display=PICTURE] [--top=N] [--width=N] [--format=FORM]\n"
    "                   [--no-demangle] [-o OUTPUT] FILE.rows|FOLDER ...\n"
    "\n"
    "Draws results: bars, lines, histograms, trees, as their page says (display), or as their columns mean.\n"
    "Several runs are put together as atomc merge does.\n"
    "\n"
    "  --report=NAME    only that report, or those of that tool\n"
    "  --display=PICTURE\n"
    "                   another picture of one report, in the words of a page:\n"
    "                   'treemap Instructions by File', 'scatter Turns against Entered'\n"
    "  --top=N          so many bars; default 20\n"
    "  --width=N        columns of the terminal\n"
    "  --format=FORM    text (the default), or svg: one report; or the ending of OUTPUT says it\n"
    "  --no-demangle    C++ names as the linker has them\n"
    "  --force          also results of other programs or parameters together\n"
    "  -o, --output=FILE\n"
    "\n"
    "Manual: docs/results.md.\n";
static const char annotate_help[] =
    "usage: atomc annotate [--report=NAME] [--by=TITLE] [--file=PART] [--source=FOLDER] [--whole]\n"
    "                      [--threshold=PERCENT] [--width=N] [-o OUTPUT] FILE.rows|FOLDER ...\n"
    "\n"
    "Shows the source, and beside each line what has been counted there: of a tool that counts at\n"
    "instructions, blocks, branches or loops. Several runs are put together as atomc merge does.\n"
    "\n"
    "  --report=NAME    that report, or that of that tool, if there are several\n"
    "  --by=TITLE       the column of which shares are shown; default: the first that is a sum\n"
    "  --file=PART      only files with that in their names\n"
    "  --source=FOLDER  where the program was compiled; default: here\n"
    "  --whole          all lines; default: those with enough, and two before and behind them\n"
    "  --threshold=PERCENT\n"
    "                   what is enough; default 0.1\n"
    "  --width=N        columns of the terminal\n"
    "  --force          also results of other programs or parameters together\n"
    "  -o, --output=FILE\n"
    "\n"
    "Manual: docs/results.md.\n";
static const char collect_help[] =
    "usage: atomc collect FOLDER ... -o FILE.sqlite\n"
    "\n"
    "Adds the results in each folder to a SQLite database as a run, unless they are in it already.\n"
    "\n"
    "  --json           print the runs' numbers in the database, as JSON\n"
    "\n"
    "Manual: docs/results.md.\n";
static const char import_help[] =
    "usage: atomc import FILE [--format=FORM] [--program=NAME] -o FOLDER\n"
    "\n"
    "Makes files of rows of another program's results, in a new folder, for atomc collect, chart, merge\n"
    "and the workbench.\n"
    "\n"
    "  --format=FORM    callgrind (also cachegrind), folded or lcov; default: as the file looks\n"
    "  --program=NAME   what was measured; default: as the file says\n"
    "  -o, --output=FOLDER\n"
    "\n"
    "Manual: docs/results.md.\n";

static const struct command {
    const char *name, *help;
    bool by, force, threshold, format, drawing;
    bool (*write)(const struct request *request, FILE *stream); /* NULL: it makes a database, or a folder */
} commands[] = {
    {"merge", merge_help, true, true, false, true, false, merge_results},
    {"diff", diff_help, true, false, true, true, false, diff_results},
    {"export", export_help, false, true, false, true, false, export_results},
    {"chart", chart_help, false, true, false, true, true, chart_results},
    {"annotate", annotate_help, true, true, true, false, false, annotate_source},
    {"collect", collect_help, false, false, false, false, false, NULL},
    {"import", import_help, false, false, false, true, false, NULL},
};

static bool usage_error(struct diagnostics *diagnostics, const struct command *command, const char *text,
                        const char *word) {
    char *message = format_string(text, word);
    diagnose(diagnostics, NULL, MESSAGE_USAGE, message);
    diagnose_hint(diagnostics, "atomc %s --help", command->name);
    free(message);
    return false;
}

/* The value of --name=value or --name value; NULL: the word is another. */
static const char *value_of(const char *word, const char *name, char **words, int count, int *at) {
    size_t length = strlen(name);
    if (strncmp(word, name, length) == 0 && word[length] == '=')
        return word + length + 1;
    if (strcmp(word, name) == 0)
        return *at + 1 < count ? words[++*at] : "";
    return NULL;
}

static bool set_threshold(struct request *request, const struct command *command, const char *text) {
    char *end;
    request->threshold = strtod(text, &end);
    request->has_threshold = true;
    return (*text && !*end && request->threshold >= 0 && request->threshold <= 100) ||
           usage_error(request->diagnostics, command, "--threshold=%s: the value is a number from 0 to 100",
                       text);
}

static bool set_number(struct request *request, const struct command *command, const char *option,
                       const char *text, uint32_t least, uint32_t most, uint32_t *number) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    *number = (uint32_t)value;
    if (*text && !*end && value >= least && value <= most)
        return true;
    char *limits = format_string("%s=%s: the value is a number from %u to %u", option, text, least, most);
    usage_error(request->diagnostics, command, "%s", limits);
    free(limits);
    return false;
}

/* Of the terminal, if there is one. */
static uint32_t terminal_width(void) {
    struct winsize size;
    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40
               ? size.ws_col
               : 100;
}

static bool is_import(const struct command *command) {
    return strcmp(command->name, "import") == 0;
}

static bool is_annotate(const struct command *command) {
    return command->write == annotate_source;
}

static bool set_form(struct request *request, const struct command *command, const char *word) {
    request->export_form = word;
    if (is_import(command))
        return is_import_form(word);
    if (command->write == export_results)
        return is_export_form(word);
    if (command->drawing) {
        request->svg = strcmp(word, "svg") == 0;
        return request->svg || strcmp(word, "text") == 0;
    }
    return print_form_of(word, &request->form) &&
           (request->form != PRINT_ROWS || command->write != diff_results);
}

/* -o x.rows without --format: rows. An ending that is no form says nothing. */
static bool set_form_by_ending(struct request *request, const struct command *command) {
    const char *ending = request->output ? strrchr(request->output, '.') : NULL;
    enum print_form form;
    if (!ending || request->export_form || !command->write || command->write == export_results ||
        is_annotate(command))
        return true;
    bool known = command->drawing ? strcmp(ending, ".svg") == 0 : print_form_of(ending + 1, &form);
    return !known || set_form(request, command, ending + 1) ||
           usage_error(request->diagnostics, command, "%s: this command has no such form", request->output);
}

static bool parse(struct request *request, const struct command *command, char **words, int count,
                  bool *help) {
    const char *value;
    request->inputs = arena_allocate(request->arena, (size_t)count * sizeof *request->inputs);
    request->programs = arena_allocate(request->arena, (size_t)count * sizeof *request->programs);
    for (int at = 2; at < count; at++) {
        const char *word = words[at];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            *help = true;
        } else if (command->by && (value = value_of(word, "--by", words, count, &at))) {
            request->by = value;
            if (!*value)
                return usage_error(request->diagnostics, command, "%s needs titles of columns", "--by");
        } else if (command->force && strcmp(word, "--force") == 0) {
            request->force = true;
        } else if (command->threshold && (value = value_of(word, "--threshold", words, count, &at))) {
            if (!set_threshold(request, command, value))
                return false;
        } else if (command->format && (value = value_of(word, "--format", words, count, &at))) {
            if (!set_form(request, command, value))
                return usage_error(request->diagnostics, command, "--format=%s: there is no such form",
                                   value);
        } else if (is_import(command) && (value = value_of(word, "--program", words, count, &at))) {
            request->program = value;
        } else if (is_annotate(command) && (value = value_of(word, "--file", words, count, &at))) {
            request->program = value;
        } else if (is_annotate(command) && (value = value_of(word, "--source", words, count, &at))) {
            request->source = value;
        } else if (is_annotate(command) && strcmp(word, "--whole") == 0) {
            request->whole = true;
        } else if (command->write == diff_results &&
                   (value = value_of(word, "--program", words, count, &at))) {
            if (!*value)
                return usage_error(request->diagnostics, command, "%s needs a file name", "--program");
            request->programs[request->program_count++] = value;
        } else if (!command->write && !is_import(command) && strcmp(word, "--json") == 0) {
            request->json = true;
        } else if ((command->drawing || command->write == export_results) &&
                   strcmp(word, "--no-demangle") == 0) {
            request->names = NULL;
        } else if ((command->drawing || is_annotate(command)) &&
                   (value = value_of(word, "--report", words, count, &at))) {
            request->report = value;
        } else if (command->drawing && (value = value_of(word, "--display", words, count, &at))) {
            request->display = value;
        } else if (command->drawing && (value = value_of(word, "--top", words, count, &at))) {
            if (!set_number(request, command, "--top", value, 1, 10000, &request->top))
                return false;
        } else if ((command->drawing || is_annotate(command)) &&
                   (value = value_of(word, "--width", words, count, &at))) {
            if (!set_number(request, command, "--width", value, 40, 1000, &request->width))
                return false;
        } else if ((value = value_of(word, "-o", words, count, &at)) ||
                   (value = value_of(word, "--output", words, count, &at))) {
            request->output = value;
            if (!*value)
                return usage_error(request->diagnostics, command, "%s needs a file name", "-o");
        } else if (word[0] == '-' && word[1]) {
            return usage_error(request->diagnostics, command, "there is no option '%s'", word);
        } else {
            request->inputs[request->input_count++] = word;
        }
    }
    if (*help)
        return true;
    if (command->write == diff_results && request->input_count != 2)
        return usage_error(request->diagnostics, command, "%s needs two results", "diff");
    if (is_import(command) && request->input_count != 1)
        return usage_error(request->diagnostics, command, "%s needs one file", "import");
    if (is_import(command) && !request->output)
        return usage_error(request->diagnostics, command, "no folder given: %s", "-o FOLDER");
    if (!set_form_by_ending(request, command))
        return false;
    if (request->input_count == 0)
        return usage_error(request->diagnostics, command, "%s needs files of rows, or folders",
                           command->name);
    if (command->write == export_results && !request->export_form)
        return usage_error(request->diagnostics, command, "no form given: %s",
                           "--format=speedscope, folded, callgrind or lcov");
    if (!command->write && !request->output)
        return usage_error(request->diagnostics, command, "no database given: %s", "-o FILE.sqlite");
    return true;
}

/* What is no regular file, a terminal or a pipe, is written as it is, and so are names of open files. */
static bool is_written_directly(const char *path) {
    struct stat status;
    if (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0)
        return true;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* The file under which the output is written, NULL if that is the output itself. */
static FILE *open_output(const struct request *request, char **temporary, char **real) {
    *temporary = *real = NULL;
    if (!request->output)
        return stdout;
    if (is_written_directly(request->output))
        return fopen(request->output, "a");
    *real = follow_links(request->output);
    *temporary = format_string("%s.XXXXXX", *real);
    int descriptor = create_temporary(*temporary);
    mode_t mask = umask(0);
    umask(mask);
    if (descriptor < 0 || fchmod(descriptor, 0666 & ~mask) != 0)
        return NULL;
    return fdopen(descriptor, "w");
}

/* The output appears whole or not at all. */
static bool write_output(const struct request *request, bool (*command)(const struct request *, FILE *)) {
    char *temporary, *real, *text = NULL;
    size_t size = 0;
    FILE *stream = open_output(request, &temporary, &real);
    bool is_screen = stream && (command == merge_results || command == diff_results) &&
                     request->form == PRINT_TEXT && isatty(fileno(stream));
    FILE *memory = is_screen ? open_memstream(&text, &size) : NULL;
    bool good = stream && command(request, memory ? memory : stream);
    if (memory && fclose(memory) == 0)
        show_on_screen(request, text, stream);
    free(text);
    bool written = stream && fflush(stream) == 0 && !ferror(stream);
    if (stream && stream != stdout)
        written = fclose(stream) == 0 && written;
    if (good && written && temporary) {
        written = rename(temporary, real) == 0;
        if (written)
            keep_file(temporary);
    }
    if (good ? !written : !stream)
        diagnose(request->diagnostics, NULL, MESSAGE_CANNOT_WRITE,
                 request->output ? request->output : "standard output", strerror(errno));
    free(temporary);
    free(real);
    return good && written;
}

int main(int count, char **words) {
    const struct command *command = NULL;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (count > 1 && strcmp(words[1], commands[i].name) == 0)
            command = &commands[i];
    if (!command) {
        fputs("atomc-results: start it as atomc merge, diff, export, chart, annotate, collect or import\n",
              stderr);
        return 1;
    }
    struct request request = {.threshold = 0.1,
                              .top = 20,
                              .width = terminal_width(),
                              .arena = arena_create(),
                              .diagnostics = diagnostics_create()};
    bool help = false;
    request.names = names_create(request.arena);
    if (parse(&request, command, words, count, &help)) {
        if (help)
            fputs(command->help, stdout);
        else if (command->write)
            write_output(&request, command->write);
        else if (is_import(command))
            import_results(&request);
        else
            collect_results(&request);
    }
    int status =
        diagnostics_internal(request.diagnostics) > 0 ? 2 : diagnostics_errors(request.diagnostics) > 0;
    diagnostics_print(request.diagnostics, stderr);
    diagnostics_destroy(request.diagnostics);
    arena_destroy(request.arena);
    return status;
}
