/* main.c: the command line of atomc-job, which `atomc run --job` starts.
   Exit status: 0, 1 for the user's errors, 2 for ours and the system's. */
#include <stdlib.h>
#include <string.h>

#include "runs/job/job.h"
#include "support/options.h"

/* Returns false after an error. */
static bool set_job_option(struct job_choice *choice, const struct option_reader *reader,
                           enum option_id option) {
    if (option == OPTION_WORD)
        return usage_error(reader->diagnostics, COMMAND_JOB, "with --job, there is no option '%s'",
                           reader->word);
    if (option == OPTION_JOB)
        choice->job = reader->value;
    else if (option == OPTION_JOB_INTO)
        choice->into = reader->value;
    else if (option == OPTION_JOB_EVENTS)
        choice->events = (int)reader->number;
    else if (option == OPTION_JOB_REPEAT)
        choice->repeat = (long)reader->number;
    choice->key |= option == OPTION_JOB_KEY;
    choice->help |= option == OPTION_HELP;
    return option != OPTION_WRONG;
}

static bool parse_job_words(struct job_choice *choice, char **words, int count,
                            struct diagnostics *diagnostics) {
    struct option_reader reader = {
        .command = COMMAND_JOB, .words = words, .count = count, .at = 2, .diagnostics = diagnostics};
    for (int at = 2; at < count; at++)
        choice->help |= strcmp(words[at], "--help") == 0 || strcmp(words[at], "-h") == 0;
    for (enum option_id option; !choice->help && (option = next_option(&reader)) != OPTION_END;)
        if (!set_job_option(choice, &reader, option))
            return false;
    if (choice->help)
        return true;
    if (!choice->job || !*choice->job)
        return usage_error(diagnostics, COMMAND_JOB, "%s needs a file", "--job");
    if (!choice->key && (!choice->into || !*choice->into))
        return usage_error(diagnostics, COMMAND_JOB, "no folder given: %s", "--into=FOLDER");
    return true;
}

static bool print_key(struct job *job) {
    if (!job_find_key(job))
        return false;
    json_t *answer = json_object();
    json_object_set_new(answer, "key", json_string(job->key));
    json_object_set(answer, "canonical", job->canonical);
    json_print(answer, true, stdout);
    return true;
}

int main(int count, char **words) {
    unsetenv("ATOMC_SYSROOT"); /* the job names the directory of libraries */
    if (count > 1 && strcmp(words[1], "--inside") == 0)
        return inside_main(count, words);
    if (count < 2 || strcmp(words[1], "run") != 0) {
        fputs("atomc-job: start it as atomc run --job=JOB.json\n", stderr);
        return 1;
    }
    struct diagnostics *diagnostics = diagnostics_create();
    struct job_choice choice = {.events = -1, .repeat = 1};
    struct job job = {.given = NULL};
    int status = 1;
    if (parse_job_words(&choice, words, count, diagnostics)) {
        if (choice.help) {
            print_help(COMMAND_JOB, stdout);
            status = 0;
        } else if (job_read(&job, choice.job, diagnostics) && choice.key)
            status = !print_key(&job);
        else if (job.given) {
            guard_begin();
            status = job_make(&job, &choice);
        }
    }
    diagnostics_print(diagnostics, stderr);
    diagnostics_destroy(diagnostics);
    job_close(&job);
    return status;
}
