/* estimate.c: estimates of the time and space of runs, from earlier runs in the project. The best group that
   exists is used: the same program, tool and input; the same program and tool; the same tool; any run. */
#define _GNU_SOURCE
#include <dirent.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runs/campaign/campaign.h"

/* Files and processes that seconds of run.json do not have. */
static const double between_runs = 0.1;
enum { LEVELS = 4 };

static int64_t bytes_found; /* nftw() has no argument for its function */

static int add_file_bytes(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)path;
    (void)where;
    bytes_found += kind == FTW_F ? (int64_t)status->st_blocks * 512 : 0;
    return 0;
}

/* The similarity of two jobs: `level` 0 is the highest. The caller frees it. */
static char *job_signature(const json_t *job, int level) {
    json_t *parts = json_array(), *tool;
    size_t at;
    static const char *const keys[] = {"program", "input", "arguments"};
    json_array_append_new(parts, json_integer(level));
    if (level < 3)
        json_array_foreach(json_object_get(job, "tools"), at, tool) {
            json_t *name = json_object_get(tool, "name");
            json_array_append(parts, name ? name : json_object_get(tool, "path"));
        }
    for (int i = 0; i < (level == 0 ? 3 : level == 1 ? 1 : 0); i++) {
        json_t *value = json_object_get(job, keys[i]), *path = json_object_get(value, "path");
        if (path)
            json_array_append(parts, path);
        else if (json_is_array(value))
            json_array_append(parts, value);
        else
            json_array_append_new(parts, json_null());
    }
    char *text = json_dumps(parts, JSON_COMPACT);
    json_decref(parts);
    return text;
}

static void add_run_time(json_t *sums, const json_t *run) {
    double seconds = json_number_value(json_object_get(run, "instrument_seconds")) +
                     json_number_value(json_object_get(run, "seconds")) + between_runs;
    for (int level = 0; level < LEVELS; level++) {
        char *text = job_signature(json_object_get(run, "job"), level);
        json_t *sum = json_object_get(sums, text);
        if (!sum)
            json_object_set_new(sums, text, sum = json_pack("[f,i]", 0.0, 0));
        json_real_set(json_array_get(sum, 0), json_real_value(json_array_get(sum, 0)) + seconds);
        json_integer_set(json_array_get(sum, 1), json_integer_value(json_array_get(sum, 1)) + 1);
        free(text);
    }
}

static void read_earlier_runs(struct estimates *estimates, const struct project *project, json_t *sums) {
    char *path = run_folder(project, "");
    DIR *folder = opendir(path);
    const struct dirent *entry;
    bytes_found = 0;
    while (folder && (entry = readdir(folder))) {
        char *file = format_string("%s%s/run.json", path, entry->d_name),
             *whole = format_string("%s%s", path, entry->d_name);
        json_t *run = json_load_file(file, 0, NULL);
        const char *state = json_string_value(json_object_get(run, "state"));
        if (state && strcmp(state, "finished") == 0) {
            estimates->known++;
            add_run_time(sums, run);
            nftw(whole, add_file_bytes, 16, FTW_PHYS);
        }
        json_decref(run);
        free(whole);
        free(file);
    }
    if (folder)
        closedir(folder);
    free(path);
    estimates->bytes = estimates->known ? (double)bytes_found / estimates->known : 0;
}

void estimate(struct estimates *estimates, const struct project *project, const struct matrix *matrix) {
    json_t *sums = json_object();
    *estimates = (struct estimates){
        .seconds = arena_allocate(matrix->campaign->arena, matrix->run_count * sizeof(double))};
    read_earlier_runs(estimates, project, sums);
    for (uint32_t i = 0; i < matrix->run_count; i++) {
        json_t *job = run_job(matrix->campaign, &matrix->runs[i]);
        estimates->seconds[i] = -1;
        for (int level = 0; level < LEVELS && estimates->seconds[i] < 0; level++) {
            char *text = job_signature(job, level);
            const json_t *sum = json_object_get(sums, text);
            if (sum)
                estimates->seconds[i] = json_real_value(json_array_get(sum, 0)) /
                                        (double)json_integer_value(json_array_get(sum, 1));
            estimates->alike += sum && level == 0;
            free(text);
        }
        json_decref(job);
    }
    json_decref(sums);
}
