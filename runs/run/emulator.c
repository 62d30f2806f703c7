/* emulator.c: which emulators put a program's memory at random addresses, and the options that prevent it.
   emulator_version() requires an emulator that can be executed. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "runs/run/runner.h"
#include "support/process.h"

/* Since QEMU 9 the host's kernel chooses the addresses. If QEMU reserves an address space, it chooses them
   itself: TASK_SIZE of Linux on Alpha (arch/alpha/include/asm/processor.h), which is enough on AArch64. */
enum { FIRST_RANDOM = 9 };
static const char *const fixed[] = {"-R", "0x40000000000", NULL};

const char *const *emulator_layout(const char *version) {
    static const char *const none[] = {NULL};
    static const char said[] = " version ", begins[] = "qemu-";
    struct rlimit limit;
    const char *number = version ? strstr(version, said) : NULL;
    if (!number || strncmp(version, begins, sizeof begins - 1) != 0 ||
        atoi(number + sizeof said - 1) < FIRST_RANDOM)
        return none;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? none : fixed;
}

char *emulator_version(const char *path) {
    const char *const words[] = {path, "--version", NULL};
    int status;
    char *text = process_read(&(struct process){.words = words}, PROCESS_OUTPUT, &status);
    if (text)
        text[strcspn(text, "\n")] = '\0';
    if (text && *text)
        return text;
    free(text);
    return NULL;
}
