/* runner.h: how `atomc run` handles an instrumented program: it caches it, and executes it in place of this
   process, so that arguments, environment, descriptors, signals and the end are the program's own. Requires
   support.h, and runtime/interface.h for the data passed to the runtime; it does not depend on how programs
   are instrumented. */
#ifndef ATOMC_RUNNER_H
#define ATOMC_RUNNER_H

#include "support/support.h"

/* For errors of atomc run itself, as with env and timeout; all other statuses are the program's. */
enum run_status { RUN_FAILED = 125, RUN_CANNOT_EXECUTE = 126, RUN_NOT_FOUND = 127 };

/* ---- cache.c: what has been made is kept, each in a file of one folder, named by its key ---- */

enum { CACHE_KEY = 64 }; /* hexadecimal digits */

struct cache {
    char *folder;   /* NULL: nothing is cached */
    uint64_t limit; /* bytes of all of them */
    struct diagnostics *diagnostics;
};
/* ATOMC_CACHE, or the user's cache folder; it is made if it is missing. Warns if it cannot be used.
 */
void cache_open(struct cache *cache, struct diagnostics *diagnostics);
void cache_close(struct cache *cache);
/* The file to execute, and in *messages the messages of its making (the caller frees them). -1: it is not
   there, or damaged. */
int cache_find(const struct cache *cache, const char *key, char **messages);
/* The path under which it is to be made; the caller frees it. NULL: nothing is cached. */
char *cache_path_of_new(const struct cache *cache, const char *key);
/* Adds the file that has been made there. Removes the least recently used files until all are within the
   limit. Returns false, after a warning, if that is impossible; then the file stays where it is. */
bool cache_keep(const struct cache *cache, const char *key, const char *path, const char *messages);
/* Other cached files, with their own key, followed by a dot and a word. Writes a copy; returns false if it
   is not in the cache. */
bool cache_copy(const struct cache *cache, const char *key, const char *path, char **messages);
/* Keeps a copy of the file. */
bool cache_keep_copy(const struct cache *cache, const char *key, const char *path, const char *messages);

/* For a file that has just been added: it need not be verified. -1 and errno: it is gone already. */
int cache_open_kept(const struct cache *cache, const char *key);

/* ---- launch.c ---- */

struct launch {
    const char *path;       /* of the uninstrumented program */
    const char *name;       /* the path as given, which the kernel would execute */
    char *const *arguments; /* the program's, its own name first; NULL-terminated */
    char *const *environment;
    int instrumented;       /* the file; -1: the program is executed uninstrumented */
    int shown;              /* where results are shown; -1: they are written to files */
    const char *shown_name; /* of the program, if others write there, too; or "" */
    /* name that .shown gets when the results are complete; NULL: it has its name */
    char *whole;
    const char *linker;         /* path of the dynamic linker that the program names; NULL: it is static */
    const char *root;           /* folder of the libraries' folders; NULL: the usual one */
    struct descriptors *before; /* that this process had at its start */
};
/* Records the open descriptors: those are for the program. */
struct descriptors *descriptors_note(void);
void descriptors_forget(struct descriptors *descriptors);
/* Executes it in this process. Returns only after an error, which is reported: the exit status. */
enum run_status launch(const struct launch *launch, struct diagnostics *diagnostics);
/* True if it starts an emulator, not the program itself. */
bool launch_is_emulated(void);

/* Closes all that this process has opened. */
void descriptors_close_others(const struct descriptors *before);

/* ---- follow.c ---- */

/* This process becomes the program, which may be any, and is traced: each Alpha program that it or its
   children execute is executed by atomc, which finds the words of the command line by followed_here().
   Returns only after an error. */
enum run_status follow(const char *path, const char *name, char *const *arguments, char *const *words,
                       int shown, const struct descriptors *before, struct diagnostics *diagnostics);
/* What atomc has been executed for. */
struct followed {
    const char *name, *path; /* of the program */
    char **arguments;        /* its own */
    char **environment;      /* its own; this process has that of `atomc run` */
    const char *folder;      /* in which `atomc run` began */
    char **words;            /* of `atomc run` */
    int word_count;
    int shown; /* where results are shown, -1: nowhere */
};
/* NULL: this is no process that was redirected. */
struct followed *followed_here(char **arguments);

/* ---- search.c ---- */

/* The file of a command: the word itself if it has a slash, else the first executable file in PATH; NULL and
   errno: there is none. The caller frees it. */
char *find_command(const char *word);

/* ---- emulator.c ---- */

/* The words, ending with NULL, with which an emulator of this version (the first line that `qemu-alpha
   --version` prints) has a program's memory at the same addresses in each run; none where it has so anyway,
   or where this process may not reserve so many addresses. */
const char *const *emulator_layout(const char *version);
/* That line, allocated; NULL: there is none. */
char *emulator_version(const char *path);

#endif
