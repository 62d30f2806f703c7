/* campaigns.c: see campaigns.h. The command's output about its runs becomes events. At intervals, and at its
   end, `atomc campaign collect` adds the available results to the project, so that they can be viewed. */
#define _GNU_SOURCE
#include "workbench/project/campaigns.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/json.h"
#include "workbench/server/child.h"

enum { LONGEST_LINE = 64 * 1024, KEPT_SAID = 16 * 1024, LOOK_MILLISECONDS = 200, COLLECT_SECONDS = 3600 };
static const double between_collects = 2; /* seconds at least, and four times the duration of the last one */

struct campaign {
    char *name, *file; /* the file: below the project */
    char **words;
    int64_t events; /* less than zero: the remaining events belong to runs */
    pid_t child;    /* 0: the process has ended */
    pthread_t thread;
    bool over;
    struct campaign *next;
};

static struct {
    pthread_mutex_t lock;
    struct campaign *first;
    int64_t last_events;
    bool stopping;
} campaigns = {.lock = PTHREAD_MUTEX_INITIALIZER};

static double campaign_clock(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void free_campaign(struct campaign *campaign) {
    for (size_t i = 0; campaign->words[i]; i++)
        free(campaign->words[i]);
    free(campaign->words);
    free(campaign->name);
    free(campaign->file);
    free(campaign);
}

/* ---- its command --------------------------------------------------------------------------------------- */

struct attempt {
    struct campaign *campaign;
    char *line;
    size_t length;
    unsigned waiting; /* runs that have ended and are not collected */
    pid_t collector;  /* 0: no process is running */
    double collector_began, collect_next;
};

static void take_campaign_event(struct attempt *attempt) {
    json_t *event = json_loads(attempt->line, 0, NULL);
    const char *type = json_string_value(json_object_get(event, "event")),
               *state = json_string_value(json_object_get(event, "state"));
    if (type && strlen(type) < 32 && strspn(type, "abcdefghijklmnopqrstuvwxyz") == strlen(type))
        events_add(attempt->campaign->events, type, attempt->line);
    attempt->waiting += state && strcmp(state, "under way") != 0;
    json_decref(event);
}

/* Returns false at the end. */
static bool read_campaign_events(struct attempt *attempt, int descriptor) {
    char bytes[16384];
    ssize_t length = read(descriptor, bytes, sizeof bytes);
    for (ssize_t i = 0; i < length; i++) {
        if (bytes[i] == '\n') {
            attempt->line[attempt->length] = '\0';
            take_campaign_event(attempt);
            attempt->length = 0;
        } else if (attempt->length < LONGEST_LINE) {
            attempt->line[attempt->length++] = bytes[i];
        }
    }
    return length > 0 || (length < 0 && errno == EINTR);
}

static pid_t start_collector(const struct campaign *campaign) {
    const char *words[] = {"atomc", "campaign", "collect", campaign->file, "--many", NULL};
    const int files[] = {PROCESS_NOTHING, PROCESS_NOTHING, PROCESS_NOTHING, PROCESS_NOTHING};
    pid_t child = child_start(words, files, project_folder(server.project));
    return child > 0 ? child : 0;
}

/* Called during the campaign: starts one collector at a time, at most once in an interval. */
static void look_after_collector(struct attempt *attempt) {
    int status;
    if (attempt->collector && waitpid(attempt->collector, &status, WNOHANG) == attempt->collector) {
        double took = campaign_clock() - attempt->collector_began;
        attempt->collector = 0;
        attempt->collect_next =
            campaign_clock() + (4 * took > between_collects ? 4 * took : between_collects);
        events_add(attempt->campaign->events, "collected", "{}");
    }
    if (!attempt->collector && attempt->waiting && campaign_clock() >= attempt->collect_next &&
        !campaigns.stopping) {
        attempt->waiting = 0;
        attempt->collector_began = campaign_clock();
        attempt->collector = start_collector(attempt->campaign);
    }
}

/* Its exit status; -1: the command was not started. */
static int conduct_command(struct attempt *attempt, int said) {
    struct campaign *campaign = attempt->campaign;
    int ends[2];
    pid_t child = -1;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pthread_mutex_lock(&campaigns.lock);
    if (!campaigns.stopping)
        child = child_start((const char *const *)campaign->words,
                            (int[]){PROCESS_NOTHING, said, said, ends[1]}, project_folder(server.project));
    campaign->child = child > 0 ? child : 0;
    pthread_mutex_unlock(&campaigns.lock);
    close(ends[1]);
    for (bool more = child > 0; more;) {
        struct pollfd ready = {ends[0], POLLIN, 0};
        if (poll(&ready, 1, LOOK_MILLISECONDS) > 0)
            more = read_campaign_events(attempt, ends[0]);
        look_after_collector(attempt);
    }
    close(ends[0]);
    int status = child > 0 ? process_exit_status(process_wait(child)) : -1;
    pthread_mutex_lock(&campaigns.lock);
    campaign->child = 0;
    pthread_mutex_unlock(&campaigns.lock);
    if (attempt->collector)
        process_wait(attempt->collector);
    return status;
}

static json_t *collect_all(const struct campaign *campaign) {
    const char *words[] = {"atomc", "campaign", "collect", campaign->file, "--many", NULL};
    struct command command = {.words = words, .seconds = COLLECT_SECONDS};
    struct command_result result;
    bool good = command_run(server.project, &command, &result) && result.status == 0;
    json_t *said = json_text(good ? result.output : result.errors);
    command_free(&result);
    return json_pack("{s:b, s:o}", "collected", good, "collect", said);
}

static void *conduct_campaign(void *context) {
    struct attempt attempt = {.campaign = context, .line = allocate(LONGEST_LINE + 1)};
    struct campaign *campaign = attempt.campaign;
    int said = memfd_create("said", MFD_CLOEXEC), status = said < 0 ? -1 : conduct_command(&attempt, said);
    char *text = allocate_zeroed(KEPT_SAID + 1, 1);
    ssize_t length = said < 0 ? 0 : pread(said, text, KEPT_SAID, 0);
    text[length > 0 ? length : 0] = '\0';
    json_t *end = campaigns.stopping ? json_object() : collect_all(campaign);
    json_object_set_new(end, "status", json_integer(status));
    json_object_set_new(end, "said", json_text(text));
    char *line = json_dumps(end, JSON_COMPACT);
    pthread_mutex_lock(&campaigns.lock);
    campaign->over = true;
    pthread_mutex_unlock(&campaigns.lock);
    events_add(campaign->events, "finished", line);
    events_finish(campaign->events);
    json_decref(end);
    free(line);
    free(text);
    free(attempt.line);
    if (said >= 0)
        close(said);
    return NULL;
}

/* ---- all of them; with the lock ------------------------------------------------------------------------ */

static struct campaign **find_campaign(const char *name) {
    struct campaign **at = &campaigns.first;
    while (*at && strcmp((*at)->name, name) != 0)
        at = &(*at)->next;
    return at;
}

static struct campaign *make_campaign(const char *name, const char *const *words) {
    struct campaign *campaign = allocate_zeroed(1, sizeof *campaign);
    size_t count = 0;
    while (words[count])
        count++;
    campaign->words = allocate_zeroed(count + 1, sizeof *campaign->words);
    for (size_t i = 0; i < count; i++)
        campaign->words[i] = duplicate_string(words[i]);
    campaign->name = duplicate_string(name);
    campaign->file = format_string("campaigns/%s.json", name);
    campaign->events = --campaigns.last_events;
    return campaign;
}

bool campaigns_begin(const char *name, const char *const *words) {
    pthread_mutex_lock(&campaigns.lock);
    struct campaign **at = find_campaign(name), *before = *at;
    bool busy = campaigns.stopping || (before && !before->over), good = !busy;
    if (good && before) {
        *at = before->next;
        pthread_join(before->thread, NULL); /* the process has ended, or is about to end */
        free_campaign(before);
    }
    if (good) {
        struct campaign *campaign = make_campaign(name, words);
        int error = pthread_create(&campaign->thread, NULL, conduct_campaign, campaign);
        if (error == 0) {
            campaign->next = campaigns.first;
            campaigns.first = campaign;
        } else {
            free_campaign(campaign);
            errno = error;
            good = false;
        }
    }
    pthread_mutex_unlock(&campaigns.lock);
    if (busy)
        errno = EBUSY;
    return good;
}

int64_t campaigns_events(const char *name, bool *under_way) {
    pthread_mutex_lock(&campaigns.lock);
    const struct campaign *campaign = *find_campaign(name);
    int64_t number = campaign ? campaign->events : 0;
    *under_way = campaign && !campaign->over;
    pthread_mutex_unlock(&campaigns.lock);
    return number;
}

bool campaigns_are_under_way(void) {
    bool any = false;
    pthread_mutex_lock(&campaigns.lock);
    for (const struct campaign *campaign = campaigns.first; campaign; campaign = campaign->next)
        any |= !campaign->over;
    pthread_mutex_unlock(&campaigns.lock);
    return any;
}

void campaigns_end(void) {
    pthread_mutex_lock(&campaigns.lock);
    campaigns.stopping = true;
    for (const struct campaign *campaign = campaigns.first; campaign; campaign = campaign->next)
        if (campaign->child)
            kill(campaign->child, SIGTERM);
    struct campaign *list = campaigns.first;
    campaigns.first = NULL;
    pthread_mutex_unlock(&campaigns.lock);
    while (list) {
        struct campaign *next = list->next;
        pthread_join(list->thread, NULL);
        free_campaign(list);
        list = next;
    }
}
