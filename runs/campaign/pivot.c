/* pivot.c: the runs' values in cells: rows, columns and panels are dimensions; values that differ in other
   dimensions only are combined. A cell has no value if one of its runs is missing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs/campaign/table.h"

const char *const way_words[WAY_COUNT] = {"sum", "mean", "geometric", "least", "greatest"};
const char *const way_titles[WAY_COUNT] = {"sum", "mean", "geometric mean", "least", "greatest"};

bool find_way(const char *word, enum way *way) {
    for (*way = 0; *way < WAY_COUNT; (*way)++)
        if (strcmp(way_words[*way], word) == 0)
            return true;
    return false;
}

/* ---- sides -------------------------------------------------------------------------------------------- */

static bool read_dimensions(struct side *side, struct session *session, const char *list) {
    const struct matrix *matrix = &session->matrix;
    struct arena *arena = session->campaign->arena;
    if (strcmp(list, "none") == 0 && !is_dimension(matrix, list))
        list = "";
    side->dimensions = arena_allocate(arena, (strlen(list) + 1) * sizeof *side->dimensions);
    while (*list) {
        size_t length = strcspn(list, ",");
        const char *name = arena_string(arena, list, length);
        if (!is_dimension(matrix, name)) {
            const char *nearest = nearest_name(name, matrix->dimensions, matrix->dimension_count);
            diagnose(session->campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_DIMENSION, name);
            if (nearest)
                diagnose_hint(session->campaign->diagnostics, "did you mean '%s'?", nearest);
            return false;
        }
        side->dimensions[side->dimension_count++] = name;
        list += length + (list[length] == ',');
    }
    return true;
}

/* The numbers of a run's values, in the order of the file. */
struct place {
    const uint32_t *numbers;
    uint32_t run, count;
};

static int by_numbers(const void *left, const void *right) {
    const struct place *one = left, *other = right;
    for (uint32_t i = 0; i < one->count; i++)
        if (one->numbers[i] != other->numbers[i])
            return one->numbers[i] < other->numbers[i] ? -1 : 1;
    return 0;
}

/* A run's value as its number among all. */
static void number_run_values(const struct matrix *matrix, const char *dimension, uint32_t *numbers,
                              uint32_t step) {
    uint32_t count;
    const char **texts = dimension_texts(matrix, dimension, &count);
    json_t *known = json_object();
    for (uint32_t i = 0; i < count; i++)
        json_object_set_new(known, texts[i], json_integer(i));
    for (uint32_t i = 0; i < matrix->run_count; i++) {
        const char *text = run_text(matrix->campaign, &matrix->runs[i], dimension);
        numbers[(size_t)i * step] = text ? (uint32_t)json_integer_value(json_object_get(known, text)) : count;
    }
    json_decref(known);
}

static void list_entries(struct side *side, const struct matrix *matrix) {
    struct arena *arena = matrix->campaign->arena;
    uint32_t runs = matrix->run_count, width = side->dimension_count;
    uint32_t *numbers = arena_allocate(arena, ((size_t)runs * width + 1) * sizeof *numbers);
    struct place *places = arena_allocate(arena, runs * sizeof *places);
    side->of = arena_allocate(arena, runs * sizeof *side->of);
    side->texts = arena_allocate(arena, runs * sizeof *side->texts);
    for (uint32_t k = 0; k < width; k++)
        number_run_values(matrix, side->dimensions[k], &numbers[k], width);
    for (uint32_t i = 0; i < runs; i++)
        places[i] = (struct place){&numbers[(size_t)i * width], i, width};
    qsort(places, runs, sizeof *places, by_numbers);
    for (uint32_t i = 0; i < runs; i++) {
        if (i == 0 || by_numbers(&places[i - 1], &places[i]) != 0) {
            const char **texts = arena_allocate(arena, (width + 1) * sizeof *texts);
            for (uint32_t k = 0; k < width; k++) {
                const char *text =
                    run_text(matrix->campaign, &matrix->runs[places[i].run], side->dimensions[k]);
                texts[k] = text ? text : "-";
            }
            side->texts[side->count++] = texts;
        }
        side->of[places[i].run] = side->count - 1;
    }
}

static bool stands_in(const struct side *side, const char *dimension) {
    for (uint32_t i = 0; i < side->dimension_count; i++)
        if (strcmp(side->dimensions[i], dimension) == 0)
            return true;
    return false;
}

/* ---- values ------------------------------------------------------------------------------------------- */

/* Combined values; the result is undefined (NaN) if one value is. */
struct total {
    uint32_t count;
    int64_t integer;
    double sum, logarithms, least, greatest;
    bool is_integer, undefined, absent;
};

static void add_to_total(struct total *total, const struct value *value) {
    double real = value->real;
    if (total->count == 0)
        *total = (struct total){.is_integer = true, .least = real, .greatest = real};
    total->count++;
    total->undefined |= isnan(real);
    total->absent |= value->absent;
    total->is_integer = total->is_integer && value->kind == VALUE_INTEGER &&
                        !__builtin_add_overflow(total->integer, value->integer, &total->integer);
    total->sum += real;
    total->logarithms += real > 0 ? log(real) : NAN;
    total->least = real < total->least ? real : total->least;
    total->greatest = real > total->greatest ? real : total->greatest;
}

static struct value value_of_total(const struct total *total, enum way way) {
    double real = way == WAY_SUM         ? total->sum
                  : way == WAY_MEAN      ? total->sum / total->count
                  : way == WAY_GEOMETRIC ? exp(total->logarithms / total->count)
                  : way == WAY_LEAST     ? total->least
                                         : total->greatest;
    if (total->undefined)
        real = NAN;
    /* All ways of combining leave a single value unchanged, except the geometric mean of a value that is not
       positive. */
    bool exact = total->is_integer && !isnan(real) && (way == WAY_SUM || total->count == 1);
    if (total->is_integer && (way == WAY_LEAST || way == WAY_GREATEST) && fabs(real) < 9e15)
        return (struct value){.kind = VALUE_INTEGER, .integer = (int64_t)real, .real = real};
    return (struct value){
        .kind = exact ? VALUE_INTEGER : VALUE_REAL, .integer = total->integer, .real = real};
}

static void fill_cells(struct pivot *pivot, const struct value *values) {
    const struct matrix *matrix = pivot->matrix;
    struct arena *arena = matrix->campaign->arena;
    size_t columns = pivot->columns.count, rows = pivot->rows.count, panels = pivot->panels.count,
           count = columns * rows * panels;
    struct total *totals = arena_allocate(arena, count * sizeof *totals);
    pivot->cells = arena_allocate(arena, count * sizeof *pivot->cells);
    pivot->summaries = arena_allocate(arena, columns * panels * sizeof *pivot->summaries);
    for (uint32_t i = 0; i < matrix->run_count; i++) {
        size_t at = (pivot->panels.of[i] * rows + pivot->rows.of[i]) * columns + pivot->columns.of[i];
        pivot->cells[at].runs++;
        pivot->cells[at].missing += values[i].kind == VALUE_MISSING;
        pivot->cells[at].cut += values[i].cut_short;
        if (values[i].kind != VALUE_MISSING)
            add_to_total(&totals[at], &values[i]);
    }
    for (size_t at = 0; at < count; at++) {
        struct pivot_cell *cell = &pivot->cells[at];
        pivot->incomplete += cell->missing > 0;
        pivot->missing += cell->missing;
        pivot->marked += cell->cut > 0;
        pivot->cut += cell->cut;
        if (cell->runs && !cell->missing) {
            cell->value = value_of_total(&totals[at], pivot->way);
            cell->least = totals[at].undefined ? NAN : totals[at].least;
            cell->greatest = totals[at].undefined ? NAN : totals[at].greatest;
            pivot->absent += isnan(cell->value.real) && totals[at].absent;
            pivot->undefined += isnan(cell->value.real) && !totals[at].absent;
        }
    }
}

static void fill_summaries(struct pivot *pivot) {
    size_t columns = pivot->columns.count, rows = pivot->rows.count;
    for (size_t panel = 0; panel < pivot->panels.count; panel++)
        for (size_t column = 0; column < columns; column++) {
            struct total total = {0};
            struct pivot_cell *summary = &pivot->summaries[panel * columns + column];
            for (size_t row = 0; row < rows; row++) {
                const struct pivot_cell *cell = &pivot->cells[(panel * rows + row) * columns + column];
                summary->runs += cell->runs;
                summary->missing += cell->missing;
                summary->cut += cell->cut;
                if (cell->runs && !cell->missing)
                    add_to_total(&total, &cell->value);
            }
            if (summary->runs && !summary->missing)
                summary->value = value_of_total(&total, pivot->summary);
        }
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

/* The first parameter, or tool, or input, that has several values. */
static const char *usual_columns(struct session *session) {
    static const char *const fixed[] = {"tool", "input"};
    const struct matrix *matrix = &session->matrix;
    uint32_t count;
    for (uint32_t i = 4; i < matrix->dimension_count; i++)
        if (dimension_texts(matrix, matrix->dimensions[i], &count) && count > 1)
            return matrix->dimensions[i];
    for (size_t i = 0; i < 2; i++)
        if (dimension_texts(matrix, fixed[i], &count) && count > 1)
            return fixed[i];
    return "";
}

static bool read_way(struct session *session, const char *option, const char *word, enum way *way) {
    if (!word || find_way(word, way))
        return true;
    diagnose(session->campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_WAY, option, word);
    diagnose_hint(session->campaign->diagnostics, "sum, mean, geometric, least or greatest");
    return false;
}

static void list_others(struct pivot *pivot) {
    const struct matrix *matrix = pivot->matrix;
    pivot->over =
        arena_allocate(matrix->campaign->arena, (matrix->dimension_count + 1) * sizeof *pivot->over);
    for (uint32_t i = 0; i < matrix->dimension_count; i++) {
        const char *name = matrix->dimensions[i];
        uint32_t count;
        dimension_texts(matrix, name, &count);
        if (count > 1 && !stands_in(&pivot->rows, name) && !stands_in(&pivot->columns, name) &&
            !stands_in(&pivot->panels, name))
            pivot->over[pivot->over_count++] = name;
    }
}

bool pivot_make(struct pivot *pivot, struct session *session, const struct value *values) {
    const struct request *request = session->request;
    *pivot =
        (struct pivot){.matrix = &session->matrix, .way = WAY_MEAN, .has_summary = request->summary != NULL};
    const char *rows = request->rows ? request->rows : "program";
    const char *columns = request->columns ? request->columns : usual_columns(session);
    if (!request->columns && strcmp(columns, rows) == 0)
        columns = "";
    if (!read_dimensions(&pivot->rows, session, rows) ||
        !read_dimensions(&pivot->columns, session, columns) ||
        !read_dimensions(&pivot->panels, session, request->panels ? request->panels : "") ||
        !read_way(session, "--over", request->over, &pivot->way) ||
        !read_way(session, "--summary", request->summary, &pivot->summary))
        return false;
    list_entries(&pivot->rows, &session->matrix);
    list_entries(&pivot->columns, &session->matrix);
    list_entries(&pivot->panels, &session->matrix);
    list_others(pivot);
    uint64_t cells = (uint64_t)pivot->rows.count * pivot->columns.count * pivot->panels.count;
    if (cells > 10000000) {
        diagnose(session->campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_TABLE, (unsigned long long)cells);
        return false;
    }
    fill_cells(pivot, values);
    fill_summaries(pivot);
    return true;
}
