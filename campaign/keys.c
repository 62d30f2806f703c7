/* keys.c: by what runs are known: the key of each run's job, and which repeat it is. Runs that differ only in
   the repeat have one key. */
#include <stdlib.h>
#include <string.h>

#include "campaign/campaign.h"
#include "job/job.h"

/* Where it stands in the matrix: what messages name. */
static char *run_title(const struct campaign *campaign, const struct matrix *matrix, const struct run *run) {
    char *title = NULL;
    size_t size;
    FILE *stream = open_memstream(&title, &size);
    fprintf(stream, "%s: job of", campaign->path);
    for (uint32_t i = 0; i < matrix->dimension_count; i++) {
        const char *text = run_text(campaign, run, matrix->dimensions[i]);
        if (text && *text && strcmp(matrix->dimensions[i], "repeat") != 0)
            fprintf(stream, " %s=%s", matrix->dimensions[i], text);
    }
    fclose(stream);
    return title;
}

static bool find_key(struct matrix *matrix, const struct run *run, struct job_memory *memory,
                     char key[JOB_DIGEST + 1]) {
    const struct campaign *campaign = matrix->campaign;
    json_t *document = run_job(campaign, run);
    char *text = json_dumps(document, JSON_INDENT(1)), *title = run_title(campaign, matrix, run);
    struct job job;
    bool good = job_read_text(&job, title, text, campaign->diagnostics);
    job.memory = memory;
    good = good && job_find_key(&job);
    matrix->limits = (struct limits){job.limits.seconds, job.limits.memory_mb, job.limits.output_mb,
                                     job.limits.disk_mb, job.limits.processes};
    if (good)
        memcpy(key, job.key, JOB_DIGEST + 1);
    else
        diagnostics_print(campaign->diagnostics, stderr); /* before the text goes */
    job_close(&job);
    free(title);
    free(text);
    json_decref(document);
    return good;
}

bool find_keys(struct matrix *matrix) {
    struct job_memory memory = {json_object(), json_object()};
    char key[JOB_DIGEST + 1] = "";
    bool good = true;
    for (uint32_t i = 0; i < matrix->run_count && good; i++) {
        struct run *run = &matrix->runs[i], *before = i ? &matrix->runs[i - 1] : NULL;
        bool same = before && before->values == run->values && before->input == run->input &&
                    before->program == run->program && before->choice == run->choice;
        good = same || find_key(matrix, run, &memory, key);
        run->name = arena_format(matrix->campaign->arena, "%s.%u", key, run->repeat);
    }
    json_decref(memory.said);
    json_decref(memory.digests);
    return good;
}
