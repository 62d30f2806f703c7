/* load.c: compiles the user's C for this machine as a shared object and loads it into atomc. Requires a
   host C compiler; ATOM's interface is found in atomc itself, which exports it.
 */
#define _GNU_SOURCE /* dlinfo, struct link_map */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "atom/internal.h"

struct atom_library {
    void *handle;
    char *path;
    uintptr_t base, begin, end; /* its base address; its executable part */
    int descriptor;             /* the file, for its debug information */
    Dwarf *dwarf;               /* NULL: none */
};

/* ---- compiling ---------------------------------------------------------------------------------------- */

struct words {
    char **list;
    size_t count, capacity;
};

static void add_compiler_word(struct words *words, const char *word) {
    VECTOR_RESERVE(words->list, words->count + 1, words->capacity);
    words->list[words->count++] = duplicate_string(word);
    words->list[words->count] = NULL;
}

static void add_all(struct words *words, const char *const *list) {
    for (size_t i = 0; list && list[i]; i++)
        add_compiler_word(words, list[i]);
}

static void release(struct words *words) {
    for (size_t i = 0; i < words->count; i++)
        free(words->list[i]);
    free(words->list);
}

static bool has_suffix(const char *path, const char *suffix) {
    size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcmp(path + length - end, suffix) == 0;
}

/* Each call of the user's keeps its frame: errors are reported at its line. */
static void add_flags(struct words *words, const char *standard, bool cplusplus) {
    static const char *const flags[] = {"-g",
                                        "-O1",
                                        "-fPIC",
                                        "-shared",
                                        "-w",
                                        "-fno-optimize-sibling-calls",
                                        "-fno-omit-frame-pointer",
                                        "-Wl,-Bsymbolic"};
    add_compiler_word(words, cplusplus ? "g++" : "gcc");
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        add_compiler_word(words, flags[i]);
    if (!cplusplus)
        add_compiler_word(words, standard);
}

/* Compiles as C of 1989, or if that fails as C of the current standard. Objects and archives are linked
   unchanged, archives as a whole, because no code in the library refers to their contents. */
static int compile(const struct atom_sources *sources, const char *standard, bool needs_cplusplus,
                   char **output) {
    struct words words = {0};
    bool cplusplus = false;
    for (uint32_t i = 0; i < sources->count; i++)
        cplusplus |= is_cplusplus_source(sources->files[i]);
    add_flags(&words, standard, cplusplus);
    char *include = format_string("-I%s", sources->include_directory);
    char *first = format_string("%s/" FIRST_HEADER, sources->include_directory);
    add_compiler_word(&words, include);
    add_compiler_word(&words, "-include");
    add_compiler_word(&words, first);
    add_all(&words, sources->compile_words);
    add_compiler_word(&words, "-o");
    add_compiler_word(&words, sources->output);
    for (uint32_t i = 0; i < sources->count; i++) {
        bool archive = has_suffix(sources->files[i], ".a"), c = cplusplus && is_c_source(sources->files[i]);
        add_compiler_word(&words, archive ? "-Wl,--whole-archive" : c ? "-xc" : "-xnone");
        add_compiler_word(&words, sources->files[i]);
        if (archive)
            add_compiler_word(&words, "-Wl,--no-whole-archive");
    }
    add_all(&words, sources->link_words);
    add_all(&words, sources->more_link_words);
    if (needs_cplusplus && !cplusplus)
        add_compiler_word(&words, "-lstdc++");
    int status = run_command(words.list, output);
    if (status == -1 || status == 127)
        status = -1;
    free(include);
    free(first);
    release(&words);
    return status;
}

static bool has_objects(const struct atom_sources *sources) {
    bool found = false;
    for (uint32_t i = 0; i < sources->count; i++)
        found |= !is_c_source(sources->files[i]) && !is_cplusplus_source(sources->files[i]);
    return found;
}

bool atom_build(const struct atom_sources *sources, struct diagnostics *diagnostics) {
    char *output = NULL, *again = NULL, *alone = NULL;
    bool objects = has_objects(sources); /* they may have been compiled from C++ */
    int status = compile(sources, "-std=gnu89", objects, &output);
    if (status > 0 && (compile(sources, "-std=gnu17", objects, &again) == 0 ||
                       (objects && compile(sources, "-std=gnu89", false, &alone) == 0)))
        status = 0;
    if (status < 0) {
        diagnose(diagnostics, NULL, MESSAGE_ATOM_NO_COMPILER);
    } else if (status > 0) {
        size_t length = output ? strlen(output) : 0;
        if (length && output[length - 1] == '\n')
            output[length - 1] = '\0';
        diagnose(diagnostics, NULL, MESSAGE_ATOM_COMPILE_FAILED, sources->files[0], output ? output : "");
    }
    free(output);
    free(again);
    free(alone);
    return status == 0;
}

/* ---- loading ------------------------------------------------------------------------------------------ */

static int note_extent(struct dl_phdr_info *info, size_t size, void *context) {
    struct atom_library *library = context;
    (void)size;
    if (info->dlpi_addr != library->base || strcmp(info->dlpi_name, library->path) != 0)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X))
            continue;
        library->begin = library->base + header->p_vaddr;
        library->end = library->begin + header->p_memsz;
    }
    return 1;
}

/* Its own names have priority over other names of the process. */
static struct atom_library *load(const char *path, struct diagnostics *diagnostics) {
    int binding = RTLD_NOW | RTLD_LOCAL;
#ifndef __SANITIZE_ADDRESS__ /* each library has its own names */
    binding |= RTLD_DEEPBIND;
#endif
    void *handle = dlopen(path, binding);
    struct link_map *map = NULL;
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
        diagnose(diagnostics, NULL, MESSAGE_ATOM_LOAD_FAILED, dlerror());
        return NULL;
    }
    struct atom_library *library = allocate_zeroed(1, sizeof *library);
    library->handle = handle;
    library->path = duplicate_string(path);
    library->base = map->l_addr;
    dl_iterate_phdr(note_extent, library);
    library->descriptor = open(path, O_RDONLY | O_CLOEXEC);
    library->dwarf = library->descriptor >= 0 ? dwarf_begin(library->descriptor, DWARF_C_READ) : NULL;
    return library;
}

/* The directory in which atomc was started, even if the user's code changes it. */
static const char *start_directory(void) {
    static char *directory;
    if (!directory)
        directory = getcwd(NULL, 0);
    return directory ? directory : "";
}

struct atom_library *atom_load(const struct atom_sources *sources, struct diagnostics *diagnostics) {
    start_directory();
    return atom_build(sources, diagnostics) ? load(sources->output, diagnostics) : NULL;
}

void atom_unload(struct atom_library *library) {
    if (!library)
        return;
    dwarf_end(library->dwarf);
    if (library->descriptor >= 0)
        close(library->descriptor);
    dlclose(library->handle);
    free(library->path);
    free(library);
}

const char *atom_library_path(const struct atom_library *library) {
    return library->path;
}

void *atom_symbol(const struct atom_library *library, const char *name) {
    void *address = dlsym(library->handle, name);
    return library_contains(library, address) ? address : NULL;
}

uintptr_t library_base(const struct atom_library *library) {
    return library->base;
}

bool library_contains(const struct atom_library *library, const void *address) {
    return (uintptr_t)address >= library->begin && (uintptr_t)address < library->end;
}

/* The path as the user wrote it, if that was relative to the working directory. */
static const char *relative(const char *path) {
    const char *directory = start_directory();
    size_t length = strlen(directory);
    bool inside = length && strncmp(path, directory, length) == 0 && path[length] == '/';
    return inside ? path + length + 1 : path;
}

char *read_user_file(const char *path, size_t *length) {
    if (path[0] == '/')
        return read_file(path, length);
    char *whole = format_string("%s/%s", start_directory(), path), *text = read_file(whole, length);
    free(whole);
    return text;
}

bool debug_line(Dwarf *dwarf, uint64_t address, const char **file, uint32_t *line) {
    Dwarf_Die unit;
    Dwarf_Line *record = dwarf_addrdie(dwarf, address, &unit) ? dwarf_getsrc_die(&unit, address) : NULL;
    int number;
    *file = record ? dwarf_linesrc(record, NULL, NULL) : NULL;
    if (!*file || dwarf_lineno(record, &number) != 0 || number <= 0)
        return false;
    *file = relative(*file);
    *line = (uint32_t)number;
    return true;
}

bool library_line(const struct atom_library *library, const void *address, const char **file,
                  uint32_t *line) {
    return library->dwarf && debug_line(library->dwarf, (uintptr_t)address - library->base, file, line);
}
