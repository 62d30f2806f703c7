/* atom_words.c: the options of ATOM's command: -tool and -env with their descriptions, -toolargs, -heapbase,
   -incobj, -excobj, and options that have no effect here. Requires options; which objects exist is known
   later (objects.c). */
#include <stdlib.h>
#include <unistd.h>

#include "driver/driver.h"

/* ---- -tool -------------------------------------------------------------------------------------------- */

/* -tool and -env, each at most one time. Returns false after an error. */
static bool find_tool(struct options *options, int count, char **words, struct diagnostics *diagnostics) {
    struct option_reader reader = {
        .command = COMMAND_ATOMC, .words = words, .count = own_words(count, words), .at = 1};
    for (enum option_id option; (option = next_option(&reader)) != OPTION_END;) {
        const char **value = option == OPTION_ATOM_TOOL          ? &options->atom_tool
                             : option == OPTION_ATOM_ENVIRONMENT ? &options->environment
                                                                 : NULL;
        if (!value)
            continue;
        if (*value || !*reader.value)
            return usage_error(diagnostics, COMMAND_ATOMC, *value ? "%s is given twice" : "%s needs a name",
                               reader.name);
        *value = reader.value;
    }
    return true;
}

static int append_words(struct arena *arena, char **all, int next, const char *const *words) {
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

/* Defaults are put before the command line's own words, required words after them: the last one takes
   effect. */
static char **words_around(struct arena *arena, char **words, int *count,
                           const struct description *description) {
    size_t total = (size_t)*count + (size_t)count_words(description->default_words) +
                   (size_t)count_words(description->required_words);
    char **all = arena_allocate(arena, (total + 1) * sizeof *all);
    all[0] = words[0];
    int next = append_words(arena, all, 1, description->default_words);
    for (int i = 1; i < *count; i++)
        all[next++] = words[i];
    *count = append_words(arena, all, next, description->required_words);
    all[*count] = NULL;
    return all;
}

bool add_described_words(struct options *options, int *count, char ***words,
                         struct diagnostics *diagnostics) {
    if (!find_tool(options, *count, *words, diagnostics))
        return false;
    if (!options->atom_tool)
        return options->environment ? usage_error(diagnostics, COMMAND_ATOMC, "%s needs -tool", "-env")
                                    : true;
    if (!description_read(options->atom_tool, options->environment, options->arena, diagnostics,
                          &options->description))
        return false;
    if (options->description)
        *words = words_around(options->arena, *words, count, options->description);
    return true;
}

/* The environments of the tools that DEC shipped: stock tools need no environment for threads. */
static bool is_for_threads(const char *tool, const char *environment) {
    return strcmp(environment, "threads") == 0 &&
           (strcmp(tool, "hiprof") == 0 || strcmp(tool, "pixie") == 0 || strcmp(tool, "third") == 0);
}

/* A name without a description may be a stock tool. */
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

static void add_object_option(struct options *options, const char *name, bool includes) {
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
    return usage_error(diagnostics, COMMAND_ATOMC, "%s is for instrumentation code in C",
                       options->includes[0] ? "-incobj" : "-excobj");
}

static bool set_heap(struct options *options, const char *value, struct diagnostics *diagnostics) {
    char *end;
    uint64_t address = strtoull(value, &end, 16);
    options->rewrite.heap_at_end = strcmp(value, "progend") == 0;
    options->rewrite.heap = options->rewrite.heap_at_end ? 0 : address;
    if (!options->rewrite.heap_at_end && (end == value || *end || address == 0))
        return usage_error(diagnostics, COMMAND_ATOMC,
                           "-heapbase %s: the value is a hexadecimal address or progend", value);
    return true;
}

/* ---- words for compilers and linkers --------------------------------------------------------------------- */

/* -Wca,WORD,WORD... and the like: for a compiler, or a linker, which the compiler runs. */
static void pass_list_on(struct options *options, struct word_list *list, bool to_linker, const char *words) {
    for (const char *at = words; *at;) {
        size_t length = strcspn(at, ",");
        if (length && to_linker)
            add_to_list(options, list, "-Xlinker");
        if (length)
            add_to_list(options, list, arena_string(options->arena, at, length));
        at += length + (at[length] == ',');
    }
}

/* -I and -L */
static void pass_folder_on(struct options *options, bool headers, const char *folder) {
    const char *joined = arena_format(options->arena, "%s%s", headers ? "-I" : "-L", folder);
    add_to_list(options, headers ? &options->to_instrumentation : &options->to_its_linker, joined);
    add_to_list(options, headers ? &options->to_analysis : &options->to_analysis_linker, joined);
    if (!headers)
        add_to_list(options, &options->library_folders, folder);
}

/* -dynobj: an object that the program loads itself; users of DEC's atom may specify its name, or omit it. */
static void add_opened_object(struct options *options, struct option_reader *reader) {
    if (reader->at == reader->count || !strstr(reader->words[reader->at], ".so"))
        return;
    const char *name = reader->words[reader->at++];
    if (strchr(name, '/'))
        add_object_option(options, name, true);
}

bool set_atom_option(struct options *options, struct option_reader *reader, enum option_id option,
                     struct diagnostics *diagnostics) {
    const char *value = reader->value;
    switch ((int)option) {
    case OPTION_ATOM_TOOL:
        return add_atom_tool(options, diagnostics);
    case OPTION_ATOM_HEAP:
        return set_heap(options, value, diagnostics);
    case OPTION_ATOM_TOOL_WORDS:
        latest_tool(options)->words = value;
        break;
    case OPTION_ATOM_ALL:
        options->objects_list = "all";
        break;
    case OPTION_ATOM_INCLUDE_OBJECT:
    case OPTION_ATOM_EXCLUDE_OBJECT:
        add_object_option(options, value, option == OPTION_ATOM_INCLUDE_OBJECT);
        break;
    case OPTION_ATOM_OPENED_OBJECT:
        add_opened_object(options, reader);
        break;
    case OPTION_ATOM_HEADERS:
    case OPTION_ATOM_LIBRARIES:
        pass_folder_on(options, option == OPTION_ATOM_HEADERS, value);
        break;
    case OPTION_ATOM_TO_INSTRUMENTATION:
        pass_list_on(options, &options->to_instrumentation, false, value);
        break;
    case OPTION_ATOM_TO_ANALYSIS:
        pass_list_on(options, &options->to_analysis, false, value);
        break;
    case OPTION_ATOM_TO_ITS_LINKER:
        pass_list_on(options, &options->to_its_linker, true, value);
        break;
    case OPTION_ATOM_TO_ANALYSIS_LINKER:
        pass_list_on(options, &options->to_analysis_linker, true, value);
        break;
    default:
        break;
    }
    return true;
}
