/* check.c: atomc campaign check: atomc's diagnostics for each tool with its parameters, and for each
   program. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runs/campaign/campaign.h"

/* Runs that differ in the objects of the check: the tool and its parameters, or the program. */
struct checks {
    struct session *session;
    const uint32_t *runs; /* one of each */
    const char **errors;  /* files with the diagnostics */
    json_t *told;         /* values that have been reported already */
    bool good;
};

static const char **tool_words(struct session *session, const struct run *run) {
    struct arena *arena = session->campaign->arena;
    const struct choice *choice = &session->campaign->choices[run->choice];
    size_t tools = json_array_size(choice->tools), count = 0, files = 0, i, k;
    json_t *tool, *file;
    json_array_foreach(choice->tools, i, tool) files += json_array_size(json_object_get(tool, "code"));
    const char **words =
        arena_allocate(arena, (6 + 2 * tools + files + 2 * choice->parameter_count) * sizeof *words);
    words[count++] = session->project.atomc;
    words[count++] = "--check";
    json_array_foreach(choice->tools, i, tool) {
        const char *name = json_string_value(json_object_get(tool, "name"));
        if (name)
            words[count++] = arena_format(arena, "--tool=%s", name);
        else
            words[count++] = json_string_value(json_object_get(tool, "path"));
        json_array_foreach(json_object_get(tool, "code"), k, file) words[count++] =
            json_string_value(json_object_get(file, "path"));
        for (uint32_t at = 0; at < choice->parameter_count; at++) {
            const struct parameter *parameter = &choice->parameters[at];
            if (parameter->member != i)
                continue;
            words[count++] = "-D";
            words[count++] = arena_format(arena, "%s=%s", parameter->name, parameter->texts[run->values[at]]);
        }
    }
    words[count++] = session->campaign->programs[run->program].path;
    return words;
}

static bool prepare_check(void *context, uint32_t index, struct task *task) {
    struct checks *checks = context;
    struct session *session = checks->session;
    checks->errors[index] =
        arena_format(session->campaign->arena, "%s/errors/check.%u", session->project.home, index);
    *task = (struct task){.words = tool_words(session, &session->matrix.runs[checks->runs[index]]),
                          .error = checks->errors[index]};
    return true;
}

/* Reports atomc's error about a value of a parameter at that value in the campaign's file, once. Returns
   false if it is another message. */
static bool tell_of_parameter(struct checks *checks, const struct run *run, const char *line) {
    static const char mark[] = "parameter '", verb[] = "' cannot be ";
    const char *at = strstr(line, mark), *end = at ? strstr(at, verb) : NULL;
    const struct campaign *campaign = checks->session->campaign;
    const struct choice *choice = &campaign->choices[run->choice];
    if (!end || end > line + strcspn(line, "\n"))
        return false;
    at += strlen(mark);
    for (uint32_t i = 0; i < choice->parameter_count; i++) {
        const struct parameter *parameter = &choice->parameters[i];
        if (strlen(parameter->name) != (size_t)(end - at) ||
            strncmp(parameter->name, at, strlen(parameter->name)) != 0)
            continue;
        const char *value = parameter->texts[run->values[i]];
        char *text = format_string("parameter '%.*s", (int)strcspn(at, "\n"), at),
             *known = format_string("%u %u %s", run->choice, i, value);
        if (!json_object_get(checks->told, known)) {
            json_object_set_new(checks->told, known, json_true());
            diagnose(campaign->diagnostics, &parameter->places[run->values[i]], MESSAGE_CAMPAIGN_JOB, text);
        }
        free(known);
        free(text);
        return true;
    }
    return false;
}

/* Reports the messages about values of parameters; passes all other text on. */
static void report_messages(struct checks *checks, const struct run *run, const char *text) {
    bool skipped = false;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        int length = (int)strcspn(line, "\n");
        bool begins = strncmp(line, " ", 1) != 0 && strncmp(line, "hint: ", 6) != 0;
        skipped = begins ? tell_of_parameter(checks, run, line) : skipped;
        if (!skipped && !is_json(checks->session->request))
            fprintf(stderr, "%.*s\n", length, line);
        else if (!skipped && begins && strstr(line, "error: ") && strstr(line, "error: ") < line + length) {
            char *message = format_string("%.*s", length, line);
            diagnose(checks->session->campaign->diagnostics,
                     &checks->session->campaign->programs[run->program].where, MESSAGE_CAMPAIGN_JOB, message);
            free(message);
        }
    }
}

static void take_check_end(void *context, uint32_t index, int status) {
    struct checks *checks = context;
    size_t length;
    char *text = read_file(checks->errors[index], &length);
    if (text)
        report_messages(checks, &checks->session->matrix.runs[checks->runs[index]], text);
    free(text);
    unlink(checks->errors[index]);
    checks->good &= status == 0;
}

/* Chooses runs whose tool with its parameters, or whose program, no earlier run has. */
static uint32_t choose_runs(const struct session *session, uint32_t *chosen) {
    json_t *seen = json_object();
    uint32_t count = 0;
    for (uint32_t i = 0; i < session->matrix.run_count; i++) {
        const struct run *run = &session->matrix.runs[i];
        char *program = format_string("program %u", run->program), *tool = NULL;
        size_t size;
        FILE *stream = open_memstream(&tool, &size);
        fprintf(stream, "tool %u", run->choice);
        for (uint32_t k = 0; k < session->campaign->choices[run->choice].parameter_count; k++)
            fprintf(stream, " %u", run->values[k]);
        fclose(stream);
        if (!json_object_get(seen, program) || !json_object_get(seen, tool))
            chosen[count++] = i;
        json_object_set_new(seen, program, json_true());
        json_object_set_new(seen, tool, json_true());
        free(tool);
        free(program);
    }
    json_decref(seen);
    return count;
}

bool check_campaign(struct session *session) {
    struct arena *arena = session->campaign->arena;
    uint32_t *runs = arena_allocate(arena, session->matrix.run_count * sizeof *runs),
             count = choose_runs(session, runs), at_once = session->request->at_once;
    struct checks checks = {session, runs, arena_allocate(arena, (count + 1) * sizeof(char *)), json_object(),
                            true};
    struct pool pool = {.at_once = at_once ? at_once : usual_at_once(),
                        .count = count,
                        .prepare = prepare_check,
                        .ended = take_check_end,
                        .context = &checks};
    bool good = project_prepare(&session->project, session->campaign) && pool_run(&pool) && checks.good;
    json_decref(checks.told);
    if (!good)
        return false;
    const struct engine *engine = find_engine(session->request->engine);
    if (engine->check && !engine->check(session))
        return false;
    if (is_json(session->request)) {
        session->answer = json_pack("{ss,si,si}", "campaign", session->campaign->name, "runs",
                                    (int)session->matrix.run_count, "checked", (int)count);
        return true;
    }
    printf("%s: %u runs, %u combinations of tool, parameters and program checked\n", session->campaign->path,
           session->matrix.run_count, count);
    return true;
}
