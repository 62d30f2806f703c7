/* runner.h: what `atomc run` does with an instrumented program: it keeps it for the next time, and executes
   it in the place of this process, so that arguments, environment, descriptors, signals and the end are the
   program's own. Requires support.h, and runtime/interface.h for what the runtime is told; nothing of how
   programs are instrumented. */
#ifndef ATOMC_RUNNER_H
#define ATOMC_RUNNER_H

#include "support/support.h"

/* Of atomc run itself, as env and timeout have them; all others are the program's. */
enum run_status { RUN_FAILED = 125, RUN_CANNOT_EXECUTE = 126, RUN_NOT_FOUND = 127 };

/* ---- cache.c: what has been made is kept, each in a file of one folder, named by its key ---- */

enum { CACHE_KEY = 64 }; /* hexadecimal digits */

struct cache {
    char *folder;   /* NULL: nothing is kept */
    uint64_t limit; /* bytes of all of them */
    struct diagnostics *diagnostics;
};
/* ATOMC_CACHE, or the user's cache folder; made if it is missing. Where it cannot be used there is a warning.
 */
void cache_open(struct cache *cache, struct diagnostics *diagnostics);
void cache_close(struct cache *cache);
/* The file to execute, and in *messages what was said when it was made (the caller frees it). -1: it is not
   there, or damaged. */
int cache_find(const struct cache *cache, const char *key, char **messages);
/* The path under which it is to be made; the caller frees it. NULL: nothing is kept. */
char *cache_path_of_new(const struct cache *cache, const char *key);
/* Keeps what has been made there. What was used least recently goes, until all is within the limit. False: it
   cannot be kept, of which there is a warning, and is where it was. */
bool cache_keep(const struct cache *cache, const char *key, const char *path, const char *messages);
/* Other files that are made, with a key of theirs and a dot and a word behind it. Writes a copy of what is
   kept; false: it is not there. */
bool cache_copy(const struct cache *cache, const char *key, const char *path, char **messages);
/* Keeps a copy of the file. */
bool cache_keep_copy(const struct cache *cache, const char *key, const char *path, const char *messages);

/* What has just been kept: it need not be looked at. -1 and errno: it is gone already. */
int cache_open_kept(const struct cache *cache, const char *key);

/* ---- launch.c ---- */

struct launch {
    const char *path;       /* of the program as it was */
    const char *name;       /* the same as it was given: the kernel would execute that */
    char *const *arguments; /* the program's, its own name first; NULL behind the last */
    char *const *environment;
    int instrumented;           /* the file; -1: the program is executed as it is */
    int shown;                  /* where results are shown, -1: they are written to files */
    const char *shown_name;     /* of the program, among others there, or "" */
    char *whole;                /* name that .shown gets when the results are whole; NULL: it has its name */
    const char *linker;         /* path of the dynamic linker that the program names; NULL: it is static */
    const char *root;           /* folder of the libraries' folders; NULL: the usual one */
    struct descriptors *before; /* that this process had at its start */
};
/* Notes the descriptors that are open: the program gets those. */
struct descriptors *descriptors_note(void);
void descriptors_forget(struct descriptors *descriptors);
/* Executes it here. Returns only after an error, which is reported: what the process ends with. */
enum run_status launch(const struct launch *launch, struct diagnostics *diagnostics);
/* Does it start an emulator, not the program itself? */
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
