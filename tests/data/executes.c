/* executes.c: programs that become others. Use: executes
   exec|fails|broken|fork|threads|busy|busyfails|interrupted What is counted before execve is work(): 1,000
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

/* All threads go on after a call that has failed. */
static void go_on(void) {
    for (int i = 0; i < BUSY; i++)
        for (long before = ((volatile long *)notes)[i]; ((volatile long *)notes)[i] < before + 1000;)
            usleep(1000);
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
    if (strcmp(way, "busyfails") == 0) {
        become("./broken", "");
        go_on();
        become("./broken", "");
        go_on();
        become("/bin/sh", "echo executed");
    }
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
    printf("%d children\n", children);
    return 0;
}
