/* objects.c: --objects: which libraries of a dynamic program are instrumented, and where they are: those that
   it needs, and those that these need, looked for as the dynamic linker would; and libraries that are named
   by their paths, which the program opens itself. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/driver.h"
#include "engine/dynamic.h"

enum { MOST = 255 }; /* libraries */

struct search {
    const struct options *options;
    const struct program *program;
    struct diagnostics *diagnostics;
    const char *root;
    struct program *found[MOST]; /* all that are needed, those that are wanted or not */
    bool wanted[MOST];
    uint32_t count;
    uint32_t used; /* numbers of bases */
};

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Is it in the list, by its file's name, or what that begins with up to ".so"? */
static bool is_named(const char *list, const char *name) {
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ",");
        if (strncmp(at, name, length) == 0 &&
            (name[length] == '\0' || strncmp(name + length, ".so", 3) == 0 || name[length] == '-'))
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

static bool is_there(const struct search *search, const char *name) {
    for (uint32_t k = 0; k < search->count; k++)
        if (strcmp(last_part(search->found[k]->path), last_part(name)) == 0)
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

/* The directories of a DT_RUNPATH or DT_RPATH, then the usual ones under the root. */
static const char *find_file(const struct search *search, const struct program *needing, const char *name) {
    static const char *const usual[] = {"/lib", "/usr/lib", "/lib/alpha-linux-gnu",
                                        "/usr/lib/alpha-linux-gnu"};
    struct arena *arena = search->options->arena;
    const char *list = dynamic_path(needing);
    while (*list) {
        size_t length = strcspn(list, ":"), origin = strlen("$ORIGIN");
        const char *directory = arena_string(arena, list, length), *slash = strrchr(needing->path, '/');
        const char *here = slash ? arena_string(arena, needing->path, (size_t)(slash - needing->path)) : ".";
        if (strncmp(directory, "$ORIGIN", origin) == 0)
            directory = arena_format(arena, "%s%s", here, directory + origin);
        const char *path = arena_format(arena, "%s/%s", directory, name);
        if (access(path, R_OK) == 0)
            return path;
        list += length + (list[length] == ':');
    }
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        const char *path = arena_format(arena, "%s%s/%s", search->root, usual[i], name);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

static bool add_needed(struct search *search, const struct program *needing, bool all) {
    const char *const list = search->options->objects_list;
    const char *name;
    for (uint32_t i = 0; (name = dynamic_needed(needing, i)); i++) {
        if (is_there(search, name))
            continue;
        const char *path = strchr(name, '/') ? name : find_file(search, needing, name);
        if (!path) {
            diagnose(search->diagnostics, NULL, MESSAGE_NO_LIBRARY, needing->path, name, search->root);
            return false;
        }
        if (!add_library(search, path, all || is_named(list, name)))
            return false;
    }
    return true;
}

/* The words of the list that name nothing. */
static bool check_names(const struct search *search) {
    struct arena *arena = search->options->arena;
    for (const char *at = search->options->objects_list; *at;) {
        size_t length = strcspn(at, ",");
        const char *word = arena_string(arena, at, length);
        bool known = strcmp(word, "main") == 0 || strcmp(word, "all") == 0 || strchr(word, '/');
        for (uint32_t k = 0; k < search->count; k++)
            known |= is_named(word, last_part(search->found[k]->path));
        if (!known) {
            diagnose(search->diagnostics, NULL, MESSAGE_NO_SUCH_LIBRARY, search->program->path, word);
            return false;
        }
        at += length + (at[length] == ',');
    }
    return true;
}

static bool add_plug_ins(struct search *search) {
    struct arena *arena = search->options->arena;
    for (const char *at = search->options->objects_list; *at;) {
        size_t length = strcspn(at, ",");
        const char *word = arena_string(arena, at, length);
        if (strchr(word, '/') && !is_there(search, word)) {
            if (!add_library(search, word, true))
                return false;
            search->found[search->count - 1]->is_plug_in = true;
        }
        at += length + (at[length] == ',');
    }
    return true;
}

static bool find_all(struct search *search) {
    const char *list = search->options->objects_list;
    bool all = has_word(list, "all");
    const char *linker =
        arena_format(search->options->arena, "%s%s", search->root, search->program->interpreter);
    bool good = add_library(search, linker, all || is_named(list, last_part(linker))) &&
                add_needed(search, search->program, all);
    for (uint32_t k = 0; good && k < search->count; k++)
        good = add_needed(search, search->found[k], all);
    return good && check_names(search) && add_plug_ins(search);
}

bool objects_read(const struct options *options, struct program *program, struct diagnostics *diagnostics) {
    const char *list = options->objects_list;
    if (!list || strcmp(list, "main") == 0)
        return true;
    if (!program->interpreter) {
        if (has_word(list, "main") || has_word(list, "all"))
            return true;
        diagnose(diagnostics, NULL, MESSAGE_NO_SUCH_LIBRARY, program->path, list);
        return false;
    }
    struct search *search = allocate_zeroed(1, sizeof *search);
    *search = (struct search){.options = options, .program = program, .diagnostics = diagnostics};
    search->root = options->root                                   ? options->root
                   : access("/usr/alpha-linux-gnu/lib", R_OK) == 0 ? "/usr/alpha-linux-gnu"
                                                                   : "";
    bool good = find_all(search);
    struct program **wanted = allocate_zeroed(MOST, sizeof *wanted);
    uint32_t count = 0;
    for (uint32_t k = 0; k < search->count; k++) {
        if (search->wanted[k])
            wanted[count++] = search->found[k];
        else
            program_close(search->found[k]);
    }
    free(search);
    program->left_out = !has_word(list, "main") && !has_word(list, "all");
    return libraries_join(program, wanted, count, diagnostics) && good;
}
