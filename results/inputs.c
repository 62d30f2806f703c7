/* inputs.c: the files that a command is given, in a store. */
#define _GNU_SOURCE
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "results/results.h"

/* nftw() has no argument for its function. */
static const char **found;
static size_t found_count, found_capacity;

/* TOOL.NUMBER.rows, or of a child TOOL.NUMBER.rows.1.2 */
static bool names_rows(const char *name) {
    const char *end = strstr(name, ".rows");
    return end && end[strlen(".rows") + strspn(end + strlen(".rows"), ".0123456789")] == '\0';
}

static int look_at(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)status;
    if (kind == FTW_F && names_rows(path + where->base)) {
        VECTOR_RESERVE(found, found_count, found_capacity);
        found[found_count++] = duplicate_string(path);
    }
    return 0;
}

static int by_name(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

bool find_rows_files(const struct request *request, const char *input, const char ***files, uint32_t *count) {
    struct stat status;
    if (stat(input, &status) != 0) {
        diagnose(request->diagnostics, NULL, MESSAGE_CANNOT_READ, input, strerror(errno));
        return false;
    }
    if (!S_ISDIR(status.st_mode)) {
        *files = arena_allocate(request->arena, sizeof **files);
        (*files)[0] = input;
        *count = 1;
        return true;
    }
    found_count = 0;
    nftw(input, look_at, 16, FTW_PHYS);
    if (found_count)
        qsort(found, found_count, sizeof *found, by_name);
    *count = (uint32_t)found_count;
    *files = arena_allocate(request->arena, (found_count + 1) * sizeof **files);
    for (size_t i = 0; i < found_count; i++) {
        (*files)[i] = arena_format(request->arena, "%s", found[i]);
        free((char *)(uintptr_t)found[i]);
    }
    free(found);
    found = NULL;
    found_capacity = 0;
    if (*count == 0) {
        diagnose(request->diagnostics, NULL, MESSAGE_NO_ROWS, input);
        diagnose_hint(request->diagnostics, "ATOMC_FORMAT=rows ATOMC_OUT=%s makes a program write them",
                      input);
    }
    return *count > 0;
}

static void add_report(struct store *store, struct selections *selections, int64_t report, uint32_t shape) {
    struct selection *at = selections->list;
    while (at < selections->list + selections->count && !same_columns(at->shape, &store->shapes[shape]))
        at++;
    if (at == selections->list + selections->count) {
        ARENA_RESERVE(store->arena, selections->list, selections->count, selections->capacity);
        at = &selections->list[selections->count++];
        struct shape *copy = arena_allocate(store->arena, sizeof *copy); /* the store's list may move */
        *copy = store->shapes[shape];
        *at = (struct selection){.shape = copy};
    }
    int64_t *reports = arena_allocate(store->arena, (at->report_count + 1) * sizeof *reports);
    uint32_t *shapes = arena_allocate(store->arena, (at->report_count + 1) * sizeof *shapes);
    if (at->report_count) {
        memcpy(reports, at->reports, at->report_count * sizeof *reports);
        memcpy(shapes, at->shapes, at->report_count * sizeof *shapes);
    }
    reports[at->report_count] = report;
    shapes[at->report_count] = (uint32_t)store->shapes[shape].id;
    at->reports = reports;
    at->shapes = shapes;
    at->report_count++;
}

bool add_inputs(const struct request *request, struct store *store, const char *const *inputs, uint32_t count,
                struct selections *selections) {
    for (uint32_t i = 0; i < count; i++) {
        const char **files;
        uint32_t file_count, shape;
        bool is_new;
        int64_t report, run = store_run(store, inputs[i], inputs[i], &is_new);
        if (!run || !find_rows_files(request, inputs[i], &files, &file_count))
            return false;
        for (uint32_t k = 0; k < file_count; k++) {
            if (!store_add(store, files[k], run, &report, &shape))
                return false;
            add_report(store, selections, report, shape);
        }
    }
    return true;
}

bool is_one_program(struct store *store, const struct selection *selection) {
    sqlite3_stmt *ask =
        store_prepare(store, "SELECT program || ' ' || program_digest FROM report WHERE id = ?1");
    char *first = NULL;
    bool one = ask != NULL;
    for (uint32_t i = 0; i < selection->report_count && one; i++) {
        sqlite3_bind_int64(ask, 1, selection->reports[i]);
        if (sqlite3_step(ask) == SQLITE_ROW) {
            const char *program = (const char *)sqlite3_column_text(ask, 0);
            if (!first)
                first = duplicate_string(program);
            one = strcmp(first, program) == 0;
        }
        sqlite3_reset(ask);
    }
    free(first);
    sqlite3_finalize(ask);
    return one;
}

const char *program_of(struct store *store, const struct selection *selection, const char *what) {
    char *sql = format_string("SELECT %s FROM report WHERE id = ?1", what);
    sqlite3_stmt *ask = store_prepare(store, sql);
    const char *said = "";
    free(sql);
    if (!ask)
        return said;
    sqlite3_bind_int64(ask, 1, selection->reports[0]);
    if (sqlite3_step(ask) == SQLITE_ROW)
        said = arena_format(store->arena, "%s", (const char *)sqlite3_column_text(ask, 0));
    sqlite3_finalize(ask);
    return said;
}
