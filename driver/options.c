/* options.c: the command line. Suffixes tell which word is what.
   Requires nothing; reports through diagnostics. */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/json.h"
#include "packages/package/package.h"
#include "support/packages.h"
#include "support/version.h"

static const char help[] =
    "usage: atomc -t NAME PROGRAM [-o OUTPUT]\n"
    "       atomc TOOL.atd [ANALYSIS.c ...] PROGRAM [-o OUTPUT]\n"
    "       atomc run -t NAME [--] PROGRAM [ARGUMENT ...]\n"
    "\n"
    "Instruments an Alpha/Linux program with a tool, and writes the result to OUTPUT (default\n"
    "PROGRAM.atom). Run OUTPUT as you run PROGRAM: it behaves the same, and writes the analysis.\n"
    "atomc run does both, and shows the analysis (atomc run --help).\n"
    "\n"
    "  -t, --tool=NAME      a stock tool; repeat it to apply several tools\n"
    "  -D NAME=VALUE        set a parameter of the tool\n"
    "  -o, --output=FILE    the instrumented program\n"
    "  --objects=all        instrument the program's libraries too\n"
    "  --check              check the tool, its C and its places; write nothing\n"
    "  --stub               print a C file to start with: empty routines, as the tool calls them\n"
    "  -v, --verbose        print statistics\n"
    "\n"
    "  --list               list the stock tools, and those of packages\n"
    "  --help NAME          describe a tool: its parameters and a sample of its output\n"
    "  --help=all           list all options, with ATOM's command line\n"
    "  info [TABLE]         list places, attributes, values, classes and passes\n"
    "  examples [FOLDER]    copy the examples of the documentation to a new folder\n"
    "\n"
    "Exit status: 0 success; 1 an error in the input; 2 an error in atomc itself.\n"
    "Manual: man atomc; docs/language.md.\n";

static const char help_all[] =
    "usage: atomc TOOL.atd [ANALYSIS.c ...] PROGRAM [-o OUTPUT]\n"
    "       atomc -t NAME [-t NAME ...] PROGRAM [-o OUTPUT]\n"
    "       atomc PROGRAM INST.c [ANALYSIS.c ...] [-toolargs=WORDS] [-o OUTPUT]\n"
    "       atomc PROGRAM -tool NAME [-env NAME] [-toolargs=WORDS] [-o OUTPUT]\n"
    "       atomc run ... [--] PROGRAM [ARGUMENT ...] (atomc run --help)\n"
    "       atomc merge|diff|chart|export|collect|import RESULTS ... (each has its own --help)\n"
    "       atomc campaign|package COMMAND ... (the same)\n"
    "       atomc workbench [PROJECT] (atomc workbench --help)\n"
    "       atomc lsp\n"
    "       atomc info [places|attributes|values|classes|displays|passes|words]\n"
    "\n"
    "The arguments may be in any order. Suffixes distinguish tools and C files; the other file is\n"
    "the program. Several tools are applied together. C files and -D belong to the tool before them.\n"
    "\n"
    "Main options:\n"
    "  -t, --tool=NAME      apply a stock tool (see --list)\n"
    "  -e PAGE, -           apply this text, or that of standard input; its tool line may be left out\n"
    "  -D NAME=VALUE        set a parameter of the tool (see --help NAME, --help TOOL.atd)\n"
    "  -D TOOL.NAME=VALUE   the same, at any position\n"
    "  -o, --output=FILE    the instrumented program; default PROGRAM.atom\n"
    "  --check              check the tool and its C; with a program, also the places in it\n"
    "  --stub               print a C file to start with: empty routines, as the tool calls them\n"
    "  --header             print atomc.h, which the tool's C can include\n"
    "  --trust              C of these tools may run inside of atomc, this time (docs/security.md)\n"
    "  --strict             a call that cannot be made is an error, not a warning\n"
    "  --demangle           demangle C++ names of procedures in files, too, not only on terminals\n"
    "  --no-demangle        show symbols, on terminals too\n"
    "  -q, --quiet          the instrumented program does not say on a terminal what files it has\n"
    "                       written\n"
    "\n"
    "Dynamic programs:\n"
    "  --objects=main|all|NAME,...\n"
    "                       instrument the program itself (the default), or also all its\n"
    "                       libraries, or the named objects; plug-ins are named by path\n"
    "  --root=FOLDER        folder with the libraries' folders; default /usr/alpha-linux-gnu, or /\n"
    "\n"
    "Code generation; results do not depend on it:\n"
    "  --call=wrapper|direct|inline\n"
    "                       how analysis routines are called; default: whichever costs least\n"
    "  --copy=all|sparse    copy the whole program, or only procedures with places;\n"
    "                       default: sparse if these are few\n"
    "  --for=hardware|qemu  what is to be cheap: instructions (the default), or time under qemu-alpha,\n"
    "                       where a branch costs as much as seven other instructions; the default of\n"
    "                       `atomc run` where it starts qemu-alpha\n"
    "  --landing=ADDRESS    jumps may go to this instruction, though nothing in the program tells: for\n"
    "                       programs that say \"were not foreseen\"; repeat it for several\n"
    "  --layout=large|tight put what is added where a program of 32 MB of text or more has it;\n"
    "                       tight: inline no calls, as if there were no room for that\n"
    "  --profile=FILE       place counts by what an earlier run counted: the report of prof, pixie or\n"
    "                       branch, written with ATOMC_FORMAT=json; repeat it for several\n"
    "  --stack=own|program  where routines run; default: own, a stack of the analysis side\n"
    "  --without=PASS,...   leave out passes; atomc info passes lists those that are optional\n"
    "\n"
    "Information:\n"
    "  -v, --verbose        print the statistics of the rewrite\n"
    "  --dump=plan          stop after compiling the tool, and print it\n"
    "  --dump=cfg           print the program's procedures, basic blocks and edges\n"
    "  --dump=sites         print each place with the calls made there\n"
    "  --dump=code          print the new code\n"
    "  --dump=map           print the address of each instruction's copy, and its original address\n"
    "  --dump=PASS          print the result of any other pass (atomc info passes lists them)\n"
    "  --dump=instructions  print the program's instructions\n"
    "  --as=FILE.atd        the tool on standard input, -, is what that file will contain: for\n"
    "                       editors\n"
    "  --only=PROCEDURE,... with --dump=procedures, cfg, sites or instructions: of\n"
    "                       these only, by name or an address in it\n"
    "  --json               print JSON (docs/json.md): with --list, --help, info, --check, -v,\n"
    "                       --dump=cfg, --dump=sites and --dump=instructions\n"
    "  --progress=NUMBER    write a line of JSON to that open file for each pass\n"
    "  --cached             with --json: take the instrumented program from the cache of atomc run, or\n"
    "                       keep it there\n"
    "  --list               list the stock tools\n"
    "  --version            print the version\n"
    "  -h, --help           print the short help; with a tool, describe it and its parameters\n"
    "\n"
    "Exit status: 0 success; 1 an error in the input; 2 an error in atomc itself.\n"
    "Manual: man atomc; docs/language.md.\n";

/* ---- stock tools -------------------------------------------------------------------------------------- */

/* The first tool takes the C files and definitions before it: they have an entry already. */
static void add_tool(struct options *options, const char *path) {
    options->tools[options->tool_count++].path = path;
}

static void add_page(struct options *options, const char *path, const char *text, size_t length) {
    add_tool(options, path);
    latest_tool(options)->page = text;
    latest_tool(options)->page_length = length;
}

/* The word `-`. */
static bool add_standard_input(struct options *options, struct diagnostics *diagnostics) {
    size_t length;
    for (uint32_t i = 0; i < options->tool_count; i++)
        if (options->tools[i].page && strcmp(options->tools[i].path, "-") == 0)
            return usage_error(diagnostics, "%s: standard input is one tool", "-");
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
        add_tool(options, path);
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
        add_tool(options, path);
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

bool usage_error(struct diagnostics *diagnostics, const char *text, const char *word) {
    char *message = format_string(text, word);
    diagnose(diagnostics, NULL, MESSAGE_USAGE, message);
    diagnose_hint(diagnostics, "atomc --help");
    free(message);
    return false;
}

/* Below: behind the help of `atomc run`, which has options, too. */
static bool no_such_option(struct options *options, const char *word, struct diagnostics *diagnostics);

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
           usage_error(diagnostics, "--dump=%s: there is no such pass; atomc info passes lists them", stage);
}

/* --without=PASS,...: `all` leaves out every optional pass. */
static bool leave_out(struct options *options, const char *passes, struct diagnostics *diagnostics) {
    for (const char *at = passes;; at++) {
        size_t length = strcspn(at, ",");
        const char *name = arena_string(options->arena, at, length);
        bool found = false;
        for (unsigned i = 0; i < OPTIONAL_PASS_COUNT; i++)
            if (strcmp(name, "all") == 0 || strcmp(name, optional_pass_names[i]) == 0)
                found = options->rewrite.without[i] = true;
        if (!found) {
            usage_error(diagnostics, "--without=%s: there is no such optional pass", name);
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
static bool add_procedures(struct options *options, const char *names, struct diagnostics *diagnostics) {
    for (const char *at = names; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] != '\0'))
        add_to_list(options, &options->only, arena_string(options->arena, at, strcspn(at, ",")));
    return *names ? true : usage_error(diagnostics, "%s needs names of procedures", "--only");
}

/* --landing=ADDRESS: as the instrumented program prints it. */
static bool add_landing(struct options *options, const char *word, struct diagnostics *diagnostics) {
    char *end;
    errno = 0;
    uint64_t address = strtoull(word, &end, 16);
    if (strncmp(word, "0x", 2) != 0 || end == word + 2 || *end || errno)
        return usage_error(diagnostics, "%s needs an address, such as 0x120000470", "--landing");
    uint64_t *landings =
        arena_allocate(options->arena, (options->landing_count + 1) * sizeof *options->landings);
    if (options->landing_count)
        memcpy(landings, options->landings, options->landing_count * sizeof *landings);
    landings[options->landing_count++] = address;
    options->landings = landings;
    return true;
}

static bool set_progress(struct options *options, const char *number, struct diagnostics *diagnostics) {
    char *end;
    long descriptor = strtol(number, &end, 10);
    options->progress_descriptor = (int)descriptor;
    if (*number && !*end && descriptor >= 0 && descriptor < INT_MAX && fcntl((int)descriptor, F_GETFD) != -1)
        return true;
    options->progress_descriptor = -1;
    return usage_error(diagnostics, "--progress=%s: the value is the number of an open file", number);
}

static bool set_stack(struct options *options, const char *where, struct diagnostics *diagnostics) {
    if (strcmp(where, "own") == 0)
        options->rewrite.stack = CALL_STACK_OWN;
    else if (strcmp(where, "program") == 0)
        options->rewrite.stack = CALL_STACK_PROGRAM;
    else
        return usage_error(diagnostics, "--stack=%s: the value is own or program", where);
    return true;
}

static bool set_machine(struct options *options, const char *what, struct diagnostics *diagnostics) {
    options->machine_is_given = true;
    if (strcmp(what, "qemu") == 0)
        options->rewrite.machine = MACHINE_QEMU;
    else if (strcmp(what, "hardware") == 0)
        options->rewrite.machine = MACHINE_HARDWARE;
    else
        return usage_error(diagnostics, "--for=%s: the value is qemu or hardware", what);
    return true;
}

static bool set_layout(struct options *options, const char *which, struct diagnostics *diagnostics) {
    options->rewrite.tight = strcmp(which, "tight") == 0;
    options->rewrite.large = options->rewrite.tight || strcmp(which, "large") == 0;
    return options->rewrite.large ||
           usage_error(diagnostics, "--layout=%s: the value is large or tight", which);
}

static bool set_call(struct options *options, const char *how, struct diagnostics *diagnostics) {
    static const char *const tiers[] = {"automatic", "wrapper", "direct", "inline"};
    for (unsigned i = CALL_AUTOMATIC; i <= CALL_INLINE; i++) {
        if (strcmp(how, tiers[i]) == 0) {
            options->rewrite.call = (enum call_tier)i;
            return true;
        }
    }
    return usage_error(diagnostics, "--call=%s: the value is wrapper, direct, inline or automatic", how);
}

static bool set_copy(struct options *options, const char *what, struct diagnostics *diagnostics) {
    if (strcmp(what, "sparse") == 0)
        options->rewrite.copy = COPY_SPARSE;
    else if (strcmp(what, "all") == 0)
        options->rewrite.copy = COPY_ALL;
    else if (strcmp(what, "auto") == 0)
        options->rewrite.copy = COPY_AUTOMATIC;
    else
        return usage_error(diagnostics, "--copy=%s: the value is all, sparse or auto", what);
    return true;
}

static bool add_definition(struct options *options, const char *text, struct diagnostics *diagnostics) {
    size_t length = strcspn(text, "=");
    if (length == 0 || text[length] == '\0')
        return usage_error(diagnostics, "-D %s: a parameter is set by -D name=value", text);
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

/* The word may have been meant as `-t WORD`; false: no. */
static bool hint_at_stock_tool(const struct options *options, const char *word,
                               struct diagnostics *diagnostics) {
    const char *path = arena_format(options->arena, "%s/%s.atd", tools_directory(), word);
    bool is_one = access(word, F_OK) != 0 && access(path, R_OK) == 0;
    if (is_one)
        diagnose_hint(diagnostics, "-t %s is the stock tool of that name", word);
    return is_one;
}

/* `atomc run PROGRAM -t NAME`: all words behind the program are its own. */
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

static bool add_word(struct options *options, const char *word, struct diagnostics *diagnostics) {
    if (has_suffix(word, ".atd")) {
        add_tool(options, word);
    } else if (names_instrumentation(word)) {
        add_tool(options, word);
        latest_tool(options)->instruments = true;
    } else if (names_code(word)) {
        struct tool_choice *tool = latest_tool(options);
        tool->analysis =
            with_room(options->arena, tool->analysis, tool->analysis_count, sizeof *tool->analysis);
        tool->analysis[tool->analysis_count++] = word;
    } else if (options->program) {
        usage_error(diagnostics, "%s: a second program; one can be instrumented at a time", word);
        if (!hint_at_stock_tool(options, options->program, diagnostics))
            diagnose_hint(diagnostics, "'%s' was taken as the first", options->program);
        return false;
    } else {
        options->program = word;
        options->program_first = latest_tool(options)->analysis_count == 0;
    }
    return true;
}

/* The value of an option given as --name=value, --name value, -x value or -xvalue; NULL if the word
   is another. */
const char *value_of(const char *word, const char *brief, const char *name, char **words, int count,
                     int *at) {
    size_t length = strlen(name);
    if (strncmp(word, name, length) == 0 && word[length] == '=')
        return word + length + 1;
    if (brief && strncmp(word, brief, 2) == 0 && word[1] != '-' && word[2] != '\0')
        return word + 2;
    if (strcmp(word, name) == 0 || (brief && strcmp(word, brief) == 0))
        return *at + 1 < count ? words[++*at] : "";
    return NULL;
}

static bool is(const char *word, const char *brief, const char *name) {
    return strcmp(word, name) == 0 || (brief && strcmp(word, brief) == 0);
}

static bool parse_word(struct options *options, char **words, int count, int *at,
                       struct diagnostics *diagnostics) {
    const char *word = words[*at], *value;
    if (strcmp(word, "-") == 0)
        return add_standard_input(options, diagnostics);
    if (word[0] != '-')
        return add_word(options, word, diagnostics);
    enum atom_word known = parse_atom_word(options, words, count, at, diagnostics);
    if (known != ATOM_WORD_OTHER)
        return known == ATOM_WORD_GOOD;
    if (strcmp(word, "-e") == 0) {
        if (*at + 1 == count)
            return usage_error(diagnostics, "%s needs the text of a tool", "-e");
        const char *page = words[++*at];
        add_page(options, "-e", page, strlen(page));
    } else if (is(word, "-h", "--help")) {
        options->help = true;
    } else if (is(word, NULL, "--help=all")) {
        if (options->document)
            json_object_set_new(options->document, "help", json_text(help_all));
        else
            fputs(help_all, stdout);
        options->done = true;
    } else if (is(word, "-version", "--version")) {
        if (options->document) {
            char build[CACHE_KEY + 1];
            find_build(build);
            json_object_set_new(options->document, "version", json_text(ATOMC_VERSION));
            json_object_set_new(options->document, "build", json_text(build));
        } else {
            puts("atomc " ATOMC_VERSION);
        }
        options->done = true;
    } else if (is(word, NULL, "--list")) {
        list_tools(options);
        options->done = true;
    } else if (is(word, NULL, "--cached")) {
        options->cached = true;
    } else if (is(word, NULL, "--header")) {
        options->header = true;
    } else if (is(word, NULL, "--stub")) {
        options->stub = true;
    } else if (is(word, NULL, "--check")) {
        options->check = true;
    } else if (is(word, "-q", "--quiet")) {
        options->rewrite.quiet = true;
    } else if (is(word, "-v", "--verbose")) {
        options->verbose = true;
    } else if ((value = value_of(word, NULL, "--without", words, count, at))) {
        return leave_out(options, value, diagnostics);
    } else if (is(word, NULL, "--poison")) {
        options->rewrite.poison = true;
    } else if (is(word, NULL, "--trust")) {
        options->trust = true;
    } else if (is(word, NULL, "--strict")) {
        options->rewrite.strict = true;
    } else if ((value = value_of(word, NULL, "--call", words, count, at))) {
        return set_call(options, value, diagnostics);
    } else if ((value = value_of(word, NULL, "--for", words, count, at))) {
        return set_machine(options, value, diagnostics);
    } else if ((value = value_of(word, NULL, "--landing", words, count, at))) {
        return add_landing(options, value, diagnostics);
    } else if ((value = value_of(word, NULL, "--layout", words, count, at))) {
        return set_layout(options, value, diagnostics);
    } else if ((value = value_of(word, NULL, "--copy", words, count, at))) {
        return set_copy(options, value, diagnostics);
    } else if (is(word, NULL, "--demangle")) {
        options->demangle = true;
        options->keep_symbols = false;
    } else if (is(word, NULL, "--no-demangle")) {
        options->demangle = false;
        options->keep_symbols = true;
    } else if ((value = value_of(word, NULL, "--objects", words, count, at))) {
        options->objects_list = value;
        return *value ? true : usage_error(diagnostics, "%s needs main, all or names", "--objects");
    } else if ((value = value_of(word, NULL, "--profile", words, count, at))) {
        add_to_list(options, &options->profiles, value);
        return *value ? true : usage_error(diagnostics, "%s needs a file name", "--profile");
    } else if (is(word, NULL, "--json")) {
        return true; /* options_parse has seen it */
    } else if ((value = value_of(word, NULL, "--only", words, count, at))) {
        return add_procedures(options, value, diagnostics);
    } else if ((value = value_of(word, NULL, "--as", words, count, at))) {
        options->as = value;
        return *value ? true : usage_error(diagnostics, "%s needs the name of a .atd file", "--as");
    } else if ((value = value_of(word, NULL, "--progress", words, count, at))) {
        return set_progress(options, value, diagnostics);
    } else if ((value = value_of(word, NULL, "--root", words, count, at))) {
        options->root = value;
    } else if ((value = value_of(word, NULL, "--stack", words, count, at))) {
        return set_stack(options, value, diagnostics);
    } else if ((value = value_of(word, NULL, "--dump", words, count, at))) {
        return set_dump(options, value, diagnostics);
    } else if ((value = value_of(word, "-D", "--define", words, count, at))) {
        return add_definition(options, value, diagnostics);
    } else if ((value = value_of(word, "-o", "--output", words, count, at))) {
        options->output = value;
        return *value ? true : usage_error(diagnostics, "%s needs a file name", "-o");
    } else if ((value = value_of(word, "-t", "--tool", words, count, at))) {
        return *value ? find_stock_tool(options, value, diagnostics)
                      : usage_error(diagnostics, "%s needs the name of a tool", "-t");
    } else {
        return no_such_option(options, word, diagnostics);
    }
    return true;
}

/* ---- atomc run ---------------------------------------------------------------------------------------- */

static const char run_help[] =
    "usage: atomc run [-t NAME | TOOL.atd | -e PAGE | -] [C files] [options] [--] PROGRAM [ARGUMENT ...]\n"
    "\n"
    "Instruments PROGRAM, an Alpha/Linux program, and runs it: by itself on Alpha, elsewhere by qemu-alpha.\n"
    "Its input, output, arguments, environment and signals are its own; so is the exit status. When it has\n"
    "ended, the tool's reports are shown on standard error. What has been instrumented is kept for the next\n"
    "time, by content, in a folder of at most 1 GB.\n"
    "\n"
    "  -t, --tool=NAME      a stock tool; repeat it to apply several tools\n"
    "  -e PAGE              a tool's text; its tool line may be left out\n"
    "  -                    the same from standard input\n"
    "  -o, --output=FILE    show the reports in FILE, not on standard error\n"
    "  --files              write the reports to files, as the tool names them\n"
    "  --chart              draw them: bars, histograms, trees, as the tool says (display)\n"
    "  --svg=FILE           the same as a picture in SVG\n"
    "  --follow             instrument the Alpha programs that PROGRAM executes, too; then PROGRAM may be\n"
    "                       any program: a shell script, make, ...\n"
    "  -D NAME=VALUE, --objects=..., --root=FOLDER and all others: see atomc --help=all\n"
    "\n"
    "ATOMC_CACHE          the folder for what is kept; empty: nothing is kept; default\n"
    "                     $XDG_CACHE_HOME/atomc, or ~/.cache/atomc\n"
    "ATOMC_CACHE_LIMIT    its size in bytes, or with K, M or G; default 1G\n"
    "ATOMC_QEMU           the emulator and its options; default qemu-alpha\n"
    "ATOMC_SYSROOT        folder of the folders with Alpha's libraries; default /usr/alpha-linux-gnu\n"
    "ATOMC_FORMAT         text, table, csv, json or rows\n"
    "ATOMC_OUT            the folder for files, as by --files\n"
    "\n"
    "Exit status: the program's. Of atomc: 125 an error; 126 PROGRAM is not an Alpha program that can be\n"
    "instrumented; 127 it is not there.\n";

/* The option that was meant, by the words of the help; NULL: none is near. */
static const char *nearest_option(struct options *options, const char *word) {
    const char *names[128];
    size_t count = 0;
    const char *const texts[] = {options->run.asked ? run_help : help_all, help_all};
    for (int i = 0; i < 2; i++)
        for (const char *at = texts[i]; (at = strstr(at, "--")) && count < sizeof names / sizeof names[0];) {
            size_t length = 2 + strspn(at + 2, "abcdefghijklmnopqrstuvwxyz");
            if (length > 2)
                names[count++] = arena_string(options->arena, at, length);
            at += length;
        }
    return nearest_name(arena_string(options->arena, word, strcspn(word, "=")), names, count);
}

static bool no_such_option(struct options *options, const char *word, struct diagnostics *diagnostics) {
    const char *nearest = word[1] == '-' ? nearest_option(options, word) : NULL;
    usage_error(diagnostics, "there is no option '%s'", word);
    if (nearest)
        diagnose_hint(diagnostics, "did you mean '%s'?", nearest);
    return false;
}

/* A file of this name is the program, else a command of that name. With --follow it may be any. */
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

/* False, and not reported: the word is no option for running. */
static bool parse_run_word(struct run_choice *run, char **words, int count, int *at) {
    const char *word = words[*at], *value;
    if (is(word, NULL, "--files"))
        run->files = true;
    else if (is(word, NULL, "--follow"))
        run->follow = true;
    else if (is(word, NULL, "--chart"))
        run->chart = true;
    else if ((value = value_of(word, NULL, "--svg", words, count, at)))
        run->chart = true, run->svg = value;
    else if ((value = value_of(word, "-o", "--output", words, count, at)))
        run->report = value;
    else
        return false;
    return true;
}

static bool names_tool(const char *word) {
    return has_suffix(word, ".atd") || names_instrumentation(word) || names_code(word) ||
           strcmp(word, "-") == 0;
}

static bool run_usage_error(struct diagnostics *diagnostics, const char *text, const char *word) {
    usage_error(diagnostics, text, word);
    diagnose_hint(diagnostics, "atomc run --help");
    return false;
}

/* For others that --follow starts, who have another standard input. */
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

/* The words behind `run`, up to the program: what is behind that is the program's. */
static bool parse_run(struct options *options, char **words, int count, struct diagnostics *diagnostics) {
    static const char *const begin[] = {"atomc", "run", "--follow"};
    struct run_choice *run = &options->run;
    bool good = true;
    int at = 2;
    run->asked = options->rewrite.run = true;
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        add_to_list(options, &run->again, begin[i]);
    for (; at < count && !options->done && strcmp(words[at], "--") != 0; at++) {
        if (words[at][0] != '-' && !names_tool(words[at]))
            break;
        if (is(words[at], "-h", "--help")) {
            fputs(run_help, stdout);
            options->done = true;
        } else if (!parse_run_word(run, words, count, &at)) {
            int first = at;
            good &= parse_word(options, words, count, &at, diagnostics);
            for (int k = first; k <= at && k < count; k++)
                add_to_list(options, &run->words, words[k]);
            add_again(options, words, first, at < count ? at : count - 1);
        }
    }
    if (options->done || !good)
        return good;
    if (!options->machine_is_given && launch_is_emulated()) {
        options->rewrite.machine = MACHINE_QEMU;
        add_to_list(options, &run->words, "--for=qemu"); /* for others, another program is kept */
    }
    if (run->report && !*run->report)
        return run_usage_error(diagnostics, "%s needs a file name", "-o");
    if (run->report && run->files)
        return run_usage_error(diagnostics, "-o and --files are two places for one report%s", "");
    if (run->chart && (run->files || run->follow))
        return run_usage_error(diagnostics, "--chart and --svg do not go with %s",
                               run->files ? "--files" : "--follow");
    if (run->follow && run->files)
        return run_usage_error(diagnostics,
                               "--files: all that --follow instruments would write the same files: %s",
                               "set ATOMC_OUT=FOLDER/%p");
    if (options->check || options->dump != DUMP_NONE || options->header || options->stub || options->document)
        return run_usage_error(diagnostics, "atomc run runs a program: %s",
                               "--check, --dump, --header, --stub and --json are for atomc alone");
    at += at < count && strcmp(words[at], "--") == 0;
    if (at == count && !run->followed)
        return run_usage_error(diagnostics, "no program given%s", "");
    run->arguments = &words[at];
    if (!check_atom_words(options, diagnostics))
        return false;
    if (!options->tool_count) {
        run_usage_error(diagnostics, "no tool given: %s", "a .atd file, -t NAME, or -e PAGE");
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

/* If there is no program but an object file, the object file was probably meant as the program; C, too, if it
   was given to a stock tool. */
static bool no_program(const struct options *options, struct diagnostics *diagnostics) {
    const struct tool_choice *tool = latest_tool(options);
    for (uint32_t i = tool->analysis_count; i-- > 0;)
        if (is_relocatable(tool->analysis[i])) {
            diagnose(diagnostics, NULL, MESSAGE_PROGRAM_RELOCATABLE, tool->analysis[i]);
            diagnose_hint(diagnostics, "alpha-linux-gnu-gcc -static -Wl,--no-relax %s links it",
                          tool->analysis[i]);
            return false;
        }
    usage_error(diagnostics, "no program given%s", "");
    if (tool->analysis_count && tool->is_stock) {
        const char *source = tool->analysis[tool->analysis_count - 1];
        diagnose_hint(diagnostics,
                      "%s was taken as analysis code; programs are compiled first: "
                      "alpha-linux-gnu-gcc -static -Wl,--no-relax %s -o %.*s",
                      source, source, (int)(strrchr(source, '.') - source), source);
    }
    return false;
}

static bool same_file(const char *path, const char *other) {
    struct stat status, other_status;
    return path && stat(path, &status) == 0 && stat(other, &other_status) == 0 &&
           status.st_dev == other_status.st_dev && status.st_ino == other_status.st_ino;
}

/* What the output would overwrite, or NULL. The analysis code is all known only when the tool has been read.
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
    struct stat status; /* the output appears by a rename: that would put a file in the place of a device */
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

/* Without a description, C that follows the program instruments it: ATOM's own order, PROGRAM INST.c
 * ANAL.c... */
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
    return usage_error(diagnostics, "--as=%s needs its text, from standard input: -", options->as);
}

/* The word that stands for the program may have been meant for something else. */
static bool no_tool(const struct options *options, struct diagnostics *diagnostics) {
    const char *word = options->program;
    if (!word || access(word, F_OK) == 0 || strchr(word, '/'))
        return usage_error(diagnostics, "no tool given: %s", "a .atd file, or -t NAME");
    usage_error(diagnostics, "no tool given, and there is no file '%s'", word);
    if (!hint_at_stock_tool(options, word, diagnostics) &&
        (strcmp(word, "list") == 0 || strcmp(word, "help") == 0 || strcmp(word, "version") == 0))
        diagnose_hint(diagnostics, "did you mean 'atomc --%s'?", word);
    return false;
}

static bool complete(struct options *options, struct diagnostics *diagnostics) {
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
        return usage_error(diagnostics,
                           "--only=%s... chooses what --dump=procedures, cfg, instructions or sites print",
                           options->only.list[0]);
    if (options->document && options->dump != DUMP_NONE && !by_procedure && !of_program)
        return usage_error(
            diagnostics, "--dump=%s has no JSON: program, procedures, cfg, instructions and sites have",
            options->dump == DUMP_PASS ? options->rewrite.last_pass->name : dump_words[options->dump]);
    if (options->document && (options->header || options->stub))
        return usage_error(diagnostics, "%s prints C, which has no JSON",
                           options->header ? "--header" : "--stub");
    bool program_alone = of_program && !options->tool_count;
    if (!options->tool_count && !program_alone)
        return no_tool(options, diagnostics);
    if (options->header || options->stub)
        return true;
    if (options->check && options->dump >= DUMP_PASS)
        return usage_error(diagnostics, "--check stops before there is any code: %s", "leave it out");
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

bool options_parse(struct options *options, int count, char **words, struct diagnostics *diagnostics) {
    if (!add_described_words(options, &count, &words, diagnostics))
        return false;
    options->tools = arena_allocate(options->arena, ((size_t)count + 1) * sizeof *options->tools);
    options->definitions = arena_allocate(options->arena, ((size_t)count + 1) * sizeof *options->definitions);
    bool good = true;
    options->progress_descriptor = -1;
    for (int at = 1; at < count && !options->document; at++) /* errors in what stands before it are in it */
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
        int tables = 0;
        for (int at = 2; at < count; at++)
            if (strcmp(words[at], "--json") != 0)
                words[2 + tables++] = words[at];
        return info_print(options, words + 2, tables, diagnostics);
    }
    for (int at = 1; at < count && !options->done; at++) {
        const char *program = options->program, *output = options->output;
        int first = at;
        good &= parse_word(options, words, count, &at, diagnostics);
        bool is_choice = program == options->program && output == options->output &&
                         strncmp(words[first], "--progress", strlen("--progress")) != 0;
        for (int k = first; is_choice && k <= at && k < count; k++)
            add_to_list(options, &options->run.words, words[k]);
    }
    if (options->done || !good)
        return good;
    if (options->cached && (!options->document || options->check || options->dump != DUMP_NONE))
        return usage_error(diagnostics, "--cached: %s",
                           "with --json, a program can be taken from the cache, where it is instrumented");
    if (options->help) {
        if (!options->tool_count && options->program)
            return find_stock_tool(options, options->program, diagnostics);
        if (!options->tool_count && options->document)
            json_object_set_new(options->document, "help", json_text(help));
        else if (!options->tool_count)
            fputs(help, stdout);
        options->done = !options->tool_count;
        return true;
    }
    return complete(options, diagnostics);
}
