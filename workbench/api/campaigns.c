/* campaigns.c: campaigns of the project, campaigns/NAME.json: writes, plans, starts, stops and displays them.
   `atomc campaign` (docs/campaigns.md) does the work. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/json.h"
#include "workbench/project/campaigns.h"
#include "workbench/project/programs.h"
#include "workbench/project/project.h"
#include "workbench/project/tool_words.h"

#define FOLDER "campaigns"
enum { PLAN_SECONDS = 60, STOP_SECONDS = 90, MOST_DEFINITION = 1 << 20 };

static const char *campaign_file(const struct request *request, const char *name) {
    return arena_format(request->arena, FOLDER "/%s.json", name);
}

/* The name at the * of the route. False: answered. */
static bool campaign_name(struct request *request, struct answer *answer, const char **name) {
    *name = request->name[0];
    if (is_name(*name) && strlen(*name) <= 100)
        return true;
    answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "there is no campaign '%s'", *name);
    return false;
}

/* ---- the definition -------------------------------------------------------------------------------------- */

/* Returns the text, from malloc. NULL: the file does not exist, or cannot be read; then the request has been
   answered. */
static char *read_definition(struct request *request, struct answer *answer, const char *name,
                             size_t *length) {
    int file = path_open(request->project, campaign_file(request, name), 0);
    struct stat status;
    char *text = NULL;
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size <= MOST_DEFINITION) {
        text = allocate_zeroed((size_t)status.st_size + 1, 1);
        ssize_t bytes = pread(file, text, (size_t)status.st_size, 0);
        *length = bytes > 0 ? (size_t)bytes : 0;
        text[*length] = '\0';
    }
    if (file >= 0)
        close(file);
    if (!text)
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "there is no campaign '%s'", name);
    return text;
}

static const char *campaign_digest(const struct request *request, const char *text, size_t length) {
    char digest[SHA256_DIGEST_STRING_LENGTH];
    return arena_format(request->arena, "%s", SHA256Data((const uint8_t *)text, length, digest));
}

/* A path of the definition, relative to campaigns/. If the file exists, it must be readable. atomc reports
   values that do not exist or are not texts. */
static bool may_read(struct request *request, struct answer *answer, const json_t *value) {
    const char *path = json_string_value(value);
    if (!path || !*path)
        return true;
    const char *full = path[0] == '/' ? path
                                      : arena_format(request->arena, "%s/" FOLDER "/%s",
                                                     project_folder(request->project), path);
    int file = path_open(request->project, full, 0);
    if (file < 0 && errno == EXDEV) {
        answer_error(answer, MHD_HTTP_FORBIDDEN, "allow the folder first",
                     "%s: it is not below a folder that the workbench may read", path);
        answer_where(answer, json_pack("{s:o}", "path", json_text(path)));
        return false;
    }
    if (file >= 0)
        close(file);
    return true;
}

static bool may_read_list(struct request *request, struct answer *answer, const json_t *list,
                          const char *key) {
    json_t *element;
    size_t i;
    json_array_foreach(list, i, element) {
        if (!may_read(request, answer, key ? json_object_get(element, key) : element))
            return false;
    }
    return true;
}

static bool may_read_tools(struct request *request, struct answer *answer, const json_t *list) {
    json_t *tool;
    size_t i;
    json_array_foreach(list, i, tool) {
        if (json_is_array(tool) ? !may_read_tools(request, answer, tool)
                                : !may_read(request, answer, json_object_get(tool, "path")) ||
                                      !may_read_list(request, answer, json_object_get(tool, "code"), NULL))
            return false;
    }
    return true;
}

static bool may_read_programs(struct request *request, struct answer *answer, const json_t *list) {
    json_t *program, *input;
    size_t i, k;
    json_array_foreach(list, i, program) {
        if (!may_read(request, answer, json_object_get(program, "path")) ||
            !may_read(request, answer, json_object_get(program, "root")))
            return false;
        json_array_foreach(json_object_get(program, "inputs"), k, input) {
            if (!may_read(request, answer, json_object_get(input, "input")) ||
                !may_read_list(request, answer, json_object_get(input, "files"), "path"))
                return false;
        }
    }
    return true;
}

/* Only readable files are allowed; lists are nested at most as deep as in bodies. */
static bool may_read_all(struct request *request, struct answer *answer, const char *text) {
    json_t *definition = json_loads(text, 0, NULL);
    bool good = may_read_programs(request, answer, json_object_get(definition, "programs")) &&
                may_read_tools(request, answer, json_object_get(definition, "tools"));
    json_decref(definition);
    return good;
}

/* ---- plans ----------------------------------------------------------------------------------------------- */

/* A descriptor of PROJECT/campaigns, which is created if necessary; -1: the request has been answered. */
static int open_campaigns_folder(struct request *request, struct answer *answer) {
    char *path = arena_format(request->arena, "%s/" FOLDER, project_folder(request->project));
    if (project_is_read_only(request->project)) {
        answer_database(answer, SQLITE_READONLY);
        return -1;
    }
    mkdir(path, 0777);
    int folder = path_open(request->project, FOLDER, O_DIRECTORY);
    if (folder < 0)
        answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "%s: %s", path, strerror(errno));
    return folder;
}

/* Runs `atomc campaign plan`. NULL: the request has been answered. `topic`: a newer plan with the same topic
   ends this plan; NULL: none.
 */
static json_t *ask_plan(struct request *request, struct answer *answer, const char *text, const char *topic) {
    bool many = json_is_true(json_object_get(request->body, "many"));
    const char *folder = project_folder(request->project),
               *words[] = {"atomc",
                           "campaign",
                           "plan",
                           "-",
                           "--format=json",
                           arena_format(request->arena, "--project=%s", folder),
                           many ? "--many" : NULL,
                           NULL};
    struct command command = {.words = words,
                              .input = text,
                              .input_length = strlen(text),
                              .seconds = PLAN_SECONDS,
                              .topic = topic,
                              .folder = arena_format(request->arena, "%s/" FOLDER, folder)};
    struct command_result result = {0};
    int opened = open_campaigns_folder(request, answer);
    if (opened < 0)
        return NULL;
    close(opened);
    json_t *plan = NULL;
    if (may_read_all(request, answer, text)) {
        bool good = command_run(request->project, &command, &result) && result.status <= 1;
        plan = good ? json_loadb(result.output, result.output_length, 0, NULL) : NULL;
        if (!plan)
            answer_command(answer, &command, &result);
    }
    command_free(&result);
    return plan;
}

static const char *campaign_words(struct request *request, const char *command, const char *name) {
    return arena_format(request->arena, "atomc campaign %s " FOLDER "/%s.json", command, name);
}

static const struct field plan_fields[] = {
    {"text", FIELD_TEXT, true}, {"many", FIELD_BOOLEAN, false}, {"document", FIELD_TEXT, false}};

/* POST /campaigns/plan: diagnostics of an invalid campaign are a regular response. */
static void post_plan(struct request *request, struct answer *answer) {
    if (!request_fields(request, answer, plan_fields, 3))
        return;
    const char *document = request_text(request, "document");
    json_t *plan = ask_plan(request, answer, request_text(request, "text"),
                            document ? arena_format(request->arena, "campaign plan %s", document) : NULL);
    if (plan)
        answer_json(answer, plan);
}

/* The plan has no error. False: answered, with the first one. */
static bool is_plan_right(struct answer *answer, const json_t *plan) {
    json_t *diagnostic;
    size_t i;
    json_array_foreach(json_object_get(plan, "diagnostics"), i, diagnostic) {
        const char *severity = json_string_value(json_object_get(diagnostic, "severity"));
        if (!severity || strcmp(severity, "error") != 0)
            continue;
        json_t *line = json_object_get(diagnostic, "line");
        answer_error(answer, MHD_HTTP_BAD_REQUEST, json_string_value(json_object_get(diagnostic, "hint")),
                     "%s", json_string_value(json_object_get(diagnostic, "message")));
        if (line)
            answer_where(answer, json_pack("{s:O, s:O}", "line", line, "column",
                                           json_object_get(diagnostic, "column")));
        return false;
    }
    return true;
}

/* ---- written, listed, removed ---------------------------------------------------------------------------- */

/* Writes the complete file or leaves it unchanged; `replace`: the file may exist. False: the request is
   answered. */
static bool write_definition(struct request *request, struct answer *answer, const char *name,
                             const char *text, bool replace) {
    int folder = open_campaigns_folder(request, answer);
    if (folder < 0)
        return false;
    const char *file = arena_format(request->arena, "%s.json", name),
               *temporary = arena_format(request->arena, ".%s.json.new", name);
    unlinkat(folder, temporary, 0);
    int written = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    size_t length = strlen(text);
    bool good = written >= 0 && write(written, text, length) == (ssize_t)length;
    if (written >= 0)
        good = close(written) == 0 && good;
    good = good && (replace ? renameat(folder, temporary, folder, file) == 0
                            : linkat(folder, temporary, folder, file, 0) == 0);
    int error = errno;
    unlinkat(folder, temporary, 0);
    close(folder);
    if (!good && error == EEXIST && !replace)
        answer_error(answer, MHD_HTTP_CONFLICT, "choose another name", "there is a campaign '%s' already",
                     name);
    else if (!good)
        answer_error(answer, error == ENOSPC ? MHD_HTTP_INSUFFICIENT_STORAGE : MHD_HTTP_INTERNAL_SERVER_ERROR,
                     NULL, FOLDER "/%s: %s", file, strerror(error));
    return good;
}

static void answer_definition(struct request *request, struct answer *answer, const char *name,
                              const char *text, size_t length) {
    bool under_way;
    campaigns_events(name, &under_way);
    answer_json(answer, json_pack("{s:s, s:s, s:o, s:s, s:b}", "name", name, "file",
                                  campaign_file(request, name), "text", json_text(text), "digest",
                                  campaign_digest(request, text, length), "under_way", under_way));
}

/* POST /campaigns */
static void post_campaign(struct request *request, struct answer *answer) {
    static const struct field fields[] = {
        {"name", FIELD_TEXT, true}, {"text", FIELD_TEXT, true}, {"many", FIELD_BOOLEAN, false}};
    if (!request_fields(request, answer, fields, 3))
        return;
    const char *name = request_text(request, "name"), *text = request_text(request, "text");
    if (!is_name(name) || strlen(name) > 100) {
        answer_error(answer, MHD_HTTP_BAD_REQUEST,
                     "letters, digits, and - _ . between them; the title may be any",
                     "'%s' is no name of a file", name);
        return;
    }
    json_t *plan = ask_plan(request, answer, text, NULL);
    if (plan && is_plan_right(answer, plan) && write_definition(request, answer, name, text, false)) {
        answer_status(answer, MHD_HTTP_CREATED);
        answer_definition(request, answer, name, text, strlen(text));
    }
    json_decref(plan);
}

/* GET /campaigns/NAME */
static void get_campaign(struct request *request, struct answer *answer) {
    const char *name;
    size_t length;
    char *text =
        campaign_name(request, answer, &name) ? read_definition(request, answer, name, &length) : NULL;
    if (text)
        answer_definition(request, answer, name, text, length);
    free(text);
}

/* PUT /campaigns/NAME: the file must be unchanged since the page read it. */
static void put_campaign(struct request *request, struct answer *answer) {
    static const struct field fields[] = {
        {"text", FIELD_TEXT, true}, {"digest", FIELD_TEXT, true}, {"many", FIELD_BOOLEAN, false}};
    const char *name;
    size_t length;
    if (!campaign_name(request, answer, &name) || !request_fields(request, answer, fields, 3))
        return;
    char *before = read_definition(request, answer, name, &length);
    if (!before)
        return;
    const char *text = request_text(request, "text");
    if (strcmp(campaign_digest(request, before, length), request_text(request, "digest")) != 0) {
        answer_error(answer, MHD_HTTP_CONFLICT, "look at both, and save again",
                     "the campaign has been changed elsewhere");
        answer_where(answer, json_pack("{s:o, s:s}", "text", json_text(before), "digest",
                                       campaign_digest(request, before, length)));
    } else {
        json_t *plan = ask_plan(request, answer, text, NULL);
        if (plan && is_plan_right(answer, plan) && write_definition(request, answer, name, text, true))
            answer_definition(request, answer, name, text, strlen(text));
        json_decref(plan);
    }
    free(before);
}

/* DELETE /campaigns/NAME: its runs are kept. */
static void delete_campaign(struct request *request, struct answer *answer) {
    const char *name;
    bool under_way;
    if (!campaign_name(request, answer, &name))
        return;
    campaigns_events(name, &under_way);
    int folder = under_way ? -1 : open_campaigns_folder(request, answer);
    if (under_way)
        answer_error(answer, MHD_HTTP_CONFLICT, "stop it first", "the campaign '%s' is under way", name);
    else if (folder >= 0 && unlinkat(folder, arena_format(request->arena, "%s.json", name), 0) != 0)
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "there is no campaign '%s'", name);
    else if (folder >= 0)
        remove_tree(arena_format(request->arena, "%s/" FOLDER "/%s", project_folder(request->project), name));
    if (folder >= 0)
        close(folder);
}

static json_t *list_entry(struct request *request, const char *name, const struct stat *status) {
    struct answer ignored;
    size_t length;
    bool under_way;
    answer_begin(&ignored);
    char *text = read_definition(request, &ignored, name, &length);
    json_t *definition = text ? json_loads(text, 0, NULL) : NULL,
           *title = json_object_get(definition, "campaign");
    campaigns_events(name, &under_way);
    json_t *entry = json_pack("{s:s, s:O?, s:i, s:i, s:I, s:b}", "name", name, "title",
                              json_is_string(title) ? title : NULL, "programs",
                              (int)json_array_size(json_object_get(definition, "programs")), "tools",
                              (int)json_array_size(json_object_get(definition, "tools")), "changed",
                              (json_int_t)status->st_mtim.tv_sec * 1000, "under_way", under_way);
    json_decref(definition);
    free(text);
    answer_end(&ignored);
    return entry;
}

static int compare_campaign_entries(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name);
}

/* GET /campaigns */
static void get_campaigns(struct request *request, struct answer *answer) {
    const char *path = arena_format(request->arena, "%s/" FOLDER, project_folder(request->project));
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, NULL, compare_campaign_entries);
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        size_t length = strlen(entries[i]->d_name);
        struct stat status;
        const char *name = length > 5 && strcmp(entries[i]->d_name + length - 5, ".json") == 0
                               ? arena_string(request->arena, entries[i]->d_name, length - 5)
                               : "";
        if (is_name(name) &&
            stat(arena_format(request->arena, "%s/%s", path, entries[i]->d_name), &status) == 0 &&
            S_ISREG(status.st_mode))
            json_array_append_new(list, list_entry(request, name, &status));
        free(entries[i]);
    }
    free(entries);
    answer_json(answer, json_pack("{s:o}", "campaigns", list));
}

/* ---- started, stopped, watched --------------------------------------------------------------------------- */

static const struct field start_fields[] = {
    {"engine", FIELD_TEXT, false},   {"resume", FIELD_BOOLEAN, false}, {"jobs", FIELD_INTEGER, false},
    {"hosts", FIELD_TEXT, false},    {"slurm", FIELD_TEXT, false},     {"chunk", FIELD_INTEGER, false},
    {"carry", FIELD_BOOLEAN, false}, {"many", FIELD_BOOLEAN, false},
};

static bool add_number_word(struct request *request, struct answer *answer, struct words *words,
                            const char *key) {
    json_t *value = json_object_get(request->body, key);
    return !json_is_integer(value) ||
           add_word(words, answer,
                    arena_format(request->arena, "--%s=%lld", key, (long long)json_integer_value(value)));
}

static bool add_flag(struct request *request, struct answer *answer, struct words *words, const char *key) {
    return !json_is_true(json_object_get(request->body, key)) ||
           add_word(words, answer, arena_format(request->arena, "--%s", key));
}

static bool add_option(struct request *request, struct answer *answer, struct words *words, const char *key,
                       const char *value) {
    return !value || !*value || add_word(words, answer, arena_format(request->arena, "--%s=%s", key, value));
}

/* The words of run or resume. False: answered. */
static bool start_words(struct request *request, struct answer *answer, const char *name,
                        struct words *words) {
    const char *engine = request_text(request, "engine"), *hosts = request_text(request, "hosts");
    bool resume = json_is_true(json_object_get(request->body, "resume"));
    if (hosts && *hosts && !(hosts = readable(request, answer, hosts)))
        return false;
    *words = (struct words){.list = {"atomc", "campaign", resume ? "resume" : "run"}, .count = 3};
    return add_word(words, answer, campaign_file(request, name)) &&
           add_option(request, answer, words, "engine", engine) &&
           add_number_word(request, answer, words, "jobs") &&
           add_option(request, answer, words, "hosts", hosts) &&
           add_option(request, answer, words, "slurm", request_text(request, "slurm")) &&
           add_number_word(request, answer, words, "chunk") && add_flag(request, answer, words, "carry") &&
           add_flag(request, answer, words, "many");
}

/* The output of the command that lists engines. */
static void answer_campaign_list(struct request *request, struct answer *answer, const struct words *words) {
    struct command command = {.words = words->list, .seconds = PLAN_SECONDS};
    struct command_result result;
    if (command_run(request->project, &command, &result) && result.status == 0)
        answer_json(answer, json_pack("{s:o}", "list", json_text(result.output)));
    else
        answer_command(answer, &command, &result);
    command_free(&result);
}

/* POST /campaigns/NAME/start */
static void post_start(struct request *request, struct answer *answer) {
    struct words words;
    const char *name;
    size_t length;
    if (!campaign_name(request, answer, &name) ||
        !request_fields(request, answer, start_fields, sizeof start_fields / sizeof start_fields[0]))
        return;
    char *text = read_definition(request, answer, name, &length);
    json_t *plan = text ? ask_plan(request, answer, text, NULL) : NULL;
    free(text);
    if (!plan || !is_plan_right(answer, plan) || !start_words(request, answer, name, &words)) {
        json_decref(plan);
        return;
    }
    json_decref(plan);
    const char *engine = request_text(request, "engine");
    if (engine && strcmp(engine, "local") != 0 && strcmp(engine, "parallel") != 0 &&
        strcmp(engine, "slurm") != 0 && strcmp(engine, "list") != 0) {
        answer_error(answer, MHD_HTTP_BAD_REQUEST, "local, parallel, slurm or list",
                     "there is no engine '%s'", engine);
        return;
    }
    if (engine && strcmp(engine, "list") == 0) {
        answer_campaign_list(request, answer, &words);
        return;
    }
    if (!add_word(&words, answer, "--events=3"))
        return;
    if (campaigns_begin(name, words.list))
        answer_json(answer, json_pack("{s:b}", "under_way", true));
    else if (errno == EBUSY)
        answer_error(answer, MHD_HTTP_CONFLICT, NULL, "the campaign '%s' is under way", name);
    else
        answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "it cannot be started: %s",
                     strerror(errno));
}

/* Runs a command of the campaign that prints a result. The result has to be freed in either case. */
static bool run_for(struct request *request, struct answer *answer, struct words *words, double seconds,
                    struct command_result *result) {
    struct command command = {.words = words->list, .seconds = seconds};
    if (command_run(request->project, &command, result) && result->status == 0)
        return true;
    answer_command(answer, &command, result);
    return false;
}

/* POST /campaigns/NAME/stop: signals the process that makes its runs, even if it was started elsewhere. */
static void post_stop(struct request *request, struct answer *answer) {
    const char *name;
    size_t length;
    if (!campaign_name(request, answer, &name) || !request_fields(request, answer, NULL, 0))
        return;
    char *text = read_definition(request, answer, name, &length);
    struct words words = {.list = {"atomc", "campaign", "stop", campaign_file(request, name), "--many"},
                          .count = 5};
    struct command_result result = {0};
    if (text && run_for(request, answer, &words, STOP_SECONDS, &result))
        answer_json(answer, json_pack("{s:o}", "said", json_text(result.output)));
    command_free(&result);
    free(text);
}

/* The number of each run in the project, if it has been collected. */
static void add_numbers(struct request *request, json_t *runs) {
    sqlite3_stmt *ask = statement(request->database, "SELECT id FROM run WHERE key = ?1 AND repeat = ?2", "");
    json_t *run;
    size_t i;
    json_array_foreach(runs, i, run) {
        const char *name = json_string_value(json_object_get(run, "run")), *dot = strchr(name, '.');
        if (!ask || !dot)
            break;
        sqlite3_bind_text(ask, 1, name, (int)(dot - name), SQLITE_STATIC);
        sqlite3_bind_int64(ask, 2, strtoll(dot + 1, NULL, 10));
        if (next_row(ask))
            json_object_set_new(run, "id", json_integer(sqlite3_column_int64(ask, 0)));
        sqlite3_reset(ask);
    }
    sqlite3_finalize(ask);
}

/* GET /campaigns/NAME/status */
static void get_status(struct request *request, struct answer *answer) {
    const char *name;
    size_t length;
    if (!campaign_name(request, answer, &name))
        return;
    char *text = read_definition(request, answer, name, &length);
    struct words words = {
        .list = {"atomc", "campaign", "status", campaign_file(request, name), "--format=json", "--many"},
        .count = 6};
    struct command_result result = {0};
    bool live;
    int64_t events = campaigns_events(name, &live);
    if (text && may_read_all(request, answer, text) &&
        run_for(request, answer, &words, PLAN_SECONDS, &result)) {
        json_t *status = json_loadb(result.output, result.output_length, 0, NULL);
        add_numbers(request, json_object_get(status, "runs"));
        json_object_set_new(status, "live", json_boolean(live));
        json_object_set_new(status, "events", json_boolean(events != 0));
        json_object_set_new(status, "command", json_string(campaign_words(request, "status", name)));
        answer_json(answer, status);
    }
    command_free(&result);
    free(text);
}

/* GET /campaigns/NAME/events */
static void get_campaign_events(struct request *request, struct answer *answer) {
    const char *name;
    bool live;
    if (!campaign_name(request, answer, &name))
        return;
    int64_t events = campaigns_events(name, &live);
    if (events)
        answer_events(request, answer, events);
    else
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "the campaign '%s' was not started here", name);
}

/* ---- results --------------------------------------------------------------------------------------------- */

/* The words of the command for a table, from the request's query. */
static bool table_words(struct request *request, struct answer *answer, const char *name, const char *format,
                        struct words *words) {
    static const char *const options[] = {"value",   "where",  "report", "rows",
                                          "columns", "panels", "over",   "summary"};
    *words = (struct words){.list = {"atomc", "campaign", "table", campaign_file(request, name), "--many"},
                            .count = 5};
    bool good = add_option(request, answer, words, "format", format);
    for (size_t i = 0; i < sizeof options / sizeof options[0] && good; i++)
        good = add_option(request, answer, words, options[i], request_query(request, options[i]));
    return good;
}

/* GET /campaigns/NAME/pivot */
static void get_pivot(struct request *request, struct answer *answer) {
    const char *name;
    size_t length;
    struct words words;
    struct command_result result = {0};
    if (!campaign_name(request, answer, &name))
        return;
    char *text = read_definition(request, answer, name, &length);
    if (text && may_read_all(request, answer, text) && table_words(request, answer, name, "json", &words) &&
        run_for(request, answer, &words, PLAN_SECONDS, &result)) {
        answer_text(answer, result.output, result.output_length);
        result.output = NULL;
    }
    command_free(&result);
    free(text);
}

/* GET /campaigns/NAME/columns */
static void get_columns(struct request *request, struct answer *answer) {
    const char *name;
    size_t length;
    struct command_result result = {0};
    if (!campaign_name(request, answer, &name))
        return;
    char *text = read_definition(request, answer, name, &length);
    struct words words = {
        .list = {"atomc", "campaign", "columns", campaign_file(request, name), "--format=json", "--many"},
        .count = 6};
    if (text && may_read_all(request, answer, text) &&
        run_for(request, answer, &words, PLAN_SECONDS, &result)) {
        answer_text(answer, result.output, result.output_length);
        result.output = NULL;
    }
    command_free(&result);
    free(text);
}

/* The command that prints all rows of a report. */
static bool rows_words(struct request *request, struct answer *answer, const char *name, const char *format,
                       struct words *words) {
    *words = (struct words){.list = {"atomc", "campaign", "rows", campaign_file(request, name), "--many"},
                            .count = 5};
    return add_option(request, answer, words, "format", format) &&
           add_option(request, answer, words, "report", request_query(request, "report"));
}

/* GET /export/campaigns/NAME.csv, .tex, .txt, .json: the table; NAME.rows, .parquet: all rows of a report */
static void export_campaign_table(struct request *request, struct answer *answer) {
    static const struct {
        const char *suffix, *format, *type, *name; /* name: added to the file's */
        bool (*words)(struct request *request, struct answer *answer, const char *name, const char *format,
                      struct words *words);
    } forms[] = {{".csv", "csv", "text/csv; charset=utf-8", "", table_words},
                 {".tex", "latex", "application/x-tex; charset=utf-8", "", table_words},
                 {".txt", "text", "text/plain; charset=utf-8", "", table_words},
                 {".json", "json", "application/json", "", table_words},
                 {".rows", "csv", "text/csv; charset=utf-8", ".csv", rows_words},
                 {".parquet", "parquet", "application/vnd.apache.parquet", "", rows_words}};
    const char *file = request->name[0], *suffix = strrchr(file, '.');
    for (size_t i = 0; i < sizeof forms / sizeof forms[0] && suffix; i++) {
        struct words words;
        struct command_result result = {0};
        size_t length;
        if (strcmp(forms[i].suffix, suffix) != 0)
            continue;
        request->name[0] = arena_string(request->arena, file, (size_t)(suffix - file));
        const char *name;
        char *text =
            campaign_name(request, answer, &name) ? read_definition(request, answer, name, &length) : NULL;
        if (text && may_read_all(request, answer, text) &&
            forms[i].words(request, answer, name, forms[i].format, &words) &&
            run_for(request, answer, &words, PLAN_SECONDS, &result)) {
            int written = memfd_create("table", MFD_CLOEXEC);
            if (written >= 0 &&
                write(written, result.output, result.output_length) == (ssize_t)result.output_length)
                answer_file(answer, forms[i].type, arena_format(request->arena, "%s%s", file, forms[i].name),
                            written);
            else
                answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "%s", strerror(errno));
        }
        command_free(&result);
        free(text);
        return;
    }
    answer_error(answer, MHD_HTTP_NOT_FOUND, NULL,
                 "a table is exported as .csv, .tex, .txt or .json, all rows as .rows or .parquet");
}

const struct route campaigns_routes[] = {
    {"GET", "/campaigns", get_campaigns},
    {"POST", "/campaigns", post_campaign},
    {"POST", "/campaigns/plan", post_plan},
    {"GET", "/campaigns/*", get_campaign},
    {"PUT", "/campaigns/*", put_campaign},
    {"DELETE", "/campaigns/*", delete_campaign},
    {"POST", "/campaigns/*/start", post_start},
    {"POST", "/campaigns/*/stop", post_stop},
    {"GET", "/campaigns/*/status", get_status},
    {"GET", "/campaigns/*/events", get_campaign_events},
    {"GET", "/campaigns/*/columns", get_columns},
    {"GET", "/campaigns/*/pivot", get_pivot},
    {"GET", "/export/campaigns/*", export_campaign_table},
    {NULL, NULL, NULL},
};
