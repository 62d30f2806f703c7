/* process.h: other programs as children of this process: started, read from, waited for and ended. */
#ifndef ATOMC_SUPPORT_PROCESS_H
#define ATOMC_SUPPORT_PROCESS_H

#include <signal.h>
#include <sys/types.h>

#include "support/support.h"

enum process_group {
    PROCESS_SAME_GROUP,
    PROCESS_OWN_GROUP, /* its leader: a signal to -PID reaches it and what it has started */
    PROCESS_SESSION,   /* the same in a session of its own: no signal of the terminal reaches it */
};
enum {
    PROCESS_NOTHING = -1, /* as a descriptor: /dev/null */
    PROCESS_SAME = -2,    /* the descriptor that this process has there */
};

/* How a program is started. Members that are zero: in the way of this process. */
struct process {
    const char *path;             /* or its name in PATH; NULL: words[0] */
    const char *const *words;     /* NULL at the end */
    const char *const *variables; /* its environment, NULL at the end; NULL: that of this process */
    const char *folder;           /* where it is started */
    const int *files;             /* descriptors that it has as 0, 1, ... */
    unsigned file_count;
    bool only_files;         /* it has no others; else those of this process without FD_CLOEXEC */
    bool default_signals;    /* signals that this process ignores are not ignored */
    const sigset_t *blocked; /* signals; NULL: those that this thread blocks */
    enum process_group group;
    int death_signal; /* reaches it when this thread ends */
};
/* Starts it; -1 and errno if that cannot be done. Memory is not copied, however much this process has. */
pid_t process_start(const struct process *process);
/* Waits until it has ended, and returns its status as waitpid has it; -1 if there is no such child. */
int process_wait(pid_t child);
/* The exit status as a shell has it: 128 + the signal that has ended it. */
int process_exit_status(int status);
/* Waits until the leader of a group has ended; its number is reserved until process_wait_group. */
void process_wait_leader(pid_t leader);
/* Waits for the leader of a group, kills what is left of the group, and returns the leader's status. */
int process_wait_group(pid_t leader);
/* The same; a leader that does not end within `milliseconds` after SIGTERM is killed with its group. */
int process_end_group(pid_t leader, unsigned milliseconds);

enum { PROCESS_OUTPUT = 1, PROCESS_ERRORS = 2 };
/* Starts it, waits for it, and returns what it has written to these descriptors, with a NUL behind it; the
   other ones of 0, 1 and 2 are /dev/null. The status is as waitpid has it. NULL and errno if it cannot be
   started. `files` is not used. */
char *process_read(const struct process *process, int from, int *status);

/* Ends the commands of run_command that are running, with what they have started: by the signal, and after a
   second by SIGKILL. For handlers of signals. */
void commands_end(int signal_number);

#endif
