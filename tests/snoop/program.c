/* program.c: opens files, makes threads, starts programs, and says so itself: the lines that tools must write. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int opens, execs, threads; /* descriptors of what it says */

static void say(int to, const char *format, const char *name, const char *word, long value) {
    char line[300];
    write(to, line, (size_t)snprintf(line, sizeof line, format, name, word, value));
}
static void try(const char *name, const char *path, int flags) {
    int result = open(path, flags, 0600);
    if (result >= 0)
        say(opens, "%s: %s = %ld\n", name, path, result);
    else
        say(opens, "%s: %s: error %ld\n", name, path, errno);
    if (result >= 0)
        close(result);
}
static void *reader(void *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
    try(name, "given", O_RDONLY);
    try(name, "none/of these", O_RDONLY);
    return NULL;
}
static void *writer(void *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
    for (int i = 0; i < 3; i++)
        try(name, "made", O_CREAT | O_RDWR);
    return NULL;
}
static void start(void *(*routine)(void *), const char *name, char *argument) {
    pthread_t thread;
    say(threads, "%s: %s\n", "program", name, 0);
    pthread_create(&thread, NULL, routine, argument);
    pthread_join(thread, NULL);
}
static void begin(char **words) {
    say(execs, "%s: %s ", "program", words[0], 0);
    say(execs, "%s%s\n", words[1], "", 0);
    pid_t child = fork();
    if (child == 0) {
        execve(words[0], words, (char *[]){NULL});
        _exit(1);
    }
    waitpid(child, NULL, 0);
}
int main(void) {
    opens = open("said.opens", O_CREAT | O_RDWR | O_TRUNC, 0600);
    execs = open("said.execs", O_CREAT | O_RDWR | O_TRUNC, 0600);
    threads = open("said.threads", O_CREAT | O_RDWR | O_TRUNC, 0600);
    say(opens, "%s: %s = %ld\n", "program", "said.opens", opens);
    say(opens, "%s: %s = %ld\n", "program", "said.execs", execs);
    say(opens, "%s: %s = %ld\n", "program", "said.threads", threads);
    start(reader, "reader", "one");
    start(writer, "writer", "two");
    start(reader, "reader", "three");
    begin((char *[]){"/bin/true", "first", "second", NULL});
    begin((char *[]){"./none", "", NULL});
    return 0;
}
