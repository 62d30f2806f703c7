/* masked.c WAY: what depends on which signals are blocked, and code on the stack, which calls into the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

__attribute__((noinline)) static long apply(long (*function)(long), long n) {
    return function(n) + function(2 * n);
}

/* `add` is called through a few instructions on the stack. */
__attribute__((noinline)) static long through_stack(long n) {
    long sum = n;
    __attribute__((noinline)) long add(long x) {
        sum += x;
        return sum;
    }
    return apply(add, n);
}

static void show(const char *when, const sigset_t *set) {
    printf("%s:", when);
    for (int signal = 10; signal <= 15; signal++)
        printf(" %d", sigismember(set, signal));
    printf("\n");
}

static void show_mask(const char *when) {
    sigset_t now;
    sigprocmask(SIG_SETMASK, NULL, &now);
    show(when, &now);
}

static sigjmp_buf back;
static volatile int caught, times, stays;
static void handler(int signal, siginfo_t *info, void *context) {
    caught = signal;
    times++;
    show_mask("in the handler");
    show("interrupted", &((ucontext_t *)context)->uc_sigmask);
    printf("%ld, code %d\n", through_stack(7), info->si_code > 0);
    if (signal == SIGBUS && !stays)
        siglongjmp(back, 1);
}

/* Waits with another mask. Not by epoll_pwait, and not for what has been sent before: qemu-user 7.2 loses that. */
static int wait_in(int way, const sigset_t *mask) {
    struct timespec most = {2, 0};
    return way == 0   ? sigsuspend(mask)
           : way == 1 ? ppoll(NULL, 0, &most, mask)
                      : pselect(0, NULL, NULL, NULL, &most, mask);
}

/* A signal comes that is blocked otherwise. */
static void wait_each(const sigset_t *mask) {
    static const int signals[] = {SIGSEGV, SIGALRM, SIGBUS};
    for (int way = 0; way < 3; way++)
        for (int sent = 0; sent < 3; sent++) {
            if (fork() == 0) {
                usleep(50000);
                kill(getppid(), signals[sent]);
                _exit(0);
            }
            int result = wait_in(way, mask);
            printf("%d %d: %d %d, %d %d\n", way, sent, result, errno, caught, times);
            show_mask("after the wait");
            wait(NULL);
        }
}

static void install(int signal, int all) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    stays = all == 2;
    if (all == 1)
        sigfillset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

static void nothing(int signal) {
    (void)signal;
}

/* Exits with what the host's mask has of SIGUSR1. */
static const char *asks_mask = "while read name mask; do [ $name != SigBlk: ] || exit $((0x$mask >> 9 & 1)); done </proc/self/status";

/* Exits with 1 if anything is blocked, or SIGUSR1 is not ignored. */
static const char *asks_ignored = "while read name mask; do case $name in SigBlk:) [ $((0x$mask)) = 0 ] || exit 1 ;; "
                                  "SigIgn:) exit $((!(0x$mask >> 9 & 1))) ;; esac; done </proc/self/status";

/* A signal comes at some time of execve: its handler is called before, or it ends the new program, whose mask is the old one's; it ignores
   what the old one has ignored. */
static int execute(long microseconds, int ignores) {
    struct itimerval timer = {{0, 0}, {0, microseconds}};
    int status;
    pid_t child = fork();
    if (child == 0) {
        sigset_t few;
        signal(SIGALRM, nothing);
        sigemptyset(&few);
        if (ignores)
            signal(SIGUSR1, SIG_IGN);
        else
            sigaddset(&few, SIGSEGV);
        sigprocmask(SIG_SETMASK, &few, NULL);
        setitimer(ITIMER_REAL, &timer, NULL);
        execl("/bin/sh", "sh", "-c", ignores ? asks_ignored : asks_mask, (char *)0);
        _exit(2);
    }
    waitpid(child, &status, 0);
    return status != 0 && status != SIGALRM;
}

/* Signals come at any time of the calls that wait with another mask. */
static pthread_t receiver;
static volatile int polls_on = 1;
static void *send(void *unused) {
    while (polls_on) {
        pthread_kill(receiver, SIGUSR2);
        for (volatile int i = 0; i < 300; i++)
            ;
    }
    return unused;
}

static int poll_often(int times) {
    struct timespec none = {0, 0};
    pthread_t sender;
    sigset_t mask;
    int wrong = 0;
    receiver = pthread_self();
    sigprocmask(SIG_SETMASK, NULL, &mask);
    sigdelset(&mask, SIGUSR2);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    signal(SIGUSR2, nothing);
    pthread_create(&sender, NULL, send, NULL);
    for (int i = 0; i < times; i++)
        wrong += (i & 1 ? ppoll(NULL, 0, &none, &mask) : pselect(0, NULL, NULL, NULL, &none, &mask)) > 0;
    polls_on = 0;
    pthread_join(sender, NULL);
    return wrong;
}

static void *thread(void *unused) {
    show_mask("in a thread");
    printf("%ld\n", through_stack(5));
    return unused;
}

static void run_handlers(const sigset_t *all, const sigset_t *few) {
    sigset_t old;
    sigprocmask(SIG_UNBLOCK, all, &old);
    show("before", &old);
    raise(SIGALRM);
    show_mask("after the handler");
    if (sigsetjmp(back, 1) == 0)
        raise(SIGBUS);
    show_mask("after the jump");
    sigprocmask(SIG_BLOCK, few, NULL);
    show_mask("blocked");
    raise(SIGALRM);
    show_mask("after the handler");
}

static void send_blocked(void) {
    sigset_t all, few;
    sigfillset(&all);
    raise(SIGSEGV);
    raise(SIGSEGV);
    kill(getpid(), SIGBUS);
    printf("%d %d\n", caught, times);
    if (sigsetjmp(back, 1) == 0) {
        sigdelset(&all, SIGSEGV);
        sigprocmask(SIG_SETMASK, &all, NULL);
        printf("%d %d\n", caught, times);
        sigemptyset(&few);
        sigprocmask(SIG_SETMASK, &few, NULL);
        printf("never\n");
    }
    printf("%d %d\n", caught, times);
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "blocked";
    setvbuf(stdout, NULL, _IONBF, 0);
    sigset_t all, few, old;
    sigfillset(&all);
    sigemptyset(&few);
    sigaddset(&few, SIGSEGV);
    install(SIGSEGV, 0);
    install(SIGALRM, 1);
    install(SIGBUS, 1);
    sigprocmask(SIG_SETMASK, strcmp(way, "open") == 0 ? &few : &all, &old);
    show("at first", &old);
    show_mask("then");
    printf("%ld\n", through_stack(1));
    if (strcmp(way, "handlers") == 0) {
        run_handlers(&all, &few);
    } else if (strcmp(way, "sent") == 0) {
        send_blocked();
    } else if (strcmp(way, "suspended") == 0) {
        sigemptyset(&few);
        alarm(1);
        sigsuspend(&few);
        show_mask("after the wait");
    } else if (strcmp(way, "waits") == 0) {
        install(SIGBUS, 2);
        sigemptyset(&few);
        wait_each(&few);
        sigaddset(&few, SIGBUS);
        sigprocmask(SIG_UNBLOCK, &few, NULL);
        show_mask("then");
    } else if (strcmp(way, "executed") == 0) {
        if (fork() == 0) {
            show_mask("in the child");
                execl("/nowhere", "nowhere", (char *)0);
            show_mask("not executed");
                printf("%ld\n", through_stack(4));
            _exit(1);
        }
        wait(NULL);
        show_mask("in the parent");
    } else if (strcmp(way, "timed") == 0 || strcmp(way, "ignores") == 0) {
        int wrong = 0;
        for (long microseconds = 250; microseconds <= 20000; microseconds += 250 + microseconds / 4)
            wrong += execute(microseconds, way[0] == 'i');
        printf("%d wrong\n", wrong);
    } else if (strcmp(way, "polls") == 0) {
        printf("%d wrong\n", poll_often(20000));
    } else if (strcmp(way, "thread") == 0) {
        pthread_t made;
        pthread_create(&made, NULL, thread, NULL);
        pthread_join(made, NULL);
        sigprocmask(SIG_UNBLOCK, &few, NULL);
        pthread_create(&made, NULL, thread, NULL);
        pthread_join(made, NULL);
    } else if (strcmp(way, "fault") == 0) {
        *(volatile int *)8 = 1;
    }
    printf("%ld\n", through_stack(3));
    return 0;
}
