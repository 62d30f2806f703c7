/* ending.c: see ending.h. */
#define _GNU_SOURCE
#include "runs/results/ending.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/json.h"

static const char *signal_name(struct arena *arena, int64_t signal) {
    if (signal <= 0 || signal >= NSIG)
        return NULL;
    const char *known = sigabbrev_np((int)signal);
    return known ? arena_format(arena, "SIG%s", known) : arena_format(arena, "Signal %d", (int)signal);
}

const char *ending_cause(struct arena *arena, int64_t signal, const char *reason) {
    return reason && signal != SIGKILL ? reason : signal_name(arena, signal);
}

const char *ending_words(struct arena *arena, int64_t signal) {
    const char *name = signal_name(arena, signal);
    if (!name)
        return NULL;
    return arena_format(arena,
                        signal == SIGKILL
                            ? "%s ended the program: rows that it had not written before are missing"
                            : "%s ended the program: its counts are those up to then",
                        name);
}

int64_t ending_signal(const char *folder) {
    char *path = format_string("%s/run.json", folder);
    json_t *record = json_load_file(path, 0, NULL);
    int64_t signal = json_integer_value(json_object_get(record, "signal"));
    json_decref(record);
    free(path);
    return signal;
}

/* ---- children --------------------------------------------------------------------------------------------- */

struct child {
    int64_t process, parent;
};
/* What the first lines of files say. */
struct family {
    struct child *list;
    size_t count, capacity;
    int64_t *writers; /* processes that left rows */
    size_t writer_count, writer_capacity;
};

static void read_family(struct family *family, const char *path) {
    char *line = NULL;
    size_t size;
    FILE *file = fopen(path, "re");
    json_t *header = file && getline(&line, &size, file) > 0 ? json_loads(line, 0, NULL) : NULL, *child;
    const int64_t process = json_integer_value(json_object_get(header, "process"));
    size_t i;
    VECTOR_RESERVE(family->writers, family->writer_count, family->writer_capacity);
    family->writers[family->writer_count++] = process;
    json_array_foreach(json_object_get(header, "children"), i, child) {
        VECTOR_RESERVE(family->list, family->count, family->capacity);
        family->list[family->count++] = (struct child){json_integer_value(child), process};
    }
    json_decref(header);
    free(line);
    if (file)
        fclose(file);
}

static int compare_processes(const void *left, const void *right) {
    const int64_t *a = left, *b = right; /* of a child, too: its process is first */
    return (*a > *b) - (*a < *b);
}

const char *ending_children(struct arena *arena, const char *const *files, uint32_t count) {
    struct family family = {NULL, 0, 0, NULL, 0, 0};
    size_t missing = 0;
    for (uint32_t i = 0; i < count; i++)
        read_family(&family, files[i]);
    if (family.count > 0) {
        qsort(family.list, family.count, sizeof *family.list, compare_processes);
        qsort(family.writers, family.writer_count, sizeof *family.writers, compare_processes);
    }
    for (size_t i = 0; i < family.count; i++) {
        const struct child *child = &family.list[i];
        const bool again = i > 0 && family.list[i - 1].process == child->process; /* of another report */
        if (!again && !bsearch(&child->process, family.writers, family.writer_count, sizeof *family.writers,
                               compare_processes))
            family.list[missing++] = *child;
    }
    const char *words = NULL;
    if (missing == 1)
        words =
            arena_format(arena, "process %lld, a child of process %lld, left no rows: its counts are missing",
                         (long long)family.list[0].process, (long long)family.list[0].parent);
    else if (missing > 1)
        words =
            arena_format(arena,
                         "%zu child processes left no rows, such as process %lld, a child of process %lld: "
                         "their counts are missing",
                         missing, (long long)family.list[0].process, (long long)family.list[0].parent);
    free(family.list);
    free(family.writers);
    return words;
}
