/* limits.c: the processes of a run: measures their use of resources, and ends them. All processes of a job
   are descendants of this process, which adopts orphans. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runs/job/job.h"

const char *const job_reason_words[] = {"",       "instrument", "sandbox",   "time",     "memory",
                                        "output", "disk",       "processes", "cancelled"};

struct process {
    pid_t number;
    unsigned depth; /* 1: a child */
};
struct processes {
    struct process *list;
    size_t count, capacity;
};

static void add_children_of_thread(struct processes *found, const char *path, unsigned depth) {
    size_t length;
    char *text = read_file(path, &length), *rest = NULL;
    for (char *word = text ? strtok_r(text, " \n", &rest) : NULL; word; word = strtok_r(NULL, " \n", &rest)) {
        VECTOR_RESERVE(found->list, found->count, found->capacity);
        found->list[found->count++] = (struct process){(pid_t)atol(word), depth};
    }
    free(text);
}

static void add_children(struct processes *found, const char *process, unsigned depth) {
    char *tasks = format_string("/proc/%s/task", process);
    DIR *folder = opendir(tasks);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        char *path = format_string("%s/%s/children", tasks, entry->d_name);
        add_children_of_thread(found, path, depth);
        free(path);
    }
    if (folder)
        closedir(folder);
    free(tasks);
}

/* All descendants of this process, parents first. */
static struct processes find_descendants(void) {
    struct processes found = {NULL, 0, 0};
    add_children(&found, "self", 1);
    for (size_t i = 0; i < found.count; i++) {
        char number[24];
        snprintf(number, sizeof number, "%ld", (long)found.list[i].number);
        add_children(&found, number, found.list[i].depth + 1);
    }
    return found;
}

/* ---- what they use --------------------------------------------------------------------------------------- */

static uint64_t memory_of(pid_t process) {
    char path[64];
    unsigned long long all, resident = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)process);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%llu %llu", &all, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
}

/* The resources of the process itself, and of the children that it has waited for. */
static double cpu_of(pid_t process) {
    char path[64];
    size_t length;
    unsigned long long own[4];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    char *text = read_file(path, &length), *at = text ? strrchr(text, ')') : NULL; /* after its name */
    bool good = at && sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
                             &own[0], &own[1], &own[2], &own[3]) == 4;
    free(text);
    return good ? (double)(own[0] + own[1] + own[2] + own[3]) / (double)sysconf(_SC_CLK_TCK) : 0;
}

void usage_measure(struct usage *usage, unsigned above) {
    struct processes found = find_descendants();
    usage->memory_kb = usage->processes = 0;
    usage->cpu_seconds = 0;
    for (size_t i = 0; i < found.count; i++)
        if (found.list[i].depth > above) {
            usage->memory_kb += memory_of(found.list[i].number);
            usage->cpu_seconds += cpu_of(found.list[i].number);
            usage->processes++;
        }
    if (usage->memory_kb > usage->peak_kb)
        usage->peak_kb = usage->memory_kb;
    free(found.list);
}

static uint64_t size_found; /* nftw() has no argument for its function */

static int add_size(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)path;
    (void)where;
    if (kind != FTW_NS)
        size_found += (uint64_t)status->st_blocks * 512;
    return 0;
}

uint64_t folder_bytes(const char *path) {
    size_found = 0;
    nftw(path, add_size, 16, FTW_PHYS);
    return size_found;
}

/* ---- their end ------------------------------------------------------------------------------------------- */

void descendants_signal(int number, unsigned above) {
    struct processes found = find_descendants();
    for (size_t i = 0; i < found.count; i++)
        if (found.list[i].depth > above)
            kill(found.list[i].number, number);
    free(found.list);
}

/* Processes may start others in the meantime, so this is repeated until there are none. */
void descendants_kill(void) {
    enum { ROUNDS = 500, PAUSE = 10 /* milliseconds */ };
    for (int round = 0; round < ROUNDS; round++) {
        struct processes found = find_descendants();
        for (size_t i = 0; i < found.count; i++)
            kill(found.list[i].number, SIGKILL);
        free(found.list);
        pid_t ended;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
            ;
        if (ended < 0 && errno == ECHILD)
            return;
        poll(NULL, 0, PAUSE);
    }
}
