/* directories.c: the paths of the stock tools, the runtime and ATOM's headers: beside the executable in a
   build tree, and below the prefix in an installation. Requires /proc. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/driver.h"

static bool path_exists(const char *path) {
    struct stat status;
    return stat(path, &status) == 0;
}

/* The first of the candidates, relative to the executable's directory, that exists. Malloc'd. */
static char *find_candidate(const char *const *candidates, size_t count) {
    char executable[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    if (length <= 0)
        return duplicate_string(candidates[0]);
    executable[length] = '\0';
    char *slash = strrchr(executable, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; i < count; i++) {
        char *path = format_string("%s/%s", executable, candidates[i]);
        char *real = path_exists(path) ? realpath(path, NULL) : NULL;
        free(path);
        if (real)
            return real;
    }
    return duplicate_string(candidates[0]);
}

const char lone_hint[] = "atomc works beside its own files only: from where it was built or installed";

const char *program_of(const char *command) {
    static const char *candidates[2]; /* the message names one of them if both are missing */
    candidates[0] = format_string("atomc-%s", command);
    candidates[1] = format_string("../lib/atomc/%s", candidates[0]);
    return find_candidate(candidates, 2);
}

/* The directory of a file, in a build tree or installed: a prefix may have directories of these names with
   other files, as /usr has include/. The search is made once. */
static const char *find_folder(const char **found, const char *in_tree, const char *installed) {
    const char *const candidates[] = {in_tree, installed};
    if (!*found) {
        char *folder = find_candidate(candidates, 2), *slash = strrchr(folder, '/');
        if (slash)
            *slash = '\0';
        *found = folder;
    }
    return *found;
}

const char *tools_directory(void) {
    static const char *found;
    return find_folder(&found, "../stdtools/prof.atd", "../share/atomc/stdtools/prof.atd");
}

const char *packages_directory(void) {
    static const char *const candidates[] = {"../share/atomc/packages"};
    static const char *found;
    if (!found)
        found = find_candidate(candidates, 1);
    return found;
}

const char *runtime_directory(void) {
    static const char *found;
    return find_folder(&found, "runtime/runtime.o", "../lib/atomc/runtime/runtime.o");
}

const char *include_directory(void) {
    static const char *found;
    return find_folder(&found, "../atom/include/atomc-first.h", "../share/atomc/include/atomc-first.h");
}

const char *examples_directory(void) {
    static const char *found;
    return find_folder(&found, "../docs/examples/branch.atd", "../share/atomc/examples/branch.atd");
}

const char *gallery_directory(void) {
    static const char *found;
    return find_folder(&found, "../packages/gallery/calls", "../share/atomc/gallery/calls");
}
