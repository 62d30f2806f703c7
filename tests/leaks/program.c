/* Allocates and frees along known paths of calls, in threads too, and prints what is left of each path: PATH, bytes,
   blocks. The procedures are not inlined, and do not end with a branch. */
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, SLOTS = 64, PATHS = 40 };
#define KEPT __attribute__((noinline, noclone))
#define STAY __asm__ volatile("" : : : "memory")

static struct path {
    const char *name;
    long bytes, blocks;
} paths[PATHS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct path *path_of(const char *name) {
    int i = 0;
    while (paths[i].name && strcmp(paths[i].name, name) != 0)
        i++;
    paths[i].name = name;
    return &paths[i];
}

/* Without a path: a block of the parent. */
static void note(const char *name, long bytes, long blocks) {
    if (!name)
        return;
    pthread_mutex_lock(&lock);
    struct path *path = path_of(name);
    path->bytes += bytes;
    path->blocks += blocks;
    pthread_mutex_unlock(&lock);
}

struct slot {
    void *block;
    const char *path;
    long bytes;
};

static void put(struct slot *slot, void *block, const char *path, long bytes) {
    *slot = (struct slot){block, path, bytes};
    note(path, bytes, 1);
}

KEPT static void plain(struct slot *slot, long bytes, const char *path) {
    put(slot, malloc(bytes), path, bytes);
    STAY;
}
KEPT static void cleared(struct slot *slot, long bytes) {
    put(slot, calloc(bytes, 3), "cleared;calloc", 3 * bytes);
    STAY;
}
KEPT static void aligned(struct slot *slot, long bytes) {
    put(slot, memalign(256, bytes), "aligned;_mid_memalign", bytes);
    STAY;
}
KEPT static void moved(struct slot *slot, long bytes) { /* without a block realloc continues in malloc */
    const char *path = slot->block ? "moved;realloc" : "moved;malloc";
    if (slot->block)
        note(slot->path, -slot->bytes, -1);
    put(slot, realloc(slot->block, bytes), path, bytes);
    STAY;
}
KEPT static void refused(struct slot *slot) { /* the block is kept */
    if (realloc(slot->block, (size_t)1 << 62))
        abort();
    STAY;
}
KEPT static void emptied(struct slot *slot) { /* realloc frees */
    note(slot->path, -slot->bytes, -1);
    if (realloc(slot->block, 0))
        abort();
    slot->block = NULL;
    STAY;
}
KEPT static void released(struct slot *slot) {
    note(slot->path, -slot->bytes, -1);
    free(slot->block);
    slot->block = NULL;
    STAY;
}
KEPT static void once(struct slot *slot, long bytes) {
    plain(slot, bytes, "once;plain;malloc");
    STAY;
}
KEPT static void twice(struct slot *slot, long bytes) {
    plain(slot, bytes, "twice;plain;malloc");
    STAY;
}
KEPT static void nothing(struct slot *slot) {
    plain(slot, 0, "nothing;plain;malloc");
    STAY;
}

static unsigned next_random(unsigned *seed) {
    return (*seed = *seed * 1103515245 + 12345) >> 8 & 0xffff;
}

/* Other threads free blocks of this one: each slot has its lock's turn. */
static struct slot slots[SLOTS];
static pthread_mutex_t locks[SLOTS];

static void step(unsigned *seed) {
    unsigned at = next_random(seed) % SLOTS, choice = next_random(seed) % 12;
    long bytes = 1 + next_random(seed) % 500;
    struct slot *slot = &slots[at];
    pthread_mutex_lock(&locks[at]);
    if (slot->block) {
        if (choice == 0)
            refused(slot);
        else if (choice < 4)
            moved(slot, bytes);
        else if (choice == 4)
            emptied(slot);
        else
            released(slot);
    } else if (choice < 2) {
        cleared(slot, bytes);
    } else if (choice == 2) {
        aligned(slot, bytes);
    } else if (choice == 3) {
        moved(slot, bytes);
    } else if (choice == 4) {
        nothing(slot);
    } else if (choice < 8) {
        once(slot, bytes);
    } else {
        twice(slot, bytes);
    }
    pthread_mutex_unlock(&locks[at]);
}

static void *work(void *seed) {
    unsigned random = (unsigned)(long)seed;
    for (int i = 0; i < 3000; i++)
        step(&random);
    return NULL;
}

static void report(FILE *file) {
    for (int i = 0; i < PATHS && paths[i].name; i++)
        if (paths[i].blocks)
            fprintf(file, "%ld\t%ld\t%s\n", paths[i].bytes, paths[i].blocks, paths[i].name);
    fflush(file);
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < SLOTS; i++)
        pthread_mutex_init(&locks[i], NULL);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    report(stdout);
    pid_t child = fork(); /* the child reports only its own blocks */
    if (child == 0) {
        unsigned random = 77;
        memset(paths, 0, sizeof paths);
        for (int i = 0; i < SLOTS; i++)
            slots[i].path = NULL;
        for (int i = 0; i < 500; i++)
            step(&random);
        report(stderr);
        return 0;
    }
    waitpid(child, NULL, 0);
    return 0;
}
