/* driver.h: the command line and the report of a run; main.c is the list of passes. */
#ifndef ATOMC_DRIVER_H
#define ATOMC_DRIVER_H

#include <dirent.h>
#include <string.h>

#include "compiler/compiler.h"
#include "engine/engine.h"
#include "atom/atom.h"
#include "runs/run/runner.h"
#include "support/options.h"

/* The pass after which a result is printed; in the order of their requirements: none, a program, code.
   DUMP_PASS: a pass of the rewrite, options.rewrite.last_pass. */
enum dump {
    DUMP_NONE,
    DUMP_TOOL,
    DUMP_ANALYSIS,
    DUMP_PLAN,
    DUMP_SITES,
    DUMP_PROGRAM,
    DUMP_CFG,
    DUMP_PROCEDURES,
    DUMP_INSTRUCTIONS,
    DUMP_PASS,
    DUMP_MAP,
    DUMP_COUNT
};
extern const char *const dump_words[DUMP_COUNT]; /* NULL: not one of the driver's */

/* The command line's words for one tool. C files and -D belong to the preceding tool; words before the first
   tool belong to the first tool. */
struct tool_choice {
    const char *path; /* path of the .atd file, or of the C that instruments in ATOM's interface; "-e" and
                         "-": .page */
    const char *page; /* text from the command line (-e) or standard input (-); NULL: the tool is a file */
    size_t page_length;
    bool is_text_of_file; /* the page is the unsaved text of the file, --as */
    bool instruments;     /* the latter */
    bool is_stock;        /* chosen by its name */
    const char *package;  /* directory of its package; NULL: none */
    const char *name;     /* for a tool of ATOM: the name from -tool; NULL: the name of the file */
    const char *words;    /* -toolargs; NULL: none */
    const char **more;    /* further files that instrument */
    uint32_t more_count;
    const char *const *link_words;     /* words for linking these; NULL: none; NULL-terminated */
    const char *const *analysis_words; /* and words for linking the analysis code */
    const char **analysis;             /* C files, objects and archives of the command line */
    uint32_t analysis_count;
    struct parameter_definition *definitions; /* -D */
    uint32_t definition_count;
};

/* -D TOOL.NAME=VALUE */
struct tool_definition {
    const char *tool;
    struct parameter_definition definition;
};

/* Words of other commands; NULL after the last. list NULL: none. */
struct word_list {
    const char **list;
    uint32_t count;
};

/* atomc run */
struct run_choice {
    bool asked;
    bool not_found;     /* no program has this name */
    bool files;         /* --files: reports are written to the files that the tool names */
    bool follow;        /* --follow */
    bool chart;         /* --chart, --svg */
    const char *svg;    /* --svg=FILE, NULL: not given */
    const char *report; /* -o, NULL: standard error */
    char **arguments;   /* words of the program, its own name first; NULL: none given */
    const char *path;   /* of the program */
    /* for the atomc that replaces a followed program: the same words, but - is replaced by -e and the text */
    struct word_list again;
    const struct followed *followed; /* the program for which atomc was executed; NULL: the user executed
                                        atomc */
    /* the options and tools: all words except words for running; without `run` also without the output */
    struct word_list words;
};

struct options {
    struct tool_choice *tools; /* in the order of the command line; the array has room for one more */
    uint32_t tool_count;
    struct tool_definition *definitions; /* arguments that name their tool */
    uint32_t definition_count;
    const char *atom_tool, *environment;   /* -tool, -env; NULL: not given */
    const struct description *description; /* description of -tool; NULL: none */
    struct word_list to_instrumentation, to_analysis, to_its_linker,
        to_analysis_linker;           /* -I -L -Wci -Wca -Wli -Wla */
    struct word_list library_folders; /* -L */
    struct word_list profiles;        /* --profile */
    uint64_t *landings;               /* --landing: addresses */
    uint32_t landing_count;
    const char **objects; /* objects of -incobj and -excobj */
    bool *includes;       /* -incobj */
    uint32_t object_count;
    bool excludes_program;      /* -excobj */
    bool program_first;         /* no C was given before it */
    const char *objects_list;   /* --objects; NULL: the tools' needs decide ... */
    const char *needed_objects; /* ... NULL: the program only */
    const char *root;           /* --root, NULL: the usual one */
    const char *program;        /* path of the Alpha program; NULL: not given */
    const char *output;         /* -o, or made from the program's name */
    enum dump dump;
    bool demangle;     /* --demangle */
    bool keep_symbols; /* --no-demangle */
    bool cached;       /* --cached */
    bool trust;        /* --trust */
    bool check;        /* --check: stops before instrumenting; no program is needed */
    bool header;       /* --header, --stub: prints one for each tool, and ends */
    bool stub;
    bool help;               /* --help: of the tool, if one is given */
    bool verbose;            /* -v */
    struct json_t *document; /* --json: the document that is printed at the end; NULL: text is printed */
    struct word_list only;   /* --only: names of procedures to print; empty: all */
    const char *as;          /* --as, NULL: not given */
    int progress_descriptor; /* --progress; -1: not given */
    struct run_choice run;
    bool done; /* --help, --version, --list: the text was printed, and atomc ends */
    struct rewrite_options rewrite;
    bool machine_is_given; /* --for */
    struct arena *arena;
};

/* The file that describes a tool of ATOM's kind. */
struct description {
    const char *path;
    const char **instrumentation, **analysis; /* paths */
    uint32_t instrumentation_count, analysis_count;
    const char **link_words, **analysis_words;    /* INST_LDFLAGS, ANAL_LDFLAGS; NULL at the end */
    const char **default_words, **required_words; /* ATOM_DEF, ATOM_REQ */
};

/* ---- list.c ---- */

void list_tools(const struct options *options);
int is_tool_file(const struct dirent *entry);

/* ---- other_tools.c ---- */

/* The stock tool for the purpose of a tool from elsewhere; NULL if the name is unknown. */
const char *instead_of_tool(const char *name);

/* ---- options.c ---- */

/* Returns false after an error. */
bool options_parse(struct options *options, int count, char **words, struct diagnostics *diagnostics);
/* Checks that the output may have this name. Reports an error otherwise. */
bool output_check(const struct options *options, const char *output, struct diagnostics *diagnostics);
/* The tool to which the following C files and -D belong. */
struct tool_choice *latest_tool(const struct options *options);
/* Returns false after an error: there is no tool of that name. */
bool find_stock_tool(struct options *options, const char *name, struct diagnostics *diagnostics);
void add_to_list(struct options *options, struct word_list *words, const char *word);
/* True if the word, which is no option, is a tool or code of one. */
bool names_tool(const char *word);
/* The number of words before the words of the program that atomc run starts. */
int own_words(int count, char **words);
static inline bool has_suffix(const char *word, const char *suffix) {
    size_t length = strlen(word), end = strlen(suffix);
    return length > end && strcmp(word + length - end, suffix) == 0;
}
/* The array with room for one more; it doubles. */
static inline void *with_room(struct arena *arena, const void *array, uint32_t count, size_t size) {
    if (count & (count - 1))
        return (void *)(uintptr_t)array;
    void *larger = arena_allocate(arena, (count ? 2 * (size_t)count : 1) * size);
    return count ? memcpy(larger, array, count * size) : larger;
}

/* ---- atom_words.c: the options of ATOM's command ---- */

/* An option of ATOM's command, with its value. Returns false after an error. */
bool set_atom_option(struct options *options, struct option_reader *reader, enum option_id option,
                     struct diagnostics *diagnostics);
/* Called after all words are known. Returns false after an error. */
bool check_atom_words(struct options *options, struct diagnostics *diagnostics);
/* Adds the words of -tool's description before and after the others. Returns false after an error. */
bool add_described_words(struct options *options, int *count, char ***words, struct diagnostics *diagnostics);

/* ---- objects.c ---- */

/* Opens the libraries that are to be instrumented. Returns false after an error. */
bool objects_read(struct options *options, struct program *program, struct diagnostics *diagnostics);

/* ---- description.c ---- */

/* Words with quotes as a shell has them; NULL at the end. */
const char **split_words(struct arena *arena, const char *text, uint32_t *count);
/* Finds and reads NAME.desc or NAME.ENV.desc in the built-in directory and the directories of ATOMTOOLPATH;
 *result is NULL if there is none. Returns false after an error. */
bool description_read(const char *name, const char *environment, struct arena *arena,
                      struct diagnostics *diagnostics, const struct description **description);

/* ---- directories.c ---- */

/* The reason why a file of atomc may be missing at its path. */
extern const char lone_hint[];
/* Directory of the stock tools or of the runtime: beside the executable in a build tree, under the prefix
   once installed. */
const char *tools_directory(void);
const char *runtime_directory(void);
const char *packages_directory(void); /* of installed packages */
/* The program that executes a command which is not atomc's own: "results", "job", "workbench". */
const char *program_of(const char *command);
/* The directory whose contents atomc examples copies. */
const char *examples_directory(void);
const char *gallery_directory(void);
/* The directory of the headers of ATOM's interface. */
const char *include_directory(void);

/* ---- examples.c ---- */

/* atomc examples: `words` are the words after it. Reports errors and returns false. */
bool examples_copy(struct options *options, char **words, int count, struct diagnostics *diagnostics);

/* ---- main.c ---- */

void passes_print(void); /* atomc info passes */
struct json_t *passes_json(void);

/* ---- info.c ---- */

/* Prints the tables that the names select, or all tables if there are no names, or adds them to the document.
   Returns false after an error. */
bool info_print(const struct options *options, char *const *names, int count,
                struct diagnostics *diagnostics);
const char *info_place_help(enum plan_place place);
/* A place that is an event, with the words before it. */
enum { INFO_EVENT_TIMES = 3 };
struct info_event {
    const char *word, *when[INFO_EVENT_TIMES], *help;
};
extern const struct info_event info_signal;
extern const char *const info_words[]; /* the language's own words; NULL after the last */
const char *info_class_help(enum instruction_class class);
/* The names of the registers of a set, in `text`. */
const char *info_register_names(const struct architecture *architecture, register_set set, char *text,
                                size_t size);
/* The tool's description and its parameters: --help TOOL.atd. */
/* `tool` NULL: the file has a tool of ATOM's kind. */
void info_print_tool(const struct tool *tool, const char *path, FILE *stream);

/* ---- tools.c: the tools that are applied together ---- */

/* A tool on its way to a plan. */
struct applied_tool {
    const struct tool_choice *choice;
    struct tool *tool;
    const char *prefix;   /* prefix of its names among other tools; unique */
    bool is_wrong;        /* it was reported to the user, or will be reported */
    const char **sources; /* its analysis code, each file once */
    uint32_t source_count;
    const char *object; /* the linked code of all tools, with prefixed symbols; NULL: there is one tool, or no
                           analysis code */
    struct prototypes *prototypes;
    struct atom_library *instrumentation; /* for a tool of ATOM's kind: its code, loaded */
    struct atom_library **libraries;      /* library of the C files that its expressions use */
    struct prototypes **used;             /* theirs */
    struct plan *plan;
};
struct applied_tools {
    const struct options *options;
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct applied_tool *list;
    uint32_t count;
    struct plan *merged;     /* merged plan, if there are several */
    const struct plan *plan; /* plans of all tools, once they are compiled */
    const char *code_key;    /* find_code_key() */
    bool code_key_is_known;
    bool large; /* they are applied to a large program, where analysis code has another address */
    const struct machine_names *machine; /* of the program; NULL: there is none */
};

/* Each function returns false after an error. */
bool tools_parse(struct applied_tools *tools);
/* Finds the analysis code of each. */
bool tools_list_sources(struct applied_tools *tools);
/* True if the runtime alone is the analysis image. */
bool tools_have_no_code(const struct applied_tools *tools);
/* Writes the preprocessed text of each C file to a file below the temporary directory; `each` gets its
   path. Returns false, without a report, if that is impossible. */
bool tools_preprocess(struct applied_tools *tools, const char *directory, void (*each)(void *, const char *),
                      void *context);
/* Writes the headers that the tools' C includes; folders[] receives the folder of each tool's header, or
   NULL. */
bool tools_write_headers(struct applied_tools *tools, const char *directory, const char **folders);
/* The image with all tools' analysis code; *image is NULL if --check does not need it. */
bool tools_build(struct applied_tools *tools, const char **image);
/* The C functions that expressions use, compiled for this machine, and loaded where they can be called. */
bool tools_load(struct applied_tools *tools);
/* --header, --stub */
bool tools_print(struct applied_tools *tools, FILE *stream);
bool tools_compile(struct applied_tools *tools, const char *image);
/* Runs the instrumentation code in C, which examines the program. */
bool tools_instrument(struct applied_tools *tools, const struct analysis_image *analysis);
void tools_destroy(struct applied_tools *tools);

/* ---- key.c ---- */

/* The key under which the instrumented program is cached. Returns false if there is no key, because not all
   inputs are known. */
bool find_key(struct applied_tools *tools, const struct program *program, char key[CACHE_KEY + 1]);
/* The same for the compiled analysis code; NULL: none. */
const char *find_code_key(struct applied_tools *tools);
/* The version of atomc and its runtime. */
void find_build(char text[CACHE_KEY + 1]);
/* A digest of a tool: its page, the files that it includes, and its C. Returns false if not all of it can
   be read. */
bool tool_digest(const struct applied_tool *applied, struct arena *arena, char text[CACHE_KEY + 1],
                 struct word_list *files);

/* ---- kept_code.c ---- */

/* Fetches analysis code that was compiled before from the cache of `atomc run`. Returns false if the cache
   does not have it. Prints the compiler's messages again. */
bool find_kept_code(struct applied_tools *tools, const char *image);
/* Stores it, with the compiler's messages. */
void keep_code(struct applied_tools *tools, const char *image, const char *said);

/* ---- run.c: atomc run ---- */

/* The state of `atomc run` for a program. */
struct run {
    struct cache cache;
    struct diagnostics *said;   /* about the cache */
    struct descriptors *before; /* the descriptors that atomc was started with */
    int folder;                 /* directory of the program; -1: atomc was started in it */
    bool has_key;
    char key[CACHE_KEY + 1];
    int instrumented; /* the instrumented file; -1: not made yet */
    char *linker;     /* the dynamic linker that the program names; NULL: it is static */
    /* messages of the cached instrumentation; NULL: the file has just been made, and its messages are still
       to be printed */
    char *messages;
};
void run_begin(struct run *run, const struct followed *followed);
/* Searches the cache: if it has the instrumented program, ->instrumented is its file. */
void run_find(struct run *run, struct applied_tools *tools, const struct program *program);
/* Writes it. Returns false after an error. */
bool run_write(struct run *run, const struct rewrite *rewrite, struct diagnostics *diagnostics);
/* --cached: the output from the cache, with the document that was printed when it was made. Returns false
   after an error. */
bool run_copy_kept(struct run *run, struct options *options, struct diagnostics *diagnostics);
/* Keeps the output, and the document. */
void run_keep_output(struct run *run, const struct options *options);
/* --follow: the same, before anything is instrumented. */
int run_follow(struct run *run, const struct options *options, struct diagnostics *diagnostics);
/* A followed program that cannot be instrumented runs unchanged. */
int run_plain(struct run *run, const struct options *options, struct diagnostics *diagnostics);
/* This process becomes the program; returns an exit status if this fails. */
/* charted.c: false in the child, which becomes the program; true when the program has ended and its results
   are drawn.
 */
bool run_apart(const struct run_choice *choice, struct diagnostics *diagnostics, int *status);
int run_program(struct run *run, const struct options *options, struct diagnostics *diagnostics);
void run_end(struct run *run);

/* ---- statistics.c ---- */

/* Progress on standard error, if it is a terminal and the run takes more than a second. */
void progress(const char *pass);
/* Also prints a line of JSON for each of `count` passes. */
void progress_to(int descriptor, unsigned passes);
void progress_end(void);
void statistics_print(const struct rewrite *rewrite, const struct sites *sites, const char *output,
                      FILE *stream);

#endif
