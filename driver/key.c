/* key.c: the keys of the cache for instrumented programs and compiled analysis code: a digest of all
   inputs, the words of the command line, and atomc itself. Equal keys mean equal results. Also computes the
   digests by which results identify atomc and tools. Requires tools that are parsed, with the lists of their
   C, and an open program with its libraries. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codegen/machines.h"
#include "driver/driver.h"
#include "runs/run/runner.h"

struct digest {
    SHA2_CTX state;
    const char
        *left_out; /* a text that differs each time, which is the temporary directory's name; or NULL */
    bool good;     /* everything could be read */
};

/* Each part is preceded by a label and its length, so that different parts have different digests. */
static void begin_part(struct digest *digest, const char *label, uint64_t length) {
    SHA256Update(&digest->state, (const uint8_t *)label, strlen(label) + 1);
    SHA256Update(&digest->state, (const uint8_t *)&length, sizeof length);
}

static void digest_bytes(struct digest *digest, const char *label, const void *bytes, size_t length) {
    begin_part(digest, label, length);
    SHA256Update(&digest->state, bytes, length);
}

static void digest_text(struct digest *digest, const char *label, const char *text) {
    digest_bytes(digest, label, text, strlen(text));
}

static void digest_file(struct digest *digest, const char *label, const char *path) {
    size_t length;
    char *text = read_file(path, &length);
    digest_text(digest, label, path);
    if (text)
        digest_bytes(digest, "contents", text, length);
    else
        digest->good = false;
    free(text);
}

/* ---- atomc itself -------------------------------------------------------------------------------------- */

static int add_build_id(struct dl_phdr_info *object, size_t size, void *context) {
    struct digest *digest = context;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        const char *at = (const char *)(object->dlpi_addr + header->p_vaddr), *end = at + header->p_memsz;
        while (header->p_type == PT_NOTE && at + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *note = (const void *)at;
            const char *name = at + sizeof *note, *value = name + ((note->n_namesz + 3) & ~3U);
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
                digest_bytes(digest, "build", value, note->n_descsz);
                return 1;
            }
            at = value + ((note->n_descsz + 3) & ~3U);
        }
    }
    return -1; /* atomc is the first: no other object's counts */
}

/* A file that only its packager changes, or a build. */
static void add_identity(struct digest *digest, const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        return;
    digest_text(digest, "file", path);
    digest_bytes(digest, "size", &status.st_size, sizeof status.st_size);
    digest_bytes(digest, "time", &status.st_mtim, sizeof status.st_mtim);
}

/* Adds the cross compiler's files, at Debian's paths. */
static void add_below_sysroot(struct digest *digest, const char *name) {
    char *path = format_string("%s/%s", usual_machine()->sysroot, name);
    add_identity(digest, path);
    free(path);
}

static void add_atomc(struct digest *digest, const struct applied_tools *tools) {
    const char *runtime = tools_have_no_code(tools) ? "analysis" : "runtime.o";
    if (dl_iterate_phdr(add_build_id, digest) < 0)
        digest_file(digest, "build", "/proc/self/exe");
    char *path = format_string("%s/%s", runtime_directory(), runtime);
    add_identity(digest, path); /* these files have megabytes, and each lookup would read them */
    free(path);
    const struct machine_names *machine = machine_of_program(tools->options->program);
    if (machine != usual_machine()) {
        path = format_string("%s/analysis-%s", runtime_directory(), machine->short_name);
        add_identity(digest, path);
        free(path);
    }
}

static void add_contents(struct digest *digest, const char *label, const char *path) {
    size_t length;
    char *text = read_file(path, &length);
    if (text)
        digest_bytes(digest, label, text, length);
    else
        digest->good = false;
    free(text);
}

void find_build(char text[CACHE_KEY + 1]) {
    struct digest digest = {.good = true};
    SHA256Init(&digest.state);
    if (dl_iterate_phdr(add_build_id, &digest) < 0)
        add_contents(&digest, "build", "/proc/self/exe");
    char *path = format_string("%s/digests", runtime_directory());
    add_contents(&digest, "runtime", path);
    free(path);
    SHA256End(&digest.state, text);
}

/* ---- tools --------------------------------------------------------------------------------------------- */

static void add_sources(struct digest *digest, const struct tool *tool) {
    const struct source *last = tool->source;
    digest_text(digest, "page", tool->source->path);
    digest_bytes(digest, "contents", tool->source->text, tool->source->length);
    for (const struct statement *at = tool->statements; at; at = at->next)
        if (at->where.source != last && at->where.source != tool->source) {
            last = at->where.source;
            digest_text(digest, "included", last->path);
            digest_bytes(digest, "contents", last->text, last->length);
        }
}

/* Adds a C file and the files in its folder that it includes by names in quotes, even in excluded conditional
   parts. `seen` has the paths that were added. */
static void add_c(struct digest *digest, const char *path, struct arena *arena, struct word_list *seen) {
    size_t length;
    for (uint32_t i = 0; i < seen->count; i++)
        if (strcmp(seen->list[i], path) == 0)
            return;
    char *text = arena_read_file(arena, path, &length);
    if (!text) {
        digest->good &= seen->count > 0; /* no file of that name is beside it */
        return;
    }
    seen->list = with_room(arena, seen->list, seen->count, sizeof *seen->list);
    seen->list[seen->count++] = path;
    digest_bytes(digest, "code", text, length);
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *at = line + strspn(line, " \t");
        at += *at == '#' ? 1 + strspn(at + 1, " \t") : 0;
        if (at == line || strncmp(at, "include", 7) != 0)
            continue;
        at += 7 + strspn(at + 7, " \t");
        const char *slash = strrchr(path, '/');
        int folder = slash ? (int)(slash + 1 - path) : 0;
        if (*at == '"')
            add_c(digest, arena_format(arena, "%.*s%.*s", folder, path, (int)strcspn(at + 1, "\"\n"), at + 1),
                  arena, seen);
    }
}

static void note_source_file(struct word_list *files, struct arena *arena, const char *path) {
    files->list = with_room(arena, files->list, files->count, sizeof *files->list);
    files->list[files->count++] = path;
}

/* A digest of its text, without the paths of its files. */
bool tool_digest(const struct applied_tool *applied, struct arena *arena, char text[CACHE_KEY + 1],
                 struct word_list *files) {
    struct digest digest = {.good = true};
    struct word_list seen = {NULL, 0};
    const struct tool *tool = applied->tool;
    SHA256Init(&digest.state);
    digest_bytes(&digest, "page", tool->source->text, tool->source->length);
    note_source_file(files, arena, tool->source->path);
    const struct source *last = tool->source;
    for (const struct statement *at = tool->statements; at; at = at->next)
        if (at->where.source != last && at->where.source != tool->source) {
            last = at->where.source;
            digest_bytes(&digest, "included", last->text, last->length);
            note_source_file(files, arena, last->path);
        }
    for (uint32_t i = 0; i < applied->source_count; i++)
        add_c(&digest, applied->sources[i], arena, &seen);
    for (uint32_t i = 0; i < tool->use_count; i++)
        add_c(&digest, tool->uses[i].path, arena, &seen);
    SHA256End(&digest.state, text);
    bool whole = digest.good;
    for (uint32_t i = 0; i < tool->named_count; i++) /* including those that the parameters exclude */
        add_c(&digest, tool->named[i].path, arena, &seen);
    for (uint32_t i = 0; i < seen.count; i++)
        note_source_file(files, arena, seen.list[i]);
    return whole;
}

static void add_preprocessed(void *context, const char *path) {
    struct digest *digest = context;
    size_t length;
    char *text = read_file(path, &length), *rest = text;
    begin_part(digest, "preprocessed", 0);
    for (char *found; rest && (found = strstr(rest, digest->left_out));
         rest = found + strlen(digest->left_out))
        digest_bytes(digest, "piece", rest, (size_t)(found - rest));
    if (rest)
        digest_text(digest, "piece", rest);
    /* The assembler may read further files, which are unknown here. */
    digest->good &= text && !strstr(text, ".incbin") && !strstr(text, ".include");
    free(text);
}

/* Another compiler produces other code. There may be no C++ compiler. */
static void add_command(struct digest *digest, const char *command) {
    char *path = find_command(command);
    if (path)
        add_identity(digest, path);
    free(path);
}

/* True if the path of the source does not depend on the compiler's working directory, which is in the debug
   information. */
static bool is_elsewhere(const char *source, const char *folder) {
    size_t length = strlen(folder);
    return source[0] == '/' && (strncmp(source, folder, length) != 0 || source[length] != '/');
}

static void digest_folder(struct digest *digest, const struct applied_tools *tools) {
    char *folder = getcwd(NULL, 0);
    bool matters = tools->options->to_analysis.count > 0;
    for (uint32_t i = 0; i < tools->count && folder; i++)
        for (uint32_t k = 0; k < tools->list[i].source_count; k++)
            matters |= !is_elsewhere(tools->list[i].sources[k], folder);
    digest->good &= folder != NULL;
    if (folder && matters)
        digest_text(digest, "folder", folder);
    free(folder);
}

static void add_environment(struct digest *digest) {
    static const char *const names[] = {"COMPILER_PATH", "GCC_EXEC_PREFIX", "LIBRARY_PATH", "CPATH",
                                        "C_INCLUDE_PATH"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value)
            digest_text(digest, names[i], value);
    }
}

/* ---- C of stock tools: it includes only files of atomc and of the C library ------------------------------ */

/* Then the compiler need not be started, which would take longer than the rest. */
static bool is_atomcs_own(const struct applied_tools *tools) {
    size_t length = strlen(tools_directory());
    bool own = tools->options->to_analysis.count == 0;
    for (uint32_t i = 0; i < tools->count && own; i++) {
        own = tools->list[i].choice->is_stock && !tools->list[i].choice->instruments;
        for (uint32_t k = 0; k < tools->list[i].source_count && own; k++)
            own = strncmp(tools->list[i].sources[k], tools_directory(), length) == 0 &&
                  tools->list[i].sources[k][length] == '/';
    }
    return own;
}

static const char *join_path(struct arena *arena, const char *folder, int length, const char *name) {
    const char *end = name + strcspn(name, "\">\n");
    return arena_format(arena, "%.*s/%.*s", length, folder, (int)(end - name), name);
}

/* Adds the contents of the file and of all files in the directories that it includes, even in excluded
   conditional parts. Headers outside of them belong to the C library. */
static void add_includes(struct digest *digest, const char *path, const char *const *folders, size_t count,
                         struct arena *arena, struct word_list *seen) {
    size_t length;
    for (uint32_t i = 0; i < seen->count; i++)
        if (strcmp(seen->list[i], path) == 0)
            return;
    char *text = arena_read_file(arena, path, &length);
    note_source_file(seen, arena, path);
    if (!text) {
        digest->good = false;
        return;
    }
    digest_bytes(digest, "own code", text, length);
    const char *slash = strrchr(path, '/');
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *at = line + strspn(line, " \t");
        at += *at == '#' ? 1 + strspn(at + 1, " \t") : 0;
        if (at == line + strspn(line, " \t") || strncmp(at, "include", 7) != 0)
            continue;
        at += 7 + strspn(at + 7, " \t");
        digest->good &= *at == '"' || *at == '<'; /* a macro may name anything */
        const char *found = join_path(arena, path, (int)(slash - path), at + 1);
        bool is_found = *at == '"' && access(found, R_OK) == 0;
        for (size_t i = 0; i < count && !is_found; i++) {
            found = folders[i] ? join_path(arena, folders[i], (int)strlen(folders[i]), at + 1) : NULL;
            is_found = found && access(found, R_OK) == 0;
        }
        if (is_found)
            add_includes(digest, found, folders, count, arena, seen);
    }
}

static void add_own_code(struct digest *digest, struct applied_tools *tools, const char *directory) {
    const char **folders = arena_allocate(tools->arena, (tools->count + 1) * sizeof *folders);
    add_below_sysroot(digest, "include/linux/version.h"); /* files of the kernel's headers, which are in a
                                                             package of their own */
    digest->good &= tools_write_headers(tools, directory, folders);
    for (uint32_t i = 0; i < tools->count && digest->good; i++) {
        const char *const all[] = {folders[i], include_directory(), tools_directory(), runtime_directory()};
        struct word_list seen = {NULL, 0};
        for (uint32_t k = 0; k < tools->list[i].source_count; k++)
            add_includes(digest, tools->list[i].sources[k], all, sizeof all / sizeof *all, tools->arena,
                         &seen);
    }
}

static void digest_code(struct digest *digest, struct applied_tools *tools) {
    static const char *const commands[] = {"gcc", "g++", "as", "ld", "objcopy"};
    const char *directory = temporary_directory();
    digest->good &= directory != NULL;
    digest_folder(digest, tools);
    add_environment(digest);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char *command = format_string("%s-%s", usual_machine()->triple, commands[i]);
        add_command(digest, command);
        free(command);
    }
    add_below_sysroot(digest, "lib/libc.a");
    for (uint32_t i = 0; i < tools->options->to_analysis.count; i++)
        digest_text(digest, "compiler's word", tools->options->to_analysis.list[i]);
    for (uint32_t i = 0; i < tools->count; i++) {
        digest_text(digest, "tool", tools->list[i].prefix);
        digest_text(digest, "kind", tools->list[i].choice->instruments ? "instruments" : "");
        for (uint32_t k = 0; k < tools->list[i].source_count; k++)
            digest_file(digest, "code", tools->list[i].sources[k]);
    }
    digest->left_out = directory;
    if (digest->good && is_atomcs_own(tools))
        add_own_code(digest, tools, directory);
    else if (digest->good && !tools_preprocess(tools, directory, add_preprocessed, digest))
        digest->good = false;
}

/* The linker's files may be in any folder. */
static bool links_more(const struct applied_tools *tools) {
    bool more = tools->options->to_analysis_linker.list != NULL;
    for (uint32_t i = 0; i < tools->count; i++)
        more |= tools->list[i].choice->analysis_words != NULL;
    return more;
}

const char *find_code_key(struct applied_tools *tools) {
    struct digest digest = {.good = !links_more(tools)};
    if (tools->code_key_is_known)
        return tools->code_key;
    tools->code_key_is_known = true;
    SHA256Init(&digest.state);
    add_atomc(&digest, tools);
    if (digest.good)
        digest_code(&digest, tools);
    char *key = arena_allocate(tools->arena, CACHE_KEY + 1);
    SHA256End(&digest.state, key);
    tools->code_key = digest.good ? key : NULL;
    return tools->code_key;
}

/* True if it uses the name of the output, which is not in the key. */
static bool reads_output(const struct tool *tool) {
    bool found = strstr(tool->source->text, ".output");
    for (const struct statement *at = tool->statements; at; at = at->next)
        found |= strstr(at->where.source->text, ".output") != NULL;
    return found;
}

/* Code that runs while instrumenting may read any file. */
static bool may_read_more(const struct applied_tools *tools) {
    bool more = links_more(tools);
    for (uint32_t i = 0; i < tools->count; i++) {
        const struct applied_tool *applied = &tools->list[i];
        more |= applied->choice->instruments || applied->tool->use_count > 0 ||
                (tools->options->cached && reads_output(applied->tool));
    }
    return more;
}

/* ---- the program --------------------------------------------------------------------------------------- */

static void digest_program(struct digest *digest, const struct program *program) {
    digest_text(digest, "program", program->path);
    digest_bytes(digest, "mode", &program->mode, sizeof program->mode);
    digest_bytes(digest, "contents", program->image, program->image_size);
    for (uint32_t i = 0; i < program->library_count; i++) {
        digest_text(digest, "library", program->libraries[i]->path);
        digest_bytes(digest, "contents", program->libraries[i]->image, program->libraries[i]->image_size);
    }
    for (uint32_t i = 0; i < program->calls_count; i++) {
        const struct library_calls *calls = &program->calls[i];
        const uint64_t identity[] = {calls->size, calls->hash, calls->modified, calls->modified_nanoseconds};
        digest_bytes(digest, "needed", identity, sizeof identity);
    }
}

bool find_key(struct applied_tools *tools, const struct program *program, char key[CACHE_KEY + 1]) {
    struct digest digest = {.good = true};
    const struct options *options = tools->options;
    if (may_read_more(tools))
        return false;
    SHA256Init(&digest.state);
    if (tools_have_no_code(tools))
        add_atomc(&digest, tools);
    digest_text(&digest, "for", options->cached ? "itself" : "atomc run");
    for (uint32_t i = 0; i < options->run.words.count; i++)
        digest_text(&digest, "word", options->run.words.list[i]);
    for (uint32_t i = 0; i < tools->count; i++)
        add_sources(&digest, tools->list[i].tool);
    for (uint32_t i = 0; i < options->profiles.count; i++)
        digest_file(&digest, "profile", options->profiles.list[i]);
    digest_program(&digest, program);
    if (!tools_have_no_code(tools)) {
        const char *code = find_code_key(tools);
        digest.good &= code != NULL;
        digest_text(&digest, "code", code ? code : "");
    }
    SHA256End(&digest.state, key);
    return digest.good;
}
