/* descriptors.c: programs that close, move and look at descriptors which are not theirs, as daemons do. Each prints what it has found
   in the file `found`. Use: descriptors daemon|range|onto|probe|spawn|again */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
enum { MOST = 1024 };
static volatile long worked;

static void work(void) {
    for (int i = 0; i < 2000; i++)
        worked += i % 7;
}

static void say(int file, const char *text) {
    if (write(file, text, strlen(text)) != (long)strlen(text))
        _exit(3);
}

/* The first descriptors are the database's now. */
static void keep_database(void) {
    for (int i = 0; i < 3; i++)
        if (open(i == 2 ? "found" : "/dev/null", O_RDWR | O_CREAT, 0666) != i)
            _exit(4);
    for (int i = 0; i < 20; i++) {
        work();
        say(2, "a record\n");
    }
}

static void close_each(void) {
    for (int file = 0; file < MOST; file++)
        close(file);
    keep_database();
}

static void close_all_at_once(void) {
    if (syscall(SYS_close_range, 0, ~0U, 0) != 0)
        close_each();
    keep_database();
}

/* Descriptors from 500 to 600 are the program's. */
static void move_onto(void) {
    int file = open("found", O_RDWR | O_CREAT | O_APPEND, 0666);
    for (int number = 500; number < 600; number++)
        if ((number & 1 ? dup2(file, number) : dup3(file, number, O_CLOEXEC)) != number)
            _exit(5);
    for (int number = 500; number < 600; number++) {
        work();
        say(number, "a line\n");
    }
    for (int number = 500; number < 600; number++)
        if (close(number) != 0)
            _exit(6);
    work();
}

/* Which descriptors are there? */
static void probe(void) {
    FILE *found = fopen("found", "w");
    for (int file = 0; file < MOST; file++) {
        if (fcntl(file, F_GETFD) >= 0)
            fprintf(found, "%d is open\n", file);
        if (file > 10 && close(file) == 0)
            fprintf(found, "%d was open\n", file);
        if (file > 10 && dup2(file, 20) >= 0)
            fprintf(found, "%d was moved\n", file);
    }
    work();
    fclose(found);
}

/* A child that shares memory closes its own. */
static void spawn(void) {
    char *arguments[] = {"sh", "-c", "echo in the child; exit 0", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "found", O_WRONLY | O_CREAT, 0666);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    for (int file = 3; file < 600; file++)
        posix_spawn_file_actions_addclose(&actions, file);
    pid_t child;
    int status = 0;
    if (posix_spawn(&child, "/bin/sh", &actions, NULL, arguments, environ) == 0)
        waitpid(child, &status, 0);
    work();
    fprintf(stderr, "status %d\n", status);
}

/* Closed and opened again, the standard way. */
static void open_again(void) {
    int file = open("found", O_WRONLY | O_CREAT | O_APPEND, 0666);
    close(1);
    if (dup(file) != 1)
        _exit(7);
    close(2);
    if (fcntl(file, F_DUPFD, 2) != 2)
        _exit(8);
    say(1, "standard output\n");
    say(2, "standard error\n");
    work();
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {{"daemon", close_each}, {"range", close_all_at_once}, {"onto", move_onto},
                {"probe", probe},       {"spawn", spawn},             {"again", open_again}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (count > 1 && strcmp(ways[i].name, arguments[1]) == 0) {
            ways[i].run();
            return 0;
        }
    return 2;
}
