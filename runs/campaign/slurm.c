/* slurm.c: the engine of a Slurm cluster. Runs are grouped in chunks, with a task for each; tasks are
   grouped in arrays as large as the cluster accepts. All facts about the cluster are from the output of its
   commands. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runs/campaign/campaign.h"
#include "support/process.h"

enum {
    CHUNK_SECONDS = 60,      /* a task takes the scheduler about half a second */
    UNKNOWN_SECONDS = 10,    /* of a run, if there was no limit before */
    INSTRUMENT_MEMORY = 512, /* MB that atomc itself may take beside */
    MOST_WORDS = 64,
};

/* ---- commands ----------------------------------------------------------------------------------------- */

/* The command's output, including standard error; the caller frees it. NULL: it cannot be started. */
static char *output_of(const char *const *words, int *status) {
    return process_read(&(struct process){.words = words}, PROCESS_OUTPUT | PROCESS_ERRORS, status);
}

static bool report_slurm_error(struct session *session, const char *command, const char *text) {
    char *line =
        text ? format_string("%.*s", (int)strcspn(text, "\n"), text) : duplicate_string("cannot be started");
    diagnose(session->campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_ENGINE, command, line);
    if (!text)
        diagnose_hint(session->campaign->diagnostics, "it is in the Debian package slurm-client");
    free(line);
    return false;
}

/* Adds the words of --slurm, which are also for sbatch and srun: separated by blanks. */
static uint32_t add_given_words(struct session *session, const char **words, uint32_t count) {
    const char *at = session->request->slurm ? session->request->slurm : "";
    while (count < MOST_WORDS - 8) {
        at += strspn(at, " ");
        size_t length = strcspn(at, " ");
        if (length == 0)
            break;
        words[count++] = arena_string(session->campaign->arena, at, length);
        at += length;
    }
    return count;
}

/* ---- what the cluster says ---------------------------------------------------------------------------- */

struct cluster {
    int64_t array_size;  /* the greatest number of a task is less */
    char *accounting;    /* AccountingStorageType */
    char *record;        /* the file of jobcomp/filetxt; NULL: the cluster has none */
    int64_t max_minutes; /* time limit of a task in the default partition; 0: any */
};

/* The value of "Name = value" or "Name=value"; the caller frees it. NULL: it does not occur. */
static char *setting_of(const char *text, const char *name) {
    size_t length = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        const char *value = at + length + strspn(at + length, " ");
        if ((at == text || isspace((unsigned char)at[-1])) && *value == '=') {
            value += 1 + strspn(value + 1, " ");
            return format_string("%.*s", (int)strcspn(value, " \n"), value);
        }
    }
    return NULL;
}

static int64_t integer_setting(const char *text, const char *name, int64_t otherwise) {
    char *value = setting_of(text, name);
    int64_t number = value && isdigit((unsigned char)*value) ? strtoll(value, NULL, 10) : otherwise;
    free(value);
    return number;
}

/* Converts "2-03:04:05", "03:04:05" or "04:05" to minutes; 0: the text is not a time. */
static int64_t minutes_of(const char *text) {
    int64_t days = 0, parts[3] = {0, 0, 0};
    const char *dash = strchr(text, '-');
    int count = 0;
    if (!isdigit((unsigned char)*text))
        return 0;
    if (dash) {
        days = strtoll(text, NULL, 10);
        text = dash + 1;
    }
    for (char *end; count < 3 && isdigit((unsigned char)*text); text = *end ? end + 1 : end)
        parts[count++] = strtoll(text, &end, 10);
    int64_t hours = count == 3 ? parts[0] : 0, minutes = count == 3 ? parts[1] : parts[0];
    return days * 1440 + hours * 60 + minutes;
}

static bool ask_cluster(struct session *session, struct cluster *cluster) {
    static const char *const config[] = {"scontrol", "show", "config", NULL}, *const partitions[] = {
                                                                                  "scontrol", "show",
                                                                                  "partition", "--oneliner",
                                                                                  NULL};
    int status = 0;
    char *text = output_of(config, &status);
    if (!text || status != 0) {
        report_slurm_error(session, "scontrol", text);
        free(text);
        return false;
    }
    char *type = setting_of(text, "JobCompType");
    *cluster = (struct cluster){.array_size = integer_setting(text, "MaxArraySize", 1001),
                                .accounting = setting_of(text, "AccountingStorageType")};
    if (type && strcmp(type, "jobcomp/filetxt") == 0)
        cluster->record = setting_of(text, "JobCompLoc");
    free(type);
    free(text);
    text = output_of(partitions, &status);
    for (const char *line = text; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char *one = format_string("%.*s", (int)strcspn(line, "\n"), line),
             *limit = setting_of(one, "MaxTime");
        if (strstr(one, "Default=YES") && limit)
            cluster->max_minutes = minutes_of(limit);
        free(limit);
        free(one);
    }
    free(text);
    return true;
}

static void forget_cluster(struct cluster *cluster) {
    free(cluster->accounting);
    free(cluster->record);
}

/* ---- chunks ------------------------------------------------------------------------------------------- */

struct chunks {
    uint32_t count, most; /* runs of the largest */
    double seconds;       /* time of the longest run, by estimate */
};

static bool write_chunks(struct session *session, struct chunks *chunks) {
    double target = session->request->chunk_seconds ? session->request->chunk_seconds : CHUNK_SECONDS;
    char *folder = format_string("%s/chunks", session->project.home);
    bool good = remove_folder(folder) && mkdir(folder, 0777) == 0;
    *chunks = (struct chunks){0, 0, 0};
    for (uint32_t from = 0, to; from < session->pending_count && good; from = to) {
        double seconds = 0;
        for (to = from; to < session->pending_count; to++) {
            double more = session->estimates.seconds[session->pending[to]];
            more = more < 0 ? UNKNOWN_SECONDS : more;
            if (to > from && seconds + more > target)
                break;
            seconds += more;
        }
        chunks->most = to - from > chunks->most ? to - from : chunks->most;
        chunks->seconds = seconds > chunks->seconds ? seconds : chunks->seconds;
        char *path = format_string("%s/%u", folder, chunks->count++);
        good = write_names(session, path, from, to);
        free(path);
    }
    if (!good)
        diagnose(session->campaign->diagnostics, NULL, MESSAGE_CANNOT_WRITE, folder, strerror(errno));
    free(folder);
    return good;
}

/* Minutes that a task may take. The task may need less, but this is the time if all its runs reach their
   limits. */
static int64_t task_minutes(const struct session *session, const struct cluster *cluster,
                            const struct chunks *chunks) {
    double limit = 2.0 * (double)session->matrix.limits.seconds, longest = limit * chunks->most,
           usual = limit + 10 * chunks->seconds;
    int64_t minutes = (int64_t)((longest < usual ? longest : usual) / 60) + 2;
    return cluster->max_minutes && minutes > cluster->max_minutes ? cluster->max_minutes : minutes;
}

/* ---- the queue ---------------------------------------------------------------------------------------- */

json_t *slurm_queue(const json_t *note) {
    char *user = format_string("%u", (unsigned)getuid());
    const char *const words[] = {"squeue", "--noheader", "--array", "--user", user, "--format=%F %T", NULL};
    const json_t *ids = json_object_get(note, "jobs");
    int status = 0;
    char *text = json_is_array(ids) ? output_of(words, &status) : NULL;
    json_t *states = text && status == 0 ? json_object() : NULL, *id;
    size_t i;
    for (const char *line = text; states && *line; line += strcspn(line, "\n"), line += *line == '\n')
        json_array_foreach(ids, i, id) {
            size_t length = strlen(json_string_value(id));
            if (strncmp(line, json_string_value(id), length) != 0 || line[length] != ' ')
                continue;
            char *state = format_string("%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1);
            json_object_set_new(states, state,
                                json_integer(1 + json_integer_value(json_object_get(states, state))));
            free(state);
        }
    free(text);
    free(user);
    return states;
}

/* The number of its tasks; -1: the queue cannot be read. */
static int64_t queue_length(const json_t *note) {
    json_t *states = slurm_queue(note), *number;
    const char *state;
    int64_t length = states ? 0 : -1;
    json_object_foreach(states, state, number) length += json_integer_value(number);
    json_decref(states);
    return length;
}

/* ---- submitting --------------------------------------------------------------------------------------- */

/* True if it refused because the queue is full. */
static bool is_full(const char *text) {
    static const char *const words[] = {"SubmitJobLimit", "MaxSubmitJob", "Resource temporarily unavailable",
                                        "QOS policy", "job limit"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

static char *submit_job(struct session *session, const json_t *note, const char *const *words) {
    for (unsigned pause = 2;; pause = pause < 30 ? pause * 2 : 30) {
        int status = 0;
        char *text = output_of(words, &status);
        if (text && status == 0) {
            /* Warnings may precede the number. */
            size_t length = strlen(text);
            while (length && text[length - 1] == '\n')
                text[--length] = '\0';
            char *line = strrchr(text, '\n'), *id = duplicate_string(line ? line + 1 : text);
            id[strcspn(id, ";\n ")] = '\0';
            free(text);
            return id;
        }
        if (!text || !is_full(text) || queue_length(note) <= 0) {
            report_slurm_error(session, "sbatch", text);
            free(text);
            return NULL;
        }
        free(text);
        sleep(pause); /* until some of ours have ended */
    }
}

static bool submit_all(struct session *session, json_t *note, const struct cluster *cluster,
                       const struct chunks *chunks) {
    struct arena *arena = session->campaign->arena;
    const char *home = session->project.home, *words[MOST_WORDS];
    json_t *ids = json_object_get(note, "jobs");
    bool good = true;
    for (uint32_t first = 0; first < chunks->count && good;) {
        uint32_t left = chunks->count - first, tasks = left;
        if (cluster->array_size > 0 && tasks > (uint64_t)cluster->array_size)
            tasks = (uint32_t)cluster->array_size;
        uint32_t count = 0;
        words[count++] = "sbatch";
        words[count++] = "--parsable";
        words[count++] = arena_format(arena, "--array=0-%u", tasks - 1);
        words[count++] =
            arena_format(arena, "--job-name=%s", json_string_value(json_object_get(note, "name")));
        words[count++] = arena_format(arena, "--output=%s/slurm.out", home);
        words[count++] = "--open-mode=append";
        words[count++] = "--ntasks=1";
        words[count++] = arena_format(arena, "--time=%" PRId64, task_minutes(session, cluster, chunks));
        words[count++] =
            arena_format(arena, "--mem=%" PRId64, session->matrix.limits.memory_mb + INSTRUMENT_MEMORY);
        count = add_given_words(session, words, count);
        words[count++] = arena_format(arena, "%s/worker.sh", home);
        words[count++] = arena_format(arena, "%u", first);
        words[count] = NULL;
        char *id = submit_job(session, note, words);
        if (id)
            json_array_append_new(ids, json_string(id));
        /* Noted immediately, so that a submitted array can be stopped. */
        good = id && write_note(&session->project, session->campaign, note);
        free(id);
        first += tasks;
    }
    return good;
}

/* ---- waiting, and the results of the tasks ------------------------------------------------------------ */

static bool wait_for(struct session *session, const json_t *note) {
    int64_t before = -1;
    unsigned pause = 1, silent = 0;
    for (;;) {
        int64_t length = queue_length(note);
        if (length == 0)
            return true;
        silent = length < 0 ? silent + 1 : 0;
        if (silent > 20)
            return report_slurm_error(session, "squeue",
                                      "the cluster does not answer; status and resume go on from here");
        if (length != before && isatty(STDERR_FILENO))
            fprintf(stderr, "\r%" PRId64 " tasks in the queue \033[K", length);
        pause = length != before ? 1 : pause < 10 ? pause + 1 : 10;
        before = length;
        progress_look(session, false);
        sleep(pause);
    }
}

static void count_state(json_t *states, const char *text, size_t length) {
    char *state = format_string("%.*s", (int)length, text);
    json_object_set_new(states, state, json_integer(1 + json_integer_value(json_object_get(states, state))));
    free(state);
}

/* Reads the output of sacct: a line for each task. */
static json_t *ask_accounting(const json_t *note) {
    json_t *states = json_object(), *id;
    size_t i;
    json_array_foreach(json_object_get(note, "jobs"), i, id) {
        const char *const words[] = {"sacct",  "--noheader",          "--parsable2",    "--allocations",
                                     "--jobs", json_string_value(id), "--format=State", NULL};
        int status = 0;
        char *text = output_of(words, &status);
        for (const char *line = text; status == 0 && line && *line;
             line += strcspn(line, "\n"), line += *line == '\n')
            count_state(states, line, strcspn(line, " \n"));
        free(text);
    }
    return states;
}

/* jobcomp/filetxt: "JobId=7 ... Name=... JobState=...". */
static json_t *read_job_record(const char *path, const char *name) {
    size_t length;
    char *text = read_file(path, &length);
    json_t *states = text ? json_object() : NULL;
    for (const char *line = text; states && line && *line;
         line += strcspn(line, "\n"), line += *line == '\n') {
        char *one = format_string("%.*s", (int)strcspn(line, "\n"), line), *whose = setting_of(one, "Name"),
             *state = setting_of(one, "JobState");
        if (whose && state && strcmp(whose, name) == 0)
            count_state(states, state, strlen(state));
        free(state);
        free(whose);
        free(one);
    }
    free(text);
    return states;
}

/* Reads tasks that slurmctld remembers; it forgets them after some minutes. */
static json_t *ask_controller(const json_t *note) {
    json_t *states = json_object(), *id;
    size_t i;
    json_array_foreach(json_object_get(note, "jobs"), i, id) {
        const char *const words[] = {"scontrol", "show", "job", "--oneliner", json_string_value(id), NULL};
        int status = 0;
        char *text = output_of(words, &status);
        for (const char *line = text; status == 0 && line && *line;
             line += strcspn(line, "\n"), line += *line == '\n') {
            char *one = format_string("%.*s", (int)strcspn(line, "\n"), line),
                 *state = setting_of(one, "JobState");
            if (state)
                count_state(states, state, strlen(state));
            free(state);
            free(one);
        }
        free(text);
    }
    return states;
}

static void print_endings(const struct cluster *cluster, const json_t *note) {
    bool database = cluster->accounting && strcmp(cluster->accounting, "accounting_storage/none") != 0;
    json_t *states = NULL, *number;
    const char *state, *source = "sacct";
    if (database)
        states = ask_accounting(note);
    if (!json_object_size(states) && cluster->record) {
        json_decref(states);
        states = read_job_record(cluster->record, json_string_value(json_object_get(note, "name")));
        source = "jobcomp";
    }
    if (!json_object_size(states)) {
        json_decref(states);
        states = ask_controller(note);
        source = "scontrol";
    }
    printf("tasks by %s:", source);
    json_object_foreach(states, state, number)
        printf(" %s %" JSON_INTEGER_FORMAT, state, json_integer_value(number));
    puts(json_object_size(states) ? "" : " nothing is recorded");
    json_decref(states);
}

static json_t *new_note(struct session *session) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    char *name = format_string("atomc-%lx-%lx", (long)now.tv_sec, now.tv_nsec);
    json_t *note = json_pack("{ss,ss,s[]}", "engine", session->request->engine, "name", name, "jobs");
    free(name);
    return note;
}

/* ---- carried jobs: each an srun of its own, which has archives as its input and output ---------------- */

static const char *archive_path(struct session *session, uint32_t run, const char *suffix) {
    return arena_format(session->campaign->arena, "%s/carry/%s%s", session->project.home,
                        session->matrix.runs[run].name, suffix);
}

static bool prepare_carried(void *context, uint32_t index, struct task *task) {
    struct session *session = context;
    struct arena *arena = session->campaign->arena;
    uint32_t run = session->pending[index], count = 0;
    const char **words = arena_allocate(arena, MOST_WORDS * sizeof *words);
    words[count++] = "srun";
    words[count++] = "--quiet";
    words[count++] = "--ntasks=1";
    words[count++] = "--chdir=/";
    words[count++] = arena_format(arena, "--job-name=atomc-%s", session->matrix.runs[run].name);
    words[count++] = arena_format(arena, "--time=%" PRId64, 2 * session->matrix.limits.seconds / 60 + 2);
    words[count++] =
        arena_format(arena, "--mem=%" PRId64, session->matrix.limits.memory_mb + INSTRUMENT_MEMORY);
    count = add_given_words(session, words, count);
    words[count++] = session->project.atomc;
    words[count++] = "campaign";
    words[count++] = "work";
    *task = (struct task){
        words, archive_path(session, run, ".tar"), archive_path(session, run, ".result.tar"),
        arena_format(arena, "%s/errors/%s", session->project.home, session->matrix.runs[run].name)};
    return carry_pack(session, run, task->input);
}

static void ended_carried(void *context, uint32_t index, int status) {
    struct session *session = context;
    uint32_t run = session->pending[index];
    const char *packed = archive_path(session, run, ".tar"),
               *result = archive_path(session, run, ".result.tar");
    if (status != -1)
        carry_unpack(session, run, result); /* a failed run has results, too */
    unlink(packed);
    unlink(result);
}

static bool run_carried(struct session *session) {
    uint32_t at_once = session->request->at_once;
    char *folder = format_string("%s/carry", session->project.home);
    struct pool pool = {.at_once = at_once ? at_once : 64, /* the scheduler queues them */
                        .count = session->pending_count,
                        .prepare = prepare_carried,
                        .ended = ended_carried,
                        .look = progress_look,
                        .context = session};
    bool made = mkdir(folder, 0777) == 0 || errno == EEXIST;
    free(folder);
    return made && note_process(session) && pool_run(&pool);
}

/* ---- the engine --------------------------------------------------------------------------------------- */

bool slurm_run(struct session *session) {
    struct cluster cluster;
    struct chunks chunks;
    if (!ask_cluster(session, &cluster))
        return false;
    bool carried = session->request->carry;
    char *worker = format_string("%s/worker.sh", session->project.home);
    json_t *note = new_note(session);
    bool good =
        carried ? run_carried(session)
                : write_jobs(session) && write_chunks(session, &chunks) &&
                      write_worker(session, worker, "cat \"$home/chunks/$(($1 + SLURM_ARRAY_TASK_ID))\"") &&
                      submit_all(session, note, &cluster, &chunks);
    if (good && !carried) {
        printf("%u runs in %u tasks, %zu arrays\n", session->pending_count, chunks.count,
               json_array_size(json_object_get(note, "jobs")));
        fflush(stdout);
        if (!session->request->no_wait && (good = wait_for(session, note)))
            print_endings(&cluster, note);
    }
    json_decref(note);
    free(worker);
    forget_cluster(&cluster);
    return good;
}

bool slurm_stop(struct session *session, const json_t *note) {
    enum { WAIT_SECONDS = 60 };
    if (json_object_get(note, "process")) /* carried */
        return stop_process(session, note);
    json_t *id;
    size_t i;
    int64_t length = queue_length(note);
    if (length == 0)
        return puts("nothing is under way") >= 0;
    json_array_foreach(json_object_get(note, "jobs"), i, id) {
        const char *const words[] = {"scancel", "--quiet", json_string_value(id), NULL};
        int status = 0;
        char *text = output_of(words, &status);
        if (!text)
            return report_slurm_error(session, "scancel", NULL);
        free(text);
    }
    for (int second = 0; second < WAIT_SECONDS && (length = queue_length(note)) != 0; second++)
        sleep(1);
    if (length != 0)
        return report_slurm_error(session, "scancel", "tasks are still in the queue");
    puts("stopped");
    return true;
}

bool slurm_check(struct session *session) {
    struct cluster cluster;
    if (!ask_cluster(session, &cluster))
        return false;
    printf("Slurm: arrays of at most %" PRId64 " tasks, accounting %s%s\n", cluster.array_size,
           cluster.accounting ? cluster.accounting : "none", cluster.record ? ", jobcomp" : "");
    forget_cluster(&cluster);
    struct arena *arena = session->campaign->arena;
    const char *words[MOST_WORDS], *name = session->matrix.runs[0].name;
    char *tried = format_string("%s/runs/%s.tried", session->project.folder, name);
    uint32_t count = 0;
    session->pending = arena_allocate(arena, sizeof *session->pending);
    session->pending_count = 1;
    remove_folder(tried);
    words[count++] = "srun";
    words[count++] = "--quiet";
    words[count++] = "--ntasks=1";
    words[count++] = "--input=none";
    count = add_given_words(session, words, count);
    words[count++] = session->project.atomc;
    words[count++] = "run";
    words[count++] = arena_format(arena, "--job=%s", job_path(session, 0));
    words[count++] = arena_format(arena, "--into=%s", tried);
    words[count] = NULL;
    int status = 0;
    char *text = write_jobs(session) ? output_of(words, &status) : NULL;
    char *path = format_string("%s/run.json", tried);
    json_t *run = json_load_file(path, 0, NULL);
    bool good = text && status == 0 && run;
    if (good)
        printf("one run tried on %s: %s, isolation %s\n", json_string_value(json_object_get(run, "host")),
               json_string_value(json_object_get(run, "state")),
               json_string_value(json_object_get(run, "isolation")));
    else
        report_slurm_error(session, "srun",
                           text && *text ? text
                           : text        ? "no folder of results came: is it a shared one?"
                                         : NULL);
    json_decref(run);
    remove_folder(tried);
    free(path);
    free(text);
    free(tried);
    return good;
}
