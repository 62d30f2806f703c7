/* options.c: the command line. Words are distinguished by their suffixes. Reports errors through
   diagnostics. */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codegen/machines.h"
#include "driver/json.h"
#include "packages/package/package.h"
#include "support/packages.h"
#include "support/version.h"

/* ---- stock tools -------------------------------------------------------------------------------------- */

/* The first tool takes the C files and definitions before it: they have an entry already. */
static void add_tool_option(struct options *options, const char *path) {
    options->tools[options->tool_count++].path = path;
}

static void add_page(struct options *options, const char *path, const char *text, size_t length) {
    add_tool_option(options, path);
    latest_tool(options)->page = text;
    latest_tool(options)->page_length = length;
}

/* The word `-`. */
static bool add_standard_input(struct options *options, struct diagnostics *diagnostics) {
    size_t length;
    for (uint32_t i = 0; i < options->tool_count; i++)
        if (options->tools[i].page && strcmp(options->tools[i].path, "-") == 0)
            return usage_error(diagnostics, COMMAND_ATOMC, "%s: standard input is one tool", "-");
    char *text = arena_read_file(options->arena, "/dev/stdin", &length);
    if (!text)
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_READ, "standard input", strerror(errno));
    else
        add_page(options, "-", text, length);
    return text != NULL;
}

struct tool_choice *latest_tool(const struct options *options) {
    return &options->tools[options->tool_count ? options->tool_count - 1 : 0];
}

/* PACKAGE/TOOL */
static bool find_package_tool(struct options *options, const char *name, struct diagnostics *diagnostics) {
    const char *slash = strchr(name, '/');
    const char *package = arena_string(options->arena, name, (size_t)(slash - name));
    char *folder = package_find(package, packages_directory());
    if (!folder) {
        diagnose(diagnostics, NULL, MESSAGE_NO_PACKAGE, package);
        diagnose_hint(diagnostics, "atomc package list");
        return false;
    }
    const char *path = arena_format(options->arena, "%s/%s.atd", folder, slash + 1);
    bool good = !strchr(slash + 1, '/') && access(path, R_OK) == 0;
    if (good && !package_is_for_this(folder, diagnostics)) {
        good = false;
    } else if (good) {
        add_tool_option(options, path);
        latest_tool(options)->package = arena_string(options->arena, folder, strlen(folder));
    } else {
        diagnose(diagnostics, NULL, MESSAGE_NO_PACKAGE_TOOL, package, slash + 1);
    }
    free(folder);
    return good;
}

bool find_stock_tool(struct options *options, const char *name, struct diagnostics *diagnostics) {
    const char *slash = strchr(name, '/');
    if (slash && is_package_name(arena_string(options->arena, name, (size_t)(slash - name))))
        return find_package_tool(options, name, diagnostics);
    const char *path = arena_format(options->arena, "%s/%s.atd", tools_directory(), name);
    if (!slash && access(path, R_OK) == 0) {
        add_tool_option(options, path);
        latest_tool(options)->is_stock = true;
        return true;
    }
    diagnose(diagnostics, NULL, MESSAGE_NO_SUCH_TOOL, name);
    struct dirent **entries = NULL;
    int count = scandir(tools_directory(), &entries, is_tool_file, alphasort);
    const char **names = allocate((size_t)(count > 0 ? count : 1) * sizeof *names);
    for (int i = 0; i < count; i++) {
        names[i] = arena_string(options->arena, entries[i]->d_name, strlen(entries[i]->d_name) - 4);
        free(entries[i]);
    }
    free(entries);
    const char *nearest = nearest_name(name, names, count > 0 ? (size_t)count : 0);
    const char *instead = instead_of_tool(name);
    if (count <= 0)
        diagnose_hint(diagnostics, "there are none at %s; %s", tools_directory(), lone_hint);
    else if (instead)
        diagnose_hint(diagnostics, "%s", instead);
    else if (nearest)
        diagnose_hint(diagnostics, "did you mean '%s'?", nearest);
    else if (has_suffix(name, ".atd"))
        diagnose_hint(diagnostics, "-t takes a name: a file is given without -t, a stock tool without .atd");
    else
        diagnose_hint(diagnostics, "atomc --list lists them");
    free(names);
    return false;
}

/* ---- words -------------------------------------------------------------------------------------------- */

void add_to_list(struct options *options, struct word_list *words, const char *word) {
    const char **longer = arena_allocate(options->arena, ((size_t)words->count + 2) * sizeof *longer);
    if (words->count)
        memcpy(longer, words->list, words->count * sizeof *longer);
    longer[words->count++] = word;
    words->list = longer;
}

const char *const dump_words[DUMP_COUNT] = {
    [DUMP_TOOL] = "tool",   [DUMP_ANALYSIS] = "analysis",         [DUMP_PLAN] = "plan",
    [DUMP_SITES] = "sites", [DUMP_PROGRAM] = "program",           [DUMP_CFG] = "cfg",
    [DUMP_MAP] = "map",     [DUMP_INSTRUCTIONS] = "instructions", [DUMP_PROCEDURES] = "procedures"};

static bool set_dump(struct options *options, const char *stage, struct diagnostics *diagnostics) {
    options->rewrite.last_pass = rewrite_pass_named(stage);
    options->dump = options->rewrite.last_pass ? DUMP_PASS : DUMP_NONE;
    for (unsigned i = 0; i < DUMP_COUNT; i++)
        if (dump_words[i] && strcmp(stage, dump_words[i]) == 0)
            options->dump = (enum dump)i;
    options->rewrite.print_map = options->dump == DUMP_MAP;
    return options->dump != DUMP_NONE ||
           usage_error(diagnostics, COMMAND_ATOMC,
                       "--dump=%s: there is no such pass; atomc info passes lists them", stage);
}

/* --without=PASS,...: `all` leaves out every optional pass. */
static bool leave_out_passes(struct options *options, const char *passes, struct diagnostics *diagnostics) {
    for (const char *at = passes;; at++) {
        size_t length = strcspn(at, ",");
        const char *name = arena_string(options->arena, at, length);
        bool found = false;
        for (unsigned i = 0; i < OPTIONAL_PASS_COUNT; i++)
            if (strcmp(name, "all") == 0 || strcmp(name, optional_pass_names[i]) == 0)
                found = options->rewrite.without[i] = true;
        if (!found) {
            usage_error(diagnostics, COMMAND_ATOMC, "--without=%s: there is no such optional pass", name);
            const char *nearest = nearest_name(name, optional_pass_names, OPTIONAL_PASS_COUNT);
            if (nearest)
                diagnose_hint(diagnostics, "did you mean '%s'?", nearest);
            else
                diagnose_hint(diagnostics, "atomc info passes lists them");
            return false;
        }
        at += length;
        if (!*at)
            return true;
    }
}

/* --only=PROCEDURE,...; repeated, they add up. */
static void add_procedures(struct options *options, const char *names) {
    for (const char *at = names; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] != '\0'))
        add_to_list(options, &options->only, arena_string(options->arena, at, strcspn(at, ",")));
}

/* ADDRESS: as the instrumented program prints it. */
static bool add_landing(struct options *options, const char *word, struct diagnostics *diagnostics) {
    char *end;
    errno = 0;
    uint64_t address = strtoull(word, &end, 16);
    if (strncmp(word, "0x", 2) != 0 || end == word + 2 || *end || errno)
        return usage_error(diagnostics, COMMAND_ATOMC, "%s needs an address, such as 0x120000470",
                           "--landing");
    uint64_t *landings =
        arena_allocate(options->arena, (options->landing_count + 1) * sizeof *options->landings);
    if (options->landing_count)
        memcpy(landings, options->landings, options->landing_count * sizeof *landings);
    landings[options->landing_count++] = address;
    options->landings = landings;
    return true;
}

static bool add_option_definition(struct options *options, const char *text,
                                  struct diagnostics *diagnostics) {
    size_t length = strcspn(text, "=");
    if (length == 0 || text[length] == '\0')
        return usage_error(diagnostics, COMMAND_ATOMC, "-D %s: a parameter is set by -D name=value", text);
    struct parameter_definition definition = {arena_string(options->arena, text, length), text + length + 1};
    const char *dot = memchr(text, '.', length);
    if (dot) {
        definition.name += dot + 1 - text;
        options->definitions[options->definition_count++] =
            (struct tool_definition){arena_string(options->arena, text, (size_t)(dot - text)), definition};
    } else {
        struct tool_choice *tool = latest_tool(options);
        tool->definitions =
            with_room(options->arena, tool->definitions, tool->definition_count, sizeof *tool->definitions);
        tool->definitions[tool->definition_count++] = definition;
    }
    return true;
}

/* A source, an object file or an archive. */
static bool names_code(const char *word) {
    return is_c_source(word) || is_cplusplus_source(word) || has_suffix(word, ".o") || has_suffix(word, ".a");
}

static bool names_instrumentation(const char *word) {
    static const char middle[] = ".inst";
    const char *dot = strrchr(word, '.');
    size_t length = sizeof middle - 1;
    return dot && names_code(word) && (size_t)(dot - word) > length &&
           strncmp(dot - length, middle, length) == 0;
}

/* The word may have been meant as `-t WORD`; returns false if not. */
static bool hint_at_stock_tool(const struct options *options, const char *word,
                               struct diagnostics *diagnostics) {
    const char *path = arena_format(options->arena, "%s/%s.atd", tools_directory(), word);
    bool is_one = access(word, F_OK) != 0 && access(path, R_OK) == 0;
    if (is_one)
        diagnose_hint(diagnostics, "-t %s is the stock tool of that name", word);
    return is_one;
}

/* `atomc run PROGRAM -t NAME`: all words after the program are its own. */
static void hint_at_order(char **words, int count, struct diagnostics *diagnostics) {
    for (int i = 1; i < count; i++) {
        bool brief = strncmp(words[i], "-t", 2) == 0 || strcmp(words[i], "-e") == 0;
        bool apart = brief && !words[i][2] && i + 1 < count;
        if (!brief && strncmp(words[i], "--tool", 6) != 0 && !has_suffix(words[i], ".atd"))
            continue;
        diagnose_hint(diagnostics, "the tool stands before the program: atomc run %s%s%s %s", words[i],
                      apart ? " " : "", apart ? words[i + 1] : "", words[0]);
        return;
    }
}

static bool read_option_word(struct options *options, const char *word, struct diagnostics *diagnostics) {
    if (has_suffix(word, ".atd")) {
        add_tool_option(options, word);
    } else if (names_instrumentation(word)) {
        add_tool_option(options, word);
        latest_tool(options)->instruments = true;
    } else if (names_code(word)) {
        struct tool_choice *tool = latest_tool(options);
        tool->analysis =
            with_room(options->arena, tool->analysis, tool->analysis_count, sizeof *tool->analysis);
        tool->analysis[tool->analysis_count++] = word;
    } else if (options->program) {
        usage_error(diagnostics, COMMAND_ATOMC, "%s: a second program; one can be instrumented at a time",
                    word);
        if (!hint_at_stock_tool(options, options->program, diagnostics))
            diagnose_hint(diagnostics, "'%s' was taken as the first", options->program);
        return false;
    } else {
        options->program = word;
        options->program_first = latest_tool(options)->analysis_count == 0;
    }
    return true;
}

static void print_help_all(const struct options *options, enum command_id command) {
    char *text = NULL;
    size_t size;
    FILE *stream = options->document ? open_memstream(&text, &size) : stdout;
    print_help(command, stream);
    if (!options->document)
        return;
    fclose(stream);
    json_object_set_new(options->document, "help", json_text(text));
    free(text);
}

static void print_version(const struct options *options) {
    if (options->document) {
        char build[CACHE_KEY + 1];
        find_build(build);
        json_object_set_new(options->document, "version", json_text(ATOMC_VERSION));
        json_object_set_new(options->document, "build", json_text(build));
    } else {
        puts("atomc " ATOMC_VERSION);
    }
}

/* Options that print something and end atomc. Returns false for other options. */
static bool print_at_once(struct options *options, enum option_id option) {
    if (option == OPTION_HELP_ALL)
        print_help_all(options, COMMAND_ATOMC);
    else if (option == OPTION_HELP_OPTIONS)
        print_options(stdout);
    else if (option == OPTION_VERSION)
        print_version(options);
    else if (option == OPTION_LIST)
        list_tools(options);
    else
        return false;
    return options->done = true;
}

/* Returns false for other options. */
static bool set_flag(struct options *options, enum option_id option) {
    bool *const flags[OPTION_COUNT] = {
        [OPTION_CACHED] = &options->cached,
        [OPTION_HEADER] = &options->header,
        [OPTION_STUB] = &options->stub,
        [OPTION_CHECK] = &options->check,
        [OPTION_QUIET] = &options->rewrite.quiet,
        [OPTION_VERBOSE] = &options->verbose,
        [OPTION_POISON] = &options->rewrite.poison,
        [OPTION_TRUST] = &options->trust,
        [OPTION_STRICT] = &options->rewrite.strict,
        [OPTION_HELP] = &options->help,
        [OPTION_FILES] = &options->run.files,
        [OPTION_FOLLOW] = &options->run.follow,
        [OPTION_DRAW] = &options->run.chart,
    };
    if (flags[option])
        *flags[option] = true;
    return flags[option] != NULL;
}

/* Returns false for other options. */
static bool set_text_option(struct options *options, enum option_id option, const char *value) {
    const char **const texts[OPTION_COUNT] = {
        [OPTION_OBJECTS] = &options->objects_list,
        [OPTION_AS] = &options->as,
        [OPTION_ROOT] = &options->root,
        [OPTION_OUTPUT] = &options->output,
        [OPTION_SVG] = &options->run.svg,
        [OPTION_REPORT] = &options->run.report,
    };
    if (texts[option])
        *texts[option] = value;
    options->run.chart |= option == OPTION_SVG;
    return texts[option] != NULL;
}

/* Options for how code is made. Returns false for other options. */
static bool set_choice(struct options *options, enum option_id option, uint32_t choice) {
    /* Sorted in the order of options.def. */
    static const enum call_tier tiers[] = {CALL_WRAPPER, CALL_DIRECT, CALL_INLINE, CALL_AUTOMATIC};
    if (option == OPTION_CALL) {
        options->rewrite.call = tiers[choice];
    } else if (option == OPTION_COPY) {
        options->rewrite.copy = choice == 0 ? COPY_ALL : choice == 1 ? COPY_SPARSE : COPY_AUTOMATIC;
    } else if (option == OPTION_FOR) {
        options->rewrite.machine = choice == 0 ? MACHINE_QEMU : MACHINE_HARDWARE;
        options->machine_is_given = true;
    } else if (option == OPTION_LAYOUT) {
        options->rewrite.large = true;
        options->rewrite.tight = choice == 1;
    } else if (option == OPTION_STACK) {
        options->rewrite.stack = choice == 0 ? CALL_STACK_OWN : CALL_STACK_PROGRAM;
    } else {
        return false;
    }
    return true;
}

/* Handles one word, with its value. Returns false after an error. */
static bool set_option(struct options *options, struct option_reader *reader, enum option_id option,
                       struct diagnostics *diagnostics) {
    const char *value = reader->value;
    if (print_at_once(options, option) || set_flag(options, option) ||
        set_text_option(options, option, value) || set_choice(options, option, reader->choice))
        return true;
    switch ((int)option) {
    case OPTION_WORD:
        return strcmp(reader->word, "-") == 0 ? add_standard_input(options, diagnostics)
                                              : read_option_word(options, reader->word, diagnostics);
    case OPTION_WRONG:
        return false;
    case OPTION_TOOL:
        return find_stock_tool(options, value, diagnostics);
    case OPTION_PAGE:
        add_page(options, "-e", value, strlen(value));
        return true;
    case OPTION_DEFINE:
        return add_option_definition(options, value, diagnostics);
    case OPTION_LANDING:
        return add_landing(options, value, diagnostics);
    case OPTION_WITHOUT:
        return leave_out_passes(options, value, diagnostics);
    case OPTION_DUMP:
        return set_dump(options, value, diagnostics);
    case OPTION_PROFILE:
        add_to_list(options, &options->profiles, value);
        return true;
    case OPTION_ONLY:
        add_procedures(options, value);
        return true;
    case OPTION_PROGRESS:
        options->progress_descriptor = (int)reader->number;
        return true;
    case OPTION_DEMANGLE:
    case OPTION_NO_DEMANGLE:
        options->demangle = option == OPTION_DEMANGLE;
        options->keep_symbols = !options->demangle;
        return true;
    case OPTION_JSON:
        return true; /* options_parse has handled it */
    default:
        return set_atom_option(options, reader, option, diagnostics);
    }
}

/* ---- atomc run ---------------------------------------------------------------------------------------- */

/* If a file of this name exists, it is the program, else the command of that name. With --follow the program
   may be any file. */
static bool find_program(struct options *options, const char *word, struct diagnostics *diagnostics) {
    struct run_choice *run = &options->run;
    if (run->followed) {
        options->program = run->path = run->followed->path;
        run->arguments = run->followed->arguments;
        return true;
    }
    char *path = access(word, F_OK) == 0 ? duplicate_string(word) : find_command(word);
    if (path)
        run->path = arena_string(options->arena, path, strlen(path));
    else
        diagnose(diagnostics, NULL, MESSAGE_PROGRAM_CANNOT_OPEN, word, strerror(errno));
    run->not_found = !path;
    free(path);
    options->program = run->follow ? NULL : run->path;
    options->check = run->follow; /* the tool is checked once, before anything runs */
    return run->path != NULL;
}

bool names_tool(const char *word) {
    return has_suffix(word, ".atd") || names_instrumentation(word) || names_code(word) ||
           strcmp(word, "-") == 0;
}

int own_words(int count, char **words) {
    bool is_run = count > 1 && strcmp(words[1], "run") == 0;
    struct option_reader reader = {
        .command = is_run ? COMMAND_RUN : COMMAND_ATOMC, .words = words, .count = count, .at = 1 + is_run};
    while (is_run && reader.at < count && strcmp(words[reader.at], "--") != 0)
        if (next_option(&reader) == OPTION_WORD && !names_tool(reader.word))
            return reader.at - 1;
    return is_run ? reader.at : count;
}

/* For programs that --follow starts, whose standard input differs. */
static void add_again(struct options *options, char **words, int first, int last) {
    struct word_list *again = &options->run.again;
    if (strcmp(words[first], "-") != 0) {
        for (int k = first; k <= last; k++)
            add_to_list(options, again, words[k]);
    } else if (options->tool_count > 0 && latest_tool(options)->page) {
        add_to_list(options, again, "-e");
        add_to_list(options, again, latest_tool(options)->page);
    }
}

static bool is_of_run(enum option_id option) {
    return option == OPTION_FILES || option == OPTION_FOLLOW || option == OPTION_DRAW ||
           option == OPTION_SVG || option == OPTION_REPORT;
}

/* The words after `run`, up to the program: the words after that are the program's. */
static bool parse_run(struct options *options, char **words, int count, struct diagnostics *diagnostics) {
    static const char *const begin[] = {"atomc", "run", "--follow"};
    struct run_choice *run = &options->run;
    struct option_reader reader = {
        .command = COMMAND_RUN, .words = words, .count = count, .at = 2, .diagnostics = diagnostics};
    bool good = true;
    run->asked = options->rewrite.run = true;
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        add_to_list(options, &run->again, begin[i]);
    while (reader.at < count && !options->done && strcmp(words[reader.at], "--") != 0) {
        int first = reader.at;
        if (words[first][0] != '-' && !names_tool(words[first]))
            break;
        enum option_id option = next_option(&reader);
        good &= set_option(options, &reader, option, diagnostics);
        if (options->help) {
            print_help(COMMAND_RUN, stdout);
            options->done = true;
        }
        if (is_of_run(option) || options->done)
            continue;
        for (int k = first; k < reader.at; k++)
            add_to_list(options, &run->words, words[k]);
        add_again(options, words, first, reader.at - 1);
    }
    int at = reader.at;
    if (options->done || !good)
        return good;
    if (!options->machine_is_given && launch_is_emulated(run->path)) {
        options->rewrite.machine = MACHINE_QEMU;
        add_to_list(options, &run->words, "--for=qemu"); /* programs with different values are cached
                                                            separately */
    }
    if (run->report && run->files)
        return usage_error(diagnostics, COMMAND_RUN, "-o and --files are two places for one report%s", "");
    if (run->chart && (run->files || run->follow))
        return usage_error(diagnostics, COMMAND_RUN, "--chart and --svg do not go with %s",
                           run->files ? "--files" : "--follow");
    if (run->follow && run->files)
        return usage_error(diagnostics, COMMAND_RUN,
                           "--files: all that --follow instruments would write the same files: %s",
                           "set ATOMC_OUT=FOLDER/%p");
    if (options->check || options->dump != DUMP_NONE || options->header || options->stub || options->document)
        return usage_error(diagnostics, COMMAND_RUN, "atomc run runs a program: %s",
                           "--check, --dump, --header, --stub and --json are for atomc alone");
    at += at < count && strcmp(words[at], "--") == 0;
    if (at == count && !run->followed)
        return usage_error(diagnostics, COMMAND_RUN, "no program given%s", "");
    run->arguments = &words[at];
    if (!check_atom_words(options, diagnostics))
        return false;
    if (!options->tool_count) {
        usage_error(diagnostics, COMMAND_RUN, "no tool given: %s", "a .atd file, -t NAME, or -e PAGE");
        if (!hint_at_stock_tool(options, words[at], diagnostics))
            hint_at_order(&words[at], count - at, diagnostics);
        return false;
    }
    return find_program(options, words[at], diagnostics);
}

static bool is_relocatable(const char *path) {
    Elf64_Ehdr header;
    FILE *file = fopen(path, "rb");
    bool read = file && fread(&header, sizeof header, 1, file) == 1;
    if (file)
        fclose(file);
    return read && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_type == ET_REL;
}

/* If there is no program but an object file, the object file was probably meant as the program. The same
   holds for a C file given to a stock tool. */
static bool no_program(const struct options *options, struct diagnostics *diagnostics) {
    const struct tool_choice *tool = latest_tool(options);
    for (uint32_t i = tool->analysis_count; i-- > 0;)
        if (is_relocatable(tool->analysis[i])) {
            diagnose(diagnostics, NULL, MESSAGE_PROGRAM_RELOCATABLE, tool->analysis[i]);
            const struct machine_names *machine = machine_of_program(tool->analysis[i]);
            diagnose_hint(diagnostics, "%s-gcc %s %s links it", machine->triple, machine->static_options,
                          tool->analysis[i]);
            return false;
        }
    usage_error(diagnostics, COMMAND_ATOMC, "no program given%s", "");
    if (tool->analysis_count && tool->is_stock) {
        const char *source = tool->analysis[tool->analysis_count - 1];
        diagnose_hint(diagnostics,
                      "%s was taken as analysis code; programs are compiled first: "
                      "%s-gcc %s %s -o %.*s",
                      source, usual_machine()->triple, usual_machine()->static_options, source,
                      (int)(strrchr(source, '.') - source), source);
    }
    return false;
}

static bool same_file(const char *path, const char *other) {
    struct stat status, other_status;
    return path && stat(path, &status) == 0 && stat(other, &other_status) == 0 &&
           status.st_dev == other_status.st_dev && status.st_ino == other_status.st_ino;
}

/* The input that the output would overwrite, or NULL. The analysis code is known completely only when the
   tool has been read.
 */
static const char *replaced_input(const struct options *options, const char *output) {
    if (same_file(options->program, output))
        return "the program";
    for (uint32_t i = 0; i < options->tool_count; i++)
        if (same_file(options->tools[i].path, output))
            return "the tool";
    return NULL;
}

bool output_check(const struct options *options, const char *output, struct diagnostics *diagnostics) {
    struct stat status; /* the output is renamed to its name, which would replace a device by a file */
    if (stat(output, &status) == 0 && !S_ISREG(status.st_mode)) {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, output,
                 S_ISDIR(status.st_mode) ? "it is a folder" : "not a regular file");
        diagnose_hint(diagnostics, "-o names the file of the instrumented program");
        return false;
    }
    const char *input = replaced_input(options, output);
    if (!input)
        return true;
    diagnose(diagnostics, NULL, MESSAGE_OUTPUT_IS_INPUT, output, input);
    diagnose_hint(diagnostics, "-o names another file; without -o it is PROGRAM.atom");
    return false;
}

/* If there is no description, C that follows the program instruments it: ATOM's own order, PROGRAM INST.c
   ANAL.c... */
static void find_instrumentation(struct options *options) {
    struct tool_choice *choice = options->tools;
    if (options->tool_count || choice->analysis_count == 0 || !options->program_first)
        return;
    choice->path = choice->analysis[0];
    choice->instruments = true;
    choice->analysis++;
    choice->analysis_count--;
    options->tool_count = 1;
}

/* --as: standard input has the text of that file. */
static bool name_standard_input(struct options *options, struct diagnostics *diagnostics) {
    for (uint32_t i = 0; i < options->tool_count; i++)
        if (options->tools[i].page && strcmp(options->tools[i].path, "-") == 0) {
            options->tools[i].path = options->as;
            options->tools[i].is_text_of_file = true;
            return true;
        }
    return usage_error(diagnostics, COMMAND_ATOMC, "--as=%s needs its text, from standard input: -",
                       options->as);
}

/* The word that was taken as the program may have been meant as something else. */
static bool no_tool(const struct options *options, struct diagnostics *diagnostics) {
    const char *word = options->program;
    if (!word || access(word, F_OK) == 0 || strchr(word, '/'))
        return usage_error(diagnostics, COMMAND_ATOMC, "no tool given: %s", "a .atd file, or -t NAME");
    usage_error(diagnostics, COMMAND_ATOMC, "no tool given, and there is no file '%s'", word);
    if (!hint_at_stock_tool(options, word, diagnostics) &&
        (strcmp(word, "list") == 0 || strcmp(word, "help") == 0 || strcmp(word, "version") == 0))
        diagnose_hint(diagnostics, "did you mean 'atomc --%s'?", word);
    return false;
}

static bool complete_options(struct options *options, struct diagnostics *diagnostics) {
    if (options->as && !name_standard_input(options, diagnostics))
        return false;
    find_instrumentation(options);
    if (!check_atom_words(options, diagnostics))
        return false;
    bool of_procedures =
        options->dump == DUMP_PROCEDURES || options->dump == DUMP_CFG || options->dump == DUMP_INSTRUCTIONS;
    bool of_program = options->dump == DUMP_PROGRAM || of_procedures;
    bool by_procedure = of_procedures || options->dump == DUMP_SITES;
    if (options->only.count && !by_procedure)
        return usage_error(diagnostics, COMMAND_ATOMC,
                           "--only=%s... chooses what --dump=procedures, cfg, instructions or sites print",
                           options->only.list[0]);
    if (options->document && options->dump != DUMP_NONE && !by_procedure && !of_program)
        return usage_error(diagnostics, COMMAND_ATOMC,
                           "--dump=%s has no JSON: program, procedures, cfg, instructions and sites have",
                           options->dump == DUMP_PASS ? options->rewrite.last_pass->name
                                                      : dump_words[options->dump]);
    if (options->document && (options->header || options->stub))
        return usage_error(diagnostics, COMMAND_ATOMC, "%s prints C, which has no JSON",
                           options->header ? "--header" : "--stub");
    bool program_alone = of_program && !options->tool_count;
    if (!options->tool_count && !program_alone)
        return no_tool(options, diagnostics);
    if (options->header || options->stub)
        return true;
    if (options->check && options->dump >= DUMP_PASS)
        return usage_error(diagnostics, COMMAND_ATOMC, "--check stops before there is any code: %s",
                           "leave it out");
    options->check |= options->dump != DUMP_NONE && options->dump <= DUMP_PLAN && !options->program;
    if (!options->program && (!options->check || options->dump > DUMP_PLAN))
        return no_program(options, diagnostics);
    if (of_program)
        options->tool_count = 0;
    if (options->check || options->dump != DUMP_NONE)
        return true;
    if (!options->output)
        options->output = arena_format(options->arena, "%s.%s", options->program,
                                       options->atom_tool ? options->atom_tool : "atom");
    return output_check(options, options->output, diagnostics);
}

/* The words after `info`. */
static bool parse_info(struct options *options, char **words, int count, struct diagnostics *diagnostics) {
    struct option_reader reader = {
        .command = COMMAND_INFO, .words = words, .count = count, .at = 2, .diagnostics = diagnostics};
    int tables = 0;
    for (enum option_id option; (option = next_option(&reader)) != OPTION_END;) {
        if (option == OPTION_HELP)
            print_help(COMMAND_INFO, stdout);
        if (option == OPTION_HELP || option == OPTION_WRONG)
            return option == OPTION_HELP;
        if (option == OPTION_WORD)
            words[2 + tables++] = words[reader.at - 1];
    }
    return info_print(options, words + 2, tables, diagnostics);
}

bool options_parse(struct options *options, int count, char **words, struct diagnostics *diagnostics) {
    if (!add_described_words(options, &count, &words, diagnostics))
        return false;
    options->tools = arena_allocate(options->arena, ((size_t)count + 1) * sizeof *options->tools);
    options->definitions = arena_allocate(options->arena, ((size_t)count + 1) * sizeof *options->definitions);
    bool good = true;
    options->progress_descriptor = -1;
    int own = own_words(count, words);
    for (int at = 1; at < own && !options->document;
         at++) /* so that errors in earlier words are in the document */
        if (strcmp(words[at], "--json") == 0)
            options->document = json_object();
    if (count > 1 && strcmp(words[1], "run") == 0)
        return parse_run(options, words, count, diagnostics);
    if (count > 1 && strcmp(words[1], "examples") == 0) {
        options->done = true;
        return examples_copy(options, words + 2, count - 2, diagnostics);
    }
    if (count > 1 && strcmp(words[1], "info") == 0) {
        options->done = true;
        return parse_info(options, words, count, diagnostics);
    }
    struct option_reader reader = {
        .command = COMMAND_ATOMC, .words = words, .count = count, .at = 1, .diagnostics = diagnostics};
    while (reader.at < count && !options->done) {
        const char *program = options->program, *output = options->output;
        int first = reader.at;
        enum option_id option = next_option(&reader);
        good &= option == OPTION_END || set_option(options, &reader, option, diagnostics);
        bool is_choice =
            program == options->program && output == options->output && option != OPTION_PROGRESS;
        for (int k = first; is_choice && k < reader.at; k++)
            add_to_list(options, &options->run.words, words[k]);
    }
    if (options->done || !good)
        return good;
    if (options->cached && (!options->document || options->check || options->dump != DUMP_NONE))
        return usage_error(diagnostics, COMMAND_ATOMC, "--cached: %s",
                           "with --json, a program can be taken from the cache, where it is instrumented");
    if (options->help) {
        if (!options->tool_count && options->program)
            return find_stock_tool(options, options->program, diagnostics);
        if (!options->tool_count)
            print_help_all(options, COMMAND_BRIEF);
        options->done = !options->tool_count;
        return true;
    }
    return complete_options(options, diagnostics);
}
