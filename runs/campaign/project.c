/* project.c: folders of a project and the state of each run. There is no other record: a run has been made if
   its folder exists. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runs/campaign/campaign.h"

const char *const state_words[] = {"missing", "under way", "finished", "stopped", "failed"};

static bool report_path_error(const struct campaign *campaign, enum message id, const char *path) {
    diagnose(campaign->diagnostics, NULL, id, path, strerror(errno));
    return false;
}

/* ---- folders ------------------------------------------------------------------------------------------ */

/* The name of the file without its suffix. */
static const char *campaign_folder(const struct campaign *campaign) {
    const char *slash = strrchr(campaign->path, '/'), *name = slash ? slash + 1 : campaign->path,
               *dot = strrchr(name, '.');
    return dot && dot > name ? arena_string(campaign->arena, name, (size_t)(dot - name)) : name;
}

bool project_open(struct project *project, const struct campaign *campaign, const char *folder) {
    char real[PATH_MAX];
    const char *slash = strrchr(campaign->path, '/');
    const char *wanted =
        folder  ? folder
        : slash ? arena_string(campaign->arena, campaign->path, (size_t)(slash - campaign->path) + 1)
                : ".";
    if (!realpath(wanted, real))
        return report_path_error(campaign, MESSAGE_CANNOT_READ, wanted);
    size_t length = strlen(real), above = strlen("/campaigns");
    if (!folder && length > above && strcmp(real + length - above, "/campaigns") == 0)
        real[length - above] = '\0';
    project->folder = arena_format(campaign->arena, "%s", real);
    project->home = arena_format(campaign->arena, "%s/campaigns/%s", real, campaign_folder(campaign));
    project->atomc = atomc_beside();
    return true;
}

static bool make_campaign_folder(const struct campaign *campaign, const char *parent, const char *name) {
    char *path = format_string("%s%s", parent, name);
    bool good =
        mkdir(path, 0777) == 0 || errno == EEXIST || report_path_error(campaign, MESSAGE_CANNOT_WRITE, path);
    free(path);
    return good;
}

bool project_prepare(const struct project *project, const struct campaign *campaign) {
    return make_campaign_folder(campaign, project->folder, "/runs") &&
           make_campaign_folder(campaign, project->folder, "/campaigns") &&
           make_campaign_folder(campaign, project->home, "") &&
           make_campaign_folder(campaign, project->home, "/jobs") &&
           make_campaign_folder(campaign, project->home, "/errors");
}

char *run_folder(const struct project *project, const char *name) {
    return format_string("%s/runs/%s", project->folder, name);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)status;
    (void)where;
    (void)kind;
    return remove(path);
}

bool remove_folder(const char *path) {
    return nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT;
}

/* ---- what is there ------------------------------------------------------------------------------------ */

static double number_member(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

/* Limits are not part of a run's key: with a higher one it may end differently. */
static bool is_too_early(const struct limits *limits, const json_t *run, const char *reason) {
    const struct {
        const char *reason, *key;
        int64_t limit;
    } known[] = {{"time", "seconds", limits->seconds},
                 {"memory", "memory_mb", limits->memory_mb},
                 {"output", "output_mb", limits->output_mb},
                 {"disk", "disk_mb", limits->disk_mb},
                 {"processes", "processes", limits->processes}};
    const json_t *had = json_object_get(json_object_get(run, "job"), "limits");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].reason, reason) == 0)
            return json_integer_value(json_object_get(had, known[i].key)) < known[i].limit;
    return false;
}

static struct standing standing_of(const struct matrix *matrix, const json_t *run) {
    const char *state = json_string_value(json_object_get(run, "state")),
               *reason = json_string_value(json_object_get(run, "reason"));
    struct standing standing = {.state = RUN_FAILED, .reason = ""};
    if (!state)
        return standing;
    standing.seconds = number_member(run, "instrument_seconds") + number_member(run, "seconds");
    for (enum state i = RUN_FINISHED; i <= RUN_FAILED; i++)
        if (strcmp(state, state_words[i]) == 0)
            standing.state = i;
    const char *ended = json_string_value(json_object_get(run, "ended"));
    standing.ended = ended ? arena_format(matrix->campaign->arena, "%s", ended) : NULL;
    if (reason)
        standing.reason = arena_format(matrix->campaign->arena, "%s", reason);
    json_int_t signal = json_integer_value(json_object_get(run, "signal"));
    standing.by_signal = standing.state == RUN_FINISHED && signal > 0;
    if (standing.by_signal)
        standing.reason = arena_format(matrix->campaign->arena, "signal %d", (int)signal);
    standing.too_early =
        standing.state == RUN_STOPPED && reason && is_too_early(&matrix->limits, run, reason);
    return standing;
}

/* The process that makes a run holds a lock on its folder. */
static bool is_folder_locked(const char *path) {
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool locked = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0;
    if (descriptor >= 0)
        close(descriptor);
    return locked;
}

/* Incomplete folders are named NAME.*.tmp, after their final name. Lists the locked folders, or the unlocked
   folders, as an object of lists. */
static json_t *list_unfinished(const struct project *project, bool locked) {
    json_t *names = json_object();
    char *path = run_folder(project, "");
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        const char *end = strrchr(entry->d_name, '.'), *repeat = strchr(entry->d_name, '.'),
                   *more = repeat ? strchr(repeat + 1, '.') : NULL;
        if (!more || strcmp(end, ".tmp") != 0)
            continue;
        char *name = format_string("%.*s", (int)(more - entry->d_name), entry->d_name),
             *whole = run_folder(project, entry->d_name);
        json_t *list = json_object_get(names, name);
        if (!list)
            json_object_set_new(names, name, list = json_array());
        if (is_folder_locked(whole) == locked)
            json_array_append_new(list, json_string(entry->d_name));
        free(whole);
        free(name);
    }
    if (folder)
        closedir(folder);
    free(path);
    return names;
}

bool is_worked_on(const struct project *project, const char *entry) {
    char *path = run_folder(project, entry);
    bool locked = is_folder_locked(path);
    free(path);
    return locked;
}

struct standing look_at_run(const struct project *project, const struct matrix *matrix, const char *name) {
    char *path = format_string("%s/runs/%s/run.json", project->folder, name);
    json_t *run = json_load_file(path, 0, NULL);
    struct standing standing =
        run ? standing_of(matrix, run) : (struct standing){.state = RUN_MISSING, .reason = ""};
    json_decref(run);
    free(path);
    return standing;
}

struct standing *look_at_runs(const struct project *project, const struct matrix *matrix) {
    const struct campaign *campaign = matrix->campaign;
    struct standing *standings = arena_allocate(campaign->arena, matrix->run_count * sizeof *standings);
    json_t *unfinished = list_unfinished(project, true);
    for (uint32_t i = 0; i < matrix->run_count; i++) {
        standings[i] = look_at_run(project, matrix, matrix->runs[i].name);
        if (standings[i].state == RUN_MISSING &&
            json_array_size(json_object_get(unfinished, matrix->runs[i].name)))
            standings[i].state = RUN_UNDER_WAY;
    }
    json_decref(unfinished);
    return standings;
}

bool is_whole(const struct standing *standing) {
    return standing->state == RUN_FINISHED || (standing->state == RUN_STOPPED && !standing->too_early &&
                                               strcmp(standing->reason, "cancelled") != 0);
}

bool is_cut_short(const struct standing *standing) {
    return is_whole(standing) && (standing->state == RUN_STOPPED || standing->by_signal);
}

uint32_t remove_remains(const struct project *project, const struct matrix *matrix) {
    json_t *unfinished = list_unfinished(project, false), *entry;
    uint32_t removed = 0;
    size_t at;
    for (uint32_t i = 0; i < matrix->run_count; i++)
        json_array_foreach(json_object_get(unfinished, matrix->runs[i].name), at, entry) {
            char *path = run_folder(project, json_string_value(entry));
            removed += access(path, F_OK) == 0 && remove_folder(path);
            free(path);
        }
    json_decref(unfinished);
    return removed;
}

/* ---- the engine's note -------------------------------------------------------------------------------- */

bool write_whole(const struct campaign *campaign, const char *path, const char *text, size_t length) {
    char *temporary = format_string("%s.XXXXXX", path);
    int descriptor = mkstemp(temporary);
    bool good = descriptor >= 0;
    for (size_t written = 0; good && written < length;) {
        ssize_t bytes = write(descriptor, text + written, length - written);
        good = bytes >= 0 || errno == EINTR;
        written += bytes > 0 ? (size_t)bytes : 0;
    }
    mode_t mask = umask(0);
    umask(mask);
    if (descriptor >= 0) {
        good = fchmod(descriptor, 0666 & ~mask) == 0 && good;
        good = close(descriptor) == 0 && good;
    }
    good = good && rename(temporary, path) == 0;
    if (!good) {
        report_path_error(campaign, MESSAGE_CANNOT_WRITE, path);
        unlink(temporary);
    }
    free(temporary);
    return good;
}

json_t *read_note(const struct project *project) {
    char *path = format_string("%s/engine.json", project->home);
    json_t *note = json_load_file(path, 0, NULL);
    free(path);
    return note;
}

bool write_note(const struct project *project, const struct campaign *campaign, const json_t *note) {
    char *path = format_string("%s/engine.json", project->home), *text = json_dumps(note, JSON_INDENT(2));
    bool good = write_whole(campaign, path, text, strlen(text));
    free(text);
    free(path);
    return good;
}
