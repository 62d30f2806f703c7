/* inside.c: the program's first parent, process 1 of a sandbox. It starts the program in a state that is
   equal for all runs, and waits for all processes that the program leaves. Requires Linux. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runs/job/job.h"

enum { STACK_BYTES = 8 << 20, DESCRIPTORS = 1024 };

static void send_inside_message(int messages, struct inside_message message) {
    if (write(messages, &message, sizeof message) < 0)
        _exit(2); /* nobody listens */
}

static void set_limit(int resource, rlim_t most) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max < most ? limit.rlim_max : most;
    setrlimit(resource, &limit);
}

/* Sets the state that determines the emulator's address, and so the program's memory; the size of its
   stack; its open files. */
static void set_process_state(uint64_t file_bytes) {
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    set_limit(RLIMIT_STACK, STACK_BYTES);
    set_limit(RLIMIT_NOFILE, DESCRIPTORS);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_FSIZE, file_bytes);
    personality(ADDR_NO_RANDOMIZE);
    umask(022);
}

/* Words: --inside DESCRIPTOR BYTES FOLDER NAME=VALUE ... -- COMMAND. Without a command, it only shows that
   this program can be started. */
int inside_main(int count, char **words) {
    int messages = count > 4 ? atoi(words[2]) : -1, at = 5, status;
    prctl(PR_SET_PDEATHSIG, (long)SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 1L);
    if (messages < 0)
        return 0;
    fcntl(messages, F_SETFD, FD_CLOEXEC);
    clearenv();
    for (; at < count && strcmp(words[at], "--") != 0; at++)
        putenv(words[at]);
    if (at + 1 >= count)
        return 2;
    if (chdir(words[4]) != 0) {
        send_inside_message(messages, (struct inside_message){.kind = INSIDE_CANNOT, .value = errno});
        return 2;
    }
    pid_t program = fork();
    if (program == 0) {
        set_process_state(strtoull(words[3], NULL, 10));
        execv(words[at + 1], &words[at + 1]);
        send_inside_message(messages, (struct inside_message){.kind = INSIDE_CANNOT, .value = errno});
        _exit(2);
    }
    for (int output = 0; output < 3; output++)
        close(output);
    if (program < 0)
        send_inside_message(messages, (struct inside_message){.kind = INSIDE_CANNOT, .value = errno});
    for (pid_t ended; (ended = wait(&status)) >= 0 || errno == EINTR;)
        if (ended == program)
            send_inside_message(messages, (struct inside_message){.kind = INSIDE_ENDED, .value = status});
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    send_inside_message(messages,
                        (struct inside_message){
                            .kind = INSIDE_ALL_ENDED,
                            .cpu_seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                                           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
                            .peak_kb = (uint64_t)usage.ru_maxrss});
    return 0;
}
