/* process.h: other programs as children of this process: starts them, reads their output, waits for them and
   ends them. */
#ifndef ATOMC_SUPPORT_PROCESS_H
#define ATOMC_SUPPORT_PROCESS_H

#include <signal.h>
#include <sys/types.h>

#include "support/support.h"

enum process_group {
    PROCESS_SAME_GROUP,
    PROCESS_OWN_GROUP, /* as the leader of a process group: a signal to -PID reaches it and its descendants */
    PROCESS_SESSION,   /* the same in its own session: signals of the terminal do not reach it */
};
enum {
    PROCESS_NOTHING = -1, /* in place of a descriptor: /dev/null */
    PROCESS_SAME = -2,    /* the same descriptor as in this process */
};

/* How a program is started. Members that are zero: in the way of this process. */
struct process {
    const char *path;             /* path of the file, or its name in PATH; NULL: words[0] */
    const char *const *words;     /* NULL at the end */
    const char *const *variables; /* its environment, NULL-terminated; NULL: the environment of this
                                     process */
    const char *folder;           /* the directory in which it is started */
    const int *files;             /* descriptors that it has as 0, 1, ... */
    unsigned file_count;
    /* the child has no other descriptors; otherwise also descriptors of this process without FD_CLOEXEC */
    bool only_files;
    bool default_signals;    /* signals that this process ignores are not ignored */
    const sigset_t *blocked; /* blocked signals; NULL: the signals that this thread blocks */
    enum process_group group;
    int death_signal; /* reaches it when this thread ends */
};
/* Starts it; -1 and errno if that is impossible. Memory is not copied, so a large process is no
   obstacle. */
pid_t process_start(const struct process *process);
/* Waits until the child has ended, and returns its status as waitpid does; -1 if there is no such child. */
int process_wait(pid_t child);
/* The exit status in a shell's convention: 128 + the signal that has ended it. */
int process_exit_status(int status);
/* Waits until the leader of a group has ended; its number is reserved until process_wait_group. */
void process_wait_leader(pid_t leader);
/* Waits for the leader of a group, kills the rest of the group, and returns the leader's status. */
int process_wait_group(pid_t leader);
/* The same; a leader that does not end within `milliseconds` after SIGTERM is killed with its group. */
int process_end_group(pid_t leader, unsigned milliseconds);

enum { PROCESS_OUTPUT = 1, PROCESS_ERRORS = 2 };
/* Starts the program, waits for it, and returns its output on these descriptors, followed by a NUL. The
   remaining descriptors of 0, 1 and 2 are /dev/null. The status is as with waitpid. NULL and errno if it
   cannot be started. `files` is not used. */
char *process_read(const struct process *process, int from, int *status);

/* Ends the running commands of run_command and their descendants: by the signal, and after a second by
   SIGKILL. For signal handlers. */
void commands_end(int signal_number);

#endif
