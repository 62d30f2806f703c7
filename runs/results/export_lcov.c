/* export_lcov.c: executed lines, procedures and branches in the format of lcov's tracefiles. Rows without a
   source line are counted and reported. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runs/results/export.h"

struct record { /* sums of a source file */
    const char *file, *name;
    int64_t line, address;
    int64_t counts[2]; /* executed; of a branch taken and not taken */
};
struct records {
    struct record *list;
    uint32_t count, capacity;
};

/* The kind of place of a row; "": unknown, as in tables that C writes. */
static const char *kind_of_place(const struct shape *shape) {
    json_t *places = json_object_get(shape->header, "places");
    size_t count = json_array_size(places);
    const char *last = count ? json_string_value(json_array_get(places, count - 1)) : NULL;
    return last ? last : "";
}

enum coverage_kind coverage_kind_of(const struct shape *shape) {
    struct source_columns source = source_columns(shape);
    uint32_t count = shape->column_count, event = 0;
    while (event < count && !is_event(&shape->columns[event]))
        event++;
    if (source.file == count || source.line == count || event == count || is_tree(shape))
        return COVERS_NOTHING;
    if (column_titled(shape, "Taken", true) < count && column_titled(shape, "Untaken", true) < count)
        return COVERS_BRANCHES;
    const char *place = kind_of_place(shape);
    if (strcmp(place, "proc") == 0)
        return column_titled(shape, "Calls", true) < count && source.name < count ? COVERS_PROCEDURES
                                                                                  : COVERS_NOTHING;
    return strcmp(place, "inst") == 0 || strcmp(place, "block") == 0 ? COVERS_LINES : COVERS_NOTHING;
}

/* ---- reading ------------------------------------------------------------------------------------------ */

/* lcov reads a name up to the first comma. */
static const char *function_name(const struct request *request, const char *symbol) {
    const char *shown = shown_symbol(request, symbol);
    if (!strchr(shown, ','))
        return shown;
    char *name = arena_string(request->arena, shown, strlen(shown));
    for (char *at = name; (at = strchr(at, ',')); at++)
        *at = ';';
    return name;
}

static bool read_records(const struct request *request, struct store *store,
                         const struct selection *selection, enum coverage_kind kind,
                         struct records *records) {
    const struct shape *shape = selection->shape;
    struct source_columns source = source_columns(shape);
    struct row_list list = {NULL, 0, 0};
    uint32_t columns = shape->column_count, count = 0, without_line = 0;
    if (!read_rows(store, selection, request->arena, &list))
        return false;
    if (kind == COVERS_LINES)
        while (!is_event(&shape->columns[count]))
            count++;
    else
        count = column_titled(shape, kind == COVERS_PROCEDURES ? "Calls" : "Taken", true);
    for (uint32_t i = 0; i < list.count; i++) {
        const struct cell *cells = list.rows[i];
        struct record record = {.file = text_at(cells, source.file, columns),
                                .name = function_name(request, text_at(cells, source.name, columns)),
                                .line = number_at(cells, source.line, columns),
                                .address = number_at(cells, source.address, columns),
                                .counts = {number_at(cells, count, columns)}};
        if (kind == COVERS_BRANCHES)
            record.counts[1] = number_at(cells, column_titled(shape, "Untaken", true), columns);
        if (!*record.file || record.line <= 0) {
            without_line++;
            continue;
        }
        ARENA_RESERVE(request->arena, records->list, records->count, records->capacity);
        records->list[records->count++] = record;
    }
    if (without_line)
        diagnose(request->diagnostics, NULL, MESSAGE_EXPORT_NO_LINE, shape->tool, shape->report,
                 without_line);
    return true;
}

static int compare_record_places(const void *left, const void *right) {
    const struct record *a = left, *b = right;
    int order = strcmp(a->file, b->file);
    if (order == 0)
        order = a->line != b->line ? (a->line < b->line ? -1 : 1) : strcmp(a->name, b->name);
    return order ? order
                 : ((uint64_t)a->address > (uint64_t)b->address) -
                       ((uint64_t)a->address < (uint64_t)b->address);
}

/* The executions of a line are the executions of its most frequent part. */
static void join_record_lines(struct records *records) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < records->count; i++) {
        struct record *last = &records->list[kept ? kept - 1 : 0], *here = &records->list[i];
        if (kept == 0 || last->line != here->line || strcmp(last->file, here->file) != 0)
            records->list[kept++] = *here;
        else if (here->counts[0] > last->counts[0])
            last->counts[0] = here->counts[0];
    }
    records->count = kept;
}

/* ---- writing ------------------------------------------------------------------------------------------ */

struct section {
    const struct record *at, *end; /* the remaining ones of the kind */
};

static bool is_section_of(const struct section *section, const char *file) {
    return section->at < section->end && section->at->file && strcmp(section->at->file, file) == 0;
}

static void write_functions(struct section *section, const char *file, FILE *stream) {
    uint32_t found = 0, hit = 0;
    for (; is_section_of(section, file); section->at++) {
        const struct record *record = section->at;
        fprintf(stream, "FN:%" PRId64 ",%s\nFNDA:%" PRId64 ",%s\n", record->line, record->name,
                record->counts[0], record->name);
        found++;
        hit += record->counts[0] > 0;
    }
    fprintf(stream, "FNF:%u\nFNH:%u\n", found, hit);
}

/* The branches of a line are distinguished by numbers. */
static void write_branches(struct section *section, const char *file, FILE *stream) {
    uint32_t found = 0, hit = 0, number = 0;
    int64_t line = 0;
    for (; is_section_of(section, file); section->at++) {
        const struct record *record = section->at;
        bool executed = record->counts[0] + record->counts[1] > 0;
        number = record->line == line ? number + 1 : 0;
        line = record->line;
        for (int way = 0; way < 2; way++) {
            fprintf(stream, "BRDA:%" PRId64 ",%u,%d,", line, number, way);
            fprintf(stream, executed ? "%" PRId64 "\n" : "-\n", record->counts[way]);
            hit += record->counts[way] > 0;
        }
        found += 2;
    }
    fprintf(stream, "BRF:%u\nBRH:%u\n", found, hit);
}

static void write_lines(struct section *section, const char *file, FILE *stream) {
    uint32_t found = 0, hit = 0;
    for (; is_section_of(section, file); section->at++) {
        fprintf(stream, "DA:%" PRId64 ",%" PRId64 "\n", section->at->line, section->at->counts[0]);
        found++;
        hit += section->at->counts[0] > 0;
    }
    fprintf(stream, "LF:%u\nLH:%u\n", found, hit);
}

bool export_lcov(const struct request *request, struct store *store,
                 const struct selection *const tables[COVERAGE_KINDS], FILE *stream) {
    struct records records[COVERAGE_KINDS] = {{NULL, 0, 0}};
    struct section sections[COVERAGE_KINDS] = {{NULL, NULL}};
    for (enum coverage_kind kind = COVERS_LINES; kind < COVERAGE_KINDS; kind++) {
        if (!tables[kind])
            continue;
        if (!read_records(request, store, tables[kind], kind, &records[kind]))
            return false;
        if (records[kind].count > 0)
            qsort(records[kind].list, records[kind].count, sizeof *records[kind].list, compare_record_places);
        if (kind == COVERS_LINES)
            join_record_lines(&records[kind]);
        sections[kind] = (struct section){records[kind].list, records[kind].list + records[kind].count};
    }
    for (;;) {
        const char *file = NULL; /* the first of the remaining ones */
        for (enum coverage_kind kind = COVERS_LINES; kind < COVERAGE_KINDS; kind++)
            if (sections[kind].at < sections[kind].end &&
                (!file || strcmp(sections[kind].at->file, file) < 0))
                file = sections[kind].at->file;
        if (!file)
            return true;
        fprintf(stream, "TN:\nSF:%s\n", file);
        if (tables[COVERS_PROCEDURES])
            write_functions(&sections[COVERS_PROCEDURES], file, stream);
        if (tables[COVERS_BRANCHES])
            write_branches(&sections[COVERS_BRANCHES], file, stream);
        if (tables[COVERS_LINES])
            write_lines(&sections[COVERS_LINES], file, stream);
        fputs("end_of_record\n", stream);
    }
}
