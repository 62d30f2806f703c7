/* collect.c: atomc collect: the results of many runs in one SQLite file. What is there already is not added
   again: a run is known by the contents of its files. */
#include <errno.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

/* Of names and contents of the files. */
static bool key_of(const struct request *request, const char *const *files, uint32_t count,
                   const char *folder, char key[SHA256_DIGEST_STRING_LENGTH]) {
    SHA2_CTX state;
    SHA256Init(&state);
    for (uint32_t i = 0; i < count; i++) {
        size_t length, skipped = strncmp(files[i], folder, strlen(folder)) == 0 ? strlen(folder) : 0;
        char *text = read_file(files[i], &length);
        if (!text) {
            diagnose(request->diagnostics, NULL, MESSAGE_CANNOT_READ, files[i], strerror(errno));
            return false;
        }
        SHA256Update(&state, (const uint8_t *)files[i] + skipped, strlen(files[i] + skipped) + 1);
        SHA256Update(&state, (const uint8_t *)text, length);
        free(text);
    }
    SHA256End(&state, key);
    return true;
}

/* A folder with its files, whole or not at all. */
static bool collect_run(const struct request *request, struct store *store, const char *input,
                        uint32_t *added) {
    const char **files;
    uint32_t count, shape;
    char key[SHA256_DIGEST_STRING_LENGTH];
    int64_t report;
    bool is_new = false;
    if (!find_rows_files(request, input, &files, &count) || !key_of(request, files, count, input, key))
        return false;
    int64_t run = store_run(store, key, input, &is_new);
    bool good = run != 0;
    for (uint32_t i = 0; i < count && good && is_new; i++)
        good = store_add(store, files[i], run, &report, &shape);
    *added += good && is_new;
    return good;
}

bool collect_results(const struct request *request) {
    struct store store;
    uint32_t added = 0;
    bool good = store_open(&store, request->output, request->diagnostics);
    for (uint32_t i = 0; i < request->input_count && good; i++) {
        good = store_execute(&store, "BEGIN IMMEDIATE") &&
               collect_run(request, &store, request->inputs[i], &added) && store_make_views(&store);
        good = store_execute(&store, good ? "COMMIT" : "ROLLBACK") && good;
    }
    if (good)
        printf("%s: %u runs, %u of them new\n", request->output, request->input_count, added);
    store_close(&store);
    return good;
}
