/* campaign.h: many runs asked for by one file: programs x inputs x tools x parameters x repeats.
   Requires jansson, and SQLite for what is collected. The order of the banners is that of the work. */
#ifndef ATOMC_CAMPAIGN_CAMPAIGN_H
#define ATOMC_CAMPAIGN_CAMPAIGN_H

#include "support/document.h"

/* ---- read.c: the file ---- */

struct input {
    const char *name;                        /* "": the program has no list of inputs */
    const char *path;                        /* of its standard input, absolute; NULL: none */
    json_t *arguments, *files, *environment; /* as in a job; NULL: none */
};
struct program {
    struct source_span where;
    const char *name, *path; /* absolute */
    const char *root;        /* NULL: none is given */
    json_t *objects, *environment;
    struct input *inputs;
    uint32_t input_count;
};
struct parameter {
    const char *name;
    uint32_t member; /* of the choice's tools */
    json_t **values; /* each a text, an integer or a boolean */
    const char **texts;
    struct source_span *places;
    uint32_t value_count;
};
/* A tool, or several that are applied together. */
struct choice {
    const char *name;
    json_t *tools; /* as in a job, without parameters, paths absolute */
    struct parameter *parameters;
    uint32_t parameter_count;
};
/* Runs that are left out: those of which all conditions hold. */
struct condition {
    const char *dimension;
    const char **texts; /* one of these */
    uint32_t text_count;
};
struct exception {
    struct source_span where;
    struct condition *conditions;
    uint32_t condition_count;
    uint64_t runs; /* that it has left out */
};
struct campaign {
    struct document document;
    const char *path, *name;
    struct program *programs;
    struct choice *choices;
    struct exception *exceptions;
    uint32_t program_count, choice_count, exception_count, repeat;
    json_t *limits, *options, *environment; /* NULL: none */
    const char *isolation;                  /* NULL: none is given */
    struct arena *arena;
    struct diagnostics *diagnostics;
};
/* False after errors, which are reported. campaign_close() after the diagnostics have been printed. `path`:
   "-": standard input; its paths are relative to the current folder. */
bool campaign_open(struct campaign *campaign, const char *path, struct diagnostics *diagnostics);
/* Where a tool of a choice stands; `nodes`: what it is reached by. */
struct node tool_node(const struct campaign *campaign, uint32_t choice, uint32_t member,
                      struct node nodes[3]);
void campaign_close(struct campaign *campaign);

/* ---- matrix.c: its runs ---- */

enum { MOST_RUNS = 100000 }; /* without --many */

struct run {
    uint32_t program, input, choice, repeat;
    const uint32_t *values; /* by parameter of the choice, the number of its value */
    const char *name;       /* KEY.REPEAT, of its folder; set by keys.c */
};
/* What ends a run, with all defaults (docs/job.md). */
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
/* In the order of the file: programs, inputs, tools, parameters, repeats. False after an error. */
bool matrix_expand(struct matrix *matrix, struct campaign *campaign, bool many);
/* The text of a run's value; NULL: it has none, for it is of another tool. */
const char *run_text(const struct campaign *campaign, const struct run *run, const char *dimension);
bool is_dimension(const struct matrix *matrix, const char *name);
/* The values that runs have, in the order of the file. In the campaign's arena. */
const char **dimension_texts(const struct matrix *matrix, const char *dimension, uint32_t *count);
/* The job (docs/job.md) of a run, for the caller to release. */
json_t *run_job(const struct campaign *campaign, const struct run *run);

/* ---- keys.c ---- */

/* Sets the runs' names, and the limits. False after an error, which is reported at its place in the file: a
   file cannot be read, or a tool has no such parameter. */
bool find_keys(struct matrix *matrix);

/* ---- project.c: the folders, and what is there of each run ---- */

struct project {
    const char *folder; /* absolute; runs/NAME/ are the results, project.sqlite is what is collected */
    const char *home;   /* campaigns/FILE/ below it: what the engines keep */
    const char *atomc;  /* which executes jobs */
};
enum state { RUN_MISSING, RUN_UNDER_WAY, RUN_FINISHED, RUN_STOPPED, RUN_FAILED };
extern const char *const state_words[];
struct standing {
    enum state state;
    const char *reason; /* of stopped and failed, and a signal that ended it; "": none */
    bool by_signal;     /* the program was ended by one */
    const char *ended;  /* when, as run.json has it; NULL: it is not there */
    bool too_early;     /* stopped by a limit that is higher now */
    double seconds;     /* instrumented and run */
};
/* `folder`: NULL: that of the file, or above it if it is called campaigns. False after an error. */
bool project_open(struct project *project, const struct campaign *campaign, const char *folder);
/* Makes the campaign's own folders. */
bool project_prepare(const struct project *project, const struct campaign *campaign);
char *run_folder(const struct project *project, const char *name);
/* By run; in the campaign's arena. */
struct standing *look_at_runs(const struct project *project, const struct matrix *matrix);
/* Of the run of that name: RUN_MISSING for those under way, too. */
struct standing look_at_run(const struct project *project, const struct matrix *matrix, const char *name);
/* Does a job work on that entry of runs/? */
bool is_worked_on(const struct project *project, const char *entry);
/* A limit is a result; what was cancelled is none. */
bool is_whole(const struct standing *standing);
/* It is whole, and the program did not end by itself: a limit or a signal ended it. */
bool is_cut_short(const struct standing *standing);
/* Removes a folder with all that is in it. */
bool remove_folder(const char *path);
/* Removes what runs left that ended before they were whole. */
uint32_t remove_remains(const struct project *project, const struct matrix *matrix);

/* What the engine at work has noted: one JSON object, NULL: none. For the caller to release. */
json_t *read_note(const struct project *project);
bool write_note(const struct project *project, const struct campaign *campaign, const json_t *note);
/* Writes PATH whole or not at all. */
bool write_whole(const struct campaign *campaign, const char *path, const char *text, size_t length);

/* ---- estimate.c: time and disk by earlier runs ---- */

struct estimates {
    double *seconds; /* by run; negative: nothing is known */
    double bytes;    /* of a run, mean */
    uint32_t known,
        alike; /* earlier runs; runs asked for that have one of the same program, tool and input */
};
void estimate(struct estimates *estimates, const struct project *project, const struct matrix *matrix);

/* ---- pool.c: commands, some at once ---- */

struct task {
    const char **words;                 /* NULL behind the last */
    const char *input, *output, *error; /* files; NULL: nothing, /dev/null */
};
struct pool {
    uint32_t at_once, count;
    /* Fills in what is executed as number `index`. False: nothing is, and it has failed. */
    bool (*prepare)(void *context, uint32_t index, struct task *task);
    void (*ended)(void *context, uint32_t index, int status); /* as wait() has it; -1: not started */
    void (*look)(void *context, bool ended); /* after some have ended, and now and then; NULL: nothing */
    void *context;
    bool twice; /* a stop is two signals: GNU parallel lets jobs end after the first */
};
/* False: it was told to stop (SIGINT, SIGTERM, SIGHUP), told its commands, and they ended. */
bool pool_run(struct pool *pool);

/* ---- what is asked for, and the session about it ---- */

struct request {
    const char *command, *file, *project, *engine, *hosts, *output, *format, *slurm;
    const char *rows, *columns, *panels, *value, *over, *summary, *report, *where;
    uint32_t at_once, chunk_seconds, events; /* 0: not said */
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
    json_t *answer;             /* with --format=json: the document, to which diagnostics are added */
};

/* ---- progress.c: what becomes of runs while an engine makes them ---- */

double time_of_day(void);
void progress_begin(struct session *session);
/* Says what has changed. `at_once`: or else only if the last look was a while ago. Of a pool, too. */
void progress_look(void *session, bool at_once);
void progress_end(struct session *session);

/* ---- engines.c, slurm.c ---- */

struct engine {
    const char *name, *description;
    /* Makes the pending runs. False after an error or a stop. */
    bool (*run)(struct session *session);
    /* Ends what the note speaks of. */
    bool (*stop)(struct session *session, const json_t *note);
    /* NULL: nothing is to be asked. What stands in the way of runs, and one run tried. */
    bool (*check)(struct session *session);
};
extern const struct engine engines[];
extern const uint32_t engine_count;
bool slurm_run(struct session *session);
bool slurm_stop(struct session *session, const json_t *note);
bool slurm_check(struct session *session);
/* Tasks of the note by state, as squeue says: an object of numbers. NULL: it is no note of Slurm's, or
   squeue does not answer. */
json_t *slurm_queue(const json_t *note);
const struct engine *find_engine(const char *name);

/* Notes that this process is the engine, and ends one so noted. */
bool note_process(struct session *session);
bool stop_process(struct session *session, const json_t *note);
bool is_under_way(const json_t *note);

/* Names of pending runs from one to before another, a line each, whole or not at all. */
bool write_names(struct session *session, const char *path, uint32_t from, uint32_t to);
/* Path of the job of a run, below the project's home. In the campaign's arena. */
const char *job_path(const struct session *session, uint32_t run);
bool write_jobs(struct session *session);
/* How many at once, if nobody says: all processors but one. */
uint32_t usual_at_once(void);
/* The script that makes the runs whose names it reads, for what is executed elsewhere. */
bool write_worker(struct session *session, const char *path, const char *source);

/* carry.c: jobs with all files they need, as an archive, and the results of one, likewise */
bool carry_pack(struct session *session, uint32_t run, const char *archive);
bool carry_unpack(struct session *session, uint32_t run, const char *archive);
int carry_work(const char *atomc);

/* ---- collect.c, table.c ---- */

bool collect_campaign(struct session *session);
bool print_table(struct session *session);
/* What --value of a table may have. */
bool print_columns(struct session *session);

/* ---- check.c ---- */

/* Prints what it did, or sets the session's answer. */
bool check_campaign(struct session *session);
bool is_json(const struct request *request);

#endif
