/* record.c: the record of a run as JSON: run.json, the lists of its files, and their differences from the
   files of another run. Requires that files are regular, since they are opened. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runs/job/job.h"
#include "runs/results/ending.h"

/* ---- lists of files --------------------------------------------------------------------------------------- */

struct names {
    char **list;
    size_t count, capacity;
};
static struct names found; /* nftw() has no argument for its function */

static int collect_path_of_file(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)status;
    (void)where;
    if (kind == FTW_F) {
        VECTOR_RESERVE(found.list, found.count, found.capacity);
        found.list[found.count++] = duplicate_string(path);
    }
    return 0;
}

/* Numbers in names are compared by value: process 10 follows process 9. */
static int compare_numbered_names(const void *left, const void *right) {
    return strverscmp(*(const char *const *)left, *(const char *const *)right);
}

/* Paths of the files below a folder, in order. */
static struct names list_files(const char *folder) {
    found = (struct names){NULL, 0, 0};
    nftw(folder, collect_path_of_file, 16, FTW_PHYS);
    if (found.count)
        qsort(found.list, found.count, sizeof *found.list, compare_numbered_names);
    return found;
}

static void forget_files(struct names *names) {
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
}

/* TOOL.NUMBER.rows, or of a child TOOL.NUMBER.rows.1.2 */
static bool is_rows_name(const char *path) {
    const char *end = strstr(strrchr(path, '/'), ".rows");
    return end && end[5 + strspn(end + 5, ".0123456789")] == '\0';
}

/* ---- tables ----------------------------------------------------------------------------------------------- */

/* The last line of a file of rows has the number of rows; -1: there is no such line, so the file is
   incomplete. */
static json_int_t count_file_rows(FILE *file) {
    char text[256];
    size_t got = 0;
    if (fseek(file, -(long)sizeof text + 1, SEEK_END) != 0)
        rewind(file);
    got = fread(text, 1, sizeof text - 1, file);
    text[got] = '\0';
    if (got && text[got - 1] == '\n')
        text[--got] = '\0';
    char *line = strrchr(text, '\n');
    json_t *end = json_loads(line ? line + 1 : text, 0, NULL), *rows = json_object_get(end, "rows");
    json_int_t count =
        json_is_true(json_object_get(end, "end")) && json_is_integer(rows) ? json_integer_value(rows) : -1;
    json_decref(end);
    return count;
}

/* NULL: it is not a complete file of rows. */
static json_t *about_table(const char *path) {
    char *line = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "re");
    json_t *header = file && getline(&line, &size, file) > 0 ? json_loads(line, 0, NULL) : NULL,
           *table = NULL;
    json_int_t rows = file && json_is_object(header) ? count_file_rows(file) : -1;
    static const char *const kept[] = {"process", "parent", "tool", "report"};
    if (rows >= 0) {
        table = json_object();
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
            json_object_set(table, kept[i], json_object_get(header, kept[i]));
        json_object_set_new(table, "rows", json_integer(rows));
    }
    json_decref(header);
    free(line);
    if (file)
        fclose(file);
    return table;
}

static bool record_file(json_t *record, const char *folder, const char *path, struct events *events) {
    const char *inner = path + strlen(folder) + 1;
    char digest[JOB_DIGEST + 1];
    uint64_t bytes;
    bool is_out = strncmp(inner, "out/", 4) == 0;
    if (!file_digest(path, digest, &bytes))
        return false;
    json_t *object = is_out && is_rows_name(path) ? about_table(path) : NULL;
    bool is_table = object != NULL;
    if (!is_table) {
        object = json_object();
        json_object_set_new(object, "process", json_integer(is_out ? atol(inner + 4) : 0));
        json_object_set_new(object, "name", json_text(strrchr(inner, '/') + 1));
        json_object_set_new(object, "bytes", json_integer((json_int_t)bytes));
    }
    json_object_set_new(object, "file", json_text(inner));
    json_object_set_new(object, "sha256", json_string(digest));
    json_array_append(json_object_get(record, is_table ? "tables" : "artifacts"), object);
    events_send(events, is_table ? "table" : "artifact", object, false, true);
    return true;
}

bool record_files(json_t *record, const char *folder, struct events *events) {
    static const char *const parts[] = {"out", "files"};
    bool good = true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char *part = format_string("%s/%s", folder, parts[i]);
        struct names files = list_files(part);
        for (size_t k = 0; k < files.count && good; k++)
            good = record_file(record, folder, files.list[k], events);
        forget_files(&files);
        free(part);
    }
    return good;
}

/* ---- differences ------------------------------------------------------------------------------------------ */

/* Reads rows without the parts of the first line that depend on the number of a process. */
static char *read_rows_file(const char *path, bool numbers_differ) {
    size_t length;
    char *text = read_file(path, &length), *end = text ? strchr(text, '\n') : NULL;
    json_t *header = numbers_differ && end ? json_loadb(text, (size_t)(end - text), 0, NULL) : NULL;
    if (!header)
        return text;
    json_object_del(header, "process");
    json_object_del(header, "parent");
    json_object_del(header, "children");
    char *line = json_dumps(header, JSON_COMPACT), *all = format_string("%s%s", line, end);
    json_decref(header);
    free(line);
    free(text);
    return all;
}

static bool are_same(const char *path, const char *other, bool numbers_differ) {
    char *text = read_rows_file(path, numbers_differ), *other_text = read_rows_file(other, numbers_differ);
    bool same = text && other_text && strcmp(text, other_text) == 0;
    free(text);
    free(other_text);
    return same;
}

static struct names list_rows(const char *folder) {
    char *out = format_string("%s/out", folder);
    struct names files = list_files(out);
    size_t kept = 0;
    for (size_t i = 0; i < files.count; i++) {
        if (is_rows_name(files.list[i]))
            files.list[kept++] = files.list[i];
        else
            free(files.list[i]);
    }
    files.count = kept;
    free(out);
    return files;
}

void record_missing(json_t *record, const char *folder) {
    struct arena *arena = arena_create();
    struct names files = list_rows(folder);
    const char *words = ending_children(arena, (const char *const *)files.list, (uint32_t)files.count);
    if (words)
        json_object_set_new(record, "missing", json_string(words));
    forget_files(&files);
    arena_destroy(arena);
}

static void add_once(json_t *list, const char *name) {
    json_t *text = json_text(name);
    size_t i;
    json_t *other;
    json_array_foreach(list, i, other) if (json_equal(other, text)) {
        json_decref(text);
        return;
    }
    json_array_append_new(list, text);
}

/* If numbers of processes differ, the files correspond by order. */
void record_compare(const char *folder, const char *other, bool numbers_differ, json_t *differing) {
    struct names files = list_rows(folder), others = list_rows(other);
    size_t most = files.count > others.count ? files.count : others.count;
    for (size_t i = 0; i < most && numbers_differ; i++)
        if (i >= files.count || i >= others.count || !are_same(files.list[i], others.list[i], true))
            add_once(differing, i < files.count ? files.list[i] + strlen(folder) + 1
                                                : others.list[i] + strlen(other) + 1);
    for (size_t i = 0; i < files.count && !numbers_differ; i++) {
        char *path = format_string("%s%s", other, files.list[i] + strlen(folder));
        if (!are_same(files.list[i], path, false))
            add_once(differing, files.list[i] + strlen(folder) + 1);
        free(path);
    }
    for (size_t i = 0; i < others.count && !numbers_differ; i++) {
        char *path = format_string("%s%s", folder, others.list[i] + strlen(other));
        if (access(path, F_OK) != 0)
            add_once(differing, others.list[i] + strlen(other) + 1);
        free(path);
    }
    forget_files(&files);
    forget_files(&others);
}

static void add_missing_or_changed(const char *folder, const char *other, json_t *differing) {
    char *part = format_string("%s/files", folder);
    struct names files = list_files(part);
    for (size_t i = 0; i < files.count; i++) {
        const char *inner = files.list[i] + strlen(folder) + 1;
        char *path = format_string("%s/%s", other, inner), digest[JOB_DIGEST + 1] = "",
             other_digest[JOB_DIGEST + 1] = "";
        uint64_t bytes;
        if (!file_digest(files.list[i], digest, &bytes) || !file_digest(path, other_digest, &bytes) ||
            strcmp(digest, other_digest) != 0)
            add_once(differing, inner);
        free(path);
    }
    forget_files(&files);
    free(part);
}

void record_compare_files(const char *folder, const char *other, json_t *differing) {
    add_missing_or_changed(folder, other, differing);
    add_missing_or_changed(other, folder, differing);
}

bool record_write(const json_t *record, const char *folder) {
    char *path = format_string("%s/run.json", folder);
    FILE *file = fopen(path, "we");
    bool good = file && json_dumpf(record, file, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) == 0 &&
                fputc('\n', file) != EOF;
    if (file)
        good = fclose(file) == 0 && good;
    free(path);
    return good;
}
