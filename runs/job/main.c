/* main.c: the command line of atomc-job, which `atomc run --job` starts.
   Exit status: 0, 1 for the user's errors, 2 for ours and the system's. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "runs/job/job.h"

static const char help[] =
    "usage: atomc run --job=JOB.json --into=FOLDER [--events=NUMBER] [--repeat=N]\n"
    "       atomc run --job=JOB.json --key\n"
    "\n"
    "Instruments and runs a program as JOB.json says, in a fixed place and under limits, and leaves all\n"
    "results in FOLDER, which appears whole.\n"
    "\n"
    "  --job=FILE        what is to be run, as JSON; - is standard input\n"
    "  --into=FOLDER     the folder to make\n"
    "  --events=NUMBER   write a line of JSON for each event to that open file\n"
    "  --repeat=N        run N times, and tell whether the results are the same\n"
    "  --key             print the key of the job, and what it is made of; run nothing\n"
    "\n"
    "Manual: docs/job.md.\n";

static bool usage_error(struct diagnostics *diagnostics, const char *text, const char *word) {
    char *message = format_string(text, word);
    diagnose(diagnostics, NULL, MESSAGE_USAGE, message);
    diagnose_hint(diagnostics, "atomc run --job --help");
    free(message);
    return false;
}

/* The value of --name=value or --name value; NULL: the word is another. */
static const char *value_of(const char *word, const char *name, char **words, int count, int *at) {
    size_t length = strlen(name);
    if (strncmp(word, name, length) == 0 && word[length] == '=')
        return word + length + 1;
    if (strcmp(word, name) == 0)
        return *at + 1 < count ? words[++*at] : "";
    return NULL;
}

static bool read_number(const char *text, long least, long *number) {
    char *end;
    *number = strtol(text, &end, 10);
    return *text && !*end && *number >= least && *number <= 1000000;
}

static bool parse(struct job_choice *choice, char **words, int count, struct diagnostics *diagnostics) {
    const char *value;
    long number;
    for (int at = 2; at < count; at++)
        choice->help |= strcmp(words[at], "--help") == 0 || strcmp(words[at], "-h") == 0;
    for (int at = 2; at < count && !choice->help; at++) {
        const char *word = words[at];
        if (strcmp(word, "--key") == 0) {
            choice->key = true;
        } else if ((value = value_of(word, "--job", words, count, &at))) {
            choice->job = value;
        } else if ((value = value_of(word, "--into", words, count, &at))) {
            choice->into = value;
        } else if ((value = value_of(word, "--events", words, count, &at))) {
            if (!read_number(value, 0, &number) || fcntl((int)number, F_GETFD) < 0)
                return usage_error(diagnostics, "--events=%s: there is no open file of that number", value);
            choice->events = (int)number;
        } else if ((value = value_of(word, "--repeat", words, count, &at))) {
            if (!read_number(value, 1, &number))
                return usage_error(diagnostics, "--repeat=%s: the value is a number from 1 on", value);
            choice->repeat = number;
        } else {
            return usage_error(diagnostics, "with --job, there is no option '%s'", word);
        }
    }
    if (choice->help)
        return true;
    if (!choice->job || !*choice->job)
        return usage_error(diagnostics, "%s needs a file", "--job");
    if (!choice->key && (!choice->into || !*choice->into))
        return usage_error(diagnostics, "no folder given: %s", "--into=FOLDER");
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
    unsetenv("ATOMC_SYSROOT"); /* the job says where libraries are */
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
    if (parse(&choice, words, count, diagnostics)) {
        if (choice.help)
            status = fputs(help, stdout) < 0;
        else if (job_read(&job, choice.job, diagnostics) && choice.key)
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
