/* matrix.c: the runs that a campaign describes, and their values by dimension. */
#include <stdlib.h>
#include <string.h>

#include "runs/campaign/campaign.h"

/* A limit for memory; more cannot be intended. */
enum { MOST_RUNS_EVER = 10000000 };
static const char *const fixed_dimensions[] = {"program", "input", "tool", "repeat"};
enum { FIXED_DIMENSIONS = sizeof fixed_dimensions / sizeof fixed_dimensions[0] };

/* ---- dimensions --------------------------------------------------------------------------------------- */

static void add_dimension(struct matrix *matrix, struct arena *arena, uint32_t *capacity, const char *name) {
    if (is_dimension(matrix, name))
        return;
    ARENA_RESERVE(arena, matrix->dimensions, matrix->dimension_count, *capacity);
    matrix->dimensions[matrix->dimension_count++] = name;
}

static void list_dimensions(struct matrix *matrix, struct arena *arena) {
    uint32_t capacity = 0;
    for (uint32_t i = 0; i < FIXED_DIMENSIONS; i++)
        add_dimension(matrix, arena, &capacity, fixed_dimensions[i]);
    for (uint32_t i = 0; i < matrix->campaign->choice_count; i++)
        for (uint32_t k = 0; k < matrix->campaign->choices[i].parameter_count; k++)
            add_dimension(matrix, arena, &capacity, matrix->campaign->choices[i].parameters[k].name);
}

bool is_dimension(const struct matrix *matrix, const char *name) {
    for (uint32_t i = 0; i < matrix->dimension_count; i++)
        if (strcmp(matrix->dimensions[i], name) == 0)
            return true;
    return false;
}

static const char *repeat_text(const struct campaign *campaign, uint32_t repeat) {
    return arena_format(campaign->arena, "%u", repeat);
}

const char *run_text(const struct campaign *campaign, const struct run *run, const char *dimension) {
    const struct program *program = &campaign->programs[run->program];
    const struct choice *choice = &campaign->choices[run->choice];
    if (strcmp(dimension, "program") == 0)
        return program->name;
    if (strcmp(dimension, "input") == 0)
        return program->inputs[run->input].name;
    if (strcmp(dimension, "tool") == 0)
        return choice->name;
    if (strcmp(dimension, "repeat") == 0)
        return repeat_text(campaign, run->repeat);
    for (uint32_t i = 0; i < choice->parameter_count; i++)
        if (strcmp(choice->parameters[i].name, dimension) == 0)
            return choice->parameters[i].texts[run->values[i]];
    return NULL;
}

const char **dimension_texts(const struct matrix *matrix, const char *dimension, uint32_t *count) {
    const struct campaign *campaign = matrix->campaign;
    const char **texts = NULL;
    uint32_t capacity = 0;
    *count = 0;
    for (uint32_t i = 0; i < matrix->run_count; i++) {
        const char *text = run_text(campaign, &matrix->runs[i], dimension);
        uint32_t k = 0;
        while (text && k < *count && strcmp(texts[k], text) != 0)
            k++;
        if (!text || k < *count)
            continue;
        ARENA_RESERVE(campaign->arena, texts, *count, capacity);
        texts[(*count)++] = text;
    }
    return texts;
}

/* ---- exceptions --------------------------------------------------------------------------------------- */

static bool condition_holds(const struct campaign *campaign, const struct condition *condition,
                            const struct run *run) {
    const char *text = run_text(campaign, run, condition->dimension);
    for (uint32_t i = 0; i < condition->text_count && text; i++)
        if (strcmp(condition->texts[i], text) == 0)
            return true;
    return false;
}

static bool is_run_left_out(struct campaign *campaign, const struct run *run) {
    bool left_out = false;
    for (uint32_t i = 0; i < campaign->exception_count; i++) {
        struct exception *exception = &campaign->exceptions[i];
        bool all = true;
        for (uint32_t k = 0; k < exception->condition_count && all; k++)
            all = condition_holds(campaign, &exception->conditions[k], run);
        exception->runs += all;
        left_out |= all;
    }
    return left_out;
}

static bool check_exceptions(const struct matrix *matrix, struct campaign *campaign) {
    bool good = true;
    for (uint32_t i = 0; i < campaign->exception_count; i++)
        for (uint32_t k = 0; k < campaign->exceptions[i].condition_count; k++) {
            const char *name = campaign->exceptions[i].conditions[k].dimension;
            if (is_dimension(matrix, name))
                continue;
            const char *nearest = nearest_name(name, matrix->dimensions, matrix->dimension_count);
            diagnose(campaign->diagnostics, &campaign->exceptions[i].where, MESSAGE_CAMPAIGN_DIMENSION, name);
            if (nearest)
                diagnose_hint(campaign->diagnostics, "did you mean '%s'?", nearest);
            good = false;
        }
    return good;
}

/* ---- runs --------------------------------------------------------------------------------------------- */

/* Saturates at MOST_RUNS_EVER + 1. */
static uint64_t product_of_axes(const struct campaign *campaign) {
    uint64_t inputs = 0, tools = 0;
    for (uint32_t i = 0; i < campaign->program_count; i++)
        inputs += campaign->programs[i].input_count;
    for (uint32_t i = 0; i < campaign->choice_count; i++) {
        uint64_t values = 1;
        for (uint32_t k = 0; k < campaign->choices[i].parameter_count; k++) {
            values *= campaign->choices[i].parameters[k].value_count;
            if (values > MOST_RUNS_EVER)
                values = MOST_RUNS_EVER + 1;
        }
        tools += values;
    }
    tools = tools > MOST_RUNS_EVER ? MOST_RUNS_EVER + 1 : tools;
    inputs = inputs > MOST_RUNS_EVER ? MOST_RUNS_EVER + 1 : inputs;
    uint64_t all = inputs * tools;
    all = all > MOST_RUNS_EVER ? MOST_RUNS_EVER + 1 : all * campaign->repeat;
    return all > MOST_RUNS_EVER ? MOST_RUNS_EVER + 1 : all;
}

/* Advances to the next combination of values; returns false after the last. The last parameter changes
   fastest. */
static bool next_values(const struct choice *choice, uint32_t *values) {
    for (uint32_t i = choice->parameter_count; i-- > 0;) {
        if (++values[i] < choice->parameters[i].value_count)
            return true;
        values[i] = 0;
    }
    return false;
}

static void add_runs(struct matrix *matrix, struct campaign *campaign, struct run run, uint32_t *capacity) {
    const struct choice *choice = &campaign->choices[run.choice];
    uint32_t *values = arena_allocate(campaign->arena, (choice->parameter_count + 1) * sizeof *values);
    do {
        uint32_t *kept = NULL;
        run.values = values;
        for (run.repeat = 0; run.repeat < campaign->repeat; run.repeat++) {
            if (is_run_left_out(campaign, &run))
                continue;
            if (!kept) {
                kept = arena_allocate(campaign->arena, (choice->parameter_count + 1) * sizeof *kept);
                memcpy(kept, values, choice->parameter_count * sizeof *kept);
            }
            ARENA_RESERVE(campaign->arena, matrix->runs, matrix->run_count, *capacity);
            matrix->runs[matrix->run_count] = run;
            matrix->runs[matrix->run_count++].values = kept;
        }
    } while (next_values(choice, values));
}

bool matrix_expand(struct matrix *matrix, struct campaign *campaign, bool many) {
    uint32_t capacity = 0;
    uint64_t most = many ? MOST_RUNS_EVER : MOST_RUNS, asked = product_of_axes(campaign);
    *matrix = (struct matrix){.campaign = campaign};
    list_dimensions(matrix, campaign->arena);
    if (!check_exceptions(matrix, campaign))
        return false;
    if (asked > most) {
        diagnose(campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_MANY, campaign->path,
                 (unsigned long long)most);
        if (asked <= MOST_RUNS_EVER)
            diagnose_hint(campaign->diagnostics, "--many allows these %llu", (unsigned long long)asked);
        return false;
    }
    for (uint32_t program = 0; program < campaign->program_count; program++)
        for (uint32_t input = 0; input < campaign->programs[program].input_count; input++)
            for (uint32_t choice = 0; choice < campaign->choice_count; choice++)
                add_runs(matrix, campaign, (struct run){program, input, choice, 0, NULL, NULL}, &capacity);
    for (uint32_t i = 0; i < campaign->exception_count; i++)
        if (campaign->exceptions[i].runs == 0)
            diagnose(campaign->diagnostics, &campaign->exceptions[i].where, MESSAGE_CAMPAIGN_EXCEPTION);
    if (matrix->run_count == 0)
        diagnose(campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_EMPTY, campaign->path);
    return matrix->run_count > 0;
}

/* ---- jobs --------------------------------------------------------------------------------------------- */

static void set_json_value(json_t *object, const char *key, json_t *value) {
    if (value)
        json_object_set(object, key, value);
}

static json_t *job_tools(const struct choice *choice, const struct run *run) {
    json_t *tools = json_deep_copy(choice->tools);
    for (uint32_t i = 0; i < choice->parameter_count; i++) {
        const struct parameter *parameter = &choice->parameters[i];
        json_t *tool = json_array_get(tools, parameter->member),
               *parameters = json_object_get(tool, "parameters");
        if (!parameters)
            json_object_set_new(tool, "parameters", parameters = json_object());
        json_object_set(parameters, parameter->name, parameter->values[run->values[i]]);
    }
    return tools;
}

/* The campaign's, the program's and the input's variables: the last one counts. */
static json_t *job_environment(const struct campaign *campaign, const struct program *program,
                               const struct input *input) {
    json_t *all = json_object();
    json_t *const parts[] = {campaign->environment, program->environment, input->environment};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i])
            json_object_update(all, parts[i]);
    return all;
}

json_t *run_job(const struct campaign *campaign, const struct run *run) {
    const struct program *program = &campaign->programs[run->program];
    const struct input *input = &program->inputs[run->input];
    json_t *job = json_pack("{s{ss}}", "program", "path", program->path);
    json_object_set_new(job, "tools", job_tools(&campaign->choices[run->choice], run));
    set_json_value(job, "objects", program->objects);
    if (program->root)
        json_object_set_new(job, "root", json_string(program->root));
    set_json_value(job, "options", campaign->options);
    set_json_value(job, "arguments", input->arguments);
    if (input->path)
        json_object_set_new(job, "input", json_pack("{ss}", "path", input->path));
    set_json_value(job, "files", input->files);
    json_object_set_new(job, "environment", job_environment(campaign, program, input));
    set_json_value(job, "limits", campaign->limits);
    if (campaign->isolation)
        json_object_set_new(job, "isolation", json_string(campaign->isolation));
    json_object_set_new(job, "repeat", json_integer(run->repeat));
    return job;
}
