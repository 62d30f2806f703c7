/* objects.c: --objects: selects the libraries of a dynamic program that are instrumented, and finds their
   paths: libraries that the program needs, directly or indirectly, in the dynamic linker's order; and
   libraries that are named by their paths, which the program loads itself. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codegen/machines.h"
#include "driver/driver.h"
#include "engine/engine.h"

enum { MOST = 255 }; /* libraries */

struct search {
    const struct options *options;
    const struct program *program;
    struct diagnostics *diagnostics;
    const char *root;
    struct program *found[MOST]; /* all libraries that are needed, instrumented or not */
    bool wanted[MOST];
    uint32_t count;
    uint32_t used;    /* numbers of bases */
    const char *list; /* of --objects */
    bool *matched;    /* per word of -incobj and -excobj: it names an object */
};

static const char *file_name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* True for the file's name, or its beginning: up to ".so", to a dot after that, or to a dash. */
static bool begins_name(const char *word, size_t length, const char *name) {
    if (length == 0 || strncmp(word, name, length) != 0)
        return false;
    const char *suffix = strstr(name, ".so"), *rest = name + length;
    return *rest == '\0' || *rest == '-' || rest == suffix || (*rest == '.' && suffix && rest > suffix);
}

/* True if the list contains it, by such a name. */
static bool is_named(const char *list, const char *name) {
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ",");
        if (begins_name(at, length, name))
            return true;
        at += length + (at[length] == ',');
    }
    return false;
}

static bool has_word(const char *list, const char *word) {
    size_t wanted = strlen(word);
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ",");
        if (length == wanted && strncmp(at, word, length) == 0)
            return true;
        at += length + (at[length] == ',');
    }
    return false;
}

static bool name_same_file(const char *a, const char *b) {
    struct stat left, right;
    return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev &&
           left.st_ino == right.st_ino;
}

/* True if the library is instrumented, including -incobj and -excobj. The last of these that names it takes
   effect. */
static bool is_object_wanted(struct search *search, const char *path, bool wanted) {
    const struct options *options = search->options;
    for (uint32_t i = 0; i < options->object_count; i++) {
        const char *name = options->objects[i];
        if (!is_named(name, file_name_of(path)) && !(strchr(name, '/') && name_same_file(name, path)))
            continue;
        search->matched[i] = true;
        wanted = options->includes[i];
    }
    return wanted;
}

/* The same for the program. */
static bool is_program_wanted(struct search *search, bool wanted) {
    const struct options *options = search->options;
    const char *path = search->program->path;
    for (uint32_t i = 0; i < options->object_count; i++) {
        const char *name = options->objects[i];
        if (strcmp(name, file_name_of(path)) != 0 && !(strchr(name, '/') && name_same_file(name, path)))
            continue;
        search->matched[i] = true;
        wanted = options->includes[i];
    }
    return wanted;
}

static bool is_there(const struct search *search, const char *name) {
    for (uint32_t k = 0; k < search->count; k++)
        if (strcmp(file_name_of(search->found[k]->path), file_name_of(name)) == 0)
            return true;
    return false;
}

static bool add_library(struct search *search, const char *path, bool wanted) {
    if (search->count == MOST) {
        diagnose(search->diagnostics, NULL, MESSAGE_PROGRAM_NOT_DYNAMIC, search->program->path,
                 "it has too many libraries");
        return false;
    }
    struct program *library =
        library_open(path, LIBRARIES_BASE + search->used * LIBRARY_ROOM, search->diagnostics);
    if (!library)
        return false;
    const struct segment *last = &library->segments[library->segment_count - 1];
    if (last->address + last->memory_size - library->base > LIBRARY_ROOM) {
        diagnose(search->diagnostics, NULL, MESSAGE_PROGRAM_NOT_DYNAMIC, path, "it is larger than 4 GB");
        program_close(library);
        return false;
    }
    search->used += wanted;
    search->wanted[search->count] = wanted;
    search->found[search->count++] = library;
    return true;
}

/* Searches the directories of DT_RUNPATH or DT_RPATH, then the directories of -L, then the default
   directories under the root. */
static const char *find_library_file(const struct search *search, const char *needing, const char *list,
                                     const char *name) {
    struct arena *arena = search->options->arena;
    const char *triple = usual_machine()->triple;
    const char *const usual[] = {"/lib", "/usr/lib", arena_format(arena, "/lib/%s", triple),
                                 arena_format(arena, "/usr/lib/%s", triple)};
    while (*list) {
        size_t length = strcspn(list, ":"), origin = strlen("$ORIGIN");
        const char *directory = arena_string(arena, list, length), *slash = strrchr(needing, '/');
        const char *here = slash ? arena_string(arena, needing, (size_t)(slash - needing)) : ".";
        bool beside = strncmp(directory, "$ORIGIN", origin) == 0;
        if (beside)
            directory = arena_format(arena, "%s%s", here, directory + origin);
        const char *path = arena_format(arena, "%s%s/%s", beside ? "" : search->root, directory, name);
        if (access(path, R_OK) == 0)
            return path;
        path = arena_format(arena, "%s/%s", directory, name);
        if (access(path, R_OK) == 0)
            return path;
        list += length + (list[length] == ':');
    }
    const struct word_list *folders = &search->options->library_folders;
    for (uint32_t i = 0; i < folders->count; i++) {
        const char *path = arena_format(arena, "%s/%s", folders->list[i], name);
        if (access(path, R_OK) == 0)
            return path;
    }
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        const char *path = arena_format(arena, "%s%s/%s", search->root, usual[i], name);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

static bool add_needed(struct search *search, const struct program *needing, bool all) {
    const char *name;
    for (uint32_t i = 0; (name = dynamic_needed(needing, i)); i++) {
        if (is_there(search, name))
            continue;
        const char *path =
            strchr(name, '/') ? name : find_library_file(search, needing->path, dynamic_path(needing), name);
        if (!path) {
            diagnose(search->diagnostics, NULL, MESSAGE_NO_LIBRARY, needing->path, name, search->root);
            return false;
        }
        if (!add_library(search, path, is_object_wanted(search, path, all || is_named(search->list, name))))
            return false;
    }
    return true;
}

/* Names the libraries that the program has. */
static void hint_at_libraries(const struct search *search) {
    struct arena *arena = search->options->arena;
    const char *names = NULL;
    for (uint32_t k = 0; k < search->count; k++) {
        const char *name = file_name_of(search->found[k]->path);
        names = names ? arena_format(arena, "%s, %s", names, name) : name;
    }
    if (!search->program->interpreter)
        diagnose_hint(search->diagnostics, "it is linked statically: all of it is in the program itself");
    else if (names)
        diagnose_hint(search->diagnostics, "it has %s; a plug-in is named by its path", names);
}

/* The words of the list that match no object. */

static bool check_names(const struct search *search) {
    struct arena *arena = search->options->arena;
    for (const char *at = search->list; *at;) {
        size_t length = strcspn(at, ",");
        const char *word = arena_string(arena, at, length);
        bool known = strcmp(word, "main") == 0 || strcmp(word, "all") == 0 || strchr(word, '/');
        for (uint32_t k = 0; k < search->count; k++)
            known |= is_named(word, file_name_of(search->found[k]->path));
        if (!known) {
            diagnose(search->diagnostics, NULL, MESSAGE_NO_SUCH_LIBRARY, search->program->path, word);
            hint_at_libraries(search);
            return false;
        }
        at += length + (at[length] == ',');
    }
    return true;
}

static bool add_plug_in(struct search *search, const char *path) {
    if (!add_library(search, path, true))
        return false;
    search->found[search->count - 1]->is_plug_in = true;
    return true;
}

static bool add_plug_ins(struct search *search) {
    struct arena *arena = search->options->arena;
    for (const char *at = search->list; *at;) {
        size_t length = strcspn(at, ",");
        const char *word = arena_string(arena, at, length);
        if (strchr(word, '/') && !is_there(search, word) && is_object_wanted(search, word, true) &&
            !add_plug_in(search, word))
            return false;
        at += length + (at[length] == ',');
    }
    const struct options *options = search->options;
    for (uint32_t i = 0; i < options->object_count; i++) {
        const char *word = options->objects[i];
        if (!search->matched[i] && options->includes[i] && strchr(word, '/') &&
            is_object_wanted(search, word, true) && !add_plug_in(search, word))
            return false;
    }
    return true;
}

/* Each word of -incobj and -excobj must match an object. */
static bool check_words(const struct search *search) {
    const struct options *options = search->options;
    bool good = true;
    for (uint32_t i = 0; i < options->object_count; i++) {
        if (search->matched[i])
            continue;
        if (search->program->interpreter)
            diagnose(search->diagnostics, NULL, MESSAGE_NO_SUCH_LIBRARY, search->program->path,
                     options->objects[i]);
        else
            diagnose(search->diagnostics, NULL, MESSAGE_NO_OBJECT,
                     options->includes[i] ? "-incobj" : "-excobj", options->objects[i],
                     search->program->path);
        good = false;
    }
    return good;
}

static bool find_all(struct search *search) {
    bool all = has_word(search->list, "all");
    const char *linker =
        arena_format(search->options->arena, "%s%s", search->root, search->program->interpreter);
    bool wanted = is_object_wanted(search, linker, all || is_named(search->list, file_name_of(linker)));
    bool good = add_library(search, linker, wanted) && add_needed(search, search->program, all);
    for (uint32_t k = 0; good && k < search->count; k++)
        good = add_needed(search, search->found[k], all);
    bool given = search->options->objects_list; /* needs of tools apply only to existing libraries */
    return good && (!given || check_names(search)) && add_plug_ins(search) && check_words(search);
}

/* Adds the selected libraries to the program. */
static bool join_libraries(struct search *search, struct program *program) {
    struct program *wanted[MOST];
    uint32_t count = 0;
    for (uint32_t k = 0; k < search->count; k++) {
        if (search->wanted[k])
            wanted[count++] = search->found[k];
        else
            program_close(search->found[k]);
    }
    return libraries_join(program, wanted, count, search->diagnostics);
}

static const char *library_root(const struct options *options) {
    const char *chosen = getenv("ATOMC_SYSROOT");
    if (options->root)
        return options->root;
    if (chosen && *chosen)
        return chosen;
    const char *root = usual_machine()->sysroot;
    return access(arena_format(options->arena, "%s/lib", root), R_OK) == 0 ? root : "";
}

/* Adds libraries that are loaded before all others, from a list in the root, or, for an emulator, in the
   system. */
static void add_preloaded(const struct search *search, struct loaded_library *loaded, uint32_t *count) {
    static const char list[] = "/etc/ld.so.preload";
    struct arena *arena = search->options->arena;
    size_t length;
    char *text = read_file(arena_format(arena, "%s%s", search->root, list), &length);
    if (!text)
        text = read_file(list, &length);
    for (char *line = text; line && *line; line += strcspn(line, "\n"), line += *line == '\n')
        for (const char *at = line; *at && *at != '\n' && *at != '#';) {
            size_t name = strcspn(at, " \t:\n#");
            if (name && *count < MOST)
                loaded[(*count)++].name = arena_string(arena, at, name);
            at += name + strspn(at + name, " \t:");
        }
    free(text);
}

static bool is_loaded(const struct loaded_library *loaded, uint32_t count, const char *name) {
    for (uint32_t k = 0; k < count; k++)
        if (strcmp(file_name_of(loaded[k].name), file_name_of(name)) == 0)
            return true;
    return false;
}

/* Prefers the path below the root, if the file exists there. */
static const char *find_loaded(const struct search *search, const char *name, const char *needing,
                               const char *directories) {
    struct arena *arena = search->options->arena;
    if (!strchr(name, '/'))
        return find_library_file(search, needing, directories, name);
    const char *path = arena_format(arena, "%s%s", search->root, name);
    return access(path, R_OK) == 0   ? path
           : access(name, R_OK) == 0 ? arena_string(arena, name, strlen(name))
                                     : NULL;
}

/* Finds all libraries that will be loaded, and their system calls; the runtime searches libraries that were
   not found here. */
static void find_object_calls(const struct search *search, struct program *program) {
    struct arena *arena = search->options->arena;
    struct loaded_library *loaded = arena_allocate(arena, MOST * sizeof *loaded);
    const char *needing[MOST], *directories[MOST], *name; /* directories of each object that needs it */
    uint32_t count = 0;
    loaded[count++].name = program->interpreter;
    add_preloaded(search, loaded, &count);
    for (uint32_t i = 0; count < MOST && (name = dynamic_needed(program, i)); i++)
        if (!is_loaded(loaded, count, name))
            loaded[count++].name = name;
    for (uint32_t i = 0; i < count; i++) {
        needing[i] = program->path;
        directories[i] = dynamic_path(program);
    }
    for (uint32_t done = 0; done < count; done++) {
        const char *path = find_loaded(search, loaded[done].name, needing[done], directories[done]);
        const struct library_calls *calls = path ? library_calls_add(program, path) : NULL;
        loaded[done].path = path;
        for (uint32_t i = 0; calls && i < calls->needed_count && count < MOST; i++)
            if (!is_loaded(loaded, count, calls->needed[i])) {
                needing[count] = path;
                directories[count] = calls->directories;
                loaded[count++].name = calls->needed[i];
            }
    }
    program->loaded = loaded;
    program->loaded_count = count;
}

static bool read_objects(struct search *search, struct options *options, struct program *program) {
    bool main = has_word(search->list, "main") || has_word(search->list, "all");
    bool wanted = is_program_wanted(search, main), more = strcmp(search->list, "main") != 0;
    for (uint32_t i = 0; i < options->object_count; i++)
        more |= !search->matched[i];
    options->excludes_program = main && !wanted;
    if (!program->interpreter) {
        if (!main) {
            diagnose(search->diagnostics, NULL, MESSAGE_NO_SUCH_LIBRARY, program->path, search->list);
            hint_at_libraries(search);
        }
        return check_words(search) && main;
    }
    program->left_out = !wanted;
    find_object_calls(search, program);
    if (!more)
        return true;
    bool good = find_all(search);
    return join_libraries(search, program) && good;
}

bool objects_read(struct options *options, struct program *program, struct diagnostics *diagnostics) {
    struct search *search = allocate_zeroed(1, sizeof *search);
    *search = (struct search){.options = options, .program = program, .diagnostics = diagnostics};
    search->list = options->objects_list     ? options->objects_list
                   : options->needed_objects ? options->needed_objects
                                             : "main";
    search->root = library_root(options);
    search->matched = allocate_zeroed((size_t)options->object_count + 1, sizeof *search->matched);
    bool good = read_objects(search, options, program);
    free(search->matched);
    free(search);
    return good;
}
