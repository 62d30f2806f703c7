/* runs.c: see runs.h. A run's row in the project has its state; other changes are events. `atomc collect`
   adds the results. */
#define _GNU_SOURCE
#include "workbench/project/runs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/json.h"
#include "workbench/server/child.h"

enum { MOST_RUNNERS = 64, LONGEST_LINE = 1 << 20, KEPT_ERRORS = 4096, COLLECT_SECONDS = 3600 };

struct run {
    int64_t number;
    char *key, *job, *folder; /* the folder: absolute */
    pid_t child;              /* 0: there is none */
    bool cancelled;
    struct run *next;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct run *queue, *active[MOST_RUNNERS];
    pthread_t threads[MOST_RUNNERS];
    unsigned thread_count;
    bool stopping;
} runs = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};

char *run_folder(const char *key, int64_t repeat) {
    return format_string("runs/%s.%lld", key, (long long)repeat);
}

static void free_run(struct run *run) {
    free(run->key);
    free(run->job);
    free(run->folder);
    free(run);
}

/* ---- the row ------------------------------------------------------------------------------------------ */

struct state {
    int64_t run;
    const char *state, *reason, *about; /* NULL: unchanged */
};

static bool set_run_state(sqlite3 *database, void *argument) {
    const struct state *state = argument;
    sqlite3_stmt *update = NULL;
    if (sqlite3_prepare_v2(database,
                           "UPDATE run SET state = ?2, reason = ?3, about = CASE WHEN ?4 IS NULL THEN about "
                           "ELSE json_patch(about, ?4) END WHERE id = ?1",
                           -1, &update, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_int64(update, 1, state->run);
    sqlite3_bind_text(update, 2, state->state, -1, SQLITE_STATIC);
    sqlite3_bind_text(update, 3, state->reason, -1, SQLITE_STATIC);
    sqlite3_bind_text(update, 4, state->about, -1, SQLITE_STATIC);
    bool good = sqlite3_step(update) == SQLITE_DONE;
    sqlite3_finalize(update);
    return good;
}

static void write_state(int64_t run, const char *state, const char *reason, const char *note) {
    struct state change = {run, state, reason, NULL};
    json_t *about = note && *note ? json_pack("{s:[o]}", "notes", json_text(note)) : NULL;
    char *text = about ? json_dumps(about, JSON_COMPACT) : NULL;
    change.about = text;
    project_write(server.project, set_run_state, &change);
    json_decref(about);
    free(text);
}

/* ---- one run ------------------------------------------------------------------------------------------ */

/* The data of a runner in addition to the run. */
struct attempt {
    struct run *run;
    char *line; /* bytes of an incomplete event */
    size_t length;
    char *note; /* the command's messages; malloc'd */
};

static void take_run_event(struct attempt *attempt) {
    json_t *event = json_loads(attempt->line, 0, NULL);
    const char *type = json_string_value(json_object_get(event, "event")),
               *phase = json_string_value(json_object_get(event, "phase"));
    int64_t number = attempt->run->number;
    if (type && strlen(type) < 32 && strspn(type, "abcdefghijklmnopqrstuvwxyz-") == strlen(type))
        events_add(number, type, attempt->line);
    if (phase && strcmp(phase, "run") == 0)
        write_state(number, "running", NULL, NULL);
    else if (phase && strcmp(phase, "collect") == 0)
        write_state(number, "collecting", NULL, NULL);
    json_decref(event);
}

static void take_bytes(struct attempt *attempt, const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\n') {
            attempt->line[attempt->length] = '\0';
            take_run_event(attempt);
            attempt->length = 0;
        } else if (attempt->length < LONGEST_LINE) {
            attempt->line[attempt->length++] = bytes[i];
        }
    }
}

/* Until the command and all that it started have closed it. */
static void read_run_events(struct attempt *attempt, int descriptor) {
    char bytes[16384];
    ssize_t length;
    while ((length = read(descriptor, bytes, sizeof bytes)) > 0 || (length < 0 && errno == EINTR))
        take_bytes(attempt, bytes, length > 0 ? (size_t)length : 0);
}

static char *read_back(int file) {
    char *text = allocate_zeroed(KEPT_ERRORS + 1, 1);
    ssize_t length = pread(file, text, KEPT_ERRORS, 0);
    text[length > 0 ? length : 0] = '\0';
    return text;
}

/* The job is stored beside the run's folder, for repeating it in a shell. */
static char *write_job(const struct run *run) {
    char *path = format_string("%s.job", run->folder);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    size_t length = strlen(run->job);
    bool good = file >= 0 && write(file, run->job, length) == (ssize_t)length;
    if (file >= 0 && close(file) != 0)
        good = false;
    if (good)
        return path;
    free(path);
    return NULL;
}

/* Returns false if it could not be started. */
static bool start_child(struct run *run, const char *job, int errors, int *events_end) {
    int pipe_ends[2];
    if (pipe2(pipe_ends, O_CLOEXEC) != 0)
        return false;
    char *job_word = format_string("--job=%s", job), *folder_word = format_string("--into=%s", run->folder);
    const char *words[] = {"atomc", "run", job_word, folder_word, "--events=3", NULL};
    pthread_mutex_lock(&runs.lock);
    pid_t child = run->cancelled ? -1
                                 : child_start(words, (int[]){PROCESS_NOTHING, errors, errors, pipe_ends[1]},
                                               project_folder(server.project));
    run->child = child > 0 ? child : 0;
    pthread_mutex_unlock(&runs.lock);
    free(job_word);
    free(folder_word);
    close(pipe_ends[1]);
    *events_end = pipe_ends[0];
    if (child < 0)
        close(pipe_ends[0]);
    return child > 0;
}

/* Its exit status; -1: it was killed, or not started. */
static int make_run(struct attempt *attempt) {
    struct run *run = attempt->run;
    int status = -1, events_end, errors = memfd_create("errors", MFD_CLOEXEC);
    char *job = write_job(run);
    if (!job)
        attempt->note = format_string("%s.job: %s", run->folder, strerror(errno));
    if (job && errors >= 0 && start_child(run, job, errors, &events_end)) {
        read_run_events(attempt, events_end);
        close(events_end);
        process_wait_leader(run->child);
        pthread_mutex_lock(&runs.lock);
        status = process_wait_group(run->child);
        run->child = 0;
        pthread_mutex_unlock(&runs.lock);
        status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        attempt->note = read_back(errors);
    }
    if (errors >= 0)
        close(errors);
    free(job);
    return status;
}

/* Adds the folder's results to the project. Returns false with the reason in a note. */
static bool collect_folder_results(const char *folder, char **note) {
    char *database = format_string("%s/project.sqlite", project_folder(server.project));
    const char *words[] = {"atomc", "collect", folder, "-o", database, NULL};
    struct command command = {.words = words, .seconds = COLLECT_SECONDS};
    struct command_result result;
    bool good = command_run(server.project, &command, &result) && result.status == 0;
    if (!good) {
        free(*note);
        *note = duplicate_string(*result.errors ? result.errors : "the results could not be added");
    }
    command_free(&result);
    free(database);
    return good;
}

static bool has_results(const char *folder) {
    char *path = format_string("%s/run.json", folder);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

/* The last event: the state that the row has now. */
static void say_finished(int64_t number) {
    const char *message;
    sqlite3 *database = project_connect(server.project, &message);
    sqlite3_stmt *ask = NULL;
    char *text = NULL;
    if (database &&
        sqlite3_prepare_v2(database,
                           "SELECT json_object('run', id, 'state', state, 'reason', reason, "
                           "'exit_status', exit_status, 'signal', signal, "
                           "'seconds', seconds, 'notes', json(about -> '$.notes')) FROM run WHERE id = ?1",
                           -1, &ask, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(ask, 1, number);
        if (sqlite3_step(ask) == SQLITE_ROW)
            text = duplicate_string((const char *)sqlite3_column_text(ask, 0));
    }
    sqlite3_finalize(ask);
    sqlite3_close(database);
    events_add(number, "finished", text ? text : "{}");
    events_finish(number);
    free(text);
}

/* The reason why a run has failed: a full disk, which the note names, or the given reason. */
static const char *failure_of(const char *note, const char *otherwise) {
    const char *const full[] = {strerror(ENOSPC), strerror(EDQUOT), "database or disk is full"};
    for (size_t i = 0; i < sizeof full / sizeof full[0] && note; i++)
        if (strstr(note, full[i]))
            return "disk full";
    return otherwise;
}

static void conduct_run(struct run *run) {
    struct attempt attempt = {.run = run, .line = allocate(LONGEST_LINE + 1)};
    write_state(run->number, "instrumenting", NULL, NULL);
    int status = make_run(&attempt);
    if (has_results(run->folder)) {
        write_state(run->number, "collecting", NULL, NULL);
        if (!collect_folder_results(run->folder, &attempt.note))
            write_state(run->number, "failed",
                        runs.stopping ? "the workbench ended" : failure_of(attempt.note, "collect"),
                        attempt.note);
    } else if (run->cancelled) {
        write_state(run->number, runs.stopping ? "failed" : "stopped",
                    runs.stopping ? "the workbench ended" : "cancelled", attempt.note);
    } else {
        write_state(run->number, "failed", failure_of(attempt.note, status == 1 ? "instrument" : "internal"),
                    attempt.note);
    }
    say_finished(run->number);
    free(attempt.line);
    free(attempt.note);
}

/* ---- the queue ---------------------------------------------------------------------------------------- */

static void *run_queued(void *context) {
    unsigned place = (unsigned)(uintptr_t)context;
    pthread_mutex_lock(&runs.lock);
    while (!runs.stopping) {
        struct run *run = runs.queue;
        if (!run) {
            pthread_cond_wait(&runs.more, &runs.lock);
            continue;
        }
        runs.queue = run->next;
        runs.active[place] = run;
        pthread_mutex_unlock(&runs.lock);
        conduct_run(run);
        pthread_mutex_lock(&runs.lock);
        runs.active[place] = NULL;
        free_run(run);
        server_used();
    }
    pthread_mutex_unlock(&runs.lock);
    return NULL;
}

void runs_add(int64_t number, const char *key, int64_t repeat, const char *job) {
    struct run *run = allocate_zeroed(1, sizeof *run);
    char *folder = run_folder(key, repeat);
    run->number = number;
    run->key = duplicate_string(key);
    run->job = duplicate_string(job);
    run->folder = format_string("%s/%s", project_folder(server.project), folder);
    free(folder);
    events_add(number, "phase", "{\"event\":\"phase\",\"phase\":\"queue\"}");
    pthread_mutex_lock(&runs.lock);
    struct run **at = &runs.queue;
    while (*at)
        at = &(*at)->next;
    *at = run;
    pthread_cond_signal(&runs.more);
    pthread_mutex_unlock(&runs.lock);
}

/* The caller holds the lock. */
static void cancel_active(struct run *run) {
    if (run->child)
        kill(run->child, SIGTERM);
    run->cancelled = true;
}

bool runs_cancel(int64_t number) {
    struct run *queued = NULL;
    bool found = false;
    pthread_mutex_lock(&runs.lock);
    for (struct run **at = &runs.queue; *at && !queued; at = &(*at)->next)
        if ((*at)->number == number) {
            queued = *at;
            *at = queued->next;
            break;
        }
    for (unsigned i = 0; i < runs.thread_count; i++)
        if (runs.active[i] && runs.active[i]->number == number) {
            cancel_active(runs.active[i]);
            found = true;
        }
    pthread_mutex_unlock(&runs.lock);
    if (!queued)
        return found;
    write_state(number, "stopped", "cancelled", NULL);
    say_finished(number);
    free_run(queued);
    return true;
}

bool runs_are_under_way(void) {
    pthread_mutex_lock(&runs.lock);
    bool any = runs.queue != NULL;
    for (unsigned i = 0; i < runs.thread_count; i++)
        any |= runs.active[i] != NULL;
    pthread_mutex_unlock(&runs.lock);
    return any;
}

/* ---- what a server before this one left ---------------------------------------------------------------- */

/* The folder that `atomc run --job` was writing: FOLDER.XXXXXXXX.tmp. Other jobs may be at work beside this
   one's. */
static void remove_temporary(const char *run) {
    char *path = format_string("%s/runs", project_folder(server.project));
    const char *name = run + strlen("runs/");
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name), known = strlen(name);
        if (strncmp(entry->d_name, name, known) == 0 && entry->d_name[known] == '.' && length > known + 4 &&
            strcmp(entry->d_name + length - 4, ".tmp") == 0) {
            char *inner = format_string("%s/%s", path, entry->d_name);
            remove_tree(inner);
            free(inner);
        }
    }
    if (folder)
        closedir(folder);
    free(path);
}

struct unfinished {
    int64_t *numbers;
    char **folders;
    size_t count, capacity, folder_capacity;
};

static bool find_unfinished(sqlite3 *database, void *argument) {
    struct unfinished *found = argument;
    sqlite3_stmt *ask = NULL;
    if (sqlite3_prepare_v2(
            database, "SELECT id, key, repeat FROM run WHERE state NOT IN ('finished', 'failed', 'stopped')",
            -1, &ask, NULL) != SQLITE_OK)
        return false;
    while (sqlite3_step(ask) == SQLITE_ROW) {
        VECTOR_RESERVE(found->numbers, found->count, found->capacity);
        VECTOR_RESERVE(found->folders, found->count, found->folder_capacity);
        found->numbers[found->count] = sqlite3_column_int64(ask, 0);
        found->folders[found->count++] =
            run_folder((const char *)sqlite3_column_text(ask, 1), sqlite3_column_int64(ask, 2));
    }
    sqlite3_finalize(ask);
    return true;
}

/* Adds existing results; runs without results have failed. */
static void look_after_unfinished(void) {
    struct unfinished found = {0};
    project_write(server.project, find_unfinished, &found);
    for (size_t i = 0; i < found.count; i++) {
        char *folder = format_string("%s/%s", project_folder(server.project), found.folders[i]), *note = NULL;
        if (!has_results(folder) || !collect_folder_results(folder, &note))
            write_state(found.numbers[i], "failed", "the workbench ended", note);
        remove_temporary(found.folders[i]);
        free(note);
        free(folder);
        free(found.folders[i]);
    }
    free(found.numbers);
    free(found.folders);
}

bool runs_start(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned wanted = processors > MOST_RUNNERS ? MOST_RUNNERS
                      : processors > 2          ? (unsigned)processors - 1
                                                : 1;
    if (project_is_read_only(server.project))
        return true;
    look_after_unfinished();
    for (; runs.thread_count < wanted; runs.thread_count++)
        if (pthread_create(&runs.threads[runs.thread_count], NULL, run_queued,
                           (void *)(uintptr_t)runs.thread_count) != 0)
            return runs.thread_count > 0;
    return true;
}

void runs_stop(void) {
    pthread_mutex_lock(&runs.lock);
    runs.stopping = true;
    for (unsigned i = 0; i < runs.thread_count; i++)
        if (runs.active[i])
            cancel_active(runs.active[i]);
    pthread_cond_broadcast(&runs.more);
    struct run *queue = runs.queue;
    runs.queue = NULL;
    pthread_mutex_unlock(&runs.lock);
    while (queue) {
        struct run *next = queue->next;
        write_state(queue->number, "failed", "the workbench ended", NULL);
        free_run(queue);
        queue = next;
    }
    for (unsigned i = 0; i < runs.thread_count; i++)
        pthread_join(runs.threads[i], NULL);
}
