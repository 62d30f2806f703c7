/* process.c: children are started, read from, waited for and ended. Requires Linux. */
#define _GNU_SOURCE
#include "support/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- starting ----------------------------------------------------------------------------------------- */

enum { MOST_FILES = 4, ABOVE_FILES = 16 };

/* Runs in the child until it executes the other program. It shares this process's memory, but writes only
   `error`. */
struct birth {
    const struct process *process;
    const sigset_t *blocked;
    pid_t parent;
    volatile int error;
};

static void fail(struct birth *birth) {
    birth->error = errno;
    _exit(127);
}

/* First, all are copied to numbers outside of the target range. */
static void set_files(struct birth *birth) {
    const struct process *process = birth->process;
    int copies[MOST_FILES];
    for (unsigned i = 0; i < process->file_count; i++) {
        int file = process->files[i];
        int from = file == PROCESS_NOTHING ? open("/dev/null", O_RDWR | O_CLOEXEC) : file;
        copies[i] = file == PROCESS_SAME ? -1 : fcntl(from, F_DUPFD_CLOEXEC, ABOVE_FILES);
        if (file != PROCESS_SAME && copies[i] < 0)
            fail(birth);
        if (file == PROCESS_NOTHING)
            close(from);
    }
    for (unsigned i = 0; i < process->file_count; i++)
        if (copies[i] >= 0 && dup2(copies[i], (int)i) < 0)
            fail(birth);
    if (process->only_files)
        close_range(process->file_count, ~0U, 0);
}

/* A handler must not run in the child: it would change this process's memory. */
static void set_signals(struct birth *birth) {
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL &&
            (action.sa_handler != SIG_IGN || birth->process->default_signals))
            signal(number, SIG_DFL);
    }
    sigprocmask(SIG_SETMASK, birth->blocked, NULL);
}

static void become(struct birth *birth) {
    const struct process *process = birth->process;
    char *const *words = (char *const *)(uintptr_t)process->words, *const *variables =
                                                                       (char *const *)(uintptr_t)
                                                                           process->variables;
    if (process->death_signal &&
        (prctl(PR_SET_PDEATHSIG, process->death_signal) != 0 || getppid() != birth->parent))
        fail(birth);
    if (process->group == PROCESS_OWN_GROUP)
        setpgid(0, 0);
    else if (process->group == PROCESS_SESSION)
        setsid();
    set_files(birth);
    if (process->folder && chdir(process->folder) != 0)
        fail(birth);
    set_signals(birth);
    execvpe(process->path ? process->path : words[0], words, variables ? variables : environ);
    fail(birth);
}

/* The parent continues when the child is another program, or has ended. */
static pid_t give_birth(struct birth *birth) {
    pid_t child = vfork(); /* NOLINT: atomc's memory is large; the child does only what posix_spawn's would */
    if (child == 0)
        become(birth); /* NOLINT(clang-analyzer-unix.Vfork) */
    return child;
}

pid_t process_start(const struct process *process) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    struct birth birth = {
        .process = process, .blocked = process->blocked ? process->blocked : &before, .parent = getpid()};
    pid_t child = give_birth(&birth);
    int error = child < 0 ? errno : birth.error;
    if (child > 0 && error)
        process_wait(child);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return error ? -1 : child;
}

/* ---- waiting ------------------------------------------------------------------------------------------ */

int process_wait(pid_t child) {
    int status;
    pid_t ended;
    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended < 0 ? -1 : status;
}

int process_exit_status(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void process_wait_leader(pid_t leader) {
    siginfo_t information;
    while (waitid(P_PID, (id_t)leader, &information, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
}

int process_wait_group(pid_t leader) {
    process_wait_leader(leader);
    kill(-leader, SIGKILL);
    return process_wait(leader);
}

int process_end_group(pid_t leader, unsigned milliseconds) {
    enum { STEP = 10 };
    siginfo_t information = {.si_pid = 0};
    kill(leader, SIGTERM);
    for (unsigned waited = 0; waited < milliseconds; waited += STEP) {
        if (waitid(P_PID, (id_t)leader, &information, WEXITED | WNOWAIT | WNOHANG) == 0 &&
            information.si_pid == leader)
            break;
        poll(NULL, 0, STEP);
    }
    kill(leader, SIGKILL);
    kill(-leader, SIGKILL);
    return process_wait_group(leader);
}

/* ---- reading ------------------------------------------------------------------------------------------ */

/* Reads until the writers have closed the pipe. */
static char *drain(int file) {
    size_t count = 0, capacity = 1024;
    char *text = allocate(capacity);
    for (;;) {
        ssize_t got = read(file, text + count, capacity - count - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        count += (size_t)got;
        if (capacity - count < 2) {
            capacity *= 2;
            text = reallocate(text, capacity);
        }
    }
    text[count] = '\0';
    return text;
}

char *process_read(const struct process *process, int from, int *status) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    const int files[3] = {PROCESS_NOTHING, from & PROCESS_OUTPUT ? ends[1] : PROCESS_NOTHING,
                          from & PROCESS_ERRORS ? ends[1] : PROCESS_NOTHING};
    struct process reader = *process;
    reader.files = files;
    reader.file_count = 3;
    pid_t child = process_start(&reader);
    int error = errno;
    close(ends[1]);
    char *text = child < 0 ? NULL : drain(ends[0]);
    close(ends[0]);
    *status = child < 0 ? -1 : process_wait(child);
    errno = error;
    return text;
}

/* ---- commands ----------------------------------------------------------------------------------------- */

/* Commands that are running, each the group of all that it starts; or 0. */
enum { MOST_CHILDREN = 16 };
static volatile pid_t children[MOST_CHILDREN];

/* A command that has been started, and the source of its messages; -1: its messages are written to this
   process's output. */
struct started {
    size_t place; /* in children */
    int messages;
};

/* The command has its own process group, so that a signal also reaches the processes that it starts. */
static bool start_command(char *const argv[], bool collects, struct started *started) {
    int ends[2] = {-1, -1};
    if (collects && pipe2(ends, O_CLOEXEC) != 0)
        return false;
    sigset_t all, before;
    size_t place = 0;
    while (place < MOST_CHILDREN - 1 && children[place])
        place++;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before); /* until the handler of fatal signals finds it */
    pid_t child = process_start(&(struct process){.words = (const char *const *)argv,
                                                  .files = (const int[]){PROCESS_SAME, PROCESS_SAME, ends[1]},
                                                  .file_count = collects ? 3 : 0,
                                                  .blocked = &before,
                                                  .group = PROCESS_OWN_GROUP});
    int error = errno;
    if (child > 0)
        children[place] = child;
    sigprocmask(SIG_SETMASK, &before, NULL);
    *started = (struct started){place, ends[0]};
    if (collects)
        close(ends[1]);
    if (collects && child < 0)
        close(ends[0]);
    errno = error;
    return child > 0;
}

static int finish_command(const struct started *started, char **output) {
    if (output) {
        *output = drain(started->messages);
        close(started->messages);
    }
    int status = process_wait(children[started->place]);
    children[started->place] = 0;
    return status < 0 ? -1 : process_exit_status(status);
}

int run_command(char *const argv[], char **output) {
    struct started started;
    if (output)
        *output = NULL;
    return start_command(argv, output != NULL, &started) ? finish_command(&started, output) : -1;
}

void run_commands(struct child_command *commands, size_t count) {
    struct started started[MOST_CHILDREN];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t at_once = processors < 1 ? 1 : processors > MOST_CHILDREN ? MOST_CHILDREN : (size_t)processors;
    for (size_t begun = 0, ended = 0; ended < count; ended++) {
        for (; begun < count && begun < ended + at_once; begun++) {
            commands[begun].output = NULL;
            bool good = start_command(commands[begun].argv, true, &started[begun % at_once]);
            commands[begun].status = good ? 0 : -1;
        }
        if (commands[ended].status == 0)
            commands[ended].status = finish_command(&started[ended % at_once], &commands[ended].output);
    }
}

/* These processes may be writing: a compiler's assembler, or linker. A process whose parent ends becomes this
   process's child, so that all processes can be waited for. */
void commands_end(int signal_number) {
    enum { STEP = 10, PATIENCE = 1000 }; /* milliseconds */
    prctl(PR_SET_CHILD_SUBREAPER, 1L);
    for (int i = 0; i < MOST_CHILDREN; i++)
        if (children[i])
            kill(-children[i], signal_number);
    for (int i = 0, waited = 0; i < MOST_CHILDREN; i++)
        for (; children[i]; waited += STEP) {
            pid_t ended;
            while ((ended = waitpid(-children[i], NULL, WNOHANG)) > 0)
                ;
            if (ended < 0 && errno != EINTR)
                break; /* there are no more */
            if (waited >= PATIENCE)
                kill(-children[i], SIGKILL);
            poll(NULL, 0, STEP);
        }
}
