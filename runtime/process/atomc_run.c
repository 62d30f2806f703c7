/* atomc_run.c: a program that `atomc run` has started: what the kernel and the program would take for its own
   file, and where its results are shown. Requires an image made for that (atomc_image.run), executed as
   /proc/self/fd/N. Compiled without floating-point registers.

   Nothing of it is in the arguments or the environment. Descriptor N is the instrumented file, N + 1 holds
   the settings (interface.h), and N + 2 is where results are shown, if they are. The program has none of
   them. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "runtime/process/process.h"
#include "runtime/report/report.h"

static struct {
    long descriptor;  /* of the settings, for the analysis side; -1: atomc run has not started the program */
    const char *file; /* the program's, before it was instrumented */
    long file_at, file_bytes; /* where its name is in the settings */
    const char *whole; /* the file that results are shown in has no name yet, and gets this one; "": it has */
} run = {.descriptor = -1};

/* The next of the settings' strings; *at goes after it. */
static const char *next_string(const char **at, const char *end) {
    const char *text = *at, *zero = memchr(text, '\0', (size_t)(end - text));
    *at = zero ? zero + 1 : end;
    return zero ? text : "";
}

static char *read_settings(long descriptor, long *bytes) {
    off_t size = lseek((int)descriptor, 0, SEEK_END);
    char *text = size > 0 ? malloc((size_t)size) : NULL;
    *bytes = text ? pread((int)descriptor, text, (size_t)size, 0) : 0;
    if (text && *bytes == size)
        return text;
    free(text);
    return NULL;
}

/* The program's own vector names the file that the kernel would have executed. */
static void set_executed_name(const char *name) {
    long *entry = atomc_program_auxiliary();
    for (; entry[0] != AT_NULL; entry += 2)
        if (entry[0] == AT_EXECFN)
            entry[1] = (long)name;
}

static int shows_alone(void) {
    return run.descriptor >= 0 && *run.whole && atomc_is_first_shown() && !atomc_has_children();
}

/* Of several processes the first tells when the results are whole; those that end later add theirs. */
static void name_shown(void) {
    char own[40], *temporary = NULL;
    if (run.descriptor < 0 || !*run.whole || !atomc_is_first_shown())
        return;
    fflush(stdout);
    snprintf(own, sizeof own, ATOMC_RUN_FOLDER "%ld", atomc_real_descriptor(STDOUT_FILENO));
    if (asprintf(&temporary, "%s.%ld", run.whole, atomc_process()) < 0)
        return;
    unlink(temporary);
    if (linkat(AT_FDCWD, own, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) != 0 ||
        rename(temporary, run.whole) != 0)
        atomc_cannot_write(run.whole);
    unlink(temporary); /* the rename of one name of a file to another leaves both */
    free(temporary);
}

void atomc_prepare_run(void) {
    static const char folder[] = ATOMC_RUN_FOLDER;
    const char *executed = (const char *)getauxval(AT_EXECFN);
    long bytes;
    if (!atomc_image.run || !executed || strncmp(executed, folder, sizeof folder - 1) != 0)
        return;
    long first = strtol(executed + sizeof folder - 1, NULL, 10);
    char *settings = read_settings(first + ATOMC_RUN_SETTINGS, &bytes);
    if (!settings)
        return;
    const char *at = settings, *end = settings + bytes;
    if (strcmp(next_string(&at, end), ATOMC_RUN_MARK) != 0)
        return;
    run.file_at = at - settings;
    run.file = next_string(&at, end);
    run.file_bytes = (long)strlen(run.file);
    set_executed_name(next_string(&at, end));
    atomc_shown_program = next_string(&at, end);
    run.whole = next_string(&at, end);
    RAW(CALL_close, first, 0, 0, 0, 0, 0);
    run.descriptor = atomc_own_descriptor(first + ATOMC_RUN_SETTINGS);
    if (RAW(CALL_fcntl, first + ATOMC_RUN_SHOWN, F_GETFD, 0, 0, 0, 0) < 0)
        return;
    atomc_redirect_standard_output(atomc_own_descriptor(first + ATOMC_RUN_SHOWN), shows_alone);
    atomc_begin_shown(name_shown);
}

/* ---- the program's own file -------------------------------------------------------------------------------- */

/* The kernel copies the name: it knows where the program may write. */
static long read_link(long buffer, long size) {
    if (size <= 0)
        return -EINVAL;
    return RAW(CALL_pread64, atomc_real_descriptor(run.descriptor), buffer,
               size < run.file_bytes ? size : run.file_bytes, run.file_at, 0, 0);
}

long atomc_own_file_call(long *registers) {
    const long *a = registers + 16;
    int at = registers[0] == CALL_openat || registers[0] == CALL_readlinkat;
    if (run.descriptor < 0)
        return 0;
    if (registers[0] == CALL_readlink || registers[0] == CALL_readlinkat)
        set_result(registers, read_link(a[at + 1], a[at + 2]));
    else if (a[at + 1] & O_NOFOLLOW)
        return 0;
    else
        set_result(registers, RAW(CALL_openat, AT_FDCWD, run.file, a[at + 1], a[at + 2], 0, 0));
    return 1;
}
