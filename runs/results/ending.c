/* ending.c: see ending.h. */
#define _GNU_SOURCE
#include "runs/results/ending.h"

#include <signal.h>
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
