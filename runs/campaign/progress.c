/* progress.c: the progress of runs, whichever engine makes them: new folders in runs/ are reported on the
   terminal, and as events to a listener (docs/campaigns.md). */
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runs/campaign/campaign.h"
#include "runs/job/job.h"

enum { LEAST_PAUSE = 1 }; /* seconds between two checks, unless a run has ended */

struct progress {
    struct events events;
    json_t *waiting; /* pending runs that have not ended: whether they are under way, by name */
    uint32_t ended, bad;
    double last;
};

double time_of_day(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void progress_begin(struct session *session) {
    struct progress *progress = arena_allocate(session->campaign->arena, sizeof *progress);
    *progress = (struct progress){.waiting = json_object()};
    for (uint32_t i = 0; i < session->pending_count; i++)
        json_object_set_new(progress->waiting, session->matrix.runs[session->pending[i]].name, json_false());
    if (session->request->events)
        signal(SIGPIPE, SIG_IGN); /* the listener may have ended */
    events_begin(&progress->events, session->request->events ? (int)session->request->events : -1);
    events_send(&progress->events, "begin",
                json_pack("{si,sf}", "runs", (int)session->pending_count, "time", time_of_day()), false,
                false);
    session->progress = progress;
}

static void print_progress(struct session *session, const char *name, const struct standing *standing) {
    events_send(&session->progress->events, "run",
                json_pack("{ss,ss,ss,sf,sf}", "run", name, "state", state_words[standing->state], "reason",
                          standing->reason, "seconds", standing->seconds, "time", time_of_day()),
                false, false);
}

/* An entry of runs/: KEY.REPEAT, or KEY.REPEAT.*.tmp of one that is under way. */
static void look_at_entry(struct session *session, const char *entry) {
    struct progress *progress = session->progress;
    const char *repeat = strchr(entry, '.'), *more = repeat ? strchr(repeat + 1, '.') : NULL,
               *end = strrchr(entry, '.');
    char *name = format_string("%.*s", (int)(more ? more - entry : (ptrdiff_t)strlen(entry)), entry);
    const json_t *under_way = json_object_get(progress->waiting, name);
    if (under_way && !more) {
        struct standing standing = look_at_run(&session->project, &session->matrix, name);
        progress->ended++;
        progress->bad += !is_whole(&standing);
        print_progress(session, name, &standing);
        json_object_del(progress->waiting, name);
    } else if (json_is_false(under_way) && strcmp(end, ".tmp") == 0 &&
               is_worked_on(&session->project, entry)) {
        json_object_set_new(progress->waiting, name, json_true());
        print_progress(session, name, &(struct standing){.state = RUN_UNDER_WAY, .reason = ""});
    }
    free(name);
}

static void show_progress(const struct session *session) {
    const struct progress *progress = session->progress;
    uint32_t all = session->pending_count;
    if (isatty(STDERR_FILENO) && progress->ended)
        fprintf(stderr, "\r%u of %u runs, %u failed, about %.0f s left \033[K%s", progress->ended, all,
                progress->bad,
                (seconds_now() - progress->events.begin) * (all - progress->ended) / progress->ended,
                progress->ended == all ? "\n" : "");
}

void progress_look(void *context, bool at_once) {
    struct session *session = context;
    struct progress *progress = session->progress;
    if (!at_once && seconds_now() - progress->last < LEAST_PAUSE)
        return;
    progress->last = seconds_now();
    char *path = run_folder(&session->project, "");
    DIR *folder = opendir(path);
    const struct dirent *entry;
    uint32_t before = progress->ended;
    while (folder && (entry = readdir(folder)))
        look_at_entry(session, entry->d_name);
    if (folder)
        closedir(folder);
    free(path);
    if (progress->ended != before)
        show_progress(session);
    events_flush(&progress->events);
}

void progress_end(struct session *session) {
    struct progress *progress = session->progress;
    progress_look(session, true);
    events_send(&progress->events, "end",
                json_pack("{si,si,sf}", "ended", (int)progress->ended, "failed", (int)progress->bad, "time",
                          time_of_day()),
                false, false);
    events_end(&progress->events);
    json_decref(progress->waiting);
    session->progress = NULL;
}
