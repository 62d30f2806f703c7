/* campaign.h: many runs described by one file: programs x inputs x tools x parameters x repeats. Requires
   jansson, and SQLite for collected results. The banners are in the order of the work. */
#ifndef ATOMC_CAMPAIGN_CAMPAIGN_H
#define ATOMC_CAMPAIGN_CAMPAIGN_H

#include "support/document.h"

/* ---- read.c: the file ---- */

struct input {
    const char *name;                        /* "": the program has no list of inputs */
    const char *path;                        /* path of the file for its standard input, absolute; NULL:
                                                none */
    json_t *arguments, *files, *environment; /* as in a job description; NULL: none */
};
struct program {
    struct source_span where;
    const char *name, *path; /* absolute */
    const char *root;        /* NULL: not given */
    json_t *objects, *environment;
    struct input *inputs;
    uint32_t input_count;
};
struct parameter {
    const char *name;
    uint32_t member; /* parameters of the choice's tools */
    json_t **values; /* each a text, an integer or a boolean */
    const char **texts;
    struct source_span *places;
    uint32_t value_count;
};
/* A tool, or several that are applied together. */
struct choice {
    const char *name;
    json_t *tools; /* as in a job description, without parameters; paths are absolute */
    struct parameter *parameters;
    uint32_t parameter_count;
};
/* A run is excluded if all conditions hold. */
struct condition {
    const char *dimension;
    const char **texts; /* one of these */
    uint32_t text_count;
};
struct exception {
    struct source_span where;
    struct condition *conditions;
    uint32_t condition_count;
    uint64_t runs; /* the number of runs that it has excluded */
};
struct campaign {
    struct document document;
    const char *path, *name;
    struct program *programs;
    struct choice *choices;
    struct exception *exceptions;
    uint32_t program_count, choice_count, exception_count, repeat;
    json_t *limits, *options, *environment; /* NULL: none */
    const char *isolation;                  /* NULL: not given */
    struct arena *arena;
    struct diagnostics *diagnostics;
};
/* Returns false after errors, which are reported. campaign_close() may be called only after the diagnostics
   have been printed. `path`: "-": standard input; paths in it are relative to the current folder. */
bool campaign_open(struct campaign *campaign, const char *path, struct diagnostics *diagnostics);
/* The position of the tool of a choice in the file. `nodes` has room for the path to it. */
struct node tool_node(const struct campaign *campaign, uint32_t choice, uint32_t member,
                      struct node nodes[3]);
void campaign_close(struct campaign *campaign);

/* ---- matrix.c: its runs ---- */

enum { MOST_RUNS = 100000 }; /* without --many */

struct run {
    uint32_t program, input, choice, repeat;
    const uint32_t *values; /* indexed by parameter of the choice: the number of its value */
    const char *name;       /* KEY.REPEAT, of its folder; set by keys.c */
};
/* The limits at which a run is stopped, with all defaults (docs/job.md). */
struct limits {
    int64_t seconds, memory_mb, output_mb, disk_mb, processes;
};
struct matrix {
    const struct campaign *campaign;
    struct limits limits; /* set by keys.c */
    struct run *runs;
    uint32_t run_count;
    const char **dimensions; /* program, input, tool, repeat, and the names of parameters */
    uint32_t dimension_count;
};
/* Runs are in the order of the file: programs, inputs, tools, parameters, repeats. Returns false after an
   error. */
bool matrix_expand(struct matrix *matrix, struct campaign *campaign, bool many);
/* The text of a run's value; NULL if it has none, because the parameter belongs to another tool. */
const char *run_text(const struct campaign *campaign, const struct run *run, const char *dimension);
bool is_dimension(const struct matrix *matrix, const char *name);
/* The values of each dimension, in the order of the file. Allocated in the campaign's arena. */
const char **dimension_texts(const struct matrix *matrix, const char *dimension, uint32_t *count);
/* The job (docs/job.md) of a run, for the caller to release. */
json_t *run_job(const struct campaign *campaign, const struct run *run);

/* ---- keys.c ---- */

/* Sets the runs' names, and the limits. Returns false after an error, which is reported at its place in the
   file: a file cannot be read, or a tool has no such parameter. */
bool find_keys(struct matrix *matrix);

/* ---- project.c: the folders, and the files of each run -------- */

struct project {
    const char *folder; /* absolute; runs/NAME/ are the results, project.sqlite holds collected results */
    const char *home;   /* campaigns/FILE/ below it: the engines' files */
    const char *atomc;  /* which executes jobs */
};
enum state { RUN_MISSING, RUN_UNDER_WAY, RUN_FINISHED, RUN_STOPPED, RUN_FAILED };
extern const char *const state_words[];
struct standing {
    enum state state;
    const char *reason; /* for stopped and failed runs, including a signal that ended it; "": none */
    bool by_signal;     /* the program was ended by one */
    const char *ended;  /* the time in run.json; NULL: the file does not exist */
    bool too_early;     /* stopped by a limit that is higher now */
    double seconds;     /* instrumented and run */
};
/* `folder`: NULL: the folder of the file, or its parent folder if it is called campaigns. Returns false after
   an error. */
bool project_open(struct project *project, const struct campaign *campaign, const char *folder);
/* Makes the campaign's own folders. */
bool project_prepare(const struct project *project, const struct campaign *campaign);
char *run_folder(const struct project *project, const char *name);
/* Indexed by run; in the campaign's arena. */
struct standing *look_at_runs(const struct project *project, const struct matrix *matrix);
/* The state of the run of that name; RUN_MISSING also while the run is being made. */
struct standing look_at_run(const struct project *project, const struct matrix *matrix, const char *name);
/* True if a job is working on that entry of runs/. */
bool is_worked_on(const struct project *project, const char *entry);
/* A run stopped by a limit has results; a cancelled run has none. */
bool is_whole(const struct standing *standing);
/* The run is complete, and a limit or a signal has stopped the program. */
bool is_cut_short(const struct standing *standing);
/* Removes a folder with all that is in it. */
bool remove_folder(const char *path);
/* Removes the remains of runs that ended before they were complete. */
uint32_t remove_remains(const struct project *project, const struct matrix *matrix);

/* The note of the running engine: one JSON object; NULL: none. The caller releases it. */
json_t *read_note(const struct project *project);
bool write_note(const struct project *project, const struct campaign *campaign, const json_t *note);
/* Writes PATH whole or not at all. */
bool write_whole(const struct campaign *campaign, const char *path, const char *text, size_t length);

/* ---- estimate.c: time and disk by earlier runs ---- */

struct estimates {
    double *seconds; /* indexed by run; negative: unknown */
    double bytes;    /* mean of a run */
    uint32_t known,
        alike; /* earlier runs; requested runs with an earlier one of the same program, tool and input */
};
void estimate(struct estimates *estimates, const struct project *project, const struct matrix *matrix);

/* ---- pool.c: commands, some at once ---- */

struct task {
    const char **words;                 /* NULL-terminated */
    const char *input, *output, *error; /* files; NULL: /dev/null */
};
struct pool {
    uint32_t at_once, count;
    /* Fills in the command with number `index`. Returns false if there is no command to execute. The command
       then counts as failed. */
    bool (*prepare)(void *context, uint32_t index, struct task *task);
    /* the status as wait() returns it; -1: not started */
    void (*ended)(void *context, uint32_t index, int status);
    void (*look)(void *context, bool ended); /* called after some commands have ended, and at intervals; NULL:
                                                no call */
    void *context;
    bool twice; /* stopping takes two signals: GNU parallel waits for its jobs after the first */
};
/* Returns false if it received a signal to stop (SIGINT, SIGTERM, SIGHUP), passed it to its commands, and
   they ended. */
bool pool_run(struct pool *pool);

/* ---- what is asked for, and the session about it ---- */

struct request {
    const char *command, *file, *project, *engine, *hosts, *output, *format, *slurm;
    const char *rows, *columns, *panels, *value, *over, *summary, *report, *where;
    uint32_t at_once, chunk_seconds, events; /* 0: not given */
    bool many, carry, no_wait;
};
struct session {
    struct campaign *campaign;
    struct matrix matrix;
    struct project project;
    const struct request *request;
    struct standing *standings; /* before the engine begins */
    uint32_t *pending;          /* numbers of the runs to make */
    uint32_t pending_count;
    struct estimates estimates; /* of all */
    struct progress *progress;  /* while an engine is at work */
    json_t *answer;             /* with --format=json: the document to which diagnostics are added */
};

/* ---- progress.c: the state of runs while an engine makes them ------- */

double time_of_day(void);
void progress_begin(struct session *session);
/* Reports changes. `at_once`: reports immediately; otherwise only if some time has passed since the last
   report. Can also be called by a pool. */
void progress_look(void *session, bool at_once);
void progress_end(struct session *session);

/* ---- engines.c, slurm.c ---- */

struct engine {
    const char *name, *description;
    /* Makes the pending runs. Returns false after an error or a stop. */
    bool (*run)(struct session *session);
    /* Ends the jobs of the note. */
    bool (*stop)(struct session *session, const json_t *note);
    /* NULL: the campaign has no program to check. Checks for obstacles to runs, and tries one run. */
    bool (*check)(struct session *session);
};
extern const struct engine engines[];
extern const uint32_t engine_count;
bool slurm_run(struct session *session);
bool slurm_stop(struct session *session, const json_t *note);
bool slurm_check(struct session *session);
/* The tasks of the note by state, as squeue reports them: an object of numbers. NULL: it is not a note of
   Slurm, or squeue does not answer. */
json_t *slurm_queue(const json_t *note);
const struct engine *find_engine(const char *name);

/* Notes that this process is the engine, and ends one so noted. */
bool note_process(struct session *session);
bool stop_process(struct session *session, const json_t *note);
bool is_under_way(const json_t *note);

/* Names of pending runs from one to before another, a line each, whole or not at all. */
bool write_names(struct session *session, const char *path, uint32_t from, uint32_t to);
/* Path of the job of a run, below the project's home folder. Allocated in the campaign's arena. */
const char *job_path(const struct session *session, uint32_t run);
bool write_jobs(struct session *session);
/* The default number at a time: all processors but one. */
uint32_t usual_at_once(void);
/* The script that makes the runs whose names it reads, for execution elsewhere. */
bool write_worker(struct session *session, const char *path, const char *source);

/* carry.c: jobs with all files they need, as an archive, and the results of one, likewise */
bool carry_pack(struct session *session, uint32_t run, const char *archive);
bool carry_unpack(struct session *session, uint32_t run, const char *archive);
int carry_work(const char *atomc);

/* ---- collect.c, table.c, tidy.c ---- */

bool collect_campaign(struct session *session);
bool print_table(struct session *session);
bool print_campaign_rows(struct session *session);
/* The words that are permitted in --value of a table. */
bool print_columns(struct session *session);

/* ---- check.c ---- */

/* Prints the result, or sets the session's answer. */
bool check_campaign(struct session *session);
bool is_json(const struct request *request);

#endif
