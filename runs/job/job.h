/* job.h: a run described by a file (docs/job.md): its description, its key, its execution in a fixed place
   under limits, and the folder with its results. Requires support.h, jansson, zstd, and atomc, which
   instruments; it does not depend on how atomc does that. */
#ifndef ATOMC_JOB_H
#define ATOMC_JOB_H

#include <signal.h>
#include <sys/types.h>

#include "codegen/machines.h"
#include "support/document.h"
#include "support/json.h"
#include "support/support.h"

enum { JOB_DIGEST = 64 }; /* hexadecimal digits */

/* ---- read.c: the description ---- */

enum job_isolation { JOB_ANY, JOB_SANDBOX, JOB_PLAIN };
extern const char *const job_isolation_words[];

struct job_limits {
    int64_t seconds, memory_mb, output_mb, file_mb, disk_mb, processes;
};

/* A cache of atomc's and the emulator's output, and of digests of files, for callers that need the keys of
   many jobs.
 */
struct job_memory {
    json_t *said, *digests;
};

/* All texts are the document's. */
struct job {
    struct document document;
    json_t *given;     /* the document with absolute paths and all defaults */
    json_t *canonical; /* the input of the key's digest; job_find_key() sets it */
    char key[JOB_DIGEST + 1];
    json_t *tools; /* atomc's description of each; job_find_key() sets it */
    const char *program, *name, *root;
    const char *objects; /* NULL: the objects that the tools need, known with the key (key.c) */
    bool needs_objects;  /* a tool needs more than the program */
    const char *input;   /* NULL: none */
    enum job_isolation isolation;
    bool check_output; /* run the uninstrumented program as well, and compare */
    int64_t repeat;
    struct job_limits limits;
    char *version, *build, *emulator; /* version of atomc; the emulator's version */
    struct job_memory *memory;        /* NULL: each job starts the commands itself */
    struct diagnostics *diagnostics;
};
/* False after an error, which is reported. job_close() in each case, after the diagnostics were printed. */
bool job_read(struct job *job, const char *path, struct diagnostics *diagnostics);
/* Reads a text, which messages call by that name. */
bool job_read_text(struct job *job, const char *name, const char *text, struct diagnostics *diagnostics);
void job_close(struct job *job);
/* The folder that dynamic programs find libraries in. */
const char *job_root(const struct job *job);

/* ---- key.c: digests ---- */

/* False, and errno. */
bool file_digest(const char *path, char digest[JOB_DIGEST + 1], uint64_t *bytes);
/* Runs atomc and the emulator; sets ->canonical, ->key, ->tools and the versions, and puts digests into
   ->given. Returns false after an error: a file is not of the kind that the job requires, or a tool has no
   such parameter. */
bool job_find_key(struct job *job);
/* Checks a tool, {"name" or "path", "code"}, and the member "parameters" beside it, in any document. The tool
   must exist, and have these parameters, and the values, or lists of values, must have their types. Errors
   are reported at the document's place. */
bool job_check_tool(struct job_memory *memory, const json_t *tool, const struct node *where);

/* ---- command.c: commands and their words ---- */

struct command {
    char **words; /* NULL-terminated */
    size_t count, capacity;
};
void command_add(struct command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
void command_forget(struct command *command);
json_t *command_words(const struct command *command);
/* A command for a shell; input: the file for its standard input, or NULL. */
char *command_text(const struct command *command, const char *input);
/* Returns its standard output; NULL: the command cannot be started. *status: as wait() returns it. */
char *command_output(const struct command *command, int *status);
char *command_errors(const struct command *command, int *status); /* on standard error */
/* ATOMC_QEMU, or the machine's emulator. */
void command_add_emulator(struct command *command, const struct machine_names *machine);

/* ---- events.c: events, for --events and for the log ---------- */

struct events {
    int descriptor; /* -1: there is no listener */
    FILE *log;      /* NULL: no event has been written yet */
    double begin;
    char *waiting; /* output that the reader has not taken yet */
    size_t waiting_bytes, waiting_capacity;
};
double seconds_now(void); /* monotonic */
void events_begin(struct events *events, int descriptor);
/* Opens the log, which also receives the earlier events. */
bool events_open_log(struct events *events, const char *path);
/* Since the beginning. */
json_t *events_time(const struct events *events);
/* Takes ownership of the object. Its time, "at", may be set already. Events that may be lost are dropped if
   the reader is too slow. */
void events_send(struct events *events, const char *event, json_t *object, bool may_be_lost, bool into_log);
void events_flush(struct events *events);
/* Waits some seconds for a slow reader. */
void events_end(struct events *events);

/* ---- sandbox.c: the fixed place ---- */

struct place {
    enum job_isolation isolation; /* JOB_SANDBOX or JOB_PLAIN */
    char *folder;                 /* the program's, on this machine */
    const char *inside;           /* its name for the program */
    char *why;                    /* the reason if there is no sandbox; else NULL */
};
/* Tests for a sandbox. Makes the folder below `beside`, or in /var/tmp. Returns false after an error, which
   is reported. */
bool place_make(struct place *place, enum job_isolation wanted, const char *beside,
                struct diagnostics *diagnostics);
/* Adds the words that precede the program's words: the sandbox, and inside of it inside.c, which writes to
   the descriptor `messages`. `shown`: paths that the sandbox may not hide; NULL-terminated. */
void place_add_words(const struct place *place, struct command *command, int messages, int64_t file_mb,
                     const json_t *environment, const char *const *shown);
/* It also removes the folder. */
void place_forget(struct place *place);

/* ---- inside.c: the program's parent ---- */

struct inside_message {
    enum { INSIDE_CANNOT, INSIDE_ENDED, INSIDE_ALL_ENDED } kind;
    int value; /* errno, or the program's status as wait() returns it */
    double cpu_seconds;
    uint64_t peak_kb;
};
/* atomc-job --inside ...; returns the exit status. */
int inside_main(int count, char **words);

/* ---- limits.c: a process and all that it starts ---- */

enum job_reason {
    JOB_GOOD,
    JOB_INSTRUMENT, /* failed */
    JOB_NO_SANDBOX,
    JOB_TIME, /* stopped */
    JOB_MEMORY,
    JOB_OUTPUT,
    JOB_DISK,
    JOB_PROCESSES,
    JOB_CANCELLED
};
extern const char *const job_reason_words[];

struct usage {
    uint64_t memory_kb, peak_kb;
    uint32_t processes;
    double cpu_seconds; /* of living processes */
};
/* Measures all descendants of this process, except for the first `above` generations, which are the sandbox
   and the program's parent. */
void usage_measure(struct usage *usage, unsigned above);
/* Signals the same processes. The sandbox is excluded, because the signal would end it and the program
   could not write its results. */
void descendants_signal(int number, unsigned above);
/* Kills descendants until none is left. */
void descendants_kill(void);
uint64_t folder_bytes(const char *path);

/* ---- causes.c: causes of different results --- */

/* Compares two records of system calls: {"can_be": [{"cause", "by": {NAME: TIMES}}], "first_difference":
   null or {"number", "a", "b"}}. Numbers of processes differ outside of a sandbox. cycle_counters: the
   number of executions of rpcc. */
json_t *find_causes(const char *const records[2], bool numbers_differ, int64_t cycle_counters);
/* The result as a sentence; the caller frees it. */
char *causes_text(const json_t *causes);

/* ---- run.c: one run of the program ---- */

struct stream_record {
    uint64_t bytes, kept;
    char digest[JOB_DIGEST + 1]; /* bytes of the output that are stored */
};
struct ending {
    enum job_reason reason;
    int status; /* status as wait() returns it */
    double seconds, cpu_seconds;
    uint64_t peak_kb;
    struct stream_record streams[2];
    bool left; /* processes that the program left were ended */
};
/* Runs the command in the place, its output to FOLDER/stdout.zst and stderr.zst. False after an error of the
   system, reported. */
bool run_in_place(const struct job *job, const struct place *place, const struct command *command,
                  const char *folder, struct events *events, struct ending *ending);
/* Instruments: standard output is collected, lines of progress become events. */
bool run_instrumenter(const struct job *job, const struct command *command, struct events *events,
                      struct ending *ending, char **output);

/* ---- folders.c ---- */

bool make_folders_above(const char *path); /* false and errno */
bool copy_file(const char *from, const char *to, mode_t mode);
/* Works across file systems, too, after tidy_tree(). */
bool move_tree(const char *from, const char *to);
/* Removes everything but folders and regular files; returns true if anything was removed. All that remains
   is readable. */
bool tidy_tree(const char *path);
void remove_tree(const char *path);

/* ---- record.c: the folder ---- */

/* Adds the files below FOLDER/out and FOLDER/files to the record's lists, and sends events. Returns false
   and sets errno after an error. */
bool record_files(json_t *record, const char *folder, struct events *events);
/* "missing": which children of the program left no rows. */
void record_missing(json_t *record, const char *folder);
/* Adds the names of files of rows that are not the same in another folder. */
void record_compare(const char *folder, const char *other, bool numbers_differ, json_t *differing);
/* Adds the names of the program's own files, FOLDER/files, that are not the same in another folder. */
void record_compare_files(const char *folder, const char *other, json_t *differing);
bool record_write(const json_t *record, const char *folder);

/* ---- make.c: a job from its description to its folder ---- */

struct job_choice {
    const char *job, *into;
    int events; /* -1: there is no listener */
    int64_t repeat;
    bool key, help;
};
/* The exit status. */
int job_make(struct job *job, const struct job_choice *choice);

/* ---- guard.c ---- */

/* The number of signals SIGTERM, SIGINT and SIGHUP that have been received. */
extern volatile sig_atomic_t job_cancelled;
/* The guard has been killed. */
extern volatile sig_atomic_t job_orphaned;
/* Continues in a child, which receives signals, and leaves no process and no folder if it is killed; this
   process waits, and does not return. */
void guard_begin(void);
/* The folder to remove if this process is killed. */
void guard_folder(const char *path);

#endif
