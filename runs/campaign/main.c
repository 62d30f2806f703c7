/* main.c: the command line of atomc-campaign, which atomc campaign starts.
   Exit status as atomc's: 0, 1 for the user's errors and runs that were not made, 2 for ours. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "runs/campaign/campaign.h"
#include "support/json.h"
#include "support/options.h"

/* ---- words -------------------------------------------------------------------------------------------- */

/* Returns false after an error. */
static bool set_word(struct request *request, const struct option_reader *reader) {
    const char **place = !request->command ? &request->command : !request->file ? &request->file : NULL;
    if (!place)
        return usage_error(reader->diagnostics, COMMAND_CAMPAIGN,
                           "one file is enough, and there is '%s', too", reader->word);
    *place = reader->word;
    return true;
}

/* Returns false after an error. */
static bool set_campaign_option(struct request *request, const struct option_reader *reader,
                                enum option_id option) {
    const char **const texts[OPTION_COUNT] = {
        [OPTION_CAMPAIGN_PROJECT] = &request->project, [OPTION_CAMPAIGN_ENGINE] = &request->engine,
        [OPTION_CAMPAIGN_FORM] = &request->format,     [OPTION_CAMPAIGN_HOSTS] = &request->hosts,
        [OPTION_CAMPAIGN_SLURM] = &request->slurm,     [OPTION_CAMPAIGN_VALUE] = &request->value,
        [OPTION_CAMPAIGN_REPORT] = &request->report,   [OPTION_CAMPAIGN_ROWS] = &request->rows,
        [OPTION_CAMPAIGN_COLUMNS] = &request->columns, [OPTION_CAMPAIGN_PANELS] = &request->panels,
        [OPTION_CAMPAIGN_WHERE] = &request->where,     [OPTION_CAMPAIGN_OVER] = &request->over,
        [OPTION_CAMPAIGN_SUMMARY] = &request->summary, [OPTION_CAMPAIGN_OUTPUT] = &request->output,
    };
    uint32_t *const numbers[OPTION_COUNT] = {
        [OPTION_CAMPAIGN_JOBS] = &request->at_once,
        [OPTION_CAMPAIGN_EVENTS] = &request->events,
        [OPTION_CAMPAIGN_CHUNK] = &request->chunk_seconds,
    };
    bool *const flags[OPTION_COUNT] = {
        [OPTION_CAMPAIGN_MANY] = &request->many,
        [OPTION_CAMPAIGN_NO_WAIT] = &request->no_wait,
        [OPTION_CAMPAIGN_CARRY] = &request->carry,
    };
    if (texts[option])
        *texts[option] = reader->value;
    else if (numbers[option])
        *numbers[option] = (uint32_t)reader->number;
    else if (flags[option])
        *flags[option] = true;
    return option != OPTION_WRONG && (option != OPTION_WORD || set_word(request, reader));
}

static bool parse_campaign_words(struct request *request, char **words, int count,
                                 struct diagnostics *diagnostics) {
    struct option_reader reader = {
        .command = COMMAND_CAMPAIGN, .words = words, .count = count, .at = 2, .diagnostics = diagnostics};
    for (enum option_id option; (option = next_option(&reader)) != OPTION_END;)
        if (!set_campaign_option(request, &reader, option))
            return false;
    return true;
}

/* ---- commands ----------------------------------------------------------------------------------------- */

bool is_json(const struct request *request) {
    return request->format && strcmp(request->format, "json") == 0;
}

/* 1,234 */
static char *grouped_number(uint64_t number) {
    char digits[32], *text = NULL;
    size_t size, length = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, number);
    FILE *stream = open_memstream(&text, &size);
    for (size_t i = 0; i < length; i++) {
        fputs(i > 0 && (length - i) % 3 == 0 ? "," : "", stream);
        fputc(digits[i], stream);
    }
    fclose(stream);
    return text;
}

static void print_seconds(double seconds) {
    if (seconds < 120)
        printf("%.0f s", seconds);
    else if (seconds < 2 * 3600)
        printf("%.0f min", seconds / 60);
    else
        printf("%.1f h", seconds / 3600);
}

struct sums {
    uint32_t states[RUN_FAILED + 1];
    uint32_t cancelled, whole, by_signal, cut;
};

static struct sums sum_up(const struct session *session) {
    struct sums sums = {0};
    for (uint32_t i = 0; i < session->matrix.run_count; i++) {
        const struct standing *standing = &session->standings[i];
        sums.states[standing->state]++;
        sums.whole += is_whole(standing);
        sums.by_signal += standing->by_signal;
        sums.cut += is_cut_short(standing);
        sums.cancelled += standing->state == RUN_STOPPED && !is_whole(standing);
    }
    return sums;
}

/* Each run is in the list once: two places of the matrix may have the same job. `failed`: includes failed
   runs. */
static void list_pending(struct session *session, bool failed) {
    json_t *seen = json_object();
    session->pending =
        arena_allocate(session->campaign->arena, session->matrix.run_count * sizeof *session->pending);
    session->pending_count = 0;
    for (uint32_t i = 0; i < session->matrix.run_count; i++) {
        const struct standing *standing = &session->standings[i];
        if (is_whole(standing) || (standing->state == RUN_FAILED && !failed) ||
            json_object_get(seen, session->matrix.runs[i].name))
            continue;
        json_object_set_new(seen, session->matrix.runs[i].name, json_true());
        session->pending[session->pending_count++] = i;
    }
    json_decref(seen);
}

/* The number of places in the matrix whose job an earlier place has. */
static uint32_t count_same(const struct session *session) {
    json_t *names = json_object();
    for (uint32_t i = 0; i < session->matrix.run_count; i++)
        json_object_set_new(names, session->matrix.runs[i].name, json_true());
    uint32_t same = session->matrix.run_count - (uint32_t)json_object_size(names);
    json_decref(names);
    return same;
}

static bool plan_campaign(struct session *session) {
    const struct campaign *campaign = session->campaign;
    list_pending(session, false);
    estimate(&session->estimates, &session->project, &session->matrix);
    struct sums sums = sum_up(session);
    double seconds = 0;
    bool known = true;
    for (uint32_t i = 0; i < session->pending_count; i++) {
        double one = session->estimates.seconds[session->pending[i]];
        known &= one >= 0;
        seconds += one < 0 ? 0 : one;
    }
    uint32_t at_once = session->request->at_once ? session->request->at_once : usual_at_once();
    double bytes = session->estimates.bytes * session->pending_count;
    if (is_json(session->request)) {
        json_t *plan = json_pack("{ss,si,si,si,si}", "campaign", campaign->name, "runs",
                                 (int)session->matrix.run_count, "whole", (int)sums.whole, "failed",
                                 (int)sums.states[RUN_FAILED], "pending", (int)session->pending_count);
        json_object_set_new(plan, "seconds", known ? json_real(seconds) : json_null());
        json_object_set_new(plan, "bytes", known ? json_real(bytes) : json_null());
        json_object_set_new(plan, "by", json_integer(session->estimates.known));
        json_object_set_new(plan, "at_once", json_integer(at_once));
        json_object_set_new(plan, "same", json_integer(count_same(session)));
        session->answer = plan;
        return true;
    }
    uint32_t same = count_same(session);
    char *all = grouped_number(session->matrix.run_count), *whole = grouped_number(sums.whole),
         *pending = grouped_number(session->pending_count);
    printf("%s: %s runs, %s exist, %s to make", campaign->name, all, whole, pending);
    if (same)
        printf(", %u the same as others", same);
    if (sums.states[RUN_FAILED])
        printf(", %u have failed (resume makes them again)", sums.states[RUN_FAILED]);
    putchar('\n');
    if (session->pending_count && known) {
        printf("about ");
        print_seconds(seconds);
        printf(" of one processor, ");
        print_seconds(seconds / at_once);
        printf(" with %u at once, and %.0f MB, by %u earlier runs", at_once, bytes / 1e6,
               session->estimates.known);
        printf(session->estimates.alike == session->matrix.run_count ? "\n" : " of which some are alike\n");
    } else if (session->pending_count) {
        puts("there was no run like these yet: their time is not known");
    }
    free(pending);
    free(whole);
    free(all);
    return true;
}

/* The first diagnostic of the instrumentation, such as "bad.atd:3: no counter is called 'm'". The caller
   frees it. NULL: there is none. */
static char *first_diagnostic(const struct session *session, const char *name) {
    char *folder = run_folder(&session->project, name), *path = format_string("%s/run.json", folder);
    json_t *record = json_load_file(path, 0, NULL);
    json_t *list = json_object_get(record, "diagnostics"), *entry;
    char *text = NULL;
    size_t i;
    json_array_foreach(list, i, entry) {
        const char *severity = json_string_value(json_object_get(entry, "severity"));
        const char *message = json_string_value(json_object_get(entry, "message"));
        const char *file = json_string_value(json_object_get(entry, "file"));
        if (text || !message || !severity || strcmp(severity, "error") != 0)
            continue;
        const char *slash = file ? strrchr(file, '/') : NULL;
        text = file ? format_string("%s:%d: %s", slash ? slash + 1 : file,
                                    (int)json_integer_value(json_object_get(entry, "line")), message)
                    : format_string("%s", message);
    }
    json_decref(record);
    free(path);
    free(folder);
    return text;
}

/* The first line of output of the job, or of atomc; the caller frees it. */
static char *first_error(const struct session *session, const char *name) {
    char *path = format_string("%s/errors/%s", session->project.home, name);
    size_t length;
    char *text = read_file(path, &length);
    free(path);
    if (text)
        text[strcspn(text, "\n")] = '\0';
    if (text && *text)
        return text;
    free(text);
    return first_diagnostic(session, name);
}

static void print_failures(const struct session *session) {
    enum { MOST_SHOWN = 10 };
    const struct campaign *campaign = session->campaign;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < session->matrix.run_count && shown < MOST_SHOWN; i++) {
        const struct run *run = &session->matrix.runs[i];
        const struct standing *standing = &session->standings[i];
        if (standing->state != RUN_FAILED && standing->state != RUN_STOPPED && !standing->by_signal)
            continue;
        printf("  %s:", state_words[standing->state]);
        for (uint32_t k = 0; k < session->matrix.dimension_count; k++) {
            const char *text = run_text(campaign, run, session->matrix.dimensions[k]);
            if (text && *text &&
                (strcmp(session->matrix.dimensions[k], "repeat") != 0 || campaign->repeat > 1))
                printf(" %s=", session->matrix.dimensions[k]), put_shown(text, "", stdout);
        }
        char *error = standing->state == RUN_FAILED ? first_error(session, run->name) : NULL;
        printf(": %s%s", standing->reason, error && *error ? ": " : "");
        put_shown(error ? error : "", "", stdout);
        putchar('\n');
        free(error);
        shown++;
    }
}

static void print_sums(const struct session *session) {
    struct sums sums = sum_up(session);
    const char *separator = ": ";
    printf("%s: %u runs", session->campaign->name, session->matrix.run_count);
    for (enum state i = RUN_MISSING; i <= RUN_FAILED; i++)
        if (sums.states[i]) {
            printf("%s%u %s", separator, sums.states[i], state_words[i]);
            if (i == RUN_FINISHED && sums.by_signal)
                printf(" (%u by a signal)", sums.by_signal);
            separator = ", ";
        }
    putchar('\n');
}

static json_t *run_entry(const struct session *session, uint32_t number) {
    const struct run *run = &session->matrix.runs[number];
    const struct standing *standing = &session->standings[number];
    json_t *values = json_object();
    for (uint32_t k = 0; k < session->matrix.dimension_count; k++) {
        const char *text = run_text(session->campaign, run, session->matrix.dimensions[k]);
        if (text)
            json_object_set_new(values, session->matrix.dimensions[k], json_string(text));
    }
    json_t *entry =
        json_pack("{ss,so,ss,ss,sf}", "run", run->name, "values", values, "state",
                  state_words[standing->state], "reason", standing->reason, "seconds", standing->seconds);
    json_object_set_new(entry, "cut_short", json_boolean(is_cut_short(standing)));
    char *error = standing->state == RUN_FAILED ? first_error(session, run->name) : NULL;
    if (error && *error)
        json_object_set_new(entry, "error", json_text(error));
    free(error);
    return entry;
}

static bool show_status(struct session *session) {
    json_t *note = read_note(&session->project), *queue = slurm_queue(note);
    bool under_way = note && is_under_way(note);
    if (is_json(session->request)) {
        json_t *list = json_array();
        for (uint32_t i = 0; i < session->matrix.run_count; i++)
            json_array_append_new(list, run_entry(session, i));
        json_t *answer = json_pack("{ss,sb,sO?,sf,so,sO?,so}", "campaign", session->campaign->name,
                                   "under_way", under_way, "engine", json_object_get(note, "engine"), "time",
                                   time_of_day(), "dimensions", json_array(), "queue", queue, "runs", list);
        for (uint32_t k = 0; k < session->matrix.dimension_count; k++)
            json_array_append_new(json_object_get(answer, "dimensions"),
                                  json_string(session->matrix.dimensions[k]));
        session->answer = answer;
    } else {
        const char *state;
        json_t *number;
        print_sums(session);
        print_failures(session);
        if (under_way)
            printf("under way, engine %s", json_string_value(json_object_get(note, "engine")));
        json_object_foreach(queue, state, number)
            printf(", %" JSON_INTEGER_FORMAT " tasks %s", json_integer_value(number), state);
        if (under_way)
            putchar('\n');
    }
    json_decref(queue);
    json_decref(note);
    return true;
}

/* One process at a time makes runs of a campaign. -1: another does. */
static int lock_campaign(const struct session *session) {
    char *path = format_string("%s/lock", session->project.home);
    int descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    free(path);
    json_t *note = read_note(&session->project);
    if (descriptor >= 0 && (flock(descriptor, LOCK_EX | LOCK_NB) != 0 || is_under_way(note))) {
        close(descriptor);
        descriptor = -1;
    }
    json_decref(note);
    if (descriptor < 0) {
        diagnose(session->campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_UNDER_WAY, session->campaign->path);
        diagnose_hint(session->campaign->diagnostics, "atomc campaign status, or stop");
    }
    return descriptor;
}

/* Removes the folders of runs that are to be repeated; the engine makes these folders again. */
static void remove_pending(const struct session *session) {
    for (uint32_t i = 0; i < session->pending_count; i++) {
        if (session->standings[session->pending[i]].state == RUN_MISSING)
            continue;
        char *folder = run_folder(&session->project, session->matrix.runs[session->pending[i]].name);
        remove_folder(folder);
        free(folder);
    }
}

static bool run_campaign(struct session *session, bool resume) {
    const struct engine *engine = find_engine(session->request->engine);
    bool is_list = strcmp(engine->name, "list") == 0;
    if (!project_prepare(&session->project, session->campaign))
        return false;
    int locked = lock_campaign(session);
    if (locked < 0)
        return false;
    uint32_t removed = resume ? remove_remains(&session->project, &session->matrix) : 0;
    session->standings = look_at_runs(&session->project, &session->matrix);
    list_pending(session, resume);
    if (removed)
        printf("%u unfinished runs of dead jobs removed\n", removed);
    fflush(stdout);
    if (!is_list)
        remove_pending(session);
    estimate(&session->estimates, &session->project, &session->matrix);
    progress_begin(session);
    bool good = session->pending_count == 0 || engine->run(session);
    progress_end(session);
    close(locked);
    if (is_list || session->request->no_wait)
        return good;
    session->standings = look_at_runs(&session->project, &session->matrix);
    print_sums(session);
    print_failures(session);
    struct sums sums = sum_up(session);
    uint32_t missing = session->matrix.run_count - sums.whole;
    if (missing && diagnostics_errors(session->campaign->diagnostics) == 0) {
        diagnose(session->campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_NOT_MADE, missing,
                 session->matrix.run_count);
        diagnose_hint(session->campaign->diagnostics, "atomc campaign resume %s", session->campaign->path);
    }
    if (sums.cut)
        diagnose(session->campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_CUT, sums.cut,
                 session->matrix.run_count);
    return good && missing == 0 && sums.cut == 0;
}

static bool stop_campaign(struct session *session) {
    json_t *note = read_note(&session->project);
    const char *name = json_string_value(json_object_get(note, "engine"));
    const struct engine *engine = name ? find_engine(name) : NULL;
    bool good = true;
    if (engine)
        good = engine->stop(session, note);
    else
        puts("nothing is under way");
    json_decref(note);
    return good;
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static const char *const commands[] = {"check",  "plan",    "run",   "status",  "stop",
                                       "resume", "collect", "table", "columns", "rows"};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static bool is_command(const struct request *request, const char *command) {
    return strcmp(request->command, command) == 0;
}

static bool check_request(struct request *request, struct diagnostics *diagnostics) {
    if (!request->command)
        return usage_error(diagnostics, COMMAND_CAMPAIGN, "%s", "a command is needed, such as plan or run");
    bool known = false;
    for (size_t i = 0; i < COMMANDS; i++)
        known |= is_command(request, commands[i]);
    if (!known) {
        usage_error(diagnostics, COMMAND_CAMPAIGN, "there is no command '%s'", request->command);
        const char *nearest = nearest_name(request->command, commands, COMMANDS);
        if (nearest)
            diagnose_hint(diagnostics, "did you mean '%s'?", nearest);
        return false;
    }
    if (!request->file)
        return usage_error(diagnostics, COMMAND_CAMPAIGN, "%s needs the campaign's file", request->command);
    if (strcmp(request->file, "-") == 0 && !is_command(request, "plan"))
        return usage_error(diagnostics, COMMAND_CAMPAIGN, "%s needs a file: its name is that of what is made",
                           request->command);
    request->engine = request->engine ? request->engine : "local";
    if (!find_engine(request->engine)) {
        diagnose(diagnostics, NULL, MESSAGE_CAMPAIGN_NO_ENGINE, request->engine);
        diagnose_hint(diagnostics, "local, parallel, slurm or list");
        return false;
    }
    return true;
}

static bool execute_request(struct session *session) {
    struct request const *request = session->request;
    if (!matrix_expand(&session->matrix, session->campaign, request->many) || !find_keys(&session->matrix) ||
        !project_open(&session->project, session->campaign, request->project))
        return false;
    if (is_command(request, "check"))
        return check_campaign(session);
    if (is_command(request, "table"))
        return print_table(session);
    if (is_command(request, "columns"))
        return print_columns(session);
    if (is_command(request, "rows"))
        return print_campaign_rows(session);
    if (is_command(request, "stop"))
        return stop_campaign(session);
    if (is_command(request, "run") || is_command(request, "resume"))
        return run_campaign(session, is_command(request, "resume"));
    session->standings = look_at_runs(&session->project, &session->matrix);
    if (is_command(request, "plan"))
        return plan_campaign(session);
    if (is_command(request, "status"))
        return show_status(session);
    return collect_campaign(session);
}

/* Documents have the diagnostics; tables are files. */
static bool says_in_json(const struct request *request) {
    return is_command(request, "check") || is_command(request, "plan") || is_command(request, "status") ||
           is_command(request, "columns");
}

static void print_answer(json_t *answer, const struct diagnostics *diagnostics) {
    json_t *document = answer ? answer : json_object();
    json_object_set_new(document, "diagnostics", diagnostics_json(diagnostics));
    json_dumpf(document, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    putchar('\n');
    json_decref(document);
}

int main(int count, char **words) {
    struct request request = {0};
    struct campaign campaign = {0};
    struct session session = {.campaign = &campaign, .request = &request};
    struct diagnostics *diagnostics = diagnostics_create();
    for (int i = 1; i < count; i++)
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0) {
            print_help(COMMAND_CAMPAIGN, stdout);
            diagnostics_destroy(diagnostics);
            return 0;
        }
    if (count == 3 && strcmp(words[2], "work") == 0) { /* on a node, for --carry */
        diagnostics_destroy(diagnostics);
        return carry_work(atomc_beside());
    }
    bool good =
        parse_campaign_words(&request, words, count, diagnostics) && check_request(&request, diagnostics);
    if (good)
        good = campaign_open(&campaign, request.file, diagnostics) && execute_request(&session);
    if (fflush(stdout) != 0)
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, "standard output", strerror(errno));
    int result = diagnostics_internal(diagnostics) > 0 ? 2 : !good || diagnostics_errors(diagnostics) > 0;
    if (session.answer || (request.command && is_json(&request) && says_in_json(&request)))
        print_answer(session.answer, diagnostics);
    else
        diagnostics_print(diagnostics, stderr);
    if (campaign.arena)
        campaign_close(&campaign);
    diagnostics_destroy(diagnostics);
    return result;
}
