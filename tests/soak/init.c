/* init.c: process 1 of the soak guest. For each line of /jobs, NAME, the file for its standard input or "-", and
   arguments, all separated by tabs, runs /NAME/plain/program and /NAME/tool/program in their folders and says
   whether both print the same and end the same; at the end it turns the machine off. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/reboot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64 };

struct result {
    int status;
    char *text; /* of both its outputs */
    long length;
    double seconds;
};

static void redirect(const char *path, int flags, int to) {
    int file = open(path, flags, 0644);
    if (file < 0)
        _exit(126);
    dup2(file, to);
    close(file);
}

static struct result run(const char *name, const char *which, char **words) {
    char folder[200];
    struct result result = {0};
    struct timespec begin, end;
    snprintf(folder, sizeof folder, "/%s/%s", name, which);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    pid_t child = fork();
    if (child == 0) {
        char *none[] = {NULL}, *arguments[MOST + 1] = {words[0]};
        for (int i = 2; words[i] && i < MOST; i++)
            arguments[i - 1] = words[i];
        if (chdir(folder) != 0)
            _exit(126);
        redirect(strcmp(words[1], "-") ? words[1] : "/dev/null", O_RDONLY, 0);
        redirect("/output", O_RDWR | O_CREAT | O_TRUNC, 1);
        dup2(1, 2);
        execve("./program", arguments, none);
        perror("execve");
        _exit(127);
    }
    while (waitpid(child, &result.status, 0) < 0)
        ;
    clock_gettime(CLOCK_MONOTONIC, &end);
    result.seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    int file = open("/output", O_RDONLY);
    struct stat facts;
    fstat(file, &facts);
    result.text = malloc((size_t)facts.st_size + 1);
    result.length = read(file, result.text, (size_t)facts.st_size);
    result.text[result.length] = '\0';
    close(file);
    return result;
}

/* Has the tool written its results? */
static long results_of(const char *name) {
    char path[200];
    struct stat facts;
    snprintf(path, sizeof path, "/%s/tool/%s.out", name, strstr(name, "-cache-") ? "cache" : "prof");
    return stat(path, &facts) == 0 ? (long)facts.st_size : 0;
}

static void judge(char *line) {
    char *words[MOST + 1] = {NULL};
    int count = 0;
    for (char *word = strtok(line, "\t\n"); word && count < MOST; word = strtok(NULL, "\t\n"))
        words[count++] = word;
    if (count < 2)
        return;
    struct result plain = run(words[0], "plain", words), tool = run(words[0], "tool", words);
    long results = results_of(words[0]);
    if (plain.status == tool.status && plain.length == tool.length && results > 0 &&
        memcmp(plain.text, tool.text, (size_t)plain.length) == 0)
        printf("ok soak/%s (status 0x%x, %ld bytes of output, %.1f s and %.1f s, %ld bytes of results)\n",
               words[0], plain.status, plain.length, plain.seconds, tool.seconds, results);
    else
        printf("not ok soak/%s: status 0x%x plain, 0x%x instrumented; %ld bytes of results\n"
               "    %.300s\n    %.1000s\n",
               words[0], plain.status, tool.status, results, plain.text, tool.text);
    free(plain.text);
    free(tool.text);
}

int main(void) {
    static char line[4096];
    mount("proc", "/proc", "proc", 0, NULL);
    mount("dev", "/dev", "devtmpfs", 0, NULL);
    setvbuf(stdout, NULL, _IOLBF, 0);
    FILE *jobs = fopen("/jobs", "r");
    while (jobs && fgets(line, sizeof line, jobs))
        judge(line);
    puts("soak: done");
    fflush(stdout);
    sleep(1);
    reboot(LINUX_REBOOT_CMD_POWER_OFF);
    for (;;)
        pause();
}
