/* keys.c: the identity of runs: the key of each run's job, and the number of its repeat. Runs that differ
   only in the repeat have one key. */
#include <stdlib.h>
#include <string.h>

#include "runs/campaign/campaign.h"
#include "runs/job/job.h"

/* An error in a job is an error in the campaign's file, at its program: tools have been checked before. */
struct retelling {
    const struct campaign *campaign;
    const struct source_span *where;
};

static void repeat_message(const struct diagnostic_parts *parts, void *context) {
    const struct retelling *retelling = context;
    diagnose(retelling->campaign->diagnostics, retelling->where, MESSAGE_CAMPAIGN_JOB, parts->message);
    if (parts->hint)
        diagnose_hint(retelling->campaign->diagnostics, "%s", parts->hint);
}

static bool find_run_key(struct matrix *matrix, const struct run *run, struct job_memory *memory,
                         char key[JOB_DIGEST + 1]) {
    const struct campaign *campaign = matrix->campaign;
    json_t *document = run_job(campaign, run);
    char *text = json_dumps(document, JSON_INDENT(1));
    struct diagnostics *diagnostics = diagnostics_create();
    struct job job;
    bool good = job_read_text(&job, campaign->path, text, diagnostics);
    job.memory = memory;
    good = good && job_find_key(&job);
    matrix->limits = (struct limits){job.limits.seconds, job.limits.memory_mb, job.limits.output_mb,
                                     job.limits.disk_mb, job.limits.processes};
    if (good)
        memcpy(key, job.key, JOB_DIGEST + 1);
    else
        diagnostics_visit(diagnostics, repeat_message,
                          &(struct retelling){campaign, &campaign->programs[run->program].where});
    diagnostics_destroy(diagnostics);
    job_close(&job);
    free(text);
    json_decref(document);
    return good;
}

static bool check_tools(const struct campaign *campaign, struct job_memory *memory) {
    bool good = true;
    for (uint32_t i = 0; i < campaign->choice_count; i++)
        for (uint32_t k = 0; k < json_array_size(campaign->choices[i].tools); k++) {
            struct node nodes[3], where = tool_node(campaign, i, k, nodes);
            good &= job_check_tool(memory, json_array_get(campaign->choices[i].tools, k), &where);
        }
    return good;
}

bool find_keys(struct matrix *matrix) {
    struct job_memory memory = {json_object(), json_object()};
    char key[JOB_DIGEST + 1] = "";
    bool good = check_tools(matrix->campaign, &memory);
    for (uint32_t i = 0; i < matrix->run_count && good; i++) {
        struct run *run = &matrix->runs[i], *before = i ? &matrix->runs[i - 1] : NULL;
        bool same = before && before->values == run->values && before->input == run->input &&
                    before->program == run->program && before->choice == run->choice;
        good = same || find_run_key(matrix, run, &memory, key);
        run->name = arena_format(matrix->campaign->arena, "%s.%u", key, run->repeat);
    }
    json_decref(memory.said);
    json_decref(memory.digests);
    return good;
}
