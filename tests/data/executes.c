/* executes.c: programs that become others. Use: executes
   exec|fails|broken|brokenoften|workoften|forkbroken|fork|threads|busy|busyfails|busyoften|interrupted|
   alarm|alarmfails|ticks|timer|timerfails. What is counted before execve is work(): 1,000
   times, and 500 by another thread. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static volatile long worked;
static volatile int children, waits;

__attribute__((noinline)) static void work(void) {
    worked++;
}

static void ended(int signal) {
    children += signal == SIGCHLD;
}

static void become(const char *path, const char *text) {
    char *arguments[] = {"sh", "-c", (char *)text, NULL};
    execve(path, arguments, environ);
    printf("%s: errno %d\n", path, errno);
    fflush(stdout);
}

static void work_often(int times) {
    for (int i = 0; i < times; i++)
        work();
}

static void *work_and_wait(void *unused) {
    work_often(500);
    waits = 1;
    for (;;)
        pause();
    return unused;
}

/* Each thread notes in a file how often it has worked: right to the end, which is another program's
 * beginning. */
enum { BUSY = 4 };
static long *notes;

static void *work_and_note(void *note) {
    for (;;) {
        work();
        ++*(volatile long *)note;
    }
    return note;
}

static void map_notes(void) {
    int file = open("worked", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || ftruncate(file, 8 * BUSY) < 0)
        exit(5);
    notes = mmap(NULL, 8 * BUSY, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}

static void begin_busy(void) {
    pthread_t thread;
    map_notes();
    for (int i = 0; i < BUSY; i++)
        pthread_create(&thread, NULL, work_and_note, &notes[i]);
    for (int i = 0; i < BUSY; i++)
        while (((volatile long *)notes)[i] < 1000)
            usleep(1000);
}

/* A handler works right to the end, too. Its signal does nothing to the program that comes then. */
static void interrupted(int signal) {
    (void)signal;
    work();
    ++*(volatile long *)notes;
}

static void begin_interrupted(void) {
    struct sigaction action = {.sa_handler = interrupted};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGWINCH};
    struct itimerspec often = {{0, 1000000}, {0, 1000000}};
    timer_t timer;
    map_notes();
    sigaction(SIGWINCH, &action, NULL);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &often, NULL) != 0)
        exit(6);
    while (*(volatile long *)notes < 5)
        pause();
}

/* Signals of timers that come in a tenth of a second: while results are written, if that takes long enough.
 */
static volatile int arrived, arrived_code;

static void arrive(int signal, siginfo_t *info, void *context) {
    (void)context;
    arrived = signal;
    arrived_code = info->si_code;
}

static void begin_timer(int is_alarm) {
    struct sigaction action = {.sa_sigaction = arrive, .sa_flags = SA_SIGINFO};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct itimerspec once = {{0, 0}, {0, 100000000}};
    struct itimerval alarm = {{0, 0}, {0, 100000}};
    timer_t timer;
    sigaction(is_alarm ? SIGALRM : SIGUSR1, &action, NULL);
    if (is_alarm)
        setitimer(ITIMER_REAL, &alarm, NULL);
    else if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &once, NULL) != 0)
        exit(7);
}

static void await_timer(void) {
    for (int i = 0; i < 5000 && !arrived; i++)
        usleep(1000);
    printf("signal %d, code %d\n", arrived, arrived_code);
    fflush(stdout);
}

static void begin_ticks(void) {
    struct sigaction action = {.sa_handler = interrupted};
    struct itimerval often = {{0, 2000}, {0, 2000}};
    map_notes();
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    while (*(volatile long *)notes < 5)
        pause();
}

/* Calls that fail when results have been written, three times; or none. */
static void fail_often(int fails, int times) {
    for (int i = 0; i < 3; i++) {
        if (fails)
            become("./broken", "");
        work_often(times);
    }
}

/* All threads go on after a call that has failed. */
static void go_on(void) {
    for (int i = 0; i < BUSY; i++)
        for (long before = ((volatile long *)notes)[i]; ((volatile long *)notes)[i] < before + 1000;)
            usleep(1000);
}

static void fork_and_fail(void) {
    int status;
    pid_t child = fork();
    if (child == 0) {
        work_often(200);
        fail_often(1, 100);
        exit(0);
    }
    waitpid(child, &status, 0);
    fail_often(1, 500);
}

/* A child whose standard output is a pipe: what the parent reads is what the new program writes. */
static void fork_and_execute(void) {
    int ends[2], status;
    char text[100] = "";
    if (pipe(ends) != 0)
        exit(3);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        work_often(200);
        become("/bin/sh", "echo read");
        _exit(4);
    }
    close(ends[1]);
    for (long size, at = 0; (size = read(ends[0], text + at, sizeof text - 1 - at)) > 0;)
        at += size;
    waitpid(child, &status, 0);
    printf("%s%d\n", text, status);
}

static void execute(const char *way) {
    if (strcmp(way, "fails") == 0) {
        become("/nowhere", "");
        become("/etc/passwd", "");
        become("/", "");
        become("./no_format", "");
        work_often(1000);
    } else if (strcmp(way, "broken") == 0) {
        become("./broken", "");
        work_often(1000);
    } else if (strcmp(way, "fork") == 0) {
        fork_and_execute();
    } else {
        become("/bin/sh", "echo executed; exit 3");
    }
}

int main(int count, char **arguments) {
    const char *way = count > 1 ? arguments[1] : "";
    struct sigaction action = {.sa_handler = ended};
    pthread_t thread;
    sigaction(SIGCHLD, &action, NULL);
    work_often(1000);
    if (strcmp(way, "threads") == 0) {
        pthread_create(&thread, NULL, work_and_wait, NULL);
        while (!waits)
            usleep(1000);
    }
    if (strncmp(way, "busy", 4) == 0)
        begin_busy();
    if (strcmp(way, "interrupted") == 0)
        begin_interrupted();
    if (strcmp(way, "ticks") == 0)
        begin_ticks();
    if (strncmp(way, "timer", 5) == 0 || strncmp(way, "alarm", 5) == 0)
        begin_timer(way[0] == 'a');
    if (strcmp(way, "timerfails") == 0 || strcmp(way, "alarmfails") == 0) {
        become("./broken", "");
        await_timer();
        become("/bin/sh", "echo executed");
    }
    if (strcmp(way, "timer") == 0 || strcmp(way, "alarm") == 0)
        become("/bin/sh", "sleep 0.5; echo survived");
    if (strcmp(way, "ticks") == 0)
        become("/bin/sh", "sleep 1; echo survived");
    if (strcmp(way, "brokenoften") == 0 || strcmp(way, "workoften") == 0) {
        fail_often(way[0] == 'b', 500);
        return 0;
    }
    if (strcmp(way, "forkbroken") == 0) {
        fork_and_fail();
        return 0;
    }
    if (strcmp(way, "busyoften") == 0) {
        fail_often(1, 500);
        return 0;
    }
    if (strcmp(way, "busyfails") == 0) {
        become("./broken", "");
        go_on();
        become("./broken", "");
        go_on();
        become("/bin/sh", "echo executed");
    }
    execute(way);
    printf("%d children\n", children);
    return 0;
}
