/* check.c: atomc campaign check: what atomc says of each tool with its parameters, and of each program. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "campaign/campaign.h"

/* Runs that differ in what atomc looks at: tool and parameters, or the program. */
struct checks {
    struct session *session;
    const uint32_t *runs; /* one of each */
    const char **errors;  /* files of what was said */
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

static bool prepare(void *context, uint32_t index, struct task *task) {
    struct checks *checks = context;
    struct session *session = checks->session;
    checks->errors[index] =
        arena_format(session->campaign->arena, "%s/errors/check.%u", session->project.home, index);
    *task = (struct task){.words = tool_words(session, &session->matrix.runs[checks->runs[index]]),
                          .error = checks->errors[index]};
    return true;
}

static void ended(void *context, uint32_t index, int status) {
    struct checks *checks = context;
    size_t length;
    char *text = read_file(checks->errors[index], &length);
    if (text)
        fputs(text, stderr);
    free(text);
    unlink(checks->errors[index]);
    checks->good &= status == 0;
}

/* Those whose tool with its parameters, or program, no earlier run has. */
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
    struct checks checks = {session, runs, arena_allocate(arena, (count + 1) * sizeof(char *)), true};
    struct pool pool = {.at_once = at_once ? at_once : usual_at_once(),
                        .count = count,
                        .prepare = prepare,
                        .ended = ended,
                        .context = &checks};
    if (!project_prepare(&session->project, session->campaign) || !pool_run(&pool) || !checks.good)
        return false;
    const struct engine *engine = find_engine(session->request->engine);
    if (engine->check && !engine->check(session))
        return false;
    printf("%s: %u runs, %u combinations of tool, parameters and program checked\n", session->campaign->path,
           session->matrix.run_count, count);
    return true;
}
