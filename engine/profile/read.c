/* read.c: reads the rows of a report in JSON. The tool that wrote it determines the meaning of its
   columns. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "engine/profile/internal.h"

static const struct form {
    const char *tool, *columns[2];
} forms[PROFILE_KINDS] = {
    [PROFILE_PROCEDURES] = {"prof", {"Instructions", NULL}},
    [PROFILE_BLOCKS] = {"pixie", {"Executed", "Instructions"}},
    [PROFILE_BRANCHES] = {"branch", {"Taken", "Not Taken"}},
};

/* Sorted by procedure, then by address. */
static int compare_profile_rows(const void *left, const void *right) {
    const struct profile_row *a = left, *b = right;
    int names = strcmp(a->procedure, b->procedure);
    return names ? names : (a->address > b->address) - (a->address < b->address);
}

/* Returns NULL, or the name of the column that is missing or has an invalid value. */
static const char *read_profile_row(struct profile_row *row, const struct form *form, const json_t *object,
                                    struct arena *arena) {
    const char *address = json_string_value(json_object_get(object, "PC"));
    const json_t *procedure = json_object_get(object, "Procedure");
    char *end = NULL;
    row->address = address ? strtoull(address, &end, 0) : 0;
    if (!address || *address == '\0' || *end != '\0')
        return "PC";
    if (!json_is_string(procedure))
        return "Procedure";
    row->procedure = arena_string(arena, json_string_value(procedure), json_string_length(procedure));
    for (unsigned i = 0; i < 2 && form->columns[i]; i++) {
        const json_t *count = json_object_get(object, form->columns[i]);
        if (!json_is_integer(count) || json_integer_value(count) < 0)
            return form->columns[i];
        row->counts[i] = (uint64_t)json_integer_value(count);
    }
    return NULL;
}

static bool read_report(struct profile_report *report, const json_t *root, const char *path,
                        struct arena *arena, struct diagnostics *diagnostics) {
    const char *tool = json_string_value(json_object_get(root, "tool")), *wrong = NULL;
    const json_t *rows = json_object_get(root, "rows");
    report->kind = PROFILE_KINDS;
    for (unsigned kind = 0; tool && kind < PROFILE_KINDS; kind++)
        if (strcmp(tool, forms[kind].tool) == 0)
            report->kind = (enum profile_kind)kind;
    if (report->kind == PROFILE_KINDS || !json_is_array(rows)) {
        diagnose(diagnostics, NULL, MESSAGE_PROFILE_OTHER_REPORT, path);
        diagnose_hint(diagnostics, "prof.out, pixie.out and branch.out are profiles, written with "
                                   "ATOMC_FORMAT=json");
        return false;
    }
    report->count = json_array_size(rows);
    report->rows = arena_allocate(arena, (report->count + 1) * sizeof *report->rows);
    for (size_t i = 0; i < report->count && !wrong; i++) {
        wrong = read_profile_row(&report->rows[i], &forms[report->kind], json_array_get(rows, i), arena);
        if (wrong)
            diagnose(diagnostics, NULL, MESSAGE_PROFILE_ROW, path, i + 1, wrong);
    }
    if (!wrong)
        qsort(report->rows, report->count, sizeof *report->rows, compare_profile_rows);
    return !wrong;
}

static void complain_of_syntax(const struct source *source, const json_error_t *error,
                               struct diagnostics *diagnostics) {
    uint32_t at = error->position > 0 ? (uint32_t)error->position - 1 : 0;
    if (at >= source->length)
        at = source->length ? (uint32_t)source->length - 1 : 0;
    diagnose(diagnostics, &(struct source_span){source, at, at + 1}, MESSAGE_PROFILE_SYNTAX, error->text);
    diagnose_hint(diagnostics, "a run with ATOMC_FORMAT=json of a program instrumented with prof, pixie or "
                               "branch writes a profile");
}

bool profile_read(struct profile_report *report, const char *path, struct arena *arena,
                  struct diagnostics *diagnostics) {
    struct source *source = arena_allocate(arena, sizeof *source); /* diagnostics quote the file */
    json_error_t error;
    source->path = path;
    source->text = arena_read_file(arena, path, &source->length);
    if (!source->text) {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_READ, path, strerror(errno));
        return false;
    }
    json_t *root = json_loadb(source->text, source->length, 0, &error);
    if (!root) {
        complain_of_syntax(source, &error, diagnostics);
        return false;
    }
    bool good = read_report(report, root, path, arena, diagnostics);
    json_decref(root);
    return good;
}
