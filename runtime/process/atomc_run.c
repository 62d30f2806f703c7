/* atomc_run.c: support for programs that `atomc run` has started. Hides that the executed file is not the
   program's own, and knows where results are shown. Requires an image made for `atomc run` (atomc_image.run),
   executed as /proc/self/fd/N. Compiled without floating-point registers.

   The arguments and the environment are unchanged. Descriptor N is the instrumented file. N + 1 has the
   settings (interface.h). N + 2, if it exists, is the stream on which results are shown. The program sees
   none of them. */
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
    long descriptor;  /* the analysis side's, for the settings; -1 if atomc run has not started the program */
    const char *file; /* the program's file before it was instrumented */
    long file_at, file_bytes; /* position and length of its name in the settings */
    const char *whole;        /* the name that the file of results will get; "" if it has its name already */
} run = {.descriptor = -1};

/* The next of the settings' strings; *at moves past it. */
static const char *next_setting(const char **at, const char *end) {
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

/* Sets the name in the program's own vector to that of the file that the kernel would have executed. */
static void set_executed_name(const char *name) {
    long *entry = atomc_program_auxiliary();
    for (; entry[0] != AT_NULL; entry += 2)
        if (entry[0] == AT_EXECFN)
            entry[1] = (long)name;
}

static int shows_alone(void) {
    return run.descriptor >= 0 && *run.whole && atomc_is_first_shown() && !atomc_has_children();
}

/* The first of several processes names the results when they are complete; later ones append theirs. */
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
    unlink(temporary); /* renaming one hard link to another leaves both */
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
    if (strcmp(next_setting(&at, end), ATOMC_RUN_MARK) != 0)
        return;
    run.file_at = at - settings;
    run.file = next_setting(&at, end);
    run.file_bytes = (long)strlen(run.file);
    set_executed_name(next_setting(&at, end));
    atomc_shown_program = next_setting(&at, end);
    run.whole = next_setting(&at, end);
    RAW(CALL_close, first, 0, 0, 0, 0, 0);
    run.descriptor = atomc_own_descriptor(first + ATOMC_RUN_SETTINGS);
    if (RAW(CALL_fcntl, first + ATOMC_RUN_SHOWN, F_GETFD, 0, 0, 0, 0) < 0)
        return;
    atomc_redirect_standard_output(atomc_own_descriptor(first + ATOMC_RUN_SHOWN), shows_alone);
    atomc_begin_shown(name_shown);
}

/* ---- the program's own file -------------------------------------------------------------------------------- */

/* The kernel copies the name, as it knows which memory the program may write. */
static long read_link(long buffer, long size) {
    if (size <= 0)
        return -EINVAL;
    return RAW(CALL_pread64, atomc_real_descriptor(run.descriptor), buffer,
               size < run.file_bytes ? size : run.file_bytes, run.file_at, 0, 0);
}

long atomc_own_file_call(long *registers) {
    const long *a = registers + FIRST_ARGUMENT;
    int at = registers[NUMBER_REGISTER] == CALL_openat || registers[NUMBER_REGISTER] == CALL_readlinkat;
    if (run.descriptor < 0)
        return 0;
    if (registers[NUMBER_REGISTER] == CALL_readlink || registers[NUMBER_REGISTER] == CALL_readlinkat)
        set_result(registers, read_link(a[at + 1], a[at + 2]));
    else if (a[at + 1] & O_NOFOLLOW)
        return 0;
    else
        set_result(registers, RAW(CALL_openat, AT_FDCWD, run.file, a[at + 1], a[at + 2], 0, 0));
    return 1;
}
