/* select.c: see select.h. Sums are SQLite's, which reports an overflow. */
#include "results/select.h"

#include <string.h>
#include <strings.h>

bool same_columns(const struct shape *left, const struct shape *right) {
    return strcmp(left->tool, right->tool) == 0 && strcmp(left->report, right->report) == 0 &&
           json_equal(json_object_get(left->header, "columns"), json_object_get(right->header, "columns"));
}

static bool set_by_titles(struct store *store, struct selection *selection, const char *titles) {
    const struct shape *shape = selection->shape;
    for (const char *at = titles; *at; at += at[0] == ',') {
        size_t length = strcspn(at, ",");
        bool found = false;
        for (uint32_t i = 0; i < shape->column_count; i++)
            if (strlen(shape->columns[i].title) == length &&
                strncasecmp(shape->columns[i].title, at, length) == 0 &&
                shape->columns[i].role != ROW_MEASURE)
                found = selection->by[i] = true;
        if (!found) {
            const char **names = arena_allocate(store->arena, shape->column_count * sizeof *names);
            uint32_t count = 0;
            for (uint32_t i = 0; i < shape->column_count; i++)
                if (shape->columns[i].role != ROW_MEASURE)
                    names[count++] = shape->columns[i].title;
            const char *title = arena_string(store->arena, at, length);
            const char *nearest = nearest_name(title, names, count);
            diagnose(store->diagnostics, NULL, MESSAGE_NO_COLUMN, shape->report, title);
            if (nearest)
                diagnose_hint(store->diagnostics, "did you mean '%s'?", nearest);
            return false;
        }
        at += length;
    }
    return true;
}

bool selection_set(struct store *store, struct selection *selection, const char *titles) {
    const struct shape *shape = selection->shape;
    bool keys = false;
    selection->by = arena_allocate(store->arena, shape->column_count * sizeof(bool));
    selection->shown = arena_allocate(store->arena, shape->column_count * sizeof(bool));
    if (titles && !set_by_titles(store, selection, titles))
        return false;
    for (uint32_t i = 0; i < shape->column_count && !titles; i++)
        keys |= selection->by[i] = shape->columns[i].role == ROW_KEY;
    for (uint32_t i = 0; i < shape->column_count && !titles && !keys; i++)
        selection->by[i] = shape->columns[i].role == ROW_LABEL;
    /* What is known of a place is known of what is put together by places, not of groups of them. */
    for (uint32_t i = 0; i < shape->column_count; i++)
        selection->shown[i] = selection->by[i] || shape->columns[i].role == ROW_MEASURE || !titles;
    return true;
}

uint32_t selection_measure(const struct selection *selection) {
    const struct shape *shape = selection->shape;
    uint32_t i = 0;
    while (i < shape->column_count && (shape->columns[i].merge != ROW_SUM ||
                                       shape->columns[i].role != ROW_MEASURE || shape->columns[i].hidden))
        i++;
    return i;
}

/* All rows of the reports. */
static void write_source(const struct selection *selection, FILE *stream) {
    fputc('(', stream);
    for (uint32_t i = 0; i < selection->report_count; i++)
        fprintf(stream, "%sSELECT * FROM data_%u WHERE report = %lld", i ? " UNION ALL " : "",
                selection->shapes[i], (long long)selection->reports[i]);
    fputc(')', stream);
}

static void write_value(const struct selection *selection, uint32_t number, FILE *stream) {
    const struct row_column *column = &selection->shape->columns[number];
    if (!selection->shown[number]) {
        fputs("NULL", stream);
        return;
    }
    switch (column->merge) {
    case ROW_SAME:
    case ROW_LEAST:
        fprintf(stream, selection->by[number] ? "c%u" : "min(c%u)", number);
        break;
    case ROW_GREATEST:
        fprintf(stream, "max(c%u)", number);
        break;
    case ROW_SUM:
        fprintf(stream, "sum(c%u)", number);
        break;
    case ROW_SHARE:
        fprintf(stream, "ifnull(100.0 * sum(c%u) / nullif((SELECT sum(c%u) FROM ", column->of[0],
                column->of[0]);
        write_source(selection, stream);
        fputs("), 0), 0)", stream);
        break;
    case ROW_RATIO:
        if (column->type == ROW_INTEGER)
            fprintf(stream, "ifnull(sum(c%u) / nullif(sum(c%u), 0), 0)", column->of[0], column->of[1]);
        else
            fprintf(stream, "ifnull(%s * sum(c%u) / nullif(sum(c%u), 0), 0)",
                    strcmp(column->unit, "percent") == 0 ? "100.0" : "1.0", column->of[0], column->of[1]);
        break;
    case ROW_NONE: /* of a single row it is what it was */
        fprintf(stream, "CASE count(*) WHEN 1 THEN min(c%u) END", number);
        break;
    }
}

void selection_write(const struct selection *selection, FILE *stream) {
    bool grouped = false;
    fputs("SELECT ", stream);
    for (uint32_t i = 0; i < selection->shape->column_count; i++) {
        fputs(i ? ", " : "", stream);
        write_value(selection, i, stream);
        fprintf(stream, " AS c%u", i);
    }
    fputs(" FROM ", stream);
    write_source(selection, stream);
    fputs(" GROUP BY ", stream);
    for (uint32_t i = 0; i < selection->shape->column_count; i++)
        if (selection->by[i]) {
            fprintf(stream, "%sc%u", grouped ? ", " : "", i);
            grouped = true;
        }
    if (!grouped) /* a table of one row */
        fputs("NULL", stream);
}
