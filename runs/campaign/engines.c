/* engines.c: the engines that execute jobs. An engine writes commands and starts existing programs:
   processes on this machine, GNU parallel, a cluster's scheduler (slurm.c), or nothing (list). */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runs/campaign/campaign.h"

/* ---- words and files ---------------------------------------------------------------------------------- */

uint32_t usual_at_once(void) {
    cpu_set_t set;
    int processors = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return processors > 1 ? (uint32_t)processors - 1 : 1;
}

const char *job_path(const struct session *session, uint32_t run) {
    return arena_format(session->campaign->arena, "%s/jobs/%s.json", session->project.home,
                        session->matrix.runs[run].name);
}

bool write_jobs(struct session *session) {
    bool good = true;
    for (uint32_t i = 0; i < session->pending_count && good; i++) {
        json_t *job = run_job(session->campaign, &session->matrix.runs[session->pending[i]]);
        char *text = json_dumps(job, JSON_INDENT(1));
        good = write_whole(session->campaign, job_path(session, session->pending[i]), text, strlen(text));
        free(text);
        json_decref(job);
    }
    return good;
}

bool write_names(struct session *session, const char *path, uint32_t from, uint32_t to) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    for (uint32_t i = from; i < to; i++)
        fprintf(stream, "%s\n", session->matrix.runs[session->pending[i]].name);
    fclose(stream);
    bool good = write_whole(session->campaign, path, text, size);
    free(text);
    return good;
}

bool write_worker(struct session *session, const char *path, const char *source) {
    char *text = NULL, *folder = shell_word(session->project.folder),
         *atomc = shell_word(session->project.atomc), *home = shell_word(session->project.home);
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fprintf(stream,
            "#!/bin/sh\n"
            "# Makes the runs whose names it reads, but those that are there; written by atomc campaign.\n"
            "cd %s || exit 1\n"
            "home=%s stopped= status=0\n"
            "trap 'stopped=1' TERM INT HUP\n"
            "%s |\n"
            "{\n"
            "    trap 'stopped=1' TERM INT HUP\n"
            "    while [ -z \"$stopped\" ] && read -r name; do\n"
            "        [ ! -e \"runs/$name\" ] || continue\n"
            "        %s run --job=\"$home/jobs/$name.json\" --into=\"runs/$name\" </dev/null "
            "2>\"$home/errors/$name\" || status=1\n"
            "    done\n"
            "    exit $status\n"
            "}\n",
            folder, home, source, atomc);
    fclose(stream);
    bool good = write_whole(session->campaign, path, text, size) &&
                (chmod(path, 0755) == 0 || errno == EPERM); /* the engine is started by sh */
    free(home);
    free(atomc);
    free(folder);
    free(text);
    return good;
}

/* The start time of the process, as the kernel writes it, because process numbers are reused. "": there is no
   such process, or it has ended and its status has not been read. */
static char *process_begin(pid_t process) {
    char *path = format_string("/proc/%d/stat", (int)process);
    size_t length;
    char *text = read_file(path, &length);
    free(path);
    const char *at = text ? strrchr(text, ')') : NULL; /* then a blank, and the state of the process */
    if (at && (at[2] == 'Z' || at[2] == 'X'))
        at = NULL;
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    char *begin = at ? format_string("%.*s", (int)strcspn(at + 1, " "), at + 1) : duplicate_string("");
    free(text);
    return begin;
}

bool note_process(struct session *session) {
    char host[256] = "", *begin = process_begin(getpid());
    gethostname(host, sizeof host - 1);
    json_t *note = json_pack("{ss,si,ss,ss}", "engine", session->request->engine, "process", (int)getpid(),
                             "begin", begin, "host", host);
    bool good = write_note(&session->project, session->campaign, note);
    json_decref(note);
    free(begin);
    return good;
}

/* The process of the note; 0: it has ended. */
static pid_t noted_process(const json_t *note) {
    pid_t process = (pid_t)json_integer_value(json_object_get(note, "process"));
    const char *begin = json_string_value(json_object_get(note, "begin"));
    if (process <= 1 || !begin || !*begin)
        return 0;
    char *found = process_begin(process);
    bool same = strcmp(found, begin) == 0;
    free(found);
    return same ? process : 0;
}

bool is_under_way(const json_t *note) {
    if (!json_is_array(json_object_get(note, "jobs")))
        return noted_process(note) != 0;
    json_t *states = slurm_queue(note);
    bool any = json_object_size(states) > 0;
    json_decref(states);
    return any;
}

bool stop_process(struct session *session, const json_t *note) {
    enum { WAIT_SECONDS = 30 };
    char host[256] = "";
    const char *noted = json_string_value(json_object_get(note, "host"));
    gethostname(host, sizeof host - 1);
    if (noted && strcmp(noted, host) != 0) {
        diagnose(session->campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_OTHER_HOST, noted);
        return false;
    }
    pid_t process = noted_process(note);
    if (!process) {
        puts("nothing is under way");
        return true;
    }
    kill(process, SIGTERM);
    for (int i = 0; i < WAIT_SECONDS * 10 && noted_process(note); i++)
        nanosleep(&(struct timespec){0, 100000000}, NULL);
    if (noted_process(note)) {
        diagnose(session->campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_NOT_STOPPED, (int)process,
                 WAIT_SECONDS);
        return false;
    }
    puts("stopped");
    return true;
}

/* ---- local -------------------------------------------------------------------------------------------- */

static bool prepare_local(void *context, uint32_t index, struct task *task) {
    struct session *session = context;
    struct arena *arena = session->campaign->arena;
    uint32_t run = session->pending[index];
    const char *name = session->matrix.runs[run].name, **words = arena_allocate(arena, 5 * sizeof *words);
    words[0] = session->project.atomc;
    words[1] = "run";
    words[2] = arena_format(arena, "--job=%s", job_path(session, run));
    words[3] = arena_format(arena, "--into=%s/runs/%s", session->project.folder, name);
    *task = (struct task){.words = words,
                          .error = arena_format(arena, "%s/errors/%s", session->project.home, name)};
    return true;
}

/* The folder runs/ shows its result. */
static void ended_local(void *context, uint32_t index, int status) {
    (void)context;
    (void)index;
    (void)status;
}

static bool run_local(struct session *session) {
    uint32_t at_once = session->request->at_once;
    struct pool pool = {.at_once = at_once ? at_once : usual_at_once(),
                        .count = session->pending_count,
                        .prepare = prepare_local,
                        .ended = ended_local,
                        .look = progress_look,
                        .context = session};
    return write_jobs(session) && note_process(session) && pool_run(&pool);
}

/* ---- GNU parallel ------------------------------------------------------------------------------------- */

static bool prepare_parallel(void *context, uint32_t index, struct task *task) {
    struct session *session = context;
    struct arena *arena = session->campaign->arena;
    const char *home = session->project.home, *hosts = session->request->hosts;
    const char **words = arena_allocate(arena, 20 * sizeof *words);
    char *worker = shell_word(arena_format(arena, "%s/worker.sh", home));
    uint32_t at_once = session->request->at_once, count = 0;
    (void)index;
    words[count++] = "parallel";
    words[count++] = "--will-cite";
    words[count++] = "--no-notice";
    words[count++] = "--halt=never";
    words[count++] = "--termseq=TERM,8000,KILL,100";
    words[count++] = arena_format(arena, "--joblog=%s/parallel.log", home);
    words[count++] = arena_format(arena, "--arg-file=%s/pending", home);
    if (!hosts || at_once) /* otherwise each host gets the number of its processors */
        words[count++] = arena_format(arena, "--jobs=%u", at_once ? at_once : usual_at_once());
    if (hosts)
        words[count++] = arena_format(arena, "--sshloginfile=%s", hosts);
    words[count++] = arena_format(arena, "sh %s {}", worker);
    free(worker);
    *task = (struct task){.words = words, .error = arena_format(arena, "%s/parallel.errors", home)};
    return true;
}

static void ended_parallel(void *context, uint32_t index, int status) {
    struct session *session = context;
    (void)index;
    if (status == -1 || (status >> 8 & 255) >= 127) { /* lower values are the number of failed jobs */
        diagnose(session->campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_ENGINE, "parallel",
                 "cannot be started");
        diagnose_hint(session->campaign->diagnostics,
                      "the Debian package is called parallel; see %s/parallel.errors", session->project.home);
    }
}

static bool run_parallel(struct session *session) {
    struct pool pool = {.at_once = 1,
                        .count = 1,
                        .prepare = prepare_parallel,
                        .ended = ended_parallel,
                        .look = progress_look,
                        .context = session,
                        .twice = true};
    char *worker = format_string("%s/worker.sh", session->project.home),
         *pending = format_string("%s/pending", session->project.home);
    bool good = write_jobs(session) && write_names(session, pending, 0, session->pending_count) &&
                write_worker(session, worker, "printf '%s\\n' \"$1\"") && note_process(session) &&
                pool_run(&pool);
    free(pending);
    free(worker);
    return good;
}

/* ---- list --------------------------------------------------------------------------------------------- */

static bool run_list(struct session *session) {
    if (!write_jobs(session))
        return false;
    char *atomc = shell_word(session->project.atomc);
    for (uint32_t i = 0; i < session->pending_count; i++) {
        uint32_t run = session->pending[i];
        char *folder = run_folder(&session->project, session->matrix.runs[run].name),
             *job = shell_word(job_path(session, run)), *into = shell_word(folder);
        printf("%s run --job=%s --into=%s\n", atomc, job, into);
        free(into);
        free(job);
        free(folder);
    }
    free(atomc);
    return true;
}

static bool stop_nothing(struct session *session, const json_t *note) {
    (void)session;
    (void)note;
    puts("nothing is under way");
    return true;
}

/* ---- all of them -------------------------------------------------------------------------------------- */

const struct engine engines[] = {
    {"local", "processes on this machine, all processors but one or --jobs=N at once", run_local,
     stop_process, NULL},
    {"parallel", "GNU parallel, here or on --hosts=FILE, which see the project's folder", run_parallel,
     stop_process, NULL},
    {"slurm", "a Slurm cluster: arrays of tasks of about a minute", slurm_run, slurm_stop, slurm_check},
    {"list", "nobody: prints a command for each run, for other schedulers", run_list, stop_nothing, NULL},
};
const uint32_t engine_count = sizeof engines / sizeof engines[0];

const struct engine *find_engine(const char *name) {
    for (uint32_t i = 0; i < engine_count; i++)
        if (strcmp(engines[i].name, name) == 0)
            return &engines[i];
    return NULL;
}
