/* launch.c: this process becomes the program: directly on Alpha, elsewhere under qemu-alpha. Requires
   /proc. Data for the runtime are in descriptors that the program never sees (runtime/process/atomc_run.c),
   so that its arguments and its environment are unchanged. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "codegen/machines.h"
#include "runs/run/runner.h"
#include "runtime/interface.h"

/* ---- descriptors ----------------------------------------------------------------------------------------- */

struct descriptors {
    int *list;
    size_t count, capacity;
};

static struct descriptors *list_descriptors(void) {
    struct descriptors *found = allocate_zeroed(1, sizeof *found);
    DIR *folder = opendir("/proc/self/fd");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        int number = atoi(entry->d_name);
        if (entry->d_name[0] == '.' || number == dirfd(folder))
            continue;
        VECTOR_RESERVE(found->list, found->count, found->capacity);
        found->list[found->count++] = number;
    }
    if (folder)
        closedir(folder);
    return found;
}

void descriptors_forget(struct descriptors *descriptors) {
    free(descriptors->list);
    free(descriptors);
}

struct descriptors *descriptors_note(void) {
    return list_descriptors();
}

static bool is_noted(const struct descriptors *noted, int number) {
    for (size_t i = 0; i < noted->count; i++)
        if (noted->list[i] == number)
            return true;
    return false;
}

/* Closes the descriptors that this process has opened, except for the three. */
static void close_opened(const struct descriptors *before, int first) {
    struct descriptors *now = list_descriptors();
    for (size_t i = 0; i < now->count; i++)
        if (!is_noted(before, now->list[i]) &&
            (first < 0 || now->list[i] < first || now->list[i] >= first + ATOMC_RUN_DESCRIPTORS))
            close(now->list[i]);
    descriptors_forget(now);
}

void descriptors_close_others(const struct descriptors *before) {
    close_opened(before, -1);
}

/* The first of consecutive free numbers outside of the program's range; -1: there are none. */
static int find_free_descriptors(void) {
    struct rlimit limit;
    int most =
        getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < INT_MAX ? (int)limit.rlim_cur : INT_MAX;
    for (int first = most < 1024 ? most / 2 : 700; first + ATOMC_RUN_DESCRIPTORS <= most; first++) {
        int used = 0;
        while (used < ATOMC_RUN_DESCRIPTORS && fcntl(first + used, F_GETFD) < 0)
            used++;
        if (used == ATOMC_RUN_DESCRIPTORS)
            return first;
    }
    errno = EMFILE;
    return -1;
}

/* The settings described in interface.h. */
static int make_settings(const struct launch *launch) {
    char *real = realpath(launch->path, NULL);
    int file = memfd_create("atomc run", MFD_CLOEXEC);
    const char *strings[] = {ATOMC_RUN_MARK, real ? real : launch->path, launch->name, launch->shown_name,
                             launch->whole ? launch->whole : ""};
    bool good = file >= 0;
    for (size_t i = 0; i < sizeof strings / sizeof *strings && good; i++)
        good = write(file, strings[i], strlen(strings[i]) + 1) == (ssize_t)strlen(strings[i]) + 1;
    free(real);
    if (good)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

/* The name under which the program will be opened, in ATOMC_RUN_FOLDER. -1 and errno after an error. */
static int place_descriptors(const struct launch *launch) {
    int settings = make_settings(launch), first = settings < 0 ? -1 : find_free_descriptors();
    if (first < 0 || dup2(launch->instrumented, first) < 0 ||
        dup2(settings, first + ATOMC_RUN_SETTINGS) < 0 ||
        (launch->shown >= 0 && dup2(launch->shown, first + ATOMC_RUN_SHOWN) < 0))
        return -1;
    return first;
}

/* ---- the emulator ---------------------------------------------------------------------------------------- */

struct words {
    char **list;
    size_t count, capacity;
};

static void add_to_words(struct words *words, const char *word) {
    VECTOR_RESERVE(words->list, words->count + 1, words->capacity);
    words->list[words->count++] = duplicate_string(word);
    words->list[words->count] = NULL;
}

static void forget_words(struct words *words) {
    for (size_t i = 0; i < words->count; i++)
        free(words->list[i]);
    free(words->list);
}

bool launch_is_emulated(const char *path) {
    return !machine_is_host(machine_of_program(path));
}

/* ATOMC_QEMU may contain options. */
static bool add_emulator(struct words *words, const struct machine_names *machine,
                         struct diagnostics *diagnostics) {
    const char *chosen = getenv("ATOMC_QEMU");
    char *text = duplicate_string(chosen && *chosen ? chosen : machine->emulator), *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        add_to_words(words, word);
    free(text);
    char *path = words->count ? find_command(words->list[0]) : NULL;
    if (!path && !(chosen && *chosen))
        path = find_command(machine->static_emulator);
    if (!path || !words->count) {
        diagnose(diagnostics, NULL, MESSAGE_NO_EMULATOR, words->count ? words->list[0] : "");
        diagnose_hint(diagnostics,
                      "install the Debian package qemu-user (or qemu-user-static), or set ATOMC_QEMU");
        return false;
    }
    free(words->list[0]);
    words->list[0] = path;
    if (words->count == 1) { /* a user who sets options also chooses the layout */
        char *version = emulator_version(path);
        for (const char *const *word = emulator_layout(version); *word; word++)
            add_to_words(words, *word);
        free(version);
    }
    return true;
}

/* Adds -L with the folder under which the program's dynamic linker is. */
static bool add_root(struct words *words, const struct launch *launch, const struct machine_names *machine,
                     struct diagnostics *diagnostics) {
    const char *own = getenv("ATOMC_SYSROOT"), *emulators = getenv("QEMU_LD_PREFIX");
    const char *root = launch->root ? launch->root : own && *own ? own : NULL;
    if (!launch->linker || (!root && emulators && *emulators))
        return true;
    char *linker = format_string("%s%s", root ? root : machine->sysroot, launch->linker);
    bool found = access(linker, R_OK) == 0;
    free(linker);
    if (found) {
        add_to_words(words, "-L");
        add_to_words(words, root ? root : machine->sysroot);
    } else if (!root && access(launch->linker, R_OK) == 0) {
        found = true; /* the path in the program */
    } else {
        diagnose(diagnostics, NULL, MESSAGE_NO_LINKER, launch->name, launch->linker,
                 root ? root : machine->sysroot);
        diagnose_hint(diagnostics,
                      root ? "--root=FOLDER or ATOMC_SYSROOT says where %s's libraries are"
                           : "install the Debian package %s, or set ATOMC_SYSROOT",
                      root ? machine->name : machine->library_package);
    }
    return found;
}

/* The command that executes the file. */
static bool make_program_command(struct words *words, const struct launch *launch, const char *file,
                                 const struct machine_names *machine, struct diagnostics *diagnostics) {
    if (!machine_is_host(machine)) {
        if (!add_emulator(words, machine, diagnostics) || !add_root(words, launch, machine, diagnostics))
            return false;
        add_to_words(words, "-0");
        add_to_words(words, launch->arguments[0] ? launch->arguments[0] : "");
        add_to_words(words, file);
    } else if (launch->arguments[0]) {
        add_to_words(words, launch->arguments[0]);
    }
    for (size_t i = 1; launch->arguments[0] && launch->arguments[i]; i++)
        add_to_words(words, launch->arguments[i]);
    return true;
}

enum run_status launch(const struct launch *launch, struct diagnostics *diagnostics) {
    const struct machine_names *machine = machine_of_program(launch->path);
    struct words words = {NULL, 0, 0};
    int first = launch->instrumented < 0 ? -1 : place_descriptors(launch);
    char *file = first < 0 ? duplicate_string(launch->path) : format_string("%s%d", ATOMC_RUN_FOLDER, first);
    if (first < 0 && launch->instrumented >= 0) {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_EXECUTE, launch->name, strerror(errno));
    } else if (make_program_command(&words, launch, file, machine, diagnostics) && words.count) {
        diagnostics_print(diagnostics, stderr);
        fflush(NULL);
        close_opened(launch->before, first);
        execve(machine_is_host(machine) ? file : words.list[0], words.list, launch->environment);
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_EXECUTE, words.list[0], strerror(errno));
    }
    forget_words(&words);
    free(file);
    return RUN_FAILED;
}
