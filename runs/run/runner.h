/* runner.h: how `atomc run` handles an instrumented program. It caches the program, and executes it in place
   of this process, so that arguments, environment, descriptors, signals and the end are the program's own.
   Requires support.h, and runtime/interface.h for the data passed to the runtime; it does not depend on how
   programs are instrumented. */
#ifndef ATOMC_RUNNER_H
#define ATOMC_RUNNER_H

#include "support/support.h"

/* Statuses for errors of atomc run itself, as with env and timeout; all other statuses are statuses of the
   program. */
enum run_status { RUN_FAILED = 125, RUN_CANNOT_EXECUTE = 126, RUN_NOT_FOUND = 127 };

/* ---- cache.c: a cache of results, each in a file of one folder, named by its key ------------ */

enum { CACHE_KEY = 64 }; /* hexadecimal digits */

struct cache {
    char *folder;   /* NULL: no file is cached */
    uint64_t limit; /* bytes of all of them */
    struct diagnostics *diagnostics;
};
/* ATOMC_CACHE, or the user's cache folder; it is made if it is missing. Warns if it cannot be used.
 */
void cache_open(struct cache *cache, struct diagnostics *diagnostics);
void cache_close(struct cache *cache);
/* The file to execute. *messages: the messages of its making (the caller frees them). -1: there is no such
   file, or it is damaged. */
int cache_find(const struct cache *cache, const char *key, char **messages);
/* The path under which it is to be made; the caller frees it. NULL: no file is cached. */
char *cache_path_of_new(const struct cache *cache, const char *key);
/* Adds the new file to the cache. Removes the least recently used files until the rest is within the limit.
   Returns false, after a warning, if that is impossible; then the file is not moved. */
bool cache_keep(const struct cache *cache, const char *key, const char *path, const char *messages);
/* Further cached files, with their own key, followed by a dot and a word. Writes a copy; returns false if it
   is not in the cache. */
bool cache_copy(const struct cache *cache, const char *key, const char *path, char **messages);
/* Keeps a copy of the file. */
bool cache_keep_copy(const struct cache *cache, const char *key, const char *path, const char *messages);

/* For a file that has just been added: it need not be verified. -1 and errno: the file has already been
   removed. */
int cache_open_kept(const struct cache *cache, const char *key);

/* ---- launch.c ---- */

struct launch {
    const char *path;       /* path of the uninstrumented program */
    const char *name;       /* the path as given, which the kernel would execute */
    char *const *arguments; /* the program's, its own name first; NULL-terminated */
    char *const *environment;
    int instrumented;       /* descriptor of the file; -1: the program is executed uninstrumented */
    int shown;              /* descriptor where results are shown; -1: they are written to files */
    const char *shown_name; /* name of the program, if other processes write there, too; or "" */
    /* name that .shown gets when the results are complete; NULL: .shown is not renamed */
    char *whole;
    const char *linker;         /* path of the dynamic linker that the program names; NULL: the program is
                                   static */
    const char *root;           /* folder of the libraries' folders; NULL: the usual folder */
    struct descriptors *before; /* limit that this process had at its start */
};
/* Records the open descriptors, which are for the program. */
struct descriptors *descriptors_note(void);
void descriptors_forget(struct descriptors *descriptors);
/* Executes it in this process. Returns only after an error, which is reported: the exit status. */
enum run_status launch(const struct launch *launch, struct diagnostics *diagnostics);
/* True if it starts an emulator for the program, not the program itself. */
bool launch_is_emulated(const char *path);

/* Closes all that this process has opened. */
void descriptors_close_others(const struct descriptors *before);

/* ---- follow.c ---- */

/* This process becomes the program, which may be any program, and is traced. Each Alpha program that it or
   its children execute is executed by atomc, which finds the words of the command line by followed_here().
   Returns only after an error. */
enum run_status follow(const char *path, const char *name, char *const *arguments, char *const *words,
                       int shown, const struct descriptors *before, struct diagnostics *diagnostics);
/* The program that atomc has been executed for. */
struct followed {
    const char *name, *path; /* of the program */
    char **arguments;        /* its own */
    char **environment;      /* its own; this process has that of `atomc run` */
    const char *folder;      /* the directory in which `atomc run` began */
    char **words;            /* of `atomc run` */
    int word_count;
    int shown; /* descriptor where results are shown; -1: they are not shown */
};
/* NULL: this is no process that was redirected. */
struct followed *followed_here(char **arguments);

/* ---- search.c ---- */

/* The file of a command: the word itself if it has a slash, else the first executable file in PATH; NULL and
   errno: there is none. The caller frees it. */
char *find_command(const char *word);

/* ---- emulator.c ---- */

/* The words, ending with NULL, with which an emulator of this version (the first line that
   `qemu-alpha --version` prints) maps a program's memory at the same addresses in each run. There are none if
   the emulator does so without them, or if this process may not reserve enough addresses. */
const char *const *emulator_layout(const char *version);
/* That line, allocated; NULL: there is none. */
char *emulator_version(const char *path);

#endif
