/* inputs.c: the files that a command is given, in a store. */
#include <errno.h>
#include <fts.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runs/results/ending.h"
#include "runs/results/results.h"

/* TOOL.NUMBER.rows, or of a child TOOL.NUMBER.rows.1.2 */
static bool is_rows_file_name(const char *name) {
    const char *end = strstr(name, ".rows");
    return end && end[strlen(".rows") + strspn(end + strlen(".rows"), ".0123456789")] == '\0';
}

static int compare_input_names(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* All files below the folder. */
static bool look_into(struct arena *arena, const char *folder, const char ***files, uint32_t *count) {
    char *const folders[] = {(char *)(uintptr_t)folder, NULL};
    uint32_t capacity = 0;
    FTS *walk = fts_open(folders, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    FTSENT *entry;
    while (walk && (entry = fts_read(walk)))
        if (entry->fts_info == FTS_F && is_rows_file_name(entry->fts_name)) {
            ARENA_RESERVE(arena, *files, *count, capacity);
            (*files)[(*count)++] = arena_format(arena, "%s", entry->fts_path);
        }
    bool good = walk && errno == 0;
    if (walk)
        fts_close(walk);
    if (*count)
        qsort(*files, *count, sizeof **files, compare_input_names);
    return good;
}

bool find_rows_files(struct arena *arena, struct diagnostics *diagnostics, const char *input,
                     const char ***files, uint32_t *count) {
    struct stat status;
    *files = NULL;
    *count = 0;
    bool there = stat(input, &status) == 0;
    if (there && !S_ISDIR(status.st_mode)) {
        *files = arena_allocate(arena, sizeof **files);
        (*files)[(*count)++] = input;
        return true;
    }
    if (!there || !look_into(arena, input, files, count)) {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_READ, input, strerror(errno));
        return false;
    }
    return true;
}

bool has_rows(struct diagnostics *diagnostics, const char *input, uint32_t count) {
    if (count == 0) {
        diagnose(diagnostics, NULL, MESSAGE_NO_ROWS, input);
        diagnose_hint(diagnostics, "ATOMC_FORMAT=rows ATOMC_OUT=%s makes a program write them", input);
    }
    return count > 0;
}

bool add_inputs(const struct request *request, struct store *store, const char *const *inputs, uint32_t count,
                struct selections *selections) {
    for (uint32_t i = 0; i < count; i++) {
        const char **files;
        uint32_t file_count, shape;
        bool is_new;
        int64_t report, run = store_run(store, inputs[i], inputs[i], &is_new);
        if (!run || !find_rows_files(request->arena, request->diagnostics, inputs[i], &files, &file_count) ||
            !has_rows(request->diagnostics, inputs[i], file_count))
            return false;
        for (uint32_t k = 0; k < file_count; k++) {
            if (!store_add(store, files[k], run, &report, &shape))
                return false;
            selections_add(store, selections, report, shape);
        }
        const char *missing = ending_children(request->arena, files, file_count);
        if (missing)
            diagnose(request->diagnostics, NULL, MESSAGE_RUN_ENDED, inputs[i], missing);
        const int64_t signal = ending_signal(inputs[i]);
        if (signal == SIGKILL)
            diagnose(request->diagnostics, NULL, MESSAGE_RUN_ENDED, inputs[i],
                     ending_words(request->arena, signal));
    }
    return true;
}

bool may_be_merged(const struct request *request, struct store *store, const struct selection *selection) {
    if (!request->force && !has_one_parameters(store, selection)) {
        diagnose(request->diagnostics, NULL, MESSAGE_MERGE_PARAMETERS, selection->shape->tool);
        diagnose_hint(request->diagnostics, "--force puts them together all the same");
        return false;
    }
    if (request->force || request->by || is_one_program(store, selection))
        return true;
    diagnose(request->diagnostics, NULL, MESSAGE_MERGE_PROGRAMS, selection->shape->tool);
    const char *title = selection_title(store, selection->shape);
    char *word = title ? shell_word(title) : NULL;
    if (word)
        diagnose_hint(
            request->diagnostics,
            "--by=%s puts them together by what they have in common; --force by the columns as they are",
            word);
    else
        diagnose_hint(request->diagnostics, "--force puts them together by the columns as they are");
    free(word);
    return false;
}
