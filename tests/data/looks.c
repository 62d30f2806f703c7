/* looks.c: what a program sees of how it was started: looks WAY WORD...
   see        arguments, environment, its own file, descriptors; then standard input
   exit N     the exit status N
   raise N    a signal that it sends itself
   wait       "ready", and then until SIGTERM comes: status 3, how often SIGTERM and SIGINT came
   fork       a child, which works twice as much
   become     executes the program that the next words name */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static volatile sig_atomic_t terminated, interrupted;
static volatile long done;
static char *volatile nowhere = (char *)8;

static void on_signal(int number) {
    if (number == SIGTERM)
        terminated++;
    else
        interrupted++;
}

__attribute__((noinline)) static void work(void) {
    done++;
}

static void print_link(const char *how, ssize_t length, const char *text) {
    printf("%s %.*s\n", how, length < 0 ? 5 : (int)length, length < 0 ? "error" : text);
}

static void see_own_file(void) {
    char text[4096], path[64];
    unsigned sum = 0;
    print_link("readlink", readlink("/proc/self/exe", text, sizeof text), text);
    print_link("short readlink", readlink("/proc/self/exe", text, 3), text);
    print_link("readlinkat", readlinkat(AT_FDCWD, "/proc/self/exe", text, sizeof text), text);
    snprintf(path, sizeof path, "/proc/%d/exe", (int)getpid());
    print_link("by number", readlink(path, text, sizeof text), text);
    print_link("nowhere", readlink("/proc/self/exe", nowhere, sizeof text), text);
    print_link("no name", readlink(nowhere, text, sizeof text), text);
    print_link("other", readlink("/proc/self/cwd", text, sizeof text), text);
    FILE *file = fopen("/proc/self/exe", "rb");
    for (int byte; file && (byte = getc(file)) != EOF;)
        sum = sum * 31 + (unsigned)byte;
    if (file)
        fclose(file);
    printf("sum %08x, executed as %s\n", sum, (const char *)getauxval(AT_EXECFN));
}

static void see(char **words) {
    for (char **word = words; *word; word++)
        printf("argument '%s'\n", *word);
    for (char **word = environ; *word; word++)
        printf("environment '%s'\n", *word);
    see_own_file();
    for (int i = 0; i < 1024; i++)
        if (fcntl(i, F_GETFD) >= 0)
            printf("descriptor %d\n", i);
    for (int byte; (byte = getchar()) != EOF;)
        putchar(byte);
    fprintf(stderr, "on standard error\n");
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "";
    int number = count > 2 ? atoi(words[2]) : 0;
    for (int i = 0; i < 100; i++)
        work();
    if (strcmp(way, "see") == 0)
        see(words);
    else if (strcmp(way, "raise") == 0)
        raise(number);
    else if (strcmp(way, "fork") == 0) {
        pid_t child = fork();
        for (int i = 0; child == 0 && i < 200; i++)
            work();
        waitpid(child, NULL, 0);
    } else if (strcmp(way, "become") == 0) {
        execv(words[2], words + 2);
        perror(words[2]);
    } else if (strcmp(way, "wait") == 0) {
        signal(SIGTERM, on_signal);
        signal(SIGINT, on_signal);
        puts("ready");
        fflush(stdout);
        while (!terminated)
            pause();
        printf("TERM %d INT %d\n", (int)terminated, (int)interrupted);
        return 3;
    }
    return strcmp(way, "exit") == 0 ? number : 0;
}
