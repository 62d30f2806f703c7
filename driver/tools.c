/* tools.c: the tools of the command line: each is parsed and compiled separately, and their plans are
   merged. Requires options. Each tool has its own analysis code; if there are several tools, its symbols have
   the tool's prefix.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codegen/machines.h"
#include "driver/driver.h"
#include "packages/package/package.h"

static bool same_path(const char *path, const char *other) {
    char *real = realpath(path, NULL), *other_real = realpath(other, NULL);
    bool same = real && other_real ? strcmp(real, other_real) == 0 : strcmp(path, other) == 0;
    free(real);
    free(other_real);
    return same;
}

static bool already_listed(const char *const *paths, uint32_t count, const char *path) {
    for (uint32_t i = 0; i < count; i++)
        if (same_path(paths[i], path))
            return true;
    return false;
}

/* ---- parsing ---------------------------------------------------------------------------------- */

static const char *applied_tool_name(const struct applied_tools *tools, const struct applied_tool *applied) {
    if (applied->tool)
        return applied->tool->name;
    if (applied->choice->name)
        return applied->choice->name;
    const char *slash = strrchr(applied->choice->path, '/'),
               *file = slash ? slash + 1 : applied->choice->path;
    return arena_string(tools->arena, file, strcspn(file, "."));
}

/* The tool's name, with a number if an earlier tool has the same. */
static const char *unique_prefix(struct applied_tools *tools, uint32_t number) {
    const char *name = applied_tool_name(tools, &tools->list[number]), *prefix = *name ? name : "tool";
    for (uint32_t i = 0, next = 2; i < number; i++)
        if (strcmp(tools->list[i].prefix, prefix) == 0) {
            prefix = arena_format(tools->arena, "%s%u", name, next++);
            i = UINT32_MAX; /* from the first again */
        }
    return prefix;
}

/* Definitions for the tool: first the definitions beside the tool, then those by its name. */
static void define_parameters(struct applied_tools *tools, struct applied_tool *applied) {
    const struct options *options = tools->options;
    const struct tool_choice *choice = applied->choice;
    if (!applied->tool) {
        for (uint32_t i = 0; i < choice->definition_count; i++)
            diagnose(tools->diagnostics, NULL, MESSAGE_UNKNOWN_PARAMETER, choice->definitions[i].name,
                     applied->prefix);
        return;
    }
    uint32_t count = choice->definition_count;
    struct parameter_definition *all =
        arena_allocate(tools->arena, (count + options->definition_count) * sizeof *all);
    if (count)
        memcpy(all, choice->definitions, count * sizeof *all);
    for (uint32_t i = 0; i < options->definition_count; i++)
        if (strcmp(options->definitions[i].tool, applied->tool->name) == 0)
            all[count++] = options->definitions[i].definition;
    tool_define(applied->tool, all, count);
    tool_choose_files(applied->tool);
}

/* Each -D TOOL.NAME refers to one of the tools. */
static bool check_tool_names(struct applied_tools *tools) {
    bool good = true;
    const char **names = arena_allocate(tools->arena, tools->count * sizeof *names);
    for (uint32_t i = 0; i < tools->count; i++)
        names[i] = applied_tool_name(tools, &tools->list[i]);
    for (uint32_t i = 0; i < tools->options->definition_count; i++) {
        const struct tool_definition *at = &tools->options->definitions[i];
        bool found = false;
        for (uint32_t j = 0; j < tools->count; j++)
            found |= strcmp(names[j], at->tool) == 0;
        if (found)
            continue;
        diagnose(tools->diagnostics, NULL, MESSAGE_NO_SUCH_TOOL_GIVEN, at->tool, at->definition.name,
                 at->tool);
        const char *nearest = nearest_name(at->tool, names, tools->count);
        if (nearest)
            diagnose_hint(tools->diagnostics, "did you mean '%s'?", nearest);
        good = false;
    }
    return good;
}

/* The files that C writes are unknown, but the same C twice writes the same files. */
static bool check_twice(struct applied_tools *tools, uint32_t number) {
    const struct applied_tool *applied = &tools->list[number];
    uint32_t files = 0;
    if (applied->tool)
        tool_analysis_files(applied->tool, &files);
    if (files + applied->choice->analysis_count == 0)
        return true;
    for (uint32_t i = 0; i < number; i++)
        if (same_path(tools->list[i].choice->path, applied->choice->path)) {
            diagnose(tools->diagnostics, NULL, MESSAGE_TOOL_GIVEN_TWICE,
                     applied->tool ? applied->tool->asked : applied->choice->path);
            return false;
        }
    return true;
}

static struct tool *parse_tool(const struct applied_tools *tools, const struct tool_choice *choice) {
    if (choice->is_text_of_file)
        return tool_parse_text(choice->path, choice->page, choice->page_length, tools->arena,
                               tools->diagnostics);
    if (choice->page)
        return tool_parse_page(choice->path, choice->page, choice->page_length, tools->arena,
                               tools->diagnostics);
    return tools->options->header || tools->options->stub
               ? tool_parse_alone(choice->path, tools->arena, tools->diagnostics)
               : tool_parse(choice->path, tools->arena, tools->diagnostics);
}

bool tools_parse(struct applied_tools *tools) {
    bool good = true;
    tools->count = tools->options->tool_count;
    tools->list = arena_allocate(tools->arena, tools->count * sizeof *tools->list);
    for (uint32_t i = 0; i < tools->count; i++) {
        struct applied_tool *applied = &tools->list[i];
        applied->choice = &tools->options->tools[i];
        if (applied->choice->instruments)
            continue;
        applied->tool = parse_tool(tools, applied->choice);
        good &= applied->tool != NULL;
        if (applied->tool && tools->options->program)
            applied->tool->architecture =
                architecture_of(machine_of_program(tools->options->program)->number);
        if (applied->tool && applied->choice->is_stock) {
            applied->tool->asked = applied->tool->name;
            applied->tool->is_stock = true;
        }
    }
    unsigned errors = diagnostics_errors(tools->diagnostics);
    for (uint32_t i = 0; i < tools->count && good; i++) {
        tools->list[i].prefix = unique_prefix(tools, i);
        define_parameters(tools, &tools->list[i]);
        good &= check_twice(tools, i);
    }
    good &= diagnostics_errors(tools->diagnostics) == errors;
    return good && check_tool_names(tools);
}

/* ---- analysis code ---------------------------------------------------------------------------- */

/* The files that the tool names, and the files of the command line; a file named twice is listed once. */
static void list_tool_sources(struct applied_tools *tools, struct applied_tool *applied) {
    const struct tool_choice *choice = applied->choice;
    uint32_t named = 0;
    const struct analysis_file *files = applied->tool ? tool_analysis_files(applied->tool, &named) : NULL;
    const char **sources = arena_allocate(tools->arena, (named + choice->analysis_count) * sizeof *sources);
    applied->sources = sources;
    for (uint32_t i = 0; i < named; i++)
        if (!already_listed(sources, applied->source_count, files[i].path))
            sources[applied->source_count++] = files[i].path;
    for (uint32_t i = 0; i < choice->analysis_count; i++)
        if (!already_listed(sources, applied->source_count, choice->analysis[i]))
            sources[applied->source_count++] = choice->analysis[i];
}

/* Checks that all files can be read, and that the output would not replace any of them. */
static bool check_sources(struct applied_tools *tools, const struct applied_tool *applied) {
    const char *output = tools->options->output;
    bool good = true;
    for (uint32_t i = 0; i < applied->source_count; i++)
        if (access(applied->sources[i], R_OK) != 0) {
            diagnose(tools->diagnostics, NULL, MESSAGE_CANNOT_READ, applied->sources[i], strerror(errno));
            good = false;
        }
    if (output && already_listed(applied->sources, applied->source_count, output)) {
        diagnose(tools->diagnostics, NULL, MESSAGE_OUTPUT_IS_INPUT, output, "the analysis code");
        good = false;
    }
    return good;
}

/* Writes the header that the tool's C may include. A tool with errors has no reports here; the errors are
   reported when it is compiled. */
static bool write_tool_header(struct applied_tools *tools, struct applied_tool *applied,
                              const char *directory) {
    struct diagnostics *unseen = diagnostics_create();
    struct plan *plan = tool_compile(applied->tool, NULL, unseen);
    const char *path = arena_format(tools->arena, "%s/atomc.h", directory);
    FILE *stream = NULL;
    if ((mkdir(directory, 0700) != 0 && errno != EEXIST) || !(stream = fopen(path, "w")))
        diagnose(tools->diagnostics, NULL, MESSAGE_CANNOT_WRITE, path, strerror(errno));
    if (stream && plan)
        header_print(plan, stream);
    bool written = stream && fclose(stream) == 0;
    applied->is_wrong = !plan && applied->tool->use_count == 0;
    plan_destroy(plan);
    diagnostics_destroy(unseen);
    return written;
}

bool tools_print(struct applied_tools *tools, FILE *stream) {
    bool good = tools_parse(tools);
    for (uint32_t i = 0; i < tools->count && good; i++) {
        if (!tools->list[i].tool)
            continue; /* instrumented by C */
        struct plan *plan = tool_compile(tools->list[i].tool, NULL, tools->diagnostics);
        good = plan != NULL;
        if (plan)
            (tools->options->stub ? stub_print : header_print)(plan, stream);
        plan_destroy(plan);
    }
    return good;
}

/* NULL after an error. Makes the headers that the groups include. */
static struct analysis_group *make_groups(struct applied_tools *tools, const char *directory) {
    struct analysis_group *groups = arena_allocate(tools->arena, tools->count * sizeof *groups);
    for (uint32_t i = 0; i < tools->count; i++) {
        struct applied_tool *applied = &tools->list[i];
        groups[i] = (struct analysis_group){.sources = applied->sources,
                                            .source_count = applied->source_count,
                                            .prefix = tools->count > 1 ? applied->prefix : NULL,
                                            .link_words = applied->choice->analysis_words,
                                            .compile_words = tools->options->to_analysis.list,
                                            .lenient = applied->choice->instruments};
        if (applied->tool && applied->source_count) {
            groups[i].include = arena_format(tools->arena, "%s/include%u", directory, i);
            if (!write_tool_header(tools, applied, groups[i].include))
                return NULL;
        }
        if (tools->count > 1 && applied->source_count)
            applied->object = arena_format(tools->arena, "%s/tool%u.o", directory, i);
        groups[i].joined = applied->object;
    }
    return groups;
}

static struct analysis_options describe_image(const struct applied_tools *tools,
                                              const struct analysis_group *groups, const char *image) {
    return (struct analysis_options){.groups = groups,
                                     .group_count = tools->count,
                                     .runtime_directory = runtime_directory(),
                                     .include_directory = include_directory(),
                                     .tools_directory = tools_directory(),
                                     .triple = usual_machine()->triple,
                                     .link_words = tools->options->to_analysis_linker.list,
                                     .output = image,
                                     .large = tools->large,
                                     .said = stderr};
}

/* Stores it in the cache, too. */
static bool build_groups(struct applied_tools *tools, const struct analysis_group *groups, const char *image,
                         struct diagnostics *diagnostics) {
    struct analysis_options options = describe_image(tools, groups, image);
    char *said = NULL;
    size_t size;
    FILE *stream = open_memstream(&said, &size);
    if (stream)
        options.said = stream;
    bool built = analysis_build(&options, diagnostics);
    if (!stream)
        return built;
    fclose(stream);
    if (diagnostics == tools->diagnostics) /* otherwise the page has an error, which is reported before errors
                                              of its C */
        fputs(said, stderr);
    if (built)
        keep_code(tools, image, said);
    free(said);
    return built;
}

static bool any_wrong(const struct applied_tools *tools) {
    for (uint32_t i = 0; i < tools->count; i++)
        if (tools->list[i].is_wrong)
            return true;
    return false;
}

/* C of a tool with errors lacks its header, so the compiler's messages would be misleading. */
static bool build_image(struct applied_tools *tools, const char *directory, const char *image) {
    struct diagnostics *unseen = diagnostics_create();
    struct analysis_group *groups = make_groups(tools, directory);
    bool wrong = groups && any_wrong(tools);
    bool built = groups && !wrong && find_kept_code(tools, image);
    built = built || (groups && build_groups(tools, groups, image, wrong ? unseen : tools->diagnostics));
    for (uint32_t i = 0; i < tools->count && wrong && !built; i++)
        if (tools->list[i].is_wrong)
            plan_destroy(tool_compile(tools->list[i].tool, NULL, tools->diagnostics));
    diagnostics_destroy(unseen);
    return built;
}

bool tools_have_no_code(const struct applied_tools *tools) {
    bool alone = !tools->options->to_analysis_linker.list;
    for (uint32_t i = 0; i < tools->count; i++)
        alone &= tools->list[i].source_count == 0 && !tools->list[i].choice->instruments;
    return alone;
}

bool tools_list_sources(struct applied_tools *tools) {
    bool good = true;
    for (uint32_t i = 0; i < tools->count; i++) {
        list_tool_sources(tools, &tools->list[i]);
        good &= check_sources(tools, &tools->list[i]);
    }
    return good;
}

bool tools_write_headers(struct applied_tools *tools, const char *directory, const char **folders) {
    const struct analysis_group *groups = make_groups(tools, directory);
    for (uint32_t i = 0; groups && i < tools->count; i++)
        folders[i] = groups[i].include;
    return groups && !any_wrong(tools);
}

bool tools_preprocess(struct applied_tools *tools, const char *directory, void (*each)(void *, const char *),
                      void *context) {
    const struct analysis_group *groups = make_groups(tools, directory);
    if (!groups || any_wrong(tools))
        return false;
    const char *image = arena_format(tools->arena, "%s/analysis", directory);
    const struct analysis_options options = describe_image(tools, groups, image);
    return analysis_preprocess(&options, each, context);
}

/* Checking a tool without analysis code compiles no image: then its calls are not checked against prototypes.
   If the runtime alone is the analysis image, it is linked already. */
bool tools_build(struct applied_tools *tools, const char **image) {
    uint32_t count = 0;
    *image = NULL;
    for (uint32_t i = 0; i < tools->count; i++)
        count += tools->list[i].source_count;
    if (tools->options->check && count == 0)
        return true;
    const struct machine_names *machine = tools->machine ? tools->machine : usual_machine();
    const bool is_usual = machine == usual_machine();
    if (!is_usual && !tools_have_no_code(tools)) {
        diagnose(tools->diagnostics, NULL, MESSAGE_NOT_YET, tools->options->program, "tools with C",
                 machine->name);
        return false;
    }
    if (tools_have_no_code(tools)) {
        *image = is_usual
                     ? arena_format(tools->arena, "%s/analysis", runtime_directory())
                     : arena_format(tools->arena, "%s/analysis-%s", runtime_directory(), machine->short_name);
        if (!is_usual && access(*image, R_OK) != 0) {
            diagnose(tools->diagnostics, NULL, MESSAGE_NO_COMPILER_THEN, machine->name, machine->triple);
            return false;
        }
        if (access(*image, R_OK) != 0) {
            diagnose(tools->diagnostics, NULL, MESSAGE_CANNOT_READ, *image, strerror(errno));
            diagnose_hint(tools->diagnostics, "%s", lone_hint);
            return false;
        }
        return true;
    }
    const char *directory = temporary_directory();
    if (!directory) {
        diagnose(tools->diagnostics, NULL, MESSAGE_CANNOT_WRITE, "temporary directory", strerror(errno));
        return false;
    }
    *image = arena_format(tools->arena, "%s/analysis", directory);
    return build_image(tools, directory, *image);
}

/* ---- functions that expressions use ------------------------------------------------------------ */

/* Without a program no expression is evaluated: the C is then compiled, but not run. */
static bool is_only_compiled(const struct applied_tools *tools) {
    return tools->options->check && !tools->options->program;
}

static void refuse_package(struct applied_tools *tools, const struct tool_choice *choice,
                           const char *folder) {
    const char *name = strrchr(folder, '/') + 1;
    char *found = package_find(name, packages_directory()), *real = found ? realpath(found, NULL) : NULL;
    diagnose(tools->diagnostics, NULL, MESSAGE_PACKAGE_NOT_TRUSTED, name);
    diagnose_hint(tools->diagnostics, "if you trust it: atomc package trust %s",
                  choice->package || (real && strcmp(real, folder) == 0) ? name : folder);
    free(real);
    free(found);
}

/* C that the command line names may run, except for C of a package that is not trusted. */
static bool may_run(struct applied_tools *tools, const struct applied_tool *applied, const char *path) {
    char *package = NULL;
    if (tools->options->trust || applied->choice->is_stock || code_is_trusted(path, &package))
        return true;
    if (package)
        refuse_package(tools, applied->choice, package);
    bool may = !package && applied->choice->instruments;
    if (!may && !package) {
        diagnose(tools->diagnostics, NULL, MESSAGE_CODE_NOT_TRUSTED, path);
        diagnose_hint(tools->diagnostics,
                      "if you trust it: atomc package trust %s%s, or its folder; or --trust, this time",
                      strchr(path, '/') ? "" : "./", path);
    }
    free(package);
    return may;
}

/* Loads it into *library if it will be called. With --follow this process only compiles it, and other
   processes call it. */
static bool make_library(struct applied_tools *tools, const struct applied_tool *applied,
                         const struct atom_sources *sources, struct atom_library **library) {
    bool looks = is_only_compiled(tools);
    if ((!looks || tools->options->run.asked) && !may_run(tools, applied, sources->files[0]))
        return false;
    if (looks)
        return atom_build(sources, tools->diagnostics);
    *library = atom_load(sources, tools->diagnostics);
    return *library != NULL;
}

static bool load_prototypes(struct applied_tools *tools, struct applied_tool *applied,
                            const char *directory) {
    struct tool *tool = applied->tool;
    applied->libraries = arena_allocate(tools->arena, tool->use_count * sizeof *applied->libraries);
    applied->used = arena_allocate(tools->arena, tool->use_count * sizeof *applied->used);
    bool good = true;
    for (uint32_t i = 0; i < tool->use_count; i++) {
        struct atom_sources sources = {
            .files = &tool->uses[i].path,
            .count = 1,
            .include_directory = include_directory(),
            .output = arena_format(tools->arena, "%s/%s.use%u.so", directory, applied->prefix, i)};
        if (make_library(tools, applied, &sources, &applied->libraries[i]))
            applied->used[i] = prototypes_read(sources.output, tools->diagnostics);
        good &= applied->used[i] != NULL;
        if (applied->used[i])
            tool_use(tool, i, applied->used[i]);
    }
    return good;
}

static bool load_instrumentation(struct applied_tools *tools, struct applied_tool *applied,
                                 const char *directory) {
    const struct tool_choice *choice = applied->choice;
    const char **files = arena_allocate(tools->arena, ((size_t)choice->more_count + 1) * sizeof *files);
    struct atom_sources sources = {
        .files = files,
        .count = choice->more_count + 1,
        .include_directory = include_directory(),
        .link_words = choice->link_words,
        .compile_words = tools->options->to_instrumentation.list,
        .more_link_words = tools->options->to_its_linker.list,
        .output = arena_format(tools->arena, "%s/%s.inst.so", directory, applied->prefix)};
    bool good = true;
    for (uint32_t i = 0; i <= choice->more_count; i++) {
        files[i] = i == 0 ? choice->path : choice->more[i - 1];
        if (access(files[i], R_OK) == 0)
            continue;
        diagnose(tools->diagnostics, NULL, MESSAGE_CANNOT_READ, files[i], strerror(errno));
        good = false;
    }
    if (good && tools->options->check)
        return atom_build(&sources, tools->diagnostics);
    for (uint32_t i = 0; i < sources.count && good; i++)
        good = may_run(tools, applied, files[i]);
    applied->instrumentation = good ? atom_load(&sources, tools->diagnostics) : NULL;
    return applied->instrumentation != NULL;
}

bool tools_load(struct applied_tools *tools) {
    bool good = true;
    for (uint32_t i = 0; i < tools->count; i++) {
        bool instruments = tools->list[i].choice->instruments;
        if (!instruments && tools->list[i].tool->use_count == 0)
            continue;
        const char *directory = temporary_directory();
        if (!directory) {
            diagnose(tools->diagnostics, NULL, MESSAGE_CANNOT_WRITE, "temporary directory", strerror(errno));
            return false;
        }
        good &= instruments ? load_instrumentation(tools, &tools->list[i], directory)
                            : load_prototypes(tools, &tools->list[i], directory);
    }
    return good;
}

/* ---- plans ------------------------------------------------------------------------------------ */

/* The prototypes of the tool's own routines; for a single tool they are read from the image. Returns false
   after an error. A tool that is only checked may have no analysis code yet. */
static bool read_prototypes(struct applied_tools *tools, struct applied_tool *applied, const char *image) {
    const char *code = tools->count == 1 ? image : applied->object;
    if (code)
        applied->prototypes = prototypes_read(code, tools->diagnostics);
    else if (!tools->options->check)
        applied->prototypes = prototypes_none();
    return applied->prototypes || (!code && tools->options->check);
}

static bool compile_tool(struct applied_tools *tools, struct applied_tool *applied, const char *image) {
    if (!read_prototypes(tools, applied, image))
        return false;
    applied->plan = tool_compile(applied->tool, applied->prototypes, tools->diagnostics);
    if (applied->plan && !is_only_compiled(tools))
        atom_bind(applied->plan, applied->libraries);
    return applied->plan != NULL;
}

/* The plan of all, as soon as each has one. */
static bool merge_plans(struct applied_tools *tools) {
    for (uint32_t i = 0; i < tools->count; i++)
        if (!tools->list[i].plan)
            return true;
    tools->plan = tools->list[0].plan;
    if (tools->count == 1)
        return true;
    const struct plan **plans = arena_allocate(tools->arena, tools->count * sizeof *plans);
    const char **prefixes = arena_allocate(tools->arena, tools->count * sizeof *prefixes);
    for (uint32_t i = 0; i < tools->count; i++) {
        plans[i] = tools->list[i].plan;
        prefixes[i] = tools->list[i].prefix;
    }
    tools->plan = tools->merged = plans_merge(plans, prefixes, tools->count, tools->diagnostics);
    return tools->merged != NULL;
}

bool tools_compile(struct applied_tools *tools, const char *image) {
    bool good = true;
    for (uint32_t i = 0; i < tools->count; i++)
        good &= tools->list[i].choice->instruments || compile_tool(tools, &tools->list[i], image);
    return good && merge_plans(tools);
}

/* ---- instrumentation code --------------------------------------------------------------------- */

struct routine_search {
    struct applied_tools *tools;
    struct applied_tool *applied;
    const struct analysis_image *analysis;
};

static bool has_routine(void *context, const char *name) {
    const struct routine_search *search = context;
    if (search->tools->count > 1)
        name = arena_format(search->tools->arena, "%s.%s", search->applied->prefix, name);
    return analysis_symbol(search->analysis, name) != 0;
}

/* The parameters of a replacement are read from its DWARF, whether it is declared in the old style or by a
   prototype. A routine without DWARF is trusted. */
static const char *why_not_replacement(void *context, const char *name) {
    const struct routine_search *search = context;
    struct applied_tools *tools = search->tools;
    struct applied_tool *applied = search->applied;
    const char *code = tools->count == 1 ? search->analysis->path : applied->object;
    if (!applied->prototypes && code)
        applied->prototypes = prototypes_read(code, tools->diagnostics);
    const struct plan_routine *routine =
        applied->prototypes ? prototypes_find(applied->prototypes, name) : NULL;
    if (!routine)
        return NULL;
    if (routine->variadic)
        return "it takes variable arguments (ReplaceEntry can pass ArgVectorValue)";
    if (routine->parameter_count > 6)
        return "it has more than six parameters (ReplaceEntry can pass them)";
    for (uint32_t i = 0; i < routine->parameter_count; i++)
        if (routine->parameters[i].type == PLAN_C_OTHER)
            return arena_format(tools->arena, "parameter %u is '%s'", i + 1, routine->parameters[i].spelled);
    return routine->result == PLAN_C_OTHER ? "its result is neither an integer, a pointer nor a double"
                                           : NULL;
}

static bool run_instrumentation(struct applied_tools *tools, struct applied_tool *applied,
                                const struct analysis_image *analysis) {
    const char *words = applied->choice->words ? applied->choice->words : "";
    struct routine_search search = {tools, applied, analysis};
    uint32_t count;
    const char **split = split_words(tools->arena, words, &count);
    struct atom_options options = {
        .name = applied_tool_name(tools, applied),
        .arguments = arena_allocate(tools->arena, ((size_t)count + 2) * sizeof(char *)),
        .argument_count = (int)count + 1,
        .excluded = tools->options->excludes_program,
        .output_name = tools->options->output ? tools->options->output : "",
        .analysis_name = applied->source_count ? applied->sources[0] : "",
        .has_routine = analysis ? has_routine : NULL,
        .replacement_problem = why_not_replacement,
        .context = &search,
    };
    options.arguments[0] =
        arena_string(tools->arena, tools->options->program, strlen(tools->options->program));
    for (uint32_t i = 0; i < count; i++) /* the user's code may write into them */
        options.arguments[i + 1] = arena_string(tools->arena, split[i], strlen(split[i]));
    applied->plan = atom_instrument(applied->instrumentation, &options);
    return applied->plan != NULL;
}

bool tools_instrument(struct applied_tools *tools, const struct analysis_image *analysis) {
    bool good = true, any = false;
    for (uint32_t i = 0; i < tools->count; i++)
        if (tools->list[i].choice->instruments) {
            good &= run_instrumentation(tools, &tools->list[i], analysis);
            any = true;
        }
    return good && (!any || merge_plans(tools));
}

void tools_destroy(struct applied_tools *tools) {
    plan_destroy(tools->merged);
    for (uint32_t i = 0; i < tools->count; i++) {
        plan_destroy(tools->list[i].plan);
        prototypes_destroy(tools->list[i].prototypes);
        atom_unload(tools->list[i].instrumentation);
        for (uint32_t j = 0; tools->list[i].used && j < tools->list[i].tool->use_count; j++) {
            prototypes_destroy(tools->list[i].used[j]);
            atom_unload(tools->list[i].libraries[j]);
        }
    }
}
