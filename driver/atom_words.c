/* atom_words.c: the options of ATOM's command: -tool and -env with their descriptions, -toolargs, -heapbase,
   -incobj, -excobj, and those that mean nothing here. Requires options; which objects there are is known
   later (objects.c). */
#include <stdlib.h>
#include <unistd.h>

#include "driver/driver.h"

/* ---- -tool -------------------------------------------------------------------------------------------- */

/* The value of a word that is given once, and goes into *value. */
static bool find_value(int count, char **words, const char *name, const char **value,
                       struct diagnostics *diagnostics) {
    for (int at = 1; at < count; at++) {
        const char *found = value_of(words[at], NULL, name, words, count, &at);
        if (!found)
            continue;
        if (*value || !*found)
            return usage_error(diagnostics, *value ? "%s is given twice" : "%s needs a name", name);
        *value = found;
    }
    return true;
}

static int add_words(struct arena *arena, char **all, int next, const char *const *words) {
    for (int i = 0; words && words[i]; i++)
        all[next++] = arena_string(arena, words[i], strlen(words[i]));
    return next;
}

static int count_words(const char *const *words) {
    int count = 0;
    while (words && words[count])
        count++;
    return count;
}

/* Defaults go before the command line's own words, what is required behind: the last counts. */
static char **around(struct arena *arena, char **words, int *count, const struct description *description) {
    size_t total = (size_t)*count + (size_t)count_words(description->default_words) +
                   (size_t)count_words(description->required_words);
    char **all = arena_allocate(arena, (total + 1) * sizeof *all);
    all[0] = words[0];
    int next = add_words(arena, all, 1, description->default_words);
    for (int i = 1; i < *count; i++)
        all[next++] = words[i];
    *count = add_words(arena, all, next, description->required_words);
    all[*count] = NULL;
    return all;
}

bool add_described_words(struct options *options, int *count, char ***words,
                         struct diagnostics *diagnostics) {
    if (!find_value(*count, *words, "-tool", &options->atom_tool, diagnostics) ||
        !find_value(*count, *words, "-env", &options->environment, diagnostics))
        return false;
    if (!options->atom_tool)
        return options->environment ? usage_error(diagnostics, "%s needs -tool", "-env") : true;
    if (!description_read(options->atom_tool, options->environment, options->arena, diagnostics,
                          &options->description))
        return false;
    if (options->description)
        *words = around(options->arena, *words, count, options->description);
    return true;
}

/* The environments that DEC shipped its tools with: stock tools need none for threads. */
static bool is_for_threads(const char *tool, const char *environment) {
    return strcmp(environment, "threads") == 0 &&
           (strcmp(tool, "hiprof") == 0 || strcmp(tool, "pixie") == 0 || strcmp(tool, "third") == 0);
}

/* Without a description it may be a stock tool. */
static bool add_other_tool(struct options *options, struct diagnostics *diagnostics) {
    const char *name = options->atom_tool, *environment = options->environment;
    const char *path = arena_format(options->arena, "%s/%s.atd", tools_directory(), name);
    if ((!environment || is_for_threads(name, environment)) && !strchr(name, '/') && access(path, R_OK) == 0)
        return find_stock_tool(options, name, diagnostics);
    diagnose(diagnostics, NULL, MESSAGE_NO_ATOM_TOOL, name,
             environment ? arena_format(options->arena, "%s.%s.desc", name, environment)
                         : arena_format(options->arena, "%s.desc", name));
    return false;
}

static bool add_atom_tool(struct options *options, struct diagnostics *diagnostics) {
    const struct description *description = options->description;
    if (!description)
        return add_other_tool(options, diagnostics);
    struct tool_choice *choice = &options->tools[options->tool_count++];
    choice->path = description->instrumentation[0];
    choice->name = options->atom_tool;
    choice->instruments = true;
    choice->more = description->instrumentation + 1;
    choice->more_count = description->instrumentation_count - 1;
    choice->link_words = description->link_words;
    choice->analysis_words = description->analysis_words;
    for (uint32_t i = 0; i < description->analysis_count; i++) {
        choice->analysis =
            with_room(options->arena, choice->analysis, choice->analysis_count, sizeof *choice->analysis);
        choice->analysis[choice->analysis_count++] = description->analysis[i];
    }
    return true;
}

/* ---- objects and the heap ------------------------------------------------------------------------------- */

static void add_object(struct options *options, const char *name, bool includes) {
    uint32_t count = options->object_count++;
    options->objects = with_room(options->arena, options->objects, count, sizeof *options->objects);
    options->includes = with_room(options->arena, options->includes, count, sizeof *options->includes);
    options->objects[count] = name;
    options->includes[count] = includes;
}

bool check_atom_words(struct options *options, struct diagnostics *diagnostics) {
    bool instruments = false;
    for (uint32_t i = 0; i < options->tool_count; i++)
        instruments |= options->tools[i].instruments;
    if (options->object_count == 0 || instruments)
        return true;
    return usage_error(diagnostics, "%s is for instrumentation code in C",
                       options->includes[0] ? "-incobj" : "-excobj");
}

static bool set_heap(struct options *options, const char *value, struct diagnostics *diagnostics) {
    char *end;
    uint64_t address = strtoull(value, &end, 16);
    options->rewrite.heap_at_end = strcmp(value, "progend") == 0;
    options->rewrite.heap = options->rewrite.heap_at_end ? 0 : address;
    if (!options->rewrite.heap_at_end && (end == value || *end || address == 0))
        return usage_error(diagnostics, "-heapbase %s: the value is a hexadecimal address or progend", value);
    return true;
}

/* ---- words ---------------------------------------------------------------------------------------------- */

static enum atom_word result(bool good) {
    return good ? ATOM_WORD_GOOD : ATOM_WORD_WRONG;
}

static bool is_among(const char *word, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* What is about DEC's files, or is done here anyway; some have a value. */
static bool has_no_effect(char **words, int count, int *at) {
    static const char *const plain[] = {"-g",  "-debug",   "-w0",   "-w1",    "-w2",
                                        "-A0", "-A1",      "-O0",   "-O1",    "-O2",
                                        "-O",  "-pthread", "-fork", "-Xfork", "-Xthreads"};
    static const char *const valued[] = {"-suffix", "-shlibdir", "-Xdata"};
    if (is_among(words[*at], plain, sizeof plain / sizeof plain[0]))
        return true;
    for (size_t i = 0; i < sizeof valued / sizeof valued[0]; i++)
        if (value_of(words[*at], NULL, valued[i], words, count, at))
            return true;
    return false;
}

/* ---- words for compilers and linkers --------------------------------------------------------------------- */

/* -Wca,WORD,WORD... and the like. */
static bool pass_list_on(struct options *options, const char *word) {
    const struct {
        const char *name;
        struct word_list *words;
        bool to_linker;
    } lists[] = {{"-Wci,", &options->to_instrumentation, false},
                 {"-Wca,", &options->to_analysis, false},
                 {"-Wli,", &options->to_its_linker, true},
                 {"-Wla,", &options->to_analysis_linker, true}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (strncmp(word, lists[i].name, strlen(lists[i].name)) != 0)
            continue;
        for (const char *at = word + strlen(lists[i].name); *at;) {
            size_t length = strcspn(at, ",");
            if (length && lists[i].to_linker) /* which is run by the compiler */
                add_to_list(options, lists[i].words, "-Xlinker");
            if (length)
                add_to_list(options, lists[i].words, arena_string(options->arena, at, length));
            at += length + (at[length] == ',');
        }
        return true;
    }
    return false;
}

/* -I and -L, with the folder in the same word or in the next. */
static bool pass_folder_on(struct options *options, char **words, int count, int *at) {
    const char *word = words[*at];
    bool headers = strncmp(word, "-I", 2) == 0;
    if (!headers && strncmp(word, "-L", 2) != 0)
        return false;
    const char *folder = word[2] ? word + 2 : *at + 1 < count ? words[++*at] : "";
    const char *joined = arena_format(options->arena, "%.2s%s", word, folder);
    add_to_list(options, headers ? &options->to_instrumentation : &options->to_its_linker, joined);
    add_to_list(options, headers ? &options->to_analysis : &options->to_analysis_linker, joined);
    if (!headers)
        add_to_list(options, &options->library_folders, folder);
    return true;
}

/* An object that the program opens itself; DEC's users may give its name, or none. */
static bool add_opened_object(struct options *options, char **words, int count, int *at) {
    if (strcmp(words[*at], "-dynobj") != 0)
        return false;
    if (*at + 1 < count && strstr(words[*at + 1], ".so")) {
        const char *name = words[++*at];
        if (strchr(name, '/'))
            add_object(options, name, true);
    }
    return true;
}

enum atom_word parse_atom_word(struct options *options, char **words, int count, int *at,
                               struct diagnostics *diagnostics) {
    const char *word = words[*at], *value;
    if (has_no_effect(words, count, at) || pass_list_on(options, word) ||
        pass_folder_on(options, words, count, at) || add_opened_object(options, words, count, at))
        return ATOM_WORD_GOOD;
    if (strcmp(word, "-all") == 0) {
        options->objects_list = "all";
        return ATOM_WORD_GOOD;
    }
    if (value_of(word, NULL, "-tool", words, count, at))
        return result(add_atom_tool(options, diagnostics));
    if (value_of(word, NULL, "-env", words, count, at))
        return ATOM_WORD_GOOD;
    if ((value = value_of(word, NULL, "-toolargs", words, count, at))) {
        latest_tool(options)->words = value;
        return ATOM_WORD_GOOD;
    }
    if ((value = value_of(word, NULL, "-heapbase", words, count, at)))
        return result(set_heap(options, value, diagnostics));
    bool includes = (value = value_of(word, NULL, "-incobj", words, count, at)) != NULL;
    if (!value)
        value = value_of(word, NULL, "-excobj", words, count, at);
    if (!value)
        return ATOM_WORD_OTHER;
    if (!*value)
        return result(
            usage_error(diagnostics, "%s needs the name of an object", includes ? "-incobj" : "-excobj"));
    add_object(options, value, includes);
    return ATOM_WORD_GOOD;
}
