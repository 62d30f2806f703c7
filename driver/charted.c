/* charted.c: atomc run --chart: the program runs as a child, which writes its results as rows to a temporary
   folder. When it has ended, atomc chart draws them. Requires atomc-results. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/driver.h"
#include "support/process.h"

static int remove_chart_file(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)status, (void)type, (void)walk;
    return remove(path);
}

/* A tool may have no report, or texts only; a program may have been killed. */
static bool holds_nothing(const char *folder) {
    DIR *stream = opendir(folder);
    bool found = false;
    for (struct dirent *entry; stream && !found && (entry = readdir(stream));)
        found = entry->d_name[0] != '.';
    if (stream)
        closedir(stream);
    return !found;
}

/* Standard output belongs to the program, so the chart is written to standard error, or to the file. */
static void draw_chart(const struct run_choice *choice, const char *folder) {
    if (holds_nothing(folder)) {
        fprintf(stderr,
                "atomc: warning: there is nothing to draw: no table was written\nhint: without --chart, "
                "what the tool writes is shown\n");
        return;
    }
    const char *output = choice->svg ? choice->svg : choice->report, *program = program_of("results");
    const char *const words[] = {
        program, "chart", choice->svg ? "--format=svg" : "--format=text", folder, output ? "-o" : NULL,
        output,  NULL};
    pid_t process = process_start(
        &(struct process){.path = program,
                          .words = words,
                          .files = (const int[]){PROCESS_SAME, choice->report ? PROCESS_SAME : STDERR_FILENO},
                          .file_count = 2});
    if (process < 0)
        fprintf(stderr, "atomc: error: cannot start %s: %s\n", program, strerror(errno));
    else
        process_wait(process);
}

/* The status is the program's, and so is a signal. */
static int end_as(int status) {
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    remove_temporary_files(); /* no calls are made when this process ends */
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

bool run_apart(const struct run_choice *choice, struct diagnostics *diagnostics, int *status) {
    const char *temporary = getenv("TMPDIR");
    char *folder = format_string("%s/atomc-run-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    pid_t process = mkdtemp(folder) ? fork() : -1;
    if (process < 0) {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, folder, strerror(errno));
        *status = RUN_FAILED;
        free(folder);
        return true;
    }
    if (process == 0) {
        setenv("ATOMC_FORMAT", "rows", true);
        setenv("ATOMC_OUT", folder, true);
        free(folder);
        return false;
    }
    signal(SIGINT, SIG_IGN); /* signals from the terminal are for the program */
    signal(SIGQUIT, SIG_IGN);
    int ended = process_wait(process);
    draw_chart(choice, folder);
    nftw(folder, remove_chart_file, 8, FTW_DEPTH | FTW_PHYS);
    free(folder);
    *status = end_as(ended);
    return true;
}
