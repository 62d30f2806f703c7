/* main.c: the command line of atomc-results, which atomc merge, diff, export, annotate and collect start.
   Exit status as atomc's: 0, 1 for the user's errors, 2 for ours. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runs/results/results.h"
#include "support/demangle.h"
#include "support/options.h"

/* Inputs other than these make a database, or a folder. */
static bool (*const writers[COMMAND_COUNT])(const struct request *request, FILE *stream) = {
    [COMMAND_MERGE] = merge_results, [COMMAND_DIFF] = diff_results,        [COMMAND_EXPORT] = export_results,
    [COMMAND_CHART] = chart_results, [COMMAND_ANNOTATE] = annotate_source,
};

/* The width of the terminal, if standard output is one. */
static uint32_t terminal_width(void) {
    struct winsize size;
    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40
               ? size.ws_col
               : 100;
}

static bool set_form(struct request *request, enum command_id command, const char *word) {
    request->export_form = word;
    if (command == COMMAND_IMPORT)
        return is_import_form(word);
    if (command == COMMAND_EXPORT)
        return is_export_form(word);
    if (command == COMMAND_CHART) {
        request->svg = strcmp(word, "svg") == 0;
        return request->svg || strcmp(word, "text") == 0;
    }
    return print_form_of(word, &request->form) && (request->form <= PRINT_JSON || command != COMMAND_DIFF);
}

/* -o x.rows without --format: rows. An ending that is not a format is ignored. */
static bool set_form_by_ending(struct request *request, enum command_id command) {
    const char *ending = request->output ? strrchr(request->output, '.') : NULL;
    enum print_form form;
    if (!ending || request->export_form ||
        (command != COMMAND_MERGE && command != COMMAND_DIFF && command != COMMAND_CHART))
        return true;
    bool known = command == COMMAND_CHART ? strcmp(ending, ".svg") == 0 : print_form_of(ending + 1, &form);
    return !known || set_form(request, command, ending + 1) ||
           usage_error(request->diagnostics, command, "%s: this command has no such form", request->output);
}

/* Returns false after an error. */
static bool set_results_option(struct request *request, const struct option_reader *reader,
                               enum option_id option) {
    const char **const texts[OPTION_COUNT] = {
        [OPTION_BY] = &request->by,
        [OPTION_OF] = &request->of,
        [OPTION_MEASURED] = &request->program,
        [OPTION_PART_OF_FILE] = &request->program,
        [OPTION_SOURCE] = &request->source,
        [OPTION_ONE_REPORT] = &request->report,
        [OPTION_DISPLAY] = &request->display,
        [OPTION_RESULT] = &request->output,
    };
    if (texts[option])
        *texts[option] = reader->value;
    else if (option == OPTION_WORD)
        request->inputs[request->input_count++] = reader->word;
    else if (option == OPTION_ALLOW)
        request->allowed[request->allowed_count++] = reader->value;
    else if (option == OPTION_BUILD)
        request->programs[request->program_count++] = reader->value;
    else if (option == OPTION_FORM)
        return set_form(request, reader->command, reader->value) ||
               usage_error(request->diagnostics, reader->command, "--format=%s: there is no such format",
                           reader->value);
    else if (option == OPTION_SYMBOLS)
        request->names = NULL;
    else if (option == OPTION_TOP)
        request->top = (uint32_t)reader->number;
    else if (option == OPTION_WIDTH)
        request->width = (uint32_t)reader->number;
    else if (option == OPTION_THRESHOLD)
        request->threshold = reader->number;
    else if (option == OPTION_FAIL_ABOVE)
        request->fail_above = reader->number;
    request->has_fail_above |= option == OPTION_FAIL_ABOVE;
    request->has_threshold |= option == OPTION_THRESHOLD;
    request->force |= option == OPTION_FORCE;
    request->whole |= option == OPTION_WHOLE;
    request->json |= option == OPTION_RUN_NUMBERS;
    return option != OPTION_WRONG;
}

/* False after an error: something that the command needs is not given. */
static bool is_complete(struct request *request, enum command_id command) {
    if (command == COMMAND_DIFF && request->input_count != 2)
        return usage_error(request->diagnostics, command, "%s needs two results", "diff");
    if (command == COMMAND_IMPORT && request->input_count != 1)
        return usage_error(request->diagnostics, command, "%s needs one file", "import");
    if (command == COMMAND_IMPORT && !request->output)
        return usage_error(request->diagnostics, command, "no folder given: %s", "-o FOLDER");
    if (request->input_count == 0)
        return usage_error(request->diagnostics, command, "%s needs files of rows, or folders",
                           command_name(command));
    if (command == COMMAND_EXPORT && !request->export_form)
        return usage_error(request->diagnostics, command, "no form given: %s",
                           "--format=html, speedscope, folded, trace, pprof, callgrind, gmon or lcov");
    if (command == COMMAND_COLLECT && !request->output)
        return usage_error(request->diagnostics, command, "no database given: %s", "-o FILE.sqlite");
    return true;
}

static bool parse_results_words(struct request *request, enum command_id command, char **words, int count,
                                bool *help) {
    struct option_reader reader = {
        .command = command, .words = words, .count = count, .at = 2, .diagnostics = request->diagnostics};
    request->inputs = arena_allocate(request->arena, (size_t)count * sizeof *request->inputs);
    request->allowed = arena_allocate(request->arena, (size_t)count * sizeof *request->allowed);
    request->programs = arena_allocate(request->arena, (size_t)count * sizeof *request->programs);
    for (enum option_id option; (option = next_option(&reader)) != OPTION_END;) {
        *help |= option == OPTION_HELP;
        if (!set_results_option(request, &reader, option))
            return false;
    }
    return *help || (is_complete(request, command) && set_form_by_ending(request, command));
}

/* The output appears whole or not at all. */
static bool write_command_output(const struct request *request,
                                 bool (*command)(const struct request *, FILE *)) {
    struct output_file output;
    char *text = NULL;
    size_t size = 0;
    if (!output_open(&output, request->output, request->diagnostics))
        return false;
    bool is_screen = (command == merge_results || command == diff_results) && request->form == PRINT_TEXT &&
                     isatty(fileno(output.stream));
    FILE *memory = is_screen ? open_memstream(&text, &size) : NULL;
    bool good = command(request, memory ? memory : output.stream);
    if (memory && fclose(memory) == 0)
        show_on_screen(request, text, output.stream);
    free(text);
    return output_close(&output, good, request->diagnostics) && good;
}

int main(int count, char **words) {
    enum command_id command = command_named(count > 1 ? words[1] : "");
    if (command == COMMAND_COUNT || !command_program(command) ||
        strcmp(command_program(command), "results") != 0) {
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
    request.names = demangled_names_create(request.arena, request.arena);
    if (parse_results_words(&request, command, words, count, &help)) {
        if (help)
            print_help(command, stdout);
        else if (writers[command])
            write_command_output(&request, writers[command]);
        else if (command == COMMAND_IMPORT)
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
